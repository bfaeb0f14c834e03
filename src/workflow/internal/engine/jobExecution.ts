import * as Activity from "@effect/workflow/Activity"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { translateTexts } from "../../../api/Limits.js"
import { JobStopped } from "../../../job/JobSource.js"
import { CorpusWorkflow, Receipt, ShardWorkflow } from "../../CorpusWorkflow.js"
import type { WorkerEvent } from "../../WorkerEvent.js"
import type { Gate } from "../steps/jobAdmission.js"
import * as plans from "../steps/jobShards.js"
import { persist, type Steps } from "../steps/stepRunner.js"
import * as stepTranslation from "../steps/stepTranslation.js"
import type { Generation, Service as Jobs, Step } from "../tables/jobTables.js"

/**
 * How many shards of a job are executed at once, on all machines. The engine puts each on a machine by chance: with many of them few machines
 * wait. It keeps what was done of each in memory: with 100 shards of up to 200 steps a worker took 2 GB.
 */
const shardsAtOnce = 40

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
  /** How many steps of a shard are done at once. */
  readonly concurrency: number
  readonly onEvent: (event: WorkerEvent) => Effect.Effect<void>
}

/** Runs one after the other, so many at once, and begins no more after one that was stopped. Each is made when its turn comes. */
const untilStopped = <A, R>(
  all: ReadonlyArray<A>,
  run: (one: A, index: number) => Effect.Effect<Receipt, never, R>,
  concurrency: number
): Effect.Effect<Receipt, never, R> =>
  Effect.suspend(() => {
    let sum = done
    return Effect.forEach(
      all,
      (one, index) =>
        Effect.suspend(() =>
          sum.state === "stopped"
            ? Effect.void
            : Effect.map(run(one, index), (receipt) => {
                sum = both(sum, receipt)
              })
        ),
      { concurrency, discard: true }
    ).pipe(Effect.map(() => sum))
  })

const Plan = Schema.Struct({ slices: Schema.Number, shards: Schema.Number })

/** Cuts a job into shards. None if it is to end. */
const planning = <E, R>({ gate, jobs, steps }: Options<E, R>, job: Generation) =>
  steps.run(job, ({ corpus, job: { batchTexts = translateTexts, targets } }) =>
    Effect.gen(function* () {
      yield* persist(jobs.unplan(job))
      for (const { source } of corpus.sources) yield* source.check?.(targets) ?? Effect.void
      const plan = yield* plans.make(corpus, batchTexts, (shard) =>
        Effect.gen(function* () {
          const execution = yield* ShardWorkflow.executionId({ ...job, shard: shard.number })
          yield* persist(jobs.addShard(job, { ...shard, execution }))
          // A job that was told to end does not read to the end.
          if (yield* gate.isCancelled(job)) return yield* Effect.fail(new JobStopped())
        })
      )
      yield* persist(jobs.planned(job, plan))
      return plan
    }).pipe(Effect.mapError(stepTranslation.graveObstacleOf), Effect.either)
  )

const ShardBody = <E, R>({ concurrency, jobs, steps }: Options<E, R>) =>
  ShardWorkflow.toLayer(({ shard, ...job }) =>
    Effect.gen(function* () {
      const all = yield* persist(jobs.steps(job, shard))
      const run = (step: Step, index: number) =>
        Activity.make({
          name: `step/${index}`,
          success: Receipt,
          execute: Effect.gen(function* () {
            const result = yield* steps.run(job, (opened, halted) =>
              stepTranslation.translate(opened, step, halted)
            )
            if (Option.isNone(result)) return stopped
            const { errors, failures, tallies } = result.value
            const isWhole = step.slice === undefined
            const failedOutputs = errors.length
            const at = { shard, step: index, source: step.source, isWhole, failedOutputs }
            yield* persist(jobs.record(job, at, tallies, failures))
            return { state: "done", failedOutputs, error: errors[0] } satisfies Receipt
          })
        })
      const receipt = yield* untilStopped(all, run, concurrency)
      yield* Activity.make({ name: "close", execute: persist(jobs.closeShard(job, shard)) })
      return receipt
    })
  )

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
          ? undefined
          : {
              tag: error.tag,
              message:
                failedOutputs === 1
                  ? `An output could not be written: ${error.message}`
                  : `${failedOutputs} outputs could not be written; the first: ${error.message}`
            }
      const ended = failure === undefined ? "done" : "failed"
      if (yield* persist(jobs.ended(job, ended, failure))) {
        yield* onEvent({ _tag: "JobEnded", ...job, state: ended, error: failure })
      }
    })
  return CorpusWorkflow.toLayer((job) =>
    Effect.gen(function* () {
      const plan = yield* Activity.make({
        name: "plan",
        success: Schema.Option(Plan),
        execute: planning(options, job)
      })
      const shards = (from: number, to: number) =>
        untilStopped(
          Array.from({ length: to - from }, (_, index) => from + index),
          (shard) => ShardWorkflow.execute({ ...job, shard }),
          shardsAtOnce
        )
      const receipt = yield* Option.match(plan, {
        onNone: () => Effect.succeed(stopped),
        onSome: ({ shards: all, slices }) =>
          Effect.flatMap(shards(0, slices), (first) =>
            first.state === "stopped"
              ? Effect.succeed(first)
              : Effect.map(shards(slices, all), (second) => both(first, second))
          )
      })
      yield* Activity.make({ name: "end", execute: end(job, receipt) })
      return receipt
    })
  )
}

/** The workflows of jobs. */
export const layer = <E, R>(options: Options<E, R>) => Layer.merge(ShardBody(options), CorpusBody(options))
