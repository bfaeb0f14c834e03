/** How do I translate files, and never pay twice? Killed, edited or done: the same command does what is left. */
import { FileSystem } from "@effect/platform"
import { NodeContext, NodeHttpClient } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import { Csv, FailedUnits, TranslateClient } from "effect-translate"
import { I18next } from "effect-translate/formats"
import { JobReport, JobSource, TranslationJob } from "effect-translate/jobs"
import { LibsqlTranslationStore } from "effect-translate/libsql"
import { NodeProgram } from "effect-translate/node"

const program = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const job = {
    sources: [
      JobSource.file({ path: "locales/en.json", format: I18next.format, output: "locales/{lang}.json" }),
      JobSource.file({
        path: "products.csv",
        format: Csv.make({ columns: ["title", "body"] }),
        output: "products.{lang}.csv"
      })
    ],
    options: { sourceLang: "en" },
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

program.pipe(
  Effect.provide([
    Layer.provide(TranslateClient.layerConfig(), NodeHttpClient.layerUndici),
    Layer.provideMerge(LibsqlTranslationStore.layer({ file: "translations.db" }), NodeContext.layer)
  ]),
  NodeProgram.runMain // broken off, it does not end with 0
)
