/** How do I translate in an HTTP endpoint? Requests of callers that come at the same time share calls of the service. */
import {
  HttpClient,
  HttpClientRequest,
  HttpRouter,
  HttpServer,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { NodeHttpClient, NodeHttpServer } from "@effect/platform-node"
import { Console, Effect, Layer, Schema } from "effect"
import { TranslateResolver, Translator } from "effect-translate"
import { NodeProgram } from "effect-translate/node"

const Body = Schema.Struct({ text: Schema.String, targetLang: Schema.String })

const translate = Effect.gen(function* () {
  const { targetLang, text } = yield* HttpServerRequest.schemaBodyJson(Body)
  const { cost, text: translation } = yield* TranslateResolver.translate(text, { targetLang })
  return yield* HttpServerResponse.json({ translation, characters: cost.characters })
}).pipe(
  Effect.catchTags({
    ParseError: () => HttpServerResponse.empty({ status: 400 }),
    InvalidRequest: ({ message }) => HttpServerResponse.text(message, { status: 400 }),
    BudgetExceeded: ({ message }) => HttpServerResponse.text(message, { status: 402 })
  }),
  Effect.catchAll((error) => HttpServerResponse.text(error._tag, { status: 502 }))
)

const server = HttpRouter.empty.pipe(HttpRouter.post("/translate", translate), HttpServer.serve())

const resolver = TranslateResolver.layer({ window: "10 millis", budget: 40 }).pipe(
  Layer.provide(Translator.layerConfig()),
  Layer.provide(NodeHttpClient.layerUndici)
)

const ask = (text: string) =>
  HttpClientRequest.post("/translate").pipe(
    HttpClientRequest.bodyUnsafeJson({ text, targetLang: "de" }),
    HttpClient.execute,
    Effect.flatMap((response) => Effect.map(response.text, (body) => `${response.status} ${body}`))
  )

const program = Effect.gen(function* () {
  const answers = yield* Effect.forEach(["Good morning", "Good morning", "Good night"], ask, {
    concurrency: "unbounded"
  })
  yield* Effect.forEach(answers, (answer) => Console.log(answer))
  yield* Console.log(yield* ask("A text that is too long for the budget"))
})

program.pipe(
  // NodeHttpServer.layer(createServer, { port: 8080 }) and Layer.launch in a program that serves others
  Effect.provide(Layer.provideMerge(Layer.provide(server, resolver), NodeHttpServer.layerTest)),
  NodeProgram.runMain
)
