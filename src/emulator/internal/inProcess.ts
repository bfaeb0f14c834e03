import type * as HttpApp from "@effect/platform/HttpApp"
import type * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { bytesOf } from "./answer.js"
import { type ConnectionCut, half } from "./faults.js"

const bodyOf = (body: HttpBody.HttpBody): Effect.Effect<BodyInit | null> => {
  switch (body._tag) {
    case "Empty":
      return Effect.succeed(null)
    case "Raw":
    case "Uint8Array":
      return Effect.succeed(body.body as BodyInit)
    case "FormData":
      return Effect.succeed(body.formData)
    case "Stream":
      return Stream.toReadableStreamEffect(body.stream)
  }
}

const toServer = (request: HttpClientRequest.HttpClientRequest, url: URL) =>
  Effect.map(bodyOf(request.body), (body) =>
    HttpServerRequest.fromWeb(
      // A body that is a stream needs `duplex`, which is missing in the types.
      new Request(url, {
        method: request.method,
        headers: request.headers,
        body,
        duplex: "half"
      } as RequestInit)
    )
  )

const transportError = (request: HttpClientRequest.HttpClientRequest, description: string) =>
  new HttpClientError.RequestError({ request, reason: "Transport", description })

/** An answer that breaks off in the middle of its body. */
const brokenOff = (
  response: HttpServerResponse.HttpServerResponse,
  error: ConnectionCut
): Effect.Effect<Response> =>
  Effect.map(
    Stream.toReadableStreamEffect(Stream.concat(Stream.succeed(half(bytesOf(response))), Stream.fail(error))),
    (body) => new Response(body, { status: response.status, headers: response.headers })
  )

const cut = (request: HttpClientRequest.HttpClientRequest, error: ConnectionCut) =>
  error.amid === undefined
    ? Effect.fail(transportError(request, "The emulator cut the connection"))
    : brokenOff(error.amid, error)

/** A client that aborts ends the work, as one that closes its connection does. */
const aborted = (
  request: HttpClientRequest.HttpClientRequest,
  signal: AbortSignal
): Effect.Effect<never, HttpClientError.RequestError> =>
  Effect.async((resume) => {
    const abort = () => resume(Effect.fail(transportError(request, "The client aborted the request")))
    if (signal.aborted) return abort()
    signal.addEventListener("abort", abort)
    return Effect.sync(() => signal.removeEventListener("abort", abort))
  })

/** An answer whose body ends when the client aborts. */
const abortable = (response: Response, signal: AbortSignal): Response =>
  response.body === null
    ? response
    : new Response(response.body.pipeThrough(new TransformStream(), { signal }), response)

/** An `HttpClient` that hands its requests to the app. */
export const context = (app: HttpApp.Default<ConnectionCut>): Context.Context<HttpClient.HttpClient> =>
  Context.make(
    HttpClient.HttpClient,
    HttpClient.make((request, url, signal) =>
      Effect.gen(function* () {
        const server = yield* toServer(request, url)
        const runtime = yield* Effect.runtime<never>()
        return yield* app.pipe(
          Effect.provideService(HttpServerRequest.HttpServerRequest, server),
          Effect.map((response) =>
            HttpServerResponse.toWeb(response, { withoutBody: request.method === "HEAD", runtime })
          ),
          Effect.catchTag("ConnectionCut", (error) => cut(request, error)),
          Effect.raceFirst(aborted(request, signal)),
          Effect.map((response) => HttpClientResponse.fromWeb(request, abortable(response, signal)))
        )
      })
    )
  )
