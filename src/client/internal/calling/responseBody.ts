import * as HttpClientError from "@effect/platform/HttpClientError"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { constVoid } from "effect/Function"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import * as monotonic from "../../../internal/monotonic.js"
import { type Zlib, zlib } from "../../../internal/zlib.js"
import * as timeouts from "./timeouts.js"

/** The body as it was read. */
export interface Body {
  readonly bytes: Uint8Array
  /** True if there is more than was asked for. The rest is not read, and the connection is cut. */
  readonly isCut: boolean
}

type Read = Effect.Effect<Body, HttpClientError.ResponseError>

type Response = HttpClientResponse.HttpClientResponse

/** A body of Node: over node:http the message itself, over undici its `body`. */
interface NodeBody {
  readonly readableEnded: boolean
  readonly destroyed: boolean
  on(event: "data", listener: (part: Uint8Array) => void): unknown
  on(event: "error", listener: (cause: unknown) => void): unknown
  on(event: "end" | "close", listener: () => void): unknown
  off(event: string, listener: (part: Uint8Array) => void): unknown
  destroy(): unknown
}

/** Collects parts up to a limit. */
class Collected implements Body {
  readonly parts: Array<Uint8Array> = []
  size = 0

  constructor(readonly limit: number) {}

  add(part: Uint8Array) {
    this.parts.push(part)
    this.size += part.length
    return this.size <= this.limit
  }

  get isCut() {
    return this.size > this.limit
  }

  get bytes() {
    const [first] = this.parts
    if (first !== undefined && this.parts.length === 1) return first.subarray(0, this.limit)
    const whole = new Uint8Array(Math.min(this.size, this.limit))
    let at = 0
    for (const part of this.parts) {
      whole.set(part.subarray(0, this.limit - at), at)
      at += part.length
    }
    return whole
  }
}

const failed = (response: Response, cause: unknown) =>
  new HttpClientError.ResponseError({ request: response.request, response, reason: "Decode", cause })

const cutOff = new Error("The connection was closed amid the body")

const readNode = (response: Response, body: NodeBody, limit: number): Read =>
  Effect.async((resume) => {
    const collected = new Collected(limit)
    const stop = () => {
      body.off("data", onData)
      body.off("error", onError)
      body.off("end", onEnd)
      body.off("close", onClose)
    }
    const end = (read: Read) => {
      stop()
      resume(read)
    }
    const cut = () => {
      stop()
      body.destroy()
    }
    const onData = (part: Uint8Array) => {
      if (collected.add(part)) return
      cut()
      resume(Effect.succeed(collected))
    }
    const onEnd = () => end(Effect.succeed(collected))
    const onError = (cause: unknown) => end(Effect.fail(failed(response, cause)))
    const onClose = () => onError(cutOff)
    // A failure after the end of the reading would be an uncaught exception.
    body.on("error", constVoid)
    if (body.readableEnded) return onEnd()
    if (body.destroyed) return onClose()
    body.on("data", onData)
    body.on("error", onError)
    body.on("end", onEnd)
    body.on("close", onClose)
    return Effect.sync(cut)
  })

const readWeb = (response: Response, body: ReadableStream<Uint8Array>, limit: number): Read =>
  Effect.async((resume) => {
    const collected = new Collected(limit)
    const reader = body.getReader()
    const cancel = (): void => {
      reader.cancel().catch(constVoid)
    }
    const next = (): unknown =>
      reader.read().then(
        ({ done, value }) => {
          if (!done && collected.add(value)) return next()
          if (!done) cancel()
          resume(Effect.succeed(collected))
        },
        (cause) => resume(Effect.fail(failed(response, cause)))
      )
    next()
    return Effect.sync(cancel)
  })

const readStream = (response: Response, limit: number): Read =>
  Effect.suspend(() => {
    const collected = new Collected(limit)
    return Effect.as(
      Stream.runForEachWhile(response.stream, (part) => Effect.sync(() => collected.add(part))),
      collected
    )
  })

const sourceOf = (response: Response): unknown =>
  Predicate.hasProperty(response, "source") ? response.source : undefined

const isNode = (body: unknown): body is NodeBody =>
  Predicate.hasProperty(body, "on") &&
  Predicate.hasProperty(body, "off") &&
  Predicate.hasProperty(body, "destroy")

/** The body of a response over node:http or undici. Only these leave its content encoding to their callers. */
const nodeBodyOf = (response: Response): NodeBody | undefined => {
  const source = sourceOf(response)
  const body = Predicate.hasProperty(source, "body") ? source.body : source
  return isNode(body) ? body : undefined
}

const webBodyOf = (response: Response): ReadableStream<Uint8Array> | null | undefined => {
  const source = sourceOf(response)
  return source instanceof globalThis.Response ? source.body : undefined
}

/** True if the body comes as it was sent, still encoded. */
const isRaw = (response: Response): boolean => nodeBodyOf(response) !== undefined

/**
 * Reads a body up to a number of bytes. The body that the transport holds is read directly: `stream` of the response
 * would take 450 Effect operations more, where a request of a stream takes 148 in all.
 */
export const read = (response: Response, limit: number): Read => {
  const node = nodeBodyOf(response)
  if (node !== undefined) return readNode(response, node, limit)
  const web = webBodyOf(response)
  if (web === undefined) return readStream(response, limit)
  return web === null ? Effect.succeed(new Collected(limit)) : readWeb(response, web, limit)
}

/** By the machine's clock, not the program's: this is about bytes that are on their way. */
const briefly = Effect.withClock(
  Effect.flatMap(monotonic.millis, (now) => timeouts.sleepUntil(now + 1000)),
  Clock.make()
)

/** The most bytes of a body that is not waited for. */
export const briefLimit = 8 * 1024

/** Reads a body that is not waited for: an error's, or one without meaning. Nothing comes of it if it does not end at once. */
export const readBriefly = (response: Response): Effect.Effect<Body> =>
  Effect.raceFirst(
    Effect.orElseSucceed(read(response, briefLimit), () => new Collected(0)),
    Effect.as(briefly, new Collected(0))
  )

const decodersOf = ({
  brotliDecompressSync,
  gunzipSync,
  inflateRawSync,
  inflateSync
}: Zlib): ReadonlyMap<string, Zlib["gunzipSync"]> =>
  new Map([
    ["gzip", gunzipSync],
    ["x-gzip", gunzipSync],
    // Some servers leave the header out that the specification of HTTP asks for.
    [
      "deflate",
      (bytes, options) =>
        (bytes[0]! & 0x0f) === 8 ? inflateSync(bytes, options) : inflateRawSync(bytes, options)
    ],
    ["br", brotliDecompressSync]
  ])

const decoders = zlib === undefined ? new Map<string, never>() : decodersOf(zlib)

/** The encodings that are decoded, as `Accept-Encoding` names them. */
export const acceptedEncodings: string = zlib === undefined ? "identity" : "gzip, deflate, br"

const namesIn = (header: string | undefined): ReadonlyArray<string> =>
  (header ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity")

/** The encodings that a body still has, in the order in which they were applied. */
export const encodingsOf = (response: Response): ReadonlyArray<string> =>
  isRaw(response) ? namesIn(response.headers["content-encoding"]) : []

/** The first encoding that is not decoded. More than two are no answer of a server that means well. */
export const unknownEncoding = (encodings: ReadonlyArray<string>): string | undefined =>
  encodings.length > 2 ? encodings.join(", ") : encodings.find((name) => !decoders.has(name))

/** Encodings that fetch decodes wherever it runs. It passes others on. */
const decodedByFetch: ReadonlySet<string> = new Set(["gzip", "x-gzip", "deflate", "br"])

/** The encoding that may be why a body is no answer, since the transport does not decode it. */
export const suspectEncoding = (response: Response): string | undefined =>
  namesIn(response.headers["content-encoding"]).find((name) => !decodedByFetch.has(name))

const isTooLarge = (cause: unknown): boolean =>
  typeof cause === "object" && cause !== null && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE"

/** Decodes a body up to a number of bytes; `undefined` if it is malformed. */
export const decompress = (body: Body, encodings: ReadonlyArray<string>, limit: number): Body | undefined => {
  if (encodings.length === 0 || body.isCut || body.bytes.length === 0) return body
  let { bytes } = body
  for (const name of Array.from(encodings).reverse()) {
    const decoded = Either.try(() => decoders.get(name)!(bytes, { maxOutputLength: limit }))
    if (Either.isLeft(decoded)) return isTooLarge(decoded.left) ? { bytes, isCut: true } : undefined
    bytes = decoded.right
  }
  return { bytes, isCut: false }
}
