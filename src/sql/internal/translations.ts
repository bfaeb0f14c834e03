import { hexToBytes } from "@noble/hashes/utils.js"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type { Mutable } from "effect/Types"
import { askedAt } from "../../internal/askedAt.js"
import type { Backend, Recording } from "../../store/StoreBackend.js"
import type { StoredTranslation } from "../../store/TranslationStore.js"
import type { Owner } from "./claimOwner.js"
import type { Database } from "./database.js"
import type { Dialect } from "./dialect.js"
import type { Added, KeyIndex, Stored } from "./keyIndex.js"
import { ask, type Param, type Statements } from "./statements.js"
import * as storedText from "./storedText.js"

export const translationOf = ([
  text,
  sourceLang,
  billedCharacters,
  model,
  refusedBy
]: Stored): StoredTranslation => {
  const translation: Mutable<StoredTranslation> = {
    text: storedText.decode(text)
  }
  if (sourceLang !== null) translation.detectedSourceLanguage = storedText.decode(sourceLang)
  if (billedCharacters !== null) translation.billedCharacters = billedCharacters
  if (model !== null) translation.modelTypeUsed = storedText.decode(model)
  return refusedBy === null ? translation : { ...translation, ...JSON.parse(refusedBy) }
}

/** Why a translation is of no use, as it is stored. */
const refusalOf = ({ asked, refusedBy }: StoredTranslation): string | null =>
  refusedBy === undefined ? null : JSON.stringify({ refusedBy, asked })

/** The columns of a row beside its key: its own, and those that most rows share, of which the time comes last. */
const ownColumns = ["text", "translation", "source_lang", "billed_characters"]
const sharedColumns = ["namespace", "model", "refused_by", "written_at"]
const columns = [...ownColumns, ...sharedColumns]
const wholeNumbers = ["billed_characters", "namespace", "written_at"]
const insertion = `INSERT INTO effect_translate_translations (${["key", ...columns].join()})`

/** The values of a row in the order of its columns. The time is `null` unless it is none of the clock. */
interface Row {
  readonly key: string
  readonly own: ReadonlyArray<Param>
  readonly shared: ReadonlyArray<Param>
}

/** Inserts rows of JSON: each is the array of its key and its columns. */
const jsonInsertion = ({ elements, keyOf, now }: Dialect): string => {
  const values = columns.map((column, index) => {
    const value = `value ->> ${index + 1}`
    return wholeNumbers.includes(column) ? `CAST(${value} AS BIGINT)` : value
  })
  const writtenAt = `coalesce(${values.pop()}, CASE WHEN ${now} < $2 THEN $2 ELSE ${now} END)`
  return `${insertion} SELECT ${[keyOf("value ->> 0"), ...values, writtenAt].join()}
   FROM ${elements("$1")} ON CONFLICT (key) DO NOTHING`
}

const toJson = (rows: ReadonlyArray<Row>): string =>
  JSON.stringify(rows.map(({ key, own, shared }) => [key, ...own, ...shared]))

/**
 * The number of rows of a file that are inserted at once. A row takes 4.6 µs in JSON, 3.4 with all fields as parameters, 2.7
 * without the shared ones, and a ninth less with all keys as one.
 */
const rowsAtOnce = 16

/** Bytes of a key. */
const keyBytes = 16

/** Inserts rows of a file. The parameters are all keys, the own values of each row, and those that all rows share. */
const fileInsertion = (count: number): string => {
  let next = 2
  const params = (columns: ReadonlyArray<string>) => columns.map(() => `$${next++}`)
  const own = Array.from({ length: count }, () => params(ownColumns))
  const shared = params(sharedColumns)
  const rows = own.map((own, index) => {
    const key = `substr($1, ${index * keyBytes + 1}, ${keyBytes})`
    return `(${[key, ...own, ...shared].join()})`
  })
  return `${insertion} VALUES ${rows.join()}`
}

/** Statements that insert rows: in JSON, or one or several of a file. */
export const insertions = (dialect: Dialect) => ({
  json: jsonInsertion(dialect),
  one: fileInsertion(1),
  several: fileInsertion(rowsAtOnce)
})

/** The next rows that one statement inserts: several that share their values, or one. */
const nextRows = (rows: ReadonlyArray<Row>, at: number): ReadonlyArray<Row> => {
  const next = rows.slice(at, at + rowsAtOnce)
  const { shared } = next[0]!
  const areAlike = next.every((row) => shared.every((value, index) => value === row.shared[index]))
  return next.length === rowsAtOnce && areAlike ? next : next.slice(0, 1)
}

/** Inserts rows, which count as written at a time at the earliest. */
function* insert(
  { database: { dialect }, insertions: { json, one, several } }: Recorder,
  rows: ReadonlyArray<Row>,
  earliest: number,
  { now }: Added
): Statements<void> {
  if (!dialect.isFile) {
    if (rows.length > 0) yield* ask(json, [toJson(rows), earliest])
    return
  }
  for (let at = 0; at < rows.length; ) {
    const next = nextRows(rows, at)
    const { shared } = next[0]!
    const params: Array<Param> = [hexToBytes(next.map(({ key }) => key).join(""))]
    for (const { own } of next) params.push(...own)
    params.push(...shared.slice(0, -1), shared.at(-1) ?? Math.max(now, earliest))
    yield* ask(next.length === 1 ? one : several, params)
    at += next.length
  }
}

const ending = ({ elements }: Dialect, endings: string, owner: string): string =>
  `UPDATE effect_translate_attempts SET ending = e.ending
   FROM (SELECT value ->> 'attempt' AS attempt, value ->> 'ending' AS ending FROM ${elements(endings)}) e
   WHERE effect_translate_attempts.attempt = e.attempt AND effect_translate_attempts.owner = ${owner}
     AND effect_translate_attempts.ending IS NULL`

/** The state that recordings are stored with. */
export interface Recorder {
  readonly database: Database
  readonly owner: Owner
  readonly index: KeyIndex
  readonly insertions: ReturnType<typeof insertions>
  /** The numbers of namespaces that are stored, by their hashes: none is ever removed. */
  readonly namespaces: ReadonlyMap<string, number>
  /** True if texts are kept. */
  readonly sources: boolean
}

const encodeMaybe = (text: string | undefined) => (text === undefined ? null : storedText.encode(text))

/** Translations of which none is stored yet, as far as is known here. */
const newRows = (
  { index, namespaces, sources }: Recorder,
  recordings: ReadonlyArray<Recording>,
  added: Added
) => {
  const rows: Array<Row> = []
  for (const { namespace, translations } of recordings) {
    const number = namespaces.get(namespace)!
    for (const { key, text, translation: t } of translations) {
      if (index.has(namespace, key, added)) continue
      added.keys.add(key)
      rows.push({
        key,
        own: [
          sources ? storedText.encode(text) : null,
          storedText.encode(t.text),
          encodeMaybe(t.detectedSourceLanguage),
          // The service's value may be a fraction: the column takes whole numbers only.
          Number.isSafeInteger(t.billedCharacters) ? t.billedCharacters! : null
        ],
        shared: [
          number,
          encodeMaybe(t.modelTypeUsed),
          refusalOf(t),
          t.asked === undefined ? null : askedAt(t.asked)
        ]
      })
    }
  }
  return rows
}

/** True if it removes nothing. */
export const isAdding = ({ isReplacing = false, refreshBefore }: Recording): boolean =>
  !isReplacing && refreshBefore === undefined

/** Stores translations and endings, in a transaction unless `isOneStatement`. */
export function* record(
  recorder: Recorder,
  recordings: ReadonlyArray<Recording>,
  added: Added
): Statements<void> {
  const { database, index, insertions, owner } = recorder
  const { dialect } = database
  const [replacing, adding] = Arr.partition(recordings, isAdding)
  // The latest refresh first: the others do not replace its translations.
  const refreshes = replacing
    .map((recording) => ({
      recording,
      before: recording.isReplacing === true ? Number.MAX_SAFE_INTEGER : recording.refreshBefore!.epochMillis
    }))
    .sort((one, other) => other.before - one.before)
  for (const { before, recording } of refreshes) {
    yield* index.remove(
      recording.translations.map(({ key }) => key),
      before
    )
    const earliest = recording.refreshBefore?.epochMillis ?? 0
    yield* insert(recorder, newRows(recorder, [recording], added), earliest, added)
  }
  const rows = newRows(recorder, adding, added)
  const endings = recordings.flatMap((recording) => recording.endings)
  const params = [JSON.stringify(endings), owner.id]
  // One way to the database and back in place of two.
  if (rows.length > 0 && endings.length > 0 && dialect.hasWritingWith) {
    const end = ending(dialect, "$3", "$4")
    yield* ask(`WITH ended AS (${end}) ${insertions.json}`, [toJson(rows), 0, ...params])
    return
  }
  yield* insert(recorder, rows, 0, added)
  if (endings.length > 0) yield* ask(ending(dialect, "$1", "$2"), params)
}

/** True if it takes one statement. */
export const isOneStatement = ({ hasWritingWith }: Dialect, recordings: ReadonlyArray<Recording>): boolean =>
  hasWritingWith && recordings.every(isAdding)

/** True if translations of a namespace may be stored: where a file was salvaged, also as those of a namespace whose hash was lost. */
function* isKnown(namespace: string): Statements<boolean> {
  const known = yield* ask(
    "SELECT 1 FROM effect_translate_namespaces WHERE hash = $1 OR hash LIKE 'lost %' LIMIT 1",
    [namespace]
  )
  return known.length > 0
}

type Part = Pick<Backend, "openNamespace" | "find">

/** The translations of the machine. */
export const make = (database: Database, index: KeyIndex, namespaces: Map<string, number>): Part => {
  const { dialect, persist, read, transaction } = database
  const carryOut = dialect.isFile ? transaction : read
  const addNamespace: Part["openNamespace"] = (
    id,
    { account, endpoint, service, settings, sourceLang = null, targetLang = null }
  ) =>
    Effect.map(
      persist(
        carryOut(function* () {
          if (dialect.isFile && !(yield* isKnown(id))) index.created(id)
          // Whole, as a namespace that was salvaged by its hash has no more than that.
          const [row] = yield* ask<[number]>(
            `INSERT INTO effect_translate_namespaces
               (hash, endpoint, service, account, source_lang, target_lang, settings)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (hash) DO UPDATE SET endpoint = excluded.endpoint, service = excluded.service, account = excluded.account,
               source_lang = excluded.source_lang, target_lang = excluded.target_lang, settings = excluded.settings
             RETURNING ${dialect.number("id")}`,
            [id, endpoint, service, account, sourceLang, targetLang, settings]
          )
          return row![0]
        })
      ),
      (number) => void namespaces.set(id, number)
    )
  return {
    openNamespace: (id, namespace) =>
      Effect.suspend(() => (namespaces.has(id) ? Effect.void : addNamespace(id, namespace))),
    find: (namespace, keys, refreshBefore) =>
      Effect.map(persist(index.find(namespace, keys, refreshBefore?.epochMillis ?? askedAt(0))), (rows) => {
        const found = new Array<StoredTranslation | undefined>(keys.length).fill(undefined)
        for (const [index, ...stored] of rows) found[index] = translationOf(stored)
        return found
      })
  }
}
