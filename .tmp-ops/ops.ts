import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scheduler from "effect/Scheduler"
import * as Stream from "effect/Stream"
import { Auth, ConcurrencyLimit, Region, TranslateClient, TranslateStream, Translator } from "effect-translate"

let ops = 0
class Counting extends Scheduler.MixedScheduler {
  override shouldYield(fiber: any) { ops++; return super.shouldYield(fiber) }
}
const http = Layer.succeed(HttpClient.HttpClient, HttpClient.make((request) => {
  const { text } = JSON.parse(new TextDecoder().decode((request.body as any).body ?? new TextEncoder().encode("{}")))
  return Effect.succeed(HttpClientResponse.fromWeb(request, new Response(JSON.stringify({ character_count: 1, character_limit: 3, translations: (text ?? []).map((t: string) => ({ text: t, detected_source_language: "EN", billed_characters: 1 })) }), { headers: { "content-type": "application/json" }})))
}))
const layer = TranslateClient.layer.pipe(Layer.provide([Region.layer({ url: "http://x.test" }), Auth.layer({ key: Redacted.make("k") }), ConcurrencyLimit.layerAdaptive(), http]))
const sched = new Counting(2048)
const measure = <A, E>(name: string, n: number, effect: Effect.Effect<A, E, TranslateClient.TranslateClient>) =>
  Effect.gen(function* () {
    yield* effect
    const before = ops
    yield* Effect.withScheduler(effect, sched)
    console.log(name, (ops - before) / n)
  })
const N = 200
const program = Effect.gen(function* () {
  const client = yield* TranslateClient.TranslateClient
  yield* measure("translateText", 1000, Effect.repeatN(client.translateText({ text: ["a"], targetLang: "de" }), 999))
  yield* measure("usage", 1000, Effect.repeatN(client.usage, 999))
  const texts = Array.from({ length: 50 * N }, (_, i) => `text ${i}`)
  for (const m of [1, 2]) yield* measure("stream", N, Stream.runDrain(TranslateStream.translate(Stream.fromIterable(texts), { targetLang: "de", dedupe: false } as any)).pipe(Effect.provide((Translator as any).layer ? (Translator as any).layer : Layer.empty)) as any)
})
Effect.runPromise(program.pipe(Effect.provide(layer)) as any)
