/** A worker on a file, to be killed: `worker.ts folder plain|store|write` runs one activity, and prints what came of it. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Workflow from "@effect/workflow/Workflow"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Schema from "effect/Schema"
import { TranslateClient, TranslationStore } from "effect-translate"
import { LibsqlTranslationStore } from "effect-translate/libsql"
import { Activities, LibsqlCluster } from "effect-translate/workflow"

const [folder = "", how = "plain"] = process.argv.slice(2)

const Test = Workflow.make({
  name: "Test",
  payload: { id: Schema.String },
  success: Activities.Texts,
  error: Activities.TextsError,
  idempotencyKey: ({ id }) => id
}).annotate(Workflow.CaptureDefects, false)

const texts = Array.from({ length: how === "write" ? 10 : 100 }, (_, index) => `Text ${index}`)

const registered = Test.toLayer(() =>
  how === "write"
    ? Activities.write({ name: "write", payload: { mode: "correct", texts } })
    : Activities.translate({ name: "translate", payload: { texts, targetLang: "de" }, concurrency: 1 })
)

const unknown = Effect.flatMap(Effect.serviceOption(TranslationStore.TranslationStore), (store) =>
  store._tag === "None"
    ? Effect.succeed(0)
    : Effect.map(store.value.stats, ({ attempts }) => attempts.unknown.attempts + attempts.expired.attempts)
)

const program = Test.execute({ id: "1" }).pipe(
  Effect.match({
    onFailure: ({ _tag }) => ({ error: _tag }),
    onSuccess: ({ failures, tally, texts }) => ({
      failures: failures.length,
      texts: texts.length,
      cached: tally.cached
    })
  }),
  Effect.zipWith(
    Effect.suspend(() => unknown),
    (result, unknown) => ({ ...result, unknown })
  ),
  Effect.flatMap((result) => Console.log(JSON.stringify(result)))
)

const services = TranslateClient.layerConfig().pipe(
  Layer.provideMerge(Layer.merge(NodeHttpClient.layerUndici, NodeContext.layer))
)

const engine = Layer.provideMerge(registered, LibsqlCluster.layer({ file: `${folder}/engine.db` })).pipe(
  Layer.provide(services)
)

const store = Layer.provide(LibsqlTranslationStore.layer({ file: `${folder}/store.db` }), NodeContext.layer)

program.pipe(
  Effect.provide(how === "store" ? Layer.provideMerge(engine, store) : engine),
  // The result alone goes to stdout.
  Effect.provide(Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger))),
  Logger.withMinimumLogLevel(LogLevel.Warning),
  NodeRuntime.runMain
)
