import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as SubscriptionRef from "effect/SubscriptionRef"
import type * as ConcurrencyLimit from "../ConcurrencyLimit.js"

/** Decides how many attempts may be in flight, from what becomes of them. */
export interface Algorithm {
  readonly limit: () => number
  /** How many were served at once at the last refusal. */
  readonly ceiling?: () => number | undefined
  /** An attempt was accepted that was the nth in flight. It is saturated if there was no room for another one. */
  readonly accepted?: (nth: number, isSaturated: boolean) => void
  /** An attempt was refused: the first one of those that were in flight together, or another. */
  readonly refused?: (isFirst: boolean) => void
  /** All attempts that were in flight at a first refusal have ended. Returns whether `served` is the new ceiling. */
  readonly settled?: (inFlight: number, served: number) => boolean
  /** The ceiling is old: one more may be tried. */
  readonly probe?: () => void
}

/** With less than one permit every call would wait for ever. */
const atLeastOne = (permits: number): number => (permits >= 1 ? permits : 1)

export const fixed = (permits: number): Algorithm => ({ limit: () => atLeastOne(permits) })

const stateOf = ({ ceiling, limit }: Algorithm) => ({ limit: limit(), ceiling: ceiling?.() })

/** A level that is refused less often than this is refused for other reasons than the number in flight. */
const refusalThreshold = 0.05

/** The attempts that a level remembers: enough for a share, and few enough to see that the service has changed. */
const levelMemory = 40

const decrease = 0.7

/**
 * Grows until the first refusal, and then knows how many were served at once. It seldom tries to exceed that ceiling,
 * since a refusal may pause all attempts.
 */
export const adaptive = (initial: number): Algorithm => {
  const levels: Array<{ accepted: number; refused: number }> = []
  let limit = atLeastOne(initial)
  let limitBefore = limit
  let ceiling = Number.POSITIVE_INFINITY
  let isStarting = true
  let isOld = false
  let proofs = 0

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
      if (nth > ceiling && ++proofs >= nth) ceiling = Number.POSITIVE_INFINITY
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
    settled: (inFlight, served) => {
      const level = levelOf(inFlight)
      level.refused++
      const isCeiling = served > 0 && level.refused > refusalThreshold * (level.accepted + level.refused)
      if (isCeiling) {
        ceiling = served
        isOld = false
      }
      limit = Math.max(1, Math.min(ceiling, Math.max(limit, Math.min(limitBefore, served))))
      return isCeiling
    },
    probe: () => {
      isOld = true
    }
  }
}

/** How long a ceiling is believed before one more is tried. */
const probeAfter = Duration.seconds(30)

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
  private ceilings = 0
  /** The attempts that were in flight at the first refusal: the newest, all, those not ended yet, those accepted. */
  private refusalRound = { last: 0, all: 0, left: 0, served: 0 }

  constructor(
    private readonly algorithm: Algorithm,
    private readonly states: SubscriptionRef.SubscriptionRef<ConcurrencyLimit.State>,
    private published: ConcurrencyLimit.State,
    private readonly scope: Scope.Scope
  ) {}

  readonly takeIfAvailable = Effect.sync(() => (this.hasRoom() ? Option.some(this.give()) : Option.none()))

  readonly take = Effect.suspend(() => {
    if (this.hasRoom()) return Effect.succeed(this.give())
    const waiter = Deferred.unsafeMake<Permit>(FiberId.none)
    this.waiters.add(waiter)
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

  readonly state = Effect.sync(() => this.snapshot())

  get changes() {
    return this.states.changes
  }

  end(permit: Permit, how: End, retryAfter?: Duration.Duration): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (!permit.isHeld) return Effect.void
      permit.isHeld = false
      if (how === "accepted") {
        this.algorithm.accepted?.(permit.nth, permit.isSaturated || this.waiters.size > 0)
      }
      if (how === "refused") this.refuse()
      const timers = retryAfter === undefined ? [] : [this.pause(retryAfter)]
      this.inUse--
      if (this.settle(permit, how)) timers.push(this.probeLater())
      return timers.length === 0
        ? this.update()
        : Effect.zipRight(
            Effect.all(timers),
            Effect.suspend(() => this.update())
          )
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

  private hasRoom(): boolean {
    return this.pauses === 0 && this.inUse < this.algorithm.limit()
  }

  private give(): Permit {
    return new Permit(this, ++this.taken, ++this.inUse, this.inUse >= this.algorithm.limit())
  }

  /** Gives permits to those who wait, and publishes the state if it has changed. */
  private update(): Effect.Effect<void> {
    for (const waiter of this.waiters) {
      if (!this.hasRoom()) break
      this.waiters.delete(waiter)
      Deferred.unsafeDone(waiter, Effect.succeed(this.give()))
    }
    const { ceiling, limit } = stateOf(this.algorithm)
    const { published } = this
    if (limit === published.limit && ceiling === published.ceiling && published.paused === this.pauses > 0) {
      return Effect.void
    }
    this.published = this.snapshot()
    return SubscriptionRef.set(this.states, this.published)
  }

  private refuse(): void {
    this.refused++
    const isFirst = this.refusalRound.left === 0
    if (isFirst) this.refusalRound = { last: this.taken, all: this.inUse, left: this.inUse, served: 0 }
    this.algorithm.refused?.(isFirst)
  }

  /** Counts an attempt that was in flight at a first refusal. Returns whether there is a new ceiling. */
  private settle(permit: Permit, how: End): boolean {
    const { refusalRound } = this
    if (refusalRound.left === 0 || permit.number > refusalRound.last) return false
    if (how === "accepted") refusalRound.served++
    return (
      --refusalRound.left === 0 && this.algorithm.settled?.(refusalRound.all, refusalRound.served) === true
    )
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
      return this.update()
    }).pipe(Effect.delay(duration), Effect.interruptible, Effect.forkIn(this.scope))
  }
}

export const make = (algorithm: Algorithm): Effect.Effect<ConcurrencyLimit.Service, never, Scope.Scope> =>
  Effect.gen(function* () {
    const initial = { ...stateOf(algorithm), inUse: 0, waiting: 0, refused: 0, paused: false }
    return new Limiter(algorithm, yield* SubscriptionRef.make(initial), initial, yield* Effect.scope)
  })
