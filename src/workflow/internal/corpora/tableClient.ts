import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as SqlErrorCode from "../../../sql/SqlErrorCode.js"
import { TableUnusable } from "../../TableCorpusError.js"
import { retryPassing } from "../activities/retryPassing.js"

/** The client of the database that has the tables. */
export type Client = Effect.Effect<SqlClient.SqlClient, never, SqlClient.SqlClient>

/** That of the context, or a given one, with names as they are written. */
export const make = (client: SqlClient.SqlClient | undefined): Client =>
  Effect.map(client === undefined ? SqlClient.SqlClient : Effect.succeed(client), (sql) =>
    sql.withoutTransforms()
  )

/** What is wrong with names and SQL: it names no row. Other messages may, as one of a constraint; those of DuckDB are without. */
const reasonOf = (code: string, { cause }: SqlError): string | undefined =>
  /^(42...|SQLITE_ERROR|DUCKDB_[A-Z_]+)$/.test(code) && Predicate.hasProperty(cause, "message")
    ? String(cause.message)
    : undefined

/** What an error of the database is for a table. */
export const unusable =
  (table: string) =>
  (error: SqlError): TableUnusable => {
    const code = SqlErrorCode.orDisconnected(error)
    return new TableUnusable({ table, code, reason: reasonOf(code, error) })
  }

/** What may be done twice, and is done again while the database is away or busy. */
export const run =
  (table: string) =>
  <A, R>(effect: Effect.Effect<A, SqlError, R>): Effect.Effect<A, TableUnusable, R> =>
    Effect.mapError(retryPassing(effect), unusable(table))
