/**
 * A machine that translates durable jobs, one among any number: it executes the shards that the engine gives it, and obeys what jobs were
 * told.
 *
 * @since 0.1.0
 */
import type { Sharding } from "@effect/cluster/Sharding"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { WorkflowEngine } from "@effect/workflow/WorkflowEngine"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as TranslateClient from "../client/TranslateClient.js"
import { version } from "../internal/version.js"
import type * as TranslationStore from "../store/TranslationStore.js"
import * as ServiceLimits from "../stream/ServiceLimits.js"
import type * as Translator from "../stream/Translator.js"
import * as Cluster from "./Cluster.js"
import * as ClusterError from "./ClusterError.js"
import * as Corpus from "./Corpus.js"
import { CorpusWorkflow } from "./CorpusWorkflow.js"
import * as jobExecution from "./internal/engine/jobExecution.js"
import * as gates from "./internal/steps/jobAdmission.js"
import * as openedJobs from "./internal/steps/openJobs.js"
import * as stepRunner from "./internal/steps/stepRunner.js"
import * as jobsSql from "./internal/tables/jobsSql.js"
import { type Active, Jobs } from "./internal/tables/jobTables.js"
import type * as JobControl from "./JobControl.js"
import type { JobControlError } from "./JobControlError.js"
import type { WorkerEvent } from "./WorkerEvent.js"

/**
 * How a worker works.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options<K extends Corpus.Kind<unknown, unknown> = Corpus.Kind> {
  /** The kinds of corpora that jobs may name. All workers know the same. */
  readonly kinds: ReadonlyArray<K>
  /**
   * How many steps are done at once on this machine; each sends a request for every language of its job. The `ConcurrencyLimit` may allow
   * fewer.
   *
   * @default 8
   */
  readonly concurrency?: number | undefined
  /**
   * How long what is in flight is waited for when this worker leaves, or a job is to pause or to end. What has not come then is given up,
   * and may be paid for again.
   *
   * @default 12 seconds
   */
  readonly drain?: Duration.DurationInput | undefined
  /**
   * When jobs go on whose quota is used up, once the end of its period, which the service is asked for, has passed. When it ends, they fail.
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
   * What is done once the database is lost: see `Cluster`. The engine does not recover from that by itself, so this process has to end.
   *
   * @default says so on standard error, and ends the process at once with `ClusterError.exitCodeOfLoss`, for its supervisor
   */
  readonly onLost?: ((error: ClusterError.StorageLost) => Effect.Effect<void>) | undefined
  /** Receives what happens here. @default nothing */
  readonly onEvent?: ((event: WorkerEvent) => Effect.Effect<void>) | undefined
}

/**
 * What a worker needs besides the contexts of its kinds: `LibsqlWorker.layer` and `PgWorker.layer` bring it with them.
 *
 * @since 0.1.0
 * @category models
 */
export type Services =
  | JobControl.JobControl
  | TranslationStore.TranslationStore
  | Translator.Provided
  | Cluster.Provided

const defaultOutageSchedule = Schedule.exponential("15 seconds").pipe(
  Schedule.union(Schedule.spaced("5 minutes"))
)

/** Nothing is closed: that would ask the database. */
const exit = (error: ClusterError.StorageLost): Effect.Effect<void> =>
  Effect.sync(() => {
    process.stderr.write(`${error.message}\n`)
    process.exit(ClusterError.exitCode(error))
  })

/** What jobs were told is read that often. */
const controlInterval = Duration.millis(500)

/** How often a worker tells that it is alive, and what it has learned of the service. */
const heartbeat = Duration.seconds(2)

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
 * When its scope closes it draws nothing new, lets what is in flight finish, and then leaves its shards to others. Interrupt the program
 * for that, as `NodeRuntime.runMain` does on SIGTERM.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = <K extends Corpus.Kind<unknown, unknown>>({
  concurrency = 8,
  drain = "12 seconds",
  kinds,
  onEvent = () => Effect.void,
  onLost = exit,
  outageSchedule = defaultOutageSchedule,
  quotaSchedule = Schedule.spaced("15 minutes")
}: Options<K>): Layer.Layer<
  never,
  JobControlError,
  | Corpus.ContextOf<K>
  | Cluster.Cluster
  | Sharding
  | SqlClient.SqlClient
  | TranslateClient.TranslateClient
  | TranslationStore.TranslationStore
  | Translator.Translator
  | WorkflowEngine
> =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const { address, lost } = yield* Cluster.Cluster
      const { identity, usage } = yield* TranslateClient.TranslateClient
      const serviceLimits = yield* ServiceLimits.make()
      const gate = yield* gates.make(jobs)
      const doing = yield* stepRunner.make({
        jobs,
        gate,
        open: yield* openedJobs.make(jobs, Corpus.unified(kinds), serviceLimits),
        concurrency,
        drain: Duration.decode(drain),
        scope: yield* Effect.scope,
        quotaSchedule,
        outageSchedule,
        usage,
        onEvent
      })
      const workflows = jobExecution.layer({ jobs, gate, steps: doing, concurrency, onEvent })

      const begin = ({ generation, id, isStarted }: Active) =>
        isStarted
          ? Effect.void
          : Effect.flatMap(CorpusWorkflow.execute({ id, generation }, { discard: true }), (execution) =>
              Effect.zipRight(
                jobs.started({ id, generation }, execution),
                onEvent({ _tag: "JobBegun", id, generation })
              )
            )
      const obey = Effect.flatMap(gate.refresh, (active) => Effect.forEach(active, begin, { discard: true }))

      const startedAt = yield* DateTime.now
      let state: "running" | "draining" = "running"
      const tell = Effect.flatMap(doing.inFlight, (inFlight) =>
        jobs.seen(address, { version, startedAt, inFlight, state })
      )
      const learn = Effect.flatMap(serviceLimits.state, (state) =>
        Effect.flatMap(jobs.learn(`${identity.service} ${identity.account}`, state), serviceLimits.learn)
      )

      const leave = Effect.gen(function* () {
        state = "draining"
        yield* gate.drain
        yield* Effect.ignore(tell)
        yield* doing.idle
        yield* Effect.ignore(jobs.seen(address, undefined))
      })

      const life = Layer.scopedDiscard(
        Effect.gen(function* () {
          yield* Effect.forkScoped(Effect.catchAll(lost, onLost))
          yield* repeatedly(Effect.zipRight(tell, learn), heartbeat)
          yield* repeatedly(obey, controlInterval)
          yield* Effect.addFinalizer(() => leave)
        })
      )
      return Layer.provideMerge(life, workflows)
    })
  ).pipe(Layer.provide(jobsSql.layer))
