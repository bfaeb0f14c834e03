import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Format from "../../format/Format.js"
import * as Targets from "../../stream/Targets.js"
import type * as Translator from "../../stream/Translator.js"
import type { BytesError, Fill, BytesOptions as Options } from "../JobSource.js"
import * as fileUpdate from "./fileUpdate.js"
import * as halting from "./halting.js"
import { observed } from "./observing.js"
import * as partStream from "./partStream.js"
import { type Forecasting, isJobStopped, type Translation, type Written } from "./sourceContract.js"
import { wholeOf } from "./sourceFile.js"

const streamedOf = ({
  failed,
  format,
  maxFileBytes,
  name,
  useContext
}: Omit<Options<never, never, never, never>, "bytes" | "write">): partStream.Streamed => ({
  format,
  failed,
  file: { file: name, maxFileBytes, useContext }
})

/** Hands bytes to the sink of a language, which may take their failure for their end. */
const write = <E, R, E2, R2>(
  own: Options<E, R, E2, R2>,
  { options: { targetLang }, partial }: Translation,
  bytes: Stream.Stream<Uint8Array, BytesError<E>, Translator.Translator>,
  isCut: () => boolean
): Effect.Effect<Written, E2 | BytesError<E>, R2 | Translator.Translator> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Translator.Translator>()
    let isWhole = false
    let ended: BytesError<E> | undefined
    const told = bytes.pipe(
      Stream.tapError((error) =>
        Effect.sync(() => {
          ended = error
        })
      ),
      Stream.concat(
        Stream.execute(
          Effect.sync(() => {
            isWhole = true
          })
        )
      ),
      Stream.provideContext(context)
    )
    const written = yield* Effect.either(own.write(targetLang)(told))
    if (ended !== undefined && !(partial && isJobStopped(ended))) return yield* Effect.fail(ended)
    if (ended === undefined) yield* written
    return { state: isWhole && !isCut() ? "written" : "partial", stale: [] }
  })

/** Translates what comes, piece by piece. An error of the input ends all languages, after what was read before it. */
const flow = <E, R, E2, R2>(own: Options<E, R, E2, R2>, translations: ReadonlyArray<Translation>) =>
  Effect.suspend(() => {
    let broken: Stream.Stream<never, E> = Stream.empty
    const bytes = Stream.tapError(own.bytes, (error) =>
      Effect.sync(() => {
        broken = Stream.fail(error)
      })
    )
    const targets = translations.map(({ options }) => options.targetLang)
    return Targets.run(halting.ending(bytes, translations[0]?.halted), targets, (targetLang) => (read) => {
      const translation = translations[targets.indexOf(targetLang)]!
      const whole = Stream.concat(
        read,
        Stream.suspend(() => broken)
      )
      const { isCut, parts } = partStream.translate(streamedOf(own), translation, whole)
      return write(own, translation, Format.encode(parts), isCut)
    }).pipe(Effect.map((results) => results.map(({ result }) => result)))
  })

const updateOne = <E, R, E2, R2>(
  own: Options<E, R, E2, R2>,
  pieces: ReadonlyArray<Uint8Array>,
  translation: Translation
) =>
  Effect.gen(function* () {
    const { file, ...streamed } = streamedOf(own)
    const {
      halted,
      limit,
      observe,
      options: { unordered: _, ...options },
      partial,
      refresh,
      wantsUnits
    } = translation
    const { bytes, error, isWhole } = yield* fileUpdate.update(
      Stream.fromIterable(pieces),
      {
        settings: { failed: streamed.failed, limit, partial, refresh },
        options: { ...options, ...file, format: streamed.format }
      },
      {
        halted,
        onOutcomes: (outcomes, telling) =>
          observe(outcomes.map((outcome) => observed(outcome, { ...telling, wantsUnits })))
      }
    )
    if (!isWhole && !partial) return { state: "withheld", stale: [] } satisfies Written
    const all = Stream.succeed(bytes)
    const rest = error === undefined ? all : Stream.concat(all, Stream.fail(error))
    return yield* write(own, translation, rest, () => !isWhole)
  })

/** Translates what was read as a whole. */
const update = <E, R, E2, R2>(own: Options<E, R, E2, R2>, translations: ReadonlyArray<Translation>) =>
  Effect.gen(function* () {
    const halted = translations[0]?.halted
    const pieces = yield* wholeOf(halting.ending(own.bytes, halted), own.maxFileBytes)
    const halt = halted === undefined ? Effect.succeed(Option.none()) : Deferred.poll(halted)
    return yield* Effect.forEach(
      translations,
      (translation) =>
        Effect.either(
          Effect.flatMap(halt, (stopped) =>
            Option.getOrElse(stopped, () => updateOne(own, pieces, translation))
          )
        ),
      { concurrency: "unbounded" }
    )
  })

/** Translates what a store then has, and writes nothing. The bytes are few: they are read before anything is sent. */
export const fill = <E, R>(
  own: Fill<E, R>,
  translations: ReadonlyArray<Translation>
): Effect.Effect<ReadonlyArray<Either.Either<Written, BytesError>>, E, R | Translator.Translator> =>
  Effect.flatMap(Stream.runCollect(own.bytes), (pieces) =>
    Effect.forEach(
      translations,
      (translation) => {
        const { isCut, parts } = partStream.translate(streamedOf(own), translation, Stream.fromChunk(pieces))
        return Effect.either(
          Effect.map(
            Stream.runDrain(parts),
            (): Written => ({ state: isCut() ? "partial" : "written", stale: [] })
          )
        )
      },
      { concurrency: "unbounded" }
    )
  )

/** What ends the bytes is no error of the sink, though it may pass it on. */
type Results<E, E2> = ReadonlyArray<Either.Either<Written, BytesError<E> | Exclude<E2, BytesError<E>>>>

export const translate = <E, R, E2, R2>(
  own: Options<E, R, E2, R2>,
  translations: ReadonlyArray<Translation>
): Effect.Effect<Results<E, E2>, E, R | R2 | Translator.Translator> =>
  Effect.map(
    own.format.isStreamed === true ? flow(own, translations) : update(own, translations),
    (results) => results as Results<E, E2>
  )

export const forecast = <E, R>(own: Fill<E, R>, forecasting: Forecasting) => {
  if (own.format.isStreamed === true) return partStream.forecast(streamedOf(own), forecasting, own.bytes)
  return Effect.gen(function* () {
    const { limit, options, refresh } = forecasting
    const { file, ...streamed } = streamedOf(own)
    const pieces = yield* wholeOf(own.bytes, own.maxFileBytes)
    return yield* Effect.forEach(options, ({ unordered: _, ...given }) =>
      fileUpdate.forecast(Stream.fromIterable(pieces), {
        settings: { failed: streamed.failed, limit, refresh },
        options: { ...given, ...file, format: streamed.format }
      })
    )
  })
}
