import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * Once this completes, a call that waits for its turn or in a back-off is not sent any more: it fails with its last error, or is
 * interrupted if it was never sent. @default never
 */
export class Halted extends Context.Reference<Halted>()("effect-translate/internal/Halted", {
  defaultValue: (): Effect.Effect<void> | undefined => undefined
}) {}

/** A call that is halted by one more effect. */
export const haltedBy = <A, E, R>(
  call: Effect.Effect<A, E, R>,
  halted: Effect.Effect<void>
): Effect.Effect<A, E, R> =>
  Effect.flatMap(Halted, (outer) =>
    Effect.provideService(call, Halted, outer === undefined ? halted : Effect.raceFirst(outer, halted))
  )
