import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Either from "effect/Either"
import * as bodies from "./body.js"

interface Options {
  readonly maxOutputLength: number
}

type Decode = (bytes: Uint8Array, options: Options) => Uint8Array

/** What is needed of `node:zlib`. Other runtimes decode by themselves, so nothing here imports it. */
interface Zlib {
  readonly gunzipSync: Decode
  readonly inflateSync: Decode
  readonly inflateRawSync: Decode
  readonly brotliDecompressSync: Decode
}

interface Runtime {
  readonly process?: { readonly getBuiltinModule?: (id: "node:zlib") => Zlib | undefined }
}

const zlib = (globalThis as Runtime).process?.getBuiltinModule?.("node:zlib")

const decoders: ReadonlyMap<string, Decode> = new Map(
  zlib === undefined
    ? []
    : [
        ["gzip", zlib.gunzipSync],
        ["x-gzip", zlib.gunzipSync],
        // Some servers leave the header out that the specification of HTTP asks for.
        [
          "deflate",
          (bytes, options) =>
            (bytes[0]! & 0x0f) === 8 ? zlib.inflateSync(bytes, options) : zlib.inflateRawSync(bytes, options)
        ],
        ["br", zlib.brotliDecompressSync]
      ]
)

/** The encodings that are decoded, as `Accept-Encoding` names them. */
export const accepted: string = zlib === undefined ? "identity" : "gzip, deflate, br"

const namesIn = (header: string | undefined): ReadonlyArray<string> =>
  (header ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity")

/** The encodings that a body still has, in the order in which they were applied. */
export const encodingsOf = (response: HttpClientResponse.HttpClientResponse): ReadonlyArray<string> =>
  bodies.isRaw(response) ? namesIn(response.headers["content-encoding"]) : []

/** The first encoding that is not decoded. More than two are no answer of a server that means well. */
export const unknownOf = (encodings: ReadonlyArray<string>): string | undefined =>
  encodings.length > 2 ? encodings.join(", ") : encodings.find((name) => !decoders.has(name))

/** What fetch decodes wherever it runs. It hands on what it does not know. */
const decodedByFetch: ReadonlySet<string> = new Set(["gzip", "x-gzip", "deflate", "br"])

/** The encoding that may be why a body is no answer, since the transport does not decode it. */
export const suspectOf = (response: HttpClientResponse.HttpClientResponse): string | undefined =>
  namesIn(response.headers["content-encoding"]).find((name) => !decodedByFetch.has(name))

const isTooLarge = (cause: unknown): boolean =>
  typeof cause === "object" && cause !== null && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE"

/** Decodes a body up to a number of bytes; `undefined` if it is malformed. */
export const decode = (
  body: bodies.Body,
  encodings: ReadonlyArray<string>,
  limit: number
): bodies.Body | undefined => {
  if (encodings.length === 0 || body.isCut || body.bytes.length === 0) return body
  let { bytes } = body
  for (const name of Array.from(encodings).reverse()) {
    const decoded = Either.try(() => decoders.get(name)!(bytes, { maxOutputLength: limit }))
    if (Either.isLeft(decoded)) return isTooLarge(decoded.left) ? { bytes, isCut: true } : undefined
    bytes = decoded.right
  }
  return { bytes, isCut: false }
}
