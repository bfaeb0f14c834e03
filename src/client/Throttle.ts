/**
 * The one gate that all requests of a layer pass.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * The right to one attempt.
 *
 * @since 0.1.0
 * @category models
 */
export interface Permit {
  /** Hands the permit back; doing it again does nothing. */
  readonly release: Effect.Effect<void>
}

/**
 * A gate: it lets a number of attempts through at once.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** Waits for a permit, interruptibly, and takes it uninterruptibly, so that none is lost. A client hands it back when the headers are there, or else when the attempt ends. */
  readonly take: Effect.Effect<Permit>
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
    take: Effect.map(Effect.interruptible(semaphore.take(1)), () => {
      let held = true
      return {
        release: Effect.suspend(() => {
          if (!held) return Effect.void
          held = false
          return semaphore.release(1)
        })
      }
    })
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
  take: Effect.succeed({ release: Effect.void })
})

/**
 * The gate of `layerConfig`: at most 16 attempts at once.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerDefault: Layer.Layer<Throttle> = layerFixed(16)
