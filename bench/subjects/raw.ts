import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpBody from "@effect/platform/HttpBody"
import * as Effect from "effect/Effect"
import { batchesOf, type Subject } from "../corpus.js"
export const run: Subject = async (url, texts, concurrency) => {
  const batches = batchesOf(texts, 50)
  let characters = 0
  const worker = Effect.gen(function*() {
    const client = yield* HttpClient.HttpClient
    for (const text of batches) {
      const r = yield* client.execute(HttpClientRequest.post(url + "/v2/translate", { body: HttpBody.unsafeJson({ text, target_lang: "de" }), headers: {authorization: "x"} }))
      const { translations } = (yield* r.json) as { translations: ReadonlyArray<{ text: string }> }
      for (const { text } of translations) characters += text.length
    }
  })
  await Effect.runPromise(Effect.all(Array.from({ length: concurrency }, () => worker), {concurrency: "unbounded"}).pipe(Effect.provide(NodeHttpClient.layerUndici), Effect.withTracerEnabled(false)))
  return characters
}
