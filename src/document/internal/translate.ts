import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Cause from "effect/Cause"
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
import * as Budget from "../../stream/Budget.js"
import * as DocumentError from "../DocumentError.js"
import * as DocumentJournal from "../DocumentJournal.js"
import type {
  CommonOptions,
  DocumentTranslationError,
  NamedSource,
  Translated,
  TranslateOptions
} from "../DocumentTranslation.js"
import type { UploadBackoff } from "./backoff.js"
import * as download from "./download.js"
import * as files from "./files.js"
import { withMutex } from "./mutex.js"
import { nextStep, type Step } from "./nextStep.js"
import * as polling from "./polling.js"

export interface Task<E> {
  readonly source: string | NamedSource<E>
  readonly output: string
  readonly options: TranslateOptions
  readonly uploadBackoff: UploadBackoff
}

/** A task, and what its steps need besides. */
interface Job<E> extends Task<E> {
  readonly document: DocumentJournal.DocumentId
  readonly documents: Documents
  /** Replaces what the journal knows of the document. */
  readonly record: (entry: DocumentJournal.Entry) => Effect.Effect<void, DocumentJournal.DocumentJournalError>
}

type Running<A, E> = Effect.Effect<A, DocumentTranslationError | E, FileSystem.FileSystem | Path.Path>

/** Tells what an upload may have cost, once that is known better. In characters. */
type SetCost = (characters: number) => void

/** What the journal calls a document. */
export const documentId = ({
  options: { outputFormat, targetLang },
  source
}: Pick<Task<unknown>, "source"> & {
  readonly options: Pick<TranslateOptions, "outputFormat" | "targetLang">
}): Effect.Effect<DocumentJournal.DocumentId, never, Path.Path> =>
  Effect.map(Path.Path, ({ resolve }) => ({
    file: typeof source === "string" ? resolve(source) : source.id,
    targetLang: LanguageCode.canonical(targetLang),
    outputFormat: outputFormat?.toLowerCase()
  }))

/** Does all that is left to do for a document; see `DocumentTranslation.translate`. */
export const translate = <E>(
  task: Task<E>
): Effect.Effect<
  Translated,
  DocumentTranslationError | E,
  TranslateClient.TranslateClient | DocumentJournal.DocumentJournal | FileSystem.FileSystem | Path.Path
> =>
  Effect.gen(function* () {
    const { documents } = yield* TranslateClient.TranslateClient
    const journal = yield* DocumentJournal.DocumentJournal
    const document = yield* documentId(task)
    const record = (entry: DocumentJournal.Entry) => journal.update(document, entry)
    return yield* journal.get(document).pipe(
      Effect.flatMap((known) =>
        run({ ...task, document, documents, record }, nextStep(document, known, task.options))
      ),
      withMutex(journal, document)
    )
  })

const run = <E>(job: Job<E>, step: Step): Running<Translated, E> => {
  const orUpload = (uploadIfGone: boolean) => (running: Running<Translated, E>) =>
    uploadIfGone ? Effect.catchIf(running, isAlreadyDownloaded, () => uploadAndDownload(job)) : running
  return Match.valueTags(step, {
    Upload: () => uploadAndDownload(job),
    Download: ({ handle, isNew, leftover, uploadIfGone }) =>
      Effect.gen(function* () {
        if (isNew === true) yield* job.record({ _tag: "Uploaded", handle })
        if (leftover !== undefined) yield* files.discard(leftover)
        return yield* orUpload(uploadIfGone)(awaitAndDownload(job, handle))
      }),
    Finish: ({ received, uploadIfGone }) => orUpload(uploadIfGone)(finish(job, received)),
    Report: ({ done: { billedCharacters, documentId, output } }) =>
      Effect.succeed({ output, documentId, billedCharacters, already: true }),
    Fail: ({ error }) => Effect.fail(error)
  })
}

const isAlreadyDownloaded = (error: unknown): error is DocumentError.AlreadyDownloaded =>
  DocumentError.isDocumentError(error) && error._tag === "AlreadyDownloaded"

const isAmbiguous = (error: unknown): error is TranslateError.TranslateError =>
  TranslateError.isTranslateError(error) && error.delivery === "ambiguous"

const estimateOf = ({ charactersPerDocument = 1 }: CommonOptions): number => charactersPerDocument

/** Holds the estimated characters of a document in the budget until it is done. */
const withinBudget = <A, E, R>(
  options: CommonOptions,
  upload: (setCost: SetCost) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | Budget.BudgetExceeded, R> => {
  const { budget } = options
  if (budget === undefined) return upload(() => {})
  const needed = estimateOf(options)
  let cost = 0
  return Effect.acquireUseRelease(
    Effect.filterOrElse(
      budget.reserve(needed),
      (isReserved) => isReserved,
      () =>
        Effect.flatMap(budget.state, ({ cap, reserved, spent }) =>
          Effect.fail(new Budget.BudgetExceeded({ cap, used: spent + reserved, needed }))
        )
    ),
    () =>
      upload((characters) => {
        cost = characters
      }),
    () => budget.settle(needed, cost)
  )
}

const uploadAndDownload = <E>(job: Job<E>): Running<Translated, E> =>
  Effect.gen(function* () {
    const { options, output, source, uploadBackoff } = job
    yield* files.prepare({ output, overwrite: options.overwrite })
    const file: DocumentSource.DocumentSource<DocumentTranslationError | E> =
      typeof source === "string" ? yield* DocumentSource.fromPath(source) : source.source
    return yield* withinBudget(options, (setCost) =>
      uploadBackoff
        .retry(upload(job, file, setCost), options.deadline ?? polling.defaultDeadline)
        .pipe(Effect.flatMap((handle) => awaitAndDownload(job, handle, setCost)))
    )
  })

/** The options of the upload alone: the client refuses a conversion by the names of all options. */
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

/** Uploads the file once. The journal has it as `Sent` before the first of its bytes leaves, and no sooner. */
const upload = <E>(
  job: Job<E>,
  file: DocumentSource.DocumentSource<DocumentTranslationError | E>,
  setCost: SetCost
): Effect.Effect<DocumentHandle, DocumentTranslationError | E> => {
  const { document, documents, options, record } = job
  let isSent = false
  const begin = Effect.tap(record({ _tag: "Sent" }), () => {
    isSent = true
    setCost(estimateOf(options))
  })
  const { content } = file
  const send: Effect.Effect<DocumentHandle, DocumentTranslationError | E> =
    content instanceof Uint8Array
      ? Effect.zipRight(begin, documents.upload(file, uploadOptions(options)))
      : documents.upload(
          { ...file, content: Stream.concat(Stream.execute(begin), content) },
          uploadOptions(options)
        )

  const failed = (error: DocumentTranslationError | E) => {
    if (isAmbiguous(error)) {
      setCost(estimateOf(options))
      const { file, targetLang } = document
      return Effect.zipRight(
        record({ _tag: "Ambiguous", reason: error.message }),
        Effect.fail(new DocumentError.AmbiguousUpload({ file, targetLang, reason: error.message }))
      )
    }
    setCost(0)
    const reason = error instanceof Error ? error.message : "the file could not be read"
    return Effect.zipRight(isSent ? record({ _tag: "Refused", reason }) : Effect.void, Effect.fail(error))
  }

  return Effect.uninterruptibleMask((restore) =>
    Effect.matchCauseEffect(restore(send), {
      onSuccess: (handle) => {
        setCost(estimateOf(options))
        return Effect.as(recordHandle(job, handle), handle)
      },
      onFailure: (cause) =>
        Either.match(Cause.failureOrCause(cause), {
          onLeft: failed,
          onRight: (cause) =>
            Effect.zipRight(
              isSent ? record({ _tag: "Ambiguous", reason: "it was interrupted" }) : Effect.void,
              Effect.failCause(cause)
            )
        })
    })
  )
}

const recordHandle = <E>({ document, record }: Job<E>, handle: DocumentHandle) =>
  Effect.mapError(
    record({ _tag: "Uploaded", handle }),
    ({ message }) =>
      new DocumentJournal.DocumentJournalError({
        message: `${message} ${document.file} is uploaded, and its handle is only in this error: store it.`,
        handle
      })
  )

/** Waits for a document that the service has, and downloads it. */
const awaitAndDownload = <E>(
  job: Job<E>,
  handle: DocumentHandle,
  setCost: SetCost = () => {}
): Running<Translated, E> => {
  const { documents, options, output, record } = job
  const { documentId } = handle
  return Effect.gen(function* () {
    const status = yield* polling.watch(documents, handle, options).pipe(
      Stream.tap((status) => options.onStatus?.(status) ?? Effect.void),
      Stream.runLast,
      Effect.flatMap(Effect.orDie)
    )
    const { billedCharacters } = status
    setCost(billedCharacters ?? estimateOf(options))
    yield* download.toFile(documents, handle, {
      output,
      overwrite: options.overwrite,
      idleTimeout: options.idleTimeout,
      status,
      onBegin: (temporary) => record({ _tag: "Downloading", handle, temporary }),
      // The file is worth more than its entry.
      onReceived: (temporary) =>
        Effect.ignore(record({ _tag: "Received", documentId, temporary, output, billedCharacters }))
    })
    return yield* done(job, { documentId, output, billedCharacters })
  }).pipe(
    Effect.catchTag("NotFound", ({ serviceMessage }) =>
      Effect.fail(new DocumentError.AlreadyDownloaded({ documentId, serviceMessage }))
    ),
    Effect.tapError((error) => {
      if (error._tag === "DocumentFailed") setCost(0)
      const entry = entryOf(handle, error)
      return entry === undefined ? Effect.void : record(entry)
    })
  )
}

/** What the journal keeps of a failure; none if it knows enough already. */
const entryOf = (
  handle: DocumentHandle,
  error: DocumentTranslationError
): DocumentJournal.Entry | undefined => {
  const { documentId } = handle
  switch (error._tag) {
    case "DocumentFailed":
      return { _tag: "Failed", documentId, serviceMessage: error.serviceMessage }
    case "AlreadyDownloaded":
    case "DownloadLost":
      return { _tag: "Lost", handle, reason: error.message }
    case "OutputUnusable":
      return error.kept === undefined
        ? undefined
        : { _tag: "Done", documentId, output: error.kept, billedCharacters: undefined }
    default:
      return undefined
  }
}

/** Gives a temporary file that is whole its name, unless it has it already. */
const finish = <E>(
  job: Job<E>,
  { billedCharacters, documentId, output, temporary }: Extract<Step, { readonly _tag: "Finish" }>["received"]
): Running<Translated, E> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    if (yield* fs.exists(temporary)) {
      yield* files.move(temporary, { output, overwrite: job.options.overwrite })
    } else if (!(yield* fs.exists(output))) {
      return yield* new DocumentError.AlreadyDownloaded({ documentId })
    }
    return yield* done(job, { documentId, output, billedCharacters })
  })

const done = <E>({ record }: Job<E>, translated: Omit<Translated, "already">) =>
  Effect.as(record({ _tag: "Done", ...translated }), { ...translated, already: false })
