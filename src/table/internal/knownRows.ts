/** Rows, with those of an output: selecting them, by the kinds of databases. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as Statement from "@effect/sql/Statement"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as LanguageCode from "../../api/LanguageCode.js"
import type { RowUnusable } from "../TableError.js"
import type { Held } from "./columnRecords.js"
import { columnIn, hashIn, type Output } from "./tableOutput.js"
import { named, type Raw, type Row, rowFrom, type Table } from "./tableRows.js"

/** The key under which a row has its output, by language. No column is called so. */
export const heldOf: unique symbol = Symbol.for("effect-translate/table/held")

export interface KnownRow extends Row {
  readonly [heldOf]: ReadonlyMap<string, Held>
}

type Client = SqlClient.SqlClient

/** The differences between databases: the selected expression of a column, and its value. */
interface Dialect {
  readonly key: (column: Statement.Fragment) => Statement.Fragment
  readonly text: (column: Statement.Fragment) => Statement.Fragment
  /** The columns of an output that are selected, each by a query of its own, and their values. */
  readonly held: (columns: ReadonlyArray<Statement.Fragment>) => ReadonlyArray<Statement.Fragment>
  readonly valuesOf: (held: ReadonlyArray<unknown>) => ReadonlyArray<unknown>
  readonly decode: (raw: Raw) => Raw
}

/** DuckDB and PostgreSQL. Their keys may be of any type that a text can be made of, and that a text can be made into. */
const typed = (sql: Client): Dialect => ({
  key: (column) => sql`CAST(${column} AS VARCHAR)`,
  text: (column) => column,
  // By several queries DuckDB would lose the order of rows.
  held: (columns) => [
    sql`CAST(to_json(ARRAY[${sql.csv(columns.map((column) => sql`CAST(${column} AS VARCHAR)`))}]) AS VARCHAR)`
  ],
  valuesOf: ([held]) => (typeof held === "string" ? JSON.parse(held) : []),
  decode: (raw) => raw
})

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Bytes that are no text stay bytes, which no row may have. */
const withTexts = (raw: Raw): Raw =>
  Record.map(raw, (value) =>
    value instanceof Uint8Array
      ? Option.getOrElse(Option.liftThrowable(() => utf8.decode(value))(), () => value)
      : value
  )

/** SQLite. Texts come as BLOBs: the driver ends the process at one that is not UTF-8, and cuts one at U+0000. */
const untyped = (sql: Client): Dialect => {
  const text = (column: Statement.Fragment) =>
    sql`CASE typeof(${column}) WHEN 'text' THEN CAST(${column} AS BLOB) WHEN 'null' THEN NULL ELSE 0 END`
  return {
    key: (column) =>
      sql`CASE typeof(${column}) WHEN 'text' THEN CAST(${column} AS BLOB) WHEN 'blob' THEN 0.5 ELSE ${column} END`,
    text,
    held: (columns) => columns.map(text),
    valuesOf: (held) => held,
    decode: withTexts
  }
}

const dialectOf = (sql: Client): Dialect =>
  sql.onDialectOrElse({ sqlite: () => untyped(sql), orElse: () => typed(sql) })

/** The columns of the key as `k0`, `k1` and so on, and their values. */
export const keys = (sql: Client, { key: names }: Table) => {
  const { decode, key } = dialectOf(sql)
  return {
    columns: names.map((name, index) => sql`${key(sql`${sql(name)}`)} AS ${sql(`k${index}`)}`),
    valuesOf: (raw: Raw): ReadonlyArray<unknown> => {
      const decoded = decode(raw)
      return names.map((_, index) => decoded[`k${index}`])
    }
  }
}

/** The output's values of a row in a language. Its key is unique there, together with the language if each has a row. */
const heldIn = (
  sql: Client,
  { columns, key }: Table,
  output: Output,
  targetLang: string,
  select: Dialect["held"]
): ReadonlyArray<Statement.Fragment> => {
  const of = (name: string) => sql`${sql("effect_translate_output")}.${sql(name)}`
  const conditions = [
    ...key.map((name) => sql`${of(name)} = ${sql(named)}.${sql(name)}`),
    ...(output._tag === "rows" ? [sql`${of(output.lang)} = ${LanguageCode.canonical(targetLang)}`] : [])
  ]
  const names = [hashIn(output, targetLang), ...columns.map((name) => columnIn(output, name, targetLang))]
  return select(names.map(of)).map(
    (selected) =>
      sql`(SELECT ${selected} FROM ${sql(output.table)} AS ${sql("effect_translate_output")} WHERE ${sql.and(conditions)})`
  )
}

/**
 * The columns to select, and a function that makes a row of them: with those of the output in these languages, or
 * without if there is no output yet.
 */
export const selection = (
  sql: Client,
  table: Table,
  output: Output | undefined,
  targets: ReadonlyArray<string>
) => {
  const { decode, held, text, valuesOf } = dialectOf(sql)
  const known = output === undefined ? [] : targets.map((target) => heldIn(sql, table, output, target, held))
  return {
    columns: sql.csv([
      ...keys(sql, table).columns,
      ...table.columns.map((name, index) => sql`${text(sql`${sql(name)}`)} AS ${sql(`c${index}`)}`),
      ...known.flatMap((all, at) => all.map((one, index) => sql`${one} AS ${sql(`h${at}_${index}`)}`))
    ]),
    rowOf: (given: Raw): Either.Either<KnownRow, RowUnusable> => {
      const raw = decode(given)
      return Either.map(rowFrom(table, raw), (row) =>
        Object.assign(row, {
          [heldOf]: new Map(
            targets.map((target, at) => {
              const found = (known[at] ?? []).map((_, index) => raw[`h${at}_${index}`])
              const [record, ...texts] = valuesOf(found)
              const entries = table.columns.map((column, index) => [column, texts[index]])
              return [target, { record, texts: Object.fromEntries(entries) }]
            })
          )
        })
      )
    }
  }
}
