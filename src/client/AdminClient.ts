/**
 * The endpoints for admin keys: the developer keys of an account, and its usage.
 *
 * @since 0.1.0
 */
import * as HttpClient from "@effect/platform/HttpClient"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { mergeConfig } from "../internal/mergeConfig.js"
import * as Analytics from "./Analytics.js"
import * as Auth from "./Auth.js"
import * as ConcurrencyLimit from "./ConcurrencyLimit.js"
import * as DeveloperKeys from "./DeveloperKeys.js"
import * as internal from "./internal/calling/endpoints.js"
import * as textCalls from "./internal/calling/textCalls.js"
import * as Region from "./Region.js"

/**
 * The endpoints for admin keys. With another key they fail with `Unauthorized`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** The developer keys of the account. */
  readonly developerKeys: DeveloperKeys.DeveloperKeys
  /** What the account has used. */
  readonly analytics: Analytics.Analytics
}

/**
 * The client of administration.
 *
 * @since 0.1.0
 * @category tags
 */
export class AdminClient extends Context.Tag("effect-translate/AdminClient")<AdminClient, Service>() {}

/**
 * Makes a client from the services in the context.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<
  Service,
  never,
  Region.Region | Auth.AdminKey | HttpClient.HttpClient | Scope.Scope
> = Effect.gen(function* () {
  const connection = yield* textCalls.connect({
    region: yield* Region.Region,
    credentials: yield* Auth.AdminKey,
    concurrencyLimit: yield* ConcurrencyLimit.makeFixed(Number.POSITIVE_INFINITY),
    httpClient: yield* HttpClient.HttpClient
  })
  const endpoints = internal.make(connection)
  return AdminClient.of({
    developerKeys: DeveloperKeys.make(endpoints),
    analytics: Analytics.make(endpoints)
  })
})

/**
 * A client of a region and an admin key.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<AdminClient, never, Region.Region | Auth.AdminKey | HttpClient.HttpClient> =
  Layer.scoped(AdminClient, make)

/**
 * Where the values of a client come from.
 *
 * @since 0.1.0
 * @category models
 */
export interface ConfigOptions extends Region.ConfigOptions, Auth.ConfigOptions {}

/**
 * A client from the configuration: `LANGUAGE_SERVICE_URL`, `LANGUAGE_SERVICE_ADMIN_KEY` and `LANGUAGE_SERVICE_SCHEME`, unless
 * told otherwise.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  options?: ConfigOptions
): Layer.Layer<AdminClient, ConfigError.ConfigError, HttpClient.HttpClient> =>
  Layer.fresh(layer).pipe(
    Layer.provide(mergeConfig(Region.layerConfig(options), Auth.layerAdminConfig(options)))
  )
