import * as Effect from "effect/Effect"
import type * as DocumentJournal from "../DocumentJournal.js"
import { keyOf } from "./documentKey.js"

interface Turn {
  readonly semaphore: Effect.Semaphore
  users: number
}

const turns = new WeakMap<DocumentJournal.Service, Map<string, Turn>>()

/** Work on a document waits for the work on it that is under way: both would find it unsent, and pay. */
export const oneAtATime =
  (journal: DocumentJournal.Service, document: DocumentJournal.DocumentId) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const key = keyOf(document)
    return Effect.acquireUseRelease(
      Effect.sync(() => {
        const ofJournal = turns.get(journal) ?? new Map<string, Turn>()
        turns.set(journal, ofJournal)
        const turn = ofJournal.get(key) ?? { semaphore: Effect.unsafeMakeSemaphore(1), users: 0 }
        ofJournal.set(key, turn)
        turn.users++
        return { ofJournal, turn }
      }),
      ({ turn }) => turn.semaphore.withPermits(1)(work),
      ({ ofJournal, turn }) =>
        Effect.sync(() => {
          if (--turn.users === 0) ofJournal.delete(key)
        })
    )
  }
