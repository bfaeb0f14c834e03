/**
 * A translator that knows no other endpoint than that of texts: for browsers, and other programs that are to stay small.
 *
 * @since 0.1.0
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import type * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Text from "../api/Text.js"
import * as Auth from "../client/Auth.js"
import * as ConcurrencyLimit from "../client/ConcurrencyLimit.js"
import * as Region from "../client/Region.js"
import * as TextClient from "../client/TextClient.js"
import * as TranslateError from "../client/TranslateError.js"
import { mergeConfig } from "../internal/mergeConfig.js"
import * as Translator from "./Translator.js"

const unknownContent = TranslateError.invalidRequest(Text.translateText, [
  {
    field: "store",
    rule: "needs a Translator that reads what the options name, glossaries and the style rule list: take that of Translator.layer"
  }
])

/**
 * A translator that sends its batches to the service. A stream that has a store fails with `InvalidRequest` if its options name
 * glossaries or a style rule list, which this translator can't read.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<
  Translator.Translator,
  never,
  Region.Region | Auth.ApiKey | ConcurrencyLimit.ConcurrencyLimit | HttpClient.HttpClient
> = Layer.scoped(
  Translator.Translator,
  Effect.map(TextClient.make, ({ identity, translateText }) => ({
    translate: (text, options) => translateText({ ...options, text }),
    identify: ({ glossaryId, glossaryIds = [], styleId }) =>
      glossaryId === undefined && glossaryIds.length === 0 && styleId === undefined
        ? Effect.succeed(identity)
        : Effect.fail(unknownContent)
  }))
)

/**
 * The same from the configuration, as `Translator.layerConfig`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  options?: Region.ConfigOptions & Auth.ConfigOptions
): Layer.Layer<Translator.Translator, ConfigError.ConfigError, HttpClient.HttpClient> =>
  Layer.fresh(layer).pipe(
    Layer.provide([
      mergeConfig(Region.layerConfig(options), Auth.layerConfig(options)),
      ConcurrencyLimit.layerAdaptive()
    ])
  )
