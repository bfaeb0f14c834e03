import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as ConcurrencyLimit from "../../../client/ConcurrencyLimit.js"
import type { Reason } from "../../../job/JobReport.js"
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

/** Something that is done for a job on a worker, until it is halted. */
export type Step<A, E, R> = (
  opened: Opened<E, R>,
  attempt: stepTranslation.Attempt
) => Effect.Effect<stepTranslation.Result<A>, never, R>

/** Does the steps of jobs on a worker. */
export interface Steps<E, R> {
  /**
   * Runs a step, and waits for all that it has to wait for, even if that takes a month. None if the job has ended, or is to
   * end. Its requests in flight are recorded first when it is interrupted. A step that has begun on a worker that is gone
   * waits for no step that has not begun.
   */
  readonly run: <A>(
    job: Generation,
    step: Step<A, E, R>,
    hasBegun?: boolean
  ) => Effect.Effect<Option.Option<A>>
  /** Requests in flight. */
  readonly inFlight: Effect.Effect<number>
  /** Waits until no step is in flight. */
  readonly idle: Effect.Effect<void>
}

export const make = <E, R>(options: Options<E, R>): Effect.Effect<Steps<E, R>, never, R> =>
  Effect.gen(function* () {
    const { concurrency, drain, gate, jobs, onEvent, open, scope } = options
    const context = yield* Effect.context<R>()
    const permit = (limit: ConcurrencyLimit.Service) =>
      Effect.acquireRelease(limit.take, ({ release }) => release)
    const slots = Effect.map(Scope.extend(ConcurrencyLimit.makeFixed(stepsAtOnce), scope), permit)
    const steps = { anew: yield* slots, again: yield* slots }
    const requests = yield* Scope.extend(ConcurrencyLimit.makeFixed(concurrency), scope)
    /** Steps in flight meet the same about the same time: one of them makes the job wait, and asks and tells until when. */
    const oneAtATime = (yield* Effect.makeSemaphore(1)).withPermits(1)
    /** The number of waits in a row by job, as far as this worker knows. */
    const waited = new Map<string, number>()
    const nameOf = ({ generation, id }: Generation) => `${id} ${generation}`

    const fail = (job: Generation, error: Reason) => {
      waited.delete(nameOf(job))
      return persist(jobs.ended(job, "failed", error)).pipe(
        Effect.tap((isFirst) =>
          isFirst ? onEvent({ _tag: "JobEnded", ...job, state: "failed", error }) : Effect.void
        ),
        Effect.zipRight(persist(gate.refresh))
      )
    }

    const wait = (
      job: Generation,
      { error, reason }: Extract<stepTranslation.Obstacle, { readonly _tag: "Waits" }>
    ) =>
      Effect.gen(function* () {
        yield* persist(gate.refresh)
        // Another step has met the same before.
        if (!(yield* gate.isToldToRun(job))) return
        const waiting = yield* jobWaits.next(
          options,
          reason,
          (waited.get(nameOf(job)) ?? 0) + 1,
          yield* persist(jobs.now)
        )
        if (Option.isNone(waiting)) return yield* fail(job, error)
        waited.set(nameOf(job), yield* persist(jobs.wait(job, waiting.value)))
        yield* persist(gate.refresh)
        yield* onEvent({ _tag: "JobWaits", ...job, ...waiting.value })
      }).pipe(oneAtATime)

    const overcome = (job: Generation, obstacle: stepTranslation.Obstacle) => {
      switch (obstacle._tag) {
        case "Halted":
          return Effect.void
        case "Waits":
          return wait(job, obstacle)
        case "Failed":
          return fail(job, obstacle.error)
      }
    }

    const proceeded = (job: Generation) =>
      Effect.suspend(() => (waited.delete(nameOf(job)) ? persist(jobs.proceeded(job)) : Effect.void))

    /** One attempt, once it has a slot. Once it has met a quota that is used up, the job is held until all machines wait. */
    const attempt = <A>(job: Generation, step: Step<A, E, R>, hasBegun: boolean) =>
      Effect.gen(function* () {
        const attemptScope = yield* Effect.scope
        const onQuotaExceeded = yield* Effect.once(Scope.extend(gate.hold(job), attemptScope))
        const opening = (halted: stepTranslation.Halted) =>
          Effect.flatMap(Effect.either(open(job)), (opened) =>
            Either.isRight(opened)
              ? Effect.ensuring(
                  step(opened.right, { halted, requests, isOpen: gate.isOpen(job), onQuotaExceeded }),
                  opened.right.settled
                )
              : Effect.succeed(Either.left(stepTranslation.graveObstacleOf(opened.left)))
          ).pipe(Effect.scoped, Effect.provide(context))
        const result: stepTranslation.Result<A> = yield* Effect.zipRight(
          hasBegun ? steps.again : steps.anew,
          Effect.flatMap(gate.isOpen(job), (isOpen) =>
            isOpen
              ? stepTranslation.halting(opening, { bound: drain, closed: gate.closed(job), scope })
              : Effect.succeed(Either.left({ _tag: "Halted" as const }))
          )
        ).pipe(Effect.scoped)
        yield* Either.isRight(result) ? proceeded(job) : overcome(job, result.left)
        return result
      }).pipe(Effect.scoped)

    const run: Steps<E, R>["run"] = (job, step, hasBegun = false) =>
      Effect.flatMap(persist(gate.admit(job)), (isAdmitted) =>
        isAdmitted
          ? Effect.flatMap(attempt(job, step, hasBegun), (result) =>
              Either.isRight(result) ? Effect.succeedSome(result.right) : run(job, step, hasBegun)
            )
          : Effect.succeedNone
      )

    return {
      run,
      inFlight: Effect.map(requests.state, ({ inUse }) => inUse),
      idle: Effect.scoped(
        Effect.replicateEffect(Effect.zip(steps.anew, steps.again), stepsAtOnce, { discard: true })
      )
    }
  })
