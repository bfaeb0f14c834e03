import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type * as Document from "../api/Document.js"
import type * as Documents from "../client/Documents.js"
import * as TranslateClient from "../client/TranslateClient.js"
import * as DocumentError from "./DocumentError.js"
import type * as DocumentJournal from "./DocumentJournal.js"
import * as backoff from "./internal/backoff.js"
import { makeShared } from "./internal/documentTask.js"
import * as download_ from "./internal/download.js"
import * as polling from "./internal/polling.js"
import * as translate_ from "./internal/translate.js"
import type {
  Answer,
  CommonOptions,
  DocumentTranslationError,
  DownloadError,
  DownloadOptions,
  NamedSource,
  Translated,
  TranslateOptions,
  WaitError,
  WaitOptions
} from "./internal/translationModels.js"

/**
 * Options and results of a translation.
 *
 * @since 0.1.0
 * @category models
 */
export type {
  Answer,
  CommonOptions,
  DocumentTranslationError,
  DownloadError,
  DownloadOptions,
  NamedSource,
  Resubmit,
  Translated,
  TranslateOptions,
  WaitError,
  WaitOptions
} from "./internal/translationModels.js"

/**
 * The pauses between requests for the status, with jitter: 1 to 1.5 times the `secondsRemaining` of a status, and at most
 * 30 s. If that is not told, less than 3 s, or more than a day, they double from 0.1 s to 30 s. After an error they double
 * from 1 s, and `Retry-After` is the shortest.
 *
 * @since 0.1.0
 * @category constants
 */
export const pollSchedule: Schedule.Schedule<unknown, Answer> = backoff.schedule

/**
 * Emits every status of a document until it is done; the last is `done`. The first request is sent at once, the others
 * after the pauses of {@link pollSchedule}.
 *
 * A request that fails in a way that may pass (429, 503, a cut connection) is repeated by the same schedule until the
 * deadline. The `RetryPolicy` does not repeat it.
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
  options?: WaitOptions
): Stream.Stream<Document.Status, WaitError, TranslateClient.TranslateClient> =>
  Stream.unwrap(
    Effect.map(TranslateClient.TranslateClient, ({ documents }) => polling.watch(documents, handle, options))
  )

/**
 * Waits until a document is done. Returns the last status of {@link watch}, which has the billed characters.
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
 * Downloads a translation into a file, and returns its size in bytes. The bytes go into a temporary file beside the output.
 * Once it is whole it is synced and gets the output's name, so the output is whole or not there. An existing file is not
 * overwritten unless `overwrite` is set, and never deleted. Missing folders are made.
 *
 * The service gives a translation out once. So all that can be checked is checked before the request. A download that is cut
 * or that stalls is asked for again from its first byte, as the `RetryPolicy` says: the service may still have it.
 *
 * Errors: `DocumentNotReady` and `AlreadyDownloaded`, told apart by the last known status; `DownloadLost` for a download
 * that was cut, and that the service does not have any more; `NotATranslation` for an answer that is empty or of another
 * type than the file; `DocumentOutputUnusable`, which names the file with the translation if it had arrived by then; `DiskFull` if a
 * `DiskSpace` tells that before the request.
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
> = Effect.fn("DocumentTranslation.download")((handle, output, options) =>
  Effect.flatMap(TranslateClient.TranslateClient, ({ documents }) =>
    download_.toFile(documents, handle, { ...options, output })
  )
)

/**
 * Translates a file into another file: uploads it, waits, and downloads the translation. Each step is in the journal before
 * the next one begins. So the same call again, in this process or another, continues where the last one ended, and nothing
 * is paid twice: a finished document is left alone, and one that the service has is not uploaded again. An upload of which
 * nobody knows whether it arrived is an `AmbiguousUpload`, now and later, until `resubmit` allows another.
 *
 * The journal knows a file by its bytes and by the options that change the translation. If either has changed, it is
 * translated again, and an output that is still as it was written is replaced. If an equal file was translated into another
 * output, that output is copied, or it fails with `OutputLost` if that is gone or was changed. `DocumentChanged` says that the
 * file has changed before all of it was sent.
 *
 * An upload that the service refuses with 429 (too many documents wait for their download) is sent again until the
 * deadline, with the pauses of {@link pollSchedule}.
 *
 * If two fibers translate the same document with the same journal at once, one waits for the other and finds it done. Two
 * processes may not share a journal.
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
  const shared = yield* makeShared
  return yield* translate_.translate({ source, output, options, shared })
})

/**
 * Continues a document of a journal (`DocumentJournal.list`) that was uploaded: waits for its translation, and downloads it
 * into its output. It needs neither the file nor the options of its upload, and uploads nothing: a document that was not
 * uploaded fails with `NotUploaded`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fetch: (
  document: DocumentJournal.Document,
  options?: Omit<CommonOptions, "resubmit" | "budget" | "charactersPerDocument">
) => Effect.Effect<
  Translated,
  DocumentTranslationError,
  TranslateClient.TranslateClient | DocumentJournal.DocumentJournal | FileSystem.FileSystem | Path.Path
> = Effect.fn("DocumentTranslation.fetch")(function* (document, options) {
  const { content, entry, file, outputFormat, targetLang } = document
  const output = document.output ?? ("output" in entry ? entry.output : undefined)
  if (output === undefined) return yield* new DocumentError.NotUploaded(document)
  return yield* translate_.translate<never>({
    source: file,
    output,
    options: { ...options, targetLang, outputFormat },
    shared: yield* makeShared,
    held: content === undefined ? undefined : { bytes: "", content },
    isUploadAllowed: false
  })
})
