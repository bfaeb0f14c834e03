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
import { TranslateApi } from "../api/TranslateApi.js"
import { mergeConfig } from "../internal/mergeConfig.js"
import * as Analytics from "./Analytics.js"
import * as Auth from "./Auth.js"
import * as ConcurrencyLimit from "./ConcurrencyLimit.js"
import * as DeveloperKeys from "./DeveloperKeys.js"
import * as connection from "./internal/calling/connection.js"
import * as internal from "./internal/calling/endpoints.js"
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
  /** The usage of the account. */
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
 * The values of a client.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Region.Options, Auth.Options {}

/**
 * Where the values of a client come from.
 *
 * @since 0.1.0
 * @category models
 */
export interface ConfigOptions extends Region.ConfigOptions, Auth.ConfigOptions {}

/**
 * A client over services of the program: its region and admin key.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerServices: Layer.Layer<
  AdminClient,
  never,
  Region.Region | Auth.AdminKey | HttpClient.HttpClient
> = Layer.scoped(
  AdminClient,
  Effect.gen(function* () {
    const endpoints = internal.make(
      yield* connection.make({
        region: yield* Region.Region,
        credentials: yield* Auth.AdminKey,
        concurrencyLimit: yield* ConcurrencyLimit.makeUnlimited,
        httpClient: yield* HttpClient.HttpClient
      }),
      TranslateApi
    )
    return AdminClient.of({
      developerKeys: DeveloperKeys.make(endpoints),
      analytics: Analytics.make(endpoints)
    })
  })
)

/**
 * A client of an address and an admin key.
 *
 * Errors: `ConfigError` for an address or a key that can't be used.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  options: Options
): Layer.Layer<AdminClient, ConfigError.ConfigError, HttpClient.HttpClient> =>
  Layer.fresh(layerServices).pipe(Layer.provide(mergeConfig(Region.layer(options), Auth.layerAdmin(options))))

/**
 * A client from the configuration: `LANGUAGE_SERVICE_URL`, `LANGUAGE_SERVICE_ADMIN_KEY` and `LANGUAGE_SERVICE_SCHEME`, unless
 * told otherwise.
 *
 * Errors: `ConfigError` for values that are missing or can't be used.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  options?: ConfigOptions
): Layer.Layer<AdminClient, ConfigError.ConfigError, HttpClient.HttpClient> =>
  Layer.fresh(layerServices).pipe(
    Layer.provide(mergeConfig(Region.layerConfig(options), Auth.layerAdminConfig(options)))
  )
