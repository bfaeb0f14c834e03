import * as Effect from "effect/Effect"

/** The effect, until it has succeeded once, and its value then. `Effect.cached` would keep a failure too. */
export const cachedSuccess = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  let known: Effect.Effect<A> | undefined
  return Effect.suspend(
    (): Effect.Effect<A, E, R> =>
      known ??
      Effect.tap(effect, (value) => {
        known = Effect.succeed(value)
      })
  )
}
