import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as OpenApiDocument from "../../api/OpenApiDocument.js"

type App = Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>

const document: App = Effect.sync(() => HttpServerResponse.unsafeJson(OpenApiDocument.make()))

/** The page holds everything it needs, so it works without a network. */
const page: App = Effect.gen(function* () {
  // Loaded on demand: two megabytes that nothing else needs.
  const swagger = yield* Effect.promise(() => import("@effect/platform/HttpApiSwagger"))
  const app = yield* HttpLayerRouter.toHttpEffect(
    swagger.layerHttpLayerRouter({ api: OpenApiDocument.api, path: "/docs" })
  )
  return yield* app
}).pipe(Effect.orDie, Effect.scoped)

/** Pages about the emulator itself. The service has no such paths, so they are neither metered nor billed, and have no faults. */
export const find = ({ method, url }: HttpServerRequest.HttpServerRequest): App | undefined => {
  if (method !== "GET") return undefined
  if (url === "/openapi.json") return document
  return url === "/docs" ? page : undefined
}
