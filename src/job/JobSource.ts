/**
 * Sources of jobs: each is read once for all languages, and knows where its translations go. Files, bytes, rows and
 * texts that have failed are such sources.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type * as Translator from "../client/Translator.js"
import type * as Format from "../format/Format.js"
import * as TranslateStream from "../stream/TranslateStream.js"
import type { ReadError } from "./FileSourceError.js"
import type { BytesError, BytesOptions, Fill } from "./internal/bytesSource.js"
import * as bytesSource from "./internal/bytesSource.js"
import * as columnarFile from "./internal/columnarFile.js"
import type { FillGroups } from "./internal/columnarSource.js"
import * as columnarSource from "./internal/columnarSource.js"
import type { JobSource, JobStopped, Translation } from "./internal/contract.js"
import * as failedUnitsSource from "./internal/failedUnitsSource.js"
import type { FileError, FileOptions } from "./internal/fileReading.js"
import * as fileReading from "./internal/fileReading.js"
import * as fileSource from "./internal/fileSource.js"
import * as halting from "./internal/halting.js"
import * as recordFiles from "./internal/recordFiles.js"
import type { RowsError, RowsOptions } from "./internal/rowsSource.js"
import * as rowsSource from "./internal/rowsSource.js"

/**
 * Options and errors of sources of bytes.
 *
 * @since 0.1.0
 * @category models
 */
export type { BytesError, BytesOptions } from "./internal/bytesSource.js"
/**
 * The interface between a job and its sources.
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
  NamedLanguage,
  NamedTexts,
  Observed,
  ObservedUnit,
  SourceForecast,
  StaleUnit,
  TargetOptions,
  Translation,
  UnitFailure,
  UnitOutcome,
  Written
} from "./internal/contract.js"
/**
 * The job has ended before a source was done.
 *
 * @since 0.1.0
 * @category errors
 */
export { isJobStopped, JobStopped } from "./internal/contract.js"
/**
 * Where a file is, where its translations go, and why that fails.
 *
 * @since 0.1.0
 * @category models
 */
export type { Detect, FileError, FileOptions } from "./internal/fileReading.js"
/**
 * Rows with keys, and where their translations go.
 *
 * @since 0.1.0
 * @category models
 */
export type { RowOutcome, RowsError, RowsOptions } from "./internal/rowsSource.js"

/**
 * A file as a source.
 *
 * Formats that stream are read and written piece by piece, in flat memory, and written anew each time: known translations
 * come from the store. So are those that are read at any place, as Parquet is: languages whose outputs have the same path
 * are columns of one output. An output that was altered by somebody else is refused as `OutputAltered`, unless `existing`
 * says otherwise. Other formats are updated, as by `FileTranslation.update`: a person's change in an output stays, and is
 * reported as stale when its source changes.
 *
 * An output is written beside its place under another name, synced, and renamed once it is whole. An output with the same
 * bytes is left alone. Units that failed leave the text of `failed`; an output that is not whole was cut by a limit or an
 * error. Then it is published only if the job asks for partial outputs, and something was translated: the rest is as it was
 * in the output, or as in the source.
 *
 * Fails before anything is sent if the source can't be read, its format is not known, or an output can't be written or must
 * not be replaced; see `FileSourceError`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const file: (
  options: FileOptions
) => JobSource<FileError, FileSystem.FileSystem | Path.Path | Translator.Translator> = fileSource.make

/**
 * An output that a `stateFolder` has a record of: its address or absolute path, and its language.
 *
 * @since 0.1.0
 * @category models
 */
export type RecordedOutput = recordFiles.RecordedOutput

/**
 * The source of an output that a `stateFolder` has a record of, as far as the record names it: its address or absolute path.
 *
 * @since 0.1.0
 * @category combinators
 */
export const sourceOf: (
  output: RecordedOutput,
  place: { readonly stateFolder: string; readonly stateRoot?: string | undefined }
) => ReturnType<typeof recordFiles.sourceOf> = recordFiles.sourceOf

/**
 * The outputs that a `stateFolder` has records of: files that are translations, and no sources. `stateRoot` is as in `FileOptions`.
 *
 * @since 0.1.0
 * @category combinators
 */
export const outputsIn: (
  stateFolder: string,
  stateRoot?: string
) => ReturnType<typeof recordFiles.outputsIn> = recordFiles.outputsIn

/**
 * The beginning of a file, which shows its format.
 *
 * @internal
 */
export const headOf: (path: string) => Effect.Effect<string, ReadError, FileSystem.FileSystem> =
  fileReading.headOf

/**
 * Opens a file, or a version of an address, to be read at any place.
 *
 * @internal
 */
export const openAt: typeof fileReading.openAt = fileReading.openAt

/**
 * Bytes as a source.
 *
 * Formats that stream are translated piece by piece: a translation is written as soon as it is there, also while the input
 * waits for more. An output that an error or a halt has cut ends there; behind the limit of a pilot the rest is written as
 * it came. Other formats are read as a whole, and written if they are whole, or if the job asks for partial outputs.
 *
 * Each run reads the bytes once, and so does a forecast: do without one for a pipe. Fails with the error of the bytes, once
 * all sinks have ended with the bytes before it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const bytes: <E, R, E2, R2>(
  options: BytesOptions<E, R, E2, R2>
) => JobSource<E | Format.FormatError | Exclude<E2, BytesError<E>>, R | R2 | Translator.Translator> =
  bytesSource.make

/**
 * The fit of the chosen columns or languages of a file: see {@link JobSource}.
 *
 * @internal
 */
export const selectionOf = fileSource.selectionOf

/**
 * The format of a file.
 *
 * @internal
 */
export const formatOf = ({ format, path }: FileOptions) => fileReading.formatOf(path, format)

/**
 * A source of few bytes that writes nothing: its translations go into the store of the job. Its format streams.
 *
 * @internal
 */
export const fill: <E, R>(
  options: Fill<E, R>
) => JobSource<E | Format.FormatError, R | Translator.Translator> = bytesSource.fill

/**
 * The language code of the record of an output that has a column for each of several languages.
 *
 * @internal
 */
export const severalLanguages = columnarFile.severalLanguages

/**
 * Row groups of a file as a source that writes nothing, as {@link fill} does.
 *
 * @internal
 */
export const fillGroups: (
  options: FillGroups
) => JobSource<ReadError | Format.FormatError, FileSystem.FileSystem | Translator.Translator> =
  columnarSource.fill

/**
 * The row groups of a file, and the version of an address that has them.
 *
 * @internal
 */
export const groupsOf: typeof columnarSource.groupsOf = columnarSource.groupsOf

/**
 * The elements of a source until the job is to end in good order: then it fails with `JobStopped`, also if it waits for an element. Those
 * before it go on through the operators of streams, and get their outcomes.
 *
 * @since 0.1.0
 * @category combinators
 */
export const untilHalted =
  (translation: Pick<Translation, "halted">) =>
  <A, E, R>(self: Stream.Stream<A, E, R>): Stream.Stream<A, E | JobStopped, R> => {
    const { halted } = translation
    return halted === undefined ? self : halting.failing(halting.interruptWhen(self, halted), halted)
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
export const rows: <A extends object, E, R, E2, R2, const K extends TranslateStream.TextField<A>>(
  options: RowsOptions<A, TranslateStream.TranslatedRow<A, K>, E, R, E2, R2> & {
    /** The fields that are translated. */
    readonly fields: ReadonlyArray<K>
  }
) => JobSource<E | Exclude<E2, RowsError>, R | R2 | Translator.Translator> = ({ fields, ...options }) =>
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
 * Rows whose texts are found by a function: {@link rows} for texts that are no fields. Several texts of a row are named
 * by their positions: `17.0`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const rowsWith: <A, B, E, R, E2, R2, T extends ReadonlyArray<string | null | undefined>>(
  options: RowsOptions<A, B, E, R, E2, R2> & {
    /** The texts of a row; blank ones, `null` and `undefined` are skipped. */
    readonly texts: (row: A) => T
    /** Makes the result from the row and its texts, translated where they were. */
    readonly replace: (row: A, texts: T) => B
  }
) => JobSource<E | Exclude<E2, RowsError>, R | R2 | Translator.Translator> = ({
  replace,
  texts,
  ...options
}) =>
  rowsSource.make({
    ...options,
    texts,
    translate: (options) => TranslateStream.translateWith({ ...options, texts, replace }),
    unitOf: (row, position) => ({
      key: texts(row).length === 1 ? options.key(row) : `${options.key(row)}.${position}`
    })
  })

/**
 * A source of exactly these units, each into its own language only: targets of the job that no unit names get nothing. It writes
 * nothing; translations go to the store, where the job that failed finds them. The units are held in memory.
 *
 * @since 0.1.0
 * @category constructors
 */
export const failedUnits: typeof failedUnitsSource.make = failedUnitsSource.make
