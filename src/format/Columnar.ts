/**
 * Files that keep the values of a column together, and are read at any place: translations become new columns of them, and all else stays
 * byte for byte.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { RandomAccess } from "../internal/randomAccess.js"
import type { Format, FormatError, Part, Selection } from "./Format.js"

/**
 * One version of a file, which is read at any place.
 *
 * @since 0.1.0
 * @category models
 */
export type { RandomAccess } from "../internal/randomAccess.js"

/**
 * Options of `open`.
 *
 * @since 0.1.0
 * @category models
 */
export interface OpenOptions {
  /** The languages of which the file gets columns. */
  readonly targets: ReadonlyArray<string>
  /** Names the file in errors. @default none */
  readonly file?: string | undefined
  /** Other files may have the columns that this one lacks: it fails only if it has none of them. @default false */
  readonly isOneOfSeveral?: boolean | undefined
}

/**
 * The rows that are kept together in a file.
 *
 * @since 0.1.0
 * @category models
 */
export interface RowGroup {
  readonly rows: number
  /** The number of texts in the columns that are translated, nulls included. */
  readonly texts: number
  /** In bytes, of the columns that are translated. */
  readonly bytes: number
}

/**
 * The translations of a file into one language.
 *
 * @since 0.1.0
 * @category models
 */
export interface Translated<E, R> {
  readonly targetLang: string
  /** All parts of the file, in their order. */
  readonly parts: Stream.Stream<Part, E, R>
}

/**
 * A file that was opened.
 *
 * @since 0.1.0
 * @category models
 */
export interface ColumnarFile<E, R> {
  readonly groups: ReadonlyArray<RowGroup>
  /** Which of the chosen columns the file has. */
  readonly selection: Selection
  /**
   * The texts of a row group: of each column that is translated, all of them or those of its first `rows`. A part is a text, of which `raw` is the
   * value; one without a unit is no value.
   */
  readonly parts: (group: number, rows?: number) => Stream.Stream<Part, E | FormatError, R>
  /** The bytes of the file with new columns. Of each language one row group is in memory. */
  readonly encode: <E2, R2>(
    languages: ReadonlyArray<Translated<E2, R2>>
  ) => Stream.Stream<Uint8Array, E | E2 | FormatError, R | R2>
}

/**
 * Reads and writes files that are read at any place.
 *
 * @since 0.1.0
 * @category models
 */
export interface Columnar {
  /** Reads the footer of a file. Fails if it can't be read, or can't get the new columns. */
  readonly open: <E, R>(
    file: RandomAccess<E, R>,
    options: OpenOptions
  ) => Effect.Effect<ColumnarFile<E, R>, E | FormatError, R>
  /** Reads the translations into a language, of which a file has got columns: with the keys of their texts. The columns
   * are those that the source has. */
  readonly translated: (targetLang: string, columns: ReadonlyArray<string>) => ColumnarFormat
  /** Reads other columns of texts, such as those that tell rows apart. */
  readonly ofColumns: (columns: ReadonlyArray<string>) => ColumnarFormat
}

/**
 * A format of such files.
 *
 * @since 0.1.0
 * @category models
 */
export interface ColumnarFormat extends Format {
  readonly columnar: Columnar
}

/**
 * True for a format whose files are read at any place.
 *
 * @since 0.1.0
 * @category guards
 */
export const isColumnar = (format: Format): format is ColumnarFormat => format.columnar !== undefined
