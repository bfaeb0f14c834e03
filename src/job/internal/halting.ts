import * as Channel from "effect/Channel"
import * as Chunk from "effect/Chunk"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Limits from "../../api/Limits.js"
import * as StreamOptions from "../../stream/StreamOptions.js"
import type * as TranslateStream from "../../stream/TranslateStream.js"

/** The number of elements of a chunk that may go on once the job is halted, or as many as are in flight anyway. */
const fewest = 100

/** The options that bound the number of texts in flight. */
type Pace = Pick<TranslateStream.Options, "concurrency" | "maxTexts">

const mostOf = ({
  concurrency = StreamOptions.defaultConcurrency,
  maxTexts = Limits.translateTexts
}: Pace): number => Math.max(fewest, concurrency * maxTexts)

/** Ends a source once the job is halted, also while it waits. */
export const interruptWhen = <A, E, R, H>(
  self: Stream.Stream<A, E, R>,
  halted: Deferred.Deferred<never, H> | undefined
): Stream.Stream<A, E, R> =>
  halted === undefined ? self : Stream.interruptWhen(self, Effect.ignore(Deferred.await(halted)))

/** Fails as `halted` does once that has failed and more is asked for: elements that were read before go on. */
export const failing = <A, E, R, H>(
  self: Stream.Stream<A, E, R>,
  halted: Deferred.Deferred<never, H> | undefined,
  pace?: Pace
): Stream.Stream<A, E | H, R> => {
  if (halted === undefined) return self
  const most = pace === undefined ? fewest : mostOf(pace)
  type Elements = Chunk.Chunk<A>
  type Written = Channel.Channel<Elements, unknown, H, unknown, unknown, unknown>
  const proceed = Effect.flatMap(
    Deferred.poll(halted),
    Option.getOrElse(() => Effect.void)
  )
  const write = (elements: Elements): Written => {
    const [now, later] = Chunk.splitAt(elements, most)
    const written = Channel.zipRight(Channel.fromEffect(proceed), Channel.write(now))
    return Chunk.isEmpty(later) ? written : Channel.flatMap(written, () => write(later))
  }
  const loop: Channel.Channel<Elements, Elements, E | H, E, unknown, unknown> = Channel.readWithCause({
    onInput: (elements: Elements) => Channel.flatMap(write(elements), () => loop),
    onFailure: Channel.failCause,
    // The source may have ended because of that.
    onDone: () => Channel.fromEffect(proceed)
  })
  return Stream.pipeThroughChannel(self, loop)
}
