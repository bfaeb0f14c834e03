/**
 * Objects of buckets, by `s3://bucket/key`: S3, and stores that speak its protocol.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as HttpClient from "@effect/platform/HttpClient"
import type * as Path from "@effect/platform/Path"
import * as Chunk from "effect/Chunk"
import type * as ConfigError from "effect/ConfigError"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as Address from "./Address.js"
import * as awsConfig from "./internal/awsConfig.js"
import * as reading from "./internal/reading.js"
import { defaultTimeout } from "./internal/request.js"
import * as s3 from "./internal/s3Client.js"
import * as upload from "./internal/s3Upload.js"
import * as xml from "./internal/xml.js"
import * as Storage from "./Storage.js"
import type { StorageError } from "./StorageError.js"

/**
 * The credentials that sign requests.
 *
 * @since 0.1.0
 * @category models
 */
export type Credentials = s3.Credentials

/**
 * Options for sending requests.
 *
 * @since 0.1.0
 * @category models
 */
export interface RequestOptions {
  /** When a request is sent again, and how often; its input is the error. @default six times in some 20 seconds */
  readonly retry?: Schedule.Schedule<unknown, StorageError> | undefined
  /** The time to wait for an answer, or the next of its bytes. @default 60 seconds */
  readonly timeout?: Duration.DurationInput | undefined
  /** The size of the parts of larger objects, in bytes: each output that is written holds one. @default 8388608, which is 8 MiB */
  readonly partBytes?: number | undefined
}

/**
 * Options for sending requests, with the transport for asking for keys where neither variables nor files have them.
 *
 * @since 0.1.0
 * @category models
 */
export interface ConfigOptions extends RequestOptions {
  /** Asked at each request. @default requests fail as `noCredentials` */
  readonly otherCredentials?: Effect.Effect<Credentials, StorageError> | undefined
}

/**
 * A store of objects.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends RequestOptions {
  /** The credentials, or an effect that is asked for them at each request. */
  readonly credentials: Credentials | Effect.Effect<Credentials, StorageError>
  /** The region of the buckets. @default "us-east-1" */
  readonly region?: string | undefined
  /** The address of a store that is not AWS, such as `http://localhost:9000`. @default none */
  readonly endpoint?: string | undefined
}

/** The objects of a page of a listing, and the token of the next one. */
const pageOf = (text: string, bucket: string) => {
  const root = xml.parse(text)
  const decode =
    xml.textOf(root, "EncodingType") === "url"
      ? (key: string) => decodeURIComponent(key.replaceAll("+", " "))
      : (key: string) => key
  const entries = root.children.flatMap((child): ReadonlyArray<Storage.Entry> => {
    const key = child.name === "Contents" ? xml.textOf(child, "Key") : undefined
    return key === undefined
      ? []
      : [{ address: Address.of({ bucket, key: decode(key) }), size: Number(xml.textOf(child, "Size") ?? 0) }]
  })
  const isCut = xml.textOf(root, "IsTruncated") === "true"
  return { entries, next: isCut ? xml.textOf(root, "NextContinuationToken") : undefined }
}

const list = (store: s3.Store, address: string): Stream.Stream<Storage.Entry, StorageError> => {
  const [, bucket = "", prefix = ""] = /^s3:\/\/([^/]*)\/?(.*)$/is.exec(address) ?? []
  return Stream.paginateChunkEffect(undefined as string | undefined, (token) =>
    Effect.map(
      s3.send(store, {
        method: "GET",
        address,
        bucket,
        query: {
          "list-type": "2",
          "encoding-type": "url",
          prefix,
          ...(token === undefined ? {} : { "continuation-token": token })
        }
      }),
      ({ text }) => {
        const { entries, next } = pageOf(text, bucket)
        return [
          Chunk.fromIterable(entries),
          Option.map(Option.fromNullable(next), (token): string | undefined => token)
        ] as const
      }
    )
  )
}

/**
 * Makes the service of `s3://`. An object is opened as the version that its ETag names, and read by ranges; it is written in parts, and has
 * its name once it is whole. Buckets are named in the path where an endpoint is given.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options: Options) => Effect.Effect<Storage.Service, never, HttpClient.HttpClient> = ({
  credentials,
  endpoint,
  partBytes = 8_388_608,
  region = "us-east-1",
  retry = reading.defaultRetry,
  timeout = defaultTimeout
}) =>
  Effect.map(HttpClient.HttpClient, (httpClient) => {
    const store: s3.Store = {
      httpClient,
      credentials: Effect.isEffect(credentials) ? credentials : Effect.succeed(credentials),
      region,
      endpoint,
      retry,
      timeout,
      partBytes,
      signingKeys: new Map()
    }
    return {
      open: (address, version) =>
        Effect.gen(function* () {
          const location = yield* Address.parse(address)
          const found = yield* s3.head(store, location, address, version)
          const range = s3.range(store, location, address, found.version)
          return reading.opened({ address, ...found, range }, retry)
        }),
      draft: (address, bytes) =>
        Effect.flatMap(Address.parse(address), (location) => upload.draft(store, location, address, bytes)),
      list: (prefix) => list(store, prefix)
    }
  })

/**
 * Makes the service of `s3://` from the variables and files of the AWS command line: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`,
 * `AWS_SESSION_TOKEN`, `AWS_REGION`, `AWS_DEFAULT_REGION`, `AWS_PROFILE`, `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`; `~/.aws/credentials` and
 * `~/.aws/config`, or those that `AWS_SHARED_CREDENTIALS_FILE` and `AWS_CONFIG_FILE` name.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeConfig: (
  options?: ConfigOptions
) => Effect.Effect<
  Storage.Service,
  ConfigError.ConfigError,
  HttpClient.HttpClient | FileSystem.FileSystem | Path.Path
> = ({ otherCredentials, ...options } = {}) =>
  Effect.flatMap(awsConfig.load, ({ credentials, ...found }) =>
    make({
      ...options,
      ...found,
      credentials: Effect.catchIf(
        credentials,
        ({ reason }) => reason === "noCredentials",
        (error) => otherCredentials ?? error
      )
    })
  )

/**
 * A layer for jobs whose only addresses are those of `s3://`: see {@link make}. `Storage.layer` takes several kinds.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<never, never, HttpClient.HttpClient> =>
  Layer.unwrapEffect(Effect.map(make(options), (s3) => Storage.layer({ s3 })))

/**
 * The same from the configuration: see {@link makeConfig}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  options?: ConfigOptions
): Layer.Layer<never, ConfigError.ConfigError, HttpClient.HttpClient | FileSystem.FileSystem | Path.Path> =>
  Layer.unwrapEffect(Effect.map(makeConfig(options), (s3) => Storage.layer({ s3 })))
