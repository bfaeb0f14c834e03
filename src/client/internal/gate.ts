import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { CallHooks } from "../../internal/callHooks.js"

export interface Permit {
  /** The service took the request. */
  readonly accepted: Effect.Effect<void>
  /** The service refused it as one too many (429, 503, 529). A time to wait pauses all, not only this request. */
  readonly refused: (retryAfter?: Duration.Duration) => Effect.Effect<void>
  /** Nothing is known of it. */
  readonly release: Effect.Effect<void>
}

export interface State {
  /** How many attempts may be in flight. */
  readonly limit: number
  /** How many the service was seen to take at once, if it ever refused one. */
  readonly ceiling: number | undefined
  /** Attempts in flight. */
  readonly inUse: number
  /** Attempts that wait for a permit. */
  readonly waiting: number
  /** Whether a `Retry-After` holds all of them. */
  readonly paused: boolean
}

export interface Service {
  /**
   * Waits for a permit, interruptibly, and takes it uninterruptibly, so that none is lost. A client hands it back when
   * the headers are there, or else when the attempt ends.
   */
  readonly take: Effect.Effect<Permit>
  /** The state now. */
  readonly state: Effect.Effect<State>
  /** The state now, and each time that the limit, the ceiling or the pause has changed. */
  readonly changes: Stream.Stream<State>
}

/** How many attempts may go through at once, and how that changes with what becomes of them. */
export interface Limiter {
  readonly limit: () => number
  readonly ceiling: () => number | undefined
  /** An attempt was accepted that was the nth in flight; more would have come, had there been room. */
  readonly accepted: (nth: number, saturated: boolean) => void
  /** An attempt was refused: the first of those that were in flight together, or another one. */
  readonly refused: (isFirst: boolean) => void
  /** All that was in flight at the first refusal has ended: so many were served. Whether that is the ceiling now. */
  readonly settled: (inFlight: number, served: number) => boolean
  /** The ceiling is old: one more may be tried. */
  readonly probe: () => void
}

export const fixed = (permits: number): Limiter => ({
  limit: () => permits,
  ceiling: () => undefined,
  accepted: () => {},
  refused: () => {},
  settled: () => false,
  probe: () => {}
})

/** A level that is refused less often than this is refused for other reasons than the number in flight. */
const trusted = 0.05

/** What is remembered of a level: enough for a share, little enough to see that the service has changed. */
const memory = 40

const decrease = 0.7

/**
 * Grows until the first refusal, and then knows how many were served at once. That ceiling is probed seldom, since a
 * refusal may bring a pause for all.
 */
export const adaptive = (initial: number): Limiter => {
  const levels: Array<{ accepted: number; refused: number }> = []
  let limit = initial
  let limitBefore = initial
  let ceiling = Number.POSITIVE_INFINITY
  let starting = true
  let isOld = false
  let proofs = 0

  const levelOf = (nth: number) => {
    levels[nth] ??= { accepted: 0, refused: 0 }
    const level = levels[nth]
    if (level.accepted + level.refused >= memory) {
      level.accepted /= 2
      level.refused /= 2
    }
    return level
  }

  return {
    limit: () => Math.floor(limit),
    ceiling: () => (Number.isFinite(ceiling) ? ceiling : undefined),
    accepted: (nth, saturated) => {
      levelOf(nth).accepted++
      if (nth > ceiling && ++proofs >= nth) ceiling = Number.POSITIVE_INFINITY
      if (!saturated) return
      if (limit < ceiling) limit = Math.min(ceiling, limit + (starting ? 1 : 1 / limit))
      else if (isOld) {
        isOld = false
        proofs = 0
        limit = ceiling + 1
      }
    },
    refused: (isFirst) => {
      starting = false
      if (isFirst) limitBefore = limit
      limit = Math.max(1, limit * decrease)
    },
    settled: (inFlight, served) => {
      const level = levelOf(inFlight)
      level.refused++
      const isCeiling = served > 0 && level.refused > trusted * (level.accepted + level.refused)
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

interface Waiter {
  resume: (effect: Effect.Effect<Permit>) => void
  permit: Permit | undefined
  isHalted: boolean
}

interface Ends {
  readonly accepted: (permit: Held) => Effect.Effect<void>
  readonly refused: (permit: Held, retryAfter: Duration.Duration | undefined) => Effect.Effect<void>
  readonly release: (permit: Held) => Effect.Effect<void>
}

class Held implements Permit {
  isHeld = true

  constructor(
    readonly ends: Ends,
    readonly number: number,
    readonly nth: number,
    /** Whether there was no room for another one. */
    readonly saturated: boolean
  ) {}

  get accepted() {
    return this.ends.accepted(this)
  }

  refused(retryAfter?: Duration.Duration) {
    return this.ends.refused(this, retryAfter)
  }

  get release() {
    return this.ends.release(this)
  }
}

/** A gate that all attempts of a layer pass. */
export const make = (limiter: Limiter): Effect.Effect<Service, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const waiters = new Set<Waiter>()
    let inUse = 0
    let taken = 0
    let pauses = 0
    let ceilings = 0
    /** Those in flight at the first refusal: how many they were, still are, and were served. */
    let together = { last: 0, all: 0, left: 0, served: 0 }

    const snapshot = (): State => ({
      limit: limiter.limit(),
      ceiling: limiter.ceiling(),
      inUse,
      waiting: waiters.size,
      paused: pauses > 0
    })
    const state = yield* SubscriptionRef.make(snapshot())
    let told = snapshot()

    const hasRoom = () => pauses === 0 && inUse < limiter.limit()

    /** Lets in who may come in, and tells whoever watches if there is news. */
    const update = Effect.suspend(() => {
      for (const waiter of waiters) {
        if (!hasRoom()) break
        waiters.delete(waiter)
        letIn(waiter)
      }
      if (
        told.limit === limiter.limit() &&
        told.ceiling === limiter.ceiling() &&
        told.paused === pauses > 0
      ) {
        return Effect.void
      }
      told = snapshot()
      return SubscriptionRef.set(state, told)
    })

    const later = (duration: Duration.Duration, run: () => void) =>
      Effect.sync(run).pipe(
        Effect.zipRight(update),
        Effect.delay(duration),
        Effect.interruptible,
        Effect.forkIn(scope)
      )

    const pause = (duration: Duration.Duration) => {
      pauses++
      return later(duration, () => {
        pauses--
      })
    }

    const probeOnceOld = Effect.suspend(() => {
      const mine = ++ceilings
      return later(probeAfter, () => {
        if (mine === ceilings) limiter.probe()
      })
    })

    const end = (permit: Held, served: boolean, judge: () => Effect.Effect<unknown>): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (!permit.isHeld) return Effect.void
        permit.isHeld = false
        const consequence = judge()
        inUse--
        let isCeiling = false
        if (together.left > 0 && permit.number <= together.last) {
          if (served) together.served++
          if (--together.left === 0) isCeiling = limiter.settled(together.all, together.served)
        }
        const consequences = isCeiling ? Effect.zipRight(consequence, probeOnceOld) : consequence
        return Effect.zipRight(consequences, update)
      })

    const ends: Ends = {
      accepted: (permit) =>
        end(permit, true, () => {
          limiter.accepted(permit.nth, permit.saturated || waiters.size > 0)
          return Effect.void
        }),
      refused: (permit, retryAfter) =>
        end(permit, false, () => {
          const isFirst = together.left === 0
          if (isFirst) together = { last: taken, all: inUse, left: inUse, served: 0 }
          limiter.refused(isFirst)
          return retryAfter === undefined ? Effect.void : pause(retryAfter)
        }),
      release: (permit) => end(permit, false, () => Effect.void)
    }

    const take = (): Permit => new Held(ends, ++taken, ++inUse, inUse >= limiter.limit())

    const letIn = (waiter: Waiter) => {
      waiter.permit = take()
      waiter.resume(Effect.succeed(waiter.permit))
    }

    // Other fibers may have had their turn since this one was told to wait.
    const waitAs = (waiter: Waiter) =>
      Effect.async<Permit>((resume) => {
        waiter.resume = resume
        if (waiter.isHalted) resume(Effect.interrupt)
        else if (hasRoom()) letIn(waiter)
        else waiters.add(waiter)
      })

    const wait = Effect.flatMap(CallHooks, ({ halted }) => {
      const waiter: Waiter = { resume: () => {}, permit: undefined, isHalted: false }
      const waiting = waitAs(waiter).pipe(
        Effect.interruptible,
        // An interruption may come after a permit was given and before it is used.
        Effect.onInterrupt(() =>
          Effect.suspend(() => {
            waiters.delete(waiter)
            return waiter.permit?.release ?? Effect.void
          })
        )
      )
      if (halted === undefined) return waiting
      const giveUp = Effect.sync(() => {
        waiter.isHalted = true
        if (waiters.delete(waiter)) waiter.resume(Effect.interrupt)
      })
      return Effect.flatMap(
        Effect.forkDaemon(Effect.interruptible(Effect.zipRight(halted, giveUp))),
        (watcher) => Effect.ensuring(waiting, Fiber.interruptFork(watcher))
      )
    })

    return {
      take: Effect.suspend(() => (hasRoom() ? Effect.succeed(take()) : wait)),
      state: Effect.sync(snapshot),
      changes: state.changes
    }
  })
