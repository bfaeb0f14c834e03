/** How do I translate with another engine, and go on with the service where it fails? One function, and all that streams do still holds. */
import { NodeHttpClient } from "@effect/platform-node"
import { Console, Effect, Layer, Stream } from "effect"
import { Budget, Outcome, TranslateStream, TranslationStore, Translator } from "effect-translate"
import { Check } from "effect-translate/checks"
import { NodeProgram } from "effect-translate/node"

/** A model of your own: some texts in, as many out, in their order. */
const askModel = (texts: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>, "busy"> =>
  texts.some((text) => text.includes("fragile"))
    ? Effect.fail("busy" as const)
    : Effect.succeed(texts.map((text) => `<${text}>`.replace("12", "13")))

const engine = Effect.map(Translator.Translator, (service) =>
  Translator.Translator.of({
    translate: (texts, options) =>
      askModel(texts).pipe(
        Effect.tap(() => Console.log(`the model got ${texts.length} texts`)),
        Effect.map(([first = "", ...others]) => {
          const toTranslation = (text: string, index: number) => ({
            text,
            detectedSourceLanguage: "en",
            billedCharacters: texts[index]!.length
          })
          return {
            translations: [
              toTranslation(first, 0),
              ...others.map((text, index) => toTranslation(text, index + 1))
            ] as const,
            attempts: 1,
            ambiguousAttempts: 0
          }
        }),
        Effect.catchAll(() => service.translate(texts, options)) // a second engine
      ),
    // A store keeps its translations apart from those of other engines: change it with the model.
    identify: () => Effect.succeed({ service: "name:model-1", account: "name:shop" })
  })
)

const texts = ["Mug", "Room 12", "", "Mug", "fragile", "Pot"]

const program = Effect.gen(function* () {
  const budget = yield* Budget.make(100)
  const store = yield* TranslationStore.TranslationStore
  const translate = Stream.fromIterable(texts).pipe(
    TranslateStream.translate({
      targetLang: "de",
      maxTexts: 2,
      store,
      budget,
      verify: { checks: [Check.numbers] }
    }),
    Stream.tap((outcome) =>
      Console.log(
        outcome._tag,
        outcome.value,
        "flagged" in outcome
          ? outcome.flagged?.flatMap(({ findings }) => findings.map(({ check }) => check))
          : ""
      )
    ),
    Stream.run(Outcome.tally)
  )
  yield* Console.log(yield* translate)
  yield* Console.log(yield* translate) // the store has all
  yield* Console.log(yield* budget.state)
})

program.pipe(
  Effect.provide(Layer.effect(Translator.Translator, engine)),
  Effect.provide([
    Layer.provide(Translator.layerConfig(), NodeHttpClient.layerUndici),
    TranslationStore.layerMemory()
  ]),
  NodeProgram.runMain
)
