import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { defaultMaxBytes, type Format } from "../../format/Format.js"
import type { UnknownFormat } from "../../format/Formats.js"
import { read } from "../../internal/files.js"
import { makeByteHash } from "../../internal/hash.js"
import { SourceChanged, SourceUnreadable } from "../FileSourceError.js"
import * as outputs from "./outputFiles.js"

const unreadable = (path: string) => (error: PlatformError.PlatformError) =>
  new SourceUnreadable({ path, reason: error.message })

/** How much of a file shows its format, in bytes. */
const headBytes = 65_536

/** The beginning of a file, which shows its format. */
export const headOf = (path: string): Effect.Effect<string, SourceUnreadable, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { type } = yield* Effect.mapError(fs.stat(path), unreadable(path))
    // A pipe could be read once only.
    if (type !== "File") return yield* new SourceUnreadable({ path, reason: "it is no regular file" })
    const head = yield* Effect.flatMap(fs.open(path, { flag: "r" }), (file) =>
      file.readAlloc(headBytes)
    ).pipe(Effect.scoped, Effect.mapError(unreadable(path)))
    return new TextDecoder().decode(Option.getOrUndefined(head))
  })

/** The format of a file. Reads its beginning in any case, so a file that can't be read is found. */
export const formatOf = (
  path: string,
  format:
    | Format
    | ((file: { readonly path: string; readonly head: string }) => Either.Either<Format, UnknownFormat>)
): Effect.Effect<Format, SourceUnreadable | UnknownFormat, FileSystem.FileSystem> =>
  Effect.flatMap(
    headOf(path),
    (head): Either.Either<Format, UnknownFormat> =>
      typeof format === "function" ? format({ path, head }) : Either.right(format)
  )

/** What is in a file, if it is there. */
export const infoOf = (path: string) => Effect.mapError(outputs.infoOf(path), unreadable(path))

/** The bytes of a file. Fails at their end if it was written meanwhile. */
export const bytesOf = (
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
        Stream.mapError(read(fs, path), unreadable(path)),
        Stream.drain(Stream.fromEffect(check))
      )
    })
  )

/** The hash of the bytes of a file. */
export const hashOf = (path: string): Effect.Effect<string, SourceUnreadable, FileSystem.FileSystem> =>
  Effect.mapError(outputs.hashOf(path), unreadable(path))

/** Bytes, and their hash once they were read to their end for the first time. */
export const hashed = <E, R>(self: Stream.Stream<Uint8Array, E, R>) => {
  let found: string | undefined
  const bytes = Stream.suspend(() => {
    const { digest, update } = makeByteHash()
    return Stream.concat(
      Stream.mapChunks(self, (pieces) => {
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
  return { bytes, hash: () => found }
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
