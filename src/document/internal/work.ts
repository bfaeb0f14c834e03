import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as DocumentSource from "../../client/DocumentSource.js"
import type { DocumentHandle } from "../../client/Documents.js"
import * as TranslateClient from "../../client/TranslateClient.js"
import * as TranslateError from "../../client/TranslateError.js"
import * as Budget from "../../stream/Budget.js"
import * as DocumentError from "../DocumentError.js"
import * as DocumentJournal from "../DocumentJournal.js"
import * as download from "./download.js"
import * as files from "./files.js"
import type * as model from "./model.js"
import { oneAtATime } from "./oneAtATime.js"
import * as polling from "./polling.js"
import type { Uploads } from "./uploads.js"

export interface Work<E> {
  readonly source: string | model.NamedSource<E>
  readonly output: string
  readonly options: model.TranslateOptions
  readonly uploads: Uploads
}

/** What the journal calls a document. */
export const documentId = ({
  options: { outputFormat, targetLang },
  source
}: Pick<Work<unknown>, "source" | "options">): Effect.Effect<DocumentJournal.DocumentId, never, Path.Path> =>
  Effect.map(Path.Path, ({ resolve }) => ({
    file: typeof source === "string" ? resolve(source) : source.id,
    targetLang: LanguageCode.canonical(targetLang),
    outputFormat: outputFormat?.toLowerCase()
  }))

/** Whether an upload is the first that happens to a document of which so much is known. */
export const isUnsent = (
  entry: Option.Option<DocumentJournal.Entry>,
  resubmit: ReadonlyArray<model.Resubmit> = []
): boolean => {
  switch (entry._tag === "None" ? "None" : entry.value._tag) {
    case "None":
    case "Refused":
      return true
    case "Sent":
    case "Ambiguous":
      return resubmit.includes("ambiguous")
    case "Failed":
      return resubmit.includes("failed")
    case "Downloading":
    case "Received":
    case "Lost":
      return resubmit.includes("lost")
    default:
      return false
  }
}

const isAbout =
  (handle: DocumentHandle) =>
  (entry: DocumentJournal.Entry): boolean =>
    handle.documentId ===
    ("handle" in entry ? entry.handle.documentId : "documentId" in entry ? entry.documentId : undefined)

const isAmbiguous = (error: unknown): error is TranslateError.TranslateError =>
  TranslateError.isTranslateError(error) && error.delivery === "ambiguous"

/** The options of the upload alone: the service's names are checked strictly. */
const uploadOptions = ({
  budget: _budget,
  charactersPerDocument: _characters,
  deadline: _deadline,
  handle: _handle,
  idleTimeout: _idleTimeout,
  onStatus: _onStatus,
  overwrite: _overwrite,
  resubmit: _resubmit,
  ...upload
}: model.TranslateOptions) => upload

/** Runs an upload within the budget; it says what that may have cost, once it knows better. */
const withinBudget = <A, E, R>(
  { budget, charactersPerDocument: needed = 1 }: model.CommonOptions,
  upload: (spend: (characters: number) => void) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | Budget.BudgetExceeded, R> => {
  if (budget === undefined) return upload(() => {})
  let spent = 0
  const exceeded = Effect.flatMap(budget.state, ({ cap, reserved, spent }) =>
    Effect.fail(new Budget.BudgetExceeded({ cap, used: spent + reserved, needed }))
  )
  return Effect.uninterruptibleMask((restore) =>
    Effect.if(budget.reserve(needed), {
      onTrue: () =>
        restore(
          upload((characters) => {
            spent = characters
          })
        ).pipe(Effect.ensuring(Effect.suspend(() => budget.settle(needed, spent)))),
      onFalse: () => exceeded
    })
  )
}

type Translation<E> = Effect.Effect<
  model.Translated,
  model.DocumentTranslationError | E,
  TranslateClient.TranslateClient | DocumentJournal.DocumentJournal | FileSystem.FileSystem | Path.Path
>

/** All that is left to do for a document; see `model.translate`. */
export const translate = <E>(work: Work<E>): Translation<E> =>
  Effect.gen(function* () {
    const journal = yield* DocumentJournal.DocumentJournal
    const document = yield* documentId(work)
    return yield* oneAtATime(journal, document)(carryOut(work, document))
  })

const carryOut = <E>(
  { output, options, source, uploads }: Work<E>,
  document: DocumentJournal.DocumentId
): Translation<E> =>
  Effect.gen(function* () {
    const { documents } = yield* TranslateClient.TranslateClient
    const journal = yield* DocumentJournal.DocumentJournal
    const fs = yield* FileSystem.FileSystem
    const place = { output, overwrite: options.overwrite ?? false }
    const deadline = options.deadline ?? polling.defaultDeadline
    const estimate = options.charactersPerDocument ?? 1
    const put = (entry: DocumentJournal.Entry) => journal.update(document, entry)
    const allows = (what: model.Resubmit) => options.resubmit?.includes(what) === true

    const done = (documentId: string, billedCharacters: number | undefined) =>
      Effect.as(put({ _tag: "Done", documentId, output, billedCharacters }), {
        output,
        documentId,
        billedCharacters,
        already: false
      })

    /** Waits for a document that the service has, and downloads it. */
    const fetch = (handle: DocumentHandle, spend: (characters: number) => void = () => {}) =>
      Effect.gen(function* () {
        const { documentId } = handle
        const watched = Stream.tap(
          polling.watch(documents, handle, deadline),
          (status) => options.onStatus?.(status) ?? Effect.void
        )
        const status = yield* Effect.flatMap(Stream.runLast(watched), Effect.orDie)
        const { billedCharacters } = status
        spend(billedCharacters ?? estimate)
        yield* download.make(documents, handle, {
          ...place,
          idleTimeout: options.idleTimeout,
          status,
          onBegin: (temporary) => put({ _tag: "Downloading", handle, temporary }),
          // The file is worth more than its entry.
          onReceived: (temporary) =>
            Effect.ignore(put({ _tag: "Received", documentId, temporary, output, billedCharacters }))
        })
        return yield* done(documentId, billedCharacters)
      }).pipe(
        Effect.catchTag("NotFound", ({ serviceMessage }) =>
          Effect.fail(new DocumentError.AlreadyDownloaded({ documentId: handle.documentId, serviceMessage }))
        ),
        Effect.tapErrorTag("DocumentFailed", ({ documentId, serviceMessage }) => {
          spend(0)
          return put({ _tag: "Failed", documentId, serviceMessage })
        }),
        Effect.tapErrorTag("AlreadyDownloaded", ({ message }) =>
          put({ _tag: "Lost", handle, reason: message })
        ),
        Effect.tapErrorTag("DownloadLost", ({ message }) => put({ _tag: "Lost", handle, reason: message })),
        Effect.tapErrorTag("OutputUnusable", ({ kept }) =>
          kept === undefined
            ? Effect.void
            : put({ _tag: "Done", documentId: handle.documentId, output: kept, billedCharacters: undefined })
        )
      )

    /** Uploads the file once. It is in the journal as sent before the first of its bytes leaves, and no sooner. */
    const upload = (file: DocumentSource.DocumentSource<unknown>, spend: (characters: number) => void) => {
      let isSent = false
      const begin = Effect.tap(put({ _tag: "Sent" }), () => {
        isSent = true
        spend(estimate)
      })
      const { content } = file
      const send =
        content instanceof Uint8Array
          ? Effect.zipRight(begin, documents.upload(file, uploadOptions(options)))
          : documents.upload(
              { ...file, content: Stream.concat(Stream.execute(begin), content) },
              uploadOptions(options)
            )
      const unknown = (reason: string) => put({ _tag: "Ambiguous", reason })
      return Effect.uninterruptibleMask((restore) =>
        Effect.matchCauseEffect(restore(send), {
          onSuccess: (handle) => {
            spend(estimate)
            return put({ _tag: "Uploaded", handle }).pipe(
              Effect.mapError(
                ({ message }) =>
                  new DocumentJournal.DocumentJournalError({
                    message: `${message} ${document.file} is uploaded, and its handle is only in this error: store it.`,
                    handle
                  })
              ),
              Effect.as(handle)
            )
          },
          onFailure: (cause) =>
            Either.match(Cause.failureOrCause(cause), {
              onLeft: (error) => {
                if (isAmbiguous(error)) {
                  spend(estimate)
                  const { file, targetLang } = document
                  return Effect.zipRight(
                    unknown(error.message),
                    Effect.fail(
                      new DocumentError.AmbiguousUpload({ file, targetLang, reason: error.message })
                    )
                  )
                }
                spend(0)
                const reason = error instanceof Error ? error.message : "the file could not be read"
                return Effect.zipRight(
                  isSent ? put({ _tag: "Refused", reason }) : Effect.void,
                  Effect.fail(error)
                )
              },
              onRight: (cause) =>
                Effect.zipRight(isSent ? unknown("it was interrupted") : Effect.void, Effect.failCause(cause))
            })
        })
      ) as Effect.Effect<DocumentHandle, model.DocumentTranslationError | E>
    }

    const submit = Effect.gen(function* () {
      yield* files.prepare(place)
      const file = typeof source === "string" ? yield* DocumentSource.fromPath(source) : source.source
      return yield* withinBudget(options, (spend) =>
        Effect.flatMap(uploads.held(upload(file, spend), deadline), (handle) => fetch(handle, spend))
      )
    })

    /** Tries what is free before what is billed: the service may still have the document. */
    const fetchOrSubmit = (handle: DocumentHandle) =>
      Effect.catchTag(fetch(handle), "AlreadyDownloaded", (error) =>
        allows("lost") ? submit : Effect.fail(error)
      )

    /** Gives a file that is whole its name, unless it has it already. */
    const finish = ({
      billedCharacters,
      documentId,
      output,
      temporary
    }: Extract<DocumentJournal.Entry, { readonly _tag: "Received" }>) =>
      Effect.gen(function* () {
        if (yield* fs.exists(temporary)) yield* files.move(temporary, { ...place, output })
        else if (!(yield* fs.exists(output))) {
          if (allows("lost")) return yield* submit
          return yield* new DocumentError.AlreadyDownloaded({ documentId })
        }
        yield* put({ _tag: "Done", documentId, output, billedCharacters })
        return { output, documentId, billedCharacters, already: false }
      })

    const ambiguous = (reason: string) =>
      allows("ambiguous")
        ? submit
        : Effect.fail(
            new DocumentError.AmbiguousUpload({
              file: document.file,
              targetLang: document.targetLang,
              reason
            })
          )

    const known = yield* journal.get(document)
    const { handle } = options
    if (handle !== undefined && !Option.exists(known, isAbout(handle))) {
      return yield* Effect.zipRight(put({ _tag: "Uploaded", handle }), fetch(handle))
    }
    if (Option.isNone(known)) return yield* submit
    const entry = known.value
    switch (entry._tag) {
      case "Refused":
        return yield* submit
      case "Sent":
        return yield* ambiguous("an earlier run ended while it was being sent")
      case "Ambiguous":
        return yield* ambiguous(entry.reason)
      case "Uploaded":
        return yield* fetch(entry.handle)
      case "Downloading":
        yield* files.discard(entry.temporary)
        return yield* fetchOrSubmit(entry.handle)
      case "Lost":
        return yield* fetchOrSubmit(entry.handle)
      case "Received":
        return yield* finish(entry)
      case "Done":
        return {
          output: entry.output,
          documentId: entry.documentId,
          billedCharacters: entry.billedCharacters,
          already: true
        }
      case "Failed":
        return yield* allows("failed") ? submit : Effect.fail(new DocumentError.DocumentFailed(entry))
    }
  })
