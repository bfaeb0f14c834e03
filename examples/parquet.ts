/** How is a Parquet file translated? Translations become columns of a copy, in which all other columns stay byte for byte. */
import { NodeContext, NodeHttpClient } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import { TranslateClient } from "effect-translate"
import { Parquet } from "effect-translate/formats"
import { JobSource, TranslationJob } from "effect-translate/jobs"
import { LibsqlTranslationStore } from "effect-translate/libsql"
import { NodeProgram } from "effect-translate/node"

const program = Effect.gen(function* () {
  const { outputs } = yield* TranslationJob.run({
    sources: [
      JobSource.file({
        path: "reviews.parquet",
        format: Parquet.make({ columns: ["text"], outputColumn: "{column}.{lang}" }),
        output: () => "reviews.translated.parquet" // one path for all languages: one file with a column for each
      })
    ],
    options: { sourceLang: "en" },
    targets: ["de", "fr"]
  })
  for (const { output, state, targetLang } of outputs)
    yield* Console.log(`${output}, ${targetLang}: ${state}`)
})

program.pipe(
  Effect.provide([
    Layer.provide(TranslateClient.layerConfig(), NodeHttpClient.layerUndici),
    Layer.provideMerge(LibsqlTranslationStore.layer({ file: "translations.db" }), NodeContext.layer)
  ]),
  NodeProgram.runMain
)
