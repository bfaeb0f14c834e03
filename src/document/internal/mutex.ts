import * as Effect from "effect/Effect"
import * as DocumentJournal from "../DocumentJournal.js"

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
