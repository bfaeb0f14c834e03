import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Verification from "../../../stream/Verification.js"
import type { Generation, Service as Jobs, Step } from "../tables/jobTables.js"
import { persist } from "./persist.js"

/** The pause between looks of a worker that waits for the others. */
const interval = Duration.millis(500)

/** The judgement of the first answers of a job on one of its workers, once for all of them. */
export interface JudgedAnswers {
  readonly firstAnswers: Verification.FirstAnswers
  /** Waits until a request may be sent: for the turn of this worker, or until the service is trusted. `false` if the job may not go on. */
  readonly turn: Effect.Effect<boolean>
  /** Does a step, which tells of each source that has ended. An answer that looks wrong waits while others may send. */
  readonly step: <A, E, R>(
    step: Pick<Step, "kind" | "sources">,
    body: (sourceEnded: Effect.Effect<void>) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
  /** Waits until the tables have the judgement. */
  readonly settled: Effect.Effect<void>
}

/** A step on this worker. */
interface OnWorker {
  /** The number of its sources that have not ended. */
  sources: number
  /** 1 if the tables count it among the steps with texts. */
  readonly counted: 0 | 1
}

export const make = (
  { firstAnswers: table }: Pick<Jobs, "firstAnswers">,
  job: Generation,
  { isOpen, worker }: { readonly isOpen: Effect.Effect<boolean>; readonly worker: string }
): Effect.Effect<JudgedAnswers, never, Scope.Scope> =>
  Effect.gen(function* () {
    const idle = yield* Queue.sliding<void>(1)
    const firstAnswers = yield* Verification.makeSharedFirstAnswers(() => idle.unsafeOffer(undefined))
    const alone = (yield* Effect.makeSemaphore(1)).withPermits(1)
    let hasTurn = false
    const steps = new Set<OnWorker>()

    const look = Effect.map(persist(table.look(job)), ({ known, steps }) => {
      firstAnswers.learn(known)
      return steps
    })

    const take = Effect.gen(function* () {
      if (!hasTurn) hasTurn = yield* persist(table.take(job, worker))
      yield* look
      return hasTurn
    }).pipe(alone)

    const give = Effect.suspend(() => {
      if (!hasTurn || (firstAnswers.inFlight > 0 && !firstAnswers.isTrusted)) return Effect.void
      hasTurn = false
      return persist(table.give(job, worker, firstAnswers.known))
    }).pipe(alone)

    const turn: Effect.Effect<boolean> = Effect.gen(function* () {
      if (firstAnswers.isTrusted) return true
      if (!(yield* isOpen)) return false
      const isMine = yield* take
      if (firstAnswers.error !== undefined) return false
      return isMine || (yield* Effect.delay(turn, interval))
    })

    const settleIfLast = Effect.gen(function* () {
      if (!firstAnswers.isEnding) return
      let others = yield* look
      for (const { counted, sources } of steps) others += sources - counted
      if (others <= 1 || !(yield* isOpen)) firstAnswers.settleAll()
    })

    yield* Effect.suspend(() =>
      firstAnswers.isEnding ? Effect.timeoutOption(idle.take, interval) : idle.take
    ).pipe(Effect.zipRight(give), Effect.zipRight(settleIfLast), Effect.forever, Effect.forkScoped)
    return {
      firstAnswers,
      turn,
      step: ({ kind, sources }, body) =>
        Effect.acquireUseRelease(
          Effect.sync(() => {
            const step: OnWorker = { sources: sources.length, counted: kind === "output" ? 0 : 1 }
            steps.add(step)
            return step
          }),
          (step) => body(Effect.sync(() => void step.sources--)),
          (step) => Effect.sync(() => steps.delete(step))
        ),
      settled: give
    }
  })
