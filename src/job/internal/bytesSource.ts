/** Bytes as a source of a job. */
import type * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type * as Translator from "../../client/Translator.js"
import type * as Format from "../../format/Format.js"
import type * as Outcome from "../../stream/Outcome.js"
import { isJobStopped, type JobSource, type JobStopped, type Translation, type Written } from "./contract.js"
import type { Options } from "./fileOptions.js"
import { noRecords, streamOptions } from "./partOptions.js"
import { fillParts } from "./partStream.js"
import * as pipeline from "./pipeline.js"

/**
 * The errors that end translated bytes early, apart from the errors `E` of the source.
 *
 * @since 0.1.0
 * @category errors
 */
export type BytesError<E = never> = E | Format.FormatError | Outcome.StreamError | JobStopped

/**
 * The bytes to translate, and the place of their translations.
 *
 * @since 0.1.0
 * @category models
 */
export interface BytesOptions<E, R, E2, R2> extends Pick<Options, "maxFileBytes" | "useContext"> {
  /** Names it in reports and errors. */
  readonly name: string
  /** The bytes of the source, read once for all languages. */
  readonly bytes: Stream.Stream<Uint8Array, E, R>
  /** The format that the bytes are read and written in. */
  readonly format: Format.Format
  /**
   * Writes the bytes of a language. If they fail, those before are translated. Its own error ends this language only.
   */
  readonly write: (
    targetLang: string
  ) => (bytes: Stream.Stream<Uint8Array, BytesError<E>>) => Effect.Effect<unknown, E2, R2>
  /** A unit that failed leaves the source's text, or nothing; or its record is left out. @default "source" */
  readonly failed?: "source" | "empty" | "drop" | undefined
}

/** Bytes that fill a store. */
export interface Fill<E, R> extends Omit<BytesOptions<E, R, never, never>, "failed" | "write"> {}

const sourceOf = <E, R>({
  bytes,
  failed,
  format,
  maxFileBytes,
  name,
  useContext
}: Fill<E, R> & {
  readonly failed?: "source" | "empty" | "drop" | undefined
}): pipeline.Source<E, R> => ({
  bytes,
  format,
  failed,
  file: name,
  maxFileBytes,
  useContext,
  isOneOfSeveral: true,
  isReadAgain: false
})

/** Hands bytes to the sink of a language, which may take their failure for their end. */
const outputOf = <E, R, E2, R2>(
  own: BytesOptions<E, R, E2, R2>,
  { targetLang }: Translation["options"],
  partial: boolean
): pipeline.Output<E, R, E2, R2> => ({
  isSource: false,
  open: Effect.succeed({
    settings: {},
    write: ({ byPersons, bytes, ended, isWhole, selection, stale }) =>
      Effect.gen(function* () {
        const context = yield* Effect.context<R | Translator.Translator>()
        const written = yield* Effect.either(own.write(targetLang)(Stream.provideContext(bytes, context)))
        const error = ended()
        if (error !== undefined && !(partial && isJobStopped(error))) return yield* Effect.fail(error)
        if (error === undefined) yield* written
        return Effect.succeed<Written>({
          state: isWhole() ? "written" : "partial",
          stale,
          byPersons,
          selection: selection()
        })
      })
  })
})

/** The results of languages: an error that ends the bytes is none of the sink, though it may pass it on. */
type Results<E, E2> = ReadonlyArray<Either.Either<Written, BytesError<E> | Exclude<E2, BytesError<E>>>>

const optionsFrom =
  ({ format }: { readonly format: Format.Format }) =>
  (options: Translation["options"]) =>
    Effect.succeed(streamOptions({ options, format }))

export const make = <E, R, E2, R2>(
  options: BytesOptions<E, R, E2, R2>
): JobSource<E | Format.FormatError | Exclude<E2, BytesError<E>>, R | R2 | Translator.Translator> => ({
  name: options.name,
  optionsFrom: optionsFrom(options),
  translate: (translations) =>
    options.failed === "drop" && options.format.records === undefined
      ? noRecords(options.format, options.name)
      : Effect.map(
          pipeline.translate(
            sourceOf(options),
            translations,
            translations.map((translation) => outputOf(options, translation.options, translation.partial))
          ),
          (results) => results as Results<E, E2>
        ),
  forecast: (forecasting) => pipeline.forecast(sourceOf(options), forecasting)
})

/** The parts that were read, and the error behind them. */
const partsOf = <E, R>(source: pipeline.Source<E, R>, translation: Translation) =>
  Effect.gen(function* () {
    const read: Array<Chunk.Chunk<Format.Part>> = []
    const parts = pipeline.decodeFor(source, translation)(source.bytes)
    const end = yield* Effect.either(
      Stream.runForEachChunk(parts, (chunk) => Effect.sync(() => void read.push(chunk)))
    )
    return Stream.concat(
      Stream.fromChunks(...read),
      Either.isLeft(end) ? Stream.fail(end.left) : Stream.empty
    )
  })

const ofPieces = (format: Format.Format): Format.Format => ({
  ...format,
  decode: (options) => format.decode({ ...options, isPiece: true })
})

/** Translates into the store, and writes nothing. The bytes are a piece of a file, and few: they are read before anything is sent. */
export const fill = <E, R>({
  format,
  ...given
}: Fill<E, R>): JobSource<E | Format.FormatError, R | Translator.Translator> =>
  filling({ ...given, format: ofPieces(format) })

const filling = <E, R>(
  options: Fill<E, R>
): JobSource<E | Format.FormatError, R | Translator.Translator> => ({
  name: options.name,
  optionsFrom: optionsFrom(options),
  translate: (translations) =>
    Effect.gen(function* () {
      const bytes = yield* Stream.runCollect(options.bytes)
      const source = { ...sourceOf(options), bytes: Stream.fromChunk(bytes) }
      const [first] = translations
      const parts =
        first !== undefined && options.format.isSameForTargets === true
          ? yield* partsOf(source, first)
          : undefined
      return yield* Effect.forEach(
        translations,
        (translation) =>
          Effect.flatMap(
            parts === undefined ? partsOf(source, translation) : Effect.succeed(parts),
            (parts) => fillParts(source, translation, parts)
          ).pipe(Effect.either),
        { concurrency: "unbounded" }
      )
    }),
  forecast: (forecasting) => pipeline.forecast(sourceOf(options), forecasting)
})
