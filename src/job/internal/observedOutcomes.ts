import * as Channel from "effect/Channel"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type { Part, Unit } from "../../format/Format.js"
import type { FaultlessBlocks } from "../../internal/faultlessBlocks.js"
import type { StoreError } from "../../store/StoreError.js"
import type { TextError } from "../../stream/FailedUnits.js"
import * as Outcome from "../../stream/Outcome.js"
import type * as Check from "../../text/Check.js"
import type { JobStopped, NamedTexts, Observed, ObservedUnit, Translation } from "./contract.js"
import type { FileOptions, PartOutcome } from "./fileOptions.js"
import type { Looking } from "./findings.js"
import { dropsFailed, failedTextOf, fieldOf } from "./partWriting.js"
import { keyOfPlaceholders } from "./sharedRequests.js"

/** A text of an element. */
export interface Text extends Pick<ObservedUnit, "key" | "line" | "source" | "text"> {
  /** Its name in failures and findings. */
  readonly field: string | number
  /** The output's text in its place if it is skipped, and if it has failed. */
  readonly kept: string | undefined
  readonly failed: string | undefined
  /** True if it was not to be translated. */
  readonly isLeft?: boolean
  /** True if `kept` is a translation. @default false */
  readonly isTranslated?: boolean | undefined
}

/** The findings in a text of an element that was not translated now. */
type Find = (position: number, translation: string | undefined) => ReadonlyArray<Check.Finding>

const some = <A>(found: ReadonlyArray<A> | undefined): ReadonlyArray<A> | undefined =>
  found === undefined || found.length === 0 ? undefined : found

/** Findings of two looks at one text, those of a check once. */
const both = (
  first: ReadonlyArray<Check.Finding> = [],
  second: ReadonlyArray<Check.Finding> = []
): ReadonlyArray<Check.Finding> | undefined =>
  some([...first, ...second.filter(({ check }) => first.every((one) => one.check !== check))])

/** The outcome of each text of an element; nothing of one that the stream has not come to. */
const unitsOf = (
  outcome: Outcome.Outcome<unknown, unknown, TextError>,
  texts: ReadonlyArray<Text>,
  find: Find | undefined
): ReadonlyArray<ObservedUnit> => {
  if (Outcome.add(Outcome.zero, outcome).in === 0) return []
  const failures = Outcome.isFailed(outcome) ? outcome.failures : []
  const errors = new Map(failures.map(({ error, field }) => [String(field), error]))
  const findings = new Map(Outcome.flaggedOf(outcome).map(({ field, findings }) => [String(field), findings]))
  return texts.map(({ failed, field, isLeft: _, isTranslated, kept, ...unit }, position): ObservedUnit => {
    const error = errors.get(String(field))
    if (error !== undefined) {
      return {
        ...unit,
        translation: failed,
        state: "failed",
        error: { _tag: error._tag, message: error.message, checks: error.checks }
      }
    }
    const translation = outcome._tag === "Skipped" ? undefined : outcome.translations[position]
    if (translation === undefined) {
      const found = isTranslated === true ? some(find?.(position, kept)) : undefined
      return { ...unit, translation: kept, state: "skipped", findings: found }
    }
    const { text } = translation
    const known = findings.get(String(field))
    if (!Outcome.isCachedText(outcome, position))
      return { ...unit, translation: text, state: "translated", findings: known }
    return { ...unit, translation: text, state: "cached", findings: both(find?.(position, text), known) }
  })
}

/** Counts of texts of which a number looks wrong, and some have no verdict of a check. */
export const withJudged = (
  texts: Outcome.Texts,
  { flagged = 0, unasked = 0 }: Pick<Outcome.Texts, "flagged" | "unasked">
): Outcome.Texts =>
  flagged === (texts.flagged ?? 0) && unasked === (texts.unasked ?? 0)
    ? texts
    : { ...texts, flagged: flagged === 0 ? undefined : flagged, unasked: unasked === 0 ? undefined : unasked }

/** The job's view of an element with these texts. */
export const observedTexts = (
  outcome: Outcome.Outcome<unknown, unknown, TextError>,
  texts: ReadonlyArray<Text>,
  includeUnits: boolean | undefined,
  find?: Find | undefined,
  /** The number of its texts that were there and have no verdict of a check. */
  unasked = 0
): Observed => {
  const units = unitsOf(outcome, texts, find)
  const flagged = units.flatMap(({ error: _, findings, state: _1, translation, ...unit }) =>
    findings === undefined ? [] : [{ ...unit, translation: translation ?? "", findings }]
  )
  return {
    texts: withJudged(outcome.texts, {
      flagged: flagged.length,
      unasked: (outcome.texts.unasked ?? 0) + unasked
    }),
    cost: outcome.cost,
    failures: units.flatMap(({ error, findings: _, state: _1, translation: _2, ...unit }) =>
      error === undefined ? [] : [{ ...unit, error }]
    ),
    onlyPlaceholders: onlyPlaceholdersAmong(
      units.filter(({ state }, position) => state === "skipped" && texts[position]!.isLeft !== true)
    ),
    flagged,
    units: includeUnits === true ? units : undefined
  }
}

/** The details of parts that a job observes. */
export interface Telling extends Pick<FileOptions, "failed" | "format">, Looking {
  /** True if the job observes units. */
  readonly includeUnits: boolean | undefined
  /** The text of the source, and the output's text of a unit that was not translated: a translation, if that is known. */
  readonly textsOf: (unit: Unit) => Pick<ObservedUnit, "text" | "translation"> & Pick<Text, "isTranslated">
  /** Translations in which nothing was found before. @default none */
  readonly faultless?: FaultlessBlocks | undefined
}

/** The details, with the verdicts on kept texts. */
interface Judged extends Telling {
  readonly verdicts?: ReadonlyMap<Unit, Check.Verdict> | undefined
}

/** Looks for the verdicts on the texts of these parts that are kept. */
const judged = (
  outcomes: ReadonlyArray<PartOutcome>,
  telling: Telling
): Effect.Effect<Judged, StoreError> => {
  const { judge, textsOf } = telling
  if (judge === undefined) return Effect.succeed(telling)
  const kept = outcomes.flatMap(({ source, ...outcome }) =>
    source.units.flatMap((unit, position) => {
      const isNew = outcome._tag !== "Skipped" && outcome.translations[position] !== undefined
      const { isTranslated, translation } = textsOf(unit)
      return isNew || isTranslated !== true ? [] : [[unit, translation, source] as const]
    })
  )
  return Effect.map(judge(kept), (verdicts) => ({
    ...telling,
    verdicts: new Map(kept.map(([unit], index) => [unit, verdicts[index]!]))
  }))
}

/** The texts of a part. One that could not be read is a text. */
const textsOfPart = ({ problem, units }: Part, { textsOf, ...options }: Telling): ReadonlyArray<Text> => {
  if (problem !== undefined) {
    const [field, none] = [fieldOf(problem), undefined]
    return [{ field, key: `${field}`, line: problem.line, text: none, kept: none, failed: none }]
  }
  const failedText = failedTextOf(options)
  return units.map((unit) => {
    const { key, line, state } = unit
    const { isTranslated, text, translation: kept } = textsOf(unit)
    const failed = dropsFailed(options) ? undefined : (failedText?.(unit) ?? kept)
    return { field: key, key, line, text, kept, failed, isLeft: state === "translated", isTranslated }
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

const findingsIn = (part: Part, { look, verdicts }: Judged): Find | undefined =>
  look &&
  ((position, translation) => {
    const unit = part.units[position]!
    const found = look(unit, translation, part)
    const { findings = [] } = verdicts?.get(unit) ?? {}
    return findings.length === 0 ? found : [...found, ...findings]
  })

/** The number of texts of a part that were there and have no verdict of a check. */
const unaskedIn = ({ units }: Part, { verdicts }: Judged): number =>
  verdicts === undefined ? 0 : units.filter((unit) => (verdicts.get(unit)?.unasked.length ?? 0) > 0).length

/** The job's view of a part. */
const observed = (outcome: PartOutcome, telling: Judged): Observed => ({
  ...observedTexts(
    outcome,
    textsOfPart(outcome.source, telling),
    telling.includeUnits,
    findingsIn(outcome.source, telling),
    unaskedIn(outcome.source, telling)
  ),
  ...(dropsFailed(telling) && Outcome.isFailed(outcome) ? { dropped: 1 } : undefined)
})

/** True if nothing looks wrong in texts that a job does not translate, nor in those that it does. */
const isFaultless = ({ failures, flagged = [], texts: { unasked = 0 } }: Observed): boolean =>
  failures.length + flagged.length + unasked === 0

/**
 * The job's view of outcomes. Those of which it wants nothing but figures are told as one, and so are those with texts that were there, unless
 * they look wrong.
 */
export const observedAll = <O extends Outcome.Outcome<unknown, unknown, unknown>>(
  outcomes: ReadonlyArray<O>,
  includeUnits: boolean | undefined,
  observed: (outcome: O) => Observed,
  looksWrong: (outcome: O) => boolean = () => false
): ReadonlyArray<Observed> => {
  if (includeUnits === true) return outcomes.map(observed)
  const whole: Array<O> = []
  const told: Array<Observed> = []
  const cost = { characters: 0, ambiguousCharacters: 0 }
  let onlyPlaceholders: Observed["onlyPlaceholders"]
  for (const outcome of outcomes) {
    const { cached, flagged, skipped } = outcome.texts
    const isTold = Outcome.isFailed(outcome) || flagged !== undefined
    const seen = isTold || skipped > 0 || (cached > 0 && looksWrong(outcome)) ? observed(outcome) : undefined
    if (seen !== undefined && (isTold || !isFaultless(seen))) {
      told.push(seen)
      continue
    }
    whole.push(outcome)
    cost.characters += outcome.cost.characters
    cost.ambiguousCharacters += outcome.cost.ambiguousCharacters
    onlyPlaceholders = addOnlyPlaceholders(onlyPlaceholders, seen?.onlyPlaceholders)
  }
  return [{ texts: Outcome.sumTexts(whole), cost, failures: [], onlyPlaceholders }, ...told]
}

/** All that checks look at in a part. */
const contentOf = ({ source: { placeholders, units }, ...outcome }: PartOutcome): string => {
  const translations = "translations" in outcome ? outcome.translations : []
  return units
    .map(({ maxCharacters = "", text }, position) =>
      [keyOfPlaceholders(placeholders), maxCharacters, text, translations[position]?.text ?? ""].join("\0")
    )
    .join("\n")
}

/** The job's view of parts. */
export const observedParts = (
  outcomes: ReadonlyArray<PartOutcome>,
  given: Telling
): Effect.Effect<ReadonlyArray<Observed>, StoreError> =>
  Effect.map(judged(outcomes, given), (telling) => {
    const { faultless, includeUnits } = telling
    faultless?.take(outcomes, contentOf)
    return observedAll(
      outcomes,
      includeUnits,
      (outcome) => {
        const seen = observed(outcome, telling)
        if (!isFaultless(seen)) faultless?.flag(outcome)
        return seen
      },
      (outcome) => {
        if (faultless?.isKnown(outcome) === true) return false
        const find = findingsIn(outcome.source, telling)
        if (find === undefined || outcome._tag !== "Cached") return find !== undefined
        return outcome.translations.some(
          (translation, position) => translation !== undefined && find(position, translation.text).length > 0
        )
      }
    )
  })

/** The values of some outcomes, and the job's view of them, which comes first. */
interface Told<A, E> {
  readonly seen: Effect.Effect<ReadonlyArray<Observed>, E>
  readonly values: ReadonlyArray<A>
}

/**
 * Passes values of outcomes on, after the job has observed them. Those with which it has ended go on too, as they are
 * paid. It is one operator, as each costs ten operations of Effect a request; results of a channel's effect outlive the young generation.
 */
export const telling =
  <O, A, E2 = never>(observe: Translation["observe"], tell: (outcomes: ReadonlyArray<O>) => Told<A, E2>) =>
  <E, R>(self: Stream.Stream<O, E, R>): Stream.Stream<A, E | E2 | JobStopped, R> => {
    const loop: Channel.Channel<
      Chunk.Chunk<A>,
      Chunk.Chunk<O>,
      E | E2 | JobStopped,
      E,
      unknown,
      unknown
    > = Channel.readWithCause({
      onInput: (outcomes: Chunk.Chunk<O>) => {
        const { seen, values } = tell(Chunk.toReadonlyArray(outcomes))
        return Channel.flatMap(Channel.fromEffect(Effect.either(Effect.flatMap(seen, observe))), (told) =>
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
  telling(observe, (outcomes: ReadonlyArray<O>): Told<Part, StoreError> => {
    const finished = outcomes.map(finish)
    return {
      seen: observedParts(finished, how),
      values: finished.map(({ value }) => value)
    }
  })
