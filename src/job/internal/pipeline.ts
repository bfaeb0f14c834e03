/** Bytes into languages: parts are translated, and handed to the output of each language. Files and pipes are such bytes. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type * as Translator from "../../client/Translator.js"
import * as Format from "../../format/Format.js"
import * as Targets from "../../stream/Targets.js"
import type { Ending, Forecasting, Translation, Written } from "./contract.js"
import type { UpdateOptions } from "./fileOptions.js"
import { readWhole } from "./fileReading.js"
import * as findings from "./findings.js"
import * as halting from "./halting.js"
import * as keptTexts from "./keptTexts.js"
import { namedTexts, observedParts } from "./observedOutcomes.js"
import { forecast as forecastParts } from "./partForecast.js"
import { decodeOptions, optionsOf, type Reading } from "./partOptions.js"
import { limiting, translatedParts } from "./partStream.js"
import type { FileState } from "./recordFiles.js"
import * as targetUpdate from "./targetUpdate.js"

/** The source of the bytes. */
export interface Source<E, R> extends Reading {
  readonly bytes: Stream.Stream<Uint8Array, E, R>
  /** True if the bytes can be read again. Then the rest behind an error is written as it is in the source. */
  readonly isReadAgain: boolean
}

/** A translation as it is written. */
export interface Translated<E, R> {
  readonly bytes: Stream.Stream<Uint8Array, Ending<E>, R | Translator.Translator>
  /** The error that has ended the translation early: known once the bytes were read. */
  readonly ended: () => Ending<E> | undefined
  /** Returns `true` if all was translated: known once the bytes were read. */
  readonly isWhole: () => boolean
  /** The fit of the chosen columns or languages: known once the bytes were read. */
  readonly selection: () => Written["selection"]
  /** The record of the output's units, if its format does not stream. */
  readonly units?: FileState["units"]
  readonly stale: Written["stale"]
  readonly unknown?: Written["unknown"]
  readonly deleted?: Written["deleted"]
  readonly byPersons?: Written["byPersons"]
  readonly corrections?: Written["corrections"]
}

/** The content and state of an output, for formats that do not stream. */
export type Settings = Pick<UpdateOptions, "record" | "removed" | "target" | "targetFile">

/** An output that can be written. */
export interface Opened<E, R, E2, R2> {
  readonly settings: Settings
  /** A person's texts in an output of rows. @default none are known */
  readonly corrected?: keptTexts.Corrected<E> | undefined
  /** Writes the bytes. Its output is done once the source was read to its end without an error. */
  readonly write: (
    translated: Translated<E, R>
  ) => Effect.Effect<
    Effect.Effect<Written, E2 | Ending<E>, R2>,
    E2 | Ending<E>,
    R | R2 | Translator.Translator
  >
}

/** Where the translation into a language goes. */
export interface Output<E, R, E2, R2> {
  readonly name?: string | undefined
  /** True if it is the source, which has to be read again then for the next language. */
  readonly isSource: boolean
  readonly open: Effect.Effect<Opened<E, R, E2, R2>, E2, R2>
}

/** Bytes as parts, for the translation into a language. */
export const decodeFor = <E, R>(source: Source<E, R>, { options }: Pick<Translation, "options">) =>
  source.format.decode(decodeOptions(optionsOf(source, options)))

/** The memory that a run may use, in bytes: a file takes some sixty times its size, for each language at a time. */
const memoryBytes = 1_073_741_824
const growth = 60

/** A file that is read as a whole has no records to leave out: `fileSource` refuses that. */
const keeping = (failed: Reading["failed"]) => (failed === "drop" ? undefined : failed)

/** The number of languages that a file goes into at a time. */
const concurrencyOf = (pieces: ReadonlyArray<Uint8Array>): number => {
  const size = pieces.reduce((sum, { length }) => sum + length, 0)
  return Math.max(1, Math.floor(memoryBytes / (growth * Math.max(1, size))))
}

/** Says, once a translation has ended, that no text of it comes any more. */
const leaving =
  ({ shared }: Translation) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    shared === undefined ? self : Effect.ensuring(self, shared.leave)

/** Translates into all languages. An output that is the source gets one language after the other. */
const translateWhole = <E, R, E2, R2>(
  source: Source<E, R>,
  translations: ReadonlyArray<Translation>,
  outputs: ReadonlyArray<Output<E, R, E2, R2>>
) =>
  Effect.gen(function* () {
    const halted = translations[0]?.halted
    const whole = readWhole(halting.interruptWhen(source.bytes, halted), source.maxFileBytes)
    const halt = halted === undefined ? Effect.succeed(Option.none()) : Deferred.poll(halted)
    const translateOne = (pieces: ReadonlyArray<Uint8Array>, index: number) =>
      Effect.gen(function* () {
        // The bytes may be cut.
        yield* Effect.flatMap(
          halt,
          Option.getOrElse(() => Effect.void)
        )
        const { limit, observe, options, partial, refresh, shared, includeUnits } = translations[index]!
        const { name, open } = outputs[index]!
        const { settings, write } = yield* open
        const looking = findings.of({ format: source.format, options })
        const { byPersons, bytes, deleted, error, isWhole, record, selection, stale, tally, unknown } =
          yield* targetUpdate.update(
            Stream.fromIterable(pieces),
            { ...source, ...settings, options, failed: keeping(source.failed), limit, partial, refresh },
            {
              halted,
              shared,
              onOutcomes: (outcomes, textsOf) =>
                Effect.flatMap(
                  observedParts(outcomes, { ...source, textsOf, includeUnits, ...looking }),
                  observe
                )
            }
          )
        if (error !== undefined && tally.translated + tally.cached === 0) return yield* Effect.fail(error)
        const told = { stale, unknown: namedTexts(unknown), byPersons }
        if (!isWhole && !partial) {
          return { ...told, output: name, state: "withheld", selection } satisfies Written
        }
        const isCut = error !== undefined && !source.isReadAgain
        const end = isCut ? Stream.fail(error) : Stream.empty
        return yield* Effect.flatten(
          write({
            ...told,
            bytes: Stream.concat(Stream.succeed(bytes), end),
            units: record,
            deleted,
            ended: () => error,
            isWhole: () => isWhole,
            selection: () => selection
          })
        )
      }).pipe(leaving(translations[index]!))
    const pieces = yield* whole
    const results = yield* Effect.forEach(
      outputs,
      ({ isSource }, index) =>
        isSource ? Effect.succeed(undefined) : Effect.either(translateOne(pieces, index)),
      { concurrency: concurrencyOf(pieces) }
    )
    return yield* Effect.forEach(results, (result, index) =>
      result === undefined
        ? Effect.either(Effect.flatMap(whole, (pieces) => translateOne(pieces, index)))
        : Effect.succeed(result)
    )
  })

/** Forecasts the translation, for each language. */
const forecastWhole = <E, R, E2, R2>(
  { bytes, ...reading }: Source<E, R>,
  { limit, refresh, shared, targets }: Forecasting,
  settings: (index: number) => Effect.Effect<Settings, E2, R2>
) =>
  Effect.flatMap(readWhole(bytes, reading.maxFileBytes), (pieces) =>
    Effect.forEach(targets, ({ options }, index) =>
      Effect.flatMap(settings(index), (settings) =>
        targetUpdate.forecast(
          Stream.fromIterable(pieces),
          { ...reading, ...settings, options, failed: keeping(reading.failed), limit, refresh },
          shared
        )
      )
    )
  )

/** Translates piece by piece. An error of the source ends all languages, after the elements before it. */
const translateStreamed = <E, R, E2, R2>(
  source: Source<E, R>,
  translations: ReadonlyArray<Translation>,
  outputs: ReadonlyArray<Output<E, R, E2, R2>>
) =>
  Effect.gen(function* () {
    let broken: Stream.Stream<never, E | Format.FormatError> = Stream.empty
    let isUnreadable = false
    const bytes = Stream.tapError(source.bytes, (error) =>
      Effect.sync(() => {
        isUnreadable = true
        broken = Stream.fail(error)
      })
    )
    const translateOne = (decoded: Stream.Stream<Format.Part, Format.FormatError>, index: number) =>
      Effect.gen(function* () {
        const translation = translations[index]!
        const { corrected, write } = yield* outputs[index]!.open
        const kept = keptTexts.intoParts(corrected)
        const all = Stream.concat(
          kept(decoded),
          Stream.suspend(() => broken)
        )
        const { parts, ...told } = translatedParts(
          source,
          translation,
          all,
          source.isReadAgain
            ? Stream.suspend(() => kept(decodeFor(source, translation)(source.bytes)))
            : undefined
        )
        return yield* write({
          bytes: Format.encode(parts),
          ...told,
          stale: corrected?.stale ?? [],
          corrections: corrected?.corrections,
          deleted: corrected?.deleted
        })
      }).pipe(leaving(translations[index]!))
    const targets = translations.map(({ options }) => options.targetLang)
    const [first] = translations
    const results =
      first !== undefined && translations.length > 1 && source.format.isSameForTargets === true
        ? yield* Targets.run(
            // A fault of the format ends each language by itself.
            halting.interruptWhen(
              Stream.catchAll(decodeFor(source, first)(bytes), (error): Stream.Stream<never, E> => {
                if (isUnreadable) return Stream.fail(error as E)
                broken = Stream.fail(error)
                return Stream.empty
              }),
              first.halted
            ),
            targets,
            (targetLang) => (parts) => translateOne(parts, targets.indexOf(targetLang))
          )
        : yield* Targets.run(halting.interruptWhen(bytes, first?.halted), targets, (targetLang) => (read) => {
            const index = targets.indexOf(targetLang)
            return translateOne(decodeFor(source, translations[index]!)(read), index)
          })
    return yield* Effect.forEach(results, ({ result }) => Effect.either(Effect.flatten(result)))
  })

/** Translates a source into all languages. */
export const translate = <E, R, E2, R2>(
  source: Source<E, R>,
  translations: ReadonlyArray<Translation>,
  outputs: ReadonlyArray<Output<E, R, E2, R2>>
): Effect.Effect<ReadonlyArray<Either.Either<Written, E2 | Ending<E>>>, E, R | R2 | Translator.Translator> =>
  source.format.isStreamed === true
    ? translateStreamed(source, translations, outputs)
    : translateWhole(source, translations, outputs)

/** Forecasts the translation, for each language. */
export const forecast = <E, R, E2 = never, R2 = never>(
  source: Source<E, R>,
  forecasting: Forecasting,
  settings: (index: number) => Effect.Effect<Settings, E2, R2> = () => Effect.succeed({}),
  corrected: (index: number) => Effect.Effect<keptTexts.Corrected<E> | undefined, E2, R2> = () =>
    Effect.succeed(undefined)
) =>
  Effect.gen(function* () {
    const { format } = source
    if (format.isStreamed !== true) return yield* forecastWhole(source, forecasting, settings)
    const { limit, shared } = forecasting
    const targets = forecasting.targets.map(({ options }) => options.targetLang)
    const results = yield* Targets.run(source.bytes, targets, (targetLang) => (bytes) => {
      const index = targets.indexOf(targetLang)
      const given = optionsOf(source, forecasting.targets[index]!.options)
      const parts = format.decode(decodeOptions(given))(bytes)
      const all = Stream.unwrap(Effect.map(corrected(index), (found) => keptTexts.intoParts(found)(parts)))
      return forecastParts(Stream.map(all, limiting(limit).limit), given, shared)
    })
    return yield* Effect.all(results.map(({ result }) => result))
  })
