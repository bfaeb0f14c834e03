import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { noAttempts } from "../StoreBackend.js"
import type { Service } from "../TranslationStore.js"

/** A store that keeps nothing. */
export const service: Service = {
  open: () => Effect.succeed(undefined),
  correct: () => Effect.void,
  corrected: (texts) => Effect.sync(() => texts.map(() => undefined)),
  correctionsRevision: () => Effect.succeed(undefined),
  corrections: Stream.empty,
  entries: Stream.empty,
  add: () => Effect.void,
  erase: () => Effect.succeed(0),
  prune: () => Effect.succeed(0),
  pruneAttempts: () => Effect.succeed(0),
  stats: Effect.succeed({
    translations: 0,
    refused: 0,
    bytes: 0,
    corrections: 0,
    languages: [],
    attempts: noAttempts()
  }),
  attempts: Stream.empty,
  attemptSums: () => Effect.sync(() => ({ since: noAttempts(), everything: noAttempts() }))
}
