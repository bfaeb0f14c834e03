/**
 * Schemas of errors, outcomes and reports of document translations. Encoded they are JSON, which crosses RPC, queues and
 * journals; decoded values pass the guards of their module.
 *
 * @since 0.1.0
 */
import * as PlatformError from "@effect/platform/Error"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as Document from "../api/Document.js"
import * as TranslateError from "../client/TranslateError.js"
import { StoreError } from "../store/StoreError.js"
import { BudgetExceeded } from "../stream/Budget.js"
import type { Item as BatchItem } from "./DocumentBatch.js"
import * as DocumentError from "./DocumentError.js"
import { DocumentJournalError } from "./DocumentJournal.js"

/** The handle stays behind: it holds the document's key. */
const JournalError = Schema.transform(
  Schema.Struct({ _tag: Schema.Literal("DocumentJournalError"), message: Schema.String }),
  Schema.typeSchema(DocumentJournalError),
  {
    strict: true,
    decode: ({ message }) => new DocumentJournalError({ message }),
    encode: ({ message }) => ({ _tag: "DocumentJournalError" as const, message })
  }
)

/**
 * The errors of the translation of a document: `DocumentTranslation.DocumentTranslationError`. The handle in a
 * `DocumentJournalError` is not encoded, since it holds a key.
 *
 * @since 0.1.0
 * @category errors
 */
export const DocumentTranslationError = Schema.Union(
  TranslateError.TranslateError,
  DocumentError.DocumentError,
  JournalError,
  BudgetExceeded,
  StoreError,
  PlatformError.PlatformError
)

/**
 * A translated document: `DocumentTranslation.Translated`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Translated = Schema.Struct({
  output: Schema.String,
  documentId: Schema.String,
  billedCharacters: Schema.UndefinedOr(Schema.Number),
  already: Schema.Boolean,
  copiedFrom: Schema.optional(Schema.String)
})

const upload = Schema.typeSchema(
  Schema.Struct({
    ...Struct.omit(Document.optionFields, "targetLang"),
    isAnyFormatAllowed: Schema.optional(Schema.Boolean)
  })
)

/**
 * A file, with the language to translate it into: `DocumentBatch.Item`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Item = Schema.Struct({
  path: Schema.String,
  targetLang: Schema.String,
  upload: Schema.optional(upload),
  output: Schema.optional(Schema.String)
})

const outcomesOf = <A extends BatchItem, I, R>(item: Schema.Schema<A, I, R>) => {
  const common = { item, output: Schema.String }
  return {
    Translated: Schema.Struct({
      _tag: Schema.Literal("Translated"),
      ...common,
      documentId: Schema.String,
      billedCharacters: Schema.UndefinedOr(Schema.Number)
    }),
    Skipped: Schema.Struct({
      _tag: Schema.Literal("Skipped"),
      ...common,
      reason: Schema.Literal("done", "duplicate")
    }),
    Failed: Schema.Struct({ _tag: Schema.Literal("Failed"), ...common, error: DocumentTranslationError }),
    Ambiguous: Schema.Struct({
      _tag: Schema.Literal("Ambiguous"),
      ...common,
      error: DocumentError.AmbiguousUpload
    }),
    Lost: Schema.Struct({
      _tag: Schema.Literal("Lost"),
      ...common,
      error: Schema.Union(
        DocumentError.DownloadLost,
        DocumentError.AlreadyDownloaded,
        DocumentError.OutputLost
      )
    })
  }
}

/**
 * The outcome of an item of a batch: `DocumentBatch.Outcome`, by the schema of the item.
 *
 * @since 0.1.0
 * @category schemas
 */
export const outcome = <A extends BatchItem, I, R>(item: Schema.Schema<A, I, R>) => {
  const { Ambiguous, Failed, Lost, Skipped, Translated } = outcomesOf(item)
  return Schema.Union(Translated, Skipped, Failed, Ambiguous, Lost)
}

/**
 * The sum of a batch: `DocumentBatch.Report`, by the schema of the item.
 *
 * @since 0.1.0
 * @category schemas
 */
export const report = <A extends BatchItem, I, R>(item: Schema.Schema<A, I, R>) => {
  const { Ambiguous, Failed, Lost } = outcomesOf(item)
  return Schema.Struct({
    in: Schema.Number,
    translated: Schema.Number,
    skipped: Schema.Number,
    failed: Schema.Array(Failed),
    ambiguous: Schema.Array(Ambiguous),
    lost: Schema.Array(Lost),
    characters: Schema.Number
  })
}
