/**
 * What a job translates: something that is read once for all languages, and knows where its translations go. Files, bytes and rows
 * are such sources.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type * as Columnar from "../format/Columnar.js"
import type * as Format from "../format/Format.js"
import type * as Formats from "../format/Formats.js"
import type * as LocalePath from "../format/LocalePath.js"
import type * as Outcome from "../stream/Outcome.js"
import * as TranslateStream from "../stream/TranslateStream.js"
import type * as Translator from "../stream/Translator.js"
import type { FileSourceError, ReadError } from "./FileSourceError.js"
import type * as FileTranslation from "./FileTranslation.js"
import * as bytesSource from "./internal/bytesSource.js"
import * as fileSource from "./internal/fileSource.js"
import * as fileState from "./internal/fileState.js"
import * as halting from "./internal/halting.js"
import * as rowsSource from "./internal/rows.js"
import type { JobSource, JobStopped, Translation } from "./internal/sourceContract.js"
import * as sourceFile from "./internal/sourceFile.js"
import * as tableSource from "./internal/tableSource.js"

/**
 * What a job asks of a source, and what a source tells the job.
 *
 * @since 0.1.0
 * @category models
 */
export type {
  ContextOf,
  ErrorOf,
  Estimate,
  FlaggedUnit,
  Forecasting,
  JobSource,
  Observed,
  ObservedUnit,
  OnlyPlaceholders,
  SourceForecast,
  StaleUnit,
  Translation,
  UnitFailure,
  UnitOutcome,
  Written
} from "./internal/sourceContract.js"
/**
 * The job has ended before a source was done.
 *
 * @since 0.1.0
 * @category errors
 */
export { isJobStopped, JobStopped } from "./internal/sourceContract.js"

/**
 * Finds the format of a file by its path and its beginning: `Formats.detect`, or a function that calls it with other formats than all.
 *
 * @since 0.1.0
 * @category models
 */
export type Detect = (file: {
  readonly path: string
  readonly head: string
}) => Either.Either<Format.Format, Formats.UnknownFormat>

/**
 * Where a file is, and where its translations go.
 *
 * @since 0.1.0
 * @category models
 */
export interface FileOptions extends Pick<FileTranslation.Options, "maxFileBytes" | "useContext"> {
  /**
   * The source: a local file, or an address such as `s3://bucket/key`, which takes a layer of `Storage`. One that ends in `.gz`, `.br` or `.zst` is decompressed; an output with
   * such an ending is compressed.
   */
  readonly path: string
  /** The version of an address, as its service names it; another one fails as `SourceChanged`. @default the one that is there */
  readonly version?: string | undefined
  /** The format, or what finds it by the path without such an ending. A compressed file is of one that streams. */
  readonly format: Format.Format | Detect
  /**
   * The path of the output in a language, or a pattern such as `locales/{lang}.json` or `s3://bucket/{lang}.json`. Missing folders are made. A file that holds texts and
   * translations side by side, and does not stream, may be its own output.
   */
  readonly output: LocalePath.Pattern | ((targetLang: string) => string)
  /**
   * What becomes of an output that is there. `keep`: a person's texts in it stay, and only what is missing or has changed is translated;
   * an output of a format that streams is replaced, if it is as it was written here. `overwrite`: it is written anew. @default "keep"
   */
  readonly existing?: "keep" | "overwrite" | undefined
  /**
   * What a unit that failed leaves in its output: the translation that is there, or else the source's text; the source's text; or nothing.
   * Formats that stream know no translation that is there. The output is published all the same. @default "previous"
   */
  readonly failed?: "previous" | "source" | "empty" | undefined
  /** What becomes of units of an output that the source does not have any more. @default "keep" */
  readonly removed?: "keep" | "drop" | undefined
  /** The folder of what is remembered of outputs. Keep it with them, in version control too. @default ".effect-translate" */
  readonly stateFolder?: string | undefined
  /** Names the file in reports. @default its path; of an address, what `Address.shown` leaves of it */
  readonly name?: string | undefined
}

/**
 * Why the translation of a file fails, beside the errors of streams.
 *
 * @since 0.1.0
 * @category errors
 */
export type FileError = FileSourceError | Format.FormatError | Formats.UnknownFormat

/**
 * A file as a source.
 *
 * Formats that stream are read and written piece by piece, in flat memory, and written anew each time: what is known already comes from
 * the store. So are those that are read at any place, as Parquet is: languages whose outputs have the same path are columns of one output. An output that was altered by somebody else is refused as `OutputAltered`, unless `existing` says otherwise. Other formats
 * are updated, as by `FileTranslation.update`: what a person has written in an output stays, and is reported as stale when its source changes.
 *
 * An output is written beside its place under another name, synced, and renamed once it is whole. An output with the same bytes is left
 * alone. Units that failed leave what `failed` says; what is not whole is an output that a limit or an error has cut. Then it is
 * published only if the job asks for partial outputs, and something was translated: the rest is as it was in the output, or as in the
 * source.
 *
 * Fails before anything is sent if the source can't be read, its format is not known, or an output can't be written or must not be
 * replaced; see `FileSourceError`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const file: (
  options: FileOptions
) => JobSource<FileError, FileSystem.FileSystem | Path.Path | Translator.Translator> = fileSource.make

/**
 * The absolute paths of the outputs that a `stateFolder` remembers: files that are translations, and no sources.
 *
 * @since 0.1.0
 * @category combinators
 */
export const outputsIn: (
  stateFolder: string
) => Effect.Effect<ReadonlyArray<string>, never, FileSystem.FileSystem | Path.Path> = fileState.outputsIn

/**
 * The beginning of a file, which shows its format.
 *
 * @internal
 */
export const headOf: (path: string) => Effect.Effect<string, ReadError, FileSystem.FileSystem> =
  sourceFile.headOf

/**
 * Opens a file, or a version of an address, to be read at any place.
 *
 * @internal
 */
export const openAt: (
  path: string,
  version?: string
) => Effect.Effect<sourceFile.OpenedFile, ReadError, FileSystem.FileSystem | Scope.Scope> = sourceFile.openAt

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
export interface BytesOptions<E, R, E2, R2>
  extends Pick<FileTranslation.Options, "maxFileBytes" | "useContext"> {
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
export const bytes: <E, R, E2, R2>(
  options: BytesOptions<E, R, E2, R2>
) => JobSource<E | Format.FormatError | Exclude<E2, BytesError<E>>, R | R2 | Translator.Translator> =
  bytesSource.make

/**
 * What {@link fill} takes.
 *
 * @internal
 */
export interface Fill<E, R> extends Omit<BytesOptions<E, R, never, never>, "failed" | "write"> {}

/**
 * A source of few bytes that writes nothing: what is translated is in the store of the job. Its format streams.
 *
 * @internal
 */
export const fill: <E, R>(
  options: Fill<E, R>
) => JobSource<E | Format.FormatError, R | Translator.Translator> = bytesSource.fill

/**
 * What {@link fillGroups} takes.
 *
 * @internal
 */
export interface FillGroups extends Pick<FileOptions, "path" | "useContext" | "version"> {
  readonly name: string
  readonly format: Columnar.ColumnarFormat
  /** The first row group, from 0. */
  readonly from: number
  /** Behind the last row group. */
  readonly end: number
}

/**
 * Row groups of a file as a source that writes nothing, as {@link fill} does.
 *
 * @internal
 */
export const fillGroups: (
  options: FillGroups
) => JobSource<ReadError | Format.FormatError, FileSystem.FileSystem | Translator.Translator> =
  tableSource.fill

/**
 * The row groups of a file, and the version of an address that has them.
 *
 * @internal
 */
export const groupsOf: (
  source: Pick<FileOptions, "path" | "version">,
  format: FillGroups["format"]
) => Effect.Effect<
  { readonly groups: ReadonlyArray<Columnar.RowGroup>; readonly version: string | undefined },
  ReadError | Format.FormatError,
  FileSystem.FileSystem
> = tableSource.groupsOf

/**
 * The elements of a source until the job is to end in good order: then it fails with `JobStopped`, also if it waits for an element. Those
 * before it go on through the operators of streams, and get their outcomes.
 *
 * @since 0.1.0
 * @category combinators
 */
export const untilHalted =
  ({ halted }: Pick<Translation, "halted">) =>
  <A, E, R>(self: Stream.Stream<A, E, R>): Stream.Stream<A, E | JobStopped, R> =>
    halted === undefined ? self : halting.failing(halting.ending(self, halted), halted)

/**
 * What became of a row, with its key.
 *
 * @since 0.1.0
 * @category models
 */
export type RowOutcome<B, A = B> = Outcome.Outcome<B, A> & { readonly key: string }

/**
 * What ends the outcomes of rows before the last of them.
 *
 * @since 0.1.0
 * @category errors
 */
export type RowsError = Outcome.StreamError | JobStopped

/**
 * Rows with keys, and where their translations go.
 *
 * @since 0.1.0
 * @category models
 */
export interface RowsOptions<A, B, E, R, E2, R2> {
  /** Names the rows in reports and failed units. */
  readonly name: string
  /** The rows: read once for all languages. A job that goes on reads those that it has not written yet. */
  readonly rows: Stream.Stream<A, E, R>
  /** Names a row in failed units. */
  readonly key: (row: A) => string
  /**
   * Whether a language has a row already: it neither translates nor writes it then. An output of which no row was written is `unchanged`.
   * @default every row is translated and written
   */
  readonly isWritten?: ((row: A, targetLang: string) => boolean) | undefined
  /**
   * Writes the rows of a language: their outcomes come in the order of the rows, and none that is not stored. It may commit them in
   * groups. If the outcomes fail, those before were translated. Its own error ends this language only.
   */
  readonly write: (
    targetLang: string
  ) => (outcomes: Stream.Stream<RowOutcome<B, A>, RowsError>) => Effect.Effect<unknown, E2, R2>
}

/**
 * Rows of which some fields are translated: those of a table, or the messages of a queue. The failure of a text is named by the key
 * of its row, and by its field if several are translated: `17.title`.
 *
 * With `limit`, the row that holds the last text is translated as a whole.
 *
 * @since 0.1.0
 * @category constructors
 */
export const rows = <A extends object, E, R, E2, R2, const K extends TranslateStream.TextField<A>>({
  fields,
  ...options
}: RowsOptions<A, A, E, R, E2, R2> & {
  /** The fields that are translated. */
  readonly fields: ReadonlyArray<K>
}): JobSource<E | Exclude<E2, RowsError>, R | R2 | Translator.Translator> =>
  rowsSource.make({
    ...options,
    fields,
    texts: (row) => fields.map((field) => row[field] as string | null | undefined),
    translate: (options) => (self) => TranslateStream.translateFields(self, fields, options),
    unitOf: (row, position) => ({
      key: fields.length === 1 ? options.key(row) : `${options.key(row)}.${fields[position]}`
    })
  })

/**
 * Rows of which a function finds the texts: {@link rows} for what is no field. Several texts of a row are named by their positions:
 * `17.0`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const rowsWith = <A, B, E, R, E2, R2, T extends ReadonlyArray<string | null | undefined>>({
  replace,
  texts,
  ...options
}: RowsOptions<A, B, E, R, E2, R2> & {
  /** The texts of a row; blanks, `null` and `undefined` are skipped. */
  readonly texts: (row: A) => T
  /** Makes the result from the row and its texts, translated where they were. */
  readonly replace: (row: A, texts: T) => B
}): JobSource<E | Exclude<E2, RowsError>, R | R2 | Translator.Translator> =>
  rowsSource.make({
    ...options,
    texts,
    translate: (options) => TranslateStream.translateWith({ ...options, texts, replace }),
    unitOf: (row, position) => ({
      key: texts(row).length === 1 ? options.key(row) : `${options.key(row)}.${position}`
    })
  })
