/** A `TranslationJob` of rows of a program, with a file as its store. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Lines, Outcome, TranslateClient } from "effect-translate"
import { JobSource, TranslationJob } from "effect-translate/jobs"
import { LibsqlTranslationStore } from "effect-translate/libsql"
import { texts } from "../corpus.js"

const [count = "0", store = "", ...targets] = process.argv.slice(2)

function* rows() {
  let id = 0
  for (const text of texts("en", Number(count))) yield { id: `${id++}`, text }
}

const program = Effect.flatMap(FileSystem.FileSystem, (fs) =>
  TranslationJob.run({
    sources: [
      JobSource.rows({
        name: "rows",
        rows: Stream.fromIteratorSucceed(rows(), 100),
        fields: ["text"],
        key: ({ id }) => id,
        write: (targetLang) => (outcomes) =>
          outcomes.pipe(
            Outcome.orFail,
            Stream.map((row) => JSON.stringify(row)),
            Lines.encode(),
            Stream.run(fs.sink(`rows.${targetLang}.jsonl`))
          )
      })
    ],
    targets
  })
)

await program.pipe(
  Effect.provide([
    Layer.provide(TranslateClient.layerConfig(), NodeHttpClient.layerUndici),
    Layer.provide(LibsqlTranslationStore.layer({ file: store }), NodeContext.layer),
    NodeContext.layer
  ]),
  Effect.runPromise
)
