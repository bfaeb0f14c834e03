import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Auth, Region, Throttle, TranslateClient } from "effect-translate"
import { batchesOf, type Subject } from "../corpus.js"
export const run: Subject = async (url, texts, concurrency) => {
  const batches = batchesOf(texts, 50)
  let characters = 0
  const layers = TranslateClient.layer.pipe(
    Layer.provide([
      Region.layer({ url }),
      Auth.layer({ key: Redacted.make("bench") }),
      Throttle.layerFixed(concurrency),
      NodeHttpClient.layerUndici
    ])
  )
  const worker = Effect.gen(function*() {
    const client = yield* TranslateClient.TranslateClient
    for (const text of batches) {
      const { translations } = yield* client.translateText({text, targetLang: "de"})
      for (const { text } of translations) characters += text.length
    }
  })
  await Effect.runPromise(Effect.all(Array.from({ length: concurrency }, () => worker), {concurrency: "unbounded"}).pipe(Effect.provide(layers), Effect.withTracerEnabled(false)))
  return characters
}
