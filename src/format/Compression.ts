/**
 * Compressed bytes: gzip, Brotli, and Zstandard where Node has it, by stream.
 *
 * @since 0.1.0
 */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { is, TaggedError } from "../internal/taggedError.js"
import { type Create, type Transform, zlib } from "../internal/zlib.js"

/**
 * Bytes can't be compressed or decompressed. The message holds nothing of them.
 *
 * @since 0.1.0
 * @category errors
 */
export class CompressionError extends TaggedError<CompressionError>()("CompressionError", {
  /** `corrupt`: the bytes are malformed, or end too early. `tooLarge`: see {@link DecompressOptions}. */
  reason: Schema.Literal("corrupt", "tooLarge", "unavailable"),
  message: Schema.String
}) {}

/**
 * Returns `true` for a `CompressionError`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isCompressionError = is(CompressionError)

/**
 * Limits on the size of decompressed bytes. It guards against files that are made to fill a memory or a disk.
 *
 * @since 0.1.0
 * @category models
 */
export interface DecompressOptions {
  /** The most bytes. @default 1099511627776, which is 1 TiB */
  readonly maxBytes?: number | undefined
  /** The largest ratio of decompressed to compressed bytes, from 64 MiB on. @default 500 */
  readonly maxRatio?: number | undefined
  /** Accepts bytes that end early, as the beginning of something longer. @default false: then they are corrupt */
  readonly isBeginning?: boolean | undefined
}

/**
 * A way to compress bytes.
 *
 * @since 0.1.0
 * @category models
 */
export interface Compression {
  readonly name: "gzip" | "brotli" | "zstd"
  /** The end of the names of such files. */
  readonly ending: ".gz" | ".br" | ".zst"
  readonly compress: <E, R>(
    self: Stream.Stream<Uint8Array, E, R>
  ) => Stream.Stream<Uint8Array, E | CompressionError, R>
  /** Several streams behind each other are one. */
  readonly decompress: (
    options?: DecompressOptions
  ) => <E, R>(self: Stream.Stream<Uint8Array, E, R>) => Stream.Stream<Uint8Array, E | CompressionError, R>
}

const write = (transform: Transform, bytes: Uint8Array) =>
  Effect.async<void>((resume) => {
    // The reader of the bytes reports their faults.
    transform.write(bytes, () => resume(Effect.void))
  })

/** The bytes that a transform makes of others. */
const through =
  (make: () => Transform, failed: CompressionError) =>
  <E, R>(self: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E | CompressionError, R> =>
    Stream.unwrapScoped(
      Effect.gen(function* () {
        const transform = yield* Effect.acquireRelease(Effect.sync(make), (transform) =>
          Effect.sync(() => transform.destroy())
        )
        transform.on("error", () => {})
        let cause: Cause.Cause<E> | undefined
        const feed = Stream.runForEach(self, (bytes) => write(transform, bytes))
        yield* feed.pipe(
          Effect.matchCause({
            onFailure: (found) => {
              cause = found
              transform.destroy(new Error("the input has failed"))
            },
            onSuccess: () => transform.end()
          }),
          Effect.forkScoped
        )
        return Stream.fromAsyncIterable(transform, () => failed).pipe(
          Stream.catchAll(
            (error): Stream.Stream<never, E | CompressionError> =>
              cause === undefined ? Stream.fail(error) : Stream.failCause(cause)
          )
        )
      })
    )

/** From how many bytes on the ratio is looked at. */
const ratioFrom = 64 * 1024 * 1024

/** Counts bytes before and after decompression, and fails above the limits. */
const within =
  ({ maxBytes = 2 ** 40, maxRatio = 500 }: DecompressOptions, decompress: ReturnType<typeof through>) =>
  <E, R>(self: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E | CompressionError, R> =>
    Stream.suspend(() => {
      let read = 0
      let made = 0
      const counted = Stream.map(self, (bytes) => {
        read += bytes.length
        return bytes
      })
      const limit = (what: string) =>
        new CompressionError({
          reason: "tooLarge",
          message: `it decompresses to more than ${what}: decompress it by hand, if it is what it should be.`
        })
      return Stream.mapEffect(decompress(counted), (bytes) => {
        made += bytes.length
        return made > maxBytes
          ? Effect.fail(limit(`${maxBytes} bytes`))
          : made > ratioFrom && made > read * maxRatio
            ? Effect.fail(limit(`${maxRatio} times its size`))
            : Effect.succeed(bytes)
      })
    })

/** Functions of `node:zlib`, where they are known. */
interface Codec {
  readonly compress: Create | undefined
  readonly decompress: Create | undefined
  /** Ends a stream that is cut. */
  readonly finishFlush: number | undefined
  readonly params?: Readonly<Record<number, number>> | undefined
}

const chunkSize = 131_072

const make = (
  name: Compression["name"],
  ending: Compression["ending"],
  { compress, decompress, finishFlush, params = {} }: Codec
): Compression => {
  const unavailable = new CompressionError({
    reason: "unavailable",
    message: `${name} is not available here${name === "zstd" ? ": it takes Node 22.15 or later" : ""}: compress by gzip, or not at all.`
  })
  return {
    name,
    ending,
    compress:
      compress === undefined
        ? () => Stream.fail(unavailable)
        : through(() => compress({ chunkSize, params }), unavailable),
    decompress: (options = {}) =>
      decompress === undefined
        ? () => Stream.fail(unavailable)
        : within(
            options,
            through(
              () =>
                decompress({
                  chunkSize,
                  ...(options.isBeginning === true && finishFlush !== undefined ? { finishFlush } : {})
                }),
              new CompressionError({
                reason: "corrupt",
                message: `it is not ${name}, or not whole: make it anew.`
              })
            )
          )
  }
}

/**
 * Gzip, RFC 1952.
 *
 * @since 0.1.0
 * @category constants
 */
export const gzip: Compression = make("gzip", ".gz", {
  compress: zlib?.createGzip,
  decompress: zlib?.createGunzip,
  finishFlush: zlib?.constants.Z_SYNC_FLUSH
})

/**
 * Brotli, RFC 7932. It compresses at quality 5: 11, the default of its encoder, takes a second a megabyte.
 *
 * @since 0.1.0
 * @category constants
 */
export const brotli: Compression = make("brotli", ".br", {
  compress: zlib?.createBrotliCompress,
  decompress: zlib?.createBrotliDecompress,
  finishFlush: zlib?.constants.BROTLI_OPERATION_FLUSH,
  params: zlib && { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 }
})

/**
 * Zstandard, RFC 8878. It takes Node 22.15 or later.
 *
 * @since 0.1.0
 * @category constants
 */
export const zstd: Compression = make("zstd", ".zst", {
  compress: zlib?.createZstdCompress,
  decompress: zlib?.createZstdDecompress,
  finishFlush: zlib?.constants.ZSTD_e_flush
})

/**
 * All compressions.
 *
 * @since 0.1.0
 * @category constants
 */
export const all: ReadonlyArray<Compression> = [gzip, brotli, zstd]

const byEnding: ReadonlyMap<string, Compression> = new Map(all.map((one) => [one.ending, one]))

/**
 * The compression of a file by its name, and that name without its ending: `.csv.gz` is a `.csv`.
 *
 * @since 0.1.0
 * @category combinators
 */
export const ofPath = (
  path: string
): { readonly compression: Compression | undefined; readonly path: string } => {
  const [ending = ""] = /\.[^.]*$/.exec(path) ?? []
  const compression = byEnding.get(ending.toLowerCase())
  return { compression, path: compression === undefined ? path : path.slice(0, -compression.ending.length) }
}
