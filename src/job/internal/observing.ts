import * as Channel from "effect/Channel"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type { Unit } from "../../format/Format.js"
import * as Outcome from "../../stream/Outcome.js"
import type { FileOptions, PartOutcome } from "../FileTranslation.js"
import type { JobStopped, Observed, ObservedUnit, Translation, UnitFailure } from "./sourceContract.js"

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

/** How the units of parts are told of. */
export interface Telling {
  /** Whether they are told of at all. */
  readonly wantsUnits: boolean | undefined
  /** The text of the source, and what the output holds of a unit that was not translated. */
  readonly textsOf: (unit: Unit) => Pick<ObservedUnit, "text" | "translation">
  /** What is written for a unit that failed, if that is something else. */
  readonly failedText: FileOptions["failedText"]
}

const unitsOf = (outcome: PartOutcome, { failedText, textsOf }: Telling): ReadonlyArray<ObservedUnit> => {
  const { source, texts } = outcome
  if (texts.translated + texts.cached + texts.skipped + texts.failed === 0) return []
  const failures = Outcome.isFailed(outcome)
    ? outcome.failures.map((failure) => failureOf(outcome, failure))
    : []
  if (source.problem !== undefined) {
    return failures.map((failure) => ({ ...failure, translation: undefined, state: "failed" }))
  }
  const errors = new Map(failures.map(({ error, key }) => [key, error]))
  return source.units.map((unit, position): ObservedUnit => {
    const { text, translation: held } = textsOf(unit)
    const told = { key: unit.key, line: unit.line, text }
    const error = errors.get(unit.key)
    if (error !== undefined)
      return { ...told, translation: failedText?.(unit) ?? held, state: "failed", error }
    const translation = outcome._tag === "Skipped" ? undefined : outcome.translations[position]
    if (translation === undefined) return { ...told, translation: held, state: "skipped" }
    const state = Outcome.isCachedText(outcome, position) ? "cached" : "translated"
    return { ...told, translation: translation.text, state }
  })
}

/** What a job is told of a part. */
export const observed = (outcome: PartOutcome, telling: Telling): Observed => ({
  texts: outcome.texts,
  cost: outcome.cost,
  failures: Outcome.isFailed(outcome) ? outcome.failures.map((failure) => failureOf(outcome, failure)) : [],
  units: telling.wantsUnits === true ? unitsOf(outcome, telling) : undefined
})

/** Tells a job of parts before they are written. Those with which it has ended are written too, as they are paid. */
export const telling =
  (observe: Translation["observe"], telling: Telling) =>
  <E, R>(self: Stream.Stream<PartOutcome, E, R>): Stream.Stream<PartOutcome, E | JobStopped, R> => {
    type Parts = Chunk.Chunk<PartOutcome>
    const loop: Channel.Channel<Parts, Parts, E | JobStopped, E, unknown, unknown> = Channel.readWithCause({
      onInput: (parts: Parts) =>
        Channel.flatMap(
          Channel.fromEffect(
            Effect.either(observe(Chunk.toReadonlyArray(parts).map((part) => observed(part, telling))))
          ),
          (told) =>
            Channel.zipRight(Channel.write(parts), Either.isLeft(told) ? Channel.fail(told.left) : loop)
        ),
      onFailure: Channel.failCause,
      onDone: () => Channel.void
    })
    return Stream.pipeThroughChannel(self, loop)
  }
