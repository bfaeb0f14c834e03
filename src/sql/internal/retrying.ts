import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

/**
 * Tries again after errors that pass. Unlike `Effect.retry` it costs nothing as long as there is none, and its pauses can be interrupted,
 * also where the rest can't.
 */
export const retrying =
  <E, F extends E>(schedule: Schedule.Schedule<unknown, F>, isPassing: (error: E) => error is F) =>
  <A, R>(attempt: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.catchIf(attempt, isPassing, (error) =>
      Effect.flatMap(Schedule.driver(schedule), (pauses) => {
        const again = (error: F): Effect.Effect<A, E, R> =>
          Effect.zipRight(
            Effect.mapError(Effect.interruptible(pauses.next(error)), (): E => error),
            Effect.catchIf(attempt, isPassing, again)
          )
        return again(error)
      })
    )
