import * as Cache from "effect/Cache"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"

/**
 * Fetches once for all who ask, and keeps a success for a while. Each fetch has a fiber of its own: whoever goes away
 * takes the answer from nobody else.
 */
export const remember = <K, A, E>(
  ttl: Duration.DurationInput,
  fetch: (key: K) => Effect.Effect<A, E>
): Effect.Effect<(key: K) => Effect.Effect<A, E>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const fetches = yield* Cache.make({
      capacity: Number.POSITIVE_INFINITY,
      timeToLive: ttl,
      lookup: (key: K) => Effect.forkIn(Effect.interruptible(fetch(key)), scope)
    })
    return (key) =>
      Effect.flatMap(Effect.uninterruptible(fetches.get(key)), (fiber) =>
        // Joining would also take over the context that the fetch ran in.
        Effect.tapErrorCause(Effect.flatten(Fiber.await(fiber)), () =>
          fetches.invalidateWhen(key, (remembered) => remembered === fiber)
        )
      )
  })
