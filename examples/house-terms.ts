/** How do I translate texts and a document by the same terms and the same style? Ids of both are options of either. */
import { NodeContext, NodeHttpClient } from "@effect/platform-node"
import { Console, Effect, Layer, Stream } from "effect"
import { Outcome, TranslateClient, TranslateStream } from "effect-translate"
import { DocumentBatch, DocumentJournal } from "effect-translate/documents"
import { GlossaryEntries, GlossarySync } from "effect-translate/glossaries"
import { NodeProgram } from "effect-translate/node"

const languages = [
  { sourceLang: "en", targetLang: "de", entries: GlossaryEntries.fromTerms([["mug", "Becher"]]) },
  { sourceLang: "en", targetLang: "fr", entries: GlossaryEntries.fromTerms([["mug", "tasse"]]) }
] as const

/** The id of a style rule list for a language, which is deleted when the scope ends. */
const style = (language: (typeof languages)[number]["targetLang"]) =>
  Effect.flatMap(TranslateClient.TranslateClient, ({ styleRules }) =>
    Effect.acquireRelease(
      styleRules.create({
        name: "House",
        language,
        customInstructions: [{ label: "Tone", prompt: "Stay dry." }]
      }),
      ({ styleId }) => Effect.ignore(styleRules.delete(styleId))
    )
  )

const program = Effect.gen(function* () {
  const { glossaryId } = yield* GlossarySync.sync({ name: "House", dictionaries: languages })
  const options = yield* Effect.forEach(languages, ({ sourceLang, targetLang }) =>
    Effect.map(style(targetLang), ({ styleId }) => ({ sourceLang, targetLang, glossaryId, styleId }))
  )

  for (const option of options) {
    yield* Stream.make("The mug is full").pipe(
      TranslateStream.translate(option),
      Outcome.orFail,
      Stream.runForEach(Console.log)
    )
  }

  const report = yield* Stream.make("notes.txt").pipe(
    DocumentBatch.forTargets(options),
    DocumentBatch.run(),
    Stream.run(DocumentBatch.report())
  )
  yield* Console.log(`${report.translated} documents translated, ${report.characters} characters billed`)
})

program.pipe(
  Effect.scoped,
  Effect.provide([
    Layer.provide(TranslateClient.layerConfig(), NodeHttpClient.layerUndici),
    Layer.provideMerge(DocumentJournal.layerFile("journal.jsonl"), NodeContext.layer)
  ]),
  NodeProgram.runMain
)
