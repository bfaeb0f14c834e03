import * as Effect from "effect/Effect"
import type * as TranslationStore from "../../src/store/TranslationStore.js"

/** The session of a store that keeps something. */
export const openStore = (
  store: TranslationStore.Service,
  ...args: Parameters<TranslationStore.Service["open"]>
) =>
  Effect.flatMap(store.open(...args), (session) =>
    session === undefined ? Effect.dieMessage("the store keeps nothing") : Effect.succeed(session)
  )
