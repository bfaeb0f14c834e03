import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { millisOf } from "../../../internal/monotonic.js"
import { type Algorithm, Pace, type Round } from "./adaptiveLimit.js"

/** The time for which a ceiling is believed before one more is tried. */
const probeAfterMillis = 30_000

type End = "accepted" | "refused" | "released"

export class Permit {
  isHeld = true

  constructor(
    readonly limiter: Limiter,
    readonly number: number,
    readonly nth: number,
    readonly isSaturated: boolean
  ) {}

  get accepted() {
    return this.limiter.handBack(this, "accepted")
  }

  refused(retryAfter?: Duration.Duration) {
    return this.limiter.handBack(this, "refused", retryAfter)
  }

  get release() {
    return this.limiter.handBack(this, "released")
  }
}

/** Something to do later. After it has run, `update` gives permits. */
export interface Timer {
  readonly afterMillis: number
  readonly run: () => void
}

type Waiter = (permit: Permit) => void

/** The time of a fiber's clock, without an effect of its own. Not of the clock that somebody may set: pauses would last for hours. */
const nowOf = (fiber: Fiber.RuntimeFiber<unknown, unknown>): number =>
  millisOf(Context.unsafeGet(fiber.currentDefaultServices, Clock.Clock))

/**
 * Gives permits, first come, first served. With Effect's semaphore a permit takes 15 effect operations instead of 3,
 * newcomers pass waiters, and the number of waiters is unknown.
 *
 * The decisions need neither effects nor fibers: simulations drive `takeNow`, `wait`, `end` and `update` by a loop of
 * events. Times are in milliseconds of the clock.
 */
export class Limiter {
  private readonly waiters = new Set<Waiter>()
  private inUse = 0
  private taken = 0
  private refused = 0
  private pauses = 0
  private readonly pace = new Pace()
  private isDueLater = false
  private ceilings = 0
  private refusalRound: Round = { last: 0, inFlight: 0, nth: 0, left: 0, served: 0 }
  private timers: Array<Timer> = []

  constructor(
    private readonly algorithm: Algorithm,
    /** Starts the timers, and tells the state, after something has changed. */
    private readonly follow: Effect.Effect<void> = Effect.void
  ) {}

  /** A permit, if there is one now. */
  takeNow(now: number): Permit | undefined {
    if (!this.hasPlace() || this.pace.wait(now) > 0) return undefined
    this.pace.started(now)
    return new Permit(this, ++this.taken, ++this.inUse, this.inUse >= this.algorithm.limit())
  }

  /** Gives a permit once there is one. The result takes the waiter away, and returns `true` if it still waited. */
  wait(now: number, waiter: Waiter): () => boolean {
    this.waiters.add(waiter)
    this.giveLater(now)
    return () => this.waiters.delete(waiter)
  }

  /** An attempt has ended, or hands back its permit before. */
  end(permit: Permit, how: End, now: number, retryAfter?: Duration.Duration): void {
    permit.isHeld = false
    if (how === "accepted") {
      this.algorithm.accepted?.(permit.nth, permit.isSaturated || (!this.pace.isOn && this.waiters.size > 0))
      this.pace.accepted(now)
    }
    if (how === "refused") this.refuse(permit, now, retryAfter !== undefined)
    if (retryAfter !== undefined) this.pause(Duration.toMillis(retryAfter))
    this.inUse--
    const told = this.settle(permit, how)
    if (told === "ceiling") this.probeLater()
    if (told === "rate") this.pace.start(now, this.taken)
    this.update(now)
  }

  /** Gives permits to waiters. */
  update(now: number): void {
    for (const waiter of this.waiters) {
      const permit = this.takeNow(now)
      if (permit === undefined) break
      this.waiters.delete(waiter)
      waiter(permit)
    }
    this.giveLater(now)
  }

  /** The timers that are to be started since this was asked last. */
  takeTimers(): ReadonlyArray<Timer> {
    const { timers } = this
    if (timers.length > 0) this.timers = []
    return timers
  }

  get state() {
    const { algorithm, inUse, isPaused, refused } = this
    return {
      limit: algorithm.limit(),
      ceiling: algorithm.ceiling?.(),
      inUse,
      waiting: this.waiters.size,
      refused,
      paused: isPaused
    }
  }

  /** True if an observer of this state is to be told another one. */
  differsFrom({ ceiling, limit, paused }: Limiter["state"]): boolean {
    const { algorithm, isPaused } = this
    return algorithm.limit() !== limit || algorithm.ceiling?.() !== ceiling || isPaused !== paused
  }

  readonly takeIfAvailable = Effect.withFiberRuntime<Option.Option<Permit>>((fiber) =>
    Effect.succeed(Option.fromNullable(this.takeNow(nowOf(fiber))))
  )

  readonly take = Effect.withFiberRuntime<Permit>((fiber) => {
    const now = nowOf(fiber)
    const permit = this.takeNow(now)
    if (permit !== undefined) return Effect.succeed(permit)
    const given = Deferred.unsafeMake<Permit>(FiberId.none)
    const leave = this.wait(now, (permit) => Deferred.unsafeDone(given, Effect.succeed(permit)))
    const waiting = Deferred.await(given).pipe(
      Effect.interruptible,
      // An interruption may come after a permit was given and before it is used.
      Effect.onInterrupt(() =>
        leave() ? Effect.void : Effect.flatMap(Deferred.await(given), (permit) => permit.release)
      )
    )
    return this.timers.length === 0 ? waiting : Effect.zipRight(this.follow, waiting)
  })

  /** Ends an attempt once. */
  handBack(permit: Permit, how: End, retryAfter?: Duration.Duration): Effect.Effect<void> {
    return Effect.withFiberRuntime((fiber) => {
      if (!permit.isHeld) return Effect.void
      this.end(permit, how, nowOf(fiber), retryAfter)
      return this.follow
    })
  }

  private get isPaused(): boolean {
    return this.pauses > 0
  }

  private hasPlace(): boolean {
    return this.pauses === 0 && this.inUse < this.algorithm.limit()
  }

  /** Goes on once the next attempt is due, if that is the reason for waiting. */
  private giveLater(now: number): void {
    if (!this.pace.isOn || this.isDueLater || this.waiters.size === 0 || !this.hasPlace()) return
    this.isDueLater = true
    this.later(Math.ceil(this.pace.wait(now)), () => {
      this.isDueLater = false
    })
  }

  private refuse(permit: Permit, now: number, isPausing: boolean): void {
    this.refused++
    if (this.pace.isOn) {
      this.pace.refused(now, permit.number, this.taken, isPausing)
      return
    }
    const isFirst = this.refusalRound.left === 0
    if (isFirst) {
      const { inUse, taken } = this
      this.refusalRound = { last: taken, inFlight: inUse, nth: permit.nth, left: inUse, served: 0 }
    }
    this.algorithm.refused?.(isFirst)
  }

  /** Counts an attempt that was in flight at a first refusal. Returns the result, once all of them have ended. */
  private settle(permit: Permit, how: End): "ceiling" | "rate" | undefined {
    const { refusalRound } = this
    if (refusalRound.left === 0 || permit.number > refusalRound.last) return undefined
    if (how === "accepted") refusalRound.served++
    return --refusalRound.left === 0 && !this.pace.isOn ? this.algorithm.settled?.(refusalRound) : undefined
  }

  private pause(millis: number): void {
    this.pauses++
    this.later(millis, () => this.pauses--)
  }

  private probeLater(): void {
    const current = ++this.ceilings
    this.later(probeAfterMillis, () => {
      if (current === this.ceilings) this.algorithm.probe?.()
    })
  }

  private later(afterMillis: number, run: () => void): void {
    this.timers.push({ afterMillis, run })
  }
}

export const make = (algorithm: Algorithm) =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const start = ({ afterMillis, run }: Timer) =>
      Effect.withFiberRuntime<void>((fiber) => {
        run()
        limiter.update(nowOf(fiber))
        return follow
      }).pipe(Effect.delay(afterMillis), Effect.interruptible, Effect.forkIn(scope))
    const follow: Effect.Effect<void> = Effect.suspend(() => {
      const timers = limiter.takeTimers()
      const started = timers.length === 0 ? undefined : Effect.forEach(timers, start, { discard: true })
      if (!limiter.differsFrom(published)) return started ?? Effect.void
      published = limiter.state
      const told = SubscriptionRef.set(states, published)
      return started === undefined ? told : Effect.zipRight(started, told)
    })
    const limiter = new Limiter(algorithm, follow)
    let published = limiter.state
    const states = yield* SubscriptionRef.make(published)
    const { take, takeIfAvailable } = limiter
    return { take, takeIfAvailable, state: Effect.sync(() => limiter.state), changes: states.changes }
  })
