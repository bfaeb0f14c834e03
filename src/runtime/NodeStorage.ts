/**
 * Buckets and `https:` as sources of jobs in programs of Node: with the proxies of the environment, and without private hosts.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as HttpClient from "@effect/platform/HttpClient"
import type * as Path from "@effect/platform/Path"
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Address from "../storage/Address.js"
import * as HttpStorage from "../storage/HttpStorage.js"
import * as S3Storage from "../storage/S3Storage.js"
import * as Storage from "../storage/Storage.js"
import * as awsCredentials from "./internal/awsCredentials.js"
import * as ProxyHttpClient from "./ProxyHttpClient.js"

/**
 * The addresses that may be read, and the time to wait.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends S3Storage.ConfigOptions {
  /**
   * Addresses that may be read in addition to public hosts over `https:`: prefixes of `http:` addresses and private hosts,
   * such as `http://files.internal:8080/exports/`. Each has a host, and its path ends where a name ends: `…/exports` holds
   * `…/exports/a.csv`, `…/exp` does not. @default none
   */
  readonly sources?: ReadonlyArray<string> | undefined
}

/** The proxies of the environment. The proxy of the service is for the service alone. */
const proxy = Config.succeed(undefined)

/**
 * A layer of `S3Storage.makeConfig` and `HttpStorage.make`. A host of `https:` whose name leads to a private network, to
 * this machine or to the metadata of a cloud is refused, at each connection and after each redirect, unless `sources` names
 * it. The endpoint of buckets is not: it is no part of an address. Where neither variables nor files of AWS have keys, the
 * package `@aws-sdk/credential-provider-node` is asked, if it is installed: it knows roles, SSO, containers and machines.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig: (
  options?: Options
) => Layer.Layer<never, ConfigError.ConfigError, FileSystem.FileSystem | Path.Path> = ({
  sources = [],
  ...options
} = {}) =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const problem = Address.prefixesProblem(sources)
      if (problem !== undefined) return yield* Effect.fail(ConfigError.InvalidData(["sources"], problem))
      const all = yield* Layer.build(ProxyHttpClient.layerConfig({ proxy }))
      const publicOnly = yield* Layer.build(ProxyHttpClient.layerConfig({ proxy, publicOnly: true }))
      const otherCredentials = yield* awsCredentials.make
      const s3 = yield* Effect.provide(S3Storage.makeConfig({ otherCredentials, ...options }), all)
      const sourcesClient = Context.get(all, HttpClient.HttpClient)
      const https = yield* Effect.provide(
        HttpStorage.make({ ...options, sources, sourcesClient }),
        publicOnly
      )
      return Storage.layer({ s3, https })
    })
  )
