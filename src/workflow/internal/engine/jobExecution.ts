import { type WorkflowEngine, WorkflowInstance } from "@effect/workflow/WorkflowEngine"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
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
const intervalsUnrecorded = 10

/**
 * The number of paid texts after which the progress is recorded: those that are not recorded count as found if the
 * worker is lost, so a fast step records more often.
 */
const mostTextsUnrecorded = 1000

const stopped: Receipt = { state: "stopped", failedOutputs: 0 }

const done = (failedOutputs = 0, error?: Reason): Receipt => ({ state: "done", failedOutputs, error })

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

/** The plan of a job, which is made if no worker has stored one. None if the job is to end. */
const findOrMakePlan = <E, R>({ gate, jobs, steps }: Options<E, R>, job: Generation) => {
  const make = steps.run(job, ({ corpus, job: { batchTexts, targets } }) =>
    Effect.gen(function* () {
      for (const { source } of corpus.sources)
        yield* source.check?.(targets.map(JobOptions.canonical)) ?? Effect.void
      yield* checkSelections({ sources: corpus.sources.map(({ source }) => source) })
      const workers = yield* persist(jobs.countWorkers)
      // A job that was cancelled does not read to the end.
      const goOn = Effect.flatMap(gate.isCancelled(job), (isCancelled) =>
        isCancelled ? Effect.fail(new JobStopped()) : Effect.void
      )
      const plan = yield* jobPlan.make(corpus, { batchTexts, targets: targets.length, workers }, goOn)
      return yield* persist(jobs.storePlan(job, plan))
    }).pipe(Effect.mapError(stepTranslation.graveObstacleOf), Effect.either)
  )
  return Effect.flatMap(persist(jobs.findPlan(job)), (stored) =>
    Option.isSome(stored) ? Effect.succeed(stored) : make
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

/** Executes the steps from `first` to `end`, `stepsAtOnce` at once, and begins no more after one that was stopped. */
const executeAll = (job: Generation, first: number, end: number) =>
  Effect.gen(function* () {
    let sum = done()
    yield* Effect.forEach(
      Array.from({ length: end - first }, (_, index) => first + index),
      (step) =>
        Effect.suspend(() =>
          sum.state === "stopped"
            ? Effect.void
            : Effect.map(execute(job, step), (receipt) => {
                sum = both(sum, receipt)
              })
        ),
      { concurrency: stepsAtOnce, discard: true }
    )
    return sum
  })

const countOf = (tallies: Tallies): number =>
  Object.values(tallies).reduce(
    (sum, { cached, skipped, translated }) => sum + translated + cached + skipped,
    0
  )

/** Records the counts of a step while an effect runs: at its begin, and whenever they are news. */
const recordingProgress =
  (counts: () => Tallies, record: (tallies: Tallies) => Effect.Effect<void>) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const look = (last: { readonly count: number; readonly intervals: number }) =>
      Effect.suspend(() => {
        const tallies = counts()
        const count = countOf(tallies)
        const intervals = last.intervals + 1
        const added = count - last.count
        return added > 0 && (intervals >= intervalsUnrecorded || added >= mostTextsUnrecorded)
          ? Effect.as(record(tallies), { count, intervals: 0 })
          : Effect.succeed({ ...last, intervals })
      }).pipe(Effect.delay(progressInterval))
    const looks = Effect.iterate(
      { count: Number.NEGATIVE_INFINITY, intervals: 0 },
      { while: () => true, body: look }
    )
    return Effect.scoped(Effect.zipRight(Effect.forkScoped(looks), self))
  }

/** Translates a step until it has its result, and returns the counts of all attempts: those that were halted were paid for. */
const translate = <E, R>({ jobs, steps }: Options<E, R>, job: Generation, number: number, step: Planned) =>
  Effect.gen(function* () {
    const counts = yield* Ref.make(step.tallies)
    // The outputs of a source that was cut are found in the store.
    const isOutput = step.kind === "output"
    const record = (tallies: Tallies) => persist(jobs.recordProgress(job, number, tallies))
    const attempt = (opened: Opened<E, R>, attempt: stepTranslation.Attempt) =>
      Effect.gen(function* () {
        const before = yield* counts
        const translation = stepTranslation.make(opened, step, attempt)
        const now = () => tallies.resumed(before, translation.tallies(), step.kind === "slice")
        const run = isOutput ? translation.run : recordingProgress(now, record)(translation.run)
        const result = Either.map(yield* run, ({ stale, ...translated }) => ({
          ...translated,
          tallies: tallies.withStale(now(), stale)
        }))
        // Of a step that has ended as it was halted, the result may reach nobody any more.
        if (Either.isLeft(result) || (yield* Deferred.isDone(attempt.halted))) {
          yield* Ref.set(counts, now())
          if (!isOutput) yield* record(now())
        }
        return result
      })
    return yield* steps.run(job, attempt, Object.keys(step.tallies).length > 0)
  })

const stepLayer = <E, R>(options: Options<E, R>) =>
  StepWorkflow.toLayer(({ step: number, ...job }) =>
    Effect.gen(function* () {
      const { jobs } = options
      const step = yield* persist(jobs.findStep(job, number))
      if (Option.isNone(step)) return done()
      if (step.value.isDone) return done(step.value.failedOutputs, step.value.error)
      const translated = yield* translate(options, job, number, step.value)
      if (Option.isNone(translated)) return stopped
      const { errors, ...result } = translated.value
      const failedOutputs = errors.length
      const [error] = errors
      yield* persist(jobs.recordResult(job, number, { ...result, failedOutputs, error }))
      return done(failedOutputs, error)
    })
  )

/** The error of a job that has a column or a path in none of its sources, where only their ends know that. */
const choiceFailure = (jobs: Jobs, job: Generation) =>
  Effect.map(persist(jobs.listFits(job)), (fits): Reason | undefined => {
    const [lacking] = missingChoices(fits)
    return (
      lacking && {
        tag: "FormatError",
        message: `no source has ${lacking.value}, but ${lacking.known}: correct \`${lacking.option}\`. The outputs are written without it.`
      }
    )
  })

/** The error of a job by the receipt of its steps. */
const failureOf = (jobs: Jobs, job: Generation, { error, failedOutputs }: Receipt) => {
  if (error === undefined) return choiceFailure(jobs, job)
  const unwritten =
    failedOutputs === 1 ? "An output was not written" : `${failedOutputs} outputs were not written; the first`
  return Effect.succeed({ tag: error.tag, message: `${unwritten}: ${error.message}` })
}

const corpusLayer = <E, R>(options: Options<E, R>) => {
  const { jobs, onEvent } = options
  const end = (job: Generation, receipt: Receipt) =>
    Effect.gen(function* () {
      const isStopped = receipt.state === "stopped"
      const error = isStopped ? undefined : yield* failureOf(jobs, job, receipt)
      const state = isStopped ? "cancelled" : error === undefined ? "done" : "failed"
      const isFirst = yield* persist(jobs.end(job, state, error))
      if (isFirst) yield* onEvent({ _tag: "JobEnded", ...job, state, error })
    })
  return CorpusWorkflow.toLayer((job) =>
    Effect.gen(function* () {
      const plan = yield* findOrMakePlan(options, job)
      let receipt = stopped
      if (Option.isSome(plan)) {
        const { first, steps } = plan.value
        receipt = yield* executeAll(job, 0, first)
        if (receipt.state === "done") receipt = both(receipt, yield* executeAll(job, first, steps))
      }
      yield* end(job, receipt)
      return receipt
    })
  )
}

/** The workflows of jobs. */
export const layer = <E, R>(options: Options<E, R>) => Layer.merge(stepLayer(options), corpusLayer(options))
