import * as Effect from "effect/Effect"

/**
 * The effect, until it has succeeded once, and its value then; it runs once at a time. `Effect.cached` would keep a failure
 * too, and the interruption of the first caller.
 */
export const cachedSuccess = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  let known: Effect.Effect<A> | undefined
  const found = Effect.suspend(
    (): Effect.Effect<A, E, R> =>
      known ??
      Effect.tap(effect, (value) => {
        known = Effect.succeed(value)
      })
  )
  const alone = Effect.unsafeMakeSemaphore(1).withPermits(1)(found)
  return Effect.suspend(() => known ?? alone)
}
