/** Bytes as a source of a job. */
import * as Effect from "effect/Effect"
import type * as Format from "../../format/Format.js"
import type * as Translator from "../../stream/Translator.js"
import type * as JobSource from "../JobSource.js"
import { streamOptions } from "./fileOptions.js"
import * as piped from "./piped.js"

export const make = <E, R, E2, R2>(
  options: JobSource.BytesOptions<E, R, E2, R2>
): JobSource.JobSource<
  E | Format.FormatError | Exclude<E2, JobSource.BytesError<E>>,
  R | R2 | Translator.Translator
> => ({
  name: options.name,
  optionsFrom: (given) => Effect.succeed(streamOptions({ ...given, format: options.format })),
  translate: (translations) => piped.translate(options, translations),
  forecast: (forecasting) => piped.forecast(options, forecasting)
})

export const fill = <E, R>(
  options: JobSource.Fill<E, R>
): JobSource.JobSource<E | Format.FormatError, R | Translator.Translator> => ({
  name: options.name,
  optionsFrom: (given) => Effect.succeed(streamOptions({ ...given, format: options.format })),
  translate: (translations) => piped.fill(options, translations),
  forecast: (forecasting) => piped.forecast(options, forecasting)
})
