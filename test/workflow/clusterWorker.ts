/**
 * A worker of a cluster: executions that tick, each of whose ticks is an activity of 250 ms, as work that takes its time. It prints a line for its address, once all are
 * submitted, for each tick, and for the loss of its database, of which it ends as a worker does.
 *
 *     clusterWorker.ts <address of PostgreSQL, or file> <executions to submit> [settings of the engine as JSON]
 */
import * as Activity from "@effect/workflow/Activity"
import * as Workflow from "@effect/workflow/Workflow"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Cluster, ClusterError, LibsqlCluster } from "effect-translate/workflow"
import { PgCluster } from "effect-translate/workflow/postgres"

const [database = "", submitted = "0", settings = "{}"] = process.argv.slice(2)

const Ticks = Workflow.make({
  name: "Ticks",
  payload: { id: Schema.Number },
  success: Schema.Void,
  idempotencyKey: ({ id }) => String(id)
}).annotate(Workflow.CaptureDefects, false)

const ticks = Ticks.toLayer(({ id }) =>
  Effect.forEach(
    Array.from({ length: 10_000 }, (_, tick) => tick),
    (tick) =>
      Activity.make({
        name: `tick-${tick}`,
        execute: Effect.zipRight(
          Effect.sync(() => console.log(`tick ${id}`)),
          Effect.sleep("250 millis")
        )
      }),
    { discard: true }
  )
)

const sharding = JSON.parse(settings) as Cluster.Settings
const engine: Layer.Layer<Cluster.Provided, ClusterError.ClusterError> = database.startsWith("postgres:")
  ? PgCluster.layer({ url: Redacted.make(database), sharding })
  : LibsqlCluster.layer({ file: database, sharding })

const worker = Effect.gen(function* () {
  const { address, lost } = yield* Cluster.Cluster
  console.log(`address ${address}`)
  for (let id = 0; id < Number(submitted); id++) yield* Ticks.execute({ id }, { discard: true })
  console.log("submitted")
  yield* lost
})

Effect.runPromise(
  Effect.provide(worker, Layer.provideMerge(ticks, engine)).pipe(
    Effect.catchAll((error) =>
      Effect.sync(() => {
        console.log(`error ${error._tag} ${error.message}`)
        process.exit(ClusterError.exitCode(error))
      })
    ),
    Effect.provide(Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger))),
    Logger.withMinimumLogLevel(process.env.CLUSTER_DEBUG ? LogLevel.Warning : LogLevel.None)
  )
)
