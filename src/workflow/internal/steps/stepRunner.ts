import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as ConcurrencyLimit from "../../../client/ConcurrencyLimit.js"
import type { Reason } from "../../../job/JobReport.js"
import type { Waiting } from "../../CorpusJob.js"
import type { WorkerEvent } from "../../WorkerEvent.js"
import type { Generation, Service as Jobs } from "../tables/jobTables.js"
import type { Gate } from "./jobAdmission.js"
import * as jobWaits from "./jobWaits.js"
import type { Open, Opened } from "./openJobs.js"
import { persist } from "./persist.js"
import * as stepTranslation from "./stepTranslation.js"

export interface Options<E, R> extends jobWaits.Pauses {
  readonly jobs: Jobs
  readonly gate: Gate
  readonly open: Open<E, R>
  /** The number of requests in flight at once. */
  readonly concurrency: number
  /** The time for requests in flight, once a step is to end. */
  readonly drain: Duration.Duration
  readonly scope: Scope.Scope
  readonly onEvent: (event: WorkerEvent) => Effect.Effect<void>
}

/**
 * The number of steps that run at once: while one waits for its last requests, another one begins. Steps that have begun on workers that are gone
 * have as many slots of their own.
 */
const stepsAtOnce = 2

/** Work for a job on a worker, until it is halted. */
export type Step<A, E, R> = (
  opened: Opened<E, R>,
  attempt: stepTranslation.Attempt
) => Effect.Effect<stepTranslation.Result<A>, never, R>

/** Runs the steps of jobs on a worker. */
export interface Steps<E, R> {
  /**
   * Attempts a step again and again until it has a result, which may take a month: the job may be paused, or wait for its quota. None if the job has
   * ended, or is to end. If it is interrupted, its requests in flight are recorded first. A step that has begun on a worker that is gone
   * (`hasBegun`) waits for no step that has not begun.
   */
  readonly run: <A>(
    job: Generation,
    step: Step<A, E, R>,
    hasBegun?: boolean
  ) => Effect.Effect<Option.Option<A>>
  /** The number of requests in flight. */
  readonly inFlight: Effect.Effect<number>
  /** Waits until no step runs. */
  readonly idle: Effect.Effect<void>
}

export const make = <E, R>(options: Options<E, R>): Effect.Effect<Steps<E, R>, never, R> =>
  Effect.gen(function* () {
    const { concurrency, drain, gate, jobs, onEvent, open, scope } = options
    const context = yield* Effect.context<R>()
    const makeLimit = (permits: number) => Scope.extend(ConcurrencyLimit.makeFixed(permits), scope)
    const makeSlots = Effect.map(makeLimit(stepsAtOnce), (limit) =>
      Effect.acquireRelease(limit.take, ({ release }) => release)
    )
    const slots = { fresh: yield* makeSlots, begun: yield* makeSlots }
    const requests = yield* makeLimit(concurrency)
    /** Steps of a job meet an obstacle about the same time: the first one records it. */
    const oneAtATime = (yield* Effect.makeSemaphore(1)).withPermits(1)
    /** The number of waits in a row by job, as far as this worker knows. */
    const waits = new Map<string, number>()
    const keyOf = ({ generation, id }: Generation) => `${id} ${generation}`

    const failJob = (job: Generation, error: Reason) =>
      Effect.gen(function* () {
        waits.delete(keyOf(job))
        const isFirst = yield* persist(jobs.end(job, "failed", error))
        if (isFirst) yield* onEvent({ _tag: "JobEnded", ...job, state: "failed", error })
        yield* persist(gate.refresh)
      })

    const pauseJob = (job: Generation, reason: Waiting["reason"], error: Reason) =>
      Effect.gen(function* () {
        yield* persist(gate.refresh)
        // Another step has met the same before.
        if (!(yield* gate.isOpenInTables(job))) return
        const times = (waits.get(keyOf(job)) ?? 0) + 1
        const waiting = yield* jobWaits.next(options, reason, times, yield* persist(jobs.now))
        if (Option.isNone(waiting)) return yield* failJob(job, error)
        waits.set(keyOf(job), yield* persist(jobs.wait(job, waiting.value)))
        yield* persist(gate.refresh)
        yield* onEvent({ _tag: "JobWaits", ...job, ...waiting.value })
      }).pipe(oneAtATime)

    const settle = (job: Generation, result: stepTranslation.Result<unknown>) => {
      if (Either.isRight(result))
        return waits.delete(keyOf(job)) ? persist(jobs.resetWaits(job)) : Effect.void
      const obstacle = result.left
      if (obstacle._tag === "Waits") return pauseJob(job, obstacle.reason, obstacle.error)
      return obstacle._tag === "Failed" ? failJob(job, obstacle.error) : Effect.void
    }

    const openAndRun = <A>(job: Generation, step: Step<A, E, R>, attempt: stepTranslation.Attempt) =>
      Effect.matchEffect(open(job), {
        onFailure: (error) => Effect.succeed(Either.left(stepTranslation.graveObstacleOf(error))),
        onSuccess: (opened) => Effect.ensuring(step(opened, attempt), opened.settled)
      }).pipe(Effect.scoped, Effect.provide(context))

    /** One attempt, once it has a slot. After a quota that is used up, the job is held until the tables say that it waits. */
    const attempt = <A>(job: Generation, step: Step<A, E, R>, hasBegun: boolean) =>
      Effect.gen(function* () {
        const isOpen = gate.isOpen(job)
        const onQuotaExceeded = yield* Effect.once(Scope.extend(gate.hold(job), yield* Effect.scope))
        const result: stepTranslation.Result<A> = yield* Effect.gen(function* () {
          yield* hasBegun ? slots.begun : slots.fresh
          if (!(yield* isOpen)) return Either.left({ _tag: "Halted" } as const)
          return yield* stepTranslation.halting(
            (halted) => openAndRun(job, step, { halted, requests, isOpen, onQuotaExceeded }),
            { bound: drain, closed: gate.closed(job), scope }
          )
        }).pipe(Effect.scoped)
        yield* settle(job, result)
        return Either.getRight(result)
      }).pipe(Effect.scoped)

    const run: Steps<E, R>["run"] = (job, step, hasBegun = false) =>
      Effect.gen(function* () {
        while (yield* persist(gate.admit(job))) {
          const result = yield* attempt(job, step, hasBegun)
          if (Option.isSome(result)) return result
        }
        return Option.none()
      })

    return {
      run,
      inFlight: Effect.map(requests.state, ({ inUse }) => inUse),
      idle: Effect.scoped(
        Effect.replicateEffect(Effect.zip(slots.fresh, slots.begun), stepsAtOnce, { discard: true })
      )
    }
  })
