import * as Channel from "effect/Channel"
import * as Chunk from "effect/Chunk"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as utf8 from "../../internal/utf8.js"

/** The output for one chunk of input: the values before the first problem, and the problem if there is one. */
export interface Batch<out A, out P> {
  readonly values: ReadonlyArray<A>
  readonly problem: P | undefined
}

export interface Transducer<I, out O> {
  readonly push: (input: Chunk.Chunk<I>) => O
  /** Slices of an input that are pushed one after the other, each once the output of the one before was taken. @default all at once */
  readonly slices?: (input: Chunk.Chunk<I>) => ReadonlyArray<Chunk.Chunk<I>>
  readonly end: () => O
}

/**
 * The longest record or line, in UTF-16 units. A quote that is never closed would otherwise pull the rest of
 * the input into memory.
 */
export const maxLength = 16 * 1024 * 1024

/** The channel that writes an output. */
type Written<A, E, R> = Channel.Channel<Chunk.Chunk<A>, unknown, E, unknown, unknown, unknown, R>

/**
 * Runs a synchronous, stateful transducer over the chunks of a stream, and writes its outputs. Each run has its own
 * state.
 *
 * `Stream.flatMap` would keep its input alive until the next full collection: JSON Lines took 1.5 times the time. So would a channel of its
 * own for the values: CSV took 3.5 times the time where rows are short.
 */
export const transduce =
  <I, O, A, E2, R2>(make: () => Transducer<I, O>, write: (output: O) => Written<A, E2, R2>) =>
  <E, R>(self: Stream.Stream<I, E, R>): Stream.Stream<A, E | E2, R | R2> =>
    Stream.suspend(() => {
      const transducer = make()
      const writeAll = (inputs: ReadonlyArray<Chunk.Chunk<I>>, index = 0): typeof loop =>
        index === inputs.length
          ? loop
          : Channel.flatMap(write(transducer.push(inputs[index]!)), () => writeAll(inputs, index + 1))
      const loop: Channel.Channel<
        Chunk.Chunk<A>,
        Chunk.Chunk<I>,
        E | E2,
        E,
        unknown,
        unknown,
        R2
      > = Channel.readWithCause({
        onInput: (input: Chunk.Chunk<I>) => writeAll(transducer.slices?.(input) ?? [input]),
        onFailure: Channel.failCause,
        onDone: () => Channel.suspend(() => write(transducer.end()))
      })
      return Stream.pipeThroughChannel(self, loop)
    })

/** The values of a batch. A problem fails the stream after all values before it, however the input was chunked. */
export const valuesOrFail =
  <P, E>(toError: (problem: P) => E) =>
  <A>({ problem, values }: Batch<A, P>): Written<A, E, never> => {
    const written = values.length === 0 ? Channel.void : Channel.write(Chunk.unsafeFromArray(values))
    return problem === undefined ? written : Channel.zipRight(written, Channel.fail(toError(problem)))
  }

/** Reads text that arrives in pieces. */
export interface TextReader<out O> {
  readonly onText: (piece: string) => void
  /** Bytes that are not UTF-8 come next. */
  readonly onMalformed: () => void
  readonly onEnd: () => void
  readonly hasProblem: () => boolean
  /** Returns the output since the last flush. */
  readonly flush: () => O
}

/**
 * Bytes that are decoded at once. The rows behind them are twenty times their size: with pieces of 128 KiB, as they are
 * read, most of it outlived the young generation, and the collector took twice the time.
 */
const sliceBytes = 16_384

const slicesOf = (input: Chunk.Chunk<Uint8Array>): ReadonlyArray<Chunk.Chunk<Uint8Array>> =>
  Chunk.toReadonlyArray(input).flatMap((piece) =>
    Array.from({ length: Math.ceil(piece.length / sliceBytes) }, (_, index) =>
      Chunk.of(piece.subarray(index * sliceBytes, (index + 1) * sliceBytes))
    )
  )

/** Feeds a reader from bytes, up to its first problem. */
export const fromBytes = <O>(
  reader: TextReader<O>,
  decoder = utf8.makeDecoder()
): Transducer<Uint8Array, O> => {
  return {
    slices: slicesOf,
    push: (input) => {
      for (const bytes of Chunk.toReadonlyArray(input)) {
        const piece = decoder.decode(bytes)
        reader.onText(Either.merge(piece))
        if (!reader.hasProblem() && Either.isLeft(piece)) reader.onMalformed()
        if (reader.hasProblem()) break
      }
      return reader.flush()
    },
    end: () => {
      if (decoder.isCut()) reader.onMalformed()
      else reader.onEnd()
      return reader.flush()
    }
  }
}

/** The text without the carriage returns at its end. */
export const dropCarriageReturns = (text: string): string => {
  let end = text.length
  while (text.charCodeAt(end - 1) === 13) end--
  return end === text.length ? text : text.slice(0, end)
}
