/**
 * A clock that jumps to the next sleeper whenever nothing else happens, hours of simulation in milliseconds; and a scheduler that
 * draws by a seed who goes on, so that a seed repeats exactly.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Scheduler from "effect/Scheduler"
import { PCGRandom } from "effect/Utils"

class Sleeper {
  constructor(
    readonly at: number,
    readonly wake: () => void
  ) {}
}

/** A machine that is busy wakes sleepers late: so many milliseconds at most. */
const latest = 5

class VirtualTime implements Clock.Clock, Scheduler.Scheduler {
  readonly [Clock.ClockTypeId]: Clock.ClockTypeId = Clock.ClockTypeId
  readonly shouldYield = Scheduler.defaultShouldYield
  readonly currentTimeMillis = Effect.sync(() => this.unsafeCurrentTimeMillis())
  readonly currentTimeNanos = Effect.sync(() => this.unsafeCurrentTimeNanos())
  private now = 0
  private isOver = false
  private readonly ready: Array<Scheduler.Task> = []
  private readonly sleepers = new Set<Sleeper>()
  private readonly random: PCGRandom

  constructor(
    seed: number,
    private readonly setTo: () => number
  ) {
    this.random = new PCGRandom(seed)
  }

  unsafeCurrentTimeMillis() {
    return this.now + this.setTo()
  }

  unsafeCurrentTimeNanos() {
    return BigInt(Math.round(this.now * 1e6))
  }

  readonly scheduleTask: Scheduler.Scheduler["scheduleTask"] = (task, priority, fiber) => {
    if (this.isOver) Scheduler.defaultScheduler.scheduleTask(task, priority, fiber)
    else this.ready.push(task)
  }

  /** Leaves to the runtime what goes on after the run: what was forked into a scope from without. */
  end(): void {
    this.isOver = true
    for (const task of this.ready) this.scheduleTask(task, 0)
  }

  readonly sleep = (duration: Duration.Duration) =>
    Effect.async<void>((resume) => {
      const sleeper = this.wakeLater(() => resume(Effect.void), Duration.toMillis(duration))
      return Effect.sync(() => this.forget(sleeper))
    })

  wakeLater(wake: () => void, millis: number): Sleeper {
    const sleeper = new Sleeper(this.now + millis, wake)
    this.sleepers.add(sleeper)
    return sleeper
  }

  forget(sleeper: unknown): boolean {
    return this.sleepers.delete(sleeper as Sleeper)
  }

  /** What happens until promises are to be settled; nothing if nothing can happen any more. */
  turn(): boolean {
    if (this.ready.length === 0 && !this.jump(Number.MAX_VALUE)) return false
    while (this.ready.length > 0) {
      const index = this.random.integer(this.ready.length)
      const task = this.ready[index]!
      const last = this.ready.pop()!
      if (task !== last) this.ready[index] = last
      task()
      const chance = this.random.number()
      if (chance < 0.02) this.jump(latest)
      else if (chance < 0.1) break
    }
    return true
  }

  /** Wakes those who sleep until the same time, the next one, if that is not too far. */
  private jump(most: number): boolean {
    let next = Number.POSITIVE_INFINITY
    for (const { at } of this.sleepers) if (at < next) next = at
    if (!(next <= this.now + most)) return false
    this.now = Math.max(this.now, next)
    for (const sleeper of this.sleepers) {
      if (sleeper.at > next) continue
      this.sleepers.delete(sleeper)
      this.ready.push(sleeper.wake)
    }
    return true
  }
}

/** The timers of the runtime go by a virtual time. */
const withTimers = (time: VirtualTime) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const { clearTimeout, setTimeout } = globalThis
      Object.assign(globalThis, {
        setTimeout: (
          run: (...args: ReadonlyArray<unknown>) => void,
          millis = 0,
          ...args: ReadonlyArray<unknown>
        ) => time.wakeLater(() => run(...args), millis),
        clearTimeout: (timer: ReturnType<typeof setTimeout>) => {
          if (!time.forget(timer)) clearTimeout(timer)
        }
      })
      return { clearTimeout, setTimeout }
    }),
    (real) =>
      Effect.sync(() => {
        Object.assign(globalThis, real)
        time.end()
      })
  )

export interface Options {
  /** Draws who goes on. @default 0 */
  readonly seed?: number
  /** The date, in milliseconds after the virtual time. @default that time */
  readonly setTo?: (() => number) | undefined
}

/** Runs an effect that does no real input or output in virtual time, from 0. It dies if nothing can happen any more. */
export const run = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  { seed = 0, setTo = () => 0 }: Options = {}
): Effect.Effect<A, E, R> =>
  Effect.scoped(
    Effect.gen(function* () {
      const time = new VirtualTime(seed, setTo)
      yield* withTimers(time)
      const fiber = yield* Effect.forkDaemon(effect).pipe(Effect.withClock(time), Effect.withScheduler(time))
      return yield* Effect.async<A, E>((resume) => {
        // All promises that can be are settled between two turns.
        const turn = () => {
          const exit = fiber.unsafePoll()
          if (exit !== null) return resume(exit)
          if (!time.turn()) return resume(Effect.dieMessage("Nothing can happen any more"))
          setImmediate(turn)
        }
        turn()
      })
    })
  )
