/** How do I make calls, at most four at once, and handle their errors? Each cause has a tag; what is not caught stays in the type. */
import { NodeHttpClient } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import { ConcurrencyLimit, TranslateClient } from "effect-translate"
import { NodeProgram } from "effect-translate/node"

const translate = (text: string, targetLang: string) =>
  TranslateClient.TranslateClient.pipe(
    Effect.flatMap((client) => client.translateText({ text: [text], targetLang, formality: "more" })),
    Effect.map(({ translations }) => translations[0].text),
    Effect.catchTags({
      QuotaExceeded: () => Effect.succeed(text), // leave it as it is until next month
      InvalidRequest: ({ message }) => Effect.as(Console.error(message), text) // refused before it is sent
    }),
    Effect.tap(Console.log)
  )

const client = TranslateClient.layerConfig({ limit: ConcurrencyLimit.makeFixed(4) })

Effect.forEach(["de", "da" /* knows no formality */], (lang) => translate("Good morning", lang)).pipe(
  Effect.provide(Layer.provide(client, NodeHttpClient.layerUndici)),
  NodeProgram.runMain
)
