/** How do I translate the objects of a bucket? Broken off, the same command does what is left; an object has its name once it is whole. */
import { NodeContext, NodeHttpClient } from "@effect/platform-node"
import { Console, Effect, Layer, Stream } from "effect"
import { Csv, TranslateClient } from "effect-translate"
import { JobSource, TranslationJob } from "effect-translate/jobs"
import { LibsqlTranslationStore } from "effect-translate/libsql"
import { NodeProgram, NodeStorage } from "effect-translate/node"
import { Storage } from "effect-translate/storage"

const program = Effect.gen(function* () {
  const { list } = yield* Storage.Storage
  const objects = yield* Stream.runCollect(list("s3://corpora/in/"))
  const report = yield* TranslationJob.run({
    sources: Array.from(objects, ({ address }) =>
      JobSource.file({
        path: address,
        format: Csv.make({ columns: ["title"] }),
        output: (targetLang) => address.replace("/in/", `/${targetLang}/`)
      })
    ),
    options: { sourceLang: "en" },
    targets: ["de", "fr"]
  })
  for (const { output, state } of report.outputs) yield* Console.log(`${output}: ${state}`)
  yield* Console.log(report.end.next)
})

program.pipe(
  Effect.provide([
    Layer.provide(TranslateClient.layerConfig(), NodeHttpClient.layerUndici),
    NodeStorage.layerConfig(), // AWS_ACCESS_KEY_ID, AWS_REGION and so on
    LibsqlTranslationStore.layer({ file: "translations.db" })
  ]),
  Effect.provide(NodeContext.layer),
  NodeProgram.runMain
)
