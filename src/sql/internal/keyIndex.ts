import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { BloomFilter } from "./bloomFilter.js"
import type { Database } from "./database.js"
import type { Dialect } from "./dialect.js"
import { ask, askTexts, nothing, type Statements } from "./statements.js"

/** The fields of a translation as they are stored. */
export type Stored = readonly [
  translation: string,
  sourceLang: string | null,
  billedCharacters: number | null,
  model: string | null,
  refusedBy: string | null
]

export const storedFields = (number: (expression: string) => string): string =>
  `t.translation, t.source_lang, ${number("t.billed_characters")}, t.model, t.refused_by`

/** A translation that is found: the index of its key in the query. */
export type Found = readonly [index: number, ...Stored]

/** The same with its key. */
export type FoundKey = readonly [index: number, key: string, ...Stored]

/** The additions of a transaction, to be remembered once it is committed. */
export interface Added {
  readonly keys: Set<string>
  /** True if the index has all that was stored before the transaction. */
  readonly isCurrent: boolean
  /** True if it has the additions of the transaction, too. */
  isSettled: boolean
  /** The number of the last translation. */
  last: number
  /** When the transaction has begun, by the clock of a file. */
  readonly now: number
}

/**
 * Which translation has a key. PostgreSQL has an index of a column. In a file, each new key would change a page of
 * such an index by itself: 15 µs a text instead of 5.5. So there the index is a table that gets some thousand keys at once,
 * in their order, and until then their process remembers them. A process that sees by the last number that others have added
 * or removed translations puts all of them into the index first, and remembers none.
 */
export interface KeyIndex {
  /**
   * A transaction makes a namespace, so nothing of it is stored. It may be rolled back: later additions of others have larger numbers.
   */
  readonly created: (namespace: string) => void
  /** The translations of keys of a namespace. */
  readonly find: (
    namespace: string,
    keys: ReadonlyArray<string>,
    since: number
  ) => Effect.Effect<ReadonlyArray<Found>, SqlError>
  /** The translations of all keys of a namespace that have the first halves of these, in a transaction that has everything. */
  readonly findHalves: (keys: ReadonlyArray<string>) => Statements<ReadonlyArray<FoundKey>>
  /** True if a translation may be stored that the transaction has not added. */
  readonly mayHave: (namespace: string, key: string) => boolean
  /** True if a translation is stored that the index does not know in this transaction. */
  readonly has: (namespace: string, key: string, added: Added) => boolean
  /** Begins a transaction. `isExact` if the index is to hold everything, as for removing translations. */
  readonly begin: (isExact: boolean) => Statements<Added>
  /** Ends it. */
  readonly end: (added: Added) => Statements<void>
  readonly committed: (added: Added) => void
  /** A transaction in which the index has everything, and of several translations of a key there is only the first. */
  readonly exactly: <A>(body: () => Statements<A>) => Effect.Effect<A, SqlError>
  /** The index has everything. */
  readonly settled: Effect.Effect<void, SqlError>
  /** Removes the translations of keys that were written before a time, in a transaction. Tells how many. */
  readonly remove: (keys: ReadonlyArray<string>, before: number) => Statements<number>
  /** Removes translations between two numbers that were written before a time, in a transaction. Tells how many. */
  readonly removeRange: (after: number, to: number, before: number) => Statements<number>
}

/** In a file as JSON, which takes 2.2 µs a translation: rows of six columns take the driver 2.9. */
const findByKeys = (
  { list, number, withKey }: Dialect,
  keys: ReadonlyArray<string>,
  since: number
): Statements<ReadonlyArray<Found>> =>
  askTexts<Found>(
    6,
    `SELECT list.i, ${storedFields(number)} FROM ${list("$1")} CROSS JOIN ${withKey("list.value")} AND t.written_at >= $2`,
    [JSON.stringify(keys), since]
  )

const findByHalves = (
  { digitsOfKey, list, number, withHalf }: Dialect,
  keys: ReadonlyArray<string>
): Statements<ReadonlyArray<FoundKey>> =>
  askTexts<FoundKey>(
    7,
    `SELECT list.i, ${digitsOfKey("t.key")}, ${storedFields(number)}
     FROM ${list("$1")} CROSS JOIN ${withHalf("list.value")}`,
    [JSON.stringify(keys)]
  )

function* removeKeys(
  { list, withKey }: Dialect,
  keys: ReadonlyArray<string>,
  before: number
): Statements<number> {
  const removed = yield* ask(
    `DELETE FROM effect_translate_translations WHERE written_at < $2
       AND id IN (SELECT t.id FROM ${list("$1")} CROSS JOIN ${withKey("list.value")}) RETURNING id`,
    [JSON.stringify(keys), before]
  )
  return removed.length
}

function* removeNumbers(after: number, to: number, before: number): Statements<number> {
  const removed = yield* ask(
    `DELETE FROM effect_translate_translations WHERE id > $1 AND id <= $2 AND written_at < $3 RETURNING id`,
    [after, to, before]
  )
  return removed.length
}

/** The index of the column. */
const makeUnique = ({ dialect, read, transaction }: Database): KeyIndex => ({
  created: () => {},
  mayHave: () => true,
  find: (_, keys, since) => read(() => findByKeys(dialect, keys, since)),
  findHalves: (keys) => findByHalves(dialect, keys),
  has: (_, key, { keys }) => keys.has(key),
  begin: () => nothing({ keys: new Set(), isCurrent: true, isSettled: true, last: 0, now: 0 }),
  end: () => nothing(undefined),
  committed: () => {},
  exactly: transaction,
  settled: Effect.void,
  remove: (keys, before) => removeKeys(dialect, keys, before),
  removeRange: removeNumbers
})

const makeDeferred = ({ dialect, read, transaction }: Database, mostKept: number): KeyIndex => {
  /** The keys of translations that are not in the index, the last of which has the last number. */
  let kept: Array<string> = []
  /** Their numbers, as far as somebody has asked: a first run asks for few. */
  let numberOf = new Map<string, number>()
  /** The last number that was given when it was looked last. */
  let last = -1
  /** Namespaces that were made here, to which others have added nothing: a first run asks for none of its texts. */
  const own = new Set<string>()
  /** All keys of these, and maybe others. */
  const ownKeys = new BloomFilter()

  const mayHave: KeyIndex["mayHave"] = (namespace, key) => !own.has(namespace) || ownKeys.mayHave(key)

  const keptNumber = (key: string): number | undefined => {
    for (let index = numberOf.size; index < kept.length; index++) {
      numberOf.set(kept[index]!, last - kept.length + index + 1)
    }
    return numberOf.get(key)
  }

  /** The last number that was given, the last one whose translation is in the index, and the time. */
  function* numbers(): Statements<readonly [last: number, indexed: number, now: number]> {
    const [row] = yield* ask<[last: number, indexed: number, now: number]>(
      `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'effect_translate_translations'), 0), translation,
         ${dialect.now} FROM effect_translate_indexed`
    )
    return row!
  }

  /** Of several translations of a key, the first one stays. */
  function* settle(): Statements<number> {
    const [last, indexed] = yield* numbers()
    if (last === indexed) return last
    // `OR IGNORE`, not `ON CONFLICT DO NOTHING`: for that, SQLite keeps each page that is changed in memory as it was.
    yield* ask(
      `INSERT OR IGNORE INTO effect_translate_keys SELECT key, id FROM effect_translate_translations WHERE id > $1
       ORDER BY key, id`,
      [indexed]
    )
    const [row] = yield* ask<[changes: number]>("SELECT changes()")
    if (row![0] < last - indexed) {
      yield* ask(
        `DELETE FROM effect_translate_translations WHERE id > $1
           AND id <> (SELECT k.id FROM effect_translate_keys k WHERE k.key = effect_translate_translations.key)`,
        [indexed]
      )
    }
    yield* ask("UPDATE effect_translate_indexed SET translation = $1", [last])
    return last
  }

  function* begin(isExact: boolean): Statements<Added> {
    const [given, , now] = yield* numbers()
    if (given !== last) own.clear()
    const isCurrent = isExact || given !== last
    return { keys: new Set(), isCurrent, isSettled: false, last: isCurrent ? yield* settle() : given, now }
  }

  function* end(added: Added): Statements<void> {
    added.isSettled = added.isCurrent || kept.length + added.keys.size >= mostKept
    added.last = added.isSettled ? yield* settle() : added.last + added.keys.size
  }

  const committed = (added: Added): void => {
    last = added.last
    if (own.size > 0) for (const key of added.keys) ownKeys.add(key)
    if (added.isSettled) {
      kept = []
      numberOf = new Map()
    } else for (const key of added.keys) kept.push(key)
  }

  const exactly: KeyIndex["exactly"] = (body) =>
    Effect.map(
      transaction(function* () {
        const added = yield* begin(true)
        const result = yield* body()
        yield* end(added)
        return { added, result }
      }),
      ({ added, result }) => {
        committed(added)
        return result
      }
    )
  const settled = exactly(() => nothing(undefined))

  function* findKept(
    keys: ReadonlyArray<string>,
    since: number,
    found: ReadonlyArray<Found>
  ): Statements<ReadonlyArray<Found>> {
    const known = new Set(found.map(([index]) => index))
    const wanted: Array<{ readonly index: number; readonly number: number }> = []
    for (const [index, key] of keys.entries()) {
      const number = known.has(index) ? undefined : keptNumber(key)
      if (number !== undefined) wanted.push({ index, number })
    }
    if (wanted.length === 0) return []
    const rows = yield* askTexts<Found>(
      6,
      `SELECT list.i, ${storedFields(dialect.number)} FROM ${dialect.list("$1")}
         CROSS JOIN effect_translate_translations t WHERE t.id = list.value AND t.written_at >= $2`,
      [JSON.stringify(wanted.map(({ number }) => number)), since]
    )
    return rows.map(([at, ...stored]): Found => [wanted[at]!.index, ...stored])
  }

  function* findAll(keys: ReadonlyArray<string>, since: number): Statements<ReadonlyArray<Found>> {
    const indexed = yield* findByKeys(dialect, keys, since)
    return indexed.length === keys.length ? indexed : [...indexed, ...(yield* findKept(keys, since, indexed))]
  }

  /** Asks for nothing of which it is known that there is none. */
  function* findSome(
    namespace: string,
    keys: ReadonlyArray<string>,
    since: number
  ): Statements<ReadonlyArray<Found>> {
    if (!own.has(namespace)) return yield* findAll(keys, since)
    const places = Array.from(keys.keys()).filter((index) => ownKeys.mayHave(keys[index]!))
    if (places.length === 0) return []
    const found = yield* findAll(
      places.map((index) => keys[index]!),
      since
    )
    return found.map(([place, ...stored]): Found => [places[place]!, ...stored])
  }

  /** None if others have added or removed translations since, and be it between two of these statements. */
  function* find(
    namespace: string,
    keys: ReadonlyArray<string>,
    since: number
  ): Statements<ReadonlyArray<Found> | undefined> {
    const found = yield* findSome(namespace, keys, since)
    return (yield* numbers())[0] === last ? found : undefined
  }

  /** Skips a number, which tells all processes that remember translations that some were removed. */
  function* noteRemoved(count: number): Statements<number> {
    if (count > 0) {
      yield* ask("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'effect_translate_translations'")
    }
    return count
  }

  return {
    created: (namespace) => void own.add(namespace),
    mayHave,
    find: (namespace, keys, since) =>
      Effect.flatMap(
        read(() => find(namespace, keys, since)),
        (found) =>
          found === undefined ? exactly(() => findByKeys(dialect, keys, since)) : Effect.succeed(found)
      ),
    findHalves: (keys) => findByHalves(dialect, keys),
    has: (namespace, key, { isCurrent, keys }) =>
      keys.has(key) || (!isCurrent && mayHave(namespace, key) && keptNumber(key) !== undefined),
    begin,
    end,
    committed,
    exactly,
    settled,
    *remove(keys, before) {
      const removed = yield* removeKeys(dialect, keys, before)
      yield* ask(
        `DELETE FROM effect_translate_keys WHERE key IN (SELECT ${dialect.keyOf("list.value")} FROM ${dialect.list("$1")})
           AND NOT EXISTS (SELECT 1 FROM effect_translate_translations t WHERE t.id = effect_translate_keys.id)`,
        [JSON.stringify(keys)]
      )
      return yield* noteRemoved(removed)
    },
    *removeRange(after, to, before) {
      yield* ask(
        `DELETE FROM effect_translate_keys WHERE key IN (
           SELECT key FROM effect_translate_translations WHERE id > $1 AND id <= $2 AND written_at < $3)`,
        [after, to, before]
      )
      return yield* noteRemoved(yield* removeNumbers(after, to, before))
    }
  }
}

/** Remembers at most `mostKept` keys until it puts them into the index. */
export const make = (database: Database, mostKept: number): KeyIndex =>
  database.dialect.isFile ? makeDeferred(database, mostKept) : makeUnique(database)
