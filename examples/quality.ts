/** How do I let an endpoint of my own judge translations? It gives scores for batches of 50, and what is below 0.7 is refused. */
import {
  HttpBody,
  HttpClient,
  HttpClientResponse,
  HttpRouter,
  HttpServer,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { NodeHttpClient, NodeHttpServer } from "@effect/platform-node"
import { Console, Effect, Layer, Metric, Schema, Stream } from "effect"
import { Outcome, TranslateStream, Translator } from "effect-translate"
import { Check } from "effect-translate/checks"
import { NodeProgram } from "effect-translate/node"

const Scores = Schema.Struct({ scores: Schema.Array(Schema.Number), cost: Schema.Number })

const cents = Metric.counter("scores_cents")

const quality = Effect.flatMap(HttpClient.HttpClient, (client) =>
  Check.effect({
    name: "quality",
    version: "2026-11",
    batch: 50,
    find: (pairs) =>
      Effect.gen(function* () {
        const body = HttpBody.unsafeJson(pairs.map(({ source, translation }) => ({ source, translation })))
        const response = yield* client.post("/scores", { body })
        const { cost, scores } = yield* HttpClientResponse.schemaBodyJson(Scores)(response)
        yield* Metric.incrementBy(cents, cost)
        return scores.map((score) =>
          score < 0.7
            ? [
                {
                  severity: "error" as const,
                  explanation: `Its score is ${score}.`,
                  source: [],
                  translation: []
                }
              ]
            : []
        )
      })
  })
)

const program = Effect.gen(function* () {
  const check = yield* quality
  yield* Stream.make("Good morning", "Good night").pipe(
    TranslateStream.translate({
      targetLang: "de",
      verify: { checks: [check], policies: { quality: "fail" } }
    }),
    Stream.runForEach((outcome) =>
      Console.log(Outcome.isFailed(outcome) ? outcome.failures[0].error.message : outcome.value)
    )
  )
  yield* Console.log(`${(yield* Metric.value(cents)).count} cents`)
})

/** The endpoint: a model, or a service that gives scores. This one has something against nights. */
const endpoint = HttpRouter.empty.pipe(
  HttpRouter.post(
    "/scores",
    Effect.gen(function* () {
      const Pairs = Schema.Array(Schema.Struct({ source: Schema.String, translation: Schema.String }))
      const pairs = yield* HttpServerRequest.schemaBodyJson(Pairs)
      const scores = pairs.map(({ source }) => (source.includes("night") ? 0.4 : 0.9))
      return yield* HttpServerResponse.json({ scores, cost: pairs.length * 2 })
    })
  ),
  HttpServer.serve()
)

program.pipe(
  Effect.provide([
    Layer.provide(Translator.layerConfig(), NodeHttpClient.layerUndici),
    Layer.provideMerge(endpoint, NodeHttpServer.layerTest)
  ]),
  NodeProgram.runMain
)
