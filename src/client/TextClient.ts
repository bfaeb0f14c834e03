/**
 * The translation of texts, and nothing else: a client for browsers and other programs that are to stay small.
 *
 * @since 0.1.0
 */
import * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Text from "../api/Text.js"
import { hash } from "../internal/hash.js"
import * as Auth from "./Auth.js"
import * as ConcurrencyLimit from "./ConcurrencyLimit.js"
import * as textCalls from "./internal/calling/textCalls.js"
import * as freeTier from "./internal/checking/freeTier.js"
import * as requestRules from "./internal/checking/requestRules.js"
import * as Region from "./Region.js"
import type { TranslateError } from "./TranslateError.js"

/**
 * The answer to a translation, and how often its request was sent.
 *
 * @since 0.1.0
 * @category models
 */
export interface Translated extends Text.TranslateResult {
  /** How often the request was sent. */
  readonly attempts: number
  /** How many attempts before the successful one may have been carried out and billed as well. */
  readonly ambiguousAttempts: number
}

/**
 * Whose answers a client gives. Stores of translations keep apart what belongs to different services and accounts.
 *
 * @since 0.1.0
 * @category models
 */
export interface Identity {
  /** The base address of the region, or `name:` and its name. */
  readonly service: string
  /** `key:` and a hash of the key, or `name:` and the name of the account. */
  readonly account: string
}

/**
 * The translation of texts.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** Whose answers it gives. Under `QuotaPolicy.failOver`, those of the first client. */
  readonly identity: Identity
  /**
   * Translates 1 to 50 texts: `POST /v2/translate`. The answer holds as many translations as the request texts.
   *
   * Source: service specification, Endpoints, Text translation.
   *
   * @example
   * const { translations } = yield* client.translateText({ text: ["Good morning"], targetLang: "de" })
   */
  readonly translateText: (request: Text.TranslateRequest) => Effect.Effect<Translated, TranslateError>
}

const identityOf = (region: Region.Service, { account, key }: Auth.Credentials): Identity => ({
  service: region.name === undefined ? region.url : `name:${region.name}`,
  account:
    account === undefined
      ? `key:${hash(`effect-translate/account\n${Redacted.value(key)}`)}`
      : `name:${account}`
})

/**
 * The calls of texts over a connection, with what is known of languages.
 *
 * @internal
 */
export const over = (
  connection: textCalls.Connection,
  credentials: Auth.Credentials,
  known: requestRules.Languages
): Service => {
  const { region } = connection
  const guard: requestRules.Guard<Text.TranslateRequest> =
    region.tier === "free"
      ? (request, sent) =>
          known.guardText(request, Effect.zipRight(freeTier.check(region, Text.translateText, request), sent))
      : known.guardText
  return {
    identity: identityOf(region, credentials),
    translateText: textCalls.bulk(connection)(
      Text.translateText,
      Text.TranslateRequest,
      Text.TranslateResult,
      (result) => result.translations,
      guard
    )
  }
}

/**
 * Connects with the services in the context.
 *
 * @internal
 */
export const connect: Effect.Effect<
  readonly [textCalls.Connection, Auth.Credentials],
  never,
  Region.Region | Auth.ApiKey | ConcurrencyLimit.ConcurrencyLimit | HttpClient.HttpClient | Scope.Scope
> = Effect.gen(function* () {
  const credentials = yield* Auth.ApiKey
  const connection = yield* textCalls.connect({
    region: yield* Region.Region,
    credentials,
    concurrencyLimit: yield* ConcurrencyLimit.ConcurrencyLimit,
    httpClient: yield* HttpClient.HttpClient
  })
  return [connection, credentials]
})

/**
 * Makes a client of texts from the services in the context. `TranslateClient.make` makes one of all endpoints.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<
  Service,
  never,
  Region.Region | Auth.ApiKey | ConcurrencyLimit.ConcurrencyLimit | HttpClient.HttpClient | Scope.Scope
> = Effect.map(connect, ([connection, credentials]) =>
  over(connection, credentials, new requestRules.Languages({ translate_text: Text.formalityTargets }))
)
