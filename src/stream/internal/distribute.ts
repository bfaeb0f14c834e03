import * as Chunk from "effect/Chunk"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Mailbox from "effect/Mailbox"
import * as Stream from "effect/Stream"

/** One of several that read a stream. */
export interface Reader<A, X, E, R> {
  /** Waits while the buffer is full. */
  readonly give: (chunk: Chunk.Chunk<A>) => Effect.Effect<unknown>
  /** There is no more to read. */
  readonly end: Effect.Effect<unknown>
  /** Reads until then, or until it has what it wants. */
  readonly read: Effect.Effect<X, E, R>
}

/** Elements that may wait for a reader. */
const capacity = 100

/** A reader of what it picks, behind a bounded buffer. Once it has ended it holds nothing back. */
export const reader = <A, I, X, E, R>(
  pick: (chunk: Chunk.Chunk<A>) => Chunk.Chunk<I>,
  read: (elements: Stream.Stream<I>) => Effect.Effect<X, E, R>
): Effect.Effect<Reader<A, X, E, R>> =>
  Effect.map(Mailbox.make<I>(capacity), (mailbox) => ({
    give: (chunk) => mailbox.offerAll(pick(chunk)),
    end: mailbox.end,
    read: Effect.ensuring(read(Mailbox.toStream(mailbox)), mailbox.shutdown)
  }))

/** A larger chunk would go to one reader after the other. */
const slices = <A>(chunk: Chunk.Chunk<A>): Iterable<Chunk.Chunk<A>> =>
  chunk.length > capacity ? Chunk.chunksOf(chunk, capacity) : [chunk]

/**
 * Gives a stream to several readers, until it ends, or all of them have ended, or one of them stops it. Fails as the stream
 * does, once all readers have ended with what was given to them.
 */
export const distribute = <A, E, R, X, E2, R2>(
  self: Stream.Stream<A, E, R>,
  readers: ReadonlyArray<Pick<Reader<A, unknown, unknown, unknown>, "give" | "end">>,
  readAll: (stop: Effect.Effect<unknown>) => Effect.Effect<X, E2, R2>
): Effect.Effect<X, E | E2, R | R2> =>
  Effect.gen(function* () {
    const stopped = yield* Deferred.make<void>()
    const stop = Deferred.succeed(stopped, undefined)
    const giving = Stream.runForEachChunk(self, (chunk) =>
      Effect.forEach(
        slices(chunk),
        (slice) => Effect.forEach(readers, ({ give }) => give(slice), { discard: true }),
        { discard: true }
      )
    ).pipe(
      Effect.raceFirst(Deferred.await(stopped)),
      Effect.ensuring(Effect.forEach(readers, ({ end }) => end, { discard: true })),
      Effect.exit
    )
    const [source, result] = yield* Effect.all([giving, Effect.ensuring(readAll(stop), stop)], {
      concurrency: "unbounded"
    })
    yield* source
    return result
  })
