/** Estimates the translation of a long file, from its beginning. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Translator from "../../client/Translator.js"
import type * as Format from "../../format/Format.js"
import { byteLength } from "../../internal/utf8.js"
import type * as Forecast from "../../stream/Forecast.js"
import type * as Outcome from "../../stream/Outcome.js"
import type * as TranslateStream from "../../stream/TranslateStream.js"
import type { Estimate, Forecasting } from "./contract.js"
import { readWhole } from "./fileReading.js"
import { forecast as forecastStream } from "./partForecast.js"
import { decodeOptions, optionsOf, type Reading } from "./partOptions.js"

/** The size of a file's sample, in bytes. */
export const sampleBytes = 1_048_576

/** The growth of the next sample if this one holds no text. */
const growth = 8

interface Source<E, R> extends Reading {
  readonly bytes: Stream.Stream<Uint8Array, E, R>
  /** In bytes. */
  readonly size: number
}

const sampleEnd = { _tag: "SampleEnd" } as const

/** The forecast of the whole that a part stands for, at most of `limit` texts. */
export const scaled = (part: Forecast.Forecast, factor: number, limit: number): Forecast.Forecast => {
  const times = (count: number) => Math.round(count * factor)
  const failed = times(part.failed)
  const sent = times(part.translated)
  const known = times(part.cached)
  const share = Math.min(1, limit / Math.max(1, sent + known + failed))
  const most = { translated: Math.ceil(sent * share), cached: Math.floor(known * share) }
  const skipped = times(part.skipped) + sent + known - most.translated - most.cached
  return {
    targetLang: part.targetLang,
    in: most.translated + most.cached + skipped + failed,
    ...most,
    skipped,
    failed,
    characters: times(part.characters * share),
    requests: Math.ceil(part.requests * factor * share),
    bytes: times(part.bytes * share)
  }
}

/** The forecast of a sample for one language, scaled to the whole. */
const ofSample = <E, R>(
  source: Source<E, R>,
  pieces: ReadonlyArray<Uint8Array>,
  given: TranslateStream.Options,
  limit: number
) =>
  Effect.suspend(() => {
    const options = optionsOf(source, given)
    // A record that the sample cuts is in none of the parts: their sizes are all that was counted.
    let read = 0
    const parts = Stream.concat(Stream.fromIterable(pieces), Stream.fail(sampleEnd)).pipe(
      source.format.decode(decodeOptions(options)),
      Stream.mapChunks((chunk) => {
        for (const { raw } of chunk) read += byteLength(raw)
        return chunk
      }),
      Stream.catchTag("SampleEnd", () => Stream.empty)
    )
    return Effect.map(forecastStream(parts, options), (forecast) =>
      scaled(forecast, source.size / Math.max(1, read), limit)
    )
  })

/** The estimate of a source of this size; `all` of it, if it is no larger than a sample or has to be read as a whole. */
export const estimate = <E, R, E2, R2>(
  source: Source<E, R>,
  forecasting: Forecasting,
  all: Effect.Effect<Estimate, E2, R2>
): Effect.Effect<
  Estimate,
  E | E2 | Format.FormatError | Outcome.StreamError,
  R | R2 | Translator.Translator
> => {
  const { limit = Number.POSITIVE_INFINITY, targets } = forecasting
  const from = (most: number): ReturnType<typeof estimate<E, R, E2, R2>> =>
    source.format.isStreamed !== true || source.size <= most
      ? all
      : Effect.flatMap(readWhole(source.bytes, most), (pieces) =>
          Effect.forEach(targets, ({ options }) => ofSample(source, pieces, options, limit))
        ).pipe(
          Effect.flatMap((forecasts) =>
            forecasts.some(({ in: texts }) => texts > 0)
              ? Effect.succeed({ forecasts, isExact: false })
              : from(most * growth)
          )
        )
  return from(sampleBytes)
}
