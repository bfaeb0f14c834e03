import * as HttpBody from "@effect/platform/HttpBody"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import { type FileLike, FormDataEncoder } from "form-data-encoder"

/** A part for each value, in their order; the file comes last. */
export type Fields = ReadonlyArray<readonly [name: string, value: string]>

interface File<E> {
  readonly name: string
  readonly size: number
  readonly content: Uint8Array | Stream.Stream<Uint8Array, E>
}

const never = (): never[] => []

/** What the encoder takes for a `FormData`: the platforms' own take no file that is a stream. */
const formOf = (fields: Fields, file: FileLike) => {
  const entries = () =>
    [...fields, ["file", file] as const]
      .map(([name, value]): [string, string | FileLike] => [name, value])
      .values()
  return {
    append: never,
    getAll: never,
    entries,
    [Symbol.iterator]: entries,
    [Symbol.toStringTag]: "FormData"
  }
}

const concat = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((size, { length }) => size + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** No file holds this. */
const boundary = Effect.map(
  Effect.all(Array.from({ length: 4 }, () => Random.nextIntBetween(0, 2 ** 32))),
  (numbers) => `effect-translate-${numbers.map((number) => number.toString(16).padStart(8, "0")).join("")}`
)

/** A `multipart/form-data` body. Of a file in memory it is bytes, which fetch sends everywhere. */
export const make = <E>(fields: Fields, file: File<E>): Effect.Effect<HttpBody.HttpBody> =>
  Effect.map(boundary, (boundary) => {
    const stand: FileLike = {
      name: file.name,
      size: file.size,
      type: "",
      lastModified: 0,
      stream: () => Stream.toReadableStream(Stream.empty),
      [Symbol.toStringTag]: "File"
    }
    const encoder = new FormDataEncoder(formOf(fields, stand), boundary)
    const parts = Array.from(encoder.values())
    const at = parts.indexOf(stand)
    const [head, tail] = [parts.slice(0, at), parts.slice(at + 1)].map((parts) =>
      concat(parts as Array<Uint8Array>)
    ) as [Uint8Array, Uint8Array]
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
          Number(encoder.contentLength)
        )
  })
