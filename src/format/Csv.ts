/**
 * CSV, TSV and files with other delimiters, by Papa Parse: streaming codecs between bytes and rows, and a format of files whose
 * columns are translated.
 *
 * @since 0.1.0
 */

import * as Channel from "effect/Channel"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import * as Stream from "effect/Stream"
import { is, TaggedError } from "../internal/taggedError.js"
import * as Syntax from "../text/Syntax.js"
import * as Format from "./Format.js"
import type { Encoding } from "./internal/charset.js"
import * as columnNames from "./internal/columnNames.js"
import { csvEnds } from "./internal/csv/csvEnds.js"
import { makePartReader } from "./internal/csv/csvFormat.js"
import { makeParser, type Records } from "./internal/csv/csvParser.js"
import { delimiterProblem, type Problem } from "./internal/csv/csvProblem.js"
import { makeWriter, type WriterOptions } from "./internal/csv/csvWriter.js"
import { describeIssue, parseAll } from "./internal/schemaIssue.js"
import { type Batch, transduce, valuesOrFail } from "./internal/transducer.js"

/**
 * The input cannot be read as CSV, or a row cannot be written as CSV.
 *
 * `line` (decoding) counts the lines of the input from 1, blank ones and those inside quoted fields included, and is
 * where the record begins. `row` (encoding) counts the rows from 1, without the header. `column` is the
 * column's name, where one column is at fault. The message never holds a field's value.
 *
 * @since 0.1.0
 * @category errors
 */
export class CsvError extends TaggedError<CsvError>()("CsvError", {
  line: Schema.optional(Schema.Number),
  row: Schema.optional(Schema.Number),
  column: Schema.optional(Schema.String),
  /** The reason of the schema: the value that it `expected`, or a missing column if nothing is `expected`. */
  refused: Schema.optional(Schema.Struct({ expected: Schema.optional(Schema.String) })),
  message: Schema.String
}) {}

/**
 * Returns `true` for a `CsvError`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isCsvError = is(CsvError)

/**
 * Encodings of files, by their names in the Encoding Standard. `latin1` is ISO-8859-1, and `ascii` US-ASCII.
 *
 * @since 0.1.0
 * @category models
 */
export type { Encoding } from "./internal/charset.js"

/**
 * Options for reading CSV.
 *
 * @since 0.1.0
 * @category models
 */
export interface DecodeOptions {
  /**
   * The separator of fields: one or more characters other than a double quote, CR, LF and the byte order mark.
   *
   * @default ",", or the one that a first line such as `sep=;` names, as spreadsheets write it
   */
  readonly delimiter?: string | undefined
  /** The encoding of the bytes: `latin1` is ISO-8859-1. @default UTF-16 by its byte order mark, or else UTF-8 */
  readonly encoding?: Encoding | undefined
}

/**
 * Options for writing CSV.
 *
 * @since 0.1.0
 * @category models
 */
export interface EncodeOptions<out Column extends string = string> {
  /**
   * The separator of fields: one or more characters other than a double quote, CR, LF and the byte order mark.
   *
   * @default ","
   */
  readonly delimiter?: string | undefined
  /**
   * The line end, after the last line too.
   *
   * @default "\n"
   */
  readonly newline?: "\n" | "\r\n" | undefined
  /**
   * Writes a byte order mark first, by which Excel recognises UTF-8.
   *
   * @default false
   */
  readonly bom?: boolean | undefined
  /**
   * Writes the names of the columns in the first line. Without it, rows can be appended to a file that has one.
   *
   * @default true
   */
  readonly header?: boolean | undefined
  /**
   * The columns to write and their order; others are left out. Needed for names that are integers, such as
   * `2024`, to keep their place, as JavaScript moves those to the front of an object.
   *
   * @default the fields of the schema, or else those of the first row, which all rows must then have
   */
  readonly columns?: ReadonlyArray<Column> | undefined
}

const csvError = (problem: Problem): CsvError => new CsvError(problem)

/**
 * Reads CSV with a header line as records, which have the columns as keys.
 *
 * The bytes are UTF-8 with or without a byte order mark, or UTF-16 with one; lines end with LF, CRLF or both, or with CR where the
 * first one does. Empty lines are skipped. A record has to be shorter than 16 Mi characters; only the one that is not
 * finished is kept in memory. All rows in front of a fault are emitted before the stream fails with a `CsvError`: no
 * header, a column named twice, more or fewer fields than columns, a quote that is not closed, bytes that are
 * not UTF-8.
 *
 * @since 0.1.0
 * @category codecs
 */
export const decodeRecords =
  (options?: DecodeOptions) =>
  <E, R>(self: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Record<string, string>, E | CsvError, R> => {
    const delimiter = options?.delimiter ?? ","
    const problem = delimiterProblem(delimiter)
    return problem !== undefined
      ? Stream.fail(csvError(problem))
      : transduce(() => makeParser(delimiter, options?.encoding), valuesOrFail(csvError))(self)
  }

/**
 * Reads CSV with a header line as rows of a schema.
 *
 * As `decodeRecords`, and each record is decoded by the schema: columns it does not name are dropped (unless its
 * annotation `parseOptions` says otherwise), fields are strings (an empty one is `""`, never absent), and a row it
 * refuses is a `CsvError` with line and column.
 *
 * @since 0.1.0
 * @category codecs
 */
export const decode = <A, I extends Readonly<Record<string, string | undefined>>, R2>(
  schema: Schema.Schema<A, I, R2>,
  options?: DecodeOptions
) => {
  const decodeRow = ParseResult.decodeUnknown(schema)
  const delimiter = options?.delimiter ?? ","
  const problem = delimiterProblem(delimiter)
  const decodeRows = ({ lines, problem, values }: Records) =>
    Effect.map(
      parseAll(values, (record) => decodeRow(record)),
      ({ problem: issue, values }): Batch<A, Problem> => {
        const line = lines[values.length]!
        return {
          values,
          problem: issue === undefined ? problem : { line, ...describeIssue(`Line ${line}`, issue) }
        }
      }
    )
  return <E, R>(self: Stream.Stream<Uint8Array, E, R>): Stream.Stream<A, E | CsvError, R | R2> =>
    problem !== undefined
      ? Stream.fail(csvError(problem))
      : self.pipe(
          transduce(
            () => makeParser(delimiter, options?.encoding),
            (records) => Channel.flatMap(Channel.fromEffect(decodeRows(records)), valuesOrFail(csvError))
          )
        )
}

const writerOptions = (
  options: EncodeOptions | undefined,
  fields: ReadonlyArray<string> | undefined
): WriterOptions => ({
  delimiter: options?.delimiter ?? ",",
  newline: options?.newline ?? "\n",
  bom: options?.bom ?? false,
  header: options?.header ?? true,
  columns: options?.columns ?? fields,
  allowsAbsent: fields !== undefined
})

const write =
  (options: WriterOptions) =>
  <E, R>(
    self: Stream.Stream<Batch<Readonly<Record<string, string | undefined>>, ParseResult.ParseIssue>, E, R>
  ): Stream.Stream<Uint8Array, E | CsvError, R> => {
    const problem = delimiterProblem(options.delimiter)
    return problem !== undefined
      ? Stream.fail(csvError(problem))
      : transduce(() => makeWriter(options), valuesOrFail(csvError))(self)
  }

/**
 * Writes records as CSV with a header line.
 *
 * The columns are those of the first record, unless the option `columns` names them; a stream without
 * records is written as the header if `columns` is given, else as nothing. A record that lacks a column, or has one
 * that the first had not, fails the stream with a `CsvError`, as does half of a surrogate pair.
 *
 * @since 0.1.0
 * @category codecs
 */
export const encodeRecords =
  (options?: EncodeOptions) =>
  <E, R>(
    self: Stream.Stream<Readonly<Record<string, string>>, E, R>
  ): Stream.Stream<Uint8Array, E | CsvError, R> =>
    self.pipe(
      Stream.mapChunks((chunk) => Chunk.of({ values: Chunk.toReadonlyArray(chunk), problem: undefined })),
      write(writerOptions(options, undefined))
    )

const fieldsOf = (ast: AST.AST): ReadonlyArray<string> | undefined => {
  const encoded = AST.encodedAST(ast)
  return AST.isTypeLiteral(encoded) && encoded.indexSignatures.length === 0
    ? encoded.propertySignatures.map(({ name }) => String(name))
    : undefined
}

/**
 * Writes rows of a schema as CSV with a header line.
 *
 * The columns are the schema's fields in their order, unless the option `columns` selects some. A stream without rows
 * is written as the header alone. Where the schema has no fixed fields (a record, a union), the columns are those of
 * the first row, as in `encodeRecords`. An absent optional field is written as an empty one. A row that the
 * schema refuses, or half of a surrogate pair, fails the stream with a `CsvError` with row and column.
 *
 * @since 0.1.0
 * @category codecs
 */
export const encode = <A, I extends Readonly<Record<string, string | undefined>>, R2>(
  schema: Schema.Schema<A, I, R2>,
  options?: EncodeOptions<keyof I & string>
) => {
  const encodeRow = ParseResult.encode(schema)
  const resolved = writerOptions(options, fieldsOf(schema.ast))
  return <E, R>(self: Stream.Stream<A, E, R>): Stream.Stream<Uint8Array, E | CsvError, R | R2> =>
    self.pipe(
      Stream.chunks,
      Stream.mapEffect((rows) => parseAll(Chunk.toReadonlyArray(rows), (row) => encodeRow(row))),
      write(resolved)
    )
}

/**
 * Which columns of CSV files are translated, and where their translations go.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Format.Options {
  /** The names of the columns to translate, as in the header. @default none: each file is refused, with the columns that it has */
  readonly columns?: ReadonlyArray<string> | undefined
  /**
   * The separator of fields: one or more characters other than a double quote, CR, LF and the byte order mark.
   *
   * @default comma, semicolon, tab or bar, with which the header has the columns, or the one that a first line such as `sep=;` names
   */
  readonly delimiter?: string | undefined
  /** The encoding of the bytes: `latin1` is ISO-8859-1. @default UTF-16 by its byte order mark, or else UTF-8 */
  readonly encoding?: Encoding | undefined
  /**
   * The name of the column for translations: a pattern with the column and the language, such as `{column}.{lang}`, where the
   * language is written with underscores: `title.de`, `title.pt_BR`. A column that the file lacks is added behind its last; in one
   * that it has, a field that is not blank is a translation that exists.
   *
   * @default the column itself: translations replace the texts
   */
  readonly outputColumn?: string | undefined
  /**
   * The columns that tell records apart, by which a job finds a person's corrections in an output again. No two records of a file may have
   * the same values. @default the texts, with `outputColumn`, or else the places of the records
   */
  readonly key?: ReadonlyArray<string> | undefined
  /**
   * A record with more or fewer fields than the header, or with a quoted field that goes on after its closing quote, ends the file, or
   * passes as it is, as a part with a `problem`. The next one begins behind the first line end where all quotes are closed. A quote that
   * nothing closes ends the file in any case.
   *
   * @default "fail"
   */
  readonly onBadLine?: "fail" | "skip" | undefined
}

/**
 * The format of CSV files: fields of the named columns are its units, with keys such as `12:title`, where 12 counts the records
 * from 1 without the header.
 *
 * Delimiter, line ends, byte order mark, blank lines and all other fields stay as they are, with their quotes. A translation has
 * quotes if the text had some, or if it needs them. Blank fields are no units. Files are read as by `decodeRecords`, with the
 * same errors, except that columns which are not translated may share a name. A new column makes every record longer by an empty
 * field, those without a translation too. Fails also if the header lacks one of the columns, or if `outputColumn` gives two columns the same one.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Options) => Format.Format = ({
  columns = [],
  delimiter,
  encoding,
  extensions = [".csv", ".tsv"],
  key = [],
  onBadLine = "fail",
  outputColumn
} = {}) => ({
  name: "csv",
  extensions,
  settings: { columns, delimiter, encoding, onBadLine, outputColumn },
  choices: columns,
  isBilingual: outputColumn !== undefined,
  isStreamed: true,
  isSameForTargets: outputColumn === undefined,
  place: "rows",
  placeholders: Syntax.ofRows,
  rows: { key },
  records: {
    hasHeader: true,
    texts: columns.length,
    ends: (head) => csvEnds(delimiter, columns, head)
  },
  decode: ({ file, identity, isOneOfSeveral, targetLang }) => {
    const fail = (problem: Format.Problem) => Format.formatError("csv", file, problem)
    const problem = delimiter === undefined ? undefined : delimiterProblem(delimiter)
    const options = {
      columns,
      delimiter,
      encoding,
      outputColumnOf: (column: string) =>
        outputColumn === undefined ? column : columnNames.translated(outputColumn, column, targetLang),
      file,
      isOneOfSeveral,
      key: identity === "key" ? key : undefined,
      hasIds: identity !== undefined,
      skipsBadLines: onBadLine === "skip"
    }
    if (problem !== undefined) return () => Stream.fail(fail({ message: problem.message }))
    return transduce(() => makePartReader(options), valuesOrFail(fail))
  }
})

/**
 * CSV with the default options: each file is refused, with the columns that it has.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()
