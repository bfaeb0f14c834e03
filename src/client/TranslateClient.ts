/**
 * The endpoints for API keys, each as an effect.
 *
 * @since 0.1.0
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Document from "../api/Document.js"
import * as Text from "../api/Text.js"
import type * as Usage from "../api/Usage.js"
import type * as Auth from "./Auth.js"
import type * as ConcurrencyLimit from "./ConcurrencyLimit.js"
import * as Documents from "./Documents.js"
import * as Glossaries from "./Glossaries.js"
import type { ConfigOptions, Options, Policies } from "./internal/calling/clientLayers.js"
import * as clientLayers from "./internal/calling/clientLayers.js"
import type { Connection } from "./internal/calling/connection.js"
import * as internal from "./internal/calling/endpoints.js"
import * as textClient from "./internal/calling/textClient.js"
import * as languageSupport from "./internal/checking/languageSupport.js"
import type { Service as LanguageSupport } from "./internal/checking/languageSupportModel.js"
import * as requestRules from "./internal/checking/requestRules.js"
import * as Languages from "./Languages.js"
import * as MonolingualGlossaries from "./MonolingualGlossaries.js"
import * as Region from "./Region.js"
import * as StyleRules from "./StyleRules.js"
import type { CallError } from "./TranslateError.js"
import * as TranslationMemories from "./TranslationMemories.js"
import * as Translator from "./Translator.js"
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
 * Options of the layers.
 *
 * @since 0.1.0
 * @category models
 */
export type { ConfigOptions, Options, Policies } from "./internal/calling/clientLayers.js"

/**
 * The models of calls of texts.
 *
 * @since 0.1.0
 * @category models
 */
export type { Identity, Translated } from "./internal/calling/textClient.js"

/**
 * The endpoints for API keys.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service extends textClient.TextClient {
  /**
   * Usage and limits of this period: `GET /v2/usage`. It lags behind real consumption.
   *
   * Source: service specification, "What the service does", usage endpoint.
   *
   * @example
   * const usage = yield* client.usage
   */
  readonly usage: Effect.Effect<Usage.Usage, CallError>
  /** Documents, one request at a time. */
  readonly documents: Documents.Documents
  /** Languages. */
  readonly languages: Languages.Languages
  /** Which languages and features work together, by listings that are cached for an hour. Jobs check their options by it. */
  readonly languageSupport: LanguageSupport
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
 * The services for translating: those that streams, documents and jobs need. Each layer of a client gives both.
 *
 * @since 0.1.0
 * @category models
 */
export type Provided = TranslateClient | Translator.Translator

const over = (connection: Connection): Effect.Effect<Service, never, Scope.Scope> => {
  const endpoints = internal.make(connection)
  const known = new requestRules.Languages(Region.kindOf(connection.region), {
    translate_text: Text.formalityTargets,
    translate_document: Document.formalityTargets
  })
  const resources = {
    languages: Languages.make(endpoints, known),
    styleRules: StyleRules.make(endpoints),
    glossaries: Glossaries.make(endpoints)
  }
  return Effect.map(languageSupport.make({ ...resources, kind: known.kind }), (languageSupport) => ({
    ...textClient.make(connection, known),
    ...resources,
    usage: endpoints.group("usage").call("usage", "always", () => ({}))(),
    documents: Documents.make(endpoints, known),
    languageSupport,
    write: Write.make(endpoints, known),
    monolingualGlossaries: MonolingualGlossaries.make(endpoints),
    translationMemories: TranslationMemories.make(endpoints),
    voice: VoiceSessions.make(endpoints)
  }))
}

const layers = /* #__PURE__ */ clientLayers.make(over, (client) =>
  Context.make(TranslateClient, client).pipe(Context.add(Translator.Translator, Translator.make(client)))
)

/**
 * A client of an address and an API key, and a translator that sends by it. Each layer has a limit of its own.
 *
 * Errors: `ConfigError` for an address or a key that can't be used.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  options: Options
): Layer.Layer<Provided, ConfigError.ConfigError, HttpClient.HttpClient> => layers.layer(options)

/**
 * The same from the configuration: `LANGUAGE_SERVICE_URL`, `LANGUAGE_SERVICE_TIER`, `LANGUAGE_SERVICE_NAME`, `LANGUAGE_SERVICE_KIND`,
 * `LANGUAGE_SERVICE_KEY`, `LANGUAGE_SERVICE_SCHEME` and `LANGUAGE_SERVICE_ACCOUNT`, unless told otherwise. All layers without options share one
 * client; each one with options has a client and a concurrency limit of its own.
 *
 * Errors: `ConfigError` for values that are missing or can't be used.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  options?: ConfigOptions
): Layer.Layer<Provided, ConfigError.ConfigError, HttpClient.HttpClient> => layers.layerConfig(options)

/**
 * The same over services of the program: its region, key and concurrency limit.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerServices = (
  options?: Policies
): Layer.Layer<
  Provided,
  ConfigError.ConfigError,
  Region.Region | Auth.ApiKey | ConcurrencyLimit.ConcurrencyLimit | HttpClient.HttpClient
> => layers.layerServices(options)
