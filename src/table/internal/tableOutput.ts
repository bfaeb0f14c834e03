import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Arr from "effect/Array"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as OutputPath from "../../format/OutputPath.js"
import * as columnPattern from "../../internal/columnPattern.js"
import { TableUnusable } from "../TableError.js"
import { before } from "./columnRecords.js"
import * as tableClient from "./tableClient.js"
import { from, type Key, list, type Raw, type Table } from "./tableRows.js"

/** Where translations go: into a row for each language, or into a column for each. */
export type Output =
  | { readonly _tag: "rows"; readonly table: string; readonly lang: string }
  | { readonly _tag: "columns"; readonly table: string; readonly pattern: string }

/** A row as it is written. */
export interface OutputRow {
  readonly key: Key
  /** The translations by the columns of the source, but of those that stay. */
  readonly texts: Readonly<Record<string, string | null>>
  /** The hashes of all columns. */
  readonly record: string
}

type Client = SqlClient.SqlClient

const codeOf = (targetLang: string) => OutputPath.toCode(targetLang, "lowerUnderscore")

/** The column that has the translations of a column: `title`, or `title_pt_br`. */
export const columnIn = (output: Output, column: string, targetLang: string): string =>
  output._tag === "rows" ? column : columnPattern.nameOf(output.pattern, column, codeOf(targetLang))

/** The column that has the hashes. */
export const hashIn = ({ _tag }: Output, targetLang: string): string =>
  _tag === "rows" ? "source_hash" : `source_hash_${codeOf(targetLang)}`

/** The values of a row, by its columns. */
const valuesOf = (output: Output, targetLang: string, { record, texts }: OutputRow) => ({
  [hashIn(output, targetLang)]: record,
  ...Object.fromEntries(
    Object.entries(texts).map(([column, text]) => [columnIn(output, column, targetLang), text])
  )
})

const upsert = (
  sql: Client,
  { key }: Table,
  output: Extract<Output, { _tag: "rows" }>,
  targetLang: string,
  rows: ReadonlyArray<OutputRow>
): Effect.Effect<void, SqlError> => {
  const { lang, table } = output
  // Mostly all columns are written.
  const groups = Arr.groupBy(rows, ({ texts }) => JSON.stringify(Object.keys(texts)))
  return Effect.forEach(
    Object.values(groups),
    (rows) => {
      const records = rows.map((row) => ({
        ...Object.fromEntries(key.map((name, index) => [name, row.key[index]])),
        [lang]: LanguageCode.canonical(targetLang),
        ...valuesOf(output, targetLang, row)
      }))
      const changed = Object.keys(valuesOf(output, targetLang, rows[0]))
      const set = changed.map((column) => sql`${sql(column)} = EXCLUDED.${sql(column)}`)
      return sql`INSERT INTO ${sql(table)} ${sql.insert(records)} ON CONFLICT (${list(sql, [...key, lang])}) DO UPDATE SET ${sql.csv(set)}`
    },
    { discard: true }
  )
}

const update = (
  sql: Client,
  { key }: Table,
  output: Output,
  targetLang: string,
  rows: ReadonlyArray<OutputRow>
): Effect.Effect<void, SqlError> =>
  Effect.forEach(
    rows,
    (row) => {
      const values = Object.entries(valuesOf(output, targetLang, row))
      const set = values.map(([column, value]) => sql`${sql(column)} = ${value}`)
      const where = key.map((name, index) => sql`${sql(name)} = ${row.key[index]}`)
      return sql`UPDATE ${sql(output.table)} SET ${sql.csv(set)} WHERE ${sql.and(where)}`
    },
    { discard: true }
  )

/** Writes rows as they come, in groups, each in one transaction: the same rows again write the same. */
export const write = <A>(
  client: tableClient.Client,
  table: Table,
  output: Output,
  {
    groupRows = 200,
    rowOf
  }: {
    readonly groupRows?: number | undefined
    /** The row that is written of an outcome, if one is. */
    readonly rowOf: (outcome: A, targetLang: string) => OutputRow | undefined
  }
) => {
  const statements = output._tag === "rows" ? upsert : update
  return (targetLang: string) =>
    <E>(outcomes: Stream.Stream<A, E>): Effect.Effect<void, E | TableUnusable, SqlClient.SqlClient> =>
      Effect.flatMap(client, (sql) =>
        outcomes.pipe(
          Stream.rechunk(groupRows),
          Stream.chunks,
          Stream.runForEach((chunk) => {
            const rows = Chunk.toReadonlyArray(
              Chunk.filterMap(chunk, (outcome) => Option.fromNullable(rowOf(outcome, targetLang)))
            )
            return tableClient.run(output.table)(
              sql.withTransaction(statements(sql, table, output as never, targetLang, rows))
            )
          })
        )
      )
}

/** The columns of a source, by a row of NULLs beside it: nothing of it is read. */
const columnsOf = (sql: Client, table: Table) =>
  Effect.map(
    sql<Raw>`SELECT ${sql("it")}.* FROM (SELECT 1 AS ${sql("one")}) AS ${sql("beside")} LEFT JOIN (SELECT * FROM ${from(sql, table)} LIMIT 0) AS ${sql("it")} ON 1 = 1`,
    ([row = {}]) => Object.keys(row)
  )

const quoted = (names: ReadonlyArray<string>) => names.map((name) => JSON.stringify(name)).join(", ")

/** Adds the columns of the table to an error about a missing one: databases name some of them, or none. */
const namingColumns = (sql: Client, table: Table) => (error: TableUnusable) =>
  Effect.gen(function* () {
    const there = yield* Effect.orElseSucceed(columnsOf(sql, table), () => [])
    const known = new Set(there.map((name) => name.toLowerCase()))
    const missing = [...table.key, ...table.columns].find((name) => !known.has(name.toLowerCase()))
    if (there.length === 0 || missing === undefined) return yield* error
    return yield* new TableUnusable({
      table: table.name,
      code: error.code,
      reason: `it has no column ${quoted([missing])}, but ${quoted(there)}`
    })
  })

/** Reads nothing, and fails if the source or a column of it is missing. */
export const checkSource = (
  client: tableClient.Client,
  table: Table
): Effect.Effect<void, TableUnusable, SqlClient.SqlClient> =>
  Effect.flatMap(client, (sql) =>
    tableClient
      .run(table.name)(
        sql`SELECT ${list(sql, [...table.key, ...table.columns])} FROM ${from(sql, table)} LIMIT 0`
      )
      .pipe(Effect.catchAll(namingColumns(sql, table)))
  )

/** The columns of an output, without those of hashes. */
const namesOf = (table: Table, output: Output, targets: ReadonlyArray<string>) => [
  ...table.key,
  ...(output._tag === "rows" ? [output.lang] : []),
  ...new Set(targets.flatMap((lang) => table.columns.map((column) => columnIn(output, column, lang))))
]

const hashesOf = (output: Output, targets: ReadonlyArray<string>) =>
  Array.from(new Set(targets.map((targetLang) => hashIn(output, targetLang))))

/** Adds the columns and the constraint that an output needs to the reason of the database. */
const namingNeeds =
  ({ key }: Table, output: Output, names: ReadonlyArray<string>) =>
  ({ code, reason, table }: TableUnusable) =>
    new TableUnusable({
      table,
      code,
      reason:
        reason &&
        `${reason}. It needs the columns ${quoted(names)}${output._tag === "rows" ? `, and a unique constraint on ${quoted([...key, output.lang])}` : ""}`
    })

/** Reads nothing, and fails if a table or a column is missing; those of hashes are added later. */
export const check = (
  client: tableClient.Client,
  table: Table,
  output: Output,
  targets: ReadonlyArray<string>
): Effect.Effect<void, TableUnusable, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* client
    yield* checkSource(client, table)
    const names = namesOf(table, output, targets)
    yield* tableClient
      .run(output.table)(sql`SELECT ${list(sql, names)} FROM ${sql(output.table)} LIMIT 0`)
      .pipe(Effect.mapError(namingNeeds(table, output, names)))
  })

const has = (sql: Client, { table }: Output, names: ReadonlyArray<string>) =>
  Effect.isSuccess(sql`SELECT ${list(sql, names)} FROM ${sql(table)} LIMIT 0`)

/** Adds the columns of hashes that an output was made without. The authors of its translations are unknown then. */
export const addHashes = (
  client: tableClient.Client,
  output: Output,
  targets: ReadonlyArray<string>
): Effect.Effect<void, TableUnusable, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* client
    const table = sql(output.table)
    for (const name of hashesOf(output, targets)) {
      if (yield* has(sql, output, [name])) continue
      const column = sql(name)
      const unknown = sql.literal(`'${before}'`)
      const add = sql.onDialectOrElse({
        sqlite: () => [
          sql`ALTER TABLE ${table} ADD COLUMN ${column} TEXT`,
          sql`UPDATE ${table} SET ${column} = ${unknown}`
        ],
        // No row is written for that.
        orElse: () => [
          sql`ALTER TABLE ${table} ADD COLUMN ${column} TEXT DEFAULT ${unknown}`,
          sql`ALTER TABLE ${table} ALTER COLUMN ${column} DROP DEFAULT`
        ]
      })
      yield* tableClient
        .run(output.table)(sql.withTransaction(Effect.all(add, { discard: true })))
        // Another worker may have added it meanwhile.
        .pipe(
          Effect.catchAll((error) =>
            Effect.if(has(sql, output, [name]), { onTrue: () => Effect.void, onFalse: () => error })
          )
        )
    }
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
    const { key } = table
    if (output._tag === "columns") {
      for (const name of namesOf(table, output, targets)) {
        if (yield* has(sql, output, [name])) continue
        yield* tableClient.run(output.table)(
          sql`ALTER TABLE ${sql(output.table)} ADD COLUMN ${sql(name)} TEXT`
        )
      }
    }
    if (output._tag === "columns" || (yield* has(sql, output, key)))
      return yield* addHashes(client, output, targets)
    const columns = [
      list(sql, key),
      ...[output.lang, hashIn(output, "")].map((name) => sql`CAST('' AS TEXT) AS ${sql(name)}`),
      // Translations may be longer than a type of the source allows.
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
