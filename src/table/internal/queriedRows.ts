/** The rows of a query, read once and as they are at one moment. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type * as Statement from "@effect/sql/Statement"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import { RowUnusable, type TableUnusable } from "../TableError.js"
import { type KnownRow, selection } from "./knownRows.js"
import * as tableClient from "./tableClient.js"
import type { Output } from "./tableOutput.js"
import { from, list, type Raw, type Table } from "./tableRows.js"

type Client = SqlClient.SqlClient

/** The number of rows of a snapshot that one query reads. */
const pageRows = 500

/**
 * In a file of SQLite a reader may keep writers waiting, so the rows are copied into a temporary table first, in the order of their keys.
 */
const copied =
  (sql: Client, { key }: Table) =>
  (select: Statement.Fragment): Stream.Stream<Raw, SqlError> =>
    Stream.unwrapScoped(
      Effect.gen(function* () {
        const name = `temp.effect_translate_${yield* Random.nextIntBetween(0, 2 ** 48)}`
        yield* Effect.acquireRelease(
          sql`CREATE TABLE ${sql(name)} AS ${select} ORDER BY ${list(sql, key)}`,
          () => Effect.ignore(sql`DROP TABLE ${sql(name)}`)
        )
        return Stream.paginateChunkEffect(0, (last) =>
          Effect.map(
            sql<Raw>`SELECT rowid AS ${sql("position")}, * FROM ${sql(name)} WHERE rowid > ${last} ORDER BY rowid LIMIT ${pageRows}`,
            (rows) => [
              Chunk.unsafeFromArray(rows),
              rows.length < pageRows ? Option.none() : Option.some(Number(rows.at(-1)!.position))
            ]
          )
        )
      })
    )

/** The rows, with those of the output in these languages; nothing if there is no output yet. */
export const rows = (
  client: tableClient.Client,
  table: Table,
  output: Output | undefined,
  targets: ReadonlyArray<string>
): Stream.Stream<KnownRow, TableUnusable | RowUnusable, SqlClient.SqlClient> =>
  Stream.unwrap(
    Effect.map(client, (sql) => {
      const { columns, rowOf } = selection(sql, table, output, targets)
      // DuckDB and PostgreSQL read while they write.
      const read = sql.onDialectOrElse({
        sqlite: () => copied(sql, table),
        orElse: () => (select: Statement.Fragment) => sql<Raw>`${select}`.stream
      })
      return read(sql`SELECT ${columns} FROM ${from(sql, table)}`).pipe(
        Stream.mapError(tableClient.unusable(table.name)),
        Stream.mapChunksEffect((chunk) =>
          Effect.map(Either.all(Chunk.toReadonlyArray(chunk).map(rowOf)), Chunk.unsafeFromArray)
        )
      )
    })
  )

/** Reads the keys, and fails if one is missing or there twice. */
export const checkKeys = (
  client: tableClient.Client,
  table: Table
): Effect.Effect<void, TableUnusable | RowUnusable, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* client
    const nulls = table.key.map(
      (name, index) => sql`MAX(CASE WHEN ${sql(name)} IS NULL THEN 1 ELSE 0 END) AS ${sql(`n${index}`)}`
    )
    const missing = table.key.map((name) => sql`${sql(name)} IS NULL`)
    const [found] = yield* tableClient.run(table.name)(
      sql<Raw>`SELECT ${sql.csv(nulls)} FROM ${from(sql, table)} GROUP BY ${list(sql, table.key)} HAVING COUNT(*) > 1 OR ${sql.or(missing)} LIMIT 1`
    )
    if (found === undefined) return
    const column = table.key.find((_, index) => Number(found[`n${index}`]) === 1)
    return yield* new RowUnusable({
      table: table.name,
      column: column ?? table.key.join(", "),
      problem: column === undefined ? "key twice" : "missing key"
    })
  })
