/**
 * Files that keep the values of a column together, and are read at any place: translations become new columns of them, and all else stays
 * byte for byte.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { RandomAccess } from "../internal/randomAccess.js"
import type { Format, FormatError, Part } from "./Format.js"

/**
 * One version of a file, which is read at any place.
 *
 * @since 0.1.0
 * @category models
 */
export type { RandomAccess } from "../internal/randomAccess.js"

/**
 * How a file is read.
 *
 * @since 0.1.0
 * @category models
 */
export interface OpenOptions {
  /** The languages of which the file gets columns. */
  readonly targets: ReadonlyArray<string>
  /** Names the file in errors. @default none */
  readonly file?: string | undefined
}

/**
 * The rows that are kept together in a file.
 *
 * @since 0.1.0
 * @category models
 */
export interface RowGroup {
  readonly rows: number
  /** How many texts it may have in the columns that are translated: nulls count. */
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
export interface Table<E, R> {
  readonly groups: ReadonlyArray<RowGroup>
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
 * How a format reads and writes such files.
 *
 * @since 0.1.0
 * @category models
 */
export interface Columnar {
  /** Reads what a file says of itself. Fails if it can't be read, or can't get the new columns. */
  readonly open: <E, R>(
    file: RandomAccess<E, R>,
    options: OpenOptions
  ) => Effect.Effect<Table<E, R>, E | FormatError, R>
  /** Reads the translations into a language, of which a file has got columns: with the keys of their texts. */
  readonly translated: (targetLang: string) => ColumnarFormat
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
 * Whether a format is one of such files.
 *
 * @since 0.1.0
 * @category guards
 */
export const isColumnar = (format: Format): format is ColumnarFormat => format.columnar !== undefined
