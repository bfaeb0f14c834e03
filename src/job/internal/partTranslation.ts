/** Parts of files through the streams, and the options of these. */
import type * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../api/LanguageCode.js"
import type * as Format from "../../format/Format.js"
import { hash } from "../../internal/hash.js"
import * as Forecast from "../../stream/Forecast.js"
import type * as Outcome from "../../stream/Outcome.js"
import * as TranslateStream from "../../stream/TranslateStream.js"
import type * as Translator from "../../stream/Translator.js"
import type * as FileTranslation from "../FileTranslation.js"
import * as grouped from "./grouped.js"
import * as halting from "./halting.js"
import { finish } from "./partOutcomes.js"

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
  const parts = halting.failing(self, halted)
  return isGrouped(options)
    ? grouped.translate(parts, streamOptions(options), { ...options, halted }, found)
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
    ? grouped.forecast(self, streamOptions(options), options, found)
    : Effect.map(
        Forecast.forecastWith(self, {
          ...streamOptions(options),
          targets: [options.targetLang],
          texts: found.texts
        }),
        ([forecast]) => forecast!
      )
}
