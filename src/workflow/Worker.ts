/**
 * A machine that translates durable jobs, one among any number: it executes the steps that the engine gives it, and
 * obeys the control of jobs.
 *
 * @since 0.1.0
 */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as CircuitBreaker from "../client/CircuitBreaker.js"
import * as TranslateClient from "../client/TranslateClient.js"
import type * as Translator from "../client/Translator.js"
import { version } from "../internal/version.js"
import type * as TranslationStore from "../store/TranslationStore.js"
import * as ServiceLimits from "../stream/ServiceLimits.js"
import * as Cluster from "./Cluster.js"
import * as ClusterError from "./ClusterError.js"
import * as Corpus from "./Corpus.js"
import { CorpusWorkflow } from "./CorpusWorkflow.js"
import * as jobExecution from "./internal/engine/jobExecution.js"
import * as jobJournals from "./internal/engine/jobJournals.js"
import * as gates from "./internal/steps/jobAdmission.js"
import * as openedJobs from "./internal/steps/openJobs.js"
import * as retention from "./internal/steps/retention.js"
import * as stepRunner from "./internal/steps/stepRunner.js"
import * as jobsSql from "./internal/tables/jobsSql.js"
import { type Active, Jobs } from "./internal/tables/jobTables.js"
import type * as JobControl from "./JobControl.js"
import type { JobControlError, JobsVersionUnknown } from "./JobControlError.js"
import type { WorkerEvent } from "./WorkerEvent.js"

/**
 * Options of a worker.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options<K extends Corpus.Kind<unknown, unknown> = Corpus.Kind> {
  /** The kinds of corpora that jobs may name. All workers know the same. */
  readonly kinds: ReadonlyArray<K>
  /**
   * The number of requests in flight at once on this machine. The `ConcurrencyLimit` may allow fewer.
   *
   * @default 8
   */
  readonly concurrency?: number | undefined
  /**
   * The time for requests in flight when this worker leaves, or a job is to pause or to end. Requests without an answer by
   * then are given up, and may be paid for again.
   *
   * @default 12 seconds
   */
  readonly drain?: Duration.DurationInput | undefined
  /**
   * When jobs go on whose quota is used up, once the end of its period, which the service is asked for, has passed. When it
   * ends, they fail.
   *
   * @default every 15 minutes, without end
   */
  readonly quotaSchedule?: Schedule.Schedule<unknown> | undefined
  /**
   * When jobs go on while the service is down. When it ends, they fail.
   *
   * @default after pauses that double from 15 seconds to 5 minutes, without end
   */
  readonly outageSchedule?: Schedule.Schedule<unknown> | undefined
  /**
   * Called once the database is lost: see `Cluster`. The engine does not recover from that by itself, so this process
   * has to end.
   *
   * @default says so on standard error, and ends the process at once with exit code 75, for its supervisor
   */
  readonly onLost?: ((error: ClusterError.StorageLost) => Effect.Effect<void>) | undefined
  /**
   * Called once the tables of the jobs are those of another version, as another worker has made them anew. This worker has
   * drawn nothing since, and requests in flight are recorded.
   *
   * @default says so on standard error, and ends the process with exit code 76
   */
  readonly onOutdated?: ((error: JobsVersionUnknown) => Effect.Effect<void>) | undefined
  /**
   * The time for which ended jobs are kept, and ended requests in the ledger of the store. One of all workers removes older
   * ones, once an hour. Translations and corrections stay. @default for ever
   */
  readonly keep?: Duration.DurationInput | undefined
  /**
   * The time for which translations of the machine are kept in the store. A text that is asked for again after that time is
   * paid for again; corrections stay. @default for ever
   */
  readonly keepTranslations?: Duration.DurationInput | undefined
  /** Called with each event of this worker. @default nothing */
  readonly onEvent?: ((event: WorkerEvent) => Effect.Effect<void>) | undefined
}

/**
 * The option `circuit` for clients of workers. Jobs wait by themselves while the service is down, so that a pause or a restart of a worker
 * need not wait for requests: after 7 seconds calls fail with `Outage`.
 *
 * @since 0.1.0
 * @category constants
 */
export const circuit: CircuitBreaker.Policy = CircuitBreaker.make({
  schedule: CircuitBreaker.defaultStartSchedule
})

/**
 * The services of a worker, in addition to the contexts of its kinds: `LibsqlWorker.layer` and `PgWorker.layer` bring them.
 *
 * @since 0.1.0
 * @category models
 */
export type Services =
  | JobControl.JobControl
  | TranslationStore.TranslationStore
  | TranslateClient.Provided
  | Cluster.Provided

const defaultOutageSchedule = Schedule.exponential("15 seconds").pipe(
  Schedule.union(Schedule.spaced("5 minutes"))
)

/** Nothing is closed: that would ask the database. */
const exit = (error: { readonly message: string }, code: number): Effect.Effect<void> =>
  Effect.sync(() => {
    process.stderr.write(`${error.message}\n`)
    process.exit(code)
  })

/** The pause between reads of the control of jobs. */
const controlInterval = Duration.millis(500)

/** The pause between signs that a worker is alive, with its findings about the service. */
const heartbeatInterval = Duration.seconds(2)

/** The pause between the questions of a worker, if it is its turn to remove old entries. */
const upkeepInterval = Duration.minutes(1)

/** Does something again and again. A database that is away is noticed by the engine. */
const repeatedly = <R>(self: Effect.Effect<unknown, JobControlError, R>, interval: Duration.Duration) =>
  self.pipe(
    Effect.catchAllCause((cause) => Effect.logDebug("A worker could not reach its tables", cause)),
    Effect.repeat(Schedule.spaced(interval)),
    Effect.forkScoped
  )

/**
 * A worker. It needs an engine (`Cluster`), and everything that translates: a client, and a `TranslationStore` that all machines share.
 *
 * When its scope closes it draws nothing new, lets requests in flight finish, and then leaves its shards to others. Interrupt the program
 * for that, as `NodeProgram.runMain` does on SIGTERM.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: <K extends Corpus.Kind<unknown, unknown>>(
  options: Options<K>
) => Layer.Layer<
  never,
  JobControlError,
  | Corpus.ContextOf<K>
  | Cluster.Provided
  | TranslateClient.TranslateClient
  | TranslationStore.TranslationStore
  | Translator.Translator
> = ({
  concurrency = 8,
  drain = "12 seconds",
  keep,
  keepTranslations,
  kinds,
  onEvent = () => Effect.void,
  onLost = (error) => exit(error, ClusterError.exitCode(error)),
  onOutdated = (error) => exit(error, ClusterError.exitCodeOfVersion),
  outageSchedule = defaultOutageSchedule,
  quotaSchedule = Schedule.spaced("15 minutes")
}) =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const { address, lost } = yield* Cluster.Cluster
      const { identity, usage } = yield* TranslateClient.TranslateClient
      const serviceLimits = yield* ServiceLimits.make()
      const gate = yield* gates.make(jobs)
      const steps = yield* stepRunner.make({
        jobs,
        gate,
        open: yield* openedJobs.make(jobs, Corpus.unified(kinds), {
          concurrency,
          gate,
          serviceLimits,
          worker: address
        }),
        concurrency,
        drain: Duration.decode(drain),
        scope: yield* Effect.scope,
        quotaSchedule,
        outageSchedule,
        usage,
        onEvent
      })
      const workflows = jobExecution.layer({ jobs, gate, steps, onEvent })

      let isOutdated = false
      const begin = ({ generation, id, isStarted }: Active) =>
        isStarted || isOutdated
          ? Effect.void
          : Effect.flatMap(CorpusWorkflow.execute({ id, generation }, { discard: true }), (execution) =>
              Effect.zipRight(
                jobs.start({ id, generation }, execution),
                onEvent({ _tag: "JobBegun", id, generation })
              )
            )
      const obey = Effect.flatMap(gate.refresh, (active) => Effect.forEach(active, begin, { discard: true }))

      const startedAt = yield* DateTime.now
      let state: "running" | "draining" = "running"
      const beat = Effect.flatMap(steps.inFlight, (inFlight) =>
        jobs.heartbeat(address, { version, startedAt, inFlight, state })
      )
      const outdated = (error: JobsVersionUnknown) =>
        Effect.suspend(() => {
          if (isOutdated) return Effect.void
          isOutdated = true
          return gate.drain.pipe(Effect.zipRight(steps.idle), Effect.zipRight(onOutdated(error)))
        })
      const learn = Effect.flatMap(serviceLimits.state, (state) =>
        Effect.flatMap(
          jobs.mergeLimits(`${identity.service} ${identity.account}`, state),
          serviceLimits.learn
        )
      )

      const leave = Effect.gen(function* () {
        state = "draining"
        yield* gate.drain
        yield* Effect.ignore(beat)
        yield* steps.idle
        yield* Effect.ignore(jobs.removeWorker(address))
      })

      const life = Layer.scopedDiscard(
        Effect.gen(function* () {
          yield* Effect.forkScoped(Effect.catchAll(lost, onLost))
          yield* repeatedly(
            Effect.catchTag(Effect.zipRight(beat, learn), "JobsVersionUnknown", outdated),
            heartbeatInterval
          )
          if (keep !== undefined || keepTranslations !== undefined) {
            yield* repeatedly(yield* retention.make({ jobs, keep, keepTranslations }), upkeepInterval)
          }
          yield* repeatedly(obey, controlInterval)
          yield* repeatedly(jobJournals.clear(jobs), heartbeatInterval)
          yield* Effect.addFinalizer(() => leave)
        })
      )
      return Layer.provideMerge(life, workflows)
    })
  ).pipe(Layer.provide(jobsSql.layer))
