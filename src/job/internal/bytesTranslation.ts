/** Bytes into languages: parts are translated, and handed to the output of each language. Files and pipes are such bytes. */
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as Format from "../../format/Format.js"
import type * as Outcome from "../../stream/Outcome.js"
import * as Targets from "../../stream/Targets.js"
import type * as TranslateStream from "../../stream/TranslateStream.js"
import type * as Translator from "../../stream/Translator.js"
import type * as FileTranslation from "../FileTranslation.js"
import type { FileState } from "./fileState.js"
import type * as fileUpdate from "./fileUpdate.js"
import * as halting from "./halting.js"
import { observedAll, telling, tellingOfParts } from "./observedOutcomes.js"
import * as partTranslation from "./partTranslation.js"
import * as limiting from "./pilotLimit.js"
import type { Forecasting, JobStopped, Translation, Written } from "./sourceContract.js"
import * as wholeTranslation from "./wholeTranslation.js"

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
  readonly byPersons: Written["byPersons"]
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

/** How the parts of a source are translated. */
export const optionsOf = (
  { failed, file, format }: Reading,
  { unordered: _, ...options }: TranslateStream.Options
): FileTranslation.Options => ({
  ...options,
  ...file,
  format,
  failedText: failed === "empty" ? () => "" : undefined
})

/** Bytes as parts, for the translation into a language. */
export const decodeFor = <E, R>(source: Source<E, R>, { options }: Pick<Translation, "options">) =>
  source.format.decode(partTranslation.decodeOptions(optionsOf(source, options)))

/** What of a source says how its parts are translated. */
export type Reading = Pick<Source<never, never>, "failed" | "file" | "format">

/** Translates parts of a format that streams, of which the job is told before. */
const translateParts = <E3, R3>(
  source: Reading,
  { halted, limit, observe, options, wantsUnits }: Translation,
  decoded: Stream.Stream<Format.Part, E3, R3>
) => {
  const given = optionsOf(source, options)
  const { failedText, format } = given
  const limited = limit === undefined ? undefined : limiting.make(limit)
  /** How many parts have left, and how many texts of them have a translation. */
  const count = { parts: 0, translated: 0 }
  const textsOf = ({ text, translation }: Format.Unit) => ({
    text,
    translation: translation ?? (format.isBilingual ? undefined : text)
  })
  const finish = partTranslation.finish(given)
  const counted = (outcome: Outcome.Outcome<Format.Part, Format.Part>) => {
    const finished = finish(outcome)
    count.parts++
    count.translated += finished.texts.translated + finished.texts.cached
    return finished
  }
  const parts = partTranslation
    .outcomes(limited === undefined ? decoded : Stream.map(decoded, limited.limit), given, halted)
    .pipe(tellingOfParts(observe, { wantsUnits, textsOf, failedText }, counted))
  return { parts, count, isCut: () => limited?.isCut() === true }
}

/** Parts that were translated. What an error has left is taken from `rest`, if there is one and something was translated. */
export const translatedParts = <E, R, E3, R3>(
  source: Reading,
  translation: Translation,
  decoded: Stream.Stream<Format.Part, E, R>,
  rest: Stream.Stream<Format.Part, E3, R3> | undefined
) => {
  let ended: E | Outcome.StreamError | JobStopped | undefined
  let isRead = false
  const { count, isCut, parts } = translateParts(source, translation, decoded)
  return {
    parts: parts.pipe(
      Stream.catchAll((error): Stream.Stream<Format.Part, E | E3 | Outcome.StreamError | JobStopped, R3> => {
        ended = error
        return rest !== undefined && translation.partial && count.translated > 0
          ? Stream.drop(rest, count.parts)
          : Stream.fail(error)
      }),
      Stream.concat(
        Stream.execute(
          Effect.sync(() => {
            isRead = true
          })
        )
      )
    ),
    ended: () => ended,
    isWhole: () => isRead && ended === undefined && !isCut()
  }
}

/** Translates parts that are written nowhere: of their texts the job is told figures. */
export const fillParts = <E3, R3>(
  source: Reading,
  { halted, observe, options }: Translation,
  parts: Stream.Stream<Format.Part, E3, R3>
) =>
  partTranslation.outcomes(parts, optionsOf(source, options), halted).pipe(
    telling(observe, (outcomes) => ({
      seen: observedAll(outcomes, false, ({ cost, texts }) => ({ cost, texts, failures: [] })),
      values: []
    })),
    Stream.runDrain,
    Effect.as<Written>({ state: "written", stale: [] })
  )

/** Translates piece by piece. An error of the source ends all languages, after what was read before it. */
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
        const { write } = yield* outputs[index]!.open
        const all = Stream.concat(
          decoded,
          Stream.suspend(() => broken)
        )
        const { parts, ...told } = translatedParts(
          source,
          translation,
          all,
          source.isReadAgain ? Stream.suspend(() => decodeFor(source, translation)(source.bytes)) : undefined
        )
        return yield* write({
          bytes: Format.encode(parts),
          ...told,
          manifest: undefined,
          stale: [],
          byPersons: undefined
        })
      })
    const targets = translations.map(({ options }) => options.targetLang)
    const [first] = translations
    const results =
      first !== undefined && translations.length > 1 && source.format.isSameForTargets === true
        ? yield* Targets.run(
            // What is wrong with the format ends each language by itself.
            halting.ending(
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
        : yield* Targets.run(halting.ending(bytes, first?.halted), targets, (targetLang) => (read) => {
            const index = targets.indexOf(targetLang)
            return translateOne(decodeFor(source, translations[index]!)(read), index)
          })
    return yield* Effect.forEach(results, ({ result }) => Effect.either(Effect.flatten(result)))
  })

/** Translates what is read into all languages. */
export const translate = <E, R, E2, R2>(
  source: Source<E, R>,
  translations: ReadonlyArray<Translation>,
  outputs: ReadonlyArray<Output<E, R, E2, R2>>
): Effect.Effect<ReadonlyArray<Either.Either<Written, E2 | Ending<E>>>, E, R | R2 | Translator.Translator> =>
  source.format.isStreamed === true
    ? translateStreamed(source, translations, outputs)
    : wholeTranslation.translate(source, translations, outputs)

/** What the translation takes, for each language. */
export const forecast = <E, R, E2 = never, R2 = never>(
  source: Source<E, R>,
  forecasting: Forecasting,
  settings: (index: number) => Effect.Effect<Settings, E2, R2> = () => Effect.succeed({})
) =>
  Effect.gen(function* () {
    const { format } = source
    if (format.isStreamed !== true) return yield* wholeTranslation.forecast(source, forecasting, settings)
    const { limit, options } = forecasting
    const targets = options.map(({ targetLang }) => targetLang)
    const results = yield* Targets.run(source.bytes, targets, (targetLang) => (bytes) => {
      const given = optionsOf(source, options[targets.indexOf(targetLang)]!)
      const parts = format.decode(partTranslation.decodeOptions(given))(bytes)
      return partTranslation.forecast(Stream.map(parts, limiting.make(limit).limit), given)
    })
    return yield* Effect.all(results.map(({ result }) => result))
  })
