import * as HttpBody from "@effect/platform/HttpBody"
import * as Channel from "effect/Channel"
import type * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import { FormDataEncoder } from "form-data-encoder"
import { concat } from "../../../internal/bytes.js"

/** One part for each value; the file comes last. */
export type Fields = ReadonlyArray<readonly [name: string, value: string]>

interface File<E> {
  readonly name: string
  readonly size: number
  readonly content: Uint8Array | Stream.Stream<Uint8Array, E>
}

/** Random, so that no file holds it. */
const boundary = Effect.map(
  Effect.all(Array.from({ length: 4 }, () => Random.nextIntBetween(0, 2 ** 32))),
  (numbers) => `effect-translate-${numbers.map((number) => number.toString(16).padStart(8, "0")).join("")}`
)

/** A `multipart/form-data` body. If the file is in memory the body is bytes, which fetch sends everywhere. */
export const make = <E>(fields: Fields, file: File<E>): Effect.Effect<HttpBody.HttpBody> =>
  Effect.map(boundary, (boundary) => {
    const form = new FormData()
    for (const [name, value] of fields) form.append(name, value)
    // In place of the file: a `FormData` takes no file that is a stream.
    form.append("file", new File([], file.name))
    const encoder = new FormDataEncoder(form, boundary)
    const parts = Array.from(encoder.values())
    const at = parts.findIndex((part) => part instanceof File)
    const head = concat(parts.slice(0, at) as Array<Uint8Array>)
    const tail = concat(parts.slice(at + 1) as Array<Uint8Array>)
    const { contentType } = encoder
    return file.content instanceof Uint8Array
      ? HttpBody.uint8Array(concat([head, file.content, tail]), contentType)
      : HttpBody.stream(
          Stream.succeed(head).pipe(
            Stream.concat(file.content),
            Stream.concat(Stream.succeed(tail)),
            // The transport on node:http waits for the connection only between the elements of a chunk.
            Stream.rechunk(2)
          ),
          contentType,
          Number(encoder.contentLength) + file.size
        )
  })

/** The bytes of a chunk. */
export const byteLength = (chunk: Chunk.Chunk<Uint8Array>): number => {
  let bytes = 0
  for (const { length } of chunk) bytes += length
  return bytes
}

/**
 * The bytes of a file, which fail if there are more or fewer than its size. A channel, since an effect for each chunk
 * keeps all chunks alive until V8's next full collection.
 */
export const ofSize = <E, E2>(
  stream: Stream.Stream<Uint8Array, E>,
  size: number,
  wrongSize: (bytes: number) => E2
): Stream.Stream<Uint8Array, E | E2> => {
  type Bytes = Chunk.Chunk<Uint8Array>
  const after = (before: number): Channel.Channel<Bytes, Bytes, E | E2, E, unknown, unknown> =>
    Channel.readWithCause({
      onInput: (chunk: Bytes) => {
        const bytes = before + byteLength(chunk)
        return bytes > size
          ? Channel.fail(wrongSize(bytes))
          : Channel.flatMap(Channel.write(chunk), () => after(bytes))
      },
      onFailure: Channel.failCause,
      onDone: () => (before < size ? Channel.fail(wrongSize(before)) : Channel.void)
    })
  return Stream.pipeThroughChannel(stream, after(0))
}
