/** A client whose requests are disturbed on their real sockets. */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Emulator, Fault } from "effect-translate/emulator"
import type { Disturbance } from "./disturbance.js"
import { unspeakable } from "./subjects.js"

/** A port of this machine on which nobody listens. */
const nowhere = "http://127.0.0.1:1"

const pathOf = ({ url }: HttpClientRequest.HttpClientRequest) => new URL(url).pathname

/** What the emulator does to requests in any case. */
export const scripted = [Fault.poison(unspeakable)]

const possible = ["fails", "halves", "cuts", "freezes", "kills"] as const

/** What a request is called: its method and its path, but for ids. */
const siteOf = (request: HttpClientRequest.HttpClientRequest) =>
  `${request.method} ${pathOf(request).replaceAll(/[\da-f]{8}-[-\da-f]{27}/g, "id")}`

export const layer = (
  disturbance: Disturbance
): Layer.Layer<HttpClient.HttpClient, never, HttpClient.HttpClient | Emulator.Emulator> =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.map(Effect.all([HttpClient.HttpClient, Emulator.Emulator]), ([client, emulator]) => {
      // Before what else is scripted, which would be served in its place.
      const cut = (request: HttpClientRequest.HttpClientRequest, when: Fault.When) =>
        Effect.zipRight(
          emulator.clear,
          emulator.script([
            Fault.where(
              Fault.cutConnection({ when }),
              ({ method, path }) => method === request.method && path === pathOf(request)
            ),
            ...scripted
          ])
        )
      return HttpClient.transform(client, (sent, request) =>
        Effect.suspend(() => {
          switch (disturbance.enter(siteOf(request), possible)) {
            case undefined:
              return sent
            case "fails":
              return client.execute(HttpClientRequest.setUrl(request, nowhere + pathOf(request)))
            case "halves":
              return Effect.zipRight(cut(request, "mid-body"), sent)
            case "cuts":
              return Effect.zipRight(cut(request, "after"), sent)
            case "freezes":
              return Effect.flatMap(sent, (response) => disturbance.freeze(Effect.succeed(response)))
            case "kills":
              return Effect.zipRight(Effect.tap(Effect.ignore(sent), disturbance.kill), Effect.never)
            case "gone":
              return Effect.never
          }
        })
      )
    })
  )
