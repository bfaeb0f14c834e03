import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import type * as Document from "../../api/Document.js"
import type { Access, Documents, DownloadOptions } from "../../client/Documents.js"
import * as RetryPolicy from "../../client/RetryPolicy.js"
import * as TranslateError from "../../client/TranslateError.js"
import { discard, sink, temporaryFor } from "../../internal/files.js"
import { haltedBy } from "../../internal/halted.js"
import { makeByteHash } from "../../internal/hash.js"
import { unlessHalted } from "../../internal/retryBackoff.js"
import * as DocumentError from "../DocumentError.js"
import * as documentFiles from "./documentFiles.js"
import type { DownloadError } from "./translationModels.js"

export interface Options<E = never> extends DownloadOptions, documentFiles.Output {
  /** The last known status. */
  readonly status?: Document.Status | undefined
  /** Once this completes, the translation is not requested again. @default never */
  readonly halted?: Effect.Effect<void> | undefined
  /** Runs before the temporary file is made and the translation is requested. */
  readonly onBegin?: ((temporary: string) => Effect.Effect<void, E>) | undefined
  /** Runs once the temporary file is whole, before it gets the output's name. It gets the hash of the file. */
  readonly onReceived?: ((temporary: string, hash: string) => Effect.Effect<void>) | undefined
}

type CutOff = TranslateError.TransportError | TranslateError.TimedOut

/** True if an attempt was cut, or stalled, after the service may have begun to send the document. */
const isCutOff = (error: unknown): error is CutOff =>
  TranslateError.isTranslateError(error) &&
  (error._tag === "TransportError" || error._tag === "TimedOut") &&
  error.delivery === "ambiguous"

/** An attempt that may have been the only download. */
interface InDoubt {
  readonly error: CutOff | undefined
  /** The bytes that had come. */
  readonly received: number
}

/** The download's error, from the last error of a document that is done. */
const downloadError = (documentId: string, error: TranslateError.CallError, inDoubt: InDoubt | undefined) => {
  if (error._tag === "UndecodableResponse") {
    return new DocumentError.NotATranslation({ documentId, traceId: error.traceId })
  }
  if (error._tag !== "ServerError" || error.status !== 503) return error
  // The document is done, so it was given out.
  if (inDoubt === undefined) {
    return new DocumentError.AlreadyDownloaded({ documentId, serviceMessage: error.serviceMessage })
  }
  return new DocumentError.DownloadLost({
    documentId,
    reason: inDoubt.error?._tag === "TimedOut" ? "stalled" : "cut",
    received: inDoubt.received,
    detail: inDoubt.error?.message
  })
}

const unwritten = (documentId: string, received: number) => (error: PlatformError.PlatformError) =>
  new DocumentError.DownloadLost({ documentId, reason: "unwritten", received, detail: error.message })

/** The schedule of a policy for several calls, each of which goes on where the last one was; and the last error that it was asked about. */
const makeRepetitions = (policy: RetryPolicy.Policy) => {
  let state = policy.schedule.initial
  let lastError: unknown
  const schedule = Schedule.makeWithState(undefined, (now, error: TranslateError.CallError) => {
    lastError = error
    return Effect.map(policy.schedule.step(now, error, state), ([next, out, decision]) => {
      state = next
      return [undefined, out, decision] as const
    })
  })
  return { policy: { ...policy, schedule }, lastError: () => lastError }
}

/** Writes a document into a file: each time from its start. */
const makeWriter = (documentId: string, file: FileSystem.File) => {
  let received = 0
  let most = 0
  let hash = makeByteHash()
  const write = Sink.mapError(
    sink(file, (bytes) => {
      received += bytes.length
      most = Math.max(most, received)
      hash.update(bytes)
    }),
    (error) => unwritten(documentId, received)(error)
  )
  const rewind = Effect.suspend(() => {
    received = 0
    hash = makeByteHash()
    return file.seek(0, "start")
  })
  return { rewind, write, received: () => received, written: () => ({ received, most, hash: hash.digest() }) }
}

/** The attempt that may have been the only download, after a failure. */
const inDoubtAfter = (
  error: TranslateError.CallError,
  received: number,
  lastError: unknown,
  before: InDoubt | undefined
): InDoubt | undefined => {
  if (isCutOff(error)) return { error, received }
  if (error.ambiguousAttempts === 0) return before
  return { error: isCutOff(lastError) ? lastError : undefined, received: before?.received ?? 0 }
}

type TransferError =
  | TranslateError.CallError
  | DocumentError.AlreadyDownloaded
  | DocumentError.DownloadLost
  | DocumentError.NotATranslation

/**
 * Writes the document into a file, and again if the connection is cut, as often as the `RetryPolicy` says. Returns how
 * many bytes it has, their hash, and how many have been written at most.
 */
const transfer = (
  documents: Pick<Documents, "download">,
  handle: Access,
  file: FileSystem.File,
  { halted = Effect.never, idleTimeout }: Pick<Options, "halted" | "idleTimeout">
) =>
  Effect.gen(function* () {
    const { documentId } = handle
    // Those of the requests, and those of answers that were cut amid their bytes.
    const { lastError, policy } = makeRepetitions(yield* RetryPolicy.RetryPolicy)
    const { received, rewind, write, written } = makeWriter(documentId, file)
    const sent = Effect.zipRight(
      rewind,
      Effect.suspend(() => Stream.run(documents.download(handle, { idleTimeout }), write))
    )
    const send = haltedBy(Effect.provideService(sent, RetryPolicy.RetryPolicy, policy), halted)
    // The schedule has ended with an error already, if the request has failed and not its answer.
    const isDecided = (error: CutOff) => Cause.originalError(lastError()) === Cause.originalError(error)
    const mayRepeat = (error: TranslateError.CallError) =>
      Effect.gen(function* () {
        if (!isCutOff(error) || isDecided(error)) return false
        const pause = yield* RetryPolicy.nextPause(policy, {}, error)
        if (Option.isNone(pause)) return false
        const over = Effect.as(Effect.sleep(pause.value), true)
        return yield* unlessHalted(halted, over, Effect.succeed(false))
      })
    const attempt = (before?: InDoubt): Effect.Effect<void, TransferError> =>
      Effect.catchAll(send, (error) => {
        if (error._tag === "DownloadLost") return Effect.fail(error)
        const inDoubt = inDoubtAfter(error, received(), lastError(), before)
        return Effect.flatMap(mayRepeat(error), (isRepeated) =>
          isRepeated ? attempt(inDoubt) : Effect.fail(downloadError(documentId, error, inDoubt))
        )
      })
    yield* attempt()
    return written()
  })

/** Writes all bytes into a new file, and syncs it. Returns how many there are, and their hash. */
const receive = <E>(
  documents: Pick<Documents, "download">,
  handle: Access,
  temporary: string,
  options: Options<E>
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    // Before the file is made: the journal must know it, so that a later run can remove it.
    if (options.onBegin !== undefined) yield* options.onBegin(temporary)
    const file = yield* fs
      .open(temporary, { flag: "wx" })
      .pipe(Effect.mapError(documentFiles.unusable(options.output)))
    // A write that fails later would lose the translation, since the service gives it out once.
    const space = options.space ?? 0
    yield* documentFiles
      .takeSpace(file, space)
      .pipe(
        Effect.mapError(
          ({ message }) => new DocumentError.DiskFull({ output: options.output, reason: message })
        )
      )
    const translatedName = handle.translatedName ?? options.output
    const { hash, most, received } = yield* transfer(documents, { ...handle, translatedName }, file, options)
    const cut = received < Math.max(space, most) ? file.truncate(received) : Effect.void
    yield* Effect.uninterruptible(
      Effect.mapError(Effect.zipRight(cut, file.sync), unwritten(handle.documentId, received))
    )
    return { received, hash }
  }).pipe(Effect.scoped)

/** Downloads a translation into the output; see `DocumentTranslation.download`. */
export const toFile = <E = never>(
  documents: Pick<Documents, "status" | "download">,
  handle: Access,
  options: Options<E>
): Effect.Effect<number, DownloadError | E, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    yield* documentFiles.prepare(options)
    const { status } = options.status ?? (yield* documents.status(handle))
    if (status !== "done") {
      return yield* new DocumentError.DocumentNotReady({ documentId: handle.documentId, lastStatus: status })
    }
    const temporary = yield* temporaryFor(options.output)
    return yield* Effect.uninterruptibleMask((restore) =>
      restore(receive(documents, handle, temporary, options)).pipe(
        Effect.onError(() => discard(temporary)),
        Effect.tap(({ hash }) => options.onReceived?.(temporary, hash) ?? Effect.void),
        Effect.tap(() => documentFiles.move(temporary, options)),
        Effect.map(({ received }) => received)
      )
    )
  })
