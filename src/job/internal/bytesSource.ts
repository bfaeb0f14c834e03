/** Bytes as a source of a job. */
import type * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type * as Format from "../../format/Format.js"
import type * as Translator from "../../stream/Translator.js"
import type * as JobSource from "../JobSource.js"
import * as bytesTranslation from "./bytesTranslation.js"
import { streamOptions } from "./partTranslation.js"
import { isJobStopped, type Translation, type Written } from "./sourceContract.js"

const sourceOf = <E, R>({
  bytes,
  failed,
  format,
  maxFileBytes,
  name,
  useContext
}: JobSource.Fill<E, R> & { readonly failed?: "source" | "empty" | undefined }): bytesTranslation.Source<
  E,
  R
> => ({ bytes, format, failed, file: { file: name, maxFileBytes, useContext }, isReadAgain: false })

/** Hands bytes to the sink of a language, which may take their failure for their end. */
const outputOf = <E, R, E2, R2>(
  own: JobSource.BytesOptions<E, R, E2, R2>,
  { targetLang }: Translation["options"],
  partial: boolean
): bytesTranslation.Output<E, R, E2, R2> => ({
  isSource: false,
  open: Effect.succeed({
    settings: {},
    write: ({ byPersons, bytes, ended, isWhole, stale }) =>
      Effect.gen(function* () {
        const context = yield* Effect.context<R | Translator.Translator>()
        const written = yield* Effect.either(own.write(targetLang)(Stream.provideContext(bytes, context)))
        const error = ended()
        if (error !== undefined && !(partial && isJobStopped(error))) return yield* Effect.fail(error)
        if (error === undefined) yield* written
        return Effect.succeed<Written>({ state: isWhole() ? "written" : "partial", stale, byPersons })
      })
  })
})

/** What ends the bytes is no error of the sink, though it may pass it on. */
type Results<E, E2> = ReadonlyArray<
  Either.Either<Written, JobSource.BytesError<E> | Exclude<E2, JobSource.BytesError<E>>>
>

const optionsFrom =
  ({ format }: { readonly format: Format.Format }) =>
  (given: Translation["options"]) =>
    Effect.succeed(streamOptions({ ...given, format }))

export const make = <E, R, E2, R2>(
  options: JobSource.BytesOptions<E, R, E2, R2>
): JobSource.JobSource<
  E | Format.FormatError | Exclude<E2, JobSource.BytesError<E>>,
  R | R2 | Translator.Translator
> => ({
  name: options.name,
  optionsFrom: optionsFrom(options),
  translate: (translations) =>
    Effect.map(
      bytesTranslation.translate(
        sourceOf(options),
        translations,
        translations.map((translation) => outputOf(options, translation.options, translation.partial))
      ),
      (results) => results as Results<E, E2>
    ),
  forecast: (forecasting) => bytesTranslation.forecast(sourceOf(options), forecasting)
})

/** Parts that were read, and what has ended them. */
const partsOf = <E, R>(source: bytesTranslation.Source<E, R>, translation: Translation) =>
  Effect.gen(function* () {
    const read: Array<Chunk.Chunk<Format.Part>> = []
    const parts = bytesTranslation.decodeFor(source, translation)(source.bytes)
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

/** Translates what a store then has, and writes nothing. The bytes are a piece of a file, and few: they are read before anything is sent. */
export const fill = <E, R>({
  format,
  ...given
}: JobSource.Fill<E, R>): JobSource.JobSource<E | Format.FormatError, R | Translator.Translator> =>
  filling({ ...given, format: ofPieces(format) })

const filling = <E, R>(
  options: JobSource.Fill<E, R>
): JobSource.JobSource<E | Format.FormatError, R | Translator.Translator> => ({
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
            (parts) => bytesTranslation.fillParts(source, translation, parts)
          ).pipe(Effect.either),
        { concurrency: "unbounded" }
      )
    }),
  forecast: (forecasting) => bytesTranslation.forecast(sourceOf(options), forecasting)
})
