import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../../api/LanguageCode.js"
import * as LocalePath from "../../../format/LocalePath.js"
import * as columnPattern from "../../../internal/columnPattern.js"
import type * as JobSource from "../../../job/JobSource.js"
import { TableUnusable } from "../../TableCorpusError.js"
import * as tableClient from "./tableClient.js"
import { from, keyOf, list, type Raw, type Row, type Table } from "./tableRows.js"

/** Where translations go: into a row for each language, or into a column for each. */
export type Output =
  | RowsOutput
  | { readonly _tag: "columns"; readonly table: string; readonly pattern: string }

export interface RowsOutput {
  readonly _tag: "rows"
  readonly table: string
  readonly lang: string
  /** A column that tells what a row was translated from, if all of it was. */
  readonly hash?:
    | { readonly column: string; readonly of: (row: Row, targetLang: string) => string }
    | undefined
}

type Client = SqlClient.SqlClient

type Outcome = JobSource.RowOutcome<Row>

/** The column that has the translations of a column: `title_pt_br`. */
const columnOf = (pattern: string, column: string, targetLang: string): string =>
  columnPattern.nameOf(pattern, column, LocalePath.toCode(targetLang, "lowerUnderscore"))

/** The columns of a row that are written: a text that has failed leaves what is there, and a row of such texts alone is not written. */
const written = (columns: ReadonlyArray<string>, outcome: Outcome): ReadonlyArray<string> => {
  if (outcome._tag !== "Failed") return columns
  if (outcome.translations.every((translation) => translation === undefined)) return []
  const failed = new Set(outcome.failures.map(({ field }) => field))
  return columns.filter((column) => !failed.has(column))
}

/** Rows by the columns that are written: mostly all of them. */
const byColumns = (columns: ReadonlyArray<string>, outcomes: ReadonlyArray<Outcome>) => {
  const groups = new Map<string, { readonly columns: ReadonlyArray<string>; readonly rows: Array<Outcome> }>()
  for (const outcome of outcomes) {
    const own = written(columns, outcome)
    if (own.length === 0) continue
    const name = own === columns ? "" : JSON.stringify(own)
    const group = groups.get(name) ?? { columns: own, rows: [] }
    groups.set(name, group)
    group.rows.push(outcome)
  }
  return Array.from(groups.values())
}

const upsert = (
  sql: Client,
  { columns: all, key }: Table,
  { hash, lang, table }: RowsOutput,
  targetLang: string,
  outcomes: ReadonlyArray<Outcome>
): Effect.Effect<void, SqlError> =>
  Effect.forEach(
    byColumns(all, outcomes),
    ({ columns, rows }) => {
      const records = rows.map(({ source, value }) => ({
        ...Object.fromEntries(key.map((name, index) => [name, source[keyOf][index]])),
        [lang]: LanguageCode.canonical(targetLang),
        ...(hash === undefined
          ? {}
          : { [hash.column]: columns === all ? hash.of(source, targetLang) : null }),
        ...Object.fromEntries(columns.map((column) => [column, value[column]]))
      }))
      const changed = hash === undefined ? columns : [hash.column, ...columns]
      const set = changed.map((column) => sql`${sql(column)} = EXCLUDED.${sql(column)}`)
      return sql`INSERT INTO ${sql(table)} ${sql.insert(records)} ON CONFLICT (${list(sql, [...key, lang])}) DO UPDATE SET ${sql.csv(set)}`
    },
    { discard: true }
  )

const hashColumn = ({ hash }: RowsOutput): ReadonlyArray<string> => (hash === undefined ? [] : [hash.column])

const update = (
  sql: Client,
  { columns: all, key }: Table,
  { pattern, table }: Extract<Output, { _tag: "columns" }>,
  targetLang: string,
  outcomes: ReadonlyArray<Outcome>
): Effect.Effect<void, SqlError> =>
  Effect.forEach(
    outcomes,
    (outcome) => {
      const columns = written(all, outcome)
      if (columns.length === 0) return Effect.void
      const set = columns.map(
        (column) => sql`${sql(columnOf(pattern, column, targetLang))} = ${outcome.value[column] ?? null}`
      )
      const where = key.map((name, index) => sql`${sql(name)} = ${outcome.source[keyOf][index]}`)
      return sql`UPDATE ${sql(table)} SET ${sql.csv(set)} WHERE ${sql.and(where)}`
    },
    { discard: true }
  )

/** Writes rows as they come, in groups: the same rows again write the same. */
export const write =
  (
    client: tableClient.Client,
    table: Table,
    output: Output,
    /** How many rows are written in one transaction. */
    groupRows = 200
  ) =>
  (targetLang: string) =>
  (
    outcomes: Stream.Stream<Outcome, JobSource.RowsError>
  ): Effect.Effect<void, JobSource.RowsError | TableUnusable, SqlClient.SqlClient> =>
    Effect.flatMap(client, (sql) =>
      outcomes.pipe(
        Stream.rechunk(groupRows),
        Stream.chunks,
        Stream.runForEach((chunk) => {
          const group = Chunk.toReadonlyArray(chunk)
          return tableClient.run(output.table)(
            sql.withTransaction(
              output._tag === "rows"
                ? upsert(sql, table, output, targetLang, group)
                : update(sql, table, output, targetLang, group)
            )
          )
        })
      )
    )

/** The columns of a source, by a row of NULLs beside it: nothing of it is read. */
const columnsOf = (sql: Client, table: Table) =>
  Effect.map(
    sql<Raw>`SELECT ${sql("it")}.* FROM (SELECT 1 AS ${sql("one")}) AS ${sql("beside")} LEFT JOIN (SELECT * FROM ${from(sql, table)} LIMIT 0) AS ${sql("it")} ON 1 = 1`,
    ([row = {}]) => Object.keys(row)
  )

/** Says which columns there are, where that one is missing is what is wrong: databases name some of them, or none. */
const namingColumns = (sql: Client, table: Table) => (error: TableUnusable) =>
  Effect.gen(function* () {
    const there = yield* Effect.orElseSucceed(columnsOf(sql, table), () => [])
    const known = new Set(there.map((name) => name.toLowerCase()))
    const missing = [...table.key, ...table.columns].find((name) => !known.has(name.toLowerCase()))
    if (there.length === 0 || missing === undefined) return yield* error
    const [name, ...names] = [missing, ...there].map((column) => JSON.stringify(column))
    return yield* new TableUnusable({
      table: table.name,
      code: error.code,
      reason: `it has no column ${name}, but ${names.join(", ")}`
    })
  })

/** Reads nothing, and fails if the source or a column of it is missing. */
export const checkSource = (
  client: tableClient.Client,
  table: Table
): Effect.Effect<void, TableUnusable, SqlClient.SqlClient> =>
  Effect.flatMap(client, (sql) => {
    const where = table.where === undefined ? sql`1 = 1` : sql`(${sql.literal(table.where)}\n)`
    return tableClient
      .run(table.name)(
        sql`SELECT ${list(sql, [...table.key, ...table.columns])} FROM ${from(sql, table)} WHERE ${where} LIMIT 0`
      )
      .pipe(Effect.catchAll(namingColumns(sql, table)))
  })

/** Reads nothing, and fails if a table or a column is missing. */
export const check = (
  client: tableClient.Client,
  table: Table,
  output: Output,
  targets: ReadonlyArray<string>
): Effect.Effect<void, TableUnusable, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* client
    yield* checkSource(client, table)
    const names =
      output._tag === "rows"
        ? [...table.key, output.lang, ...hashColumn(output), ...table.columns]
        : [
            ...table.key,
            ...targets.flatMap((lang) =>
              table.columns.map((column) => columnOf(output.pattern, column, lang))
            )
          ]
    yield* tableClient.run(output.table)(sql`SELECT ${list(sql, names)} FROM ${sql(output.table)} LIMIT 0`)
  })

/** Makes the table, or the columns, that are missing. */
export const prepare = (
  client: tableClient.Client,
  table: Table,
  output: Output,
  targets: ReadonlyArray<string>
): Effect.Effect<void, TableUnusable, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* client
    const isThere = (names: ReadonlyArray<string>) =>
      Effect.isSuccess(sql`SELECT ${list(sql, names)} FROM ${sql(output.table)} LIMIT 0`)
    if (output._tag === "columns") {
      for (const lang of targets) {
        for (const name of table.columns.map((column) => columnOf(output.pattern, column, lang))) {
          if (yield* isThere([name])) continue
          yield* tableClient.run(output.table)(
            sql`ALTER TABLE ${sql(output.table)} ADD COLUMN ${sql(name)} TEXT`
          )
        }
      }
      return
    }
    const { key } = table
    if (yield* isThere(key)) return
    const columns = [
      list(sql, key),
      ...[output.lang, ...hashColumn(output)].map((name) => sql`CAST('' AS TEXT) AS ${sql(name)}`),
      // Translations may be longer than what a type of the source holds.
      ...table.columns.map((name) => sql`CAST(${sql(name)} AS TEXT) AS ${sql(name)}`)
    ]
    const index = `${output.table.replaceAll(".", "_")}_key_lang`
    yield* tableClient.run(output.table)(
      sql.withTransaction(
        Effect.zipRight(
          sql`CREATE TABLE ${sql(output.table)} AS SELECT ${sql.csv(columns)} FROM ${from(sql, table)} WHERE 1 = 0`,
          sql`CREATE UNIQUE INDEX ${sql(index)} ON ${sql(output.table)} (${list(sql, [...key, output.lang])})`
        )
      )
    )
  })
