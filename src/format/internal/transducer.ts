import * as Channel from "effect/Channel"
import * as Chunk from "effect/Chunk"
import * as Stream from "effect/Stream"

/** What one chunk of input gave: the values before the first problem, and the problem, if there is one. */
export interface Batch<out A, out P> {
  readonly values: ReadonlyArray<A>
  readonly problem: P | undefined
}

export interface Transducer<in I, out O> {
  readonly push: (input: Chunk.Chunk<I>) => O
  readonly end: () => O
}

/**
 * The longest record or line, in UTF-16 units. A quote that is never closed would otherwise pull the rest of
 * the input into memory.
 */
export const maxLength = 16 * 1024 * 1024

/** Runs a synchronous, stateful transducer over the chunks of a stream; the state is made anew for each run. */
export const transduce =
  <I, O>(make: () => Transducer<I, O>) =>
  <E, R>(self: Stream.Stream<I, E, R>): Stream.Stream<O, E, R> =>
    Stream.suspend(() => {
      const transducer = make()
      const loop: Channel.Channel<
        Chunk.Chunk<O>,
        Chunk.Chunk<I>,
        E,
        E,
        unknown,
        unknown
      > = Channel.readWithCause({
        onInput: (input: Chunk.Chunk<I>) =>
          Channel.flatMap(Channel.write(Chunk.of(transducer.push(input))), () => loop),
        onFailure: Channel.failCause,
        onDone: () => Channel.suspend(() => Channel.write(Chunk.of(transducer.end())))
      })
      return Stream.pipeThroughChannel(self, loop)
    })

/** The values of the batches; a problem fails the stream after the values in front of it, so how the input was chunked does not show. */
export const flatten =
  <P, E2>(toError: (problem: P) => E2) =>
  <A, E, R>(self: Stream.Stream<Batch<A, P>, E, R>): Stream.Stream<A, E | E2, R> =>
    Stream.flatMap(self, ({ values, problem }): Stream.Stream<A, E2> => {
      const stream = Stream.fromChunk(Chunk.unsafeFromArray(values))
      return problem === undefined ? stream : Stream.concat(stream, Stream.fail(toError(problem)))
    })
