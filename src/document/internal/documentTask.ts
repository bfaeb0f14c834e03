import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { Documents } from "../../client/Documents.js"
import * as DocumentJournal from "../DocumentJournal.js"
import { makeUploadBackoff, type UploadBackoff } from "./backoff.js"
import { ofOther } from "./fatalErrors.js"
import type * as identity from "./identity.js"
import type * as DocumentTranslation from "./translationModels.js"

/** The shared state of the documents of a run. */
export interface Shared {
  readonly uploadBackoff: UploadBackoff
  /** The error after which nothing is uploaded any more. */
  readonly ended: Deferred.Deferred<DocumentTranslation.DocumentTranslationError>
  /** The error after which nothing is downloaded any more either. */
  readonly halted: Deferred.Deferred<DocumentTranslation.DocumentTranslationError>
  /** The keys of documents that this run has sent: `resubmit` does not apply to them. */
  readonly sent: Set<string>
}

export const makeShared: Effect.Effect<Shared> = Effect.all({
  uploadBackoff: makeUploadBackoff,
  ended: Deferred.make<DocumentTranslation.DocumentTranslationError>(),
  halted: Deferred.make<DocumentTranslation.DocumentTranslationError>(),
  sent: Effect.sync(() => new Set<string>())
})

export interface Task<E> {
  readonly source: identity.Source<E>
  readonly output: string
  readonly options: DocumentTranslation.TranslateOptions
  readonly shared: Shared
  /** The content of the source. @default it is read */
  readonly held?: identity.Content | undefined
  /** @default true */
  readonly isUploadAllowed?: boolean | undefined
}

/** A task, with the context of its steps. */
export interface Job<E = unknown> extends Task<E> {
  /** The key of its entries. */
  readonly document: DocumentJournal.DocumentId
  readonly names: identity.Names
  /** The content of its output. */
  readonly written: identity.Written
  /** Its content; none if that is not known. */
  readonly content: string | undefined
  readonly documents: Documents
  /** Replaces the document's state in the journal. */
  readonly update: DocumentJournal.Service["update"]
  /** The cost of the document while its bill is not known, in characters. */
  readonly estimate: number
  /** Sets the document's cost in the budget, once it is known better. */
  readonly setCost: (characters: number) => void
}

export type Running<E = never> = Effect.Effect<
  DocumentTranslation.Translated,
  DocumentTranslation.DocumentTranslationError | E,
  FileSystem.FileSystem | Path.Path
>

/** Replaces the document's state in the journal. */
export const record = ({ document, update }: Job, entry: DocumentJournal.Entry) => update(document, entry)

/** Fails once another document has ended the run. */
export const failOnce = (job: Job, what: "ended" | "halted") =>
  Effect.flatMap(Deferred.await(job.shared[what]), (error) => Effect.fail(ofOther(error)(job.output)))

/** A request that waits once another document has ended the run is interrupted if it was never sent. */
export const unlessUnsent = <A, E, R>(self: Effect.Effect<A, E, R>, job: Job, what: "ended" | "halted") =>
  Effect.catchAllCause(
    self,
    (cause): Effect.Effect<never, E | DocumentTranslation.DocumentTranslationError> =>
      Cause.isInterruptedOnly(cause) ? failOnce(job, what) : Effect.failCause(cause)
  )

export const failIf = (job: Job, what: "ended" | "halted") =>
  Effect.flatMap(Deferred.isDone(job.shared[what]), (isDone) => (isDone ? failOnce(job, what) : Effect.void))

interface Mutex {
  readonly semaphore: Effect.Semaphore
  users: number
}

const mutexes = new WeakMap<DocumentJournal.Service, Map<string, Mutex>>()

/**
 * Runs one effect at a time for each document of a journal. Otherwise two fibers could find the same document unsent, and
 * both pay for its upload.
 *
 * Not an `RcMap` of semaphores: its `get` makes two of them if the scheduler switches fibers inside it. Of 2100 runs of
 * three fibers, 10 had two fibers in at once (Effect 3.22.4).
 */
export const withMutex =
  (journal: DocumentJournal.Service, document: DocumentJournal.DocumentId) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const key = DocumentJournal.keyOf(document)
      const ofJournal = mutexes.get(journal) ?? new Map<string, Mutex>()
      mutexes.set(journal, ofJournal)
      return Effect.acquireUseRelease(
        Effect.sync(() => {
          const mutex = ofJournal.get(key) ?? { semaphore: Effect.unsafeMakeSemaphore(1), users: 0 }
          ofJournal.set(key, mutex)
          mutex.users++
          return mutex
        }),
        ({ semaphore }) => semaphore.withPermits(1)(effect),
        (mutex) =>
          Effect.sync(() => {
            if (--mutex.users === 0) ofJournal.delete(key)
          })
      )
    })
