/**
 * A clock that jumps to the next sleeper whenever nothing else happens, hours of simulation in milliseconds; and a scheduler that
 * lets fibers go on in their order, or draws by a seed who goes on, so that a seed repeats exactly.
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

/** Names of what Node waits for while it opens, reads, writes or closes a file. */
const ofFiles = new Set(["FSReqCallback", "FSReqPromise", "CloseReq"])

/** Files take no time of the clock, but are waited for. */
const isUsingFiles = (): boolean => process.getActiveResourcesInfo().some((name) => ofFiles.has(name))

/** A machine that is busy wakes sleepers late: so many milliseconds at most. */
const latest = 5

class VirtualTime implements Clock.Clock, Scheduler.Scheduler {
  readonly [Clock.ClockTypeId]: Clock.ClockTypeId = Clock.ClockTypeId
  readonly shouldYield = Scheduler.defaultShouldYield
  readonly currentTimeMillis = Effect.sync(() => this.unsafeCurrentTimeMillis())
  readonly currentTimeNanos = Effect.sync(() => this.unsafeCurrentTimeNanos())
  /** Is called when a fiber is ready to go on. */
  onReady: (() => void) | undefined
  private now = 0
  private isOver = false
  private readonly ready: Array<Scheduler.Task> = []
  /**
   * Fibers that start do so first. `Effect.forEach` with a concurrency relies on the runtime's order here: interrupted before the fiber
   * that runs its elements has started, it would wait for it for ever.
   */
  private readonly starting: Array<Scheduler.Task> = []
  private readonly started = new WeakSet<object>()
  private readonly sleepers = new Set<Sleeper>()
  private readonly random: PCGRandom | undefined

  constructor(
    seed: number | undefined,
    private readonly setTo: () => number
  ) {
    this.random = seed === undefined ? undefined : new PCGRandom(seed)
  }

  unsafeCurrentTimeMillis() {
    return this.now + this.setTo()
  }

  unsafeCurrentTimeNanos() {
    return BigInt(Math.round(this.now * 1e6))
  }

  readonly scheduleTask: Scheduler.Scheduler["scheduleTask"] = (task, priority, fiber) => {
    if (this.isOver) Scheduler.defaultScheduler.scheduleTask(task, priority, fiber)
    else {
      this.queueOf(fiber).push(task)
      this.onReady?.()
    }
  }

  private queueOf(fiber: object | undefined): Array<Scheduler.Task> {
    if (this.random === undefined || fiber === undefined || this.started.has(fiber)) return this.ready
    this.started.add(fiber)
    return this.starting
  }

  /** Leaves to the runtime what goes on after the run: what was forked into a scope from without. */
  end(): void {
    this.isOver = true
    for (const task of [...this.starting, ...this.ready]) this.scheduleTask(task, 0)
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

  /** What happens until promises are to be settled; nothing if files are to be waited for, or nothing can happen any more. */
  turn(): "turned" | "files" | "stuck" {
    if (this.ready.length + this.starting.length === 0) {
      if (isUsingFiles()) return "files"
      if (!this.jump(Number.MAX_VALUE)) return "stuck"
    }
    if (this.random === undefined) for (const task of this.ready.splice(0)) task()
    else this.draw(this.random)
    return "turned"
  }

  private next(random: PCGRandom): Scheduler.Task | undefined {
    if (this.starting.length > 0) return this.starting.shift()
    const last = this.ready.pop()
    if (last === undefined) return undefined
    const index = random.integer(this.ready.length + 1)
    const task = this.ready[index] ?? last
    if (task !== last) this.ready[index] = last
    return task
  }

  private draw(random: PCGRandom): void {
    for (let task = this.next(random); task !== undefined; task = this.next(random)) {
      task()
      const chance = random.number()
      if (chance < 0.02) this.jump(latest)
      else if (chance < 0.1) break
    }
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
  /** Draws who goes on, and wakes sleepers late. @default fibers go on in their order, as they do in the runtime */
  readonly seed?: number
  /** The date, in milliseconds after the virtual time. @default that time */
  readonly setTo?: (() => number) | undefined
}

/** Runs an effect that needs files at most, and no socket or process, in virtual time, from 0. It dies if nothing can happen any more. */
export const run = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  { seed, setTo = () => 0 }: Options = {}
): Effect.Effect<A, E, R> =>
  Effect.scoped(
    Effect.gen(function* () {
      const time = new VirtualTime(seed, setTo)
      const { clearTimeout, setTimeout } = globalThis
      yield* withTimers(time)
      const fiber = yield* Effect.forkDaemon(effect).pipe(Effect.withClock(time), Effect.withScheduler(time))
      return yield* Effect.async<A, E>((resume) => {
        let isOver = false
        // All promises that can be are settled between two turns.
        const soon = () => void setImmediate(turn)
        const turn = () => {
          if (isOver) return
          const exit = fiber.unsafePoll()
          if (exit !== null) return resume(exit)
          switch (time.turn()) {
            case "turned":
              return soon()
            case "stuck":
              return resume(Effect.dieMessage("Nothing can happen any more"))
            case "files": {
              const go = () => {
                clearTimeout(timer)
                time.onReady = undefined
                soon()
              }
              // Not every file that is closed has a fiber that waits for it.
              const timer = setTimeout(go, 1)
              time.onReady = go
            }
          }
        }
        turn()
        return Effect.sync(() => {
          isOver = true
        })
      })
    })
  )
