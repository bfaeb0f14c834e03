/**
 * Parquet files.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Syntax from "../text/Syntax.js"
import type { ColumnarFormat } from "./Columnar.js"
import * as Format from "./Format.js"
import * as columnNames from "./internal/columnNames.js"

/**
 * Which columns are translated, and where their translations go.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Format.Options {
  /** The names of the columns to translate. @default none: each file is refused, with the columns that it has */
  readonly columns?: ReadonlyArray<string> | undefined
  /**
   * The name of a new column: a pattern with the column and the language, which is written with underscores: `text_de`,
   * `text_pt_BR`. The file must not have it.
   *
   * @default "{column}_{lang}"
   */
  readonly outputColumn?: string | undefined
  /**
   * The columns that tell rows apart, by which a job finds a person's corrections in an output again: texts, of which no two rows have the
   * same. @default the texts that are translated
   */
  readonly key?: ReadonlyArray<string> | undefined
}

const name = "parquet"

/** Its columns are called by other names in keys. */
const formatOf = (
  {
    columns,
    extensions,
    key,
    outputColumn
  }: Record<"columns" | "extensions" | "key", ReadonlyArray<string>> & { readonly outputColumn: string },
  names: ReadonlyArray<string> = columns
): ColumnarFormat => ({
  name,
  extensions,
  settings: { columns, outputColumn },
  choices: columns,
  rows: { key },
  isBilingual: false,
  isSameForTargets: true,
  place: "rows",
  placeholders: Syntax.ofRows,
  columnar: {
    open: (file, options) =>
      // The module that reads and writes pages is loaded with the first file of the kind, and not when a program begins.
      Effect.flatMap(
        Effect.promise(() => import("./internal/parquet/parquetFile.js")),
        (parquetFile) => parquetFile.open(file, { ...options, format: name, columns, names, outputColumn })
      ),
    translated: (targetLang, found) =>
      formatOf(
        {
          columns: found.map((column) => columnNames.translated(outputColumn, column, targetLang)),
          extensions,
          key,
          outputColumn
        },
        found
      ),
    ofColumns: (columns) => formatOf({ columns, extensions, key, outputColumn })
  },
  decode:
    ({ file }) =>
    () =>
      Stream.fail(
        Format.formatError(name, file, {
          message:
            "it is read at any place, and not from its beginning to its end: name a file that is there."
        })
      )
})

/**
 * The format of Parquet files: the values of the named columns are its units, with keys such as `12:title`, where 12 counts
 * the rows from 1.
 *
 * A file is read at any place, so bytes that come one behind the other are refused. Columns are texts that are no part of
 * another column, with nulls or without: `BYTE_ARRAY` of the type `STRING`, or of none if the values are UTF-8. Translations
 * go into new columns behind the last; null stays null, and a blank text stays as it is. All else stays byte for byte: pages
 * with their encoding and compression, statistics, page indexes, Bloom filters, and the metadata of programs, of which that
 * of Arrow gets the new columns.
 *
 * A page of a named column may have 64 MiB, and the texts of a row group, once for each language of a file, 2 GiB. Encrypted
 * files are refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Options) => ColumnarFormat = ({
  columns = [],
  extensions = [".parquet"],
  key = [],
  outputColumn = "{column}_{lang}"
} = {}) => formatOf({ columns, extensions, key, outputColumn })

/**
 * Parquet with the default options: each file is refused, with the columns that it has.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: ColumnarFormat = make()
