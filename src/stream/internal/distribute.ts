/** A stream with several readers: the buffer of each, and its end. */
import * as Chunk from "effect/Chunk"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Mailbox from "effect/Mailbox"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

/** One of several that read a stream. */
export interface Reader<A, X, E, R> {
  /** Waits while the buffer is full. */
  readonly give: (chunk: Chunk.Chunk<A>) => Effect.Effect<unknown>
  /** There is no more to read. */
  readonly end: Effect.Effect<unknown>
  /** Reads until then, or until it wants no more. */
  readonly read: Effect.Effect<X, E, R>
}

/** Elements that may wait for a reader. */
const capacity = 100

/** Bytes that may wait for a reader: they are decoded at once, into some sixty times their size. */
const capacityBytes = 262_144

/** The share of a buffer that an element takes, in elements. One that is too large for it takes all of it. */
const sizeOf = (element: unknown): number =>
  element instanceof Uint8Array
    ? Math.max(1, Math.min(capacity, Math.ceil((element.length * capacity) / capacityBytes)))
    : 1

const sizeOfAll = (elements: Chunk.Chunk<unknown>): number =>
  Chunk.reduce(elements, 0, (sum, element) => sum + sizeOf(element))

/** A reader of the picked elements, behind a bounded buffer. Once it has ended it holds nothing back. */
export const reader = <A, I, X, E, R>(
  pick: (chunk: Chunk.Chunk<A>) => Chunk.Chunk<I>,
  read: (elements: Stream.Stream<I>) => Effect.Effect<X, E, R>
): Effect.Effect<Reader<A, X, E, R>> =>
  Effect.gen(function* () {
    const mailbox = yield* Mailbox.make<I>()
    const room = yield* Effect.makeSemaphore(capacity)
    const taken = Effect.tap(mailbox.takeAll, ([elements]) => room.release(sizeOfAll(elements)))
    const elements = Stream.repeatEffectChunkOption(
      Effect.flatMap(taken, ([elements, isDone]) =>
        isDone && Chunk.isEmpty(elements) ? Effect.fail(Option.none()) : Effect.succeed(elements)
      )
    )
    let isEnded = false
    return {
      give: (chunk) =>
        Effect.suspend(() => {
          // If it was the last one, the stream is about to be stopped.
          if (isEnded) return Effect.yieldNow()
          const picked = pick(chunk)
          return Effect.zipRight(room.take(sizeOfAll(picked)), mailbox.offerAll(picked))
        }),
      end: mailbox.end,
      read: Effect.ensuring(
        read(elements),
        Effect.suspend(() => {
          isEnded = true
          return Effect.zipRight(mailbox.shutdown, room.release(Number.POSITIVE_INFINITY))
        })
      )
    }
  })

/** A larger chunk would go to one reader after the other. */
const slices = <A>(chunk: Chunk.Chunk<A>): Iterable<Chunk.Chunk<A>> => {
  if (sizeOfAll(chunk) <= capacity) return [chunk]
  const found: Array<Array<A>> = []
  let size = capacity
  for (const element of chunk) {
    size += sizeOf(element)
    if (size > capacity) {
      found.push([])
      size = sizeOf(element)
    }
    found.at(-1)!.push(element)
  }
  return found.map(Chunk.unsafeFromArray)
}

/**
 * Gives a stream to several readers, until it ends, or all of them have ended, or one of them stops it. Fails as the stream
 * does, once all readers have ended with their elements so far.
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
