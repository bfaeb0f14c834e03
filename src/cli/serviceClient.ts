/** The service that the settings name, as layers for handlers. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as AdminClient from "../client/AdminClient.js"
import * as Auth from "../client/Auth.js"
import * as ConcurrencyLimit from "../client/ConcurrencyLimit.js"
import * as Region from "../client/Region.js"
import * as TranslateClient from "../client/TranslateClient.js"
import { mergeConfig } from "../internal/mergeConfig.js"
import * as ProxyHttpClient from "../runtime/ProxyHttpClient.js"
import * as Translator from "../stream/Translator.js"
import * as Settings from "./settings/settings.js"

const configured = Layer.unwrapEffect(
  Effect.map(Settings.Settings, ({ provider }) => Layer.setConfigProvider(provider))
)

/** Calls with an API key, and the limit of their requests. */
const clientWith = <E, R>(limit: Layer.Layer<ConcurrencyLimit.ConcurrencyLimit, E, R>) =>
  TranslateClient.layer.pipe(
    Layer.provideMerge(limit),
    Layer.provide(mergeConfig(Region.layerConfig(), Auth.layerConfig())),
    Layer.provide(ProxyHttpClient.layerConfig()),
    Layer.provide(configured)
  )

/** Calls with an API key, and the limit of their requests, which bars show. */
export const client = clientWith(ConcurrencyLimit.layerAdaptive())

/** Streams, and calls with an API key. */
export const translatorWith = <E, R>(limit: Layer.Layer<ConcurrencyLimit.ConcurrencyLimit, E, R>) =>
  Layer.provideMerge(Translator.layer, clientWith(limit))

/** Streams, and calls of one process. */
export const translator = translatorWith(ConcurrencyLimit.layerAdaptive())

/** Administration. */
export const admin = AdminClient.layerConfig().pipe(
  Layer.provide(ProxyHttpClient.layerConfig()),
  Layer.provide(configured)
)
