/** A job of one CSV file into three languages, with a store: killed and started again by `Crash.long.test.ts`. */
import { NodeContext, NodeHttpClient, NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer, Redacted } from "effect"
import { Auth, ConcurrencyLimit, Csv, Region, RetryPolicy, TranslateClient } from "effect-translate"
import { Emulator } from "effect-translate/emulator"
import { IcuMessage } from "effect-translate/icu"
import { JobSource, TranslationJob } from "effect-translate/jobs"
import { LibsqlTranslationStore } from "effect-translate/libsql"
import { PgTranslationStore } from "effect-translate/postgres"

const [folder = "", store = "", url = "", patience] = process.argv.slice(2)

/** One that is frozen for some seconds is so for longer than its lease, and than its requests may take. */
const { lease, timeout } =
  patience === "impatient"
    ? ({ lease: "2 seconds", timeout: "1 second" } as const)
    : { lease: undefined, timeout: undefined }

const services = TranslateClient.layerServices().pipe(
  Layer.provide([
    Region.layer({ url, name: "emulator" }),
    Auth.layer({ key: Redacted.make(Emulator.defaultKey) }),
    ConcurrencyLimit.layerAdaptive()
  ]),
  Layer.provide(NodeHttpClient.layerUndici)
)

const stored = store.startsWith("postgres:")
  ? PgTranslationStore.layer({ url: Redacted.make(store), lease })
  : LibsqlTranslationStore.layer({ file: store, lease })

TranslationJob.run({
  sources: [
    JobSource.file({
      path: `${folder}/texts.csv`,
      format: Csv.make({ columns: ["text"] }),
      output: `${folder}/out/texts.{lang}.csv`,
      stateFolder: `${folder}/state`
    })
  ],
  targets: ["de", "fr", "ja"],
  options: { placeholders: { messageFormat: IcuMessage.format } }
}).pipe(
  Effect.tap(({ outputs }) => Console.log(outputs.flatMap(({ error }) => error?.message ?? []).join("\n"))),
  Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ timeout })),
  Effect.provide([services, stored]),
  Effect.provide(NodeContext.layer),
  NodeRuntime.runMain
)
