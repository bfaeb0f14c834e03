import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as StoreError from "../../store/StoreError.js"
import * as SqlLease from "../SqlLease.js"
import * as SqlTables from "../SqlTables.js"
import * as claimLedger from "./claimLedger.js"
import type { Database } from "./database.js"
import type { Dialect } from "./dialect.js"
import * as serviceFailures from "./serviceFailures.js"
import * as verdicts from "./verdicts.js"

/** Raised whenever a table changes. */
export const version = 8

/**
 * Translations have a number that grows, and an index of their keys: a second run asks in the order of the first one, so
 * it reads rows that lie side by side, and only the index is read at random.
 */
const statements = (dialect: Dialect): ReadonlyArray<string> => {
  const { id, indexTables, key, keys, long, strict, translationId, translationKey } = dialect
  return [
    `CREATE TABLE effect_translate_namespaces (
      id ${id},
      hash TEXT NOT NULL UNIQUE,
      endpoint TEXT NOT NULL,
      service TEXT NOT NULL,
      account TEXT NOT NULL,
      source_lang TEXT,
      target_lang TEXT,
      settings TEXT NOT NULL
    ) ${strict}`,
    `CREATE TABLE effect_translate_translations (
      id ${translationId},
      key ${translationKey},
      namespace ${long} NOT NULL,
      text TEXT,
      translation TEXT NOT NULL,
      source_lang TEXT,
      billed_characters ${long},
      model TEXT,
      refused_by TEXT,
      written_at ${long} NOT NULL
    ) ${strict}`,
    ...indexTables,
    `CREATE TABLE effect_translate_corrections (
      id ${id},
      hash ${key} NOT NULL,
      source_lang TEXT NOT NULL,
      target_lang TEXT NOT NULL,
      text TEXT NOT NULL,
      translation TEXT NOT NULL,
      written_at ${long} NOT NULL,
      UNIQUE (target_lang, hash, source_lang)
    ) ${strict}`,
    `CREATE TABLE effect_translate_corrected (
      target_lang TEXT PRIMARY KEY,
      revision TEXT NOT NULL
    ) ${strict}`,
    `CREATE TABLE effect_translate_owners (
      id ${id},
      name TEXT NOT NULL UNIQUE,
      machine TEXT,
      pid ${long},
      started_at TEXT,
      ${SqlLease.column(dialect)}
    ) ${strict}`,
    `CREATE TABLE effect_translate_attempts (
      id ${id},
      attempt TEXT NOT NULL UNIQUE,
      owner ${long} NOT NULL,
      namespace ${long} NOT NULL,
      texts ${long} NOT NULL,
      characters ${long} NOT NULL,
      keys ${keys} NOT NULL,
      written_at ${long} NOT NULL,
      ending TEXT
    ) ${strict}`,
    serviceFailures.table(dialect),
    verdicts.table(dialect),
    "CREATE INDEX effect_translate_attempts_live ON effect_translate_attempts (owner) WHERE ending IS NULL",
    ...claimLedger.functions(dialect)
  ]
}

/** Makes the tables if they are not there. Any number of processes may do so at once. */
export const prepare = (database: Database): Effect.Effect<void, SqlError | StoreError.StoreError> => {
  const { dialect, name, query } = database
  return Effect.zipRight(
    Effect.forEach(dialect.settings, (setting) => query(setting)),
    SqlTables.prepare(
      { dialect, query, transaction: database.withTransaction },
      {
        table: "effect_translate_version",
        version,
        statements: statements(dialect),
        onOther: (found) =>
          new StoreError.StoreVersionUnknown({ store: name, version: found, supported: version })
      }
    )
  )
}
