/** Bytes into languages: parts are translated, and handed to the output of each language. Files and pipes are such bytes. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Format from "../../format/Format.js"
import * as Outcome from "../../stream/Outcome.js"
import * as Targets from "../../stream/Targets.js"
import type * as TranslateStream from "../../stream/TranslateStream.js"
import type * as Translator from "../../stream/Translator.js"
import type * as FileTranslation from "../FileTranslation.js"
import type { FileState } from "./fileState.js"
import * as fileUpdate from "./fileUpdate.js"
import * as halting from "./halting.js"
import { observed, telling } from "./observing.js"
import * as partTranslation from "./partTranslation.js"
import * as limiting from "./pilotLimit.js"
import type { Forecasting, JobStopped, Translation, Written } from "./sourceContract.js"
import { wholeOf } from "./sourceFile.js"

/** What is read. */
export interface Source<E, R> {
  readonly bytes: Stream.Stream<Uint8Array, E, R>
  readonly format: Format.Format
  readonly file: Pick<FileTranslation.Options, "maxFileBytes" | "units" | "useContext"> & {
    readonly file: string
  }
  /** What a unit that failed leaves. */
  readonly failed: fileUpdate.Settings["failed"]
  /** Whether the bytes can be read again. Then what an error has left is written as it is in the source. */
  readonly isReadAgain: boolean
}

/** What ends a translation, beside errors of its output. */
export type Ending<E> = E | Format.FormatError | Outcome.StreamError | JobStopped

/** What is written. */
export interface Translated<E, R> {
  readonly bytes: Stream.Stream<Uint8Array, Ending<E>, R | Translator.Translator>
  /** What has ended the translation before its end: known once the bytes were read. */
  readonly ended: () => Ending<E> | undefined
  /** Whether all was translated: known once the bytes were read. */
  readonly isWhole: () => boolean
  /** What is known of the output, if its format does not stream. */
  readonly manifest: FileState["manifest"]
  readonly stale: Written["stale"]
}

/** What an output holds, for formats that do not stream. */
export type Settings = Pick<fileUpdate.Settings, "manifest" | "removed" | "target" | "targetFile">

/** An output that can be written. */
export interface Opened<E, R, E2, R2> {
  readonly settings: Settings
  /** Writes the bytes. What it makes is done once the source was read to its end without an error. */
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
  /** Whether it is the source, which has to be read again then for the next language. */
  readonly isSource: boolean
  readonly open: Effect.Effect<Opened<E, R, E2, R2>, E2, R2>
}

const optionsOf = <E, R>(
  { failed, file, format }: Source<E, R>,
  { unordered: _, ...options }: TranslateStream.Options
): FileTranslation.Options => ({
  ...options,
  ...file,
  format,
  failedText: failed === "empty" ? () => "" : undefined
})

/** Translates bytes of a format that streams into parts, of which the job is told before. */
export const translateParts = <E, R, E3, R3>(
  source: Source<E, R>,
  { halted, limit, observe, options, wantsUnits }: Translation,
  bytes: Stream.Stream<Uint8Array, E3, R3>
) => {
  const given = optionsOf(source, options)
  const { failedText, format } = given
  const limited = limiting.make(limit)
  /** How many parts have left, and how many texts of them have a translation. */
  const count = { parts: 0, translated: 0 }
  const textsOf = ({ text, translation }: Format.Unit) => ({
    text,
    translation: translation ?? (format.isBilingual ? undefined : text)
  })
  const decode = format.decode(partTranslation.decodeOptions(given))
  const parts = partTranslation.translate(Stream.map(decode(bytes), limited.limit), given, halted).pipe(
    telling(observe, { wantsUnits, textsOf, failedText }),
    Stream.mapChunks((chunk) => {
      count.parts += chunk.length
      for (const { texts } of chunk) count.translated += texts.translated + texts.cached
      return chunk
    }),
    Outcome.orSource
  )
  /** The parts of the source behind those that have left. */
  const rest = Stream.suspend(() => Stream.drop(decode(source.bytes), count.parts))
  return { parts, rest, count, isCut: limited.isCut }
}

/** Translates piece by piece. An error of the source ends all languages, after what was read before it. */
const translateStreamed = <E, R, E2, R2>(
  source: Source<E, R>,
  translations: ReadonlyArray<Translation>,
  outputs: ReadonlyArray<Output<E, R, E2, R2>>
) =>
  Effect.gen(function* () {
    let broken: Stream.Stream<never, E> = Stream.empty
    const bytes = Stream.tapError(source.bytes, (error) =>
      Effect.sync(() => {
        broken = Stream.fail(error)
      })
    )
    const translateOne = (read: Stream.Stream<Uint8Array>, index: number) =>
      Effect.gen(function* () {
        const translation = translations[index]!
        const { write } = yield* outputs[index]!.open
        let ended: Ending<E> | undefined
        let isRead = false
        const all = Stream.concat(
          read,
          Stream.suspend(() => broken)
        )
        const { count, isCut, parts, rest } = translateParts(source, translation, all)
        const written = parts.pipe(
          Stream.catchAll((error): Stream.Stream<Format.Part, Ending<E>, R> => {
            ended = error
            return source.isReadAgain && translation.partial && count.translated > 0
              ? rest
              : Stream.fail(error)
          }),
          Stream.concat(
            Stream.execute(
              Effect.sync(() => {
                isRead = true
              })
            )
          )
        )
        return yield* write({
          bytes: Format.encode(written),
          ended: () => ended,
          isWhole: () => isRead && ended === undefined && !isCut(),
          manifest: undefined,
          stale: []
        })
      })
    const targets = translations.map(({ options }) => options.targetLang)
    const results = yield* Targets.run(
      halting.ending(bytes, translations[0]?.halted),
      targets,
      (targetLang) => (read) => translateOne(read, targets.indexOf(targetLang))
    )
    return yield* Effect.forEach(results, ({ result }) => Effect.either(Effect.flatten(result)))
  })

/** What the memory of a run should bear: a file takes some sixty times its size, for each language at a time. */
const memoryBytes = 1_073_741_824
const growth = 60

/** How many languages a file goes into at a time. */
const concurrencyOf = (pieces: ReadonlyArray<Uint8Array>): number => {
  const size = pieces.reduce((sum, { length }) => sum + length, 0)
  return Math.max(1, Math.floor(memoryBytes / (growth * Math.max(1, size))))
}

/** Translates what is read as a whole. An output that is the source gets one language after the other. */
const translateWhole = <E, R, E2, R2>(
  source: Source<E, R>,
  translations: ReadonlyArray<Translation>,
  outputs: ReadonlyArray<Output<E, R, E2, R2>>
) =>
  Effect.gen(function* () {
    const { failed, file, format } = source
    const halted = translations[0]?.halted
    const whole = wholeOf(halting.ending(source.bytes, halted), file.maxFileBytes)
    const halt = halted === undefined ? Effect.succeed(Option.none()) : Deferred.poll(halted)
    const translateOne = (pieces: ReadonlyArray<Uint8Array>, index: number) =>
      Effect.gen(function* () {
        // What was read may be cut.
        yield* Effect.flatMap(
          halt,
          Option.getOrElse(() => Effect.void)
        )
        const { limit, observe, options, partial, refresh, wantsUnits } = translations[index]!
        const { unordered: _, ...given } = options
        const { name, open } = outputs[index]!
        const { settings, write } = yield* open
        const { bytes, error, isWhole, manifest, stale, tally } = yield* fileUpdate.update(
          Stream.fromIterable(pieces),
          {
            settings: { ...settings, failed, limit, partial, refresh },
            options: { ...given, ...file, format }
          },
          {
            halted,
            onOutcomes: (outcomes, telling) =>
              observe(outcomes.map((outcome) => observed(outcome, { ...telling, wantsUnits })))
          }
        )
        if (error !== undefined && tally.translated + tally.cached === 0) return yield* Effect.fail(error)
        if (!isWhole && !partial) return { output: name, state: "withheld", stale } satisfies Written
        const isCut = error !== undefined && !source.isReadAgain
        const end = isCut ? Stream.fail(error) : Stream.empty
        const written = { bytes: Stream.concat(Stream.succeed(bytes), end), manifest, stale }
        return yield* Effect.flatten(write({ ...written, ended: () => error, isWhole: () => isWhole }))
      })
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

/** Translates what is read into all languages. */
export const translate = <E, R, E2, R2>(
  source: Source<E, R>,
  translations: ReadonlyArray<Translation>,
  outputs: ReadonlyArray<Output<E, R, E2, R2>>
): Effect.Effect<ReadonlyArray<Either.Either<Written, E2 | Ending<E>>>, E, R | R2 | Translator.Translator> =>
  source.format.isStreamed === true
    ? translateStreamed(source, translations, outputs)
    : translateWhole(source, translations, outputs)

/** What the translation takes, for each language. */
export const forecast = <E, R, E2 = never, R2 = never>(
  source: Source<E, R>,
  { limit, options, refresh }: Forecasting,
  settings: (index: number) => Effect.Effect<Settings, E2, R2> = () => Effect.succeed({})
) =>
  Effect.gen(function* () {
    const { failed, file, format } = source
    if (format.isStreamed === true) {
      const targets = options.map(({ targetLang }) => targetLang)
      const results = yield* Targets.run(source.bytes, targets, (targetLang) => (bytes) => {
        const given = optionsOf(source, options[targets.indexOf(targetLang)]!)
        const parts = format.decode(partTranslation.decodeOptions(given))(bytes)
        return partTranslation.forecast(Stream.map(parts, limiting.make(limit).limit), given)
      })
      return yield* Effect.all(results.map(({ result }) => result))
    }
    const pieces = yield* wholeOf(source.bytes, file.maxFileBytes)
    return yield* Effect.forEach(options, ({ unordered: _, ...given }, index) =>
      Effect.flatMap(settings(index), (settings) =>
        fileUpdate.forecast(Stream.fromIterable(pieces), {
          settings: { ...settings, failed, limit, refresh },
          options: { ...given, ...file, format }
        })
      )
    )
  })
