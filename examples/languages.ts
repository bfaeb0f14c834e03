/** Will the job be refused? What the languages don't allow is known before the first text is pulled. */
import { NodeHttpClient } from "@effect/platform-node"
import { Console, Effect, Layer, Stream } from "effect"
import { LanguageSupport, Outcome, TranslateClient, TranslateStream } from "effect-translate"
import { NodeProgram } from "effect-translate/node"

const texts = Stream.make("Good morning", "Good night")

const job = (options: TranslateStream.Options, settings?: LanguageSupport.CheckSettings) =>
  LanguageSupport.checked(options, (options) => TranslateStream.translate(texts, options), settings).pipe(
    Outcome.orFail,
    Stream.runForEach(Console.log),
    Effect.catchTag("InvalidRequest", (error) => Console.error(error.message)) // nothing was pulled, nothing sent
  )

const program = Effect.gen(function* () {
  const support = yield* LanguageSupport.LanguageSupport
  const formal = yield* support.formalityTargets({ resource: "translate_text" })
  yield* Console.log(`formality: ${formal.map(({ lang }) => lang).join(", ")}`)

  yield* job({ targetLang: "da", formality: "more" }) // Danish knows no formality
  yield* job({ targetLang: "da", formality: "more" }, { onUnsupportedFormality: "prefer" })
})

program.pipe(
  Effect.provide(
    LanguageSupport.layer().pipe(
      Layer.provideMerge(TranslateClient.layerConfig()),
      Layer.provide(NodeHttpClient.layerUndici)
    )
  ),
  NodeProgram.runMain
)
