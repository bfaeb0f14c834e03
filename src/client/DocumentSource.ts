/**
 * A file to upload: its name, its exact size, and its bytes.
 *
 * @since 0.1.0
 */
import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import { read } from "../internal/files.js"

/**
 * A file to upload. Its bytes are read once for each time that the upload is sent.
 *
 * @since 0.1.0
 * @category models
 */
export interface DocumentSource<out E = never> {
  /** The file's name, without folders; its extension is its type. */
  readonly name: string
  /** Bytes; the upload fails if the file holds more or fewer. */
  readonly size: number
  /** The bytes: in memory, or as a stream. */
  readonly content: Uint8Array | Stream.Stream<Uint8Array, E>
  /** True if the bytes can be read another time. */
  readonly isRepeatable: boolean
}

/**
 * A file of the file system. It is read while it is sent, and never held whole.
 *
 * Errors: `PlatformError`, here and during the upload, if the file can't be read.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromPath = (
  path: string
): Effect.Effect<
  DocumentSource<PlatformError.PlatformError>,
  PlatformError.PlatformError,
  FileSystem.FileSystem
> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { size } = yield* fs.stat(path)
    return {
      name: path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1),
      size: Number(size),
      content: read(fs, path),
      isRepeatable: true
    }
  })

/**
 * A file in memory.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromBytes = (name: string, bytes: Uint8Array): DocumentSource => ({
  name,
  size: bytes.length,
  content: bytes,
  isRepeatable: true
})

/**
 * A file as a stream of a known size in bytes. The stream's errors are the upload's. The upload is sent once, since a
 * stream may be used up by it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromStream = <E>(
  name: string,
  size: number,
  stream: Stream.Stream<Uint8Array, E>
): DocumentSource<E> => ({ name, size, content: stream, isRepeatable: false })
