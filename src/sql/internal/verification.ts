/** The problems of a store: statements that only read. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { StoreError } from "../../store/StoreError.js"
import { StoreVersionUnknown } from "../../store/StoreError.js"
import { isEnding } from "./attempts.js"
import type { Database } from "./database.js"
import { version } from "./schema.js"
import { type Hashes, hashOfNamespace, hasItsKey, readRows, type Table, type Values } from "./storedRows.js"

/**
 * Something that is wrong with a store.
 *
 * @since 0.1.0
 * @category models
 */
export interface Problem {
  /**
   * The area of the check. In a file: its pages and indices (`pages`), whether each row can be read (`rows`), has texts in
   * UTF-8 (`texts`), the key of its text (`keys`), and is found by it (`index`). Everywhere: its tables (`layout`),
   * references between rows (`references`), and the figures of sent requests (`ledger`).
   */
  readonly check: "pages" | "layout" | "rows" | "texts" | "keys" | "index" | "references" | "ledger"
  /** The number of problems; `undefined` if that can't be read either. */
  readonly count: number | undefined
  readonly message: string
}

/**
 * The result of a verification.
 *
 * @since 0.1.0
 * @category models
 */
export interface Verification {
  /** Translations of the machine that can be read. */
  readonly translations: number
  readonly corrections: number
  /** Attempts of the ledger. */
  readonly attempts: number
  /** None if the store is whole. */
  readonly problems: ReadonlyArray<Problem>
}

/** A statement that counts faulty rows, and the message for them. */
interface Check {
  readonly check: Problem["check"]
  readonly statement: string
  readonly words: string
}

const missing = (table: string, column: string, other: string) =>
  `SELECT ${column} FROM ${table} WHERE ${column} NOT IN (SELECT id FROM ${other})`

/** Checks of every database. */
const common: ReadonlyArray<Check> = [
  {
    check: "references",
    statement: [
      missing("effect_translate_translations", "namespace", "effect_translate_namespaces"),
      missing("effect_translate_attempts", "namespace", "effect_translate_namespaces"),
      missing("effect_translate_attempts", "owner", "effect_translate_owners"),
      `SELECT id FROM effect_translate_corrections
       WHERE target_lang NOT IN (SELECT target_lang FROM effect_translate_corrected)`
    ].join(" UNION ALL "),
    words: "translations, corrections or requests whose options, language or process are missing"
  },
  {
    check: "ledger",
    statement: `SELECT id FROM effect_translate_attempts
      WHERE texts < 0 OR characters < 0 OR (ending IS NOT NULL AND NOT (${isEnding("ending")}))`,
    words: "requests in the ledger with figures or an ending that no request has"
  }
]

/** Checks of a file, where the index of keys is a table. */
const ofFile: ReadonlyArray<Check> = [
  {
    check: "index",
    statement: `SELECT t.id FROM effect_translate_translations t
      WHERE t.id <= coalesce((SELECT translation FROM effect_translate_indexed), t.id)
        AND NOT EXISTS (SELECT 1 FROM effect_translate_keys k WHERE k.key = t.key AND k.id = t.id)
      UNION ALL SELECT k.id FROM effect_translate_keys k
      WHERE NOT EXISTS (SELECT 1 FROM effect_translate_translations t WHERE t.id = k.id AND t.key = k.key)`,
    words: "translations that their keys do not lead to, or keys that lead to none"
  }
]

const counted = ({ dialect: { number }, persist, query }: Database, table: string) =>
  Effect.map(
    persist(query<[number]>(`SELECT ${number("count(*)")} FROM (${table}) counted`)),
    ([row]) => row![0]
  )

/** The result of a statement; none if it meets damage. */
const orDamaged = <A>(effect: Effect.Effect<A, StoreError>) =>
  Effect.flatMap(Effect.either(effect), (result) =>
    Either.isLeft(result) && result.left._tag !== "StoreDamaged"
      ? Effect.fail(result.left)
      : Effect.succeed(Either.getOrUndefined(result))
  )

/** SQLite's own faults of pages and indices. */
const faultsOfPages = ({ persist, queryTexts }: Database) =>
  Effect.map(
    orDamaged(persist(queryTexts<[string]>(1, "SELECT integrity_check FROM pragma_integrity_check"))),
    (lines) => lines?.filter(([line]) => line !== "ok").length
  )

/** The rows of a file, each by itself. */
const ofRows = (database: Database, tables: ReadonlyArray<Table>) =>
  Effect.gen(function* () {
    const hashes = new Map<unknown, string>()
    const sums = { malformed: 0, unreadable: 0, keys: 0 }
    const counts = new Map<string, number>()
    const look = (table: Table, hashes: Hashes) => (rows: ReadonlyArray<Values>) =>
      Effect.sync(() => {
        counts.set(table.name, (counts.get(table.name) ?? 0) + rows.length)
        sums.keys += rows.filter((row) => !hasItsKey(table, row, hashes)).length
      })
    const learn = (rows: ReadonlyArray<Values>) => {
      for (const row of rows) {
        const hash = hashOfNamespace(row)
        if (hash !== undefined) hashes.set(row.id, hash)
        // One that was salvaged by its hash has no other fields.
        else if (row.endpoint !== "") sums.keys += 1
      }
    }
    for (const table of tables) {
      const { malformed, unreadable } = yield* readRows(database, table, (rows) => {
        if (table.name === "effect_translate_namespaces") learn(rows)
        return look(table, hashes)(rows)
      })
      sums.malformed += malformed
      sums.unreadable += unreadable
    }
    return { ...sums, counts }
  })

const problem = (
  check: Problem["check"],
  count: number | undefined,
  words: string
): ReadonlyArray<Problem> =>
  count === 0
    ? []
    : [
        {
          check,
          count,
          message: count === undefined ? `Can't be read: ${words}.` : `${count} ${words}.`
        }
      ]

const noStore: Problem = {
  check: "layout",
  count: undefined,
  message: "It is no database, it was cut, or it has no tables of a store."
}

/** True if the tables of a store exist. Fails if they have another version. */
export const hasLayout = ({ dialect, name, persist, query }: Database): Effect.Effect<boolean, StoreError> =>
  Effect.gen(function* () {
    const tables = yield* orDamaged(persist(query(dialect.tableExists("effect_translate_version"))))
    if (tables?.length !== 1) return false
    const rows = yield* orDamaged(persist(query<[number]>("SELECT version FROM effect_translate_version")))
    const found = rows?.[0]?.[0]
    return !Number.isSafeInteger(found) || found === version
      ? found === version
      : yield* new StoreVersionUnknown({ store: name, version: found!, supported: version })
  })

/** Checks a store; the rows one by one where the tables of a file are given. */
export const verify = (
  database: Database,
  tables: ReadonlyArray<Table> = []
): Effect.Effect<Verification, StoreError> =>
  Effect.gen(function* () {
    const { isFile } = database.dialect
    const isStore = yield* hasLayout(database)
    const pages = problem(
      "pages",
      isFile ? yield* faultsOfPages(database) : 0,
      "faults of pages and indices, as SQLite counts them"
    )
    if (!isStore) return { translations: 0, corrections: 0, attempts: 0, problems: [noStore, ...pages] }
    const rows = yield* ofRows(database, tables)
    const checks = yield* Effect.forEach(
      isFile ? [...common, ...ofFile] : common,
      ({ check, statement, words }) =>
        Effect.map(orDamaged(counted(database, statement)), (count) => problem(check, count, words))
    )
    const count = (table: string) =>
      isFile ? Effect.succeed(rows.counts.get(table) ?? 0) : counted(database, `SELECT 1 FROM ${table}`)
    return {
      translations: yield* count("effect_translate_translations"),
      corrections: yield* count("effect_translate_corrections"),
      attempts: yield* count("effect_translate_attempts"),
      problems: [
        ...pages,
        ...problem("rows", rows.unreadable, "rows that can't be read"),
        ...problem(
          "texts",
          rows.malformed,
          "rows with a text that is not UTF-8, or with a value that is none"
        ),
        ...problem("keys", rows.keys, "rows whose text does not belong to its key"),
        ...checks.flat()
      ]
    }
  })
