import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as monotonic from "../../../internal/monotonic.js"
import type * as RetryPolicy from "../../RetryPolicy.js"

/** The time-out of an attempt: it grows with the payload, and with each attempt. */
export const ofAttempt = (
  policy: RetryPolicy.Policy,
  characters: number,
  attempt: number
): Duration.Duration =>
  Duration.millis(
    Math.ceil(
      (Duration.toMillis(policy.timeout) +
        (Duration.toMillis(policy.timeoutPerThousandCharacters) * characters) / 1000) *
        attempt
    )
  )

class Timeout {
  constructor(
    /** Milliseconds, that pass evenly. */
    readonly at: number,
    readonly expire: Effect.Effect<void>,
    /** Its place among those that are pending. */
    public index: number
  ) {}
}

/** The milliseconds by which a process wakes too late that was frozen, or busy: answers may be in sockets that it has not read yet. */
const late = 100

/** The milliseconds that it has to read them. */
const grace = 1000

/** Sleeps until a time of the monotonic clock, in milliseconds, and a second more if the process was frozen meanwhile. */
export const sleepUntil = (at: number): Effect.Effect<void> =>
  Clock.clockWith((clock) =>
    Effect.flatMap(Effect.sleep(Math.max(0, at - monotonic.millisOf(clock))), () =>
      monotonic.millisOf(clock) - at < late ? Effect.void : Effect.sleep(grace)
    )
  )

export interface Timeouts {
  /** Runs `expire` after some milliseconds, unless the function that this returns is called before. */
  readonly start: (after: number, expire: Effect.Effect<void>) => Effect.Effect<() => void>
}

/**
 * The time-outs of all attempts of a client. One fiber sleeps until the next of them: `Effect.timeout` would fork two
 * fibers for each request, which takes 1.19 of the CPU.
 */
export const make: Effect.Effect<Timeouts, never, Scope.Scope> = Effect.map(Effect.scope, (scope) => {
  // Not a `Set`: the tables that it outgrows link to later ones, and V8 would keep every request alive.
  const pending: Array<Timeout> = []
  let wakesAt = Number.POSITIVE_INFINITY

  const remove = (timeout: Timeout) => {
    if (pending[timeout.index] !== timeout) return
    const last = pending.pop()!
    if (last === timeout) return
    last.index = timeout.index
    pending[last.index] = last
  }

  const expire = (now: number) => {
    const due = pending.filter(({ at }) => at <= now)
    due.forEach(remove)
    return Effect.forEach(due, (timeout) => timeout.expire, { discard: true })
  }

  const watch: Effect.Effect<void> = Effect.suspend(() => {
    const next = pending.reduce((next, { at }) => Math.min(next, at), Number.POSITIVE_INFINITY)
    wakesAt = next
    if (next === Number.POSITIVE_INFINITY) return Effect.void
    return Effect.flatMap(sleepUntil(next), () =>
      // Another fiber watches if a time-out was added that ends earlier.
      wakesAt === next ? Effect.zipRight(expire(next), watch) : Effect.void
    )
  })

  return {
    start: (after, expire) =>
      Clock.clockWith((clock) => {
        const timeout = new Timeout(monotonic.millisOf(clock) + after, expire, pending.length)
        const stop = () => remove(timeout)
        pending.push(timeout)
        return timeout.at < wakesAt
          ? Effect.as(Effect.forkIn(Effect.interruptible(watch), scope), stop)
          : Effect.succeed(stop)
      })
  }
})
