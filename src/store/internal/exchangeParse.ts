import * as Chunk from "effect/Chunk"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as Take from "effect/Take"
import * as Format from "../../format/Format.js"

/** Parses the values of a stream, by chunks. The first problem fails it, after the entries before it. `index` counts from 1. */
export const parseAll =
  <A, B>(
    format: string,
    file: string | undefined,
    parse: (value: A, index: number) => Either.Either<ReadonlyArray<B>, Format.Problem>
  ) =>
  <E, R>(self: Stream.Stream<A, E, R>): Stream.Stream<B, E | Format.FormatError, R> =>
    Stream.suspend(() => {
      let index = 0
      const takes = Stream.mapChunks(self, (chunk) => {
        const parsed: Array<B> = []
        for (const value of chunk) {
          const result = parse(value, ++index)
          if (Either.isRight(result)) parsed.push(...result.right)
          else {
            const error = Format.formatError(format, file, result.left)
            return Chunk.make(Take.chunk(Chunk.unsafeFromArray(parsed)), Take.fail(error))
          }
        }
        return Chunk.of(Take.chunk(Chunk.unsafeFromArray(parsed)))
      })
      return Stream.flattenTake<B, Format.FormatError, E, R>(takes)
    })
