/**
 * The endpoints for API keys, each as an effect.
 *
 * @since 0.1.0
 */
import * as HttpClient from "@effect/platform/HttpClient"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Text from "../api/Text.js"
import type * as Usage from "../api/Usage.js"
import { hash } from "../internal/hash.js"
import { mergeConfig } from "../internal/mergeConfig.js"
import * as Auth from "./Auth.js"
import * as ConcurrencyLimit from "./ConcurrencyLimit.js"
import * as Documents from "./Documents.js"
import * as Glossaries from "./Glossaries.js"
import * as internal from "./internal/calling/endpoints.js"
import * as languageSupport from "./internal/checking/languageSupport.js"
import * as requestRules from "./internal/checking/requestRules.js"
import type * as LanguageSupport from "./LanguageSupport.js"
import * as Languages from "./Languages.js"
import * as MonolingualGlossaries from "./MonolingualGlossaries.js"
import * as Region from "./Region.js"
import * as StyleRules from "./StyleRules.js"
import type { TranslateError } from "./TranslateError.js"
import * as TranslationMemories from "./TranslationMemories.js"
import * as VoiceSessions from "./VoiceSessions.js"
import * as Write from "./Write.js"

/**
 * The models of these calls, from the contract.
 *
 * @since 0.1.0
 * @category models
 */
export {
  characters,
  Formality,
  TranslateOptions,
  TranslateRequest,
  TranslateResult,
  Translation
} from "../api/Text.js"

/**
 * The models of these calls, from the contract.
 *
 * @since 0.1.0
 * @category models
 */
export { ProductUsage, Usage } from "../api/Usage.js"

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
 * The endpoints for API keys.
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
  /**
   * Usage and limits of this period: `GET /v2/usage`. It lags behind real consumption.
   *
   * Source: service specification, "What the service does", usage endpoint.
   *
   * @example
   * const usage = yield* client.usage
   */
  readonly usage: Effect.Effect<Usage.Usage, TranslateError>
  /** Documents, one request at a time. */
  readonly documents: Documents.Documents
  /** Languages. */
  readonly languages: Languages.Languages
  /** Which languages and features work together, by listings that are cached for an hour. Jobs check their options by it. */
  readonly languageSupport: LanguageSupport.Service
  /** Style rule lists. */
  readonly styleRules: StyleRules.StyleRules
  /** Text improvement. */
  readonly write: Write.Write
  /** Glossaries. */
  readonly glossaries: Glossaries.Glossaries
  /** The older glossaries, of one dictionary each. */
  readonly monolingualGlossaries: MonolingualGlossaries.MonolingualGlossaries
  /** Translation memories. */
  readonly translationMemories: TranslationMemories.TranslationMemories
  /** Realtime transcription and translation of speech. */
  readonly voice: VoiceSessions.VoiceSessions
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

const identityOf = (region: Region.Service, { account, key }: Auth.Credentials): Identity => ({
  service: region.name === undefined ? region.url : `name:${region.name}`,
  account:
    account === undefined
      ? `key:${hash(`effect-translate/account\n${Redacted.value(key)}`)}`
      : `name:${account}`
})

/**
 * Makes a client from the services in the context.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<
  Service,
  never,
  Region.Region | Auth.ApiKey | ConcurrencyLimit.ConcurrencyLimit | HttpClient.HttpClient | Scope.Scope
> = Effect.gen(function* () {
  const credentials = yield* Auth.ApiKey
  const endpoints = yield* internal.make({
    region: yield* Region.Region,
    credentials,
    concurrencyLimit: yield* ConcurrencyLimit.ConcurrencyLimit,
    httpClient: yield* HttpClient.HttpClient
  })
  const { bulk, group, region } = endpoints
  const known = new requestRules.Languages()
  const ofTier = StyleRules.guard(region)
  const guard = <A, E, R>(request: Text.TranslateRequest, sent: Effect.Effect<A, E, R>) =>
    known.guardText(request, ofTier(request, sent))
  const resources = {
    languages: Languages.make(endpoints, known),
    styleRules: StyleRules.make(endpoints),
    glossaries: Glossaries.make(endpoints)
  }
  return TranslateClient.of({
    ...resources,
    identity: identityOf(region, credentials),
    translateText: bulk(
      Text.translateText,
      Text.TranslateRequest,
      Text.TranslateResult,
      (result) => result.translations,
      guard
    ),
    usage: group("usage").call("usage", "always", () => ({}))(),
    documents: Documents.make(endpoints, known),
    languageSupport: yield* languageSupport.make(resources),
    write: Write.make(endpoints, known),
    monolingualGlossaries: MonolingualGlossaries.make(endpoints),
    translationMemories: TranslationMemories.make(endpoints),
    voice: VoiceSessions.make(endpoints)
  })
})

/**
 * A client of a region, an API key and a concurrency limit.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<
  TranslateClient,
  never,
  Region.Region | Auth.ApiKey | ConcurrencyLimit.ConcurrencyLimit | HttpClient.HttpClient
> = Layer.scoped(TranslateClient, make)

/**
 * Where the values of a client come from.
 *
 * @since 0.1.0
 * @category models
 */
export interface ConfigOptions extends Region.ConfigOptions, Auth.ConfigOptions {}

const fromConfig = (
  options?: ConfigOptions
): Layer.Layer<TranslateClient, ConfigError.ConfigError, HttpClient.HttpClient> =>
  Layer.fresh(layer).pipe(
    Layer.provide([
      mergeConfig(Region.layerConfig(options), Auth.layerConfig(options)),
      ConcurrencyLimit.layerAdaptive()
    ])
  )

const ofEnvironment = fromConfig()

/**
 * A client from the configuration: `LANGUAGE_SERVICE_URL`, `LANGUAGE_SERVICE_TIER`, `LANGUAGE_SERVICE_NAME`, `LANGUAGE_SERVICE_KEY`,
 * `LANGUAGE_SERVICE_SCHEME` and `LANGUAGE_SERVICE_ACCOUNT`, unless told otherwise. All layers without options share one client; each one with options has a
 * client and a concurrency limit of its own.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  options: ConfigOptions = {}
): Layer.Layer<TranslateClient, ConfigError.ConfigError, HttpClient.HttpClient> =>
  Object.keys(options).length === 0 ? ofEnvironment : fromConfig(options)
