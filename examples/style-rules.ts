/** How do I translate in a house style? A style rule list holds it, and `styleId` takes the list. */
import { NodeHttpClient } from "@effect/platform-node"
import { Console, Effect, Layer, Stream } from "effect"
import { Outcome, TranslateClient, TranslateStream } from "effect-translate"
import { NodeProgram } from "effect-translate/node"

/** The list of this name, or a new one: a program that is run twice leaves one list. */
const houseStyle = (name: string) =>
  Effect.gen(function* () {
    const { styleRules } = yield* TranslateClient.TranslateClient
    const found = yield* styleRules.stream().pipe(
      Stream.filter((list) => list.name === name),
      Stream.runHead
    )
    if (found._tag === "Some") return found.value.styleId
    const created = yield* styleRules.create({
      name,
      language: "de",
      configuredRules: { punctuation: { apostrophe: "use_curly_apostrophes" } },
      customInstructions: [{ label: "Names", prompt: "Leave product names as they are." }]
    })
    return created.styleId
  })

const program = Effect.gen(function* () {
  const { styleRules } = yield* TranslateClient.TranslateClient
  const styleId = yield* houseStyle("Catalogue")

  yield* styleRules.createInstruction(styleId, { label: "Tone", prompt: "Stay dry." })
  const list = yield* styleRules.get(styleId)
  yield* Console.log(
    `version ${list.version}: ${list.customInstructions.map(({ label }) => label).join(", ")}`
  )

  yield* Stream.make("Mug", "Cup").pipe(
    TranslateStream.translate({ targetLang: "de", styleId }),
    Outcome.orFail,
    Stream.runForEach(Console.log)
  )
  yield* styleRules.delete(styleId)
})

program.pipe(
  Effect.provide(Layer.provide(TranslateClient.layerConfig(), NodeHttpClient.layerUndici)),
  NodeProgram.runMain
)
