import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Compression from "../../format/Compression.js"
import { defaultMaxBytes, type Format } from "../../format/Format.js"
import type { UnknownFormat } from "../../format/Formats.js"
import * as files from "../../internal/files.js"
import { makeByteHash } from "../../internal/hash.js"
import { SourceChanged, SourceUnreadable } from "../FileSourceError.js"
import * as outputs from "./outputFiles.js"

const unreadable = (path: string) => (error: PlatformError.PlatformError) =>
  new SourceUnreadable({ path, reason: error.message })

/** How much of a file shows its format, in bytes. */
const headBytes = 65_536

/** Bytes of a file as they are once they are decompressed, which the ending of its name asks for. */
const decompressed =
  (path: string, options?: Compression.DecompressOptions) =>
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E | SourceUnreadable, R> => {
    const { compression } = Compression.ofPath(path)
    return compression === undefined
      ? bytes
      : Stream.mapError(compression.decompress(options)(bytes), (error) =>
          Compression.isCompressionError(error)
            ? new SourceUnreadable({ path, reason: error.message })
            : error
        )
  }

/** The first bytes of a file, as they are. */
const firstBytesOf = (path: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { type } = yield* Effect.mapError(fs.stat(path), unreadable(path))
    // A pipe could be read once only.
    if (type !== "File") return yield* new SourceUnreadable({ path, reason: "it is no regular file" })
    const head = yield* Effect.flatMap(fs.open(path, { flag: "r" }), (file) =>
      file.readAlloc(headBytes)
    ).pipe(Effect.scoped, Effect.mapError(unreadable(path)))
    return Option.getOrElse(head, () => new Uint8Array())
  })

const isCompressed = (path: string): boolean => Compression.ofPath(path).compression !== undefined

/** What the first bytes of a compressed file become. */
const beginningOf = (path: string, bytes: Uint8Array) =>
  decompressed(path, { isBeginning: true })(Stream.succeed(bytes))

/** The beginning of a file, which shows its format. */
export const headOf = (path: string): Effect.Effect<string, SourceUnreadable, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const bytes = yield* firstBytesOf(path)
    const head = isCompressed(path)
      ? Option.getOrElse(yield* Stream.runHead(beginningOf(path, bytes)), () => new Uint8Array())
      : bytes
    return new TextDecoder().decode(head.subarray(0, headBytes))
  })

/** How many bytes a file has: about, if it is compressed. */
export const sizeOf = (path: string): Effect.Effect<number, SourceUnreadable, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const size = Number((yield* infoOf(path))?.size ?? 0)
    if (!isCompressed(path)) return size
    const bytes = yield* firstBytesOf(path)
    const made = yield* Stream.runFold(beginningOf(path, bytes), 0, (sum, { length }) => sum + length)
    return (size * made) / Math.max(1, bytes.length)
  })

/**
 * The format of a file; of a compressed one, that of what is in it. Reads its beginning in any case, so a file that can't be read is found.
 */
export const formatOf = (
  path: string,
  format:
    | Format
    | ((file: { readonly path: string; readonly head: string }) => Either.Either<Format, UnknownFormat>)
): Effect.Effect<Format, SourceUnreadable | UnknownFormat, FileSystem.FileSystem> =>
  Effect.flatMap(headOf(path), (head) => {
    const { compression, path: name } = Compression.ofPath(path)
    const found = typeof format === "function" ? format({ path: name, head }) : Either.right(format)
    return Either.filterOrLeft(
      found,
      ({ isStreamed }) => compression === undefined || isStreamed === true,
      ({ name }) =>
        new SourceUnreadable({
          path,
          reason: `a file of the format ${name} is read as a whole, and must not be compressed`
        })
    )
  })

/** What is in a file, if it is there. */
export const infoOf = (path: string) => Effect.mapError(outputs.infoOf(path), unreadable(path))

/** The bytes of a file as they are. Fails at their end if it was written meanwhile. */
const storedBytesOf = (
  path: string
): Stream.Stream<Uint8Array, SourceUnreadable | SourceChanged, FileSystem.FileSystem> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const before = yield* infoOf(path)
      const check = Effect.flatMap(infoOf(path), (now) =>
        outputs.isAsBefore(before, now) ? Effect.void : Effect.fail(new SourceChanged({ path }))
      )
      return Stream.concat(
        Stream.mapError(files.read(fs, path), unreadable(path)),
        Stream.drain(Stream.fromEffect(check))
      )
    })
  )

/** The hash of the bytes of a file. */
export const hashOf = (path: string): Effect.Effect<string, SourceUnreadable, FileSystem.FileSystem> =>
  Effect.mapError(files.hashOf(path), unreadable(path))

/** The bytes of a file, decompressed. Fails at their end if it was written meanwhile. */
export const bytesOf = (path: string) => decompressed(path)(storedBytesOf(path))

/** The same, and the hash of the file once it was read to its end for the first time. */
export const hashedBytesOf = (path: string) => {
  let found: string | undefined
  const bytes = Stream.suspend(() => {
    const { digest, update } = makeByteHash()
    return Stream.concat(
      Stream.mapChunks(storedBytesOf(path), (pieces) => {
        for (const piece of pieces) update(piece)
        return pieces
      }),
      Stream.execute(
        Effect.sync(() => {
          found ??= digest()
        })
      )
    )
  })
  return { bytes: decompressed(path)(bytes), hash: () => found }
}

/** What is read as a whole. Of something larger, as much as its format needs to refuse it. */
export const wholeOf = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>, maxBytes: number = defaultMaxBytes) =>
  Stream.suspend(() => {
    let size = 0
    return Stream.takeUntil(bytes, (piece) => {
      size += piece.length
      return size > maxBytes
    })
  }).pipe(
    Stream.runCollect,
    Effect.map((pieces) => Chunk.toReadonlyArray(pieces))
  )
