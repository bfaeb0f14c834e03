import { type WorkflowEngine, WorkflowInstance } from "@effect/workflow/WorkflowEngine"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as JobOptions from "../../../job/JobOptions.js"
import { missingChoices, type Reason } from "../../../job/JobReport.js"
import { JobStopped } from "../../../job/JobSource.js"
import { checkSelections } from "../../../job/TranslationJob.js"
import { CorpusWorkflow, type Receipt, StepWorkflow } from "../../CorpusWorkflow.js"
import type { WorkerEvent } from "../../WorkerEvent.js"
import type { Gate } from "../steps/jobAdmission.js"
import * as jobPlan from "../steps/jobPlan.js"
import type { Opened } from "../steps/openJobs.js"
import { persist } from "../steps/persist.js"
import type { Steps } from "../steps/stepRunner.js"
import * as stepTranslation from "../steps/stepTranslation.js"
import type { Generation, Service as Jobs, Planned, Tallies } from "../tables/jobTables.js"
import * as tallies from "../tables/tallies.js"

/**
 * The number of steps of a job that are executed at once, on all machines. The engine puts each on a machine by chance:
 * with many of them few wait.
 */
const stepsAtOnce = 40

/**
 * The pause between looks at the progress of a step. The first time it is recorded that it has begun, so that it need
 * not wait for others if its worker is lost.
 */
const progressInterval = Duration.millis(100)

/** The number of intervals after which the progress is recorded at the latest. */
const intervalsUntold = 10

/**
 * The number of paid texts after which the progress is recorded: those that are not recorded count as found if the
 * worker is lost, so a fast step records more often.
 */
const mostTextsUntold = 1000

const stopped: Receipt = { state: "stopped", failedOutputs: 0 }

const done: Receipt = { state: "done", failedOutputs: 0 }

const both = (first: Receipt, second: Receipt): Receipt => ({
  state: first.state === "stopped" ? first.state : second.state,
  failedOutputs: first.failedOutputs + second.failedOutputs,
  error: first.error ?? second.error
})

export interface Options<E, R> {
  readonly jobs: Jobs
  readonly gate: Gate
  readonly steps: Steps<E, R>
  readonly onEvent: (event: WorkerEvent) => Effect.Effect<void>
}

/** Runs steps, `stepsAtOnce` at once, and begins no more after one that was stopped. */
const untilStopped = <R>(
  from: number,
  to: number,
  run: (step: number) => Effect.Effect<Receipt, never, R>
): Effect.Effect<Receipt, never, R> =>
  Effect.suspend(() => {
    let sum = done
    return Effect.forEach(
      Array.from({ length: to - from }, (_, index) => from + index),
      (step) =>
        Effect.suspend(() =>
          sum.state === "stopped"
            ? Effect.void
            : Effect.map(run(step), (receipt) => {
                sum = both(sum, receipt)
              })
        ),
      { concurrency: stepsAtOnce, discard: true }
    ).pipe(Effect.map(() => sum))
  })

/** Cuts a job into steps, if no attempt before has come so far. None if it is to end. */
const planning = <E, R>({ gate, jobs, steps }: Options<E, R>, job: Generation) => {
  const cut = steps.run(job, ({ corpus, job: { batchTexts, targets } }) =>
    Effect.gen(function* () {
      for (const { source } of corpus.sources)
        yield* source.check?.(targets.map(JobOptions.canonical)) ?? Effect.void
      yield* checkSelections({ sources: corpus.sources.map(({ source }) => source) })
      const workers = yield* persist(jobs.workers)
      // A job that was told to end does not read to the end.
      const goOn = Effect.flatMap(gate.isCancelled(job), (isCancelled) =>
        isCancelled ? Effect.fail(new JobStopped()) : Effect.void
      )
      const plan = yield* jobPlan.make(corpus, { batchTexts, targets: targets.length, workers }, goOn)
      return yield* persist(jobs.planned(job, plan))
    }).pipe(Effect.mapError(stepTranslation.graveObstacleOf), Effect.either)
  )
  return Effect.flatMap(persist(jobs.plan(job)), (stored) =>
    Option.isSome(stored) ? Effect.succeed(stored) : cut
  )
}

/**
 * Executes a step without the job in the context: the engine would resume that at the end of each, which waits for all of them and is never
 * suspended.
 */
const execute = (job: Generation, step: number) =>
  Effect.mapInputContext(StepWorkflow.execute({ ...job, step }), (context: Context.Context<WorkflowEngine>) =>
    Context.omit(WorkflowInstance)(context)
  )

/** Tells how far a step is, again and again until the effect ends. The outputs of a source that was cut are found in the store. */
const telling =
  (step: Planned, tell: (tallies: Tallies) => Effect.Effect<void>, now: () => Tallies) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    if (step.kind === "output") return self
    let told: number | undefined
    let intervals = 0
    const news = Effect.suspend(() => {
      const tallies = now()
      const count = Object.values(tallies).reduce(
        (sum, { cached, skipped, translated }) => sum + translated + cached + skipped,
        0
      )
      intervals++
      const isTold =
        told !== undefined &&
        (count === told || (intervals < intervalsUntold && count - told < mostTextsUntold))
      if (isTold) return Effect.void
      told = count
      intervals = 0
      return tell(tallies)
    })
    return Effect.scoped(
      Effect.zipRight(Effect.forkScoped(Effect.forever(Effect.delay(news, progressInterval))), self)
    )
  }

const StepBody = <E, R>({ jobs, steps }: Options<E, R>) =>
  StepWorkflow.toLayer(({ step: number, ...job }) =>
    Effect.gen(function* () {
      const planned = yield* persist(jobs.step(job, number))
      if (Option.isNone(planned)) return done
      const step = planned.value
      const receiptOf = (failedOutputs: number, error: Receipt["error"]): Receipt => ({
        state: "done",
        failedOutputs,
        error
      })
      if (step.isDone) return receiptOf(step.failedOutputs, step.error)
      /** The counts of attempts that were halted: they were paid for. */
      let before = step.tallies
      const hasBegun = Object.keys(before).length > 0
      const translate = (opened: Opened<E, R>, attempt: stepTranslation.Attempt) =>
        Effect.suspend(() => {
          const translation = stepTranslation.make(opened, step, attempt)
          const now = () => tallies.resumed(before, translation.tallies(), step.kind === "slice")
          const tell = (tallies: Tallies) => persist(jobs.progressed(job, number, tallies))
          return translation.run.pipe(
            telling(step, tell, now),
            Effect.map(
              Either.map(({ stale, ...result }) => ({ ...result, tallies: tallies.withStale(now(), stale) }))
            ),
            Effect.tap((result) =>
              Effect.gen(function* () {
                // Of a step that has ended as it was halted, the result may reach nobody any more.
                if (Either.isRight(result) && !(yield* Deferred.isDone(attempt.halted))) return
                before = now()
                if (step.kind !== "output") yield* tell(before)
              })
            )
          )
        })
      const result = yield* steps.run(job, translate, hasBegun)
      if (Option.isNone(result)) return stopped
      const { errors, ...texts } = result.value
      const failedOutputs = errors.length
      const [error] = errors
      yield* persist(jobs.record(job, number, { ...texts, failedOutputs, error }))
      return receiptOf(failedOutputs, error)
    })
  )

/** The error of a job that has a column or a path in none of its sources, where only their ends know that. */
const choiceFailure = (jobs: Jobs, job: Generation) =>
  Effect.map(persist(jobs.fits(job)), (fits): Reason | undefined => {
    const [lacking] = missingChoices(fits)
    return (
      lacking && {
        tag: "FormatError",
        message: `no source has ${lacking.value}, but ${lacking.known}: correct \`${lacking.option}\`. The outputs are written without it.`
      }
    )
  })

const CorpusBody = <E, R>(options: Options<E, R>) => {
  const { jobs, onEvent } = options
  const end = (job: Generation, { error, failedOutputs, state }: Receipt) =>
    Effect.gen(function* () {
      if (state === "stopped") {
        if (yield* persist(jobs.ended(job, "cancelled")))
          yield* onEvent({ _tag: "JobEnded", ...job, state: "cancelled" })
        return
      }
      const failure =
        error === undefined
          ? yield* choiceFailure(jobs, job)
          : {
              tag: error.tag,
              message:
                failedOutputs === 1
                  ? `An output was not written: ${error.message}`
                  : `${failedOutputs} outputs were not written; the first: ${error.message}`
            }
      const ended = failure === undefined ? "done" : "failed"
      if (yield* persist(jobs.ended(job, ended, failure))) {
        yield* onEvent({ _tag: "JobEnded", ...job, state: ended, error: failure })
      }
    })
  return CorpusWorkflow.toLayer((job) =>
    Effect.gen(function* () {
      const plan = yield* planning(options, job)
      const run = (from: number, to: number) => untilStopped(from, to, (step) => execute(job, step))
      const receipt = yield* Option.match(plan, {
        onNone: () => Effect.succeed(stopped),
        onSome: ({ first, steps }) =>
          Effect.flatMap(run(0, first), (before) =>
            before.state === "stopped"
              ? Effect.succeed(before)
              : Effect.map(run(first, steps), (after) => both(before, after))
          )
      })
      yield* end(job, receipt)
      return receipt
    })
  )
}

/** The workflows of jobs. */
export const layer = <E, R>(options: Options<E, R>) => Layer.merge(StepBody(options), CorpusBody(options))
