/**
 * Translates the files of a folder in a process of its own, to be ended by a signal: `files.ts folder`. It tells its parent with
 * which error it has ended.
 */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import { Csv, Translator } from "effect-translate"
import { JobSource } from "effect-translate/jobs"
import { keyed } from "../../support/keyedFormat.js"

const [folder = ""] = process.argv.slice(2)

/** Answers the first texts, and nothing after that. */
let requests = 0
const translator = Translator.Translator.of({
  translate: (texts: ReadonlyArray<string>) =>
    Effect.suspend(() => {
      return ++requests > 20
        ? Effect.never
        : Effect.succeed({
            translations: texts.map((text) => ({ text: `de: ${text}` })),
            attempts: 1,
            ambiguousAttempts: 0
          })
    })
} as never)

const sources = [
  JobSource.file({
    path: `${folder}/a.csv`,
    format: Csv.make({ columns: ["title"] }),
    output: `${folder}/{lang}/a.csv`,
    stateFolder: `${folder}/.state`
  }),
  JobSource.file({
    path: `${folder}/a.keyed`,
    format: keyed,
    output: `${folder}/{lang}/a.keyed`,
    stateFolder: `${folder}/.state`
  })
]

Effect.forEach(
  sources,
  (source) =>
    source.translate(
      ["de", "fr"].map((targetLang) => ({
        options: { targetLang, sourceLang: "en" },
        partial: false,
        observe: () => Effect.void
      }))
    ),
  { concurrency: 2 }
).pipe(
  Effect.tapError(({ _tag, message }) => Effect.sync(() => process.send?.(`${_tag}: ${message}`))),
  Effect.provideService(Translator.Translator, translator),
  Effect.provide(NodeContext.layer),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
