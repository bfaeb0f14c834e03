import type { SqlClient } from "@effect/sql/SqlClient"
import * as SqlTables from "../SqlTables.js"
import type { Row } from "./statements.js"

/**
 * The differences of the two databases. Statements are written with `$1`, and lists are JSON: one parameter, whatever
 * its length, so that their text never changes.
 */
export interface Dialect extends SqlTables.Dialect {
  /** Types of columns. */
  readonly id: string
  readonly key: string
  readonly keys: string
  /** True for a file, to which one process writes at a time: see `keyIndex` and `writer`. */
  readonly isFile: boolean
  /** The columns of translations for their number and their key. */
  readonly translationId: string
  readonly translationKey: string
  /** Statements that make further tables for `keyIndex`. */
  readonly indexTables: ReadonlyArray<string>
  /** The table and the condition, behind a join, of translations `t` by a key in hexadecimal digits. */
  readonly withKey: (digits: string) => string
  /** The same of translations by the first half of a key, which all keys of a text in a namespace share. */
  readonly withHalf: (digits: string) => string
  /** The hexadecimal digits of a key. */
  readonly digitsOfKey: (key: string) => string
  /** A key from its hexadecimal digits. */
  readonly keyOf: (digits: string) => string
  /** Several keys from their hexadecimal digits, with commas between, and to these digits without them. */
  readonly keysOf: (digits: string) => string
  readonly digitsOf: (keys: string) => string
  /** The elements of a JSON array of texts, with their indices: `list.i` and `list.value`. */
  readonly list: (json: string) => string
  /** The elements of a JSON array of arrays or objects: `value ->> 0` or `value ->> 'name'` is a field of one. */
  readonly elements: (json: string) => string
  /**
   * Expressions that wait until no other process does the same, until the end of the transaction. None if transactions
   * exclude each other.
   */
  readonly lock: (table: string) => string | undefined
  /**
   * A statement whose rows have texts in these columns, as the one that gives them as one BLOB of JSON, and these rows. None if texts
   * can be read as they are: the driver of files ends the process at a text that is not UTF-8. JSON is also the fastest.
   */
  readonly asBytes:
    | {
        readonly statement: (text: string, columns: number) => string
        readonly rows: (bytes: Uint8Array) => ReadonlyArray<Row>
      }
    | undefined
  /** The statements that set up a new connection. */
  readonly settings: ReadonlyArray<string>
  /** The statements that follow the erasing of a text. The first column of the answer is not 0 as long as others prevent it. */
  readonly afterErasing: ReadonlyArray<string>
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** The rows of a BLOB of JSON. Throws where its texts are not UTF-8. */
export const parseBytes = (bytes: Uint8Array) => JSON.parse(utf8.decode(bytes))

/** The keys with the first half of a key. */
const rangeOfHalf = (digits: string) => ({
  first: `substr(${digits}, 1, 16) || '${"0".repeat(16)}'`,
  last: `substr(${digits}, 1, 16) || '${"f".repeat(16)}'`
})

const sqlite: Dialect = {
  ...SqlTables.sqlite,
  id: "INTEGER PRIMARY KEY",
  key: "BLOB",
  keys: "BLOB",
  isFile: true,
  // No number is used again, so that one which a process remembers leads to its own translation, or to none.
  translationId: "INTEGER PRIMARY KEY AUTOINCREMENT",
  translationKey: "BLOB NOT NULL",
  indexTables: [
    "CREATE TABLE effect_translate_keys (key BLOB PRIMARY KEY, id INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE effect_translate_indexed (translation INTEGER NOT NULL) STRICT",
    "INSERT INTO effect_translate_indexed VALUES (0)"
  ],
  withKey: (digits) =>
    `effect_translate_keys k CROSS JOIN effect_translate_translations t WHERE k.key = unhex(${digits}) AND t.id = k.id`,
  withHalf: (digits) =>
    `effect_translate_keys k CROSS JOIN effect_translate_translations t
     WHERE k.key BETWEEN unhex(${rangeOfHalf(digits).first}) AND unhex(${rangeOfHalf(digits).last}) AND t.id = k.id`,
  digitsOfKey: (key) => `lower(hex(${key}))`,
  keyOf: (digits) => `unhex(${digits})`,
  keysOf: (digits) => `unhex(${digits}, ',')`,
  digitsOf: (keys) => `lower(hex(${keys}))`,
  list: (json) => `(SELECT key AS i, value FROM json_each(${json})) list`,
  elements: (json) => `json_each(${json})`,
  lock: () => undefined,
  asBytes: {
    statement: (text, columns) => {
      const names = Array.from({ length: columns }, (_, index) => `c${index}`).join()
      return `WITH listed (${names}) AS (${text}) SELECT CAST(json_group_array(json_array(${names})) AS BLOB) FROM listed`
    },
    rows: parseBytes
  },
  settings: [
    // In pages: some 32 MiB. Many keys at once change most pages of their index.
    "PRAGMA wal_autocheckpoint = 8000",
    // Nothing is left of pruned or replaced texts: a text that is erased later could not be found there.
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
  // Not `bytea`: looking for keys among those of 90 requests takes 0.9 ms, of which it would take 4.7.
  keys: "uuid[]",
  isFile: false,
  translationId: "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
  translationKey: "uuid NOT NULL UNIQUE",
  indexTables: [],
  withKey: (digits) => `effect_translate_translations t WHERE t.key = (${digits})::uuid`,
  withHalf: (digits) =>
    `effect_translate_translations t
     WHERE t.key BETWEEN (${rangeOfHalf(digits).first})::uuid AND (${rangeOfHalf(digits).last})::uuid`,
  digitsOfKey: (key) => `replace(CAST(${key} AS text), '-', '')`,
  keyOf: (digits) => `(${digits})::uuid`,
  keysOf: (digits) => `CAST(string_to_array(${digits}, ',') AS uuid[])`,
  digitsOf: (keys) => `replace(array_to_string(${keys}, ''), '-', '')`,
  list: (json) =>
    `(SELECT (n - 1)::int AS i, value FROM json_array_elements_text(${json}::json) WITH ORDINALITY AS e (value, n)) list`,
  elements: (json) => `jsonb_array_elements(${json}::jsonb)`,
  // A lock of rows or of the table would be written to disk, or stop others that only record.
  lock: (table) => {
    const number = `${lockNumber} + '${table}'::regclass::oid::bigint`
    // A locked row is to survive a loss of power, also if the database does not care otherwise.
    const durable = `CASE WHEN current_setting('synchronous_commit') = 'off' THEN set_config('synchronous_commit', 'on', true) END`
    // A process that is stopped, or whose network is gone, would hold the lock for ever.
    const bounded = "set_config('idle_in_transaction_session_timeout', '10s', true)"
    return `pg_advisory_xact_lock(${number}), ${durable}, ${bounded}`
  },
  asBytes: undefined,
  settings: [],
  afterErasing: []
}

/** The dialect of a client, which has to be one of the two. */
export const of = (sql: SqlClient): Dialect => SqlTables.ofClient(sql, { postgres, sqlite })
