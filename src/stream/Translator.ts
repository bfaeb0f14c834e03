/**
 * A batch of texts in, the same number of translations out: what the streams depend on.
 *
 * @since 0.1.0
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Text from "../api/Text.js"
import * as TranslateClient from "../client/TranslateClient.js"
import type * as TranslateError from "../client/TranslateError.js"
import { canonicalJson } from "../internal/hash.js"
import * as namedContent from "./internal/namedContent.js"

/**
 * All that answers depend on besides texts and options.
 *
 * @since 0.1.0
 * @category models
 */
export interface Identity extends TranslateClient.Identity {
  /**
   * A hash of the content of what the options name by an id: glossaries and the style rule list. @default the options name
   * nothing that changes
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
  ) => Effect.Effect<TranslateClient.Translated, TranslateError.TranslateError>
  /**
   * What answers depend on besides texts and options. A stream that has a store asks once, before it pulls anything.
   * @default unknown: a stream that has a store fails with `InvalidRequest`
   */
  readonly identify?:
    | ((options: Text.TranslateOptions) => Effect.Effect<Identity, TranslateError.TranslateError>)
    | undefined
}

/**
 * The translator that the streams send their batches to.
 *
 * @since 0.1.0
 * @category tags
 */
export class Translator extends Context.Tag("effect-translate/Translator")<Translator, Service>() {}

/**
 * A translator that sends its batches to the service. It needs `identity`, `glossaries` and `styleRules` only for streams that
 * have a store.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({
  glossaries,
  identity,
  styleRules,
  translateText
}: Pick<TranslateClient.Service, "translateText"> &
  Partial<Pick<TranslateClient.Service, "identity" | "glossaries" | "styleRules">>): Service => ({
  translate: (text, options) => translateText({ ...options, text }),
  identify:
    identity &&
    glossaries &&
    styleRules &&
    ((options) =>
      Effect.map(namedContent.hashOf({ glossaries, styleRules }, options), (content) => ({
        ...identity,
        content
      })))
})

/**
 * A translator that sends its batches to the service.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Translator, never, TranslateClient.TranslateClient> =
  // So bundles of programs with another translator go without the endpoints: 70 kB.
  /* #__PURE__ */ Layer.effect(Translator, /* #__PURE__ */ Effect.map(TranslateClient.TranslateClient, make))

/**
 * What translates: what streams, documents and jobs need of the service.
 *
 * @since 0.1.0
 * @category models
 */
export type Provided = Translator | TranslateClient.TranslateClient

/**
 * All that streams, documents and jobs need of the service of the configuration: its client, see `TranslateClient.layerConfig`, and a
 * translator. One with options, such as `{ key: Config.redacted("SECOND_KEY") }`, has a client and a concurrency
 * limit of its own.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  options?: TranslateClient.ConfigOptions
): Layer.Layer<Provided, ConfigError.ConfigError, HttpClient.HttpClient> =>
  Layer.fresh(layer).pipe(Layer.provideMerge(TranslateClient.layerConfig(options)))

/**
 * A translator that is asked once what its answers depend on: for a glossary that takes two calls of the service, and a job may have
 * thousands of streams. A failure is not kept.
 *
 * @since 0.1.0
 * @category combinators
 */
export const identifyOnce = (translator: Service): Effect.Effect<Service> =>
  Effect.map(Effect.makeSemaphore(1), (oneAtATime) => {
    const { identify } = translator
    if (identify === undefined) return translator
    const known = new Map<string, Identity>()
    return {
      ...translator,
      // A context is part of the options that a store knows anyway, and may be another one for each text of a file.
      identify: ({ context: _, ...options }) =>
        Effect.suspend(() => {
          const key = canonicalJson(options)
          const identity = known.get(key)
          return identity === undefined
            ? Effect.tap(identify(options), (identity) => known.set(key, identity))
            : Effect.succeed(identity)
        }).pipe(oneAtATime.withPermits(1))
    }
  })
