/** Requests to a store of objects: signed, sent again, and with errors of our own. */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { AwsV4Signer } from "aws4fetch"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type * as Address from "../Address.js"
import { StorageError } from "../StorageError.js"
import { type Retry, retrying } from "./reading.js"
import * as http from "./request.js"
import * as s3Errors from "./s3Errors.js"

/** The credentials that sign requests. */
export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted
  readonly sessionToken?: Redacted.Redacted | undefined
}

/** A store, and how it is asked. */
export interface Store {
  readonly httpClient: HttpClient.HttpClient
  readonly credentials: Effect.Effect<Credentials, StorageError>
  readonly region: string
  readonly endpoint: string | undefined
  readonly retry: Retry
  readonly timeout: Duration.DurationInput
  readonly partBytes: number
  /** The keys that signatures are made with: one for each day. */
  readonly signingKeys: Map<string, ArrayBuffer>
}

/** A request about a bucket, or an object of it. */
export interface Request {
  readonly method: "DELETE" | "GET" | "HEAD" | "POST" | "PUT"
  /** As errors name it. */
  readonly address: string
  readonly bucket: string
  readonly key?: string | undefined
  readonly query?: Readonly<Record<string, string>> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: Uint8Array | undefined
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

/** Where a request goes. Certificates hold for buckets without dots only. */
export const urlOf = (
  { endpoint, region }: Pick<Store, "endpoint" | "region">,
  { bucket, key = "", query = {} }: Pick<Request, "bucket" | "key" | "query">
): string => {
  const path = key.split("/").map(encoded).join("/")
  const search = Object.entries(query)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join("&")
  const host = `s3.${region}.amazonaws.com`
  const base =
    endpoint !== undefined
      ? `${endpoint.replace(/\/+$/, "")}/${bucket}`
      : bucket.includes(".")
        ? `https://${host}/${bucket}`
        : `https://${bucket}.${host}`
  return `${base}/${path}${search === "" ? "" : `?${search}`}`
}

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("")

const empty = new Uint8Array()

const amzDate = (millis: number): string => new Date(millis).toISOString().replace(/[:-]|\.\d{3}/g, "")

const sign = (store: Store, request: Request) =>
  Effect.gen(function* () {
    const { accessKeyId, secretAccessKey, sessionToken } = yield* store.credentials
    const datetime = amzDate(yield* Clock.currentTimeMillis)
    const body = request.body ?? empty
    const digest = yield* Effect.promise(() =>
      crypto.subtle.digest("SHA-256", body as Uint8Array<ArrayBuffer>)
    )
    const signer = new AwsV4Signer({
      method: request.method,
      url: urlOf(store, request),
      headers: { ...request.headers, "x-amz-content-sha256": hex(digest) },
      accessKeyId,
      secretAccessKey: Redacted.value(secretAccessKey),
      ...(sessionToken === undefined ? {} : { sessionToken: Redacted.value(sessionToken) }),
      service: "s3",
      region: store.region,
      cache: store.signingKeys,
      datetime
    })
    const { headers } = yield* Effect.promise(() => signer.sign())
    return Object.fromEntries(headers)
  })

/** Sends a request once. Its answer is a success. */
export const sendOnce = (
  store: Store,
  request: Request
): Effect.Effect<HttpClientResponse.HttpClientResponse, StorageError, Scope.Scope> =>
  Effect.gen(function* () {
    const { address, body, method } = request
    const bare = HttpClientRequest.make(method)(urlOf(store, request), {
      headers: yield* sign(store, request)
    })
    const response = yield* http.execute(
      store.httpClient,
      address,
      store.timeout
    )(body === undefined ? bare : HttpClientRequest.bodyUint8Array(bare, body))
    if (response.status >= 200 && response.status < 300) return response
    return yield* s3Errors.errorOf(address, response, yield* http.textOf(response, address, store.timeout))
  })

/** Sends a request until it is answered, and reads the answer as a text. Some errors come with the status of a success. */
export const send = (
  store: Store,
  request: Request
): Effect.Effect<
  Pick<HttpClientResponse.HttpClientResponse, "headers"> & { readonly text: string },
  StorageError
> =>
  Effect.gen(function* () {
    const response = yield* sendOnce(store, request)
    const text = yield* http.textOf(response, request.address, store.timeout)
    if (request.method === "POST" && text.includes("<Error>")) {
      return yield* s3Errors.errorOf(request.address, response, text)
    }
    return { headers: response.headers, text }
  }).pipe(Effect.scoped, Effect.retry(retrying(store.retry)))

const changed = (address: string) =>
  new StorageError({ address, ...s3Errors.problemOf({ status: 412, headers: {} as never }, "") })

/**
 * The fields of an object in its headers. An answer to HEAD has no body, so another request asks for the cause of an
 * error.
 */
export const head = (store: Store, location: Address.Location, address: string, version?: string) => {
  const request = {
    ...location,
    address,
    headers: version === undefined ? {} : { "if-match": version }
  } as const
  return send(store, { ...request, method: "HEAD" }).pipe(
    Effect.catchIf(
      ({ reason }) => reason !== "unavailable" && reason !== "changed" && reason !== "noCredentials",
      () =>
        send(store, {
          ...request,
          method: "GET",
          headers: { ...request.headers, range: "bytes=0-0" }
        })
    ),
    Effect.flatMap(({ headers }) => {
      const found = headers.etag ?? ""
      const total = /\/(\d+)$/.exec(headers["content-range"] ?? "")?.[1] ?? headers["content-length"]
      if (version !== undefined && version !== found) return Effect.fail(changed(address))
      return Effect.succeed({ size: Number(total ?? 0), version: found })
    })
  )
}

/** The bytes of a version from `start` up to `end`. Stores that do not know the condition answer with another version. */
export const range =
  (store: Store, location: Address.Location, address: string, version: string) =>
  (start: number, end: number): Stream.Stream<Uint8Array, StorageError> =>
    Stream.unwrapScoped(
      Effect.gen(function* () {
        const response = yield* sendOnce(store, {
          ...location,
          address,
          method: "GET",
          headers: { range: `bytes=${start}-${end - 1}`, "if-match": version }
        })
        if (response.headers.etag !== version) return yield* changed(address)
        if (response.status !== 206 && start > 0) {
          return yield* new StorageError({
            address,
            reason: "unsupported",
            detail: "the store does not give a part of an object"
          })
        }
        return http.bytesOf(response, address, store.timeout)
      })
    )
