/**
 * Rows of a query as what a job translates, into a table: of DuckDB, a file of SQLite, or PostgreSQL.
 *
 * @since 0.1.0
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type * as TranslateError from "../client/TranslateError.js"
import { hash } from "../internal/hash.js"
import * as JobSource from "../job/JobSource.js"
import * as TranslateStream from "../stream/TranslateStream.js"
import type * as Translator from "../stream/Translator.js"
import * as queriedRows from "./internal/corpora/queriedRows.js"
import * as tableClient from "./internal/corpora/tableClient.js"
import * as tableOutput from "./internal/corpora/tableOutput.js"
import { keyOf, type Row } from "./internal/corpora/tableRows.js"
import type { TableCorpusError } from "./TableCorpusError.js"

/**
 * Rows, and where their translations go.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** What is read: one `SELECT`, without a semicolon. */
  readonly query: string
  /** The columns that name a row: unique together, and never NULL. */
  readonly key: Arr.NonEmptyReadonlyArray<string>
  /** The columns of texts to translate. NULL and blanks are written as they are. */
  readonly columns: Arr.NonEmptyReadonlyArray<string>
  /**
   * The table of the translations, which is made if it is missing: a row for each language, with the columns of the key, the columns `lang`
   * and `source_hash`, and each translated column under its name. Key and `lang` need a unique constraint.
   */
  readonly output: string
  /**
   * What becomes of translations that are there. `keep`: those stay whose texts and options are as they were. `overwrite`: all are written anew; what is
   * in the store of the job is not paid for again. @default "keep"
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
export type Failure = TableCorpusError | TranslateError.TranslateError

const lang = "lang"
const sourceHash = "source_hash"

/** In one transaction: DuckDB takes half of the CPU for a row that it takes with 200. */
const groupRows = 500

/**
 * The rows of a query as a source.
 *
 * The query is read once for all languages, as a stream, as it was at one moment. Rows are translated and written whose texts or options are others
 * than those that `source_hash` tells of, so a second run takes up what is new or has changed. They are written in the order in which
 * they are read, in transactions of 500: a job that was killed goes on behind the last of them. A row of which a text has failed keeps what the output
 * has for it, and is tried again by the next run. Rows that are gone from the source stay in the output.
 *
 * Before anything is sent, it fails if the query or the output can't be used, or if a key is missing or there twice, for which the
 * columns of the key are read. Whoever gives a query runs SQL with the rights of the program.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  options: Options
): JobSource.JobSource<Failure, SqlClient.SqlClient | Translator.Translator> => {
  const { columns, existing = "keep", key, name = "query", output, query } = options
  const client = tableClient.make(undefined)
  const table = { name: "the query", query, key, columns }

  const outputOf = (hashOf: (row: Row, targetLang: string) => string): queriedRows.Known => ({
    _tag: "rows",
    table: output,
    lang,
    hash: { column: sourceHash, of: hashOf }
  })
  const plain = outputOf(() => "")

  const isMade = Effect.flatMap(client, (sql) => Effect.isSuccess(sql`SELECT 1 FROM ${sql(output)} LIMIT 0`))

  /** The rows that languages lack with these options. */
  const sourceFor = (all: ReadonlyArray<TranslateStream.Options>, isAnew: boolean) =>
    Effect.gen(function* () {
      const choices = new Map<string, unknown>()
      for (const each of all) choices.set(each.targetLang, yield* TranslateStream.choicesOf(each))
      const known = outputOf((row, targetLang) =>
        hash(JSON.stringify([choices.get(targetLang), columns.map((column) => row[column])]))
      )
      const targets = Array.from(choices.keys())
      const isWritten = (row: queriedRows.KnownRow, targetLang: string) =>
        row[queriedRows.hashesOf].get(targetLang) === known.hash.of(row, targetLang)
      return JobSource.rows({
        name,
        rows: queriedRows.rows(client, table, (yield* isMade) ? known : undefined, targets),
        key: (row) => row[keyOf].join("/"),
        fields: columns,
        isWritten: isAnew || existing === "overwrite" ? undefined : isWritten,
        write: tableOutput.write(client, table, known, groupRows)
      })
    })

  return {
    name,
    check: (targets) =>
      Effect.gen(function* () {
        yield* tableOutput.checkSource(client, table)
        if (yield* isMade) yield* tableOutput.check(client, table, plain, targets)
        yield* queriedRows.checkKeys(client, table)
        return [`${output} ${name}`]
      }),
    translate: (translations) =>
      Effect.gen(function* () {
        const options = translations.map(({ options }) => options)
        yield* tableOutput.prepare(client, table, plain, [])
        const source = yield* sourceFor(
          options,
          translations.some(({ refresh }) => refresh === true)
        )
        return yield* source.translate(translations)
      }),
    forecast: (forecasting) =>
      tableOutput.checkSource(client, table).pipe(
        Effect.zipRight(sourceFor(forecasting.options, forecasting.refresh === true)),
        Effect.flatMap(({ forecast }) => forecast(forecasting))
      )
  }
}
