import * as Arr from "effect/Array"
import * as Channel from "effect/Channel"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type { Part, Unit } from "../../format/Format.js"
import * as Outcome from "../../stream/Outcome.js"
import type { JobStopped, NamedTexts, Observed, ObservedUnit, Translation } from "./contract.js"
import type { FileOptions, PartOutcome } from "./fileOptions.js"
import { dropsFailed, failedTextOf } from "./partWriting.js"

/** The error of a text. */
interface Failed {
  readonly _tag: string
  readonly message: string
}

/** A text of an element. */
export interface Text extends Pick<ObservedUnit, "key" | "line" | "source" | "text"> {
  /** Its name in failures and findings. */
  readonly field: string | number
  /** The output's text in its place if it is skipped, and if it has failed. */
  readonly kept: string | undefined
  readonly failed: string | undefined
  /** True if it was not to be translated. */
  readonly isLeft?: boolean
}

/** The outcome of each text of an element; nothing of one that the stream has not come to. */
const unitsOf = (
  outcome: Outcome.Outcome<unknown, unknown, Failed>,
  texts: ReadonlyArray<Text>
): ReadonlyArray<ObservedUnit> => {
  if (Outcome.add(Outcome.zero, outcome).in === 0) return []
  const failures = Outcome.isFailed(outcome) ? outcome.failures : []
  const errors = new Map(failures.map(({ error, field }) => [String(field), error]))
  const findings = new Map(Outcome.flaggedOf(outcome).map(({ field, findings }) => [String(field), findings]))
  return texts.map(({ failed, field, isLeft: _, kept, ...unit }, position): ObservedUnit => {
    const error = errors.get(String(field))
    if (error !== undefined) {
      return {
        ...unit,
        translation: failed,
        state: "failed",
        error: { _tag: error._tag, message: error.message }
      }
    }
    const translation = outcome._tag === "Skipped" ? undefined : outcome.translations[position]
    if (translation === undefined) return { ...unit, translation: kept, state: "skipped" }
    const state = Outcome.isCachedText(outcome, position) ? "cached" : "translated"
    return { ...unit, translation: translation.text, state, findings: findings.get(String(field)) }
  })
}

/** The job's view of an element with these texts. */
export const observedTexts = (
  outcome: Outcome.Outcome<unknown, unknown, Failed>,
  texts: ReadonlyArray<Text>,
  includeUnits: boolean | undefined
): Observed => {
  const units = unitsOf(outcome, texts)
  return {
    texts: outcome.texts,
    cost: outcome.cost,
    failures: units.flatMap(({ error, findings: _, state: _1, translation: _2, ...unit }) =>
      error === undefined ? [] : [{ ...unit, error }]
    ),
    onlyPlaceholders: onlyPlaceholdersAmong(
      units.filter(({ state }, position) => state === "skipped" && texts[position]!.isLeft !== true)
    ),
    flagged: units.flatMap(({ error: _, findings, state: _1, translation, ...unit }) =>
      findings === undefined ? [] : [{ ...unit, translation: translation ?? "", findings }]
    ),
    units: includeUnits === true ? units : undefined
  }
}

/** The details of parts that a job observes. */
export interface Telling extends Pick<FileOptions, "failed" | "format"> {
  /** True if the job observes units. */
  readonly includeUnits: boolean | undefined
  /** The text of the source, and the output's text of a unit that was not translated. */
  readonly textsOf: (unit: Unit) => Pick<ObservedUnit, "text" | "translation">
}

/** The texts of a part. One that could not be read is a text without a name. */
const textsOfPart = ({ problem, units }: Part, { textsOf, ...options }: Telling): ReadonlyArray<Text> => {
  if (problem !== undefined) {
    const { line } = problem
    const [field, none] = [line ?? 0, undefined]
    return [{ field, key: `${field}`, line, text: none, kept: none, failed: none }]
  }
  const failedText = failedTextOf(options)
  return units.map((unit) => {
    const { key, line, state } = unit
    const { text, translation: kept } = textsOf(unit)
    const failed = dropsFailed(options) ? undefined : (failedText?.(unit) ?? kept)
    return { field: key, key, line, text, kept, failed, isLeft: state === "translated" }
  })
}

const letter = /\p{L}/u

/** The number of texts of a kind that are named one by one. */
export const mostNamed = 20

/** The texts with these keys, if there are any. */
export const namedTexts = (keys: ReadonlyArray<string>): NamedTexts | undefined =>
  keys.length === 0 ? undefined : { texts: keys.length, keys: keys.slice(0, mostNamed) }

/** The sum of texts that are nothing but placeholders. */
export const addOnlyPlaceholders = (
  first: Observed["onlyPlaceholders"],
  second: Observed["onlyPlaceholders"]
): Observed["onlyPlaceholders"] =>
  first === undefined || second === undefined
    ? (first ?? second)
    : { texts: first.texts + second.texts, keys: [...first.keys, ...second.keys].slice(0, mostNamed) }

/** Texts that hold letters, of those that a stream has skipped. */
const onlyPlaceholdersAmong = (
  skipped: ReadonlyArray<{ readonly key: string; readonly text: string | undefined }>
): Observed["onlyPlaceholders"] =>
  namedTexts(skipped.flatMap(({ key, text }) => (text !== undefined && letter.test(text) ? [key] : [])))

/** The job's view of a part. */
export const observed = (outcome: PartOutcome, telling: Telling): Observed => ({
  ...observedTexts(outcome, textsOfPart(outcome.source, telling), telling.includeUnits),
  ...(dropsFailed(telling) && Outcome.isFailed(outcome) ? { dropped: 1 } : undefined)
})

/** The job's view of outcomes. Those of which it wants nothing but figures are told as one. */
export const observedAll = <O extends Outcome.Outcome<unknown, unknown, unknown>>(
  outcomes: ReadonlyArray<O>,
  includeUnits: boolean | undefined,
  observed: (outcome: O) => Observed
): ReadonlyArray<Observed> => {
  if (includeUnits === true) return outcomes.map(observed)
  const [whole, told] = Arr.partition(
    outcomes,
    (outcome) => Outcome.isFailed(outcome) || outcome.texts.flagged !== undefined
  )
  const cost = { characters: 0, ambiguousCharacters: 0 }
  for (const { cost: each } of whole) {
    cost.characters += each.characters
    cost.ambiguousCharacters += each.ambiguousCharacters
  }
  let onlyPlaceholders: Observed["onlyPlaceholders"]
  for (const outcome of whole) {
    if (outcome.texts.skipped === 0) continue
    onlyPlaceholders = addOnlyPlaceholders(onlyPlaceholders, observed(outcome).onlyPlaceholders)
  }
  return [{ texts: Outcome.sumTexts(whole), cost, failures: [], onlyPlaceholders }, ...told.map(observed)]
}

/** The values of some outcomes, and the job's view of them, which comes first. */
interface Told<A> {
  readonly seen: ReadonlyArray<Observed>
  readonly values: ReadonlyArray<A>
}

/**
 * Passes values of outcomes on, after the job has observed them. Those with which it has ended go on too, as they are
 * paid. It is one operator, as each costs ten operations of Effect a request; results of a channel's effect outlive the young generation.
 */
export const telling =
  <O, A>(observe: Translation["observe"], tell: (outcomes: ReadonlyArray<O>) => Told<A>) =>
  <E, R>(self: Stream.Stream<O, E, R>): Stream.Stream<A, E | JobStopped, R> => {
    const loop: Channel.Channel<
      Chunk.Chunk<A>,
      Chunk.Chunk<O>,
      E | JobStopped,
      E,
      unknown,
      unknown
    > = Channel.readWithCause({
      onInput: (outcomes: Chunk.Chunk<O>) => {
        const { seen, values } = tell(Chunk.toReadonlyArray(outcomes))
        return Channel.flatMap(Channel.fromEffect(Effect.either(observe(seen))), (told) =>
          Channel.zipRight(
            Channel.write(Chunk.unsafeFromArray(values)),
            Either.isLeft(told) ? Channel.fail(told.left) : loop
          )
        )
      },
      onFailure: Channel.failCause,
      onDone: () => Channel.void
    })
    return Stream.pipeThroughChannel(self, loop)
  }

/** The parts to write, which `finish` makes of outcomes. */
export const tellingOfParts = <O>(
  observe: Translation["observe"],
  how: Telling,
  finish: (outcome: O) => PartOutcome
) =>
  telling(observe, (outcomes: ReadonlyArray<O>): Told<Part> => {
    const finished = outcomes.map(finish)
    return {
      seen: observedAll(finished, how.includeUnits, (outcome) => observed(outcome, how)),
      values: finished.map(({ value }) => value)
    }
  })
