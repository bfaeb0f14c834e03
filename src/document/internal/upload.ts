import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type * as DocumentSource from "../../client/DocumentSource.js"
import type { DocumentHandle, UploadOptions } from "../../client/Documents.js"
import * as TranslateError from "../../client/TranslateError.js"
import { haltedBy } from "../../internal/halted.js"
import { makeByteHash } from "../../internal/hash.js"
import { without } from "../../internal/ownOptions.js"
import { asking } from "../../internal/sendGate.js"
import { UploadWaiting } from "../../internal/uploadWaiting.js"
import * as Budget from "../../stream/Budget.js"
import * as DocumentError from "../DocumentError.js"
import * as DocumentJournal from "../DocumentJournal.js"
import * as documentOutput from "./documentOutput.js"
import { failIf, type Job, record, unlessUnsent } from "./documentTask.js"
import * as polling from "./polling.js"
import type { TranslateOptions } from "./translationModels.js"

/** Reserves the estimate in the budget until the cost of the document is known. */
export const withinBudget = <A, E, R>(job: Job, use: (job: Job) => Effect.Effect<A, E, R>) => {
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
    // Characters that can't be settled stay held, and are counted.
    () => Effect.ignore(budget.settle(needed, cost))
  )
}

/** Uploads the file as often as the back-off says, until the run has ended. */
export const inTurn = <E>(job: Job, file: DocumentSource.DocumentSource<E>) => {
  const {
    options: { deadline = polling.defaultDeadline },
    shared: { uploadBackoff }
  } = job
  const send = Effect.suspend(() => Effect.zipRight(failIf(job, "ended"), upload(job, file)))
  return unlessUnsent(uploadBackoff.retry(send, deadline), job, "ended")
}

/** The options of the upload alone. */
const uploadOptions = without<Exclude<keyof TranslateOptions, keyof UploadOptions>>({
  budget: true,
  charactersPerDocument: true,
  deadline: true,
  handle: true,
  idleTimeout: true,
  onStatus: true,
  overwrite: true,
  pollSchedule: true,
  resubmit: true
})

const isAmbiguous = (error: unknown): error is TranslateError.TranslateError =>
  TranslateError.isTranslateError(error) && error.delivery === "ambiguous"

/** Records an upload in the journal: `Sent` before the first byte is sent, `Refused` while it waits for another attempt. */
const trackSending = (job: Job) => {
  const { document, estimate, setCost, shared } = job
  const state = { isSent: false, unrecorded: undefined as DocumentJournal.DocumentJournalError | undefined }
  const sent = Effect.suspend(() =>
    state.isSent
      ? Effect.void
      : Effect.tap(Effect.zipRight(documentOutput.begin(job), record(job, { _tag: "Sent" })), () => {
          state.isSent = true
          shared.sent.add(DocumentJournal.keyOf(document))
          setCost(estimate)
        })
  )
  const refused = (reason: string) =>
    Effect.suspend(() => {
      setCost(0)
      if (!state.isSent) return Effect.void
      return Effect.tap(record(job, { _tag: "Refused", reason }), () => {
        state.isSent = false
      })
    })
  // If that can't be recorded, `Sent` is on the safe side.
  const waiting = Effect.ignore(refused("it waited to be sent"))
  const maySend = () =>
    Effect.match(sent, {
      onFailure: (error) => {
        state.unrecorded = error
        return false
      },
      onSuccess: () => true
    })
  return { state, sent, refused, waiting, maySend }
}

/** The bytes of a file as they are sent. Fails at their end, which ends the request, if they are not those that were hashed. */
const unchanged = <E>(
  { document: { file }, held }: Job,
  content: Stream.Stream<Uint8Array, E>
): Stream.Stream<Uint8Array, E | DocumentError.DocumentChanged> =>
  Stream.suspend(() => {
    const state = makeByteHash()
    const check = Stream.suspend(() =>
      state.digest() === held?.bytes ? Stream.empty : Stream.fail(new DocumentError.DocumentChanged({ file }))
    )
    return Stream.concat(
      Stream.map(content, (bytes) => {
        state.update(bytes)
        return bytes
      }),
      check
    )
  })

/** Uploads the file by the client, which may send it several times. */
const upload = <E>(job: Job, file: DocumentSource.DocumentSource<E>) => {
  const { document, documents, estimate, setCost, shared } = job
  const options = uploadOptions(job.options)
  const { content } = file
  const { maySend, refused, sent, state, waiting } = trackSending(job)
  const send =
    content instanceof Uint8Array
      ? Effect.zipRight(sent, asking(documents.upload(file, options), maySend))
      : documents.upload(
          {
            ...file,
            content: Stream.concat(
              Stream.execute(sent),
              typeof job.source === "string" ? unchanged(job, content) : content
            )
          },
          options
        )
  const halted = Effect.asVoid(Deferred.await(shared.ended))
  const tracked = haltedBy(Effect.provideService(send, UploadWaiting, waiting), halted)

  const failed = (
    error: Effect.Effect.Error<typeof send>
  ): Effect.Effect<never, typeof error | DocumentError.AmbiguousUpload> => {
    if (isAmbiguous(error)) {
      setCost(estimate)
      const { message: reason } = error
      return Effect.zipRight(
        record(job, { _tag: "Ambiguous", reason }),
        Effect.fail(
          new DocumentError.AmbiguousUpload({ file: document.file, targetLang: document.targetLang, reason })
        )
      )
    }
    const reason = error instanceof Error ? error.message : "the file could not be read"
    return Effect.zipRight(refused(reason), Effect.fail(error))
  }

  return Effect.uninterruptibleMask((restore) =>
    Effect.matchCauseEffect(restore(tracked), {
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
              state.isSent ? record(job, { _tag: "Ambiguous", reason: "it was interrupted" }) : Effect.void,
              Effect.failCause(cause)
            )
        })
      }
    })
  )
}

const recordHandle = (job: Job, handle: DocumentHandle) =>
  Effect.mapError(
    record(job, { _tag: "Uploaded", handle }),
    ({ message }) =>
      new DocumentJournal.DocumentJournalError({
        message: `${message} ${job.document.file} is uploaded, and its handle is only in this error: store it.`,
        problem: message,
        handle
      })
  )
