import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Match from "effect/Match"
import * as Stream from "effect/Stream"
import * as DocumentSource from "../../client/DocumentSource.js"
import type { DocumentHandle } from "../../client/Documents.js"
import * as TranslateClient from "../../client/TranslateClient.js"
import { discard } from "../../internal/files.js"
import * as DocumentError from "../DocumentError.js"
import * as DocumentJournal from "../DocumentJournal.js"
import * as documentFiles from "./documentFiles.js"
import * as documentOutput from "./documentOutput.js"
import { type EntryOf, nextStep, type Step } from "./documentStep.js"
import {
  failIf,
  failOnce,
  type Job,
  type Running,
  record,
  type Task,
  unlessUnsent,
  withMutex
} from "./documentTask.js"
import * as download from "./download.js"
import * as identity from "./identity.js"
import * as polling from "./polling.js"
import type * as DocumentTranslation from "./translationModels.js"
import * as upload from "./upload.js"

/** Does all that is left to do for a document; see `DocumentTranslation.translate`. */
export const translate = <E>(task: Task<E>) =>
  Effect.gen(function* () {
    const { documents, identity: of } = yield* TranslateClient.TranslateClient
    const journal = yield* DocumentJournal.DocumentJournal
    const { source } = task
    const names = yield* identity.namesOf(source, task.output, task.options)
    const all = Effect.gen(function* () {
      const held = task.held ?? (yield* identity.contentOf(of.service, source, task.options))
      const written = yield* identity.writtenOf(journal, names)
      // A paid document is fetched, even if its file is gone meanwhile.
      const content = held?.content ?? (typeof source === "string" ? written?.content : undefined)
      const subject = identity.subjectOf(names, content)
      const foundAndRun = Effect.gen(function* () {
        const known = yield* identity.find(journal, names, written, content)
        // A document that has failed in this run is not paid for again in it.
        const isSent = task.shared.sent.has(DocumentJournal.keyOf(subject))
        const options = isSent ? { ...task.options, resubmit: [] } : task.options
        const job: Job<E> = {
          ...task,
          options,
          held,
          document: subject,
          names,
          written,
          content,
          documents,
          update: journal.update,
          estimate: options.charactersPerDocument ?? 1,
          setCost: () => {}
        }
        const leftover = written?._tag === "Begun" ? written.temporary : undefined
        if (leftover !== undefined) yield* discard(leftover)
        return yield* run(job, nextStep(subject, known, options))
      })
      return yield* withMutex(journal, subject)(foundAndRun)
    })
    return yield* withMutex(journal, names.byOutput)(all)
  })

const run = <E>(job: Job<E>, step: Step): Running<E> => {
  const again = uploadAndDownload(job)
  const orUpload = (running: Running<E>, isAllowed: boolean): Running<E> =>
    isAllowed ? Effect.catchTag(running, "AlreadyDownloaded", () => again) : running
  return Match.valueTags(step, {
    Upload: () => again,
    Download: ({ handle, isNew, leftover, uploadIfGone }) =>
      Effect.gen(function* () {
        if (isNew === true) yield* record(job, { _tag: "Uploaded", handle })
        if (leftover !== undefined) yield* discard(leftover)
        const beginning = yield* beginningOf(job.source)
        return yield* orUpload(awaitAndDownload(job, handle, beginning), uploadIfGone)
      }),
    Finish: ({ received, uploadIfGone }) => orUpload(finish(job, received, again), uploadIfGone),
    Report: ({ done }) => {
      const adopted = documentOutput.adopt(job, done, again)
      return job.options.resubmit?.includes("lost") === true
        ? Effect.catchTag(adopted, "OutputLost", () => again)
        : adopted
    },
    Fail: ({ error }) => Effect.fail(error)
  })
}

/** The growth of a translation over its source, in bytes, and as a factor: some scripts need two bytes a letter. */
const growth = { bytes: 4_194_304, factor: 2 }

/** The largest size of the translation of a source, in bytes. */
const spaceFor = (size: number): number => Math.min(size * growth.factor, size + growth.bytes)

const sizeOf = <E>(source: identity.Source<E>) =>
  typeof source === "string"
    ? Effect.flatMap(FileSystem.FileSystem, (fs) => fs.stat(source)).pipe(
        Effect.map(({ size }) => Number(size)),
        // A source that is gone is not needed any more.
        Effect.orElseSucceed(() => 0)
      )
    : Effect.succeed(source.source.size)

/** The first bytes of a document that another process may have uploaded: no message of the service may repeat them. */
const beginningOf = <E>(source: identity.Source<E>) => {
  if (typeof source === "string") return documentFiles.beginning(source)
  const { content } = source.source
  return Effect.succeed(content instanceof Uint8Array ? content : undefined)
}

const uploadAndDownload = <E>(job: Job<E>): Running<E> =>
  Effect.gen(function* () {
    const { document, isUploadAllowed = true, output, source } = job
    if (!isUploadAllowed) return yield* new DocumentError.NotUploaded(document)
    const file: DocumentSource.DocumentSource<PlatformError.PlatformError | E> =
      typeof source === "string" ? yield* DocumentSource.fromPath(source) : source.source
    const overwrite = yield* documentOutput.mayReplace(job)
    yield* documentFiles.prepare({ output, overwrite, space: spaceFor(file.size) })
    return yield* upload.withinBudget(job, (job) =>
      Effect.flatMap(upload.inTurn(job, file), (handle) => awaitAndDownload(job, handle))
    )
  })

/** Waits for a document that the service has, and downloads it. */
const awaitAndDownload = (job: Job, handle: DocumentHandle, beginning?: Uint8Array): Running => {
  const { documents, estimate, options, output, setCost } = job
  const { documentId } = handle
  const access = { ...handle, beginning }
  let hash: string | undefined
  return Effect.gen(function* () {
    const isDone = polling.watch(documents, access, options).pipe(
      Stream.tap((status) => options.onStatus?.(status) ?? Effect.void),
      Stream.runLast,
      Effect.flatMap(Effect.orDie)
    )
    yield* failIf(job, "halted")
    const status = yield* Effect.raceFirst(isDone, failOnce(job, "halted"))
    const { billedCharacters } = status
    setCost(billedCharacters ?? estimate)
    const space = spaceFor(yield* sizeOf(job.source))
    const overwrite = yield* documentOutput.mayReplace(job)
    yield* failIf(job, "halted")
    const downloaded = download.toFile(documents, access, {
      output,
      overwrite,
      idleTimeout: options.idleTimeout,
      space,
      status,
      halted: Effect.asVoid(Deferred.await(job.shared.halted)),
      onBegin: (temporary) => record(job, { _tag: "Downloading", handle, temporary }),
      onReceived: (temporary, received) => {
        hash = received
        // The download is complete: that its entry can't be written must not end it.
        return Effect.ignore(
          record(job, { _tag: "Received", documentId, temporary, output, billedCharacters, hash })
        )
      }
    })
    yield* unlessUnsent(downloaded, job, "halted")
    return yield* done(job, { documentId, output, billedCharacters, hash })
  }).pipe(
    Effect.catchTag("NotFound", ({ serviceMessage }) =>
      Effect.fail(new DocumentError.AlreadyDownloaded({ documentId, serviceMessage }))
    ),
    Effect.catchTag("BatchHalted", () => Effect.fail(new DocumentError.BatchHalted({ documentId }))),
    Effect.tapError((error) => recordFailure(job, handle, error, hash))
  )
}

const recordFailure = (
  job: Job,
  handle: DocumentHandle,
  error: DocumentTranslation.DocumentTranslationError,
  hash: string | undefined
) => {
  const { documentId } = handle
  switch (error._tag) {
    case "DocumentFailed":
      job.setCost(0)
      return record(job, { _tag: "Failed", documentId, serviceMessage: error.serviceMessage })
    case "AlreadyDownloaded":
    case "DownloadLost":
      return record(job, { _tag: "Lost", handle, reason: error.message })
    case "DiskFull":
    case "NotATranslation":
      // The service still has it. If the journal is on a full disk, `Downloading` says enough.
      return Effect.ignore(record(job, { _tag: "Uploaded", handle }))
    case "DocumentOutputUnusable":
      // The next run moves a document that was only refused.
      return error.kept === undefined || error.reason === "refused"
        ? Effect.void
        : documentOutput.settle(job, { documentId, output: error.kept, billedCharacters: undefined, hash })
    default:
      return Effect.void
  }
}

/** Gives a temporary file that is whole its name, unless it has it already. */
const finish = <E>(job: Job<E>, received: EntryOf<"Received">, upload: Running<E>): Running<E> =>
  Effect.gen(function* () {
    const { billedCharacters, documentId, hash, output, temporary } = received
    const fs = yield* FileSystem.FileSystem
    const { resolve } = yield* Path.Path
    const isOwn = resolve(output) === resolve(job.output)
    if (yield* fs.exists(temporary)) {
      const overwrite = isOwn ? yield* documentOutput.mayReplace(job) : job.options.overwrite
      yield* documentFiles.move(temporary, { output, overwrite })
    } else if (!(yield* fs.exists(output)) || (isOwn && (yield* documentOutput.isPrevious(job, hash)))) {
      return yield* new DocumentError.AlreadyDownloaded({ documentId })
    }
    const finished = { documentId, output, billedCharacters, hash }
    if (isOwn || hash === undefined) return yield* done(job, finished)
    // It was begun for another output, which the journal knows from now on.
    const entry: EntryOf<"Done"> = { _tag: "Done", ...finished, output: resolve(output) }
    yield* record(job, entry)
    return yield* documentOutput.adopt(job, entry, upload)
  })

const done = (job: Job, finished: documentOutput.Finished): Running => {
  const { billedCharacters, documentId, output } = finished
  return Effect.as(documentOutput.settle(job, finished), {
    output,
    documentId,
    billedCharacters,
    already: false
  })
}
