import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as OpenApiDocument from "../../api/OpenApiDocument.js"

type App = Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>

const document: App = Effect.sync(() => HttpServerResponse.unsafeJson(OpenApiDocument.make()))

/** All that the page needs is in it: it works without a network. */
const page: App = Effect.gen(function* () {
  // Two megabytes that nothing else needs.
  const swagger = yield* Effect.promise(() => import("@effect/platform/HttpApiSwagger"))
  const app = yield* HttpLayerRouter.toHttpEffect(
    swagger.layerHttpLayerRouter({ api: OpenApiDocument.api, path: "/docs" })
  )
  return yield* app
}).pipe(Effect.orDie, Effect.scoped)

/** What the emulator says of itself: the service has no such paths, so nothing of this is metered, billed or faulted. */
export const find = ({ method, url }: HttpServerRequest.HttpServerRequest): App | undefined => {
  if (method !== "GET") return undefined
  if (url === "/openapi.json") return document
  return url === "/docs" ? page : undefined
}
