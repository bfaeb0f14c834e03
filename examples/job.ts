/** How do I translate files, and never pay twice? Killed, edited or done: the same command does what is left. */
import { FileSystem } from "@effect/platform"
import { NodeContext, NodeHttpClient } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import { Csv, TranslateClient, Translator } from "effect-translate"
import { FailedUnits, FileSource, JobReport, TranslationJob } from "effect-translate/files"
import { I18next } from "effect-translate/formats"
import { SqlTranslationStore } from "effect-translate/sql"
import * as Signals from "./internal/signals.js"

const program = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const job = {
    sources: [
      FileSource.make({ path: "locales/en.json", format: I18next.format, output: "locales/{lang}.json" }),
      FileSource.make({
        path: "products.csv",
        format: Csv.make({ columns: ["title", "body"] }),
        output: "products.{lang}.csv"
      })
    ],
    sourceLang: "en",
    targets: ["de", "fr"],
    onEnd: (report: JobReport.JobReport) =>
      Effect.zipRight(
        fs.writeFileString("report.json", JobReport.encode(report)),
        Console.log(report.end.next) // also if it was broken off
      )
  } as const

  const { characters, targets } = yield* TranslationJob.forecast(job)
  const paid = targets.reduce((sum, target) => sum + target.paid, 0)
  yield* Console.log(`${paid} texts are paid for; the others take ${characters} characters`)

  const report = yield* FailedUnits.toFile("failed.jsonl", (onFailed) =>
    TranslationJob.run({ ...job, onFailed })
  )
  for (const { error, output, source, state, targetLang } of report.outputs) {
    yield* Console.log(`${output ?? `${source} into ${targetLang}`}: ${error?.message ?? state}`)
  }
  if (report.end.state !== "complete") process.exitCode = 1 // a script sees it too
})

const translator = Layer.provideMerge(Translator.layer, TranslateClient.layerConfig())

program.pipe(
  Effect.provide([
    Layer.provide(translator, NodeHttpClient.layerUndici),
    Layer.provideMerge(SqlTranslationStore.layerLibsql({ file: "translations.db" }), NodeContext.layer)
  ]),
  Signals.runMain // broken off, it does not end with 0
)
