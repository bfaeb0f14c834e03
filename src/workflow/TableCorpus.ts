/**
 * Rows of a table or a query, as the corpus of a durable job.
 *
 * @since 0.1.0
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as LanguageCode from "../api/LanguageCode.js"
import type * as Translator from "../client/Translator.js"
import * as columnPattern from "../internal/columnPattern.js"
import type { TableError } from "../table/TableError.js"
import * as TableRanges from "../table/TableRanges.js"
import type { Failure } from "../table/TableSource.js"
import * as Corpus from "./Corpus.js"
import type * as CorpusJob from "./CorpusJob.js"

/**
 * The name of this kind of corpus in jobs.
 *
 * @since 0.1.0
 * @category constants
 */
export const name = "table"

/**
 * A row for each language: a table with the columns of the key, one for the language (`de`, `pt-BR`), `source_hash`, and one for each
 * translated column under the same name. Key and language together need a unique constraint.
 *
 * @since 0.1.0
 * @category schemas
 */
export const RowsOutput = Schema.Struct({
  table: Schema.NonEmptyString,
  /** The column of the language. @default "lang" */
  lang: Schema.optional(Schema.NonEmptyString)
})

/**
 * A column for each language, such as `title_de` and `title_pt_br`, beside `source_hash_de` and `source_hash_pt_br`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ColumnsOutput = Schema.Struct({
  /** The name of the column: a pattern such as `{column}_{lang}`. */
  columns: Schema.NonEmptyString,
  /** The table that has them, with the columns of the key. @default the table that is read */
  table: Schema.optional(Schema.NonEmptyString)
})

const names = Schema.NonEmptyArray(Schema.NonEmptyString)

const fields = {
  /** The table that is read, with its schema if it needs one: `shop.articles`. */
  table: Schema.optional(Schema.NonEmptyString),
  /** A query that is read in place of a table: SQL without a semicolon. */
  query: Schema.optional(Schema.NonEmptyString),
  /** The columns that name a row: unique together, never NULL, texts or integers, with an index in this order. */
  key: names,
  /** The columns of texts to translate. */
  columns: names,
  /** Which rows: SQL behind `WHERE`. @default all */
  where: Schema.optional(Schema.NonEmptyString),
  /** Where the translations go. */
  output: Schema.Union(ColumnsOutput, RowsOutput),
  /**
   * The treatment of translations that are there. `keep`: a person's stay, and those whose texts and options are as they
   * were. `overwrite`: all are written anew; stored translations are not paid for again. @default "keep"
   */
  existing: Schema.optional(Schema.Literal("keep", "overwrite")),
  /** Names the rows in reports. @default the table, or "query" */
  name: Schema.optional(Schema.NonEmptyString),
  /** About how many rows one worker writes in one step. @default 10000 */
  rangeRows: Schema.optional(Schema.Positive.pipe(Schema.int()))
}

const problemOf = ({
  columns,
  key,
  output,
  query,
  table
}: Schema.Struct.Type<typeof fields>): true | string => {
  if ((table === undefined) === (query === undefined)) return "name a table, or a query in place of one."
  const all = [...key, ...columns, "source_hash", ...("columns" in output ? [] : [output.lang ?? "lang"])]
  if (new Set(all).size < all.length) {
    return `no column may be named twice, of ${all.join(", ")}: a key is not translated.`
  }
  if (!("columns" in output)) return true
  const problem = columnPattern.problemOf(output.columns, columns)
  if (problem !== undefined) return problem
  return (
    table !== undefined || output.table !== undefined || "name the table that has the columns of the output."
  )
}

/**
 * Rows, and where their translations go.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Options = Schema.Struct(fields).pipe(Schema.filter(problemOf))

/**
 * Rows, and where their translations go.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Schema.Schema.Type<typeof Options> {}

const Reference = Schema.Struct({
  ...fields,
  /** The last keys of the ranges, but of the last one, which has no end. @default one range has all rows */
  ranges: Schema.optional(TableRanges.Keys)
}).pipe(Schema.filter(problemOf))

/**
 * The context for translating rows.
 *
 * @since 0.1.0
 * @category models
 */
export type Context = SqlClient.SqlClient | Translator.Translator

/**
 * Options for reading and writing tables on workers.
 *
 * @since 0.1.0
 * @category models
 */
export interface KindOptions {
  /** The name that jobs have of it. @default "table" */
  readonly name?: string | undefined
  /** The database that has the tables. @default the database of the jobs */
  readonly client?: SqlClient.SqlClient | undefined
  /**
   * The tables that jobs may read and write, as they name them. With this list jobs may have neither `query` nor `where`, which are SQL.
   * @default all, and any SQL
   */
  readonly allow?: ReadonlyArray<string> | undefined
}

const tableOf = ({ output, ...options }: Options): TableRanges.Options => ({
  existing: options.existing,
  table: { ...options, name: options.table ?? "the query" },
  output:
    "columns" in output
      ? { _tag: "columns", table: output.table ?? options.table ?? "", pattern: output.columns }
      : { _tag: "rows", table: output.table, lang: output.lang ?? "lang" }
})

const isAllowed =
  (allow: ReadonlyArray<string> | undefined) =>
  (options: Options): true | string => {
    if (allow === undefined) return true
    if (options.query !== undefined || options.where !== undefined) {
      return `the workers read tables only (${allow.join(", ")}), without query and where: make a view, and have it allowed.`
    }
    const other = [options.table ?? "", tableOf(options).output.table].find((table) => !allow.includes(table))
    return (
      other === undefined ||
      `the workers may not use the table ${other}, but ${allow.join(", ")} only: name one of these, or start the workers with other tables.`
    )
  }

/**
 * A kind of corpus that is rows, with tables that are allowed, or of another database.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeKind: (options?: KindOptions) => Corpus.Kind<Failure, Context> = ({
  allow,
  client,
  name: called = name
} = {}) =>
  Corpus.kind({
    name: called,
    reference: Reference.pipe(Schema.filter(isAllowed(allow))),
    open: (options) =>
      Effect.sync(() => {
        const { ranges = [], table = "query" } = options
        const named = options.name ?? table
        return {
          sources: [...ranges, undefined].map((until, index) =>
            TableRanges.source(
              client,
              tableOf(options),
              ranges.length === 0 ? named : `${named} ${index + 1}`,
              {
                after: ranges[index - 1],
                until
              }
            )
          )
        }
      })
  })

/**
 * The kind of corpus that is rows of the database of the jobs: PostgreSQL, or a libsql file.
 *
 * A range of rows is a source: one worker writes its translations, in transactions of 200 rows that may be repeated. Ranges
 * are cut into slices by keys, unless a worker translates a whole range as one of its steps. Rows are read page by page in
 * the order of the keys, so the memory it takes does not grow with the table. A text that has failed leaves the output's
 * translation; a blank text of the source is so in the output. Rows that are gone from the source stay in the output.
 *
 * Columns of rows are translated and written whose texts or options are others than those that the column `source_hash` of
 * the output tells of (`source_hash_de` and so on, where each language has columns of its own). A person's change in the
 * output stays, and is stale once its text changes. An output without that column gets it: its texts that are equal to their
 * translations count as the machine's, and all else stays as a person's.
 *
 * A row that is added or changed while the job runs is translated if its range was not written yet. A submitter of jobs runs
 * SQL with the rights of the workers: give these a role that may do no more than it should, or see `allow` of {@link
 * makeKind}.
 *
 * @since 0.1.0
 * @category constructors
 */
export const kind: Corpus.Kind<Failure, Context> = makeKind()

const decode = Schema.decodeUnknown(Options)

const checked = (options: Options) =>
  Effect.mapError(
    decode(options),
    ({ message }) =>
      new Corpus.InvalidReference({ kind: name, message: `The rows can't be translated: ${message}` })
  )

/**
 * Options for making a corpus of rows.
 *
 * @since 0.1.0
 * @category models
 */
export interface MakeOptions extends Pick<KindOptions, "client" | "name"> {}

/**
 * Rows as the corpus of a job. Reads the index of the key once, to find ranges of `rangeRows` rows, which are in the
 * reference: so they stay the same after restarts, and rows that are added later are in one of them. A reference without
 * them is right too, and makes one range of all rows, which one worker writes.
 *
 * @since 0.1.0
 * @category constructors
 */
export const reference: (
  options: Options,
  makeOptions?: MakeOptions
) => Effect.Effect<CorpusJob.Reference, Corpus.InvalidReference | TableError, SqlClient.SqlClient> = (
  options,
  { client, name: called = name } = {}
) =>
  Effect.gen(function* () {
    const given = yield* checked(options)
    const ranges = yield* TableRanges.keys(client, tableOf(given), given.rangeRows ?? 10_000)
    return { kind: called, reference: { ...given, ranges } }
  })

/**
 * Makes the missing parts of the output: the table with its unique index, or the columns of the languages. Leaves existing
 * parts alone. Workers add no more than the columns of hashes, so do this before the job is submitted, if the output is not
 * there.
 *
 * @since 0.1.0
 * @category combinators
 */
export const makeOutput: (
  options: Options,
  targets: ReadonlyArray<LanguageCode.TargetLanguage>,
  makeOptions?: MakeOptions
) => Effect.Effect<void, Corpus.InvalidReference | TableError, SqlClient.SqlClient> = (
  options,
  targets,
  { client } = {}
) => Effect.flatMap(checked(options), (given) => TableRanges.prepare(client, tableOf(given), targets))

/**
 * The version of rows, as the `revision` of a job: a hash of their keys and texts, and of the options. Reads all of
 * them, in flat memory; where a table knows when it was changed, that time is a cheaper revision.
 *
 * @since 0.1.0
 * @category combinators
 */
export const revision: (
  options: Options,
  makeOptions?: MakeOptions
) => Effect.Effect<string, Corpus.InvalidReference | TableError, SqlClient.SqlClient> = (
  options,
  { client } = {}
) =>
  Effect.flatMap(checked(options), (given) => TableRanges.hash(client, tableOf(given), JSON.stringify(given)))
