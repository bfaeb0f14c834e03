import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import type * as Document from "../../api/Document.js"
import type { Access, Documents, DownloadOptions } from "../../client/Documents.js"
import type * as TranslateError from "../../client/TranslateError.js"
import * as DocumentError from "../DocumentError.js"
import type { DownloadError } from "../DocumentTranslation.js"
import * as files from "./files.js"

export interface Options<E = never> extends DownloadOptions, files.Output {
  /** The last known status. */
  readonly status?: Document.Status | undefined
  /** Runs before the temporary file is made and the translation is requested. */
  readonly onBegin?: ((temporary: string) => Effect.Effect<void, E>) | undefined
  /** Runs once the temporary file is whole, before it gets the output's name. */
  readonly onReceived?: ((temporary: string) => Effect.Effect<void>) | undefined
}

/** What the error of a download means for a document that is done. */
const downloadError = (documentId: string, received: number, error: TranslateError.TranslateError) => {
  if (error._tag === "ServerError" && error.status === 503) {
    // The document is done, so it was given out before.
    return new DocumentError.AlreadyDownloaded({ documentId, serviceMessage: error.serviceMessage })
  }
  if (error._tag === "UndecodableResponse") {
    return new DocumentError.NotATranslation({ documentId, traceId: error.traceId })
  }
  const isCut = error._tag === "TransportError" || error._tag === "TimedOut"
  return isCut && error.delivery === "ambiguous"
    ? new DocumentError.DownloadLost({
        documentId,
        reason: error._tag === "TimedOut" ? "stalled" : "cut",
        received,
        detail: error.message
      })
    : error
}

/** Writes all bytes into a new file, and syncs it. */
const receive = <E>(
  documents: Pick<Documents, "download">,
  handle: Access,
  temporary: string,
  options: Options<E>
) =>
  Effect.gen(function* () {
    const { documentId } = handle
    const fs = yield* FileSystem.FileSystem
    let received = 0
    const unwritten = (error: { readonly message: string }) =>
      new DocumentError.DownloadLost({ documentId, reason: "unwritten", received, detail: error.message })
    // Before the file is made: the journal must know it, so that a later run can remove it.
    if (options.onBegin !== undefined) yield* options.onBegin(temporary)
    const file = yield* fs.open(temporary, { flag: "wx" }).pipe(
      Effect.mapError(
        ({ message }) =>
          new DocumentError.OutputUnusable({
            output: options.output,
            reason: `can't be written (${message})`
          })
      )
    )
    // A write that fails later would lose the translation, since the service gives it out once.
    const space = options.space ?? 0
    yield* files
      .takeSpace(file, space)
      .pipe(
        Effect.mapError(
          ({ message }) => new DocumentError.DiskFull({ output: options.output, reason: message })
        )
      )
    const written = Sink.mapError(
      files.sink(file, (bytes) => {
        received += bytes
      }),
      unwritten
    )
    const translatedName = handle.translatedName ?? options.output
    yield* documents.download({ ...handle, translatedName }, { idleTimeout: options.idleTimeout }).pipe(
      Stream.catchAll((error) => Stream.fail(downloadError(documentId, received, error))),
      Stream.run(written)
    )
    const cut = received < space ? file.truncate(received) : Effect.void
    yield* Effect.uninterruptible(Effect.mapError(Effect.zipRight(cut, file.sync), unwritten))
    return received
  }).pipe(Effect.scoped)

/** Downloads a translation into the output; see `DocumentTranslation.download`. */
export const toFile = <E = never>(
  documents: Pick<Documents, "status" | "download">,
  handle: Access,
  options: Options<E>
): Effect.Effect<number, DownloadError | E, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    yield* files.prepare(options)
    const { status } = options.status ?? (yield* documents.status(handle))
    if (status !== "done") {
      return yield* new DocumentError.DocumentNotReady({ documentId: handle.documentId, lastStatus: status })
    }
    const temporary = yield* files.temporaryFor(options.output)
    return yield* Effect.uninterruptibleMask((restore) =>
      restore(receive(documents, handle, temporary, options)).pipe(
        Effect.onError(() => files.discard(temporary)),
        Effect.tap(() => options.onReceived?.(temporary) ?? Effect.void),
        Effect.tap(() => files.move(temporary, options))
      )
    )
  })
