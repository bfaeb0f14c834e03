import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

class Deadline {
  constructor(
    /** Milliseconds of the clock. */
    readonly at: number,
    readonly expire: Effect.Effect<void>,
    /** Where it is among those that are pending. */
    public index: number
  ) {}
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
  // No set: the tables that a set outgrows link to those that follow, and the collector then keeps every request.
  const pending: Array<Deadline> = []
  let wakesAt = Number.POSITIVE_INFINITY

  const remove = (deadline: Deadline) => {
    if (pending[deadline.index] !== deadline) return
    const last = pending.pop()!
    if (last === deadline) return
    last.index = deadline.index
    pending[last.index] = last
  }

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
    const due = pending.filter(({ at }) => at <= now)
    due.forEach(remove)
    return Effect.forEach(due, (deadline) => deadline.expire, { discard: true })
  }

  return {
    start: (after, expire) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const deadline = new Deadline(now + after, expire, pending.length)
        const stop = () => remove(deadline)
        pending.push(deadline)
        return deadline.at < wakesAt
          ? Effect.as(Effect.forkIn(Effect.interruptible(watch), scope), stop)
          : Effect.succeed(stop)
      })
  }
})
