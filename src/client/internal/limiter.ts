import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as SubscriptionRef from "effect/SubscriptionRef"
import type * as ConcurrencyLimit from "../ConcurrencyLimit.js"
import { Pace } from "./pace.js"

/** The attempts that were in flight at a first refusal. */
interface Round {
  /** The last of them. */
  last: number
  inFlight: number
  /** How many were in flight when the refused one began. */
  nth: number
  /** Those that have not ended yet. */
  left: number
  served: number
}

/** Decides how many attempts may be in flight, from what becomes of them. */
export interface Algorithm {
  readonly limit: () => number
  /** How many were served at once at the last refusal. */
  readonly ceiling?: () => number | undefined
  /** An attempt was accepted that was the nth in flight. It is saturated if there was no room for another one. */
  readonly accepted?: (nth: number, isSaturated: boolean) => void
  /** An attempt was refused: the first one of those that were in flight together, or another. */
  readonly refused?: (isFirst: boolean) => void
  /**
   * All attempts that were in flight at a first refusal have ended. Returns what that tells: `served` is the new ceiling, or the rate
   * was too high, or nothing.
   */
  readonly settled?: (round: Round) => "ceiling" | "rate" | undefined
  /** The ceiling is old: one more may be tried. */
  readonly probe?: () => void
}

/** With less than one permit every call would wait for ever. */
const atLeastOne = (permits: number): number => (permits >= 1 ? permits : 1)

export const fixed = (permits: number): Algorithm => ({ limit: () => atLeastOne(permits) })

const stateOf = ({ ceiling, limit }: Algorithm) => ({ limit: limit(), ceiling: ceiling?.() })

/** A level that is refused less often than this is refused for other reasons than the number in flight. */
const refusalThreshold = 0.05

/** With so few in flight one more or less is a large share of what is possible: a refusal below a ceiling disproves it at once. */
const few = 3

/** What became of attempts by how many were in flight. */
interface Level {
  accepted: number
  refused: number
}

/** The attempts that a level remembers: enough for a share, and few enough to see that the service has changed. */
const levelMemory = 40

const decrease = 0.7

/**
 * Grows until the first refusal, and then knows how many were served at once. It seldom tries to exceed that ceiling,
 * since a refusal may pause all attempts.
 */
export const adaptive = (initial: number): Algorithm => {
  const levels: Array<Level> = []
  let limit = atLeastOne(initial)
  let limitBefore = limit
  let ceiling = Number.POSITIVE_INFINITY
  let isStarting = true
  let isOld = false
  /** Whether attempts were refused below the ceiling. */
  let isDoubted = false
  /** The last ceiling that attempts were accepted beyond. */
  let disproved = Number.NEGATIVE_INFINITY
  let proofs = 0

  const forget = () => {
    isDoubted = false
    disproved = ceiling
    ceiling = Number.POSITIVE_INFINITY
  }

  const levelOf = (nth: number) => {
    levels[nth] ??= { accepted: 0, refused: 0 }
    const level = levels[nth]
    if (level.accepted + level.refused >= levelMemory) {
      level.accepted /= 2
      level.refused /= 2
    }
    return level
  }

  return {
    limit: () => Math.floor(limit),
    ceiling: () => (Number.isFinite(ceiling) ? ceiling : undefined),
    accepted: (nth, isSaturated) => {
      levelOf(nth).accepted++
      if (nth > ceiling && ++proofs >= nth) forget()
      if (!isSaturated) return
      if (limit < ceiling) limit = Math.min(ceiling, limit + (isStarting ? 1 : 1 / limit))
      else if (isOld) {
        isOld = false
        proofs = 0
        limit = ceiling + 1
      }
    },
    refused: (isFirst) => {
      isStarting = false
      if (isFirst) limitBefore = limit
      limit = Math.max(1, limit * decrease)
    },
    settled: ({ inFlight, nth, served }) => {
      const level = levelOf(inFlight)
      level.refused++
      const isOften = level.refused > refusalThreshold * (level.accepted + level.refused)
      // A ceiling explains refusals beyond it. Those below, and those just above a ceiling that did not hold, come from the rate.
      const isBelow = Number.isFinite(ceiling) && nth <= ceiling
      const isOfRate =
        (isBelow && (isDoubted || inFlight <= few)) || inFlight === 1 || served <= disproved + 1
      if (isOften && isOfRate) {
        ceiling = Number.POSITIVE_INFINITY
        limit = limitBefore
        return "rate"
      }
      if (isOften && isBelow) isDoubted = true
      const isCeiling = isOften && served > 0
      if (isCeiling) {
        ceiling = served
        isOld = false
      }
      limit = Math.max(1, Math.min(ceiling, Math.max(limit, Math.min(limitBefore, served))))
      return isCeiling ? "ceiling" : undefined
    },
    probe: () => {
      isOld = true
    }
  }
}

/** How long a ceiling is believed before one more is tried. */
const probeAfter = Duration.seconds(30)

/** The time of a fiber's clock, without an effect of its own. */
const nowOf = (fiber: Fiber.RuntimeFiber<unknown, unknown>): number =>
  Context.unsafeGet(fiber.currentDefaultServices, Clock.Clock).unsafeCurrentTimeMillis()

type End = "accepted" | "refused" | "released"

class Permit implements ConcurrencyLimit.Permit {
  isHeld = true

  constructor(
    readonly limiter: Limiter,
    readonly number: number,
    readonly nth: number,
    readonly isSaturated: boolean
  ) {}

  get accepted() {
    return this.limiter.end(this, "accepted")
  }

  refused(retryAfter?: Duration.Duration) {
    return this.limiter.end(this, "refused", retryAfter)
  }

  get release() {
    return this.limiter.end(this, "released")
  }
}

/**
 * Gives permits, first come, first served. With Effect's semaphore a permit takes 15 effect operations instead of 3,
 * newcomers pass those who wait, and nobody knows how many wait.
 */
class Limiter implements ConcurrencyLimit.Service {
  private readonly waiters = new Set<Deferred.Deferred<Permit>>()
  private inUse = 0
  private taken = 0
  private refused = 0
  private pauses = 0
  private readonly pace = new Pace()
  private isDueLater = false
  private ceilings = 0
  private refusalRound: Round = { last: 0, inFlight: 0, nth: 0, left: 0, served: 0 }

  constructor(
    private readonly algorithm: Algorithm,
    private readonly states: SubscriptionRef.SubscriptionRef<ConcurrencyLimit.State>,
    private published: ConcurrencyLimit.State,
    private readonly scope: Scope.Scope
  ) {}

  readonly takeIfAvailable = Effect.withFiberRuntime<Option.Option<Permit>>((fiber) => {
    const now = nowOf(fiber)
    return Effect.succeed(this.hasRoom(now) ? Option.some(this.give(now)) : Option.none())
  })

  readonly take = Effect.withFiberRuntime<Permit>((fiber) => {
    const now = nowOf(fiber)
    if (this.hasRoom(now)) return Effect.succeed(this.give(now))
    const waiter = Deferred.unsafeMake<Permit>(FiberId.none)
    this.waiters.add(waiter)
    const waiting = Deferred.await(waiter).pipe(
      Effect.interruptible,
      // An interruption may come after a permit was given and before it is used.
      Effect.onInterrupt(() =>
        this.waiters.delete(waiter)
          ? Effect.void
          : Effect.flatMap(Deferred.await(waiter), (permit) => permit.release)
      )
    )
    const timer = this.giveLater(now)
    return timer === undefined ? waiting : Effect.zipRight(timer, waiting)
  })

  readonly state = Effect.sync(() => this.snapshot())

  get changes() {
    return this.states.changes
  }

  end(permit: Permit, how: End, retryAfter?: Duration.Duration): Effect.Effect<void> {
    return Effect.withFiberRuntime((fiber) => {
      if (!permit.isHeld) return Effect.void
      permit.isHeld = false
      const now = nowOf(fiber)
      if (how === "accepted") {
        this.algorithm.accepted?.(
          permit.nth,
          permit.isSaturated || (!this.pace.isOn && this.waiters.size > 0)
        )
        this.pace.accepted(now)
      }
      if (how === "refused") this.refuse(permit, now, retryAfter !== undefined)
      const timers = retryAfter === undefined ? [] : [this.pause(retryAfter)]
      this.inUse--
      const told = this.settle(permit, how)
      if (told === "ceiling") timers.push(this.probeLater())
      if (told === "rate") this.pace.start(now, this.taken)
      return timers.length === 0 ? this.update(now) : Effect.zipRight(Effect.all(timers), this.updated)
    })
  }

  private snapshot(): ConcurrencyLimit.State {
    return {
      ...stateOf(this.algorithm),
      inUse: this.inUse,
      waiting: this.waiters.size,
      refused: this.refused,
      paused: this.pauses > 0
    }
  }

  private hasRoom(now: number): boolean {
    return this.hasPlace() && this.pace.wait(now) === 0
  }

  private hasPlace(): boolean {
    return this.pauses === 0 && this.inUse < this.algorithm.limit()
  }

  private give(now: number): Permit {
    this.pace.started(now)
    return new Permit(this, ++this.taken, ++this.inUse, this.inUse >= this.algorithm.limit())
  }

  /** Gives permits to those who wait, and publishes the state if it has changed. */
  private update(now: number): Effect.Effect<void> {
    for (const waiter of this.waiters) {
      if (!this.hasRoom(now)) break
      this.waiters.delete(waiter)
      Deferred.unsafeDone(waiter, Effect.succeed(this.give(now)))
    }
    const timer = this.giveLater(now)
    return timer === undefined ? this.publish() : Effect.zipRight(timer, this.publish())
  }

  private readonly updated = Effect.withFiberRuntime<void>((fiber) => this.update(nowOf(fiber)))

  /** Goes on once the next attempt is due, if that is what is waited for. */
  private giveLater(now: number): Effect.Effect<unknown> | undefined {
    if (!this.pace.isOn || this.isDueLater || this.waiters.size === 0 || !this.hasPlace()) return undefined
    this.isDueLater = true
    return this.later(Duration.millis(Math.ceil(this.pace.wait(now))), () => {
      this.isDueLater = false
    })
  }

  private publish(): Effect.Effect<void> {
    const { ceiling, limit } = stateOf(this.algorithm)
    const { published } = this
    if (limit === published.limit && ceiling === published.ceiling && published.paused === this.pauses > 0) {
      return Effect.void
    }
    this.published = this.snapshot()
    return SubscriptionRef.set(this.states, this.published)
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

  /** Counts an attempt that was in flight at a first refusal. Returns what they tell, once all of them have ended. */
  private settle(permit: Permit, how: End): "ceiling" | "rate" | undefined {
    const { refusalRound } = this
    if (refusalRound.left === 0 || permit.number > refusalRound.last) return undefined
    if (how === "accepted") refusalRound.served++
    return --refusalRound.left === 0 && !this.pace.isOn ? this.algorithm.settled?.(refusalRound) : undefined
  }

  private pause(duration: Duration.Duration) {
    this.pauses++
    return this.later(duration, () => this.pauses--)
  }

  private probeLater() {
    const current = ++this.ceilings
    return this.later(probeAfter, () => {
      if (current === this.ceilings) this.algorithm.probe?.()
    })
  }

  private later(duration: Duration.Duration, run: () => void) {
    return Effect.suspend(() => {
      run()
      return this.updated
    }).pipe(Effect.delay(duration), Effect.interruptible, Effect.forkIn(this.scope))
  }
}

export const make = (algorithm: Algorithm): Effect.Effect<ConcurrencyLimit.Service, never, Scope.Scope> =>
  Effect.gen(function* () {
    const initial = { ...stateOf(algorithm), inUse: 0, waiting: 0, refused: 0, paused: false }
    return new Limiter(algorithm, yield* SubscriptionRef.make(initial), initial, yield* Effect.scope)
  })
