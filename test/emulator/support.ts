/** A plain HTTP client's view of an emulator. */

import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpMethod from "@effect/platform/HttpMethod"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { Emulator } from "effect-translate/emulator"

export interface Answer {
  readonly status: number
  readonly headers: { readonly [name: string]: string | undefined }
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever came
  readonly json: any
}

export interface Sent {
  readonly method?: HttpMethod.HttpMethod
  readonly path?: string
  readonly headers?: { readonly [name: string]: string | undefined }
}

/** Sends any body to any path, as a POST of JSON with the default key unless told otherwise. */
export const send = (
  body: string | Uint8Array | undefined,
  { headers, method = "POST", path = "/v2/translate" }: Sent = {}
) =>
  Effect.gen(function* () {
    const emulator = yield* Emulator.Emulator
    const client = yield* HttpClient.HttpClient
    const all = {
      authorization: `Service-Auth-Key ${Emulator.defaultKey}`,
      "content-type": "application/json",
      ...headers
    }
    const type = all["content-type"]
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body
    const request = HttpClientRequest.make(method)(`${emulator.url}${path}`).pipe(
      bytes === undefined ? (self) => self : HttpClientRequest.bodyUint8Array(bytes, type),
      HttpClientRequest.setHeaders(
        Object.entries(all).filter(
          (header): header is [string, string] =>
            header[1] !== undefined && (body !== undefined || header[0] !== "content-type")
        )
      )
    )
    const response = yield* client.execute(request)
    const text = yield* response.text
    const json = yield* Effect.option(Effect.try(() => JSON.parse(text)))
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: json._tag === "Some" ? json.value : undefined
    } satisfies Answer
  })

/** Sends a JSON value to translate. */
export const translate = (body: object, sent?: Sent) => send(JSON.stringify(body), sent)

/** A request that bills 5 characters. */
export const hello = (sent?: Sent) => translate({ text: ["Hello"], target_lang: "de" }, sent)

export const usage = (sent?: Sent) => send(undefined, { method: "GET", path: "/v2/usage", ...sent })

export const withKey = (key: string): Sent => ({ headers: { authorization: `Service-Auth-Key ${key}` } })

export const meter = Effect.flatMap(Emulator.Emulator, (emulator) => emulator.meter)

/** Asks again and again until something holds, whatever the clock says. */
export const until = <A, E, R>(
  ask: Effect.Effect<A, E, R>,
  holds: (answer: A) => boolean
): Effect.Effect<A, E, R> =>
  Effect.flatMap(ask, (answer) =>
    holds(answer) ? Effect.succeed(answer) : Effect.zipRight(Effect.yieldNow(), until(ask, holds))
  )

/** Sends a request, and gives it up as soon as it has come. */
export const abandoned = Effect.gen(function* () {
  const { requests } = yield* meter
  const fiber = yield* Effect.fork(hello())
  yield* until(meter, (now) => now.requests > requests)
  yield* Fiber.interrupt(fiber)
})

export const script = (...[faults]: Parameters<Emulator.Service["script"]>) =>
  Effect.flatMap(Emulator.Emulator, (emulator) => emulator.script(faults))

/** An emulator in the process. */
export const served = Emulator.layerHttpClient

/** An emulator on a free port, and a client over sockets: for what is about connections. */
export const overHttp = (options?: Emulator.NodeOptions) =>
  Layer.mergeAll(Emulator.layerNode(options), NodeHttpClient.layerUndici)
