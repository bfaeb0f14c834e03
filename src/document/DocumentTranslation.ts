import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Document from "../api/Document.js"
import type * as Documents from "../client/Documents.js"
import * as TranslateClient from "../client/TranslateClient.js"
import type * as TranslateError from "../client/TranslateError.js"
import type * as DocumentError from "./DocumentError.js"
import type * as DocumentJournal from "./DocumentJournal.js"
import * as download_ from "./internal/download.js"
import type * as model from "./internal/model.js"
import * as polling from "./internal/polling.js"
import * as uploads_ from "./internal/uploads.js"
import * as work from "./internal/work.js"

/**
 * How long a document is waited for.
 *
 * @since 0.1.0
 * @category models
 */
export interface WaitOptions extends model.WaitOptions {}

/**
 * What waiting for a document fails with.
 *
 * @since 0.1.0
 * @category errors
 */
export type WaitError =
  | TranslateError.TranslateError
  | DocumentError.DocumentFailed
  | DocumentError.DocumentOverdue

/**
 * Every status of a document until it is done, each as it comes; the last is `done`. The service is asked at once, and then
 * after pauses that double, with jitter, between 1 s and 30 s. `secondsRemaining` changes a pause within these bounds, if it
 * is at most a day.
 *
 * A question that goes unanswered (429, 503, a cut connection) is asked again until the deadline, after what the
 * `RetryPolicy` does by itself.
 *
 * Errors: `DocumentFailed` for status `error`, after it was emitted; `DocumentOverdue` at the deadline; `NotFound` for an
 * unknown handle.
 *
 * Source: service specification, States and transitions, Document translation; Endpoints, Document translation, "Polling
 * at intervals or with exponential back-off is advised".
 *
 * @since 0.1.0
 * @category constructors
 */
export const watch = (
  handle: Documents.Access,
  options: WaitOptions = {}
): Stream.Stream<Document.Status, WaitError, TranslateClient.TranslateClient> =>
  Stream.unwrap(
    Effect.map(TranslateClient.TranslateClient, ({ documents }) =>
      polling.watch(documents, handle, options.deadline)
    )
  )

/**
 * Waits until a document is done, and answers its last status, with what was billed. It is the last of {@link watch}.
 *
 * @since 0.1.0
 * @category constructors
 */
export const awaitDone: (
  handle: Documents.Access,
  options?: WaitOptions
) => Effect.Effect<Document.Status, WaitError, TranslateClient.TranslateClient> = Effect.fn(
  "DocumentTranslation.awaitDone"
)((handle, options) => Effect.flatMap(Stream.runLast(watch(handle, options)), Effect.orDie))

/**
 * How a translation is downloaded.
 *
 * @since 0.1.0
 * @category models
 */
export interface DownloadOptions extends Documents.DownloadOptions {
  /** Whether the output replaces a file of its name. @default false */
  readonly overwrite?: boolean | undefined
  /** The last known status. @default the service is asked first */
  readonly status?: Document.Status | undefined
}

/**
 * What a download fails with.
 *
 * @since 0.1.0
 * @category errors
 */
export type DownloadError =
  | TranslateError.TranslateError
  | DocumentError.DocumentNotReady
  | DocumentError.AlreadyDownloaded
  | DocumentError.DownloadLost
  | DocumentError.OutputUnusable

/**
 * Downloads a translation into a file, and answers its bytes. The bytes go into a temporary file beside the output, which is
 * synced and gets the output's name once it is whole: the output appears whole or not at all. An existing file is never
 * overwritten unless `overwrite` says so, and never deleted. The output's folder is made if there is none.
 *
 * The service gives a translation once. What can be checked is checked before it is asked.
 *
 * Errors: `DocumentNotReady` and `AlreadyDownloaded`, told apart by the last known status; `DownloadLost` for a download
 * that began and did not end; `OutputUnusable`, which names the file with the translation if it had come by then.
 *
 * Source: service specification, States and transitions, Document translation; wire facts, Documents.
 *
 * @since 0.1.0
 * @category constructors
 */
export const download: (
  handle: Documents.Access,
  output: string,
  options?: DownloadOptions
) => Effect.Effect<
  number,
  DownloadError,
  TranslateClient.TranslateClient | FileSystem.FileSystem | Path.Path
> = Effect.fn("DocumentTranslation.download")(function* (handle, output, options = {}) {
  const { documents } = yield* TranslateClient.TranslateClient
  return yield* download_.make(documents, handle, {
    ...options,
    output,
    overwrite: options.overwrite ?? false
  })
})

/**
 * A document that is no file: its bytes, and its name in the journal.
 *
 * @since 0.1.0
 * @category models
 */
export interface NamedSource<out E = never> extends model.NamedSource<E> {}

/**
 * What may be uploaded again, although the service may have taken it once: uploads that nobody knows the fate of
 * (`ambiguous`), translations that the service gives out no more (`lost`), and documents that it could not translate
 * (`failed`). The first two are billed again.
 *
 * @since 0.1.0
 * @category models
 */
export type Resubmit = model.Resubmit

/**
 * What all documents of a run share.
 *
 * @since 0.1.0
 * @category models
 */
export interface CommonOptions extends model.CommonOptions {}

/**
 * How a document is translated.
 *
 * @since 0.1.0
 * @category models
 */
export interface TranslateOptions extends model.TranslateOptions {}

/**
 * A translated document.
 *
 * @since 0.1.0
 * @category models
 */
export interface Translated extends model.Translated {}

/**
 * What the translation of a document fails with.
 *
 * @since 0.1.0
 * @category errors
 */
export type DocumentTranslationError = model.DocumentTranslationError

/**
 * Translates a file into another file: uploads it, waits, downloads the translation. Each step is in the journal before the
 * next begins, so the same call again, in this process or another, goes on where the last one ended, and pays nothing
 * twice: a finished document is left alone, and one that the service has is not uploaded again. An upload of unknown fate
 * is an `AmbiguousUpload`, now and later, until `resubmit` allows another.
 *
 * An upload that the service refuses with 429 (too many documents wait for their download) is sent again, with pauses of
 * 1 s to 30 s, until the deadline.
 *
 * Of two at once on the same document and journal, one waits for the other and finds it done. Two processes may not share a
 * journal.
 *
 * Source: service specification, Endpoints, Document translation.
 *
 * @since 0.1.0
 * @category constructors
 */
export const translate: <E = never>(
  source: string | NamedSource<E>,
  output: string,
  options: TranslateOptions
) => Effect.Effect<
  Translated,
  DocumentTranslationError | E,
  TranslateClient.TranslateClient | DocumentJournal.DocumentJournal | FileSystem.FileSystem | Path.Path
> = Effect.fn("DocumentTranslation.translate")(function* (source, output, options) {
  const uploads = yield* uploads_.make
  return yield* work.translate({ source, output, options, uploads })
})
