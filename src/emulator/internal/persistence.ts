import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { StateFile } from "../StateFile.js"
import type { AccountState } from "./account.js"
import * as snapshot from "./snapshot.js"

/** Keeps accounts in a file. */
export interface Persistence {
  /** A request has been worked on that may have changed the accounts. */
  readonly changed: (path: string) => Effect.Effect<void>
}

/** Requests that change usage alone, which may be saved after the pause. */
const onlyBills = /^\/v2\/(translate|write|document)(\/|$)/

const pause = "1 second"

/** Restores accounts from a file, and saves their changes there until the scope ends. */
export const make = (file: StateFile, accounts: AccountState) =>
  Effect.gen(function* () {
    if (file.restored !== undefined) snapshot.restore(accounts, file.restored)
    const turn = yield* Effect.makeSemaphore(1)
    let isChanged = file.restored === undefined
    const save = Effect.suspend(() => {
      if (!isChanged) return Effect.void
      isChanged = false
      return Effect.catchAll(file.save(snapshot.take(accounts)), (error) => {
        isChanged = true
        return Effect.logError(error.message)
      })
    }).pipe(turn.withPermits(1))
    yield* Effect.addFinalizer(() => save)
    yield* Effect.forkScoped(Effect.interruptible(Effect.repeat(save, Schedule.spaced(pause))))
    const persistence: Persistence = {
      changed: (path) =>
        Effect.suspend(() => {
          isChanged = true
          return onlyBills.test(path) ? Effect.void : save
        })
    }
    return persistence
  })
