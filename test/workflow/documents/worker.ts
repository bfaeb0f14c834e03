/**
 * A worker on a file, or on PostgreSQL if `DATABASE_URL` says so, to be killed: `worker.ts folder [quotaPause]` translates what is in
 * `folder/in`, and prints what came of it.
 */
import { readdirSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Console from "effect/Console"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Redacted from "effect/Redacted"
import { TranslateClient } from "effect-translate"
import { type Cluster, DocumentWorkflow, LibsqlCluster, SqlDocumentJournal } from "effect-translate/workflow"
import { PgCluster } from "effect-translate/workflow/postgres"

const [folder = "", quotaPause = "15 minutes"] = process.argv.slice(2)

const database = process.env.DATABASE_URL

const engine: Layer.Layer<Cluster.Provided, unknown> =
  database === undefined
    ? LibsqlCluster.layer({ file: `${folder}/engine.db` })
    : PgCluster.layer({ url: Redacted.make(database) })

const translated = Effect.forEach(
  readdirSync(`${folder}/in`).sort(),
  (name) =>
    Effect.match(
      DocumentWorkflow.translate({
        id: name,
        document: { file: `${folder}/in/${name}`, output: `${folder}/out/${name}`, targetLang: "de" }
      }),
      { onFailure: ({ _tag }) => [name, _tag], onSuccess: () => [name, "Translated"] }
    ),
  { concurrency: "unbounded" }
)

translated.pipe(
  Effect.flatMap((results) => Console.log(JSON.stringify(Object.fromEntries(results)))),
  Effect.provide(
    DocumentWorkflow.layer({ quotaPause: quotaPause as Duration.DurationInput }).pipe(
      Layer.provide(SqlDocumentJournal.layer),
      Layer.provideMerge(engine),
      // Outside of the engine: it ends after what the engine has in flight.
      Layer.provide([
        Layer.provide(TranslateClient.layerConfig(), NodeHttpClient.layerUndici),
        NodeContext.layer
      ])
    )
  ),
  // The result alone goes to stdout.
  Effect.provide(Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger))),
  Logger.withMinimumLogLevel(LogLevel.Warning),
  NodeRuntime.runMain
)
