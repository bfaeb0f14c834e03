import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

interface Deadline {
  /** Milliseconds of the clock. */
  readonly at: number
  readonly expire: Effect.Effect<void>
}

/** Ends what takes too long. */
export interface Deadlines {
  /** Runs `expire` after some milliseconds, unless the effect that this answers with is run before. */
  readonly start: (after: number, expire: Effect.Effect<void>) => Effect.Effect<() => void>
}

/**
 * One fiber sleeps for all deadlines, until the next of them. `Effect.timeout` would fork two fibers for each request:
 * measured, that is as much CPU as HTTP itself.
 */
export const make: Effect.Effect<Deadlines, never, Scope.Scope> = Effect.map(Effect.scope, (scope) => {
  const pending = new Set<Deadline>()
  let wakesAt = Number.POSITIVE_INFINITY

  const watch: Effect.Effect<void> = Effect.suspend(() => {
    wakesAt = Number.POSITIVE_INFINITY
    for (const { at } of pending) wakesAt = Math.min(wakesAt, at)
    if (wakesAt === Number.POSITIVE_INFINITY) return Effect.void
    const mine = wakesAt
    return Clock.currentTimeMillis.pipe(
      Effect.flatMap((now) => Effect.sleep(Math.max(0, mine - now))),
      Effect.flatMap(() => (wakesAt === mine ? Effect.zipRight(expire(mine), watch) : Effect.void))
    )
  })

  const expire = (now: number) => {
    const due = Array.from(pending).filter(({ at }) => at <= now)
    for (const deadline of due) pending.delete(deadline)
    return Effect.forEach(due, (deadline) => deadline.expire, { discard: true })
  }

  return {
    start: (after, expire) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const deadline = { at: now + after, expire }
        const stop = () => {
          pending.delete(deadline)
        }
        pending.add(deadline)
        return deadline.at < wakesAt
          ? Effect.as(Effect.forkIn(Effect.interruptible(watch), scope), stop)
          : Effect.succeed(stop)
      })
  }
})
