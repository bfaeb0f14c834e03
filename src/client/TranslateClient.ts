/**
 * Every endpoint that an API key opens, each as an effect.
 *
 * @since 0.1.0
 */
import * as HttpApiClient from "@effect/platform/HttpApiClient"
import * as HttpClient from "@effect/platform/HttpClient"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as ParseResult from "effect/ParseResult"
import type * as Scope from "effect/Scope"
import * as Text from "../api/Text.js"
import { TranslateApi } from "../api/TranslateApi.js"
import * as Usage from "../api/Usage.js"
import * as Auth from "./Auth.js"
import * as answer from "./internal/answer.js"
import * as internal from "./internal/call.js"
import * as http from "./internal/http.js"
import * as Region from "./Region.js"
import * as Throttle from "./Throttle.js"
import * as TranslateError from "./TranslateError.js"

/**
 * The answer to a translation, and what it took to get it.
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
 * Every endpoint that an API key opens.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /**
   * Translates 1 to 50 texts: `POST /v2/translate`. The answer holds as many translations as the request texts.
   *
   * Source: service specification, Endpoints, Text translation.
   */
  readonly translateText: (
    request: Text.TranslateRequest
  ) => Effect.Effect<Translated, TranslateError.TranslateError>
  /**
   * Usage and limits of this period: `GET /v2/usage`. It lags behind real consumption.
   *
   * Source: service specification, "What the service does", usage endpoint.
   */
  readonly usage: Effect.Effect<Usage.Usage, TranslateError.TranslateError>
}

/**
 * The client of the service.
 *
 * @since 0.1.0
 * @category tags
 */
export class TranslateClient extends Context.Tag("effect-translate/TranslateClient")<
  TranslateClient,
  Service
>() {}

/** What is known of the call is in the context of the fiber that decodes. */
const decoding = (decoded: Effect.Effect<unknown, unknown>) =>
  Effect.catchAll(decoded, (error) =>
    Effect.flatMap(internal.CurrentCall, (call) => Effect.fail(answer.unreadable(call, error)))
  ) as Effect.Effect<unknown, unknown>

/** Of a request that may still be malformed: its schema speaks later. */
const sizeOf = (request: Text.TranslateRequest): number =>
  Array.isArray(request?.text) ? request.text.reduce((size, text) => size + (text?.length ?? 0), 0) : 0

/** Before anything is sent, only the request's schema can fail: all else is a `TranslateError` already. */
const fromEncoding =
  (call: internal.Call) =>
  (error: unknown): TranslateError.TranslateError =>
    TranslateError.isTranslateError(error)
      ? error
      : answer.invalidRequest(call, error as ParseResult.ParseError)

/**
 * A client from what is in the context.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<
  Service,
  never,
  Region.Region | Auth.ApiKey | Throttle.Throttle | HttpClient.HttpClient | Scope.Scope
> = Effect.gen(function* () {
  const httpClient = http.make({
    region: yield* Region.Region,
    credentials: yield* Auth.ApiKey,
    httpClient: yield* HttpClient.HttpClient
  })
  const api = yield* HttpApiClient.makeWith(TranslateApi, {
    httpClient,
    transformResponse: decoding
  }).pipe(Effect.mapInputContext((_: Context.Context<never>) => Context.empty()))
  const shared = yield* internal.makeShared(yield* Throttle.Throttle)
  return TranslateClient.of({
    translateText: (request) =>
      internal
        .make(shared, {
          endpoint: Text.translateText,
          repetition: "budgeted",
          size: sizeOf(request),
          attempt: (call) =>
            Effect.matchEffect(api.text.translateText({ payload: request }), {
              onFailure: (error) => Effect.fail(fromEncoding(call)(error)),
              onSuccess: (result) =>
                result.translations.length === request.text.length
                  ? Effect.succeed(result)
                  : Effect.fail(answer.mismatched(call, request.text.length, result.translations.length))
            })
        })
        .pipe(
          Effect.map(({ attempts, ambiguousAttempts, value }) => ({
            translations: value.translations,
            attempts,
            ambiguousAttempts
          }))
        ),
    usage: internal
      .make(shared, {
        endpoint: Usage.usage,
        repetition: "free",
        size: 0,
        attempt: (call) => Effect.mapError(api.usage.usage({}), fromEncoding(call))
      })
      .pipe(Effect.map(({ value }) => value))
  })
})

/**
 * A client from the layers of its parts.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<
  TranslateClient,
  never,
  Region.Region | Auth.ApiKey | Throttle.Throttle | HttpClient.HttpClient
> = Layer.scoped(TranslateClient, make)

/**
 * A client from `LANGUAGE_SERVICE_URL`, `LANGUAGE_SERVICE_KEY` and `LANGUAGE_SERVICE_SCHEME`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig: Layer.Layer<TranslateClient, ConfigError.ConfigError, HttpClient.HttpClient> =
  layer.pipe(Layer.provide([Region.layerConfig, Auth.layerConfig, Throttle.layerDefault]))
