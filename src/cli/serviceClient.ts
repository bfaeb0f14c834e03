/** The service that the settings name, as layers for handlers. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as AdminClient from "../client/AdminClient.js"
import * as Auth from "../client/Auth.js"
import * as ConcurrencyLimit from "../client/ConcurrencyLimit.js"
import * as LanguageSupport from "../client/LanguageSupport.js"
import * as Region from "../client/Region.js"
import * as RequestChecks from "../client/RequestChecks.js"
import * as TranslateClient from "../client/TranslateClient.js"
import { mergeConfig } from "../internal/mergeConfig.js"
import * as ProxyHttpClient from "../runtime/ProxyHttpClient.js"
import { Output } from "./output.js"
import * as Settings from "./settings/settings.js"

const configured = Layer.unwrapEffect(
  Effect.map(Settings.Settings, ({ provider }) => Layer.setConfigProvider(provider))
)

/** Says once of each listing that the service does not give, that options are not checked by it. */
const support = Layer.unwrapEffect(
  Effect.map(Output, ({ event, note }) =>
    LanguageSupport.layer({
      onUnknown: ({ error, message }) =>
        Effect.zipRight(
          event({ type: "unchecked", path: error.path, status: error.status, message }),
          note(message)
        )
    })
  )
)

/** Streams and calls with an API key, with the checks of their options, and the limit of their requests. */
export const clientWith = <E, R>(
  limit: Layer.Layer<ConcurrencyLimit.ConcurrencyLimit, E, R>,
  policies?: TranslateClient.Policies
) =>
  support.pipe(
    Layer.provideMerge(TranslateClient.layerServices(policies)),
    Layer.provideMerge(limit),
    Layer.provide(mergeConfig(Region.layerConfig(), Auth.layerConfig())),
    Layer.provideMerge(RequestChecks.layerConfig()),
    Layer.provide(ProxyHttpClient.layerConfig()),
    Layer.provide(configured)
  )

/** Streams and calls of one process, and the limit of their requests, which bars show. */
export const client = clientWith(ConcurrencyLimit.layerAdaptive())

/** Administration. */
export const admin = AdminClient.layerConfig().pipe(
  Layer.provide(ProxyHttpClient.layerConfig()),
  Layer.provide(configured)
)
