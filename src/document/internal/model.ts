import type * as PlatformError from "@effect/platform/Error"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Document from "../../api/Document.js"
import type * as DocumentSource from "../../client/DocumentSource.js"
import type * as Documents from "../../client/Documents.js"
import type { DocumentHandle } from "../../client/Documents.js"
import type * as TranslateError from "../../client/TranslateError.js"
import type * as Budget from "../../stream/Budget.js"
import type * as DocumentError from "../DocumentError.js"
import type * as DocumentJournal from "../DocumentJournal.js"

/**
 * How long a document is waited for.
 */
export interface WaitOptions {
  /** How long to wait in all. @default 2 hours */
  readonly deadline?: Duration.DurationInput | undefined
}

/**
 * A document that is no file: its bytes, and its name in the journal.
 */
export interface NamedSource<out E = never> {
  /** What the document is called in the journal: always the same for the same document. */
  readonly id: string
  readonly source: DocumentSource.DocumentSource<E>
}

/**
 * What may be uploaded again, although the service may have taken it once: uploads that nobody knows the fate of
 * (`ambiguous`), translations that the service gives out no more (`lost`), and documents that it could not translate
 * (`failed`). The first two are billed again.
 */
export type Resubmit = "ambiguous" | "lost" | "failed"

/**
 * What all documents of a run share.
 */
export interface CommonOptions extends WaitOptions, Documents.DownloadOptions {
  /** Whether the output replaces a file of its name. @default false */
  readonly overwrite?: boolean | undefined
  /** What an earlier run has left undone and may be uploaded again. @default nothing */
  readonly resubmit?: ReadonlyArray<Resubmit> | undefined
  /**
   * What uploads may spend. What a document is billed is known only once it is done: `charactersPerDocument` is held for
   * each until then. @default no cap
   */
  readonly budget?: Budget.Service | undefined
  /** What is held of the budget for a document that is not done. @default 1 */
  readonly charactersPerDocument?: number | undefined
}

/**
 * How a document is translated.
 */
export interface TranslateOptions extends CommonOptions, Documents.UploadOptions {
  /** A document that was uploaded before: nothing is uploaded. @default what the journal knows */
  readonly handle?: DocumentHandle | undefined
  /** Called with each status, for progress. @default nothing */
  readonly onStatus?: ((status: Document.Status) => Effect.Effect<void>) | undefined
}

/**
 * A translated document.
 */
export interface Translated {
  /** The file with the translation. */
  readonly output: string
  readonly documentId: string
  /** What the service says that it billed. */
  readonly billedCharacters: number | undefined
  /** Whether nothing had to be done: an earlier run had finished it. */
  readonly already: boolean
}

/**
 * What the translation of a document fails with.
 */
export type DocumentTranslationError =
  | TranslateError.TranslateError
  | DocumentError.DocumentError
  | DocumentJournal.DocumentJournalError
  | Budget.BudgetExceeded
  | PlatformError.PlatformError
