/**
 * Translation memories: earlier translations that the service uses again.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Schema from "effect/Schema"
import * as AnswerLimit from "./AnswerLimit.js"
import { accepted } from "./internal/successStatus.js"
import * as time from "./internal/time.js"
import * as wire from "./internal/wire.js"
import * as LanguageCode from "./LanguageCode.js"
import * as Limits from "./Limits.js"
import * as Text from "./Text.js"
import * as TranslationMemoryJob from "./TranslationMemoryJob.js"

/**
 * A translation memory.
 *
 * Source: wire facts, Usage, translation memories, admin, voice.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TranslationMemory = wire.named("TranslationMemory", {
  /** The id that `translationMemoryId` of a translation takes. */
  translationMemoryId: wire.required(Schema.String, "translation_memory_id"),
  name: wire.hint(Schema.String, "name"),
  /** The language of its sources. */
  sourceLanguage: wire.hint(LanguageCode.LanguageCode, "source_language"),
  /** The languages it holds translations in. */
  targetLanguages: wire.hint(wire.items(LanguageCode.LanguageCode), "target_languages"),
  /** The number of segments. */
  segmentCount: wire.hint(Schema.Number, "segment_count"),
  creationTime: wire.hint(time.Utc, "creation_time"),
  updatedTime: wire.hint(time.Utc, "updated_time")
})

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
  /** The number of items on a page, 1 to 25. @default 10 */
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
export const TranslationMemoryList = wire.named("TranslationMemoryList", {
  translationMemories: wire.required(Schema.Array(TranslationMemory), "translation_memories"),
  /** The number of memories on all pages. */
  totalCount: wire.hint(Schema.Number, "total_count")
})

/**
 * A page of translation memories.
 *
 * @since 0.1.0
 * @category models
 */
export interface TranslationMemoryList extends Schema.Schema.Type<typeof TranslationMemoryList> {}

const times = {
  creationTime: wire.hint(time.Utc, "creation_time"),
  updatedTime: wire.hint(time.Utc, "updated_time"),
  /** When a translation used it last. */
  lastUsedTime: wire.hint(time.Utc, "last_used_time")
}

/**
 * A translation of a segment.
 *
 * Source: wire facts, Translation memories, the whole group.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SegmentTarget = wire.named("TranslationMemorySegmentTarget", {
  targetSegmentId: wire.required(Schema.String, "target_segment_id"),
  targetLanguage: wire.hint(LanguageCode.LanguageCode, "target_language"),
  targetText: wire.required(Schema.String, "target_text"),
  ...times
})

/**
 * A text of a translation memory, and its translations.
 *
 * Source: wire facts, Translation memories, the whole group.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Segment = wire.named("TranslationMemorySegment", {
  sourceSegmentId: wire.required(Schema.String, "source_segment_id"),
  sourceText: wire.required(Schema.String, "source_text"),
  targets: Schema.Array(SegmentTarget),
  ...times
})

/**
 * A text of a translation memory, and its translations.
 *
 * @since 0.1.0
 * @category models
 */
export interface Segment extends Schema.Schema.Type<typeof Segment> {}

const { max: mostSegments, min: fewestSegments } = Limits.translationMemorySegmentPageSize

/**
 * Which segments of a memory.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SegmentQuery = Schema.Struct({
  /** The number of segments on a page, 1 to 100. @default 50 */
  pageSize: wire.optional(wire.whole(fewestSegments, mostSegments), "page_size"),
  /** The `nextPageCursor` of the previous page. @default the first page */
  pageCursor: wire.optional(Schema.String, "page_cursor"),
  /** Only segments with this text in their source or a translation: 2 characters at least. @default all */
  filterText: wire.optional(
    Schema.String.pipe(
      Schema.filter((text) =>
        Text.characters(text) >= Limits.translationMemoryFilterCharacters
          ? true
          : `is shorter than ${Limits.translationMemoryFilterCharacters} characters: give more of the text`
      )
    ),
    "filter_text"
  ),
  /** True if capitals matter in `filterText`. @default false */
  filterCaseSensitive: wire.optional(Schema.BooleanFromString, "filter_case_sensitive")
}).annotations(wire.strict)

/**
 * Which segments of a memory.
 *
 * @since 0.1.0
 * @category models
 */
export interface SegmentQuery extends Schema.Schema.Type<typeof SegmentQuery> {}

/**
 * A page of the segments of a memory.
 *
 * Source: wire facts, Translation memories, the whole group.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SegmentPage = wire.named("TranslationMemorySegmentPage", {
  segments: Schema.Array(Segment),
  /** The number of segments of the whole memory, whatever the filter. */
  segmentCount: wire.hint(Schema.Number, "segment_count"),
  /** The page to ask for next; none on the last one. */
  nextPageCursor: wire.optional(Schema.NullOr(Schema.String), "next_page_cursor")
})

/**
 * A page of the segments of a memory.
 *
 * @since 0.1.0
 * @category models
 */
export interface SegmentPage extends Schema.Schema.Type<typeof SegmentPage> {}

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

const memoryPath = Schema.Struct({ translationMemoryId: wire.pathId("translation_memory_id") })

/**
 * `GET /v3/translation_memories/{translation_memory_id}/segments`.
 *
 * Source: wire facts, Translation memories, the whole group.
 *
 * @since 0.1.0
 * @category contract
 */
export const segments = HttpApiEndpoint.get(
  "segments",
  "/v3/translation_memories/:translation_memory_id/segments"
)
  .annotate(AnswerLimit.AnswerLimit, AnswerLimit.ofLists)
  .setPath(memoryPath)
  .setUrlParams(SegmentQuery)
  .addSuccess(SegmentPage)

/**
 * The endpoints of translation memories.
 *
 * @since 0.1.0
 * @category contract
 */
export const group = HttpApiGroup.make("translationMemories")
  .add(list)
  .add(TranslationMemoryJob.startImport)
  .add(TranslationMemoryJob.job)
  .add(
    HttpApiEndpoint.get("get", "/v3/translation_memories/:translation_memory_id")
      .setPath(memoryPath)
      .addSuccess(TranslationMemory)
  )
  .add(HttpApiEndpoint.del("delete", "/v3/translation_memories/:translation_memory_id").setPath(memoryPath))
  .add(segments)
  .add(
    HttpApiEndpoint.post("startExport", "/v3/translation_memories/:translation_memory_id/export")
      .setPath(memoryPath)
      .addSuccess(accepted(TranslationMemoryJob.ExportStarted))
  )
