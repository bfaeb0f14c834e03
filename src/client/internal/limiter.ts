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

export const fixed = (permits: number): Algorithm => ({ limit: () => permits })

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
  let limit = initial
  let limitBefore = initial
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

class HeldPermit implements ConcurrencyLimit.Permit {
  isHeld = true

  constructor(
    readonly end: (permit: HeldPermit, how: End, retryAfter?: Duration.Duration) => Effect.Effect<void>,
    readonly number: number,
    readonly nth: number,
    readonly isSaturated: boolean
  ) {}

  get accepted() {
    return this.end(this, "accepted")
  }

  refused(retryAfter?: Duration.Duration) {
    return this.end(this, "refused", retryAfter)
  }

  get release() {
    return this.end(this, "released")
  }
}

/**
 * Permits, handed out first come, first served. Effect's semaphore lets newcomers pass those who wait, does not tell
 * how many wait, and takes each permit in an `Effect.async`.
 */
export const make = (algorithm: Algorithm): Effect.Effect<ConcurrencyLimit.Service, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const waiters = new Set<Deferred.Deferred<ConcurrencyLimit.Permit>>()
    let inUse = 0
    let taken = 0
    let pauses = 0
    let ceilings = 0
    /** The attempts in flight at a first refusal: the last of them, how many there were, are left, were served. */
    let together = { last: 0, all: 0, left: 0, served: 0 }

    const snapshot = (): ConcurrencyLimit.State => ({
      limit: algorithm.limit(),
      ceiling: algorithm.ceiling?.(),
      inUse,
      waiting: waiters.size,
      paused: pauses > 0
    })
    let published = snapshot()
    const states = yield* SubscriptionRef.make(published)

    const hasRoom = () => pauses === 0 && inUse < algorithm.limit()

    const give = (): ConcurrencyLimit.Permit =>
      new HeldPermit(end, ++taken, ++inUse, inUse >= algorithm.limit())

    /** Gives permits to those who wait, and publishes the state if it has changed. */
    const update = (): Effect.Effect<void> => {
      for (const waiter of waiters) {
        if (!hasRoom()) break
        waiters.delete(waiter)
        Deferred.unsafeDone(waiter, Effect.succeed(give()))
      }
      const { ceiling, limit, paused } = published
      if (limit === algorithm.limit() && ceiling === algorithm.ceiling?.() && paused === pauses > 0)
        return Effect.void
      published = snapshot()
      return SubscriptionRef.set(states, published)
    }

    const later = (duration: Duration.Duration, run: () => void) =>
      Effect.suspend(() => {
        run()
        return update()
      }).pipe(Effect.delay(duration), Effect.interruptible, Effect.forkIn(scope))

    const pause = (duration: Duration.Duration) => {
      pauses++
      return later(duration, () => {
        pauses--
      })
    }

    const probeLater = () => {
      const current = ++ceilings
      return later(probeAfter, () => {
        if (current === ceilings) algorithm.probe?.()
      })
    }

    const refuse = () => {
      const isFirst = together.left === 0
      if (isFirst) together = { last: taken, all: inUse, left: inUse, served: 0 }
      algorithm.refused?.(isFirst)
    }

    /** Counts an attempt among those that were in flight at a first refusal. Returns whether there is a new ceiling. */
    const settle = (permit: HeldPermit, how: End): boolean => {
      if (together.left === 0 || permit.number > together.last) return false
      if (how === "accepted") together.served++
      return --together.left === 0 && algorithm.settled?.(together.all, together.served) === true
    }

    const end = (permit: HeldPermit, how: End, retryAfter?: Duration.Duration): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (!permit.isHeld) return Effect.void
        permit.isHeld = false
        if (how === "accepted") algorithm.accepted?.(permit.nth, permit.isSaturated || waiters.size > 0)
        if (how === "refused") refuse()
        const timers = retryAfter === undefined ? [] : [pause(retryAfter)]
        inUse--
        if (settle(permit, how)) timers.push(probeLater())
        return timers.length === 0 ? update() : Effect.zipRight(Effect.all(timers), Effect.suspend(update))
      })

    const takeIfAvailable = Effect.sync(() => (hasRoom() ? Option.some(give()) : Option.none()))

    const take = Effect.suspend(() => {
      if (hasRoom()) return Effect.succeed(give())
      const waiter = Deferred.unsafeMake<ConcurrencyLimit.Permit>(FiberId.none)
      waiters.add(waiter)
      return Deferred.await(waiter).pipe(
        Effect.interruptible,
        // An interruption may come after a permit was given and before it is used.
        Effect.onInterrupt(() =>
          waiters.delete(waiter)
            ? Effect.void
            : Effect.flatMap(Deferred.await(waiter), (permit) => permit.release)
        )
      )
    })

    return { take, takeIfAvailable, state: Effect.sync(snapshot), changes: states.changes }
  })
