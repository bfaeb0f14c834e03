import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { JobControlError } from "../../JobControlError.js"

/** The tables are asked until they answer: without them nothing can be done. */
export const persist = <A, R>(effect: Effect.Effect<A, JobControlError, R>): Effect.Effect<A, never, R> =>
  Effect.orDie(Effect.retry(effect, Schedule.spaced("1 second")))
