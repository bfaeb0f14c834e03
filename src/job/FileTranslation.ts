/**
 * Files through translation: bytes in, bytes out, in any format, with an outcome for each piece of the file.
 *
 * @since 0.1.0
 */
import type * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { dual, identity } from "effect/Function"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../api/LanguageCode.js"
import type * as TranslateError from "../client/TranslateError.js"
import * as Format from "../format/Format.js"
import * as Forecast from "../stream/Forecast.js"
import * as Outcome from "../stream/Outcome.js"
import * as Targets from "../stream/Targets.js"
import * as TranslateStream from "../stream/TranslateStream.js"
import type * as Translator from "../stream/Translator.js"
import { isGrouped, streamOptions } from "./internal/fileOptions.js"
import * as grouped from "./internal/grouped.js"
import * as halting from "./internal/halting.js"
import { finish } from "./internal/partOutcomes.js"

/**
 * Why a unit of a file is not translated: its text failed, or the file cannot hold the translation.
 *
 * @since 0.1.0
 * @category errors
 */
export type FileError = Outcome.StreamError | Format.FormatError

/**
 * What became of a part of a file. `value` is the part as it is written; a unit without a translation stays as it is in the file.
 * Failures name the keys of units; a line that could not be read is one that failed, named by its number. Units that have a
 * translation already, and are not to be translated, count as skipped.
 *
 * @since 0.1.0
 * @category models
 */
export type PartOutcome<E = Outcome.StreamError> = Outcome.Outcome<
  Format.Part,
  Format.Part,
  E | Format.FormatError
>

/**
 * The texts of parts: what operators such as `TranslateStream.translateWith` and `WriteStream.rephraseWith` take beside their
 * options. {@link write} takes the translations from their outcomes.
 *
 * @since 0.1.0
 * @category models
 */
export interface Elements {
  readonly texts: (part: Format.Part) => ReadonlyArray<string | undefined>
  readonly replace: (part: Format.Part) => Format.Part
}

/**
 * The format of a file, and its name.
 *
 * @since 0.1.0
 * @category models
 */
export interface FileOptions {
  /** The format that the file is read and written in. */
  readonly format: Format.Format
  /** Names the file in errors. @default none */
  readonly file?: string | undefined
  /** The largest file, in bytes, of formats that read files as a whole. @default 16777216, which is 16 MiB */
  readonly maxFileBytes?: number | undefined
  /** What is written for a unit that failed; `undefined` leaves it as it is in the file. @default leaves it */
  readonly failedText?: ((unit: Format.Unit) => string | undefined) | undefined
}

/**
 * Which units are sent: those whose translation is missing or fuzzy, or all.
 *
 * @since 0.1.0
 * @category models
 */
export type Units = "untranslated" | "all"

/**
 * How a file is translated: the options of streams, and those of files.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Omit<TranslateStream.Options, "unordered">, FileOptions {
  /** Which units are sent. @default "untranslated" */
  readonly units?: Units | undefined
  /** Sends equal texts once: plural forms of one text, and what a file repeats. @default true */
  readonly dedupe?: TranslateStream.Options["dedupe"]
  /**
   * Sends units with what the file says of them, as `context`. A request has one context, so units with different ones need
   * requests of their own: `forecast` says how many. The option `context` stands in front. @default false
   */
  readonly useContext?: boolean | undefined
}

/**
 * What becomes of the outcomes of a file, while its bytes are written.
 *
 * @since 0.1.0
 * @category models
 */
export interface Observed<E, R> {
  /** Receives each outcome before its bytes leave. @default nothing */
  readonly onOutcome?: ((outcome: PartOutcome) => Effect.Effect<unknown, E, R>) | undefined
}

/**
 * The options by which a format decodes a file for a translation.
 *
 * @since 0.1.0
 * @category constructors
 */
export const decodeOptions = ({
  file,
  maxFileBytes,
  sourceLang,
  targetLang
}: Pick<Options, "file" | "maxFileBytes" | "sourceLang" | "targetLang">): Format.DecodeOptions => ({
  targetLang: LanguageCode.canonical(targetLang),
  sourceLang: sourceLang === undefined ? undefined : LanguageCode.canonical(sourceLang),
  file,
  maxBytes: maxFileBytes
})

/**
 * How an operator of the streams finds the texts of parts.
 *
 * @since 0.1.0
 * @category constructors
 */
export const elements = (units: Units = "untranslated"): Elements => ({
  texts: (part) =>
    part.units.map(({ state, text }) => (units === "all" || state !== "translated" ? text : undefined)),
  replace: identity
})

/**
 * Writes parts with the translations of their outcomes. So a file goes through any operator of the streams that keeps the order:
 *
 *     format.decode({ targetLang: "de" }),
 *     TranslateStream.translateWith({ targetLang: "de", ...FileTranslation.elements() }),
 *     FileTranslation.write({ format }),
 *     Outcome.orSource,
 *     Format.encode
 *
 * A translation that the file cannot hold fails its unit with a `FormatError`. Placeholders and markup of the format are options of
 * the operator here; {@link translateParts} sets them.
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
  (
    options: Options
  ): <E, R>(
    self: Stream.Stream<Format.Part, E, R>
  ) => Stream.Stream<PartOutcome, E | Outcome.StreamError, R | Translator.Translator>
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
    translateUntil<E, R, never>(self, options, undefined)
)

/**
 * Translates the parts of a file until `halted` fails: then those that were read get their outcomes, and the stream fails with its error.
 *
 * @internal
 */
export const translateUntil = <E, R, H>(
  self: Stream.Stream<Format.Part, E, R>,
  options: Options,
  halted: Deferred.Deferred<never, H> | undefined
): Stream.Stream<PartOutcome, E | H | Outcome.StreamError, R | Translator.Translator> => {
  const { replace, texts } = elements(options.units)
  const parts = halting.failing(self, halted)
  const outcomes = isGrouped(options)
    ? grouped.translate(parts, streamOptions(options), { ...options, halted }, texts)
    : TranslateStream.translateWith(parts, { ...streamOptions(options), texts, replace })
  return write(options)(outcomes)
}

type Translating<E, R, E2, R2> = Stream.Stream<
  Uint8Array,
  E | E2 | Outcome.StreamError | Format.FormatError,
  R | R2 | Translator.Translator
>

/**
 * Translates a file: bytes in, bytes out.
 *
 * A unit that failed stays as it is in the file; `onOutcome` says why. Placeholders of the format are protected, unless the option
 * `placeholders` says otherwise. Fails with a `FormatError` where the file is not of the format, and as
 * `TranslateStream.translate` does.
 *
 * For several languages run it in `Targets.run`, which reads the file once. A file that holds several languages goes through one
 * `translate` after the other.
 *
 * @since 0.1.0
 * @category combinators
 */
export const translate: {
  <E2 = never, R2 = never>(
    options: Options & Observed<E2, R2>
  ): <E, R>(self: Stream.Stream<Uint8Array, E, R>) => Translating<E, R, E2, R2>
  <E, R, E2 = never, R2 = never>(
    self: Stream.Stream<Uint8Array, E, R>,
    options: Options & Observed<E2, R2>
  ): Translating<E, R, E2, R2>
} = dual(
  2,
  <E, R, E2, R2>(
    self: Stream.Stream<Uint8Array, E, R>,
    { onOutcome, ...options }: Options & Observed<E2, R2>
  ): Translating<E, R, E2, R2> => {
    const outcomes = self.pipe(options.format.decode(decodeOptions(options)), translateParts(options))
    return (
      onOutcome === undefined
        ? outcomes
        : Stream.mapChunksEffect(outcomes, (chunk) =>
            Effect.as(Effect.forEach(chunk, onOutcome, { discard: true }), chunk)
          )
    ).pipe(Outcome.orSource, Format.encode)
  }
)

type Asking<A, E, R> = Effect.Effect<A, E | Outcome.StreamError, R | Translator.Translator>

/**
 * What the translation of parts takes: see {@link forecast}.
 *
 * @since 0.1.0
 * @category combinators
 */
export const forecastParts: {
  (options: Options): <E, R>(self: Stream.Stream<Format.Part, E, R>) => Asking<Forecast.Forecast, E, R>
  <E, R>(self: Stream.Stream<Format.Part, E, R>, options: Options): Asking<Forecast.Forecast, E, R>
} = dual(
  2,
  <E, R>(self: Stream.Stream<Format.Part, E, R>, options: Options): Asking<Forecast.Forecast, E, R> => {
    const { texts } = elements(options.units)
    return isGrouped(options)
      ? grouped.forecast(self, streamOptions(options), options, texts)
      : Effect.map(
          Forecast.forecastWith(self, { ...streamOptions(options), targets: [options.targetLang], texts }),
          ([forecast]) => forecast!
        )
  }
)

/**
 * How a translation is forecast: into which languages.
 *
 * @since 0.1.0
 * @category models
 */
export interface ForecastOptions
  extends Omit<Options, "targetLang" | "budget" | "progress" | "serviceLimits" | "store"> {
  /** The languages to translate into; any casing. */
  readonly targets: ReadonlyArray<LanguageCode.TargetLanguage>
  /** With a store the forecast needs the translator: see `Forecast.WithStore`. */
  readonly store?: undefined
}

type WithStore = Forecast.WithStore<ForecastOptions>

type Forecasts = ReadonlyArray<Forecast.Forecast>

type Checking<E, R> = Effect.Effect<Forecasts, E | Format.FormatError | TranslateError.InvalidRequest, R>

/**
 * What the translation of a file takes, for each language: requests, characters, and units that have a translation already, as
 * skipped. The file is read once. Nothing is sent. With `useContext`, the requests are those that the contexts take. With a `store`, what
 * it holds is `cached`.
 *
 * @since 0.1.0
 * @category combinators
 */
export const forecast: {
  (options: ForecastOptions): <E, R>(self: Stream.Stream<Uint8Array, E, R>) => Checking<E, R>
  (
    options: WithStore
  ): <E, R>(self: Stream.Stream<Uint8Array, E, R>) => Asking<Forecasts, E | Format.FormatError, R>
  <E, R>(self: Stream.Stream<Uint8Array, E, R>, options: ForecastOptions): Checking<E, R>
  <E, R>(
    self: Stream.Stream<Uint8Array, E, R>,
    options: WithStore
  ): Asking<Forecasts, E | Format.FormatError, R>
} = dual(
  2,
  <E, R>(
    self: Stream.Stream<Uint8Array, E, R>,
    { targets, ...options }: WithStore
  ): Asking<Forecasts, E | Format.FormatError, R> =>
    Targets.run(self, targets, (targetLang) => {
      const given: Options = { ...options, targetLang }
      return (bytes) => forecastParts(options.format.decode(decodeOptions(given))(bytes), given)
    }).pipe(Effect.flatMap((results) => Effect.all(results.map(({ result }) => result))))
)
