/** How do I translate many files, and lose none of them? Killed at any moment, the same command goes on. */
import { NodeContext, NodeHttpClient } from "@effect/platform-node"
import { Console, Effect, Layer, Stream } from "effect"
import { TranslateClient } from "effect-translate"
import { DocumentBatch, DocumentJournal } from "effect-translate/documents"
import { NodeProgram } from "effect-translate/node"

const batch = Stream.make("notes.txt", "page.html", "terms.srt").pipe(
  DocumentBatch.forTargets(["de", "fr"]),
  DocumentBatch.run({
    concurrency: 8,
    // Name "ambiguous" or "lost" here to pay again for what a killed run has left in doubt.
    resubmit: [],
    onStatus: ({ path, targetLang }, { status }) => Console.error(`${path} into ${targetLang}: ${status}`)
  }),
  Stream.run(DocumentBatch.report())
)

const program = Effect.gen(function* () {
  const report = yield* batch
  yield* Console.log(
    `${report.in} documents = ${report.translated} translated + ${report.skipped} skipped + ${report.failed.length} failed + ${report.ambiguous.length} ambiguous + ${report.lost.length} lost; ${report.characters} characters billed`
  )
  const missing = [...report.failed, ...report.ambiguous, ...report.lost]
  for (const { error, item } of missing) {
    yield* Console.log(`${item.path} into ${item.targetLang}: ${error.message}`)
  }
  if (missing.length > 0) process.exitCode = 1 // a script sees it too
})

program.pipe(
  Effect.provide([
    Layer.provide(TranslateClient.layerConfig(), NodeHttpClient.layerUndici),
    Layer.provideMerge(DocumentJournal.layerFile("journal.jsonl"), NodeContext.layer)
  ]),
  NodeProgram.runMain // broken off, it does not end with 0
)
