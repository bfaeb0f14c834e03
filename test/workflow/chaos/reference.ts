/** The same files by one process that nothing disturbs: an ordinary job. */
import { NodeContext, NodeHttpClient, NodeRuntime } from "@effect/platform-node"
import { Effect, Layer, Redacted } from "effect"
import { Auth, ConcurrencyLimit, Csv, Region, TranslateClient, TranslationStore } from "effect-translate"
import { Emulator } from "effect-translate/emulator"
import { JsonLines } from "effect-translate/formats"
import { JobSource, TranslationJob } from "effect-translate/jobs"

interface Options {
  readonly folder: string
  readonly names: ReadonlyArray<string>
  readonly targets: ReadonlyArray<"de" | "fr">
  readonly url: string
}

const { folder, names, targets, url }: Options = JSON.parse(process.argv[2] ?? "")

const services = TranslateClient.layerServices().pipe(
  Layer.provide([
    Region.layer({ url, name: "emulator" }),
    Auth.layer({ key: Redacted.make(Emulator.defaultKey) }),
    ConcurrencyLimit.layerAdaptive()
  ]),
  Layer.provide(NodeHttpClient.layerUndici)
)

TranslationJob.run({
  sources: names.map((name) =>
    JobSource.file({
      path: `${folder}/${name}`,
      format: name.endsWith(".csv") ? Csv.make({ columns: ["text"] }) : JsonLines.make({ select: ["text"] }),
      output: `${folder}/out/{lang}/${name}`,
      stateFolder: `${folder}/state`
    })
  ),
  targets
}).pipe(
  Effect.provide([services, TranslationStore.layerMemory()]),
  Effect.provide(NodeContext.layer),
  NodeRuntime.runMain
)
