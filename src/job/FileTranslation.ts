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
import * as Format from "../format/Format.js"
import type * as Forecast from "../stream/Forecast.js"
import * as Outcome from "../stream/Outcome.js"
import * as Targets from "../stream/Targets.js"
import type * as Translator from "../stream/Translator.js"
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
} from "./internal/fileTranslationModels.js"
import * as fileUpdate from "./internal/fileUpdate.js"
import * as manifest from "./internal/manifest.js"
import * as partTranslation from "./internal/partTranslation.js"

/**
 * How files are translated, and what comes of it.
 *
 * @since 0.1.0
 * @category models
 */
export type {
  Elements,
  FileError,
  FileOptions,
  Observed,
  Options,
  PartOutcome,
  Units,
  Update,
  UpdateOptions
} from "./internal/fileTranslationModels.js"

/**
 * The options by which a format decodes a file for a translation.
 *
 * @since 0.1.0
 * @category constructors
 */
export const decodeOptions: (
  options: Pick<Options, "file" | "maxFileBytes" | "sourceLang" | "targetLang">
) => Format.DecodeOptions = partTranslation.decodeOptions

/**
 * How an operator of the streams finds the texts of parts.
 *
 * @since 0.1.0
 * @category constructors
 */
export const elements: (units?: Units) => Elements = partTranslation.elements

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
    Stream.map(self, partTranslation.finish(options))

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
    partTranslation.translate<E, R, never>(self, options, undefined)
)

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
} = dual(2, partTranslation.forecast)

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

/**
 * What is known of a target file, so that the next update knows which sources have changed since, and which translations a person has
 * corrected: hashes, and no text. Write it as JSON beside the target.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Manifest: Schema.Schema<Manifest, manifest.Encoded> = manifest.Manifest

/**
 * What is known of a target file: see the schema.
 *
 * @since 0.1.0
 * @category models
 */
export interface Manifest extends manifest.Manifest {}

/**
 * Updates a target file from its source.
 *
 * A unit is translated if the target does not have it, if only the source's text stands there because its translation failed, or
 * if the source has changed since the machine translated it. A translation that a person has written or corrected is never
 * written over, which is known by the hashes of the manifest: if its source changes, it is reported as stale until the person has
 * changed it.
 *
 * A correction of the source in the `store` takes the place of what the machine has written, and of a stale translation. What a person
 * has written in the target since the last update stays.
 *
 * Formats without `merge` are written anew from the source, and so are files whose lists have other items than those of the source:
 * their units are known by the texts that they were translated from, as the manifest says. Without a manifest, source and target
 * must have the same units.
 *
 * Source and target are read as a whole. Fails with a `FormatError` where one of them is not of the format, and as
 * `TranslateStream.translate` does; then nothing was written.
 *
 * @since 0.1.0
 * @category combinators
 */
export const update = <E, R, E2 = never, R2 = never>(
  source: Stream.Stream<Uint8Array, E, R>,
  { onOutcome, ...options }: UpdateOptions & Observed<E2, R2>
): Effect.Effect<Update<E2>, E | E2 | FileError, R | R2 | Translator.Translator> =>
  fileUpdate.update<E, R, E2, R2>(source, fileUpdate.separate(options), {
    onOutcomes: (outcomes) =>
      onOutcome === undefined ? Effect.void : Effect.forEach(outcomes, onOutcome, { discard: true })
  })

/**
 * What an update takes: units that the target has already count as skipped. Nothing is sent.
 *
 * @since 0.1.0
 * @category combinators
 */
export const forecastUpdate = <E, R>(
  source: Stream.Stream<Uint8Array, E, R>,
  options: UpdateOptions
): Effect.Effect<Forecast.Forecast, E | FileError, R | Translator.Translator> =>
  fileUpdate.forecast(source, fileUpdate.separate(options))
