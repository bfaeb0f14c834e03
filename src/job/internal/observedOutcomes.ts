import * as Arr from "effect/Array"
import * as Channel from "effect/Channel"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type { Part, Unit } from "../../format/Format.js"
import * as Outcome from "../../stream/Outcome.js"
import type { FlaggedUnit, JobStopped, Observed, ObservedUnit, Translation, UnitFailure } from "./contract.js"
import type { FileOptions, PartOutcome } from "./fileOptions.js"

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

/** The details of units that a job observes. */
export interface Telling {
  /** True if the job observes units. */
  readonly includeUnits: boolean | undefined
  /** The text of the source, and the output's text of a unit that was not translated. */
  readonly textsOf: (unit: Unit) => Pick<ObservedUnit, "text" | "translation">
  /** The text for a unit that failed, if it is another one. */
  readonly failedText: FileOptions["failedText"]
  /** Records that have failed are left out. */
  readonly dropsFailed?: FileOptions["dropsFailed"]
}

const unitsOf = (
  outcome: PartOutcome,
  { dropsFailed, failedText, textsOf }: Telling
): ReadonlyArray<ObservedUnit> => {
  const { source, texts } = outcome
  if (texts.translated + texts.cached + texts.skipped + texts.failed === 0) return []
  const failures = Outcome.isFailed(outcome)
    ? outcome.failures.map((failure) => failureOf(outcome, failure))
    : []
  if (source.problem !== undefined) {
    return failures.map((failure) => ({ ...failure, translation: undefined, state: "failed" }))
  }
  const errors = new Map(failures.map(({ error, key }) => [key, error]))
  const findings = new Map(Outcome.flaggedOf(outcome).map(({ field, findings }) => [field, findings]))
  return source.units.map((unit, position): ObservedUnit => {
    const { text, translation: held } = textsOf(unit)
    const told = { key: unit.key, line: unit.line, text }
    const error = errors.get(unit.key)
    if (error !== undefined)
      return {
        ...told,
        translation: dropsFailed === true ? undefined : (failedText?.(unit) ?? held),
        state: "failed",
        error
      }
    const translation = outcome._tag === "Skipped" ? undefined : outcome.translations[position]
    if (translation === undefined) return { ...told, translation: held, state: "skipped" }
    const state = Outcome.isCachedText(outcome, position) ? "cached" : "translated"
    return { ...told, translation: translation.text, state, findings: findings.get(unit.key) }
  })
}

const letter = /\p{L}/u

/** The number of texts with only placeholders that are named one by one. */
export const mostNamed = 20

/** The sum of texts that are nothing but placeholders. */
export const addOnlyPlaceholders = (
  first: Observed["onlyPlaceholders"],
  second: Observed["onlyPlaceholders"]
): Observed["onlyPlaceholders"] =>
  first === undefined || second === undefined
    ? (first ?? second)
    : { texts: first.texts + second.texts, keys: [...first.keys, ...second.keys].slice(0, mostNamed) }

/** Texts that hold letters, of those that a stream has skipped. */
export const onlyPlaceholdersAmong = (
  skipped: ReadonlyArray<{ readonly key: string; readonly text: string | undefined }>
): Observed["onlyPlaceholders"] => {
  const keys = skipped.flatMap(({ key, text }) => (text !== undefined && letter.test(text) ? [key] : []))
  return keys.length === 0 ? undefined : { texts: keys.length, keys: keys.slice(0, mostNamed) }
}

/** Among units that were to be translated, and have neither a translation nor a failure. */
const onlyPlaceholdersOf = (outcome: PartOutcome): Observed["onlyPlaceholders"] => {
  const { source, texts } = outcome
  if (texts.skipped === 0) return undefined
  const translations = outcome._tag === "Skipped" ? [] : outcome.translations
  const failed = new Set(Outcome.isFailed(outcome) ? outcome.failures.map(({ field }) => field) : [])
  return onlyPlaceholdersAmong(
    source.units.filter(
      ({ key, state }, position) =>
        state !== "translated" && translations[position] === undefined && !failed.has(key)
    )
  )
}
const flaggedUnits = (outcome: PartOutcome): ReadonlyArray<FlaggedUnit> =>
  Outcome.flaggedOf(outcome).map(({ field, findings }) => {
    const position = outcome.source.units.findIndex(({ key }) => key === field)
    const { key, line, text } = outcome.source.units[position]!
    const translation = "translations" in outcome ? outcome.translations[position]!.text : text
    return { key, line, text, translation, findings }
  })

/** The job's view of a part. */
export const observed = (outcome: PartOutcome, telling: Telling): Observed => ({
  texts: outcome.texts,
  onlyPlaceholders: onlyPlaceholdersOf(outcome),
  cost: outcome.cost,
  failures: Outcome.isFailed(outcome) ? outcome.failures.map((failure) => failureOf(outcome, failure)) : [],
  flagged: flaggedUnits(outcome),
  ...(telling.dropsFailed === true && Outcome.isFailed(outcome) ? { dropped: 1 } : undefined),
  units: telling.includeUnits === true ? unitsOf(outcome, telling) : undefined
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
