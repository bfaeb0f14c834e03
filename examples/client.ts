/** How do I make calls, at most four at once, and handle their errors? Each cause has a tag; what is not caught stays in the type. */
import { NodeHttpClient } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import { ConcurrencyLimit, TranslateClient } from "effect-translate"
import { NodeProgram } from "effect-translate/node"

const translate = (text: string, targetLang: string) =>
  Effect.gen(function* () {
    const client = yield* TranslateClient.TranslateClient
    const { translations } = yield* client.translateText({ text: [text], targetLang, formality: "more" })
    return translations[0].text
  }).pipe(
    Effect.catchTag("QuotaExceeded", () => Effect.succeed(text)), // leave it as it is until next month
    Effect.catchTag("InvalidRequest", (error) => Effect.as(Console.error(error.message), text)) // refused before it is sent
  )

const program = Effect.gen(function* () {
  yield* Console.log(yield* translate("Good morning", "de"))
  yield* Console.log(yield* translate("Good morning", "da")) // knows no formality
})

const client = TranslateClient.layerConfig({ limit: ConcurrencyLimit.makeFixed(4) })

program.pipe(Effect.provide(Layer.provide(client, NodeHttpClient.layerUndici)), NodeProgram.runMain)
