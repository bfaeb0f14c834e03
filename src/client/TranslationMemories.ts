/**
 * The translation memories of the account.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type * as TranslationMemory from "../api/TranslationMemory.js"
import type * as TranslateError from "./TranslateError.js"

/**
 * The translation memories of the account: `translationMemories` of the client.
 *
 * @since 0.1.0
 * @category models
 */
export interface TranslationMemories {
  /**
   * A page of the list: `GET /v3/translation_memories`.
   *
   * Source: wire facts, translation memories.
   */
  readonly list: (
    page?: TranslationMemory.Page
  ) => Effect.Effect<TranslationMemory.TranslationMemoryList, TranslateError.TranslateError>
  /** All of them, page after page. */
  readonly stream: Stream.Stream<TranslationMemory.TranslationMemory, TranslateError.TranslateError>
}
