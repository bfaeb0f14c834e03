/**
 * The one gate that all requests of a layer pass.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * A gate: it lets a number of attempts through at once.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /**
   * Runs an attempt once a permit is free. The attempt hands its permit back early with the effect that it is
   * given (when the headers are there); else the permit goes back when the attempt ends.
   */
  readonly withPermit: <A, E, R>(
    attempt: (release: Effect.Effect<void>) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
}

/**
 * The gate of a client.
 *
 * @since 0.1.0
 * @category tags
 */
export class Throttle extends Context.Tag("effect-translate/Throttle")<Throttle, Service>() {}

/**
 * A gate that lets a fixed number of attempts through at once.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeFixed = (permits: number): Effect.Effect<Service> =>
  Effect.map(Effect.makeSemaphore(permits), (semaphore) => ({
    withPermit: (attempt) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(semaphore.take(1)), () => {
          let held = true
          const release = Effect.suspend(() => {
            if (!held) return Effect.void
            held = false
            return semaphore.release(1)
          })
          return Effect.ensuring(restore(attempt(release)), release)
        })
      )
  }))

/**
 * A gate that lets a fixed number of attempts through at once.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerFixed = (permits: number): Layer.Layer<Throttle> =>
  Layer.effect(Throttle, makeFixed(permits))

/**
 * No gate: the concurrency of the streams is the only limit.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerUnlimited: Layer.Layer<Throttle> = Layer.succeed(Throttle, {
  withPermit: (attempt) => attempt(Effect.void)
})

/**
 * The gate of `layerConfig`: at most 16 attempts at once.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerDefault: Layer.Layer<Throttle> = layerFixed(16)
