/** How do I keep a glossary equal to my files? Each run makes the fewest calls, none that writes if nothing has changed. */
import { NodeContext, NodeHttpClient } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import { TranslateClient } from "effect-translate"
import { GlossaryFile, GlossarySync } from "effect-translate/glossaries"
import { NodeProgram } from "effect-translate/node"

const synchronise = Effect.gen(function* () {
  const dictionaries = yield* Effect.forEach(["de", "fr"], (targetLang) =>
    GlossaryFile.read(`terms.${targetLang}.csv`, { sourceLang: "en", targetLang })
  )
  const report = yield* GlossarySync.sync({ name: "Shop", dictionaries })
  yield* Console.log(`${report.reads} calls that read, ${report.writes} that write`)
  for (const { action, added, changed, removed, targetLang } of report.dictionaries) {
    yield* Console.log(`${targetLang}: ${action}, ${added} added, ${changed} changed, ${removed} removed`)
  }
  return report.glossaryId
})

const program = Effect.gen(function* () {
  const glossaryId = yield* synchronise
  yield* synchronise // does nothing
  const client = yield* TranslateClient.TranslateClient
  const { translations } = yield* client.translateText({
    text: ["The mug is full of tea."],
    sourceLang: "en", // a glossary needs it
    targetLang: "de",
    glossaryId
  })
  yield* Console.log(translations[0].text)
})

program.pipe(
  Effect.tapErrorTag("GlossaryFileError", (error) => Console.error(error.message)), // file, lines, what to do
  Effect.provide([
    Layer.provide(TranslateClient.layerConfig(), NodeHttpClient.layerUndici),
    NodeContext.layer
  ]),
  NodeProgram.runMain
)
