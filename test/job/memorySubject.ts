/**
 * A large CSV or Parquet file through a file source into two languages, in a process of its own, so that its memory can be measured:
 * `memorySubject.ts folder milliseconds csv`, of which each answer takes so many. It prints what came of it as JSON.
 */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Csv, Translator } from "effect-translate"
import { Parquet } from "effect-translate/formats"
import { JobSource } from "effect-translate/jobs"
import { peakMiB } from "../support/peakMemory.js"

export interface Result {
  readonly states: ReadonlyArray<string>
  readonly texts: number
  readonly peakRssMiB: number
}

const [folder = "", milliseconds = "0", kind = "csv"] = process.argv.slice(2)

const translator = Translator.Translator.of({
  translate: (texts: ReadonlyArray<string>) =>
    Effect.delay(
      Effect.sync(() => ({
        translations: texts.map((text) => ({ text: `[${text}]` })),
        attempts: 1,
        ambiguousAttempts: 0
      })),
      `${Number(milliseconds)} millis`
    )
} as never)

const columns = ["title"]

const source = JobSource.file({
  path: `${folder}/a.${kind}`,
  stateFolder: `${folder}/.state`,
  ...(kind === "csv"
    ? { format: Csv.make({ columns }), output: `${folder}/{lang}.csv` }
    : { format: Parquet.make({ columns }), output: () => `${folder}/out.parquet` })
})

let texts = 0

const program = source
  .translate(
    ["de", "fr"].map((targetLang) => ({
      options: { targetLang, sourceLang: "en" },
      partial: false,
      observe: (outcomes) =>
        Effect.sync(() => {
          for (const {
            texts: { translated }
          } of outcomes)
            texts += translated
        })
    }))
  )
  .pipe(
    Effect.provideService(Translator.Translator, translator),
    Effect.provide(NodeContext.layer),
    Effect.flatMap((results) => {
      const states = results.map((result) => (Either.isRight(result) ? result.right.state : result.left._tag))
      const peakRssMiB = peakMiB()
      return Console.log(JSON.stringify({ states, texts, peakRssMiB } satisfies Result))
    })
  )

NodeRuntime.runMain(program)
