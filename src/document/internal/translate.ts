import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Match from "effect/Match"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as DocumentSource from "../../client/DocumentSource.js"
import type { DocumentHandle, Documents } from "../../client/Documents.js"
import * as TranslateClient from "../../client/TranslateClient.js"
import * as TranslateError from "../../client/TranslateError.js"
import { CallHooks, type Waiting } from "../../internal/callHooks.js"
import { discard } from "../../internal/files.js"
import * as Budget from "../../stream/Budget.js"
import * as DocumentError from "../DocumentError.js"
import * as DocumentJournal from "../DocumentJournal.js"
import type * as DocumentTranslation from "../DocumentTranslation.js"
import { makeUploadBackoff, type UploadBackoff } from "./backoff.js"
import * as download from "./download.js"
import { ofOther } from "./ending.js"
import * as files from "./files.js"
import { withMutex } from "./mutex.js"
import { type EntryOf, nextStep, type Step } from "./nextStep.js"
import * as polling from "./polling.js"

/** What the documents of a run share. */
export interface Shared {
  readonly uploadBackoff: UploadBackoff
  /** The error after which nothing is uploaded any more. */
  readonly ended: Deferred.Deferred<DocumentTranslation.DocumentTranslationError>
  /** The error after which nothing is downloaded any more either. */
  readonly halted: Deferred.Deferred<DocumentTranslation.DocumentTranslationError>
}

export const makeShared: Effect.Effect<Shared> = Effect.all({
  uploadBackoff: makeUploadBackoff,
  ended: Deferred.make<DocumentTranslation.DocumentTranslationError>(),
  halted: Deferred.make<DocumentTranslation.DocumentTranslationError>()
})

export interface Task<E> {
  readonly source: string | DocumentTranslation.NamedSource<E>
  readonly output: string
  readonly options: DocumentTranslation.TranslateOptions
  readonly shared: Shared
}

/** A task, and what its steps need besides. */
interface Job<E = unknown> extends Task<E> {
  readonly document: DocumentJournal.DocumentId
  readonly documents: Documents
  /** Replaces what the journal knows of the document. */
  readonly record: (entry: DocumentJournal.Entry) => Effect.Effect<void, DocumentJournal.DocumentJournalError>
  /** What the document may cost while its bill is not known, in characters. */
  readonly estimate: number
  /** Tells the budget what the document may have cost, once that is known better. */
  readonly setCost: (characters: number) => void
}

type Running<E = never> = Effect.Effect<
  DocumentTranslation.Translated,
  DocumentTranslation.DocumentTranslationError | E,
  FileSystem.FileSystem | Path.Path
>

/** What the journal calls a document. */
export const documentId = (
  source: Task<unknown>["source"],
  { outputFormat, targetLang }: Pick<DocumentTranslation.TranslateOptions, "outputFormat" | "targetLang">
): Effect.Effect<DocumentJournal.DocumentId, never, Path.Path> =>
  Effect.map(Path.Path, ({ resolve }) => ({
    file: typeof source === "string" ? resolve(source) : source.id,
    targetLang: LanguageCode.canonical(targetLang),
    outputFormat: outputFormat?.toLowerCase()
  }))

/** Does all that is left to do for a document; see `DocumentTranslation.translate`. */
export const translate = <E>(task: Task<E>) =>
  Effect.gen(function* () {
    const { documents } = yield* TranslateClient.TranslateClient
    const journal = yield* DocumentJournal.DocumentJournal
    const { options, source } = task
    const document = yield* documentId(source, options)
    const job: Job<E> = {
      ...task,
      document,
      documents,
      record: (entry) => journal.update(document, entry),
      estimate: options.charactersPerDocument ?? 1,
      setCost: () => {}
    }
    return yield* journal.get(document).pipe(
      Effect.flatMap((known) => run(job, nextStep(document, known, options))),
      withMutex(journal, document)
    )
  })

const run = <E>(job: Job<E>, step: Step): Running<E> => {
  const orUpload = (running: Running, isAllowed: boolean): Running<E> =>
    isAllowed ? Effect.catchTag(running, "AlreadyDownloaded", () => uploadAndDownload(job)) : running
  return Match.valueTags(step, {
    Upload: () => uploadAndDownload(job),
    Download: ({ handle, isNew, leftover, uploadIfGone }) =>
      Effect.gen(function* () {
        if (isNew === true) yield* job.record({ _tag: "Uploaded", handle })
        if (leftover !== undefined) yield* discard(leftover)
        const beginning = yield* beginningOf(job.source)
        return yield* orUpload(awaitAndDownload(job, handle, beginning), uploadIfGone)
      }),
    Finish: ({ received, uploadIfGone }) => orUpload(finish(job, received), uploadIfGone),
    Report: ({ done: { billedCharacters, documentId, output } }) =>
      Effect.succeed({ output, documentId, billedCharacters, already: true }),
    Fail: ({ error }) => Effect.fail(error)
  })
}

/** Fails once another document has ended the run. */
const failOnce = (job: Job, what: "ended" | "halted") =>
  Effect.flatMap(Deferred.await(job.shared[what]), (error) => Effect.fail(ofOther(error)(job.output)))

/** A request that waits once another document has ended the run is interrupted if it was never sent. */
const unlessUnsent = <A, E, R>(self: Effect.Effect<A, E, R>, job: Job, what: "ended" | "halted") =>
  Effect.catchAllCause(
    self,
    (cause): Effect.Effect<never, E | DocumentTranslation.DocumentTranslationError> =>
      Cause.isInterruptedOnly(cause) ? failOnce(job, what) : Effect.failCause(cause)
  )

const failIf = (job: Job, what: "ended" | "halted") =>
  Effect.flatMap(Deferred.isDone(job.shared[what]), (isDone) => (isDone ? failOnce(job, what) : Effect.void))

/** How many bytes a translation may be larger than its source, and by which factor: some scripts need two bytes a letter. */
const growth = { bytes: 4_194_304, factor: 2 }

/** How many bytes the translation of a source may have. */
const spaceFor = (size: number): number => Math.min(size * growth.factor, size + growth.bytes)

const sizeOf = <E>(source: Task<E>["source"]) =>
  typeof source === "string"
    ? Effect.flatMap(FileSystem.FileSystem, (fs) => fs.stat(source)).pipe(
        Effect.map(({ size }) => Number(size)),
        // A source that is gone is not needed any more.
        Effect.orElseSucceed(() => 0)
      )
    : Effect.succeed(source.source.size)

/** The first bytes of a document that another process may have uploaded: no message of the service may repeat them. */
const beginningOf = <E>(source: Task<E>["source"]) => {
  if (typeof source === "string") return files.beginning(source)
  const { content } = source.source
  return Effect.succeed(content instanceof Uint8Array ? content : undefined)
}

const uploadAndDownload = <E>(job: Job<E>): Running<E> =>
  Effect.gen(function* () {
    const { options, output, source } = job
    const file: DocumentSource.DocumentSource<PlatformError.PlatformError | E> =
      typeof source === "string" ? yield* DocumentSource.fromPath(source) : source.source
    yield* files.prepare({ output, overwrite: options.overwrite, space: spaceFor(file.size) })
    return yield* withinBudget(job, (job) =>
      Effect.flatMap(uploadInTurn(job, file), (handle) => awaitAndDownload(job, handle))
    )
  })

/** Uploads the file as often as the back-off says, until the run has ended. */
const uploadInTurn = <E>(job: Job, file: DocumentSource.DocumentSource<E>) => {
  const {
    options: { deadline = polling.defaultDeadline },
    shared: { uploadBackoff }
  } = job
  const send = Effect.suspend(() => Effect.zipRight(failIf(job, "ended"), upload(job, file)))
  return unlessUnsent(uploadBackoff.retry(send, deadline), job, "ended")
}

/** Reserves the estimate in the budget until it is known what the document has cost. */
const withinBudget = <A, E, R>(job: Job, use: (job: Job) => Effect.Effect<A, E, R>) => {
  const { budget } = job.options
  if (budget === undefined) return use(job)
  const needed = job.estimate
  let cost = 0
  const setCost = (characters: number) => {
    cost = characters
  }
  return Effect.acquireUseRelease(
    Effect.if(budget.reserve(needed), {
      onTrue: () => Effect.void,
      onFalse: () => Budget.exceeded(budget, needed)
    }),
    () => use({ ...job, setCost }),
    () => budget.settle(needed, cost)
  )
}

/** The options of the upload alone: the client checks options strictly by their names. */
const uploadOptions = Struct.omit(
  "budget",
  "charactersPerDocument",
  "deadline",
  "handle",
  "idleTimeout",
  "onStatus",
  "overwrite",
  "pollSchedule",
  "resubmit"
)

const isAmbiguous = (error: unknown): error is TranslateError.TranslateError =>
  TranslateError.isTranslateError(error) && error.delivery === "ambiguous"

/** What the journal says of an upload: `Sent` before the first byte is sent, `Refused` while it waits for another attempt. */
const trackSending = ({ estimate, record, setCost }: Job) => {
  const state = { isSent: false, unrecorded: undefined as DocumentJournal.DocumentJournalError | undefined }
  const sent = Effect.suspend(() =>
    state.isSent
      ? Effect.void
      : Effect.tap(record({ _tag: "Sent" }), () => {
          state.isSent = true
          setCost(estimate)
        })
  )
  const refused = (reason: string) =>
    Effect.suspend(() => {
      setCost(0)
      if (!state.isSent) return Effect.void
      return Effect.tap(record({ _tag: "Refused", reason }), () => {
        state.isSent = false
      })
    })
  const waiting: Waiting = {
    // If that can't be recorded, `Sent` is on the safe side.
    begin: Effect.ignore(refused("it waited to be sent")),
    end: Effect.orDie(
      Effect.tapError(sent, (error) =>
        Effect.sync(() => {
          state.unrecorded = error
        })
      )
    )
  }
  return { state, sent, refused, waiting }
}

/** Uploads the file by the client, which may send it several times. */
const upload = <E>(job: Job, file: DocumentSource.DocumentSource<E>) => {
  const { document, documents, estimate, record, setCost, shared } = job
  const options = uploadOptions(job.options)
  const { content } = file
  const { refused, sent, state, waiting } = trackSending(job)
  const send =
    content instanceof Uint8Array
      ? Effect.zipRight(sent, documents.upload(file, options))
      : documents.upload({ ...file, content: Stream.concat(Stream.execute(sent), content) }, options)
  const halted = Effect.asVoid(Deferred.await(shared.ended))
  const hooked = Effect.flatMap(CallHooks, (hooks) =>
    Effect.provideService(send, CallHooks, { ...hooks, halted, waiting })
  )

  const failed = (
    error: Effect.Effect.Error<typeof send>
  ): Effect.Effect<never, typeof error | DocumentError.AmbiguousUpload> => {
    if (isAmbiguous(error)) {
      setCost(estimate)
      const { message: reason } = error
      return Effect.zipRight(
        record({ _tag: "Ambiguous", reason }),
        Effect.fail(
          new DocumentError.AmbiguousUpload({ file: document.file, targetLang: document.targetLang, reason })
        )
      )
    }
    const reason = error instanceof Error ? error.message : "the file could not be read"
    return Effect.zipRight(refused(reason), Effect.fail(error))
  }

  return Effect.uninterruptibleMask((restore) =>
    Effect.matchCauseEffect(restore(hooked), {
      onSuccess: (handle) => {
        setCost(estimate)
        return Effect.as(recordHandle(job, handle), handle)
      },
      onFailure: (cause) => {
        if (state.unrecorded !== undefined) return Effect.fail(state.unrecorded)
        return Either.match(Cause.failureOrCause(cause), {
          onLeft: failed,
          onRight: (cause) =>
            Effect.zipRight(
              state.isSent ? record({ _tag: "Ambiguous", reason: "it was interrupted" }) : Effect.void,
              Effect.failCause(cause)
            )
        })
      }
    })
  )
}

const recordHandle = ({ document, record }: Job, handle: DocumentHandle) =>
  Effect.mapError(
    record({ _tag: "Uploaded", handle }),
    ({ message }) =>
      new DocumentJournal.DocumentJournalError({
        message: `${message} ${document.file} is uploaded, and its handle is only in this error: store it.`,
        problem: message,
        handle
      })
  )

/** Waits for a document that the service has, and downloads it. */
const awaitAndDownload = (job: Job, handle: DocumentHandle, beginning?: Uint8Array): Running => {
  const { documents, estimate, options, output, record, setCost } = job
  const { documentId } = handle
  const access = { ...handle, beginning }
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
    yield* failIf(job, "halted")
    const downloaded = download.toFile(documents, access, {
      output,
      overwrite: options.overwrite,
      idleTimeout: options.idleTimeout,
      space,
      status,
      halted: Effect.asVoid(Deferred.await(job.shared.halted)),
      onBegin: (temporary) => record({ _tag: "Downloading", handle, temporary }),
      // The download is complete: that its entry can't be written must not end it.
      onReceived: (temporary) =>
        Effect.ignore(record({ _tag: "Received", documentId, temporary, output, billedCharacters }))
    })
    yield* unlessUnsent(downloaded, job, "halted")
    return yield* done(job, { documentId, output, billedCharacters })
  }).pipe(
    Effect.catchTag("NotFound", ({ serviceMessage }) =>
      Effect.fail(new DocumentError.AlreadyDownloaded({ documentId, serviceMessage }))
    ),
    Effect.tapError((error) => recordFailure(job, handle, error))
  )
}

const recordFailure = (
  { record, setCost }: Job,
  handle: DocumentHandle,
  error: DocumentTranslation.DocumentTranslationError
) => {
  const { documentId } = handle
  switch (error._tag) {
    case "DocumentFailed":
      setCost(0)
      return record({ _tag: "Failed", documentId, serviceMessage: error.serviceMessage })
    case "AlreadyDownloaded":
    case "DownloadLost":
      return record({ _tag: "Lost", handle, reason: error.message })
    case "DiskFull":
    case "NotATranslation":
      // The service still has it. If the journal is on a full disk, `Downloading` says enough.
      return Effect.ignore(record({ _tag: "Uploaded", handle }))
    case "OutputUnusable":
      return error.kept === undefined
        ? Effect.void
        : record({ _tag: "Done", documentId, output: error.kept, billedCharacters: undefined })
    default:
      return Effect.void
  }
}

/** Gives a temporary file that is whole its name, unless it has it already. */
const finish = (
  job: Job,
  { billedCharacters, documentId, output, temporary }: EntryOf<"Received">
): Running =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    if (yield* fs.exists(temporary)) {
      yield* files.move(temporary, { output, overwrite: job.options.overwrite })
    } else if (!(yield* fs.exists(output))) {
      return yield* new DocumentError.AlreadyDownloaded({ documentId })
    }
    return yield* done(job, { documentId, output, billedCharacters })
  })

const done = ({ record }: Job, translated: Omit<DocumentTranslation.Translated, "already">) =>
  record({ _tag: "Done", ...translated }).pipe(
    Effect.mapError(
      ({ message }) =>
        new DocumentJournal.DocumentJournalError({
          message: `${message} The translation is whole, and in ${translated.output}.`,
          problem: message
        })
    ),
    Effect.as({ ...translated, already: false })
  )
