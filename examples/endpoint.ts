/** How do I translate in an HTTP endpoint? Requests of callers that come at the same time share calls of the service. */
import {
  HttpBody,
  HttpClient,
  HttpRouter,
  HttpServer,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { NodeHttpClient, NodeHttpServer } from "@effect/platform-node"
import { Console, Effect, Layer, Schema } from "effect"
import { TranslateResolver, Translator } from "effect-translate"
import { NodeProgram } from "effect-translate/node"

const translate = Effect.gen(function* () {
  const { targetLang, text } = yield* HttpServerRequest.schemaBodyJson(
    Schema.Struct({ text: Schema.String, targetLang: Schema.String })
  )
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
  Layer.provide(Layer.provide(Translator.layerConfig(), NodeHttpClient.layerUndici))
)

const ask = (text: string) =>
  Effect.gen(function* () {
    const response = yield* HttpClient.post("/translate", {
      body: HttpBody.unsafeJson({ text, targetLang: "de" })
    })
    return `${response.status} ${yield* response.text}`
  })

const program = Effect.gen(function* () {
  const atOnce = yield* Effect.all(["Good morning", "Good morning", "Good night"].map(ask), {
    concurrency: "unbounded"
  })
  yield* Console.log([...atOnce, yield* ask("A text that is too long for the budget")].join("\n"))
})

program.pipe(
  // NodeHttpServer.layer(createServer, { port: 8080 }) and Layer.launch in a program that serves others
  Effect.provide(Layer.provideMerge(Layer.provide(server, resolver), NodeHttpServer.layerTest)),
  NodeProgram.runMain
)
