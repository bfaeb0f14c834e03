/**
 * Why a translation memory is not pushed or pulled, beside the errors of the service and of the store. No error holds a text.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { is, TaggedError } from "../internal/taggedError.js"

/**
 * Several memories of the service have the name. Nothing was changed.
 *
 * @since 0.1.0
 * @category errors
 */
export class AmbiguousMemory extends TaggedError<AmbiguousMemory>()(
  "AmbiguousMemory",
  {
    name: Schema.String,
    /** The ids of those that have the name. */
    translationMemoryIds: Schema.Array(Schema.String)
  },
  ({ name, translationMemoryIds }) =>
    `${translationMemoryIds.length} translation memories are named ${JSON.stringify(name)}, and none of them was pushed from here: ${translationMemoryIds.join(", ")}. Push under another name, or delete those that are not needed any more.`
) {}

/**
 * Corrections are from several languages, or do not say which, and a memory has one. Nothing was changed.
 *
 * @since 0.1.0
 * @category errors
 */
export class SourceLanguageUnclear extends TaggedError<SourceLanguageUnclear>()(
  "SourceLanguageUnclear",
  {
    /** The languages that the corrections name. */
    languages: Schema.Array(Schema.String)
  },
  ({ languages }) =>
    `A translation memory has one source language, and the corrections name ${languages.length === 0 ? "none" : languages.join(", ")}: say which by \`sourceLang\`.`
) {}

/**
 * The memory of the service is from another language than is pushed. Nothing was changed.
 *
 * @since 0.1.0
 * @category errors
 */
export class OtherSourceLanguage extends TaggedError<OtherSourceLanguage>()(
  "OtherSourceLanguage",
  { translationMemoryId: Schema.String, sourceLanguage: Schema.String, sourceLang: Schema.String },
  ({ sourceLang, sourceLanguage, translationMemoryId }) =>
    `The translation memory ${translationMemoryId} is from ${sourceLanguage}, and corrections from ${sourceLang} are to be pushed: push them under another name.`
) {}

/**
 * The service gives fewer segments of a memory than it counts. They would be lost, so nothing was changed.
 *
 * @since 0.1.0
 * @category errors
 */
export class SegmentsMissing extends TaggedError<SegmentsMissing>()(
  "SegmentsMissing",
  { translationMemoryId: Schema.String, expected: Schema.Number, received: Schema.Number },
  ({ expected, received, translationMemoryId }) =>
    `The translation memory ${translationMemoryId} has ${expected} segments, and the service gives ${received} of them: try again later, and check the proxies between, which may drop the query.`,
  { isRetryable: true }
) {}

/**
 * The file that remembers the last push can't be read or written.
 *
 * @since 0.1.0
 * @category errors
 */
export class MemoryJournalError extends TaggedError<MemoryJournalError>()(
  "MemoryJournalError",
  {
    /** The path of the file. */
    file: Schema.String,
    /** The cause, and advice. */
    reason: Schema.String
  },
  ({ file, reason }) => [file, `It ${reason}.`]
) {}

/**
 * Why a translation memory is not pushed or pulled, beside the errors of the service and of the store.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TranslationMemorySyncError = Schema.Union(
  AmbiguousMemory,
  SourceLanguageUnclear,
  OtherSourceLanguage,
  SegmentsMissing,
  MemoryJournalError
)

/**
 * Why a translation memory is not pushed or pulled, beside the errors of the service and of the store.
 *
 * @since 0.1.0
 * @category models
 */
export type TranslationMemorySyncError = typeof TranslationMemorySyncError.Type

/**
 * Returns `true` for one of these errors.
 *
 * @since 0.1.0
 * @category guards
 */
export const isTranslationMemorySyncError = is(TranslationMemorySyncError)
