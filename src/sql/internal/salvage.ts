/** A new store from the readable rows of a damaged one. */
import * as Effect from "effect/Effect"
import * as Number from "effect/Number"
import * as Option from "effect/Option"
import type { StoreError } from "../../store/StoreError.js"
import type { Database } from "./database.js"
import * as keyIndex from "./keyIndex.js"
import { hashOfNamespace, hasItsKey, readRows, type Table, type Values } from "./storedRows.js"
import { hasLayout } from "./verification.js"

/**
 * The saved rows of a table, and the number of lost ones, as far as it can be told: rows on pages that can't be read are
 * counted by their numbers, of which some may have been removed before.
 *
 * @since 0.1.0
 * @category models
 */
export interface SalvagedRows {
  readonly saved: number
  readonly lost: number
}

/**
 * The rows saved from a damaged store.
 *
 * @since 0.1.0
 * @category models
 */
export interface Salvaged {
  /** Translations of the machine. */
  readonly translations: SalvagedRows
  readonly corrections: SalvagedRows
  /** Attempts of the ledger. */
  readonly attempts: SalvagedRows
}

const insertion = ({ columns, name }: Table): string => {
  const fields = columns.map(({ type }, index) =>
    type === "BLOB" ? `unhex(value ->> ${index})` : `value ->> ${index}`
  )
  return `INSERT INTO ${name} (${columns.map(({ name }) => name).join()}) SELECT ${fields.join()} FROM json_each($1)`
}

/** Stores rows, and tells how many of them the new store does not take: a damaged value can break a rule of its table. */
const store = (
  database: Database,
  table: Table,
  rows: ReadonlyArray<Values>
): Effect.Effect<number, StoreError> => {
  const json = JSON.stringify(rows.map((row) => table.columns.map(({ name }) => row[name])))
  return Effect.as(database.persist(database.query(insertion(table), [json])), 0).pipe(
    Effect.catchTag("StoreDamaged", () =>
      rows.length === 1
        ? Effect.succeed(1)
        : Effect.map(
            Effect.forEach(rows, (row) => store(database, table, [row])),
            (refused) => Number.sumAll(refused)
          )
    )
  )
}

/** Namespaces whose rows are lost: their index has their hashes, by which the next stream finds and completes them. */
const namespacesByHash = (from: Database, to: Database) =>
  Effect.gen(function* () {
    const known = yield* Effect.option(
      from.persist(
        from.queryTexts<[id: number, hash: string]>(
          2,
          "SELECT id, hash FROM effect_translate_namespaces INDEXED BY sqlite_autoindex_effect_translate_namespaces_1"
        )
      )
    )
    yield* to.persist(
      to.query(
        `INSERT INTO effect_translate_namespaces (id, hash, endpoint, service, account, settings)
         SELECT value ->> 0, value ->> 1, '', '', '', '{}' FROM json_each($1) WHERE true ON CONFLICT DO NOTHING`,
        [JSON.stringify(Option.getOrElse(known, () => []))]
      )
    )
  })

/** Adds placeholders for lost rows that translations, corrections and requests refer to. */
const placeholders = [
  `INSERT INTO effect_translate_namespaces (id, hash, endpoint, service, account, settings)
   SELECT namespace, 'lost ' || namespace, '', '', '', '{}'
   FROM (SELECT namespace FROM effect_translate_translations UNION SELECT namespace FROM effect_translate_attempts)
   WHERE namespace NOT IN (SELECT id FROM effect_translate_namespaces)`,
  `INSERT INTO effect_translate_owners (id, name, leased_until) SELECT owner, 'lost ' || owner, 0
   FROM (SELECT DISTINCT owner FROM effect_translate_attempts)
   WHERE owner NOT IN (SELECT id FROM effect_translate_owners)`,
  `INSERT INTO effect_translate_corrected (target_lang, revision)
   SELECT target_lang, lower(hex(randomblob(16))) FROM effect_translate_corrections GROUP BY target_lang`
]

/** True if the first page can be read, which says where the tables are. Fails if they have another version. */
export const hasTables = (database: Database): Effect.Effect<boolean, StoreError> =>
  database
    .persist(database.query("SELECT 1 FROM sqlite_schema WHERE name = 'effect_translate_translations'"))
    .pipe(
      Effect.map((rows) => rows.length > 0),
      Effect.catchTag("StoreDamaged", () => Effect.succeed(false)),
      Effect.zipLeft(hasLayout(database))
    )

/** SQLite refuses every statement on a file that is shorter than its header says, unless its schema may be written. */
export const tolerate = ({ persist, query }: Database): Effect.Effect<unknown, StoreError> =>
  persist(query("PRAGMA writable_schema = ON"))

/** Copies the readable rows, and makes the store whole. */
export const salvage = (
  from: Database,
  to: Database,
  tables: ReadonlyArray<Table>
): Effect.Effect<Salvaged, StoreError> =>
  Effect.gen(function* () {
    const hashes = new Map<unknown, string>()
    const losses = new Map<string, number>()
    for (const table of tables) {
      let refused = 0
      const { malformed, unreadable } = yield* readRows(from, table, (rows) =>
        Effect.gen(function* () {
          const kept = rows.filter((row) => hasItsKey(table, row, hashes))
          refused += rows.length - kept.length
          if (kept.length > 0) refused += yield* store(to, table, kept)
          if (table.name !== "effect_translate_namespaces") return
          for (const row of kept) {
            const hash = hashOfNamespace(row)
            if (hash !== undefined) hashes.set(row.id, hash)
          }
        })
      )
      losses.set(table.name, malformed + unreadable + refused)
    }
    yield* namespacesByHash(from, to)
    yield* Effect.forEach(placeholders, (statement) => to.persist(to.query(statement)))
    yield* to.persist(keyIndex.make(to, 0).settled)
    const count = (table: string) =>
      Effect.map(to.persist(to.query<[number]>(`SELECT count(*) FROM ${table}`)), ([row]) => ({
        saved: row![0],
        lost: losses.get(table) ?? 0
      }))
    return {
      translations: yield* count("effect_translate_translations"),
      corrections: yield* count("effect_translate_corrections"),
      attempts: yield* count("effect_translate_attempts")
    }
  })
