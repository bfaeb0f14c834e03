/** Rows in the order of their keys: by ranges, in pages, and in slices. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as Statement from "@effect/sql/Statement"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { RowUnusable, type TableUnusable } from "../TableError.js"
import { type KnownRow, keys, selection } from "./knownRows.js"
import * as tableClient from "./tableClient.js"
import type { Output } from "./tableOutput.js"
import { from, Key, keyFrom, keyOf, list, type Raw, type Table } from "./tableRows.js"

/** Rows behind one key, up to another. */
export const Bounds = Schema.Struct({ after: Schema.optional(Key), until: Schema.optional(Key) })

export interface Bounds extends Schema.Schema.Type<typeof Bounds> {}

/** Some rows, one behind the other, and about how many texts they have. */
export interface Slice {
  readonly reference: Bounds
  readonly texts: number
}

/** The number of rows that one query reads. */
const pageRows = 500

type Client = SqlClient.SqlClient

const compared = (sql: Client, { key }: Table, operator: string, value: Key): Statement.Fragment =>
  sql`(${list(sql, key)}) ${sql.literal(operator)} (${sql.csv(value.map((one) => sql`${one}`))})`

const within = (sql: Client, table: Table, { after, until }: Bounds): ReadonlyArray<Statement.Fragment> => [
  ...(after === undefined ? [] : [compared(sql, table, ">", after)]),
  ...(until === undefined ? [] : [compared(sql, table, "<=", until)])
]

const areEqual = (one: Key | undefined, other: Key): boolean =>
  one?.every((value, index) => value === other[index]) === true

/** Rows of a page, without the one that the page before has ended with. */
const pageFrom = (
  table: Table,
  found: ReadonlyArray<Either.Either<KnownRow, RowUnusable>>,
  last: Key | undefined
): Either.Either<ReadonlyArray<KnownRow>, RowUnusable> =>
  Either.gen(function* () {
    const rows: Array<KnownRow> = []
    let before = last
    for (const [index, read] of found.entries()) {
      const row = yield* read
      const isKnown = areEqual(before, row[keyOf])
      if (isKnown && (index > 0 || last === undefined)) {
        return yield* Either.left(
          new RowUnusable({ table: table.name, column: table.key.join(", "), problem: "key twice" })
        )
      }
      if (!isKnown) rows.push(row)
      before = row[keyOf]
    }
    return rows
  })

/**
 * The rows in the order of their keys, page by page, each by a query of its own: no connection is held, and the memory of
 * one page is used. A page begins with the last row of the one before, which shows keys that are there twice. Each has the
 * output's columns in these languages.
 */
export const rows = (
  client: tableClient.Client,
  table: Table,
  { after, until }: Bounds,
  output?: Output,
  targets: ReadonlyArray<string> = []
): Stream.Stream<KnownRow, TableUnusable | RowUnusable, SqlClient.SqlClient> =>
  Stream.unwrap(
    Effect.map(client, (sql) => {
      const { columns, rowOf } = selection(sql, table, output, targets)
      return Stream.paginateChunkEffect(undefined as Key | undefined, (last) =>
        Effect.gen(function* () {
          const bounds = [
            ...(last === undefined ? [] : [compared(sql, table, ">=", last)]),
            ...within(sql, table, last === undefined ? { after, until } : { until })
          ]
          const found = yield* tableClient.run(table.name)(
            sql<Raw>`SELECT ${columns} FROM ${from(sql, table)} WHERE ${sql.and(bounds)} ORDER BY ${list(sql, table.key)} LIMIT ${pageRows}`
          )
          const page = yield* pageFrom(table, found.map(rowOf), last)
          const next = page.at(-1)
          return [
            Chunk.unsafeFromArray(page),
            found.length < pageRows || next === undefined ? Option.none() : Option.some(next[keyOf])
          ]
        })
      )
    })
  )

/** The last keys of `size` rows each, but of the last of them. `size` is asked before each. */
const lastKeys = (
  client: tableClient.Client,
  table: Table,
  { after, until }: Bounds,
  size: () => number
): Stream.Stream<Key, TableUnusable | RowUnusable, SqlClient.SqlClient> =>
  Stream.unwrap(
    Effect.map(client, (sql) => {
      const { columns, valuesOf } = keys(sql, table)
      const behind = until === undefined ? [] : [compared(sql, table, "<", until)]
      return Stream.unfoldEffect(after, (last) =>
        Effect.gen(function* () {
          const bounds = [...(last === undefined ? [] : [compared(sql, table, ">", last)]), ...behind]
          // The offset is within one range, so the index is gone through once in all.
          const [raw] = yield* tableClient.run(table.name)(
            sql<Raw>`SELECT ${sql.csv(columns)} FROM ${from(sql, table)} WHERE ${sql.and(bounds)} ORDER BY ${list(sql, table.key)} LIMIT 1 OFFSET ${size() - 1}`
          )
          if (raw === undefined) return Option.none()
          const key = yield* keyFrom(table, valuesOf(raw))
          return Option.some([key, key] as const)
        })
      )
    })
  )

const countOf = (client: tableClient.Client, table: Table, bounds: Bounds) =>
  Effect.flatMap(client, (sql) =>
    Effect.map(
      tableClient.run(table.name)(
        sql<{
          readonly count: number
        }>`SELECT CAST(COUNT(*) AS INTEGER) AS ${sql("count")} FROM ${from(sql, table)} WHERE ${sql.and(within(sql, table, bounds))}`
      ),
      ([row]) => row?.count ?? 0
    )
  )

/** Cuts rows into slices by their keys alone: texts are not read. */
export const slices = (
  client: tableClient.Client,
  table: Table,
  bounds: Bounds,
  size: () => number
): Stream.Stream<Slice, TableUnusable | RowUnusable, SqlClient.SqlClient> =>
  Stream.suspend(() => {
    const { columns } = table
    let rows = 0
    let start = bounds.after
    const sliceTo = (until: Key | undefined): Slice => {
      const reference: Bounds = { after: start, until }
      start = until
      return { reference, texts: rows * columns.length }
    }
    const rowsOf = () => {
      rows = Math.max(1, Math.round(size() / columns.length))
      return rows
    }
    const rest = Effect.suspend(() =>
      Effect.map(countOf(client, table, { after: start, until: bounds.until }), (count) => {
        rows = count
        return sliceTo(bounds.until)
      })
    )
    return Stream.concat(
      Stream.map(lastKeys(client, table, bounds, rowsOf), sliceTo),
      Stream.filter(Stream.fromEffect(rest), ({ texts }) => texts > 0)
    )
  })

/** The last key of each `size` rows, but of the last of them. */
export const ranges = (client: tableClient.Client, table: Table, size: number) =>
  Effect.gen(function* () {
    const sql = yield* client
    for (const column of table.key) {
      const missing = yield* tableClient.run(table.name)(
        sql`SELECT 1 AS ${sql("found")} FROM ${from(sql, table)} WHERE ${sql(column)} IS NULL LIMIT 1`
      )
      if (missing.length > 0)
        return yield* new RowUnusable({ table: table.name, column, problem: "missing key" })
    }
    return Chunk.toReadonlyArray(yield* Stream.runCollect(lastKeys(client, table, {}, () => size)))
  })
