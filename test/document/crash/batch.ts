/** A batch in a process of its own, to be killed: `batch.ts folder [resubmit]`. It prints what became of which file. */
import { readdirSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { TranslateClient } from "effect-translate"
import { DocumentBatch, DocumentJournal } from "effect-translate/documents"
import { OutputPath } from "effect-translate/formats"

const [folder = "", resubmit] = process.argv.slice(2)

const name = ({ item }: { readonly item: DocumentBatch.Item }) =>
  `${item.path.slice(folder.length + 4)} ${item.targetLang}`

Stream.fromIterable(readdirSync(`${folder}/in`).map((name) => `${folder}/in/${name}`)).pipe(
  DocumentBatch.forTargets(["de", "fr"]),
  Stream.map((item) => ({
    ...item,
    output: OutputPath.ofDocument(item).replace(`${folder}/in/`, `${folder}/out/${item.targetLang}/`)
  })),
  DocumentBatch.run({ resubmit: resubmit === undefined ? [] : ["ambiguous", "lost"] }),
  Stream.run(DocumentBatch.report()),
  Effect.flatMap(({ ambiguous, failed, lost, ...counts }) =>
    Console.log(
      JSON.stringify({
        ...counts,
        failed: failed.map(({ error }) => error.message),
        ambiguous: ambiguous.map(name),
        lost: lost.map(name)
      })
    )
  ),
  Effect.provide([
    Layer.provide(TranslateClient.layerConfig(), NodeHttpClient.layerUndici),
    Layer.provideMerge(DocumentJournal.layerFile(`${folder}/journal.jsonl`), NodeContext.layer)
  ]),
  NodeRuntime.runMain
)
