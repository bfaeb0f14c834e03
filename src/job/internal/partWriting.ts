/** Translations written into the parts of a file. */
import * as Either from "effect/Either"
import * as Format from "../../format/Format.js"
import * as Outcome from "../../stream/Outcome.js"
import type * as FileTranslation from "./fileOptions.js"

/** A part with the translations that can be written, and the problems of the others. */
const writeEach = (
  part: Format.Part,
  translations: ReadonlyArray<string | undefined>,
  marks: ReadonlyArray<boolean> | undefined
): { readonly value: Format.Part; readonly problems: ReadonlyMap<number, Format.Problem> } => {
  const problems = new Map<number, Format.Problem>()
  translations.forEach((translation, index) => {
    if (translation === undefined) return
    const alone = translations.map((other, position) => (position === index ? other : undefined))
    const written = Format.write(part, alone)
    if (Either.isLeft(written)) problems.set(index, written.left)
  })
  const good = translations.map((translation, index) => (problems.has(index) ? undefined : translation))
  return Either.match(Format.write(part, good, marks), {
    onRight: (value) => ({ value, problems }),
    onLeft: (problem) => {
      translations.forEach((translation, index) => {
        if (translation !== undefined && !problems.has(index)) problems.set(index, problem)
      })
      return { value: part, problems }
    }
  })
}

/** A part in which the units that failed are written as the caller wants them, if the file can hold that. */
const writeFailed = (
  part: Format.Part,
  translations: ReadonlyArray<string | undefined>,
  failedText: (unit: Format.Unit) => string,
  failed: ReadonlySet<string | number>,
  marks: ReadonlyArray<boolean> | undefined
): Format.Part | undefined => {
  const texts = part.units.map((unit, index) =>
    failed.has(unit.key) ? failedText(unit) : translations[index]
  )
  return Either.getOrUndefined(Format.write(part, texts, marks))
}

/** The name of a text that could not be read: its key, or its line. */
export const fieldOf = ({ key, line = 0 }: Format.FormatError): string | number => key ?? line

/** The outcome of a part that could not be read: it counts as one text that failed. */
const unread = (
  part: Format.Part,
  error: Format.FormatError,
  { cost }: Outcome.Common<unknown, Format.Part>,
  value: Format.Part
): FileTranslation.PartOutcome<never> => ({
  _tag: "Failed",
  source: part,
  value,
  cost,
  translations: [],
  failures: [{ field: fieldOf(error), error }],
  texts: { translated: 0, cached: 0, skipped: 0, failed: 1 }
})

/** The findings by the keys of the units. Units that can't be written have failed instead. */
const flaggedUnits = (
  outcome: Outcome.Outcome<unknown, Format.Part, unknown>,
  problems?: ReadonlyMap<number, Format.Problem>
): Pick<Outcome.Translated<unknown>, "flagged"> | undefined => {
  if (outcome.texts.flagged === undefined) return undefined
  const flagged = Outcome.flaggedOf(outcome)
    .filter(({ field }) => problems?.has(Number(field)) !== true)
    .map(({ field, findings }) => ({ field: outcome.source.units[Number(field)]!.key, findings }))
  return { flagged: flagged.length === 0 ? undefined : flagged }
}

/** The marks of the units that look wrong, if they are wanted. */
const marksOf = (
  outcome: Outcome.Outcome<unknown, Format.Part, unknown>,
  { mark }: FileTranslation.FileOptions
): ReadonlyArray<boolean> | undefined => {
  if (mark !== "flagged" || outcome.texts.flagged === undefined) return undefined
  const flagged = new Set(Outcome.flaggedOf(outcome).map(({ field }) => Number(field)))
  return outcome.source.units.map((_, index) => flagged.has(index))
}

type Failing = Pick<FileTranslation.FileOptions, "failed" | "format">

/** Failed records are left out of a file only if it has records. */
export const dropsFailed = ({ failed, format }: Failing): boolean =>
  failed === "drop" && format.records !== undefined

/** The text for a unit that failed, unless the part holds it already. */
export const failedTextOf = ({ failed, format }: Failing): ((unit: Format.Unit) => string) | undefined =>
  failed === "empty" ? () => "" : failed === "source" && !format.isBilingual ? ({ text }) => text : undefined

/** A record that is left out, as it is written. */
const dropped: Format.Part = { raw: "", units: [] }

/** The outcome of a part from the outcome of its texts. */
export const finish =
  ({ file, ...options }: FileTranslation.FileOptions) =>
  <F>(outcome: Outcome.Outcome<unknown, Format.Part, F>): FileTranslation.PartOutcome<F> => {
    const { source, texts } = outcome
    const { format } = options
    if (source.problem !== undefined)
      return unread(source, source.problem, outcome, dropsFailed(options) ? dropped : source)
    const known = outcome._tag === "Skipped" ? source.units.map(() => undefined) : outcome.translations
    const failedBefore = new Set(Outcome.isFailed(outcome) ? outcome.failures.map(({ field }) => field) : [])
    // A text that passes is its own translation: the file has a place for it.
    const isPassed = ({ state }: Format.Unit, index: number) =>
      format.isBilingual && texts.skipped > 0 && state !== "translated" && !failedBefore.has(index)
    const translations = source.units.map(
      (unit, index) => known[index]?.text ?? (isPassed(unit, index) ? unit.text : undefined)
    )
    const marks = marksOf(outcome, options)
    const written = Format.write(source, translations, marks)
    if (Either.isRight(written) && !Outcome.isFailed(outcome))
      return { ...outcome, ...flaggedUnits(outcome), value: written.right }
    const failures: Array<Outcome.Failure<F | Format.FormatError>> = Outcome.isFailed(outcome)
      ? outcome.failures.map(({ error, field }) => ({ error, field: source.units[Number(field)]!.key }))
      : []
    const { problems, value } = Either.isRight(written)
      ? { value: written.right, problems: new Map<number, Format.Problem>() }
      : writeEach(source, translations, marks)
    for (const [index, problem] of problems) {
      failures.push({
        field: source.units[index]!.key,
        error: Format.formatError(format.name, file, problem)
      })
    }
    const [first, ...others] = failures
    if (first === undefined)
      return { ...outcome, ...flaggedUnits(outcome), value } as FileTranslation.PartOutcome<F>
    const failed = new Set(failures.map(({ field }) => field))
    const failedText = failedTextOf(options)
    const left = dropsFailed(options)
      ? dropped
      : failedText && writeFailed(source, translations, failedText, failed, marks)
    const flagged = flaggedUnits(outcome, problems)
    const ofCached = Array.from(problems.keys()).filter((index) =>
      Outcome.isCachedText(outcome, index)
    ).length
    return {
      _tag: "Failed",
      source,
      value: left ?? value,
      cost: outcome.cost,
      translations: known,
      failures: [first, ...others],
      ...(outcome._tag === "Skipped" || outcome._tag === "Cached"
        ? undefined
        : { cachedTexts: outcome.cachedTexts }),
      ...flagged,
      texts: {
        ...texts,
        translated: texts.translated - (problems.size - ofCached),
        cached: texts.cached - ofCached,
        failed: texts.failed + problems.size,
        flagged: flagged?.flagged?.length
      }
    }
  }
