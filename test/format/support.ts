import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"

const encoder = new TextEncoder()

/** Bytes of a text, or the bytes themselves, in pieces of the given sizes (repeated), each a chunk of its own. */
export const bytes = (input: string | Uint8Array, sizes: ReadonlyArray<number> = [1 << 16]) => {
  const all = typeof input === "string" ? encoder.encode(input) : input
  const pieces: Array<Uint8Array> = []
  for (let at = 0, i = 0; at < all.length; i++) {
    const size = sizes[i % sizes.length]!
    pieces.push(all.subarray(at, at + size))
    at += size
  }
  return Stream.fromIterable(pieces).pipe(Stream.rechunk(1))
}

export const collect = <A, E, R>(stream: Stream.Stream<A, E, R>) =>
  Effect.map(Stream.runCollect(stream), Chunk.toReadonlyArray)

export const concat = (pieces: ReadonlyArray<Uint8Array>): Uint8Array => {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

/** The written text, a byte order mark included. */
export const text = <E, R>(stream: Stream.Stream<Uint8Array, E, R>) =>
  Effect.map(collect(stream), (pieces) =>
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(concat(pieces))
  )

/** What a failing stream emitted, and its error. */
export const untilError = <A, E, R>(stream: Stream.Stream<A, E, R>) =>
  Effect.gen(function* () {
    const emitted = yield* Ref.make<ReadonlyArray<A>>([])
    const error = yield* stream.pipe(
      Stream.runForEach((value) => Ref.update(emitted, (values) => [...values, value])),
      Effect.flip
    )
    return { values: yield* Ref.get(emitted), error }
  })
