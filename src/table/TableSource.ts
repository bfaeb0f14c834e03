/**
 * Rows of a query as the source of a job, into a table: of DuckDB, a file of SQLite, or PostgreSQL.
 *
 * @since 0.1.0
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Translator from "../client/Translator.js"
import type * as JobSource from "../job/JobSource.js"
import * as queriedRows from "./internal/queriedRows.js"
import * as recordedRows from "./internal/recordedRows.js"
import * as tableClient from "./internal/tableClient.js"
import * as tableOutput from "./internal/tableOutput.js"

/**
 * Rows, and where their translations go.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The query of the rows: one `SELECT`, without a semicolon. */
  readonly query: string
  /** The columns that name a row: unique together, and never NULL. */
  readonly key: Arr.NonEmptyReadonlyArray<string>
  /** The columns of texts to translate. NULL and blank texts are written as they are. */
  readonly columns: Arr.NonEmptyReadonlyArray<string>
  /**
   * The table of the translations, which is made if it is missing: a row for each language, with the columns of the key, the columns `lang`
   * and `source_hash`, and each translated column under its name. Key and `lang` need a unique constraint.
   */
  readonly output: string
  /**
   * The treatment of translations that are there. `keep`: a person's stay, and those whose texts and options are as they
   * were. `overwrite`: all are written anew; stored translations are not paid for again. @default "keep"
   */
  readonly existing?: "keep" | "overwrite" | undefined
  /** Names the rows in reports. @default "query" */
  readonly name?: string | undefined
}

/**
 * Why rows can't be translated, beside the errors of streams.
 *
 * @since 0.1.0
 * @category errors
 */
export type Failure = recordedRows.Failure

/** In one transaction: DuckDB takes half of the CPU for a row that it takes with 200. */
const groupRows = 500

/**
 * The rows of a query as a source.
 *
 * The query is read once for all languages, as a stream, as it was at one moment. The output has a column `source_hash`, of the texts and options
 * that its translations were made of. Rows whose texts or options have changed since are translated, and new ones. A person's
 * change in the output stays, and is stale once its text changes. Rows are written in the order in which they are read, in
 * transactions of 500: a job that was killed goes on behind the last of them. A text that has failed keeps the output's
 * translation, and is tried again by the next run. Rows that are gone from the source stay in the output.
 *
 * Before anything is sent, it fails if the query or the output can't be used, or if a key is missing or there twice, for
 * which the columns of the key are read. The author of a query runs SQL with the rights of the program.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  options: Options
): JobSource.JobSource<Failure, SqlClient.SqlClient | Translator.Translator> => {
  const { columns, existing, key, name = "query", query } = options
  const client = tableClient.make(undefined)
  const table = { name: "the query", query, key, columns }
  const output = { _tag: "rows", table: options.output, lang: "lang" } as const
  const isMade = Effect.flatMap(client, (sql) =>
    Effect.isSuccess(sql`SELECT 1 FROM ${sql(output.table)} LIMIT 0`)
  )
  const source = recordedRows.make({
    name,
    table,
    existing,
    rows: (targets) =>
      Stream.unwrap(
        Effect.map(isMade, (isMade) => queriedRows.rows(client, table, isMade ? output : undefined, targets))
      ),
    write: (rowOf) => tableOutput.write(client, table, output, { groupRows, rowOf })
  })
  return {
    name,
    check: (targets) =>
      Effect.gen(function* () {
        yield* tableOutput.checkSource(client, table)
        const languages = targets.map(({ lang }) => lang)
        if (yield* isMade) yield* tableOutput.check(client, table, output, languages)
        yield* queriedRows.checkKeys(client, table)
        return [`${output.table} ${name}`]
      }),
    translate: (translations) =>
      Effect.zipRight(tableOutput.prepare(client, table, output, []), source.translate(translations)),
    forecast: (forecasting) =>
      Effect.zipRight(tableOutput.checkSource(client, table), source.forecast(forecasting))
  }
}
