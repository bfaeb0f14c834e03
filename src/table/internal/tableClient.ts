import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as SqlErrorCode from "../../sql/SqlErrorCode.js"
import { TableUnusable } from "../TableError.js"

/** The client of the database that has the tables. */
export type Client = Effect.Effect<SqlClient.SqlClient, never, SqlClient.SqlClient>

/** That of the context, or a given one, with names as they are written. */
export const make = (client: SqlClient.SqlClient | undefined): Client =>
  Effect.map(client === undefined ? SqlClient.SqlClient : Effect.succeed(client), (sql) =>
    sql.withoutTransforms()
  )

/**
 * The reason of an error about names and SQL, which names no row. Other messages may, as one of a constraint; those of
 * DuckDB are without.
 */
const reasonOf = (code: string, { cause }: SqlError): string | undefined =>
  /^(42...|SQLITE_ERROR|DUCKDB_[A-Z_]+)$/.test(code) && Predicate.hasProperty(cause, "message")
    ? String(cause.message)
    : undefined

/** The table's error for an error of the database. */
export const unusable =
  (table: string) =>
  (error: SqlError): TableUnusable => {
    const code = SqlErrorCode.orDisconnected(error)
    return new TableUnusable({ table, code, reason: reasonOf(code, error) })
  }

/** Runs an effect that may be run twice, and repeats it while the database is away or busy. */
export const run =
  (table: string) =>
  <A, R>(effect: Effect.Effect<A, SqlError, R>): Effect.Effect<A, TableUnusable, R> =>
    Effect.mapError(SqlErrorCode.retryPassing(effect), unusable(table))
