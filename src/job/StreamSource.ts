/**
 * Bytes as a source of a job, and sinks for their translations: a pipe, an upload, an object of a storage.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type * as Format from "../format/Format.js"
import type * as Outcome from "../stream/Outcome.js"
import type * as Translator from "../stream/Translator.js"
import type * as FileTranslation from "./FileTranslation.js"
import { streamOptions } from "./internal/fileOptions.js"
import * as piped from "./internal/piped.js"
import type { JobSource, JobStopped } from "./JobSource.js"

/**
 * What ends translated bytes before the last of them, beside the errors `E` of what is read.
 *
 * @since 0.1.0
 * @category errors
 */
export type BytesError<E = never> = E | Format.FormatError | Outcome.StreamError | JobStopped

/**
 * What is read, and where its translations go.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options<E, R, E2, R2> extends Pick<FileTranslation.Options, "maxFileBytes" | "useContext"> {
  /** Names it in reports and errors. */
  readonly name: string
  /** What is read: once for all languages. */
  readonly bytes: Stream.Stream<Uint8Array, E, R>
  /** The format that the bytes are read and written in. */
  readonly format: Format.Format
  /**
   * Writes the bytes of a language. If they fail, those before are translated. Its own error ends this language only.
   */
  readonly write: (
    targetLang: string
  ) => (bytes: Stream.Stream<Uint8Array, BytesError<E>>) => Effect.Effect<unknown, E2, R2>
  /** What a unit that failed leaves: the source's text, or nothing. @default "source" */
  readonly failed?: "source" | "empty" | undefined
}

/**
 * Bytes as a source.
 *
 * Formats that stream are translated piece by piece: a translation is written as soon as it is there, also while the input waits for
 * more. What an error or a halt has cut ends there; behind the limit of a pilot the rest is written as it came. Other formats are read as
 * a whole, and written if they are whole, or if the job asks for partial outputs.
 *
 * Each run reads the bytes once, and so does a forecast: do without one for a pipe. Fails with the error of the bytes, once all sinks have
 * ended with what was read before.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = <E, R, E2, R2>(
  options: Options<E, R, E2, R2>
): JobSource<E | Format.FormatError | Exclude<E2, BytesError<E>>, R | R2 | Translator.Translator> => ({
  name: options.name,
  optionsFrom: (given) => Effect.succeed(streamOptions({ ...given, format: options.format })),
  translate: (translations) => piped.translate(options, translations),
  forecast: (forecasting) => piped.forecast(options, forecasting)
})

/**
 * What {@link fill} takes.
 *
 * @internal
 */
export interface Fill<E, R> extends Omit<Options<E, R, never, never>, "failed" | "write"> {}

/**
 * A source of few bytes that writes nothing: what is translated is in the store of the job. Its format streams.
 *
 * @internal
 */
export const fill = <E, R>(
  options: Fill<E, R>
): JobSource<E | Format.FormatError, R | Translator.Translator> => ({
  name: options.name,
  optionsFrom: (given) => Effect.succeed(streamOptions({ ...given, format: options.format })),
  translate: (translations) => piped.fill(options, translations),
  forecast: (forecasting) => piped.forecast(options, forecasting)
})
