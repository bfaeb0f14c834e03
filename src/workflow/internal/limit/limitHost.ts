/** The side that hosts a limit for all workers of a cluster. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type * as ConcurrencyLimit from "../../../client/ConcurrencyLimit.js"
import * as monotonic from "../../../internal/monotonic.js"
import type { Report, Reported, Take, Taken } from "./limitProtocol.js"

/** The time for which a question waits for its first permit: less than a shutdown waits. Calls within a process have no other limit. */
const patience = Duration.seconds(1)

/** A worker that was not heard of for so long is dead. It reports once a second. */
const lease = Duration.seconds(5)

interface Given {
  readonly permit: ConcurrencyLimit.Permit
  readonly question: number
}

interface Worker {
  seenAt: number
  wanted: number
  readonly given: Map<number, Given>
}

class Host {
  private readonly workers = new Map<string, Worker>()
  private permits = 0

  constructor(
    private readonly name: string,
    private readonly limit: ConcurrencyLimit.Service
  ) {}

  readonly take = (asked: typeof Take.Type): Effect.Effect<typeof Taken.Type> =>
    Effect.gen(this, function* () {
      const worker = yield* this.seen(asked.worker)
      yield* this.end(worker, asked)
      worker.wanted = asked.wanted
      const permits = yield* Effect.uninterruptibleMask((restore) =>
        Effect.map(this.obtain(asked.wanted, restore), (permits) =>
          permits.map((permit) => {
            worker.given.set(++this.permits, { permit, question: asked.question })
            return this.permits
          })
        )
      )
      worker.wanted = 0
      return { host: this.name, permits, state: yield* this.state }
    })

  readonly report = (told: typeof Report.Type): Effect.Effect<typeof Reported.Type> =>
    Effect.gen(this, function* () {
      const worker = yield* this.seen(told.worker)
      yield* this.end(worker, told)
      if (told.host === this.name) {
        const held = new Set(told.held)
        yield* this.release(worker, (number, { question }) => question <= told.settled && !held.has(number))
      }
      return { host: this.name, state: yield* this.state }
    })

  private end(
    { given }: Worker,
    { ends, host }: Pick<typeof Report.Type, "ends" | "host">
  ): Effect.Effect<void> {
    return Effect.forEach(
      host === this.name ? ends : [],
      ({ how, permit: number, retryAfter }) => {
        const permit = given.get(number)?.permit
        if (permit === undefined) return Effect.void
        given.delete(number)
        if (how === "refused") {
          return permit.refused(retryAfter === undefined ? undefined : Duration.millis(retryAfter))
        }
        return how === "accepted" ? permit.accepted : permit.release
      },
      { discard: true }
    )
  }

  /** Takes back the permits of dead workers. */
  readonly reap: Effect.Effect<void> = Effect.flatMap(monotonic.millis, (now) =>
    Effect.forEach(
      Array.from(this.workers).filter(([, { seenAt }]) => now - seenAt > Duration.toMillis(lease)),
      ([name, worker]) => {
        this.workers.delete(name)
        return this.release(worker, () => true)
      },
      { discard: true }
    )
  )

  private readonly state = Effect.map(this.limit.state, (state) => {
    let waiting = 0
    for (const { wanted } of this.workers.values()) waiting += wanted
    return { ...state, waiting }
  })

  private seen(name: string): Effect.Effect<Worker> {
    return Effect.map(monotonic.millis, (now) => {
      const worker = this.workers.get(name) ?? { seenAt: now, wanted: 0, given: new Map() }
      worker.seenAt = now
      this.workers.set(name, worker)
      return worker
    })
  }

  private release({ given }: Worker, isLost: (number: number, given: Given) => boolean): Effect.Effect<void> {
    const lost = Array.from(given).filter(([number, each]) => isLost(number, each))
    return Effect.forEach(
      lost,
      ([number, { permit }]) => {
        given.delete(number)
        return permit.release
      },
      { discard: true }
    )
  }

  /** Waits for a permit, and takes the other free ones. */
  private obtain(wanted: number, restore: <A>(effect: Effect.Effect<A>) => Effect.Effect<A>) {
    const { limit } = this
    return Effect.gen(function* () {
      const permits: Array<ConcurrencyLimit.Permit> = []
      const free = yield* limit.takeIfAvailable
      if (Option.isSome(free)) permits.push(free.value)
      // The race may end after a permit was given.
      const first = Effect.map(limit.take, (permit) => {
        permits.push(permit)
      })
      if (permits.length === 0) {
        yield* Effect.exit(restore(Effect.raceFirst(Effect.uninterruptible(first), Effect.sleep(patience))))
      }
      while (permits.length > 0 && permits.length < wanted) {
        const next = yield* limit.takeIfAvailable
        if (Option.isNone(next)) break
        permits.push(next.value)
      }
      return permits
    })
  }
}

/** Hosts a limit, which forgets workers that it does not hear of. */
export const make = (limit: ConcurrencyLimit.Service): Effect.Effect<Host, never, Scope.Scope> =>
  Effect.gen(function* () {
    // Not by `Random`: processes may have the same seed.
    const host = new Host(crypto.randomUUID(), limit)
    yield* Effect.forkScoped(Effect.forever(Effect.delay(host.reap, "1 second")))
    return host
  })
