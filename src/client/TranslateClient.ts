/**
 * The endpoints for API keys, each as an effect.
 *
 * @since 0.1.0
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Document from "../api/Document.js"
import * as Text from "../api/Text.js"
import type * as Usage from "../api/Usage.js"
import * as WriteApi from "../api/Write.js"
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
import * as TextClient from "./TextClient.js"
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
 * The models of these calls, which a client of texts has too.
 *
 * @since 0.1.0
 * @category models
 */
export type { Identity, Translated } from "./TextClient.js"

/**
 * The endpoints for API keys.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service extends TextClient.Service {
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
  const [connection, credentials] = yield* TextClient.connect
  const endpoints = internal.make(connection)
  const known = new requestRules.Languages(
    { translate_text: Text.formalityTargets, translate_document: Document.formalityTargets },
    WriteApi.targetLanguages
  )
  const resources = {
    languages: Languages.make(endpoints, known),
    styleRules: StyleRules.make(endpoints),
    glossaries: Glossaries.make(endpoints)
  }
  return TranslateClient.of({
    ...TextClient.over(connection, credentials, known),
    ...resources,
    usage: endpoints.group("usage").call("usage", "always", () => ({}))(),
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
