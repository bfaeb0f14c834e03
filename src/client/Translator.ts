/**
 * A batch of texts in, the same number of translations out: the service that the streams depend on.
 *
 * @since 0.1.0
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as ServiceKind from "../api/ServiceKind.js"
import * as Text from "../api/Text.js"
import type * as Auth from "./Auth.js"
import type * as ConcurrencyLimit from "./ConcurrencyLimit.js"
import type { ConfigOptions, Options, Policies } from "./internal/calling/clientLayers.js"
import * as clientLayers from "./internal/calling/clientLayers.js"
import type { Identity as ClientIdentity, Translated } from "./internal/calling/textClient.js"
import * as textClient from "./internal/calling/textClient.js"
import * as requestRules from "./internal/checking/requestRules.js"
import * as Region from "./Region.js"
import type { CallError } from "./TranslateError.js"

/**
 * Options of the layers.
 *
 * @since 0.1.0
 * @category models
 */
export type { ConfigOptions, Options, Policies } from "./internal/calling/clientLayers.js"

/**
 * The answer to a batch.
 *
 * @since 0.1.0
 * @category models
 */
export type { Translated } from "./internal/calling/textClient.js"

/**
 * All facts that answers depend on apart from texts and options.
 *
 * @since 0.1.0
 * @category models
 */
export interface Identity extends ClientIdentity {
  /**
   * A hash of the content of glossaries and the style rule list that the options name by an id. @default the options
   * name nothing that changes
   */
  readonly content?: string | undefined
}

/**
 * Translates batches.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** Translates 1 to 50 texts; the answer holds as many translations, in the order of the texts. */
  readonly translate: (
    texts: ReadonlyArray<string>,
    options: Text.TranslateOptions
  ) => Effect.Effect<Translated, CallError>
  /**
   * The facts that answers depend on apart from texts and options. A stream that has a store asks once, before it pulls
   * anything.
   * @default unknown: a stream that has a store fails with `InvalidRequest`
   */
  readonly identify?: ((options: Text.TranslateOptions) => Effect.Effect<Identity, CallError>) | undefined
  /**
   * The kind of the service: the rules that streams hold options to, and the characters that forecasts count as free.
   * @default `ServiceKind.specification`
   */
  readonly kind?: ServiceKind.ServiceKind | undefined
}

/**
 * The translator that the streams send their batches to.
 *
 * @since 0.1.0
 * @category tags
 */
export class Translator extends Context.Tag("effect-translate/Translator")<Translator, Service>() {}

/**
 * Options of {@link make}: a client, or functions of one's own.
 *
 * @since 0.1.0
 * @category models
 */
export interface MakeOptions {
  /** Translates 1 to 50 texts; the answer holds as many translations, in the order of the texts. */
  readonly translateText: (request: Text.TranslateRequest) => Effect.Effect<Translated, CallError>
  /** Whose answers it gives. @default unknown: a stream that has a store fails with `InvalidRequest` */
  readonly identity?: ClientIdentity | undefined
  /** A hash of the content that options name by an id. @default they name nothing that changes */
  readonly contentOf?:
    | ((options: Text.TranslateOptions) => Effect.Effect<string | undefined, CallError>)
    | undefined
  /** The kind of the service. @default `ServiceKind.specification` */
  readonly kind?: ServiceKind.ServiceKind | undefined
}

/**
 * A translator of a client, or of functions of one's own.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: MakeOptions): Service => {
  const { contentOf = () => Effect.succeed(undefined), identity, kind, translateText } = options
  return {
    kind,
    translate: (text, options) => translateText({ ...options, text }),
    identify:
      identity && ((options) => Effect.map(contentOf(options), (content) => ({ ...identity, content })))
  }
}

const layers = /* #__PURE__ */ clientLayers.make(
  (connection) =>
    Effect.succeed(
      textClient.make(
        connection,
        new requestRules.Languages(Region.kindOf(connection.region), {
          translate_text: Text.formalityTargets
        })
      )
    ),
  (client) => Context.make(Translator, make(client))
)

/**
 * A translator of an address and an API key, which calls no endpoint but the one of texts, and for a store those that say what glossaries and the
 * style rule list of its options hold. Each layer has a limit of its own. `TranslateClient.layer` gives a translator too, and all endpoints.
 *
 * Errors: `ConfigError` for an address or a key that can't be used.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  options: Options
): Layer.Layer<Translator, ConfigError.ConfigError, HttpClient.HttpClient> => layers.layer(options)

/**
 * The same from the configuration: `LANGUAGE_SERVICE_URL`, `LANGUAGE_SERVICE_TIER`, `LANGUAGE_SERVICE_NAME`, `LANGUAGE_SERVICE_KIND`,
 * `LANGUAGE_SERVICE_KEY`, `LANGUAGE_SERVICE_SCHEME` and `LANGUAGE_SERVICE_ACCOUNT`, unless told otherwise. All layers without options
 * share one translator.
 *
 * Errors: `ConfigError` for values that are missing or can't be used.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  options?: ConfigOptions
): Layer.Layer<Translator, ConfigError.ConfigError, HttpClient.HttpClient> => layers.layerConfig(options)

/**
 * The same over services of the program: its region, key and concurrency limit.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerServices = (
  options?: Policies
): Layer.Layer<
  Translator,
  ConfigError.ConfigError,
  Region.Region | Auth.ApiKey | ConcurrencyLimit.ConcurrencyLimit | HttpClient.HttpClient
> => layers.layerServices(options)
