/** Checks that the service takes the key. */
import * as Effect from "effect/Effect"
import type { Usage } from "../api/Usage.js"
import * as TranslateClient from "../client/TranslateClient.js"
import { type CallError, isUnanswered } from "../client/TranslateError.js"

/** The usage of a key, or the reason for which it is unknown. */
export type Checked = { readonly usage: Usage } | { readonly unanswered: number }

/**
 * Asks for the usage. A key that may not read it, and a gateway without it, are asked for the translation of an empty text, which costs
 * nothing: the service refuses that only to a key that it does not take.
 */
export const check: Effect.Effect<Checked, CallError, TranslateClient.TranslateClient> = Effect.flatMap(
  TranslateClient.TranslateClient,
  ({ translateText, usage }) =>
    Effect.catchIf(
      Effect.map(usage, (usage): Checked => ({ usage })),
      isUnanswered,
      ({ status }) =>
        translateText({ text: [""], targetLang: "en-US" }).pipe(
          Effect.catchTag("BadRequest", () => Effect.void),
          Effect.as({ unanswered: status })
        )
    )
)
