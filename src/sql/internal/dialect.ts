import type { SqlClient } from "@effect/sql/SqlClient"
import { identity } from "effect/Function"

/**
 * In what the two databases differ. Statements are written with `$1`, and lists are JSON: one parameter, whatever its length, so
 * that their text never changes.
 */
export interface Dialect {
  readonly name: string
  /** Types of columns. */
  readonly id: string
  readonly key: string
  readonly bytes: string
  readonly long: string
  /** What ends a definition of a table. */
  readonly strict: string
  /** The clock of the database, in milliseconds of Unix time. */
  readonly now: string
  /** A key from its hexadecimal digits. */
  readonly keyOf: (digits: string) => string
  /** Bytes from and to hexadecimal digits. */
  readonly bytesOf: (digits: string) => string
  readonly digitsOf: (bytes: string) => string
  /** A whole number as one of JavaScript. */
  readonly number: (expression: string) => string
  /** The elements of a JSON array of texts, with their indices: `list.i` and `list.value`. */
  readonly list: (json: string) => string
  /** The elements of a JSON array of arrays: `value ->> 0` is the first field of one. */
  readonly elements: (json: string) => string
  /** Whether there is a table. */
  readonly tableExists: (name: string) => string
  /** Waits until no other process does the same, until the end of the transaction. None if transactions exclude each other. */
  readonly lock: (table: string | undefined) => string | undefined
  /** What a new connection is told. */
  readonly settings: ReadonlyArray<string>
  /** What is done after a text was erased. The first column of the answer is not 0 as long as others prevent it. */
  readonly afterErasing: ReadonlyArray<string>
  /** A statement as the driver takes it. */
  readonly statement: (text: string) => string
}

const sqlite: Dialect = {
  name: "SQLite",
  id: "INTEGER PRIMARY KEY",
  key: "BLOB",
  bytes: "BLOB",
  long: "INTEGER",
  strict: "STRICT",
  now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
  keyOf: (digits) => `unhex(${digits})`,
  bytesOf: (digits) => `unhex(${digits})`,
  digitsOf: (bytes) => `lower(hex(${bytes}))`,
  number: identity,
  list: (json) => `(SELECT key AS i, value FROM json_each(${json})) list`,
  elements: (json) => `json_each(${json})`,
  tableExists: (name) => `SELECT 1 FROM sqlite_schema WHERE name = '${name}'`,
  lock: () => undefined,
  settings: [
    // In pages: some 32 MiB. Keys come in no order, so most pages of the index change many times between two checkpoints.
    "PRAGMA wal_autocheckpoint = 8000",
    // Nothing is left of what was pruned or replaced: a text that is erased later could not be found there.
    "PRAGMA secure_delete = ON"
  ],
  afterErasing: ["PRAGMA wal_checkpoint(TRUNCATE)"],
  statement: (text) => text.replaceAll("$", "?")
}

/** Half of the number of the lock is the table's, so that stores of one database have their own. The other half is by chance. */
const lockNumber = "7310012280000000000"

const postgres: Dialect = {
  name: "PostgreSQL",
  id: "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
  key: "uuid",
  bytes: "bytea",
  long: "bigint",
  strict: "",
  now: "(extract(epoch FROM clock_timestamp()) * 1000)::bigint",
  keyOf: (digits) => `(${digits})::uuid`,
  bytesOf: (digits) => `decode(${digits}, 'hex')`,
  digitsOf: (bytes) => `encode(${bytes}, 'hex')`,
  number: (expression) => `(${expression})::float8`,
  list: (json) =>
    `(SELECT (n - 1)::int AS i, value FROM json_array_elements_text(${json}::json) WITH ORDINALITY AS e (value, n)) list`,
  elements: (json) => `jsonb_array_elements(${json}::jsonb)`,
  // Not by `to_regclass`: it may still say that there is none after others have made it and given the lock back.
  tableExists: (name) =>
    `SELECT 1 FROM pg_tables WHERE tablename = '${name}' AND schemaname = ANY (current_schemas(false))`,
  // A lock of rows or of the table would be written to disk, or stop others that only record.
  lock: (table) => {
    const number = table === undefined ? lockNumber : `${lockNumber} + '${table}'::regclass::oid::bigint`
    // What is locked is to survive a loss of power, whatever the database does otherwise.
    const durable = `CASE WHEN current_setting('synchronous_commit') = 'off' THEN set_config('synchronous_commit', 'on', true) END`
    // A process that is stopped, or whose network is gone, would hold the lock for ever.
    const bounded = "set_config('idle_in_transaction_session_timeout', '10s', true)"
    return `SELECT pg_advisory_xact_lock(${number}), ${durable}, ${bounded}`
  },
  settings: [],
  afterErasing: [],
  statement: identity
}

/** The dialect of a client, which has to be one of the two. */
export const of = (sql: SqlClient): Dialect =>
  sql.onDialectOrElse({ pg: () => postgres, sqlite: () => sqlite, orElse: () => sqlite })
