import type * as SqlClient from "@effect/sql/SqlClient"
import type * as Statement from "@effect/sql/Statement"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Slice } from "../../Corpus.js"
import { RowUnusable, type TableUnusable } from "../../TableCorpusError.js"
import * as tableClient from "./tableClient.js"

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

/** Rows behind one key, up to another. */
export const Bounds = Schema.Struct({ after: Schema.optional(Key), until: Schema.optional(Key) })

export interface Bounds extends Schema.Schema.Type<typeof Bounds> {}

/** Where a row has its key. No column is called so. */
export const keyOf: unique symbol = Symbol.for("effect-translate/workflow/key")

/** The columns of a row that are translated. */
export interface Row {
  readonly [column: string]: string | null
  readonly [keyOf]: Key
}

/** How many rows are read by one query. */
const pageRows = 500

type Client = SqlClient.SqlClient

/** Names of columns, parted by commas. */
export const list = (sql: Client, names: ReadonlyArray<string>): Statement.Fragment =>
  sql.csv(names.map((name) => sql`${sql(name)}`))

/** What a query is called as a table. */
export const queried = "effect_translate_rows"

/** The table, or the query as one. */
export const from = (sql: Client, { query, table }: Table): Statement.Fragment =>
  // A comment may end the query.
  query === undefined ? sql`${sql(table ?? "")}` : sql`(${sql.literal(query)}\n) AS ${sql(queried)}`

const compared = (sql: Client, { key }: Table, operator: string, value: Key): Statement.Fragment =>
  sql`(${list(sql, key)}) ${sql.literal(operator)} (${sql.csv(value.map((one) => sql`${one}`))})`

interface Condition {
  readonly sql: Client
  readonly table: Table
}

const condition = (
  { sql, table }: Condition,
  bounds: ReadonlyArray<Statement.Fragment>
): Statement.Fragment =>
  sql.and([...(table.where === undefined ? [] : [sql`(${sql.literal(table.where)}\n)`]), ...bounds])

const within = (sql: Client, table: Table, { after, until }: Bounds): ReadonlyArray<Statement.Fragment> => [
  ...(after === undefined ? [] : [compared(sql, table, ">", after)]),
  ...(until === undefined ? [] : [compared(sql, table, "<=", until)])
]

const keyFrom = (table: Table, values: ReadonlyArray<unknown>): Either.Either<Key, RowUnusable> => {
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

const areEqual = (one: Key | undefined, other: Key): boolean =>
  one?.every((value, index) => value === other[index]) === true

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

const selected = (sql: Client, { columns, key }: Table): Statement.Fragment =>
  sql.csv([
    ...key.map((name, index) => sql`${sql(name)} AS ${sql(`k${index}`)}`),
    ...columns.map((name, index) => sql`${sql(name)} AS ${sql(`c${index}`)}`)
  ])

/** Rows of a page, without the one that the page before has ended with. */
const pageFrom = (
  table: Table,
  found: ReadonlyArray<Raw>,
  last: Key | undefined
): Either.Either<ReadonlyArray<Row>, RowUnusable> =>
  Either.gen(function* () {
    const rows: Array<Row> = []
    let before = last
    for (const [index, raw] of found.entries()) {
      const row = yield* rowFrom(table, raw)
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
 * The rows in the order of their keys, page by page, each by a query of its own: no connection is held, and the memory of one page is used.
 * A page begins with the last row of the one before, which shows keys that are there twice.
 */
export const rows = (
  client: tableClient.Client,
  table: Table,
  { after, until }: Bounds
): Stream.Stream<Row, TableUnusable | RowUnusable, SqlClient.SqlClient> =>
  Stream.unwrap(
    Effect.map(client, (sql) =>
      Stream.paginateChunkEffect(undefined as Key | undefined, (last) =>
        Effect.gen(function* () {
          const bounds = [
            ...(last === undefined ? [] : [compared(sql, table, ">=", last)]),
            ...within(sql, table, last === undefined ? { after, until } : { until })
          ]
          const found = yield* tableClient.run(table.name)(
            sql<Raw>`SELECT ${selected(sql, table)} FROM ${from(sql, table)} WHERE ${condition({ sql, table }, bounds)} ORDER BY ${list(sql, table.key)} LIMIT ${pageRows}`
          )
          const page = yield* pageFrom(table, found, last)
          const next = page.at(-1)
          return [
            Chunk.unsafeFromArray(page),
            found.length < pageRows || next === undefined ? Option.none() : Option.some(next[keyOf])
          ]
        })
      )
    )
  )

/** The last keys of so many rows each, but of the last of them. `size` is asked before each. */
const lastKeys = (
  client: tableClient.Client,
  table: Table,
  { after, until }: Bounds,
  size: () => number
): Stream.Stream<Key, TableUnusable | RowUnusable, SqlClient.SqlClient> =>
  Stream.unwrap(
    Effect.map(client, (sql) => {
      const keys = sql.csv(table.key.map((name, index) => sql`${sql(name)} AS ${sql(`k${index}`)}`))
      const behind = until === undefined ? [] : [compared(sql, table, "<", until)]
      return Stream.unfoldEffect(after, (last) =>
        Effect.gen(function* () {
          const bounds = [...(last === undefined ? [] : [compared(sql, table, ">", last)]), ...behind]
          // The offset is within one range, so the index is gone through once in all.
          const [raw] = yield* tableClient.run(table.name)(
            sql<Raw>`SELECT ${keys} FROM ${from(sql, table)} WHERE ${condition({ sql, table }, bounds)} ORDER BY ${list(sql, table.key)} LIMIT 1 OFFSET ${size() - 1}`
          )
          if (raw === undefined) return Option.none()
          const key = yield* keyFrom(
            table,
            table.key.map((_, index) => raw[`k${index}`])
          )
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
        }>`SELECT CAST(COUNT(*) AS INTEGER) AS ${sql("count")} FROM ${from(sql, table)} WHERE ${condition({ sql, table }, within(sql, table, bounds))}`
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

/** The last key of each so many rows, but of the last of them. */
export const ranges = (client: tableClient.Client, table: Table, size: number) =>
  Effect.gen(function* () {
    const sql = yield* client
    for (const [index, name] of table.key.entries()) {
      const missing = yield* tableClient.run(table.name)(
        sql`SELECT 1 AS ${sql("found")} FROM ${from(sql, table)} WHERE ${condition({ sql, table }, [sql`${sql(name)} IS NULL`])} LIMIT 1`
      )
      if (missing.length > 0) {
        return yield* new RowUnusable({
          table: table.name,
          column: table.key[index]!,
          problem: "missing key"
        })
      }
    }
    return Chunk.toReadonlyArray(yield* Stream.runCollect(lastKeys(client, table, {}, () => size)))
  })
