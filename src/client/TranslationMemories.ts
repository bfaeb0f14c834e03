/**
 * The translation memories of the account.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import * as Limits from "../api/Limits.js"
import * as TranslationMemory from "../api/TranslationMemory.js"
import type { Endpoints } from "./internal/calling/endpoints.js"
import * as pagination from "./internal/calling/pagination.js"
import type { RepeatedPage, TranslateError } from "./TranslateError.js"

/**
 * The models of these calls, from the contract.
 *
 * @since 0.1.0
 * @category models
 */
export { Page, TranslationMemory, TranslationMemoryList } from "../api/TranslationMemory.js"

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
   *
   * @example
   * const { translationMemories } = yield* client.translationMemories.list({ pageSize: 10 })
   */
  readonly list: (
    page?: TranslationMemory.Page
  ) => Effect.Effect<TranslationMemory.TranslationMemoryList, TranslateError>
  /** All of them, page after page until the service's count is reached, or a page is empty. */
  readonly stream: Stream.Stream<TranslationMemory.TranslationMemory, TranslateError | RepeatedPage>
}

const pageSize = Limits.translationMemoryPageSize.max

/** @internal */
export const make = ({ group }: Endpoints): TranslationMemories => {
  const { call } = group("translationMemories")
  const list = call("list", "always", (page: TranslationMemory.Page) => ({ urlParams: page }))
  return {
    list: (page = {}) => list(page),
    stream: pagination.byNumber(
      TranslationMemory.list,
      ({ translationMemoryId }) => translationMemoryId,
      (page) =>
        Effect.map(list({ page, pageSize }), ({ totalCount, translationMemories }) => ({
          items: translationMemories,
          total: totalCount
        }))
    )
  }
}
