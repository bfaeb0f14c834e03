/** The readable rows of a file one by one: shared by verification and salvage. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { StoreError } from "../../store/StoreError.js"
import * as StoreKeys from "../../store/StoreKeys.js"
import type { Database } from "./database.js"
import { parseBytes } from "./dialect.js"
import * as storedText from "./storedText.js"

/** A table whose rows have numbers. */
export interface Table {
  readonly name: string
  readonly columns: ReadonlyArray<{ readonly name: string; readonly type: "BLOB" | "INTEGER" | "TEXT" }>
}

/** The values of a row by their columns; BLOBs as hexadecimal digits. */
export type Values = Readonly<Record<string, string | number | null>>

/** The tables of a store that is whole, in the order in which they refer to each other. */
export const tablesOf = ({ persist, query }: Database): Effect.Effect<ReadonlyArray<Table>, StoreError> =>
  Effect.map(
    persist(
      query<[table: string, column: string, type: Table["columns"][number]["type"]]>(
        `SELECT m.name, c.name, c.type FROM sqlite_schema m CROSS JOIN pragma_table_info(m.name) c
         WHERE m.type = 'table' AND m.name LIKE 'effect\\_translate\\_%' ESCAPE '\\'
           AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) i WHERE i.name = 'id' AND i.pk = 1)
         ORDER BY m.rowid, c.cid`
      )
    ),
    (rows) => {
      const tables = new Map<string, Array<Table["columns"][number]>>()
      for (const [table, name, type] of rows) {
        const columns = tables.get(table) ?? []
        tables.set(table, [...columns, { name, type }])
      }
      return Array.from(tables, ([name, columns]) => ({ name, columns }))
    }
  )

/** True if a value is of the column's type. A text has no U+0000: those are parts of a page that were never written. */
const isOf = (type: Table["columns"][number]["type"], value: unknown): value is string | number | null =>
  value === null ||
  (type === "INTEGER" ? Number.isSafeInteger(value) : typeof value === "string" && !value.includes("\0"))

/** A row from its bytes; none if a text in it is not UTF-8, or a value is none that is written. */
const valuesOf = ({ columns }: Table, bytes: Uint8Array): Values | undefined => {
  const values = Either.getOrElse(
    Either.try((): ReadonlyArray<unknown> => parseBytes(bytes)),
    () => []
  )
  const entries = columns.flatMap(
    ({ name, type }, index): ReadonlyArray<[string, string | number | null]> => {
      const value = values[index]
      return isOf(type, value) ? [[name, value]] : []
    }
  )
  return entries.length === columns.length ? Object.fromEntries(entries) : undefined
}

const mostAtOnce = 500

/** Numbers that are tried one by one before the steps are twice as long. */
const triesPerStep = 16

/** Counts of rows that were left out of a reading. */
export interface Read {
  /** Rows that have a text which is not UTF-8, or a value that is never written. */
  readonly malformed: number
  /** Numbers between rows that can be read, or behind them, that can't be read. */
  readonly unreadable: number
}

/** The last number that a row of the table has, by other sources than the rows; none if there are none. */
const lastNumber = ({ persist, query }: Database, table: string) =>
  Effect.map(
    Effect.forEach(
      [
        `SELECT seq FROM sqlite_sequence WHERE name = '${table}'`,
        // Reads the smallest index, if there is one.
        `SELECT max(id + 0) FROM ${table}`
      ],
      (statement) => Effect.option(persist(query<[number | null]>(statement)))
    ),
    (found) =>
      Math.max(
        0,
        ...found.flatMap((rows) => (rows._tag === "Some" ? rows.value.map(([last]) => last ?? 0) : []))
      )
  )

/** Rows from a number on, each as its bytes; none if a page or a sector can't be read. */
const pageReader = ({ persist, query }: Database, { columns, name }: Table) => {
  const fields = columns.map(({ name, type }) => (type === "BLOB" ? `hex(${name})` : name)).join()
  return (from: number, limit: number) =>
    persist(
      query<[id: number, bytes: Uint8Array]>(
        `SELECT id, CAST(json_array(${fields}) AS BLOB) FROM ${name} WHERE id >= $1 ORDER BY id LIMIT $2`,
        [from, limit]
      )
    ).pipe(
      Effect.catchTags({
        StoreDamaged: () => Effect.succeed(undefined),
        StoreUnavailable: (error) =>
          error.code.startsWith("SQLITE_IOERR") ? Effect.succeed(undefined) : Effect.fail(error)
      })
    )
}

/**
 * Those rows of a page that are in their places. A damaged page has some whose numbers are those of other pages: going on behind such a
 * number would leave rows out. Where a number is left out, a look-up of the one before it finds the row, if it is in its place.
 */
const inPlace = <R extends readonly [id: number, ...ReadonlyArray<unknown>], E>(
  from: number,
  rows: ReadonlyArray<R>,
  page: (from: number, limit: number) => Effect.Effect<ReadonlyArray<R> | undefined, E>
) =>
  Effect.gen(function* () {
    const placed: Array<R> = []
    let next = from
    for (const row of rows) {
      const [id] = row
      if (id < next || (id > next && (yield* page(id - 1, 1))?.[0]?.[0] !== id)) continue
      placed.push(row)
      next = id + 1
    }
    return placed
  })

/**
 * Reads all rows of a table in the order of their numbers. Where a page can't be read, the next number that can is searched:
 * so it loses its own rows and no other. Steps grow, since a page of an index of pages may have millions of numbers under
 * it; where one of them has gone too far, the last one is tried again in small steps.
 */
export const readRows = <E>(
  database: Database,
  table: Table,
  use: (rows: ReadonlyArray<Values>) => Effect.Effect<void, E>
): Effect.Effect<Read, StoreError | E> =>
  Effect.gen(function* () {
    const page = pageReader(database, table)
    let [malformed, unreadable] = [0, 0]
    let [from, limit, last] = [1, mostAtOnce, 0]
    let [misses, before] = [0, 0]
    while (from < Number.MAX_SAFE_INTEGER) {
      const rows = yield* page(from, limit)
      const placed = rows && (yield* inPlace(from, rows, page))
      const isEnd = rows?.length === 0
      if (placed === undefined || (placed.length === 0 && !isEnd)) {
        if (limit > 1) limit = 1
        else {
          before = from
          from += 2 ** Math.floor(misses / triesPerStep)
          misses += 1
        }
      } else if (misses > 0 && from - before > 1) {
        from = before
        misses = 0
      } else if (isEnd) {
        if (misses > 0) break
        return { malformed, unreadable }
      } else {
        const to = placed[placed.length - 1]![0]
        if (misses > 0 || placed.length < rows!.length) unreadable += to - last - placed.length
        misses = 0
        const whole = placed.map(([, bytes]) => valuesOf(table, bytes)).filter((row) => row !== undefined)
        malformed += placed.length - whole.length
        if (whole.length > 0) yield* use(whole)
        last = to
        from = to + 1
        limit = Math.min(limit * 2, mostAtOnce)
      }
    }
    return {
      malformed,
      unreadable: unreadable + Math.max(0, (yield* lastNumber(database, table.name)) - last)
    }
  })

/** The hashes of namespaces by their numbers, where the hash fits the fields. */
export type Hashes = ReadonlyMap<unknown, string>

const textOf = (value: string | number | null | undefined): string | undefined =>
  typeof value === "string" ? value : undefined

/** The hash of a namespace if it fits the fields. */
export const hashOfNamespace = (row: Values): string | undefined => {
  const id = StoreKeys.namespaceId({
    endpoint: String(row.endpoint),
    service: String(row.service),
    account: String(row.account),
    sourceLang: textOf(row.source_lang),
    targetLang: textOf(row.target_lang),
    settings: String(row.settings)
  })
  return row.hash === id ? id : undefined
}

/** True if the key of a row fits its text, or if the store keeps no text to compare it with. */
export const hasItsKey = ({ name }: Table, row: Values, hashes: Hashes): boolean => {
  const text = textOf(row.text)
  if (text === undefined) return true
  const decoded = storedText.decode(text)
  switch (name) {
    case "effect_translate_translations": {
      const namespace = hashes.get(row.namespace)
      return namespace === undefined || isKeyOf(row.key, StoreKeys.hashed.keyOf(namespace, decoded))
    }
    case "effect_translate_corrections":
      return isKey(row.hash, StoreKeys.hashed.hashOf(decoded))
    default:
      return true
  }
}

/** The same for any terms of a glossary. */
const isKeyOf = (digits: string | number | null | undefined, key: string): boolean =>
  StoreKeys.hashed.baseOf(String(digits).toLowerCase()) === StoreKeys.hashed.baseOf(key)

const isKey = (digits: string | number | null | undefined, key: string): boolean =>
  String(digits).toLowerCase() === key
