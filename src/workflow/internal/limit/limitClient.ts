/** The side of a worker, which asks the host of a limit for permits. */
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as SubscriptionRef from "effect/SubscriptionRef"
import type * as ConcurrencyLimit from "../../../client/ConcurrencyLimit.js"
import type { End, Report, Reported, Take, Taken } from "./limitProtocol.js"

/** Calls of the host. A call may fail, or never come back. */
export interface Calls {
  readonly take: (asked: typeof Take.Type) => Effect.Effect<typeof Taken.Type, unknown>
  readonly report: (told: typeof Report.Type) => Effect.Effect<typeof Reported.Type, unknown>
  /** True if the host is in this process now: then a call comes back, as no question waits there for longer than a second. */
  readonly isHere: () => boolean
}

/** The pause between signs that a worker is alive. */
const heartbeat = Duration.seconds(1)

/**
 * The time for which a question waits for others, and for ends to tell with it. A call of the engine costs a worker 0.8
 * ms of CPU: with two of them for each request a text took 104 µs, and 72 without any. Without that pause requests begin
 * one by one, also where the host is here, and less of their claims and recordings share statements.
 */
const gathering = Duration.millis(5)

/** The time for which an end waits for a question to tell it with. */
const patience = Duration.millis(20)

/** A call that was not answered by then is made anew: the host may be lost. */
const callTimeout = Duration.seconds(4)

/** The pause after a call that failed. */
const retryPause = Duration.millis(100)

class Permit implements ConcurrencyLimit.Permit {
  isHeld = true

  constructor(
    readonly client: Client,
    readonly host: string,
    readonly number: number
  ) {}

  get accepted() {
    return this.client.end(this, { permit: this.number, how: "accepted" })
  }

  refused(retryAfter?: Duration.Duration) {
    return this.client.end(this, {
      permit: this.number,
      how: "refused",
      ...(retryAfter === undefined ? {} : { retryAfter: Duration.toMillis(retryAfter) })
    })
  }

  get release() {
    return this.client.end(this, { permit: this.number, how: "released" })
  }
}

class Client implements ConcurrencyLimit.Service {
  private readonly waiters = new Set<Deferred.Deferred<Permit>>()
  private readonly held = new Map<number, Permit>()
  private ends: ReadonlyArray<End> = []
  /** Ends that a question tells now. */
  private asked: ReadonlyArray<End> = []
  private host = ""
  private questions = 0
  /** True if it is time to tell that this worker is alive. */
  private isDue = false
  private settled = 0
  private readonly hasWaiters = Effect.unsafeMakeLatch(false)
  private readonly hasNews = Effect.unsafeMakeLatch(false)

  constructor(
    private readonly name: string,
    private readonly calls: Calls,
    private readonly states: SubscriptionRef.SubscriptionRef<ConcurrencyLimit.State>,
    private last: ConcurrencyLimit.State
  ) {}

  readonly takeIfAvailable = Effect.succeed(Option.none())

  readonly take = Effect.suspend(() => {
    const waiter = Deferred.unsafeMake<Permit>(FiberId.none)
    this.waiters.add(waiter)
    this.hasWaiters.unsafeOpen()
    return Deferred.await(waiter).pipe(
      Effect.interruptible,
      // An interruption may come after a permit was given and before it is used.
      Effect.onInterrupt(() =>
        this.waiters.delete(waiter)
          ? Effect.void
          : Effect.flatMap(Deferred.await(waiter), (permit) => permit.release)
      )
    )
  })

  readonly state = Effect.sync(() => this.last)

  get changes() {
    return this.states.changes
  }

  end(permit: Permit, end: End): Effect.Effect<void> {
    return Effect.sync(() => {
      if (!permit.isHeld) return
      permit.isHeld = false
      // A former host took its permits with it.
      if (permit.host !== this.host) return
      this.held.delete(permit.number)
      this.ends = [...this.ends, end]
      this.hasNews.unsafeOpen()
    })
  }

  /** Asks for permits as long as somebody waits. */
  readonly ask: Effect.Effect<void> = Effect.gen(this, function* () {
    yield* this.hasWaiters.await
    if (this.waiters.size === 0) {
      this.hasWaiters.unsafeClose()
      return
    }
    yield* Effect.sleep(gathering)
    const question = ++this.questions
    const { ends, host: before } = this.takeEnds()
    this.asked = ends
    const taken = yield* this.call(
      this.calls.take({ worker: this.name, host: before, ends, question, wanted: this.waiters.size })
    )
    this.asked = []
    this.settled = question
    if (Option.isNone(taken)) return this.restoreEnds(before, ends)
    const { host, permits, state } = taken.value
    if (host !== this.host) this.follow(host)
    for (const number of permits) this.give(new Permit(this, host, number))
    yield* this.publish(state)
  })

  /** Tells the ends of attempts, and that this worker is alive. */
  readonly tell: Effect.Effect<void> = Effect.gen(this, function* () {
    yield* this.hasNews.await
    if (!this.isDue) yield* Effect.sleep(patience)
    const { isDue, settled } = this
    const isNothing = !isDue && this.ends.length === 0
    this.isDue = false
    const { ends, host } = this.takeEnds()
    if (isNothing) return
    const held = [...this.held.keys(), ...this.asked.map(({ permit }) => permit)]
    const told = { worker: this.name, host, ends, held, settled }
    const reported = yield* this.call(this.calls.report(told))
    if (Option.isSome(reported)) return yield* this.publish(reported.value.state)
    this.restoreEnds(host, ends)
  })

  /** Makes it tell that this worker is alive, if it has nothing else to tell. */
  readonly beat: Effect.Effect<void> = Effect.delay(
    Effect.sync(() => {
      this.isDue = true
      this.hasNews.unsafeOpen()
    }),
    heartbeat
  )

  /** Takes the ends that are to be told. */
  private takeEnds(): { readonly ends: ReadonlyArray<End>; readonly host: string } {
    const { ends, host } = this
    this.ends = []
    if (!this.isDue) this.hasNews.unsafeClose()
    return { ends, host }
  }

  /** Puts back the ends that could not be told. */
  private restoreEnds(host: string, ends: ReadonlyArray<End>): void {
    if (host !== this.host) return
    this.ends = [...ends, ...this.ends]
    if (this.ends.length > 0) this.hasNews.unsafeOpen()
  }

  /** Calls the host: no failure of the host ends this worker. */
  private call<A>(call: Effect.Effect<A, unknown>): Effect.Effect<Option.Option<A>> {
    const answered = this.calls.isHere()
      ? Effect.asSome(call)
      : Effect.timeoutOption(Effect.disconnect(call), callTimeout)
    return answered.pipe(Effect.catchAllCause(() => Effect.as(Effect.sleep(retryPause), Option.none())))
  }

  private follow(host: string): void {
    this.host = host
    this.held.clear()
    this.ends = []
  }

  private give(permit: Permit): void {
    this.held.set(permit.number, permit)
    for (const waiter of this.waiters) {
      this.waiters.delete(waiter)
      Deferred.unsafeDone(waiter, Effect.succeed(permit))
      return
    }
    // Its waiter was interrupted.
    permit.isHeld = false
    this.held.delete(permit.number)
    this.ends = [...this.ends, { permit: permit.number, how: "released" }]
    this.hasNews.unsafeOpen()
  }

  private publish(state: ConcurrencyLimit.State): Effect.Effect<void> {
    const { last } = this
    this.last = state
    return state.limit === last.limit && state.ceiling === last.ceiling && state.paused === last.paused
      ? Effect.void
      : SubscriptionRef.set(this.states, state)
  }
}

/** The limit of a worker that asks a host. */
export const make = (
  calls: Calls,
  initial: number
): Effect.Effect<ConcurrencyLimit.Service, never, Scope.Scope> =>
  Effect.gen(function* () {
    const state: ConcurrencyLimit.State = {
      limit: initial,
      ceiling: undefined,
      inUse: 0,
      waiting: 0,
      refused: 0,
      paused: false
    }
    // Not by `Random`: processes may have the same seed.
    const client = new Client(crypto.randomUUID(), calls, yield* SubscriptionRef.make(state), state)
    yield* Effect.forkScoped(Effect.forever(client.ask))
    yield* Effect.forkScoped(Effect.forever(client.tell))
    yield* Effect.forkScoped(Effect.forever(client.beat))
    return client
  })
