import * as HttpClient from "@effect/platform/HttpClient"
import * as Arr from "effect/Array"
import type * as ConfigError from "effect/ConfigError"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { mergeConfig } from "../../../internal/mergeConfig.js"
import * as Auth from "../../Auth.js"
import type * as CircuitBreaker from "../../CircuitBreaker.js"
import * as ConcurrencyLimit from "../../ConcurrencyLimit.js"
import type { QuotaPolicy } from "../../QuotaPolicy.js"
import * as Region from "../../Region.js"
import type { Billed } from "../pacing/billedCalls.js"
import * as connection from "./connection.js"

/**
 * Policies of a client: for an outage, and for a quota that is used up.
 *
 * @since 0.1.0
 * @category models
 */
export interface Policies {
  /** When its circuit opens, and how long it may stay open. @default `CircuitBreaker.make()` */
  readonly circuit?: CircuitBreaker.Policy | undefined
  /**
   * The treatment of billed calls once the quota is used up. Of several policies each holds for what the one before could not do:
   * `[failOver(accounts), wait()]` waits when all accounts are used up. @default calls fail with `QuotaExceeded`
   */
  readonly quota?: QuotaPolicy | ReadonlyArray<QuotaPolicy> | undefined
}

interface Limited extends Policies {
  /** The limit of requests in flight. @default `ConcurrencyLimit.makeAdaptive()` */
  readonly limit?: Effect.Effect<ConcurrencyLimit.Service, never, Scope.Scope> | undefined
}

/**
 * The values of a client.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Region.Options, Auth.Options, Limited {}

/**
 * The sources of the values of a client.
 *
 * @since 0.1.0
 * @category models
 */
export interface ConfigOptions extends Region.ConfigOptions, Auth.ConfigOptions, Limited {}

/** The layers of clients of a kind, which are made over a connection. */
export const make = <C extends Billed, I>(
  over: (connection: connection.Connection) => Effect.Effect<C, never, Scope.Scope>,
  services: (client: C) => Context.Context<I>
) => {
  const layerServices = ({
    circuit,
    quota = []
  }: Policies = {}): Layer.Layer<
    I,
    ConfigError.ConfigError,
    Region.Region | Auth.ApiKey | ConcurrencyLimit.ConcurrencyLimit | HttpClient.HttpClient
  > =>
    Layer.scopedContext(
      Effect.gen(function* () {
        const connected = yield* connection.make({
          region: yield* Region.Region,
          credentials: yield* Auth.ApiKey,
          concurrencyLimit: yield* ConcurrencyLimit.ConcurrencyLimit,
          circuit,
          httpClient: yield* HttpClient.HttpClient
        })
        const client = yield* Effect.reduce(Arr.ensure(quota), yield* over(connected), (client, policy) =>
          policy.apply({ client, connection: connected, over })
        )
        return services(client)
      })
    )

  const limited = (
    region: Layer.Layer<Region.Region, ConfigError.ConfigError>,
    key: Layer.Layer<Auth.ApiKey, ConfigError.ConfigError>,
    options: Limited
  ): Layer.Layer<I, ConfigError.ConfigError, HttpClient.HttpClient> => {
    const limit = Layer.scoped(
      ConcurrencyLimit.ConcurrencyLimit,
      options.limit ?? ConcurrencyLimit.makeAdaptive()
    )
    return Layer.provide(layerServices(options), [mergeConfig(region, key), limit])
  }

  const layer = (options: Options) => limited(Region.layer(options), Auth.layer(options), options)

  const fromConfig = (options: ConfigOptions = {}) =>
    limited(Region.layerConfig(options), Auth.layerConfig(options), options)

  const ofEnvironment = fromConfig()

  const layerConfig = (options: ConfigOptions = {}) =>
    Object.keys(options).length === 0 ? ofEnvironment : fromConfig(options)

  return { layer, layerConfig, layerServices }
}
