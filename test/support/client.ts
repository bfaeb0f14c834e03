/** A client of a recording server, and of a scripted transport that the TestClock drives. */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { ConcurrencyLimit, RetryPolicy, TranslateClient } from "effect-translate"
import * as recording from "./recordingServer.js"
import { retries } from "./retries.js"

/** It looks like nothing else that a message may hold. */
export const key = "k3y-5ecret-0123456789abcdef"

export interface Options extends Partial<Omit<TranslateClient.Options, "key" | "url">> {
  readonly url?: string | undefined
  /** What follows the server's own address. */
  readonly suffix?: string | undefined
}

/** A client over any transport. */
export const layerOver = ({
  url = "http://service.test",
  ...options
}: Options = {}): Layer.Layer<TranslateClient.Provided, ConfigError.ConfigError, HttpClient.HttpClient> =>
  TranslateClient.layer({
    url,
    key: Redacted.make(key),
    limit: ConcurrencyLimit.makeUnlimited,
    ...options
  })

/** A recording server and a client of it over a transport; undici unless told otherwise. */
export const servedOver = (
  transport: Layer.Layer<HttpClient.HttpClient>,
  { suffix = "", ...options }: Options = {}
) =>
  Layer.provideMerge(
    Layer.unwrapEffect(
      Effect.map(recording.RecordingServer, (server) =>
        layerOver({ url: server.url + suffix, ...options }).pipe(Layer.provide(transport))
      )
    ),
    recording.layer
  )

/** A recording server and a client of it. */
export const served = (options?: Options) => servedOver(NodeHttpClient.layerUndici, options)

export const translate = (request: TranslateClient.TranslateRequest) =>
  Effect.flatMap(TranslateClient.TranslateClient, (client) => client.translateText(request))

/** What the types refuse, callers of plain JavaScript still send. */
export const translateAnything = (request: object) => translate(request as TranslateClient.TranslateRequest)

export const usage = Effect.flatMap(TranslateClient.TranslateClient, (client) => client.usage)

/** Sends nothing again: what failed is seen as it is. */
export const once = Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.none)

/** Sends again after a millisecond, five times. */
export const quickly = Effect.provideService(
  RetryPolicy.RetryPolicy,
  RetryPolicy.make({ schedule: retries(5, 1) })
)

/** An answer of the service with these texts. */
export const translations = (...texts: ReadonlyArray<string>) => ({
  body: { translations: texts.map((text) => ({ text, detected_source_language: "EN" })) }
})

export const hello: TranslateClient.TranslateRequest = { text: ["Hello"], targetLang: "de" }

export const hallo = translations("Hallo")
