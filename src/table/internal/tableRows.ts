/** Rows of a table or a query: their keys, and the texts of their columns. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as Statement from "@effect/sql/Statement"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { RowUnusable } from "../TableError.js"

/** Where rows are. */
export interface Table {
  /** In errors. */
  readonly name: string
  readonly table?: string | undefined
  readonly query?: string | undefined
  readonly key: ReadonlyArray<string>
  readonly columns: ReadonlyArray<string>
  readonly where?: string | undefined
}

/** The key of a row, as JSON has it. */
export const Key = Schema.NonEmptyArray(Schema.Union(Schema.String, Schema.Number))

export type Key = typeof Key.Type

/** Where a row has its key. No column is called so. */
export const keyOf: unique symbol = Symbol.for("effect-translate/table/key")

/** The columns of a row that are translated. */
export interface Row {
  readonly [column: string]: string | null
  readonly [keyOf]: Key
}

type Client = SqlClient.SqlClient

/** Names of columns, parted by commas. */
export const list = (sql: Client, names: ReadonlyArray<string>): Statement.Fragment =>
  sql.csv(names.map((name) => sql`${sql(name)}`))

/** The name of the rows in a statement. */
export const named = "effect_translate_rows"

/** The rows, under one name. */
export const from = (sql: Client, { query, table, where }: Table): Statement.Fragment => {
  // A comment may end the query or the condition.
  const all = query === undefined ? sql`${sql(table ?? "")}` : sql`(${sql.literal(query)}\n)`
  if (where === undefined) return sql`${all} AS ${sql(named)}`
  const source = query === undefined ? all : sql`${all} AS ${sql(named)}`
  return sql`(SELECT * FROM ${source} WHERE (${sql.literal(where)}\n)) AS ${sql(named)}`
}

export const keyFrom = (table: Table, values: ReadonlyArray<unknown>): Either.Either<Key, RowUnusable> => {
  const problem = (index: number, problem: RowUnusable["problem"]) =>
    Either.left(new RowUnusable({ table: table.name, column: table.key[index]!, problem }))
  const key: Array<string | number> = []
  for (const [index, value] of values.entries()) {
    if (value === null || value === undefined) return problem(index, "missing key")
    if (typeof value === "bigint") key.push(String(value))
    else if (typeof value === "string" || (typeof value === "number" && Number.isSafeInteger(value))) {
      key.push(value)
    } else return problem(index, "type of key")
  }
  return Either.right(key as [string | number, ...Array<string | number>])
}

/** A row as the database gives it: its key as `k0`, `k1` and so on, its texts as `c0` and so on. */
export type Raw = Readonly<Record<string, unknown>>

export const rowFrom = (table: Table, raw: Raw): Either.Either<Row, RowUnusable> =>
  Either.flatMap(
    keyFrom(
      table,
      table.key.map((_, index) => raw[`k${index}`])
    ),
    (key) => {
      const row: Record<string, string | null> & { [keyOf]: Key } = { [keyOf]: key }
      for (const [index, column] of table.columns.entries()) {
        const value = raw[`c${index}`] ?? null
        if (value !== null && typeof value !== "string") {
          return Either.left(new RowUnusable({ table: table.name, column, problem: "not a text" }))
        }
        row[column] = value
      }
      return Either.right(row)
    }
  )
