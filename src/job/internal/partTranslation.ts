/** Parts of files through the streams: by which options, and what is written of their outcomes. */
import type * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { identity } from "effect/Function"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as Format from "../../format/Format.js"
import { hash } from "../../internal/hash.js"
import * as Forecast from "../../stream/Forecast.js"
import * as Outcome from "../../stream/Outcome.js"
import * as TranslateStream from "../../stream/TranslateStream.js"
import type * as Translator from "../../stream/Translator.js"
import type * as FileTranslation from "../FileTranslation.js"
import * as halting from "./halting.js"
import * as partGroups from "./partGroups.js"

/** The options of the stream, with what the format says of its texts. */
export const streamOptions = ({
  failedText: _failedText,
  file: _file,
  format,
  maxFileBytes: _maxFileBytes,
  units: _units,
  useContext: _useContext,
  ...options
}: FileTranslation.Options): TranslateStream.Options => ({
  ...options,
  dedupe: options.dedupe ?? true,
  placeholders: options.placeholders ?? format.placeholders,
  ...(format.tagHandling === undefined || options.tagHandling !== undefined
    ? undefined
    : { tagHandling: format.tagHandling })
})

/** Whether units of the file may need requests with other options than their neighbours. */
export const isGrouped = ({ format, placeholders, useContext }: FileTranslation.Options): boolean =>
  useContext === true || (format.variesPlaceholders === true && placeholders === undefined)

const withContext = (useContext: boolean | undefined, options: string): string =>
  useContext === true ? hash(`${options} with the context of units`) : options

/** What is chosen for the translations of a file, as hashes: when it changes, all that the machine has written is translated anew. */
export const choicesOf = (options: FileTranslation.Options) =>
  Effect.map(TranslateStream.choicesOf(streamOptions(options)), (choices) => ({
    ...choices,
    options: withContext(options.useContext, choices.options)
  }))

/** The hash of the options among them. */
export const hashOfOptions = (options: FileTranslation.Options): string =>
  withContext(options.useContext, TranslateStream.hashOfOptions(streamOptions(options)))

/** What a file is decoded by. */
export type Decoding = Pick<FileTranslation.Options, "file" | "maxFileBytes" | "sourceLang" | "targetLang">

/** The options by which a format decodes a file for a translation. */
export const decodeOptions = ({
  file,
  maxFileBytes,
  sourceLang,
  targetLang
}: Decoding): Format.DecodeOptions => ({
  targetLang: LanguageCode.canonical(targetLang),
  sourceLang: sourceLang === undefined ? undefined : LanguageCode.canonical(sourceLang),
  file,
  maxBytes: maxFileBytes
})

/** How an operator of the streams finds the texts of parts. */
export const elements = (units: FileTranslation.Units = "untranslated"): FileTranslation.Elements => ({
  texts: (part) =>
    part.units.map(({ state, text }) => (units === "all" || state !== "translated" ? text : undefined)),
  replace: identity,
  maxCharacters: ({ units }, index) => units[index]?.maxCharacters
})

/** A part with the translations that can be written, and what is wrong with the others. */
const writeEach = (
  part: Format.Part,
  translations: ReadonlyArray<string | undefined>
): { readonly value: Format.Part; readonly problems: ReadonlyMap<number, Format.Problem> } => {
  const problems = new Map<number, Format.Problem>()
  translations.forEach((translation, index) => {
    if (translation === undefined) return
    const alone = translations.map((other, position) => (position === index ? other : undefined))
    const written = Format.write(part, alone)
    if (Either.isLeft(written)) problems.set(index, written.left)
  })
  const good = translations.map((translation, index) => (problems.has(index) ? undefined : translation))
  return Either.match(Format.write(part, good), {
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
  failedText: NonNullable<FileTranslation.FileOptions["failedText"]>,
  failed: ReadonlySet<string | number>
): Format.Part | undefined => {
  const texts = part.units.map((unit, index) =>
    failed.has(unit.key) ? failedText(unit) : translations[index]
  )
  return Either.getOrUndefined(Format.write(part, texts))
}

/** The outcome of a part that could not be read: it counts as one text that failed. */
const unread = (
  part: Format.Part,
  error: Format.FormatError,
  { cost }: Outcome.Common<unknown, Format.Part>
): FileTranslation.PartOutcome<never> => ({
  _tag: "Failed",
  source: part,
  value: part,
  cost,
  translations: [],
  failures: [{ field: error.line ?? 0, error }],
  texts: { translated: 0, cached: 0, skipped: 0, failed: 1 }
})

/** What looks wrong, by the keys of the units. What can't be written has failed instead. */
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

/** The outcome of a part from that of its texts. */
export const finish =
  ({ failedText, file, format }: FileTranslation.FileOptions) =>
  <F>(outcome: Outcome.Outcome<unknown, Format.Part, F>): FileTranslation.PartOutcome<F> => {
    const { source, texts } = outcome
    if (source.problem !== undefined) return unread(source, source.problem, outcome)
    const known = outcome._tag === "Skipped" ? source.units.map(() => undefined) : outcome.translations
    const translations = known.map((translation) => translation?.text)
    const written = Format.write(source, translations)
    if (Either.isRight(written) && !Outcome.isFailed(outcome))
      return { ...outcome, ...flaggedUnits(outcome), value: written.right }
    const failures: Array<Outcome.Failure<F | Format.FormatError>> = Outcome.isFailed(outcome)
      ? outcome.failures.map(({ error, field }) => ({ error, field: source.units[Number(field)]!.key }))
      : []
    const { problems, value } = Either.isRight(written)
      ? { value: written.right, problems: new Map<number, Format.Problem>() }
      : writeEach(source, translations)
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
    const left = failedText === undefined ? undefined : writeFailed(source, translations, failedText, failed)
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

/**
 * What becomes of the texts of parts until `halted` fails: then those that were read get their outcomes, and the stream fails with its
 * error. `finish` writes the translations into the parts.
 */
export const outcomes = <E, R, H>(
  self: Stream.Stream<Format.Part, E, R>,
  options: FileTranslation.Options,
  halted: Deferred.Deferred<never, H> | undefined
): Stream.Stream<
  Outcome.Outcome<Format.Part, Format.Part>,
  E | H | Outcome.StreamError,
  R | Translator.Translator
> => {
  const found = elements(options.units)
  const parts = halting.failing(self, halted, options)
  return isGrouped(options)
    ? partGroups.translate(parts, streamOptions(options), { ...options, halted }, found)
    : TranslateStream.translateWith(parts, { ...streamOptions(options), ...found })
}

/** Translates the parts of a file until `halted` fails, as `outcomes` does. */
export const translate = <E, R, H>(
  self: Stream.Stream<Format.Part, E, R>,
  options: FileTranslation.Options,
  halted: Deferred.Deferred<never, H> | undefined
): Stream.Stream<FileTranslation.PartOutcome, E | H | Outcome.StreamError, R | Translator.Translator> =>
  Stream.map(outcomes(self, options, halted), finish(options))

/** What the translation of parts takes. */
export const forecast = <E, R>(
  self: Stream.Stream<Format.Part, E, R>,
  options: FileTranslation.Options
): Effect.Effect<Forecast.Forecast, E | Outcome.StreamError, R | Translator.Translator> => {
  const found = elements(options.units)
  return isGrouped(options)
    ? partGroups.forecast(self, streamOptions(options), options, found)
    : Effect.map(
        Forecast.forecastWith(self, {
          ...streamOptions(options),
          targets: [options.targetLang],
          texts: found.texts
        }),
        ([forecast]) => forecast!
      )
}
