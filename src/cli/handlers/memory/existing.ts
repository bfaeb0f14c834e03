import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { TranslationStore } from "../../../store/TranslationStore.js"
import * as stores from "../../store.js"

/** A person waits for the answer: shorter than a run does. */
const schedule = Schedule.exponential("100 millis").pipe(Schedule.upTo("5 seconds"))

/** Uses a store that must be there already. */
export const withExisting = <A, E, R>(
  given: string | undefined,
  use: (name: string) => Effect.Effect<A, E, R | TranslationStore>
) =>
  Effect.flatMap(stores.openExisting(given, { schedule }), ({ layer, name }) =>
    Effect.provide(use(name), layer)
  )
