/**
 * Files through translation: bytes in, bytes out, in any format, with an outcome for each piece of the file.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import type * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type * as LanguageCode from "../api/LanguageCode.js"
import type * as TranslateError from "../client/TranslateError.js"
import type * as Translator from "../client/Translator.js"
import * as Format from "../format/Format.js"
import type * as Forecast from "../stream/Forecast.js"
import * as Outcome from "../stream/Outcome.js"
import * as Targets from "../stream/Targets.js"
import type {
  Elements,
  FileError,
  FileOptions,
  Observed,
  Options,
  PartOutcome,
  Units,
  Update,
  UpdateOptions
} from "./internal/fileOptions.js"
import * as partForecast from "./internal/partForecast.js"
import * as partOptions from "./internal/partOptions.js"
import * as partStream from "./internal/partStream.js"
import { finish } from "./internal/partWriting.js"
import * as record from "./internal/record.js"
import * as targetUpdate from "./internal/targetUpdate.js"

/**
 * Options and results of translating files.
 *
 * @since 0.1.0
 * @category models
 */
export type {
  Elements,
  FileError,
  FileOptions,
  JudgedPart,
  Observed,
  Options,
  PartOutcome,
  Units,
  Update,
  UpdateOptions
} from "./internal/fileOptions.js"

/**
 * The options by which a format decodes a file for a translation.
 *
 * @since 0.1.0
 * @category constructors
 */
export const decodeOptions: (
  options: Pick<Options, "file" | "maxFileBytes" | "options">
) => Format.DecodeOptions = partOptions.decodeOptions

/**
 * The texts of parts, for operators of streams.
 *
 * @since 0.1.0
 * @category constructors
 */
export const elements: (units?: Units) => Elements = partOptions.elements

/**
 * Writes parts with the translations of their outcomes. So a file goes through any operator of the streams that keeps the
 * order:
 *
 *     format.decode({ targetLang: "de" }),
 *     TranslateStream.translateWith({ targetLang: "de", ...FileTranslation.elements() }),
 *     FileTranslation.write({ format }),
 *     Outcome.orElseSource,
 *     Format.encode
 *
 * A translation that the file cannot hold fails its unit with a `FormatError`. Placeholders and markup of the format are
 * options of the operator here; {@link translateParts} sets them.
 *
 * @since 0.1.0
 * @category combinators
 */
export const write =
  (options: FileOptions) =>
  <F, E, R>(
    self: Stream.Stream<Outcome.Outcome<unknown, Format.Part, F>, E, R>
  ): Stream.Stream<PartOutcome<F>, E, R> =>
    Stream.map(self, finish(options))

/**
 * Translates the parts of a file.
 *
 * @since 0.1.0
 * @category combinators
 */
export const translateParts: {
  /**
   * Translates the parts of a file.
   */
  (
    options: Options
  ): <E, R>(
    self: Stream.Stream<Format.Part, E, R>
  ) => Stream.Stream<PartOutcome, E | Outcome.StreamError, R | Translator.Translator>
  /**
   * Translates the parts of a file.
   */
  <E, R>(
    self: Stream.Stream<Format.Part, E, R>,
    options: Options
  ): Stream.Stream<PartOutcome, E | Outcome.StreamError, R | Translator.Translator>
} = dual(
  2,
  <E, R>(
    self: Stream.Stream<Format.Part, E, R>,
    options: Options
  ): Stream.Stream<PartOutcome, E | Outcome.StreamError, R | Translator.Translator> =>
    partStream.translate<E, R, never>(self, options, { halted: undefined, shared: undefined })
)

/**
 * Translates a file: bytes in, bytes out.
 *
 * A unit that failed stays as it is in the file; `onOutcome` says why. Placeholders of the format are protected, unless the option
 * `placeholders` says otherwise. Fails with a `FormatError` where the file is not of the format or lacks something that was chosen, and as
 * `TranslateStream.translate` does.
 *
 * For several languages run it in `Targets.run`, which reads the file once. A file that holds several languages goes through one
 * `translate` after the other.
 *
 * @since 0.1.0
 * @category combinators
 */
export const translate: {
  /**
   * Translates a file: bytes in, bytes out.
   *
   * A unit that failed stays as it is in the file; `onOutcome` says why. Placeholders of the format are protected, unless
   * the option `placeholders` says otherwise. Fails with a `FormatError` where the file is not of the format or lacks
   * something that was chosen, and as `TranslateStream.translate` does.
   *
   * For several languages run it in `Targets.run`, which reads the file once. A file that holds several languages goes
   * through one `translate` after the other.
   */
  <E2 = never, R2 = never>(
    options: Options & Observed<E2, R2>
  ): <E, R>(
    self: Stream.Stream<Uint8Array, E, R>
  ) => Stream.Stream<
    Uint8Array,
    E | E2 | Outcome.StreamError | Format.FormatError,
    R | R2 | Translator.Translator
  >
  /**
   * Translates a file: bytes in, bytes out.
   *
   * A unit that failed stays as it is in the file; `onOutcome` says why. Placeholders of the format are protected, unless
   * the option `placeholders` says otherwise. Fails with a `FormatError` where the file is not of the format or lacks
   * something that was chosen, and as `TranslateStream.translate` does.
   *
   * For several languages run it in `Targets.run`, which reads the file once. A file that holds several languages goes
   * through one `translate` after the other.
   */
  <E, R, E2 = never, R2 = never>(
    self: Stream.Stream<Uint8Array, E, R>,
    options: Options & Observed<E2, R2>
  ): Stream.Stream<
    Uint8Array,
    E | E2 | Outcome.StreamError | Format.FormatError,
    R | R2 | Translator.Translator
  >
} = dual(2, <E, R, E2, R2>(self: Stream.Stream<Uint8Array, E, R>, options: Options & Observed<E2, R2>) => {
  const { onOutcome } = options
  const outcomes = self.pipe(
    options.format.decode(decodeOptions(options)),
    partOptions.ofWhole(options),
    translateParts(options)
  )
  return (
    onOutcome === undefined
      ? outcomes
      : Stream.mapChunksEffect(outcomes, (chunk) =>
          Effect.as(Effect.forEach(chunk, onOutcome, { discard: true }), chunk)
        )
  ).pipe(Outcome.orElseSource, Format.encode)
})

/**
 * Forecasts the translation of parts: see {@link forecast}.
 *
 * @since 0.1.0
 * @category combinators
 */
export const forecastParts: {
  /**
   * Forecasts the translation of parts: see {@link forecast}.
   */
  (
    options: Options
  ): <E, R>(
    self: Stream.Stream<Format.Part, E, R>
  ) => Effect.Effect<Forecast.Forecast, E | Outcome.StreamError, R | Translator.Translator>
  /**
   * Forecasts the translation of parts: see {@link forecast}.
   */
  <E, R>(
    self: Stream.Stream<Format.Part, E, R>,
    options: Options
  ): Effect.Effect<Forecast.Forecast, E | Outcome.StreamError, R | Translator.Translator>
} = dual(2, (self, options) => partForecast.forecast(self, options))

/**
 * Options of a forecast, with its languages.
 *
 * @since 0.1.0
 * @category models
 */
export interface ForecastOptions extends Omit<Options, "options"> {
  /** The languages to translate into; any casing. */
  readonly targets: ReadonlyArray<LanguageCode.TargetLanguage>
  /** The options of the streams. @default those of streams */
  readonly options?:
    | Omit<Options["options"], "targetLang" | "budget" | "progress" | "serviceLimits" | "store">
    | undefined
  /** With a store the forecast needs the translator: see `Forecast.WithStore`. */
  readonly store?: undefined
}

/**
 * Forecasts the translation of a file, for each language: requests, characters, and units that have a translation already,
 * as skipped. The file is read once. Nothing is sent. With `useContext`, the requests are those that the contexts take. With
 * a `store`, its translations are `cached`.
 *
 * @since 0.1.0
 * @category combinators
 */
export const forecast: {
  /**
   * Forecasts the translation of a file, for each language: requests, characters, and units that have a translation already,
   * as skipped. The file is read once. Nothing is sent. With `useContext`, the requests are those that the contexts take.
   * With a `store`, its translations are `cached`.
   */
  (
    options: ForecastOptions
  ): <E, R>(
    self: Stream.Stream<Uint8Array, E, R>
  ) => Effect.Effect<
    ReadonlyArray<Forecast.Forecast>,
    E | Format.FormatError | TranslateError.InvalidRequest,
    R
  >
  /**
   * Forecasts the translation of a file, for each language: requests, characters, and units that have a translation already,
   * as skipped. The file is read once. Nothing is sent. With `useContext`, the requests are those that the contexts take.
   * With a `store`, its translations are `cached`.
   */
  (
    options: Forecast.WithStore<ForecastOptions>
  ): <E, R>(
    self: Stream.Stream<Uint8Array, E, R>
  ) => Effect.Effect<
    ReadonlyArray<Forecast.Forecast>,
    E | Format.FormatError | Outcome.StreamError,
    R | Translator.Translator
  >
  /**
   * Forecasts the translation of a file, for each language: requests, characters, and units that have a translation already,
   * as skipped. The file is read once. Nothing is sent. With `useContext`, the requests are those that the contexts take.
   * With a `store`, its translations are `cached`.
   */
  <E, R>(
    self: Stream.Stream<Uint8Array, E, R>,
    options: ForecastOptions
  ): Effect.Effect<
    ReadonlyArray<Forecast.Forecast>,
    E | Format.FormatError | TranslateError.InvalidRequest,
    R
  >
  /**
   * Forecasts the translation of a file, for each language: requests, characters, and units that have a translation already,
   * as skipped. The file is read once. Nothing is sent. With `useContext`, the requests are those that the contexts take.
   * With a `store`, its translations are `cached`.
   */
  <E, R>(
    self: Stream.Stream<Uint8Array, E, R>,
    options: Forecast.WithStore<ForecastOptions>
  ): Effect.Effect<
    ReadonlyArray<Forecast.Forecast>,
    E | Format.FormatError | Outcome.StreamError,
    R | Translator.Translator
  >
} = dual(
  2,
  <E, R>(
    self: Stream.Stream<Uint8Array, E, R>,
    { store, targets, ...options }: Forecast.WithStore<ForecastOptions>
  ) =>
    Targets.run(self, targets, (targetLang) => {
      const given: Options = { ...options, options: { ...options.options, store, targetLang } }
      return (bytes) =>
        bytes.pipe(
          options.format.decode(decodeOptions(given)),
          partOptions.ofWhole(given),
          forecastParts(given)
        )
    }).pipe(Effect.flatMap((results) => Effect.all(results.map(({ result }) => result))))
)

/**
 * The record of a target file: it tells the next update which sources have changed since, and the author of each translation. As text it
 * is a sorted line for each unit, which git merges: write it beside the target. It holds hashes, and of sources that a person has translated
 * their texts.
 *
 * @since 0.1.0
 * @category schemas
 */
export const OutputRecord: Schema.Schema<OutputRecord, string> = record.OutputRecord

/**
 * The record of a target file: the author of each of its units, and their source texts. The schema of the same name says more.
 *
 * @since 0.1.0
 * @category models
 */
export interface OutputRecord extends record.OutputRecord {}

/**
 * Updates a target file from its source.
 *
 * A unit is translated if the target does not have it, if only the source's text stands there because its translation
 * failed, or if the source has changed since the machine translated it. A translation that a person has written or corrected
 * is never written over, which is known by the hashes of the record: if its source changes, it is reported as stale until
 * the person has changed it. A text that no record tells of is `unknown`: it stays as it is, unless the `store` has it as the machine's.
 * One that is a copy of its source and no name is translated.
 *
 * A key that was renamed keeps its translation. A person's text that the target has no place for goes into the `store` as a correction;
 * without a store it fails, or stays in formats with `merge`.
 *
 * Where the source has no text any more (blank, null, a number), the target gets the source's value; a person's text stays,
 * and is stale. A text that is nothing but placeholders is its own translation.
 *
 * A correction of the source in the `store` replaces the machine's translation, and a stale translation. A person's change
 * in the target since the last update stays.
 *
 * Formats without `merge` are written anew from the source, and so are files whose lists have other items than those of the
 * source: their units are known by the texts that they were translated from, as the record says, then by their likeness and order.
 * Without a record, source and target must have the same units.
 *
 * Source and target are read as a whole. Fails with a `FormatError` where one of them is not of the format, and as
 * `TranslateStream.translate` does; then nothing was written.
 *
 * @since 0.1.0
 * @category combinators
 */
export const update = <E, R, E2 = never, R2 = never>(
  source: Stream.Stream<Uint8Array, E, R>,
  options: UpdateOptions & Observed<E2, R2>
): Effect.Effect<Update<E2>, E | E2 | FileError, R | R2 | Translator.Translator> => {
  const { onOutcome } = options
  return targetUpdate.update<E, R, E2, R2>(source, options, {
    onOutcomes: (outcomes) =>
      onOutcome === undefined ? Effect.void : Effect.forEach(outcomes, onOutcome, { discard: true })
  })
}

/**
 * Forecasts an update: units that the target has already count as skipped. Nothing is sent.
 *
 * @since 0.1.0
 * @category combinators
 */
export const forecastUpdate = <E, R>(
  source: Stream.Stream<Uint8Array, E, R>,
  options: UpdateOptions
): Effect.Effect<Forecast.Forecast, E | FileError, R | Translator.Translator> =>
  targetUpdate.forecast(source, options)
