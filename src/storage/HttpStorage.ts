/**
 * Files behind `https://host/path`, for reading only.
 *
 * @since 0.1.0
 */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Chunk from "effect/Chunk"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Option from "effect/Option"
import type * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { concat } from "../internal/bytes.js"
import * as Address from "./Address.js"
import * as reading from "./internal/reading.js"
import * as http from "./internal/request.js"
import type * as Storage from "./Storage.js"
import { proxyRefused, StorageError } from "./StorageError.js"

/**
 * The addresses that may be read, and the time to wait.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Prefixes of addresses that may be of `http:` and of private hosts: `http://host:8080/path/`. @default none */
  readonly sources?: ReadonlyArray<string> | undefined
  /** The client for those addresses, where the client for all others refuses private hosts. @default the client for all others */
  readonly sourcesClient?: HttpClient.HttpClient | undefined
  /** When a request is sent again, and how often; its input is the error. @default six times in some 20 seconds */
  readonly retry?: Schedule.Schedule<unknown, StorageError> | undefined
  /** The time to wait for an answer, or the next of its bytes. @default 60 seconds */
  readonly timeout?: Duration.DurationInput | undefined
}

interface Source {
  readonly clientOf: (url: URL) => HttpClient.HttpClient
  readonly sources: ReadonlyArray<string>
  readonly retry: reading.Retry
  readonly timeout: Duration.DurationInput
}

const maxRedirects = 5

const isRedirect: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

type Answer = HttpClientResponse.HttpClientResponse

const refused = (address: string, detail: string) => new StorageError({ address, reason: "refused", detail })

const isNamed = (sources: ReadonlyArray<string>, { href }: URL): boolean =>
  sources.some((prefix) => Address.isWithin(prefix, href))

/** The address that a request is sent to: `https:`, or one that is named. */
const urlOf = (address: string, sources: ReadonlyArray<string>, from?: URL) => {
  const named = Address.shown(address)
  if (!URL.canParse(address, from))
    return Effect.fail(refused(named, "it is no address: write https://host/path"))
  const url = new URL(address, from)
  url.hash = ""
  if (from?.protocol === "https:" && url.protocol === "http:") {
    return Effect.fail(
      refused(named, "its server leads from https: to http:, where others can read and change it")
    )
  }
  const isAllowed = url.protocol === "https:" || (url.protocol === "http:" && isNamed(sources, url))
  return isAllowed
    ? Effect.succeed(url)
    : Effect.fail(
        refused(
          named,
          "only https: is read: name what the address begins with in `sources` (--sources), with whole names of its path, if it may be read all the same"
        )
      )
}

const decoded = (part: string): string =>
  Option.getOrElse(Option.liftThrowable(decodeURIComponent)(part), () => part)

/** The user of an address, for its own host only. */
const authorizationOf = ({ password, username }: URL): Readonly<Record<string, string>> =>
  username === "" && password === ""
    ? {}
    : {
        authorization: `Basic ${Encoding.encodeBase64(`${decoded(username)}:${decoded(password)}`)}`
      }

/** Sends a request, and follows where its server leads. */
const get = (
  { clientOf, sources, timeout }: Source,
  address: string,
  headers: Readonly<Record<string, string>>
): Effect.Effect<Answer, StorageError, Scope.Scope> => {
  const named = Address.shown(address)
  const follow = (url: URL, own: Readonly<Record<string, string>>, left: number): ReturnType<typeof get> =>
    Effect.gen(function* () {
      const bare = new URL(url)
      bare.username = ""
      bare.password = ""
      const request = HttpClientRequest.get(bare, {
        headers: { ...headers, ...own, "accept-encoding": "identity" }
      })
      const response = yield* http.execute(clientOf(url), named, timeout)(request)
      const { location } = response.headers
      if (!isRedirect.has(response.status) || location === undefined) return response
      if (left === 0) return yield* refused(named, `its server leads on more than ${maxRedirects} times`)
      const next = yield* urlOf(location, sources, url)
      return yield* follow(next, next.origin === url.origin ? own : {}, left - 1)
    })
  return Effect.flatMap(urlOf(address, sources), (url) => follow(url, authorizationOf(url), maxRedirects))
}

/** The error of an answer that is no success. */
const errorOf = (address: string, status: number): StorageError => {
  const error = (reason: StorageError["reason"], detail: string) =>
    new StorageError({ address, reason, detail })
  if (status === 407) return proxyRefused(address, status)
  if (status === 404 || status === 410)
    return error("missing", "its server does not have it: check the address")
  if (status === 401 || status === 403) {
    return error(
      "denied",
      `its server answers ${status}: a signed address may have ended, and others take a user`
    )
  }
  if (status === 412 || status === 416)
    return error("changed", "it was changed since it was opened: run it again")
  return status === 408 || status === 429 || status >= 500
    ? error("unavailable", `its server answers ${status}: try it again later`)
    : error("unsupported", `its server answers ${status}`)
}

const isSuccess = ({ status }: Answer) => status === 200 || status === 206

/** The version of a file. A server that says nothing of it is trusted with the size. */
const versionOf = ({ headers }: Answer, size: number): string =>
  headers.etag ?? headers["last-modified"] ?? `${size} bytes`

const sizeOf = ({ headers, status }: Answer): number =>
  Number(
    (status === 200 ? headers["content-length"] : /\/(\d+)$/.exec(headers["content-range"] ?? "")?.[1]) ?? 0
  )

/** A strong tag is a condition that servers know. */
const conditionOf = (version: string): Readonly<Record<string, string>> =>
  version.startsWith('"') ? { "if-match": version } : {}

const changed = (address: string) => errorOf(address, 412)

/** Fails if an answer is no success, of another version, or compressed on its way. */
const check = (address: string, answer: Answer, version?: string) => {
  if (!isSuccess(answer)) return Effect.fail(errorOf(address, answer.status))
  const { "content-encoding": encoding = "identity" } = answer.headers
  if (encoding !== "identity") {
    return Effect.fail(
      new StorageError({
        address,
        reason: "unsupported",
        detail: `its server sends it compressed (${encoding}), though it was asked for it as it is: download it first`
      })
    )
  }
  const isOther = version !== undefined && versionOf(answer, sizeOf(answer)) !== version
  return isOther ? Effect.fail(changed(address)) : Effect.void
}

const range = (source: Source, address: string, version: string) => (start: number, end: number) =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const named = Address.shown(address)
      const answer = yield* get(source, address, {
        range: `bytes=${start}-${end - 1}`,
        ...conditionOf(version)
      })
      yield* check(named, answer, version)
      if (answer.status !== 206) {
        return yield* new StorageError({
          address: named,
          reason: "unsupported",
          detail: "its server gives no part of it any more: download it first"
        })
      }
      return http.bytesOf(answer, named, source.timeout)
    })
  )

/** A version whose server gives no parts: each read begins anew, and one that is cut fails. */
const openedWhole = (source: Source, address: string, size: number, version: string): Storage.Opened => {
  const named = Address.shown(address)
  const cut = new StorageError({
    address: named,
    reason: "unsupported",
    detail:
      "its connection was cut, and its server gives no parts of it to go on with: try again, or download it first"
  })
  const bytes = Stream.unwrapScoped(
    Effect.gen(function* () {
      const answer = yield* get(source, address, {})
      yield* check(named, answer, version)
      return Stream.mapError(http.bytesOf(answer, named, source.timeout), () => cut)
    })
  )
  return {
    size,
    version,
    bytes,
    read: (start, end) => {
      let position = 0
      return bytes.pipe(
        Stream.map((piece) => {
          const from = position
          position += piece.length
          return piece.subarray(Math.max(0, start - from), Math.max(0, end - from))
        }),
        Stream.takeUntil(() => position >= end),
        Stream.runCollect,
        Effect.map((pieces) => concat(Chunk.toReadonlyArray(pieces)))
      )
    }
  }
}

/** Asks for the first byte: a signed address allows GET alone. */
const open = (
  source: Source,
  address: string,
  version?: string
): Effect.Effect<Storage.Opened, StorageError> => {
  const named = Address.shown(address)
  return Effect.gen(function* () {
    const answer = yield* get(source, address, { range: "bytes=0-0" })
    if (answer.status === 416) {
      const found = versionOf(answer, 0)
      return { size: 0, version: found, bytes: Stream.empty, read: () => Effect.succeed(new Uint8Array()) }
    }
    yield* check(named, answer, version)
    const size = sizeOf(answer)
    const found = versionOf(answer, size)
    return answer.status === 206
      ? reading.opened(
          { address: named, size, version: found, range: range(source, address, found) },
          source.retry
        )
      : openedWhole(source, address, size, found)
  }).pipe(Effect.scoped, Effect.retry(reading.retrying(source.retry)))
}

/**
 * Makes the service of `https:`. A version is its ETag, or else its time; a read that is cut goes on where the server gives
 * parts, and fails where it does not. Redirects are followed up to five times, and never from `https:` to `http:`.
 *
 * The client must not follow redirects itself, and has to refuse private addresses if others choose the addresses:
 * `NodeStorage` of `effect-translate/node` brings one.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Options) => Effect.Effect<Storage.Service, never, HttpClient.HttpClient> = ({
  retry = reading.defaultRetry,
  sources = [],
  sourcesClient,
  timeout = http.defaultTimeout
} = {}) =>
  Effect.map(HttpClient.HttpClient, (httpClient) => {
    const clientOf = (url: URL) =>
      sourcesClient !== undefined && isNamed(sources, url) ? sourcesClient : httpClient
    const source: Source = { clientOf, retry, sources, timeout }
    const unwritten = (address: string) =>
      Effect.fail(
        new StorageError({
          address: Address.shown(address),
          reason: "unsupported",
          detail:
            "an address of https: is neither written nor listed: name each file, and write to a bucket or a local file"
        })
      )
    return {
      open: (address, version) => open(source, address, version),
      draft: unwritten,
      list: (prefix) => Stream.fromEffect(unwritten(prefix))
    }
  })
