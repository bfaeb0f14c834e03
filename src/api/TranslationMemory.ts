/**
 * Translation memories: earlier translations that the service uses again.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Schema from "effect/Schema"
import * as wire from "./internal/wire.js"
import * as LanguageCode from "./LanguageCode.js"
import * as Limits from "./Limits.js"

/**
 * A translation memory.
 *
 * Source: wire facts, Usage, translation memories, admin, voice.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TranslationMemory = Schema.Struct({
  /** The id that `translationMemoryId` of a translation takes. */
  translationMemoryId: wire.required(Schema.String, "translation_memory_id"),
  name: wire.hint(Schema.String, "name"),
  /** The language of its sources. */
  sourceLanguage: wire.hint(LanguageCode.LanguageCode, "source_language"),
  /** The languages it holds translations in. */
  targetLanguages: wire.hint(wire.items(LanguageCode.LanguageCode), "target_languages"),
  /** How many segments it holds. */
  segmentCount: wire.hint(Schema.Number, "segment_count")
}).annotations({ identifier: "TranslationMemory" })

/**
 * A translation memory.
 *
 * @since 0.1.0
 * @category models
 */
export interface TranslationMemory extends Schema.Schema.Type<typeof TranslationMemory> {}

/**
 * Which page of the list.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Page = Schema.Struct({
  /** The number of the page, from 0. @default 0 */
  page: Schema.optional(wire.whole(0)),
  /** How many items a page holds, 1 to 25. @default 10 */
  pageSize: wire.optional(
    wire.whole(Limits.translationMemoryPageSize.min, Limits.translationMemoryPageSize.max),
    "page_size"
  )
}).annotations(wire.strict)

/**
 * Which page of the list.
 *
 * @since 0.1.0
 * @category models
 */
export interface Page extends Schema.Schema.Type<typeof Page> {}

/**
 * A page of translation memories.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TranslationMemoryList = Schema.Struct({
  translationMemories: wire.required(Schema.Array(TranslationMemory), "translation_memories"),
  /** How many there are on all pages. */
  totalCount: wire.hint(Schema.Number, "total_count")
}).annotations({ identifier: "TranslationMemoryList" })

/**
 * A page of translation memories.
 *
 * @since 0.1.0
 * @category models
 */
export interface TranslationMemoryList extends Schema.Schema.Type<typeof TranslationMemoryList> {}

/**
 * `GET /v3/translation_memories`.
 *
 * Source: service specification, "What the service does"; wire facts, translation memories.
 *
 * @since 0.1.0
 * @category contract
 */
export const list = HttpApiEndpoint.get("list", "/v3/translation_memories")
  .setUrlParams(Page)
  .addSuccess(TranslationMemoryList)

/**
 * The endpoints of translation memories.
 *
 * @since 0.1.0
 * @category contract
 */
export const group = HttpApiGroup.make("translationMemories").add(list)
