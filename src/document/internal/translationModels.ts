import type * as PlatformError from "@effect/platform/Error"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Schedule from "effect/Schedule"
import type * as Document from "../../api/Document.js"
import type * as DocumentSource from "../../client/DocumentSource.js"
import type * as Documents from "../../client/Documents.js"
import type * as TranslateError from "../../client/TranslateError.js"
import type { StoreError } from "../../store/StoreError.js"
import type * as Budget from "../../stream/Budget.js"
import type * as DocumentError from "../DocumentError.js"
import type * as DocumentJournal from "../DocumentJournal.js"

/**
 * The answer to a question for the status: the status, or the error of a request that may be repeated.
 *
 * @since 0.1.0
 * @category models
 */
export type Answer = Document.Status | TranslateError.CallError

/**
 * Options for waiting for a document.
 *
 * @since 0.1.0
 * @category models
 */
export interface WaitOptions {
  /** The time to wait in all. @default 2 hours */
  readonly deadline?: Duration.DurationInput | undefined
  /**
   * The pauses between requests for the status. Its input is the last answer. When it ends, waiting fails with
   * `DocumentOverdue`. @default {@link pollSchedule}
   */
  readonly pollSchedule?: Schedule.Schedule<unknown, Answer> | undefined
}

/**
 * The errors of waiting for a document.
 *
 * @since 0.1.0
 * @category errors
 */
export type WaitError =
  | TranslateError.CallError
  | DocumentError.DocumentFailed
  | DocumentError.DocumentOverdue

/**
 * Options for downloading a translation.
 *
 * @since 0.1.0
 * @category models
 */
export interface DownloadOptions extends Documents.DownloadOptions {
  /** Replaces an existing output. @default false */
  readonly overwrite?: boolean | undefined
  /** The last known status. @default the service is asked first */
  readonly status?: Document.Status | undefined
}

/**
 * The errors of a download.
 *
 * @since 0.1.0
 * @category errors
 */
export type DownloadError =
  | TranslateError.CallError
  | DocumentError.DocumentNotReady
  | DocumentError.AlreadyDownloaded
  | DocumentError.DownloadLost
  | DocumentError.NotATranslation
  | DocumentError.DocumentOutputUnusable
  | DocumentError.DiskFull

/**
 * A document that is not a file: its bytes, and its name in the journal. Bytes in memory are known by their content, as files
 * are. A stream is known by its name alone, with the target language and the output format.
 *
 * @since 0.1.0
 * @category models
 */
export interface NamedSource<out E = never> {
  /** The name of the document in the journal: always the same for the same document. */
  readonly id: string
  readonly source: DocumentSource.DocumentSource<E>
}

/**
 * The states in which an upload may be repeated, although the service may have taken it before:
 *
 * - `ambiguous`: an upload of which nobody knows whether it arrived. Another one may be billed again.
 * - `lost`: a translation that the service does not give out any more. Another upload is billed again.
 * - `failed`: a document that the service could not translate.
 *
 * @since 0.1.0
 * @category models
 */
export type Resubmit = "ambiguous" | "lost" | "failed"

/**
 * Options that all documents of a run share.
 *
 * @since 0.1.0
 * @category models
 */
export interface CommonOptions extends WaitOptions, Documents.DownloadOptions {
  /** Replaces an existing output. @default false */
  readonly overwrite?: boolean | undefined
  /** Which documents of earlier runs may be uploaded again. @default none */
  readonly resubmit?: ReadonlyArray<Resubmit> | undefined
  /**
   * The characters that uploads may spend. The bill of a document is known once it is done. Until then
   * `charactersPerDocument` is reserved for it. @default no cap
   */
  readonly budget?: Budget.Service | undefined
  /** The characters of the budget that are reserved for a document that is not done. @default 1 */
  readonly charactersPerDocument?: number | undefined
}

/**
 * Options for translating a document.
 *
 * @since 0.1.0
 * @category models
 */
export interface TranslateOptions extends CommonOptions, Documents.UploadOptions {
  /** The handle of a document that was uploaded before: nothing is uploaded. @default the handle in the journal */
  readonly handle?: Documents.DocumentHandle | undefined
  /** Called with each status, for progress. @default nothing */
  readonly onStatus?: ((status: Document.Status) => Effect.Effect<void>) | undefined
}

/**
 * A translated document.
 *
 * @since 0.1.0
 * @category models
 */
export interface Translated {
  /** The file with the translation. */
  readonly output: string
  readonly documentId: string
  /** The characters that the service has billed. */
  readonly billedCharacters: number | undefined
  /** True if it was finished before, so that nothing was uploaded. */
  readonly already: boolean
  /** The file that the output was copied from, since an equal file was translated into that. @default undefined */
  readonly copiedFrom?: string | undefined
}

/**
 * The errors of the translation of a document.
 *
 * @since 0.1.0
 * @category errors
 */
export type DocumentTranslationError =
  | TranslateError.TranslateError
  | DocumentError.DocumentError
  | DocumentJournal.DocumentJournalError
  | Budget.BudgetExceeded
  | StoreError
  | PlatformError.PlatformError
