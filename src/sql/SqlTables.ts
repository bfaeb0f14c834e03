/**
 * Tables of this library, in PostgreSQL or in a file of SQLite: the differences of the two, and making tables.
 *
 * @since 0.1.0
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Option from "effect/Option"

/**
 * The differences of the two databases. Statements are written with `$1`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Dialect {
  readonly name: string
  /** A type of columns. */
  readonly long: string
  /** The end of a definition of a table. */
  readonly strict: string
  /** The clock of the database, in milliseconds of Unix time. */
  readonly now: string
  /** A whole number as one of JavaScript: PostgreSQL gives a bigint as a text. */
  readonly number: (expression: string) => string
  /** The query whose row says that the table exists. */
  readonly tableExists: (name: string) => string
  /** Waits until no other process makes tables, until the end of the transaction. None if transactions exclude each other. */
  readonly tablesLock: string | undefined
  /** True if a statement may begin with others that write. */
  readonly hasWritingWith: boolean
  /** A statement as the driver takes it. */
  readonly statement: (text: string) => string
}

/**
 * SQLite.
 *
 * @since 0.1.0
 * @category constants
 */
export const sqlite: Dialect = {
  name: "SQLite",
  long: "INTEGER",
  strict: "STRICT",
  now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
  number: identity,
  tableExists: (name) => `SELECT 1 FROM sqlite_schema WHERE name = '${name}'`,
  tablesLock: undefined,
  hasWritingWith: false,
  statement: (text) => text.replaceAll("$", "?")
}

/**
 * PostgreSQL.
 *
 * @since 0.1.0
 * @category constants
 */
export const postgres: Dialect = {
  name: "PostgreSQL",
  long: "bigint",
  strict: "",
  now: "(extract(epoch FROM clock_timestamp()) * 1000)::bigint",
  number: (expression) => `(${expression})::float8`,
  // Not by `to_regclass`: it may still say that there is none after others have made it and given the lock back.
  tableExists: (name) =>
    `SELECT 1 FROM pg_tables WHERE tablename = '${name}' AND schemaname = ANY (current_schemas(false))`,
  // Two `CREATE TABLE IF NOT EXISTS` at once can fail. A number by chance; a process that is stopped would hold the lock for ever without the bound.
  tablesLock:
    "SELECT pg_advisory_xact_lock(7310012281754230917), set_config('idle_in_transaction_session_timeout', '10s', true)",
  hasWritingWith: true,
  statement: identity
}

/**
 * Chooses by the database of a client, which has to be one of the two.
 *
 * @since 0.1.0
 * @category combinators
 */
export const ofClient = <A>(
  sql: SqlClient,
  { postgres, sqlite }: { readonly postgres: A; readonly sqlite: A }
): A => sql.onDialectOrElse({ pg: () => postgres, sqlite: () => sqlite, orElse: () => sqlite })

/**
 * `withTransaction` of `@effect/sql` dies of a COMMIT or a ROLLBACK that fails, as on a full disk or a lost connection. Here it
 * fails with their `SqlError`.
 *
 * @since 0.1.0
 * @category combinators
 */
export const withoutDefects =
  (withTransaction: SqlClient["withTransaction"]): SqlClient["withTransaction"] =>
  (self) =>
    Effect.catchSomeDefect(withTransaction(self), (defect) =>
      defect instanceof SqlError ? Option.some(Effect.fail(defect)) : Option.none()
    )

/** A database whose tables are made. */
interface Database {
  readonly dialect: Dialect
  /** Rows as arrays of values. */
  readonly query: (text: string) => Effect.Effect<ReadonlyArray<ReadonlyArray<unknown>>, SqlError>
  readonly transaction: (body: Effect.Effect<void, SqlError>) => Effect.Effect<void, SqlError>
}

/**
 * Some tables, and which layout they have.
 *
 * @since 0.1.0
 * @category models
 */
export interface Layout<E> {
  /** The table that says which version of the layout there is. */
  readonly table: string
  /** Raised whenever a statement changes: tables of another version are refused. */
  readonly version: number
  readonly statements: ReadonlyArray<string>
  /** The tables have another version. */
  readonly onOther: (version: number) => E
}

/**
 * Makes the tables if they are not there. Any number of processes may do so at once.
 *
 * @since 0.1.0
 * @category combinators
 */
export const prepare = <E>(
  { dialect, query, transaction }: Database,
  { onOther, statements, table, version }: Layout<E>
): Effect.Effect<void, SqlError | E> => {
  const exists = Effect.map(query(dialect.tableExists(table)), (tables) => tables.length > 0)
  const steps = [
    ...statements,
    `CREATE TABLE ${table} (version INTEGER NOT NULL) ${dialect.strict}`,
    `INSERT INTO ${table} VALUES (${version})`
  ]
  const make = Effect.unlessEffect(
    Effect.forEach(steps, (step) => query(step), { discard: true }),
    exists
  )
  const locked = dialect.tablesLock === undefined ? Effect.void : query(dialect.tablesLock)
  return Effect.unlessEffect(transaction(Effect.zipRight(locked, make)), exists).pipe(
    Effect.zipRight(query(`SELECT version FROM ${table}`)),
    Effect.map((rows) => Number(rows[0]?.[0])),
    Effect.filterOrFail((found) => found === version, onOther),
    Effect.asVoid
  )
}
