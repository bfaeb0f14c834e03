import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { StartTimedOut } from "../../ClusterError.js"

/** In seconds. A start takes two or three, and some ten on a machine with much else to do. */
const deadline = 45

/** The time for closing the parts that were built. */
const closing = "5 seconds"

/**
 * A layer that is built in time, or fails. Neither its building nor its closing is waited for then, nor when it is
 * interrupted: a layer that waits for a database may not listen.
 */
export const of = <A, E, R>(self: Layer.Layer<A, E, R>): Layer.Layer<A, E | StartTimedOut, R> =>
  Layer.scopedContext(
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const close = (exit: Exit.Exit<unknown, unknown>) => Scope.close(scope, exit)
        const built = yield* Layer.buildWithScope(self, scope).pipe(
          Effect.interruptible,
          Effect.disconnect,
          Effect.timeoutFail({
            duration: `${deadline} seconds`,
            onTimeout: () => new StartTimedOut({ seconds: deadline })
          }),
          restore,
          Effect.onError((cause) =>
            close(Exit.failCause(cause)).pipe(
              Effect.interruptible,
              Effect.disconnect,
              Effect.timeoutOption(closing),
              Effect.interruptible
            )
          )
        )
        yield* Effect.addFinalizer(close)
        return built
      })
    )
  )
