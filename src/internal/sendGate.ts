import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** Returns `true` if an attempt may be sent, by the number of attempts before it that may have been billed. */
export type MaySend = (ambiguousAttempts: number) => Effect.Effect<boolean>

/**
 * Opened by each call that begins, which asks the answer just before each of its attempts. If that is `false`, the attempt is not sent:
 * the call fails with its last error, or is interrupted if it was never sent. @default every attempt is sent
 */
export class SendGate extends Context.Reference<SendGate>()("effect-translate/internal/SendGate", {
  defaultValue: (): (() => MaySend) | undefined => undefined
}) {}

/** A call that asks this before each attempt, and then the gate that is there. */
export const asking = <A, E, R>(call: Effect.Effect<A, E, R>, maySend: MaySend): Effect.Effect<A, E, R> =>
  Effect.flatMap(SendGate, (outer) =>
    Effect.provideService(call, SendGate, () => {
      const next = outer?.()
      if (next === undefined) return maySend
      return (attempts) =>
        Effect.flatMap(maySend(attempts), (isAllowed) => (isAllowed ? next(attempts) : Effect.succeed(false)))
    })
  )
