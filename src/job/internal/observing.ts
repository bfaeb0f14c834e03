import * as Channel from "effect/Channel"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as Outcome from "../../stream/Outcome.js"
import type { PartOutcome } from "../FileTranslation.js"
import type { JobStopped, Observed, Translation, UnitFailure } from "../JobSource.js"

const failureOf = (
  { source }: PartOutcome,
  { error, field }: Outcome.Failure<{ readonly _tag: string; readonly message: string }>
): UnitFailure => {
  const unit = source.units.find(({ key }) => key === field)
  return {
    key: `${field}`,
    line: unit?.line ?? source.problem?.line,
    text: unit?.text,
    error: { _tag: error._tag, message: error.message }
  }
}

/** What a job is told of a part. */
export const observed = (outcome: PartOutcome): Observed => ({
  texts: outcome.texts,
  cost: outcome.cost,
  failures: Outcome.isFailed(outcome) ? outcome.failures.map((failure) => failureOf(outcome, failure)) : []
})

/** Tells a job of parts before they are written. Those with which it has ended are written too, as they are paid. */
export const telling =
  (observe: Translation["observe"]) =>
  <E, R>(self: Stream.Stream<PartOutcome, E, R>): Stream.Stream<PartOutcome, E | JobStopped, R> => {
    type Parts = Chunk.Chunk<PartOutcome>
    const loop: Channel.Channel<Parts, Parts, E | JobStopped, E, unknown, unknown> = Channel.readWithCause({
      onInput: (parts: Parts) =>
        Channel.flatMap(
          Channel.fromEffect(Effect.either(observe(Chunk.toReadonlyArray(Chunk.map(parts, observed))))),
          (told) =>
            Channel.zipRight(Channel.write(parts), Either.isLeft(told) ? Channel.fail(told.left) : loop)
        ),
      onFailure: Channel.failCause,
      onDone: () => Channel.void
    })
    return Stream.pipeThroughChannel(self, loop)
  }
