import type { SqlClient } from "@effect/sql/SqlClient"
import * as SqlTables from "../SqlTables.js"

/**
 * In what the two databases differ. Statements are written with `$1`, and lists are JSON: one parameter, whatever its length, so
 * that their text never changes.
 */
export interface Dialect extends SqlTables.Dialect {
  /** Types of columns. */
  readonly id: string
  readonly key: string
  readonly bytes: string
  /** A key from its hexadecimal digits. */
  readonly keyOf: (digits: string) => string
  /** Bytes from and to hexadecimal digits. */
  readonly bytesOf: (digits: string) => string
  readonly digitsOf: (bytes: string) => string
  /** The elements of a JSON array of texts, with their indices: `list.i` and `list.value`. */
  readonly list: (json: string) => string
  /** The elements of a JSON array of arrays: `value ->> 0` is the first field of one. */
  readonly elements: (json: string) => string
  /** Waits until no other process does the same, until the end of the transaction. None if transactions exclude each other. */
  readonly lock: (table: string | undefined) => string | undefined
  /** What a new connection is told. */
  readonly settings: ReadonlyArray<string>
  /** What is done after a text was erased. The first column of the answer is not 0 as long as others prevent it. */
  readonly afterErasing: ReadonlyArray<string>
}

const sqlite: Dialect = {
  ...SqlTables.sqlite,
  id: "INTEGER PRIMARY KEY",
  key: "BLOB",
  bytes: "BLOB",
  keyOf: (digits) => `unhex(${digits})`,
  bytesOf: (digits) => `unhex(${digits})`,
  digitsOf: (bytes) => `lower(hex(${bytes}))`,
  list: (json) => `(SELECT key AS i, value FROM json_each(${json})) list`,
  elements: (json) => `json_each(${json})`,
  lock: () => undefined,
  settings: [
    // In pages: some 32 MiB. Keys come in no order, so most pages of the index change many times between two checkpoints.
    "PRAGMA wal_autocheckpoint = 8000",
    // Nothing is left of what was pruned or replaced: a text that is erased later could not be found there.
    "PRAGMA secure_delete = ON"
  ],
  afterErasing: ["PRAGMA wal_checkpoint(TRUNCATE)"]
}

/** Half of the number of the lock is the table's, so that stores of one database have their own. The other half is by chance. */
const lockNumber = "7310012280000000000"

const postgres: Dialect = {
  ...SqlTables.postgres,
  id: "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
  key: "uuid",
  bytes: "bytea",
  keyOf: (digits) => `(${digits})::uuid`,
  bytesOf: (digits) => `decode(${digits}, 'hex')`,
  digitsOf: (bytes) => `encode(${bytes}, 'hex')`,
  list: (json) =>
    `(SELECT (n - 1)::int AS i, value FROM json_array_elements_text(${json}::json) WITH ORDINALITY AS e (value, n)) list`,
  elements: (json) => `jsonb_array_elements(${json}::jsonb)`,
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
  afterErasing: []
}

/** The dialect of a client, which has to be one of the two. */
export const of = (sql: SqlClient): Dialect => SqlTables.ofClient(sql, { postgres, sqlite })
