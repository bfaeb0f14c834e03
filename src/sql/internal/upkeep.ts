import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Backend } from "../../store/StoreBackend.js"
import type { StoreError } from "../../store/StoreError.js"
import type { Namespace, PruneOptions, Stats } from "../../store/TranslationStore.js"
import * as SqlErrorCode from "../SqlErrorCode.js"
import { attemptSums, pageSize, pages } from "./attempts.js"
import type { Database } from "./database.js"
import type { KeyIndex } from "./keyIndex.js"
import { namespaceReader } from "./listings.js"
import { ask, askTexts, type Statements } from "./statements.js"
import * as verdicts from "./verdicts.js"

/** The bytes of a translation and its text. */
const octets = "octet_length(t.translation) + coalesce(octet_length(t.text), 0)"

interface TranslationSums {
  translations: number
  refused: number
  bytes: number
  readonly byNamespace: Map<number, number>
}

const translationSums = ({ dialect: { number }, persist, query }: Database) =>
  Effect.gen(function* () {
    const sums: TranslationSums = { translations: 0, refused: 0, bytes: 0, byNamespace: new Map() }
    yield* pages(0, (after) =>
      Effect.map(
        persist(
          query<[namespace: number, all: number, refused: number, bytes: number, last: number]>(
            `SELECT ${number("namespace")}, ${number("count(*)")}, ${number("count(refused_by)")},
               ${number("sum(octets)")}, ${number("max(id)")}
             FROM (SELECT t.id, t.namespace, t.refused_by, ${octets} AS octets FROM effect_translate_translations t
                   WHERE t.id > $1 ORDER BY t.id LIMIT ${pageSize}) page
             GROUP BY namespace`,
            [after]
          )
        ),
        (groups) => {
          for (const [namespace, all, refused, bytes] of groups) {
            const translations = all - refused
            sums.translations += translations
            sums.refused += refused
            sums.bytes += bytes
            sums.byNamespace.set(namespace, (sums.byNamespace.get(namespace) ?? 0) + translations)
          }
          return groups.length === 0 ? undefined : Math.max(...groups.map(([, , , , last]) => last))
        }
      )
    )
    return sums
  })

const byLanguages = (
  counts: ReadonlyMap<number, number>,
  namespaces: ReadonlyMap<number, Namespace>
): Stats["languages"] => {
  const languages = new Map<string, Stats["languages"][number]>()
  for (const [id, count] of counts) {
    const { sourceLang, targetLang } = namespaces.get(id)!
    const key = JSON.stringify([sourceLang, targetLang])
    const translations = (languages.get(key)?.translations ?? 0) + count
    languages.set(key, { sourceLang, targetLang, translations })
  }
  return Array.from(languages.values())
}

const stats = (database: Database, index: KeyIndex): Effect.Effect<Stats, StoreError> =>
  Effect.gen(function* () {
    const { dialect, persist, query } = database
    yield* persist(index.settled)
    const { byNamespace, bytes, refused, translations } = yield* translationSums(database)
    const corrections = yield* persist(
      query<[number]>(`SELECT ${dialect.number("count(*)")} FROM effect_translate_corrections`)
    )
    return {
      translations,
      refused,
      bytes,
      corrections: corrections[0]![0],
      languages: byLanguages(byNamespace, yield* namespaceReader(database)(Array.from(byNamespace.keys()))),
      attempts: (yield* attemptSums(database, 0)).everything
    }
  })

function* removePage(
  number: (expression: string) => string,
  index: KeyIndex,
  { after, before, last }: { readonly after: number; readonly before: number; readonly last: number }
): Statements<{ readonly end: number; readonly removed: number } | undefined> {
  const [page] = yield* ask<[number | null]>(
    `SELECT ${number("max(id)")} FROM (SELECT id FROM effect_translate_translations
     WHERE id > $1 AND id <= $2 ORDER BY id LIMIT ${pageSize}) page`,
    [after, last]
  )
  const end = page?.[0]
  return end == null ? undefined : { end, removed: yield* index.removeRange(after, end, before) }
}

/** Removes translations up to a number that were written before a time. */
const removeUpTo = (
  { dialect: { number }, persist }: Database,
  index: KeyIndex,
  last: number,
  before: number
) =>
  Effect.gen(function* () {
    let removed = 0
    yield* pages(0, (after) =>
      Effect.map(persist(index.exactly(() => removePage(number, index, { after, last, before }))), (page) => {
        removed += page?.removed ?? 0
        return page?.end
      })
    )
    return removed
  })

/** The number of the newest translation that has no room in `bytes` bytes, with all before it. */
const lastWithoutRoom = ({ dialect: { number }, persist, query }: Database, maxBytes: number) =>
  Effect.gen(function* () {
    let bytes = 0
    let last = 0
    yield* pages(Number.MAX_SAFE_INTEGER, (before) =>
      Effect.map(
        persist(
          query<[id: number, octets: number]>(
            `SELECT ${number("t.id")}, ${octets} FROM effect_translate_translations t
             WHERE t.id < $1 ORDER BY t.id DESC LIMIT ${pageSize}`,
            [before]
          )
        ),
        (rows) => {
          for (const [id, octets] of rows) {
            bytes += octets
            if (bytes > maxBytes) {
              last = id
              return undefined
            }
          }
          return rows[rows.length - 1]?.[0]
        }
      )
    )
    return last
  })

const prune = (database: Database, index: KeyIndex, { maxAge, maxBytes }: PruneOptions) =>
  Effect.gen(function* () {
    const { dialect, persist, query } = database
    let removed = 0
    if (maxAge !== undefined) {
      const now = yield* persist(query<[number]>(`SELECT ${dialect.number(dialect.now)}`))
      const before = now[0]![0] - Duration.toMillis(maxAge)
      if (Number.isFinite(before)) {
        removed += yield* removeUpTo(database, index, Number.MAX_SAFE_INTEGER, Math.ceil(before))
        yield* verdicts.prune(database, Math.ceil(before))
      }
    }
    if (maxBytes !== undefined) {
      // A second translation of a key takes no room: it is gone when that has an index.
      yield* persist(index.settled)
      const last = yield* lastWithoutRoom(database, maxBytes)
      removed += yield* removeUpTo(database, index, last, Number.MAX_SAFE_INTEGER)
    }
    return removed
  })

const blocked = SqlErrorCode.withCode("SQLITE_BUSY", "others still read what was erased")

const erase = (database: Database, index: KeyIndex, hash: string, keyIn: (namespace: string) => string) => {
  const { dialect, persist, query } = database
  const { afterErasing, keyOf } = dialect
  const removed = function* () {
    const namespaces = yield* askTexts<[string]>(1, "SELECT hash FROM effect_translate_namespaces")
    const keys = namespaces.map(([namespace]) => keyIn(namespace))
    const held = yield* index.findHalves(keys)
    const translations = yield* index.remove(
      held.map(([, key]) => key),
      Number.MAX_SAFE_INTEGER
    )
    yield* ask(
      `UPDATE effect_translate_corrected SET revision = $2 WHERE target_lang IN
       (SELECT target_lang FROM effect_translate_corrections WHERE hash = ${keyOf("$1")})`,
      [hash, crypto.randomUUID()]
    )
    yield* ask(
      `DELETE FROM effect_translate_failures
       WHERE substr(key, 1, 16) IN (SELECT substr(list.value, 1, 16) FROM ${dialect.list("$1")})`,
      [JSON.stringify(keys)]
    )
    const corrections = yield* ask(
      `DELETE FROM effect_translate_corrections WHERE hash = ${keyOf("$1")} RETURNING id`,
      [hash]
    )
    return translations + corrections.length
  }
  const cleared = Effect.forEach(afterErasing, (statement) =>
    Effect.filterOrFail(
      query<[number]>(statement),
      (rows) => rows[0]?.[0] === 0,
      () => blocked
    )
  )
  return Effect.zipLeft(persist(index.exactly(removed)), persist(cleared))
}

/** Statistics, erasing and pruning. */
export const make = (database: Database, index: KeyIndex): Pick<Backend, "erase" | "prune" | "stats"> => ({
  erase: (hash, keyIn) => erase(database, index, hash, keyIn),
  prune: (options) => prune(database, index, options),
  stats: stats(database, index)
})
