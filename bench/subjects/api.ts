import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as HttpApiClient from "@effect/platform/HttpApiClient"
import { TranslateApi } from "../../src/api/TranslateApi.js"
import * as Effect from "effect/Effect"
import { batchesOf, type Subject } from "../corpus.js"
export const run: Subject = async (url, texts, concurrency) => {
  const batches = batchesOf(texts, 50)
  let characters = 0
  const worker = Effect.gen(function*() {
    const client = yield* HttpApiClient.make(TranslateApi, {baseUrl: url})
    for (const text of batches) {
      const { translations } = yield* client.text.translateText({payload: {text, targetLang: "de"}})
      for (const { text } of translations) characters += text.length
    }
  })
  await Effect.runPromise(Effect.all(Array.from({ length: concurrency }, () => worker), {concurrency: "unbounded"}).pipe(Effect.provide(NodeHttpClient.layerUndici), Effect.withTracerEnabled(false)))
  return characters
}
