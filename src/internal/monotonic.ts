import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Milliseconds that pass evenly, even if somebody sets the clock: for pauses and durations, not for dates. */
export const millisOf = (clock: Clock.Clock): number =>
  Math.round(Number(clock.unsafeCurrentTimeNanos()) / 1e6)

/** Milliseconds that pass evenly, even if somebody sets the clock. */
export const millis: Effect.Effect<number> = Clock.clockWith((clock) => Effect.succeed(millisOf(clock)))
