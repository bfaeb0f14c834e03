/**
 * Every endpoint that an admin key opens: the developer keys of an account, and what they have used.
 *
 * @since 0.1.0
 */
import * as HttpClient from "@effect/platform/HttpClient"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type * as Api from "../api/Analytics.js"
import type * as DeveloperKey from "../api/DeveloperKey.js"
import * as Auth from "./Auth.js"
import * as analytics from "./internal/analytics.js"
import * as developerKeys from "./internal/developerKeys.js"
import * as internal from "./internal/endpoints.js"
import * as Region from "./Region.js"
import * as Throttle from "./Throttle.js"
import type * as TranslateError from "./TranslateError.js"

/**
 * The developer keys of the account: `developerKeys` of the client. A key that does not exist is `NotFound`.
 *
 * @since 0.1.0
 * @category models
 */
export interface DeveloperKeys {
  /**
   * Makes a key that works at once: `POST /v2/admin/developer-keys`. It is not sent again if it may have arrived. Up to 25
   * keys are active at the same time; beyond that the service answers `BadRequest`.
   *
   * Source: service specification, Endpoints, "Admin: developer keys".
   */
  readonly create: (
    key?: DeveloperKey.NewDeveloperKey
  ) => Effect.Effect<DeveloperKey.DeveloperKey, TranslateError.TranslateError>
  /**
   * All keys, active and deactivated: `GET /v2/admin/developer-keys`.
   *
   * Source: service specification, Endpoints, "Admin: developer keys".
   */
  readonly list: Effect.Effect<ReadonlyArray<DeveloperKey.DeveloperKey>, TranslateError.TranslateError>
  /**
   * Deactivates a key at once and for good: `PUT /v2/admin/developer-keys/deactivate`. Its calls fail with `Unauthorized`
   * from then on.
   *
   * Source: service specification, Endpoints, "Admin: developer keys"; Authentication, 6.
   */
  readonly deactivate: (
    keyId: DeveloperKey.KeyId
  ) => Effect.Effect<DeveloperKey.DeveloperKey, TranslateError.TranslateError>
  /**
   * Changes the label of a key: `PUT /v2/admin/developer-keys/label`.
   *
   * Source: service specification, Endpoints, "Admin: developer keys".
   */
  readonly rename: (
    keyId: DeveloperKey.KeyId,
    label: string
  ) => Effect.Effect<DeveloperKey.DeveloperKey, TranslateError.TranslateError>
  /**
   * Sets what a key may use in a month, in characters (code points) and in milliseconds of speech:
   * `PUT /v2/admin/developer-keys/limits`. 0 blocks the key, `null` lifts the limit. Calls beyond it fail with
   * `QuotaExceeded`.
   *
   * Source: service specification, Endpoints, "Admin: developer keys"; Limits, "Key-level usage limit".
   */
  readonly setLimits: (
    keyId: DeveloperKey.KeyId,
    limits: DeveloperKey.NewUsageLimits
  ) => Effect.Effect<DeveloperKey.DeveloperKey, TranslateError.TranslateError>
}

/**
 * What the account has used: `analytics` of the client.
 *
 * @since 0.1.0
 * @category models
 */
export interface Analytics {
  /**
   * What was used in a range of up to 366 days: `GET /v2/admin/analytics`.
   *
   * Source: service specification, Endpoints, "Admin: analytics".
   */
  readonly report: (query: Api.ReportQuery) => Effect.Effect<Api.UsageReport, TranslateError.TranslateError>
  /**
   * What was used in a range of any length. More than 366 days are asked for in several ranges, by key and day, and the
   * rows added up; no day counts twice.
   */
  readonly reportOver: (
    query: Api.ReportQuery
  ) => Effect.Effect<Api.UsageReport, TranslateError.TranslateError>
  /**
   * A page of what was translated by custom tag, in up to 366 days: `GET /v2/admin/analytics/custom-tags`.
   *
   * Source: service specification, Endpoints, "Admin: analytics".
   */
  readonly customTags: (
    query: Api.CustomTagQuery
  ) => Effect.Effect<Api.CustomTagUsageReport, TranslateError.TranslateError>
  /** What was translated by custom tag, page after page until there is no `nextPage`. */
  readonly customTagsStream: (
    query: Api.CustomTagQuery
  ) => Stream.Stream<Api.CustomTagUsage, TranslateError.TranslateError>
}

/**
 * Every endpoint that an admin key opens. With another key they fail with `Unauthorized`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** The developer keys of the account. */
  readonly developerKeys: DeveloperKeys
  /** What the account has used. */
  readonly analytics: Analytics
}

/**
 * The client of administration.
 *
 * @since 0.1.0
 * @category tags
 */
export class AdminClient extends Context.Tag("effect-translate/AdminClient")<AdminClient, Service>() {}

/**
 * A client from what is in the context.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<
  Service,
  never,
  Region.Region | Auth.AdminKey | HttpClient.HttpClient | Scope.Scope
> = Effect.gen(function* () {
  const endpoints = yield* internal.make({
    region: yield* Region.Region,
    credentials: yield* Auth.AdminKey,
    throttle: yield* Throttle.makeFixed(Number.POSITIVE_INFINITY),
    httpClient: yield* HttpClient.HttpClient
  })
  return AdminClient.of({
    developerKeys: developerKeys.make(endpoints),
    analytics: analytics.make(endpoints)
  })
})

/**
 * A client from the layers of its parts.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<AdminClient, never, Region.Region | Auth.AdminKey | HttpClient.HttpClient> =
  Layer.scoped(AdminClient, make)

/**
 * A client from `LANGUAGE_SERVICE_URL`, `LANGUAGE_SERVICE_ADMIN_KEY` and `LANGUAGE_SERVICE_SCHEME`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig: Layer.Layer<AdminClient, ConfigError.ConfigError, HttpClient.HttpClient> =
  layer.pipe(Layer.provide([Region.layerConfig, Auth.layerAdminConfig]))
