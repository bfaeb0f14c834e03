import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { JobControlError } from "../../JobControlError.js"
import type { Active, Generation, Service as Jobs } from "../tables/jobTables.js"

/** Decides which jobs may go on on this worker, by the tables that all workers read. */
export interface Gate {
  /** Waits until the job may go on. `false` if it has ended, or is to end. */
  readonly admit: (job: Generation) => Effect.Effect<boolean, JobControlError>
  /** True if the job may go on now. */
  readonly isOpen: (job: Generation) => Effect.Effect<boolean>
  /** True if the job may go on as far as the tables say, apart from what holds it on this worker. */
  readonly isOpenInTables: (job: Generation) => Effect.Effect<boolean>
  /** True if the job was cancelled, and has not ended. */
  readonly isCancelled: (job: Generation) => Effect.Effect<boolean>
  /** Ends once the job may not go on any more. */
  readonly closed: (job: Generation) => Effect.Effect<void>
  /** Reads the control of jobs, and returns those that have not ended. */
  readonly refresh: Effect.Effect<ReadonlyArray<Active>, JobControlError>
  /** The job does not go on on this worker until the scope closes. */
  readonly hold: (job: Generation) => Effect.Effect<void, never, Scope.Scope>
  /** Nothing goes on any more on this worker. */
  readonly drain: Effect.Effect<void>
}

type State = "open" | "closed" | "ended"

const keyOf = ({ generation, id }: Generation): string => `${id} ${generation}`

const stateOf = ({ desired, waiting }: Active): State => {
  if (desired === "cancel") return "ended"
  return desired === "pause" || waiting !== undefined ? "closed" : "open"
}

export const make = ({ listActive }: Pick<Jobs, "listActive">): Effect.Effect<Gate> =>
  Effect.gen(function* () {
    let states: ReadonlyMap<string, State> = new Map()
    let isDraining = false
    /** The number of holds by job. */
    const held = new Map<string, number>()
    /** Done at each change. */
    let changed = yield* Deferred.make<void>()

    const announce = Effect.suspend(() => {
      const before = changed
      return Effect.flatMap(Deferred.make<void>(), (next) => {
        changed = next
        return Deferred.succeed(before, undefined)
      })
    })

    const refresh = Effect.tap(listActive, (jobs) => {
      const found = new Map(jobs.map((job) => [keyOf(job), stateOf(job)]))
      const isSame =
        found.size === states.size && [...found].every(([key, state]) => states.get(key) === state)
      states = found
      return isSame ? Effect.void : announce
    })

    const stateNow = (job: Generation): State => {
      const state = states.get(keyOf(job)) ?? "ended"
      return state === "open" && (isDraining || (held.get(keyOf(job)) ?? 0) > 0) ? "closed" : state
    }

    const until = (isReached: () => boolean): Effect.Effect<void> =>
      Effect.suspend(() =>
        isReached() ? Effect.void : Effect.flatMap(Deferred.await(changed), () => until(isReached))
      )

    return {
      admit: (job) =>
        // The job may have been submitted since the last time.
        Effect.zipRight(
          Effect.suspend(() => (states.has(keyOf(job)) ? Effect.void : refresh)),
          Effect.map(
            until(() => stateNow(job) !== "closed"),
            () => stateNow(job) === "open"
          )
        ),
      isOpen: (job) => Effect.sync(() => stateNow(job) === "open"),
      isOpenInTables: (job) => Effect.sync(() => states.get(keyOf(job)) === "open"),
      isCancelled: (job) => Effect.sync(() => states.get(keyOf(job)) === "ended"),
      closed: (job) => until(() => stateNow(job) !== "open"),
      refresh,
      hold: (job) => {
        const add = (count: number) =>
          Effect.suspend(() => {
            const key = keyOf(job)
            held.set(key, (held.get(key) ?? 0) + count)
            return announce
          })
        return Effect.asVoid(Effect.acquireRelease(add(1), () => add(-1)))
      },
      drain: Effect.suspend(() => {
        isDraining = true
        return announce
      })
    }
  })
