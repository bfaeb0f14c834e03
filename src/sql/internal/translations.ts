import * as Effect from "effect/Effect"
import type * as Text from "../../api/Text.js"
import type { Backend, Recording } from "../../store/StoreBackend.js"
import type { Correction } from "../../store/TranslationStore.js"
import type { Owner } from "./claimOwner.js"
import type { Database } from "./database.js"
import type { Dialect } from "./dialect.js"
import * as storedText from "./storedText.js"

/** The fields of a translation as they are stored. */
export type Stored = readonly [
  translation: string,
  sourceLang: string | null,
  billedCharacters: number | null,
  model: string | null
]

export const storedFields = (number: (expression: string) => string): string =>
  `t.translation, t.source_lang, ${number("t.billed_characters")}, t.model`

export const translationOf = ([text, sourceLang, billedCharacters, model]: Stored): Text.Translation => {
  const translation: { -readonly [K in keyof Text.Translation]: Text.Translation[K] } = {
    text: storedText.decode(text)
  }
  if (sourceLang !== null) translation.detectedSourceLanguage = sourceLang
  if (billedCharacters !== null) translation.billedCharacters = billedCharacters
  if (model !== null) translation.modelTypeUsed = model
  return translation
}

const find = (
  { dialect: { keyOf, list, number }, query }: Database,
  keys: ReadonlyArray<string>,
  since: number
) =>
  query<[index: number, ...Stored]>(
    `SELECT list.i, ${storedFields(number)} FROM ${list("$1")} CROSS JOIN effect_translate_translations t
     WHERE t.key = ${keyOf("list.value")} AND t.written_at >= $2`,
    [JSON.stringify(keys), since]
  )

/** Those that are found last come first. */
const findCorrections = (
  { dialect: { keyOf, list }, query }: Database,
  hashes: ReadonlyArray<string>,
  sourceLang: string,
  targetLang: string
) =>
  query<[index: number, translation: string]>(
    `SELECT list.i, c.translation FROM ${list("$1")} CROSS JOIN effect_translate_corrections c
     WHERE c.target_lang = $2 AND c.hash = ${keyOf("list.value")} AND ($3 = '' OR c.source_lang IN ('', $3))
     ORDER BY c.source_lang = $3, c.written_at, c.id`,
    [JSON.stringify(hashes), targetLang, sourceLang]
  )

const remove = ({ dialect: { keyOf, list }, query }: Database, keys: ReadonlyArray<string>, before: number) =>
  query(
    `DELETE FROM effect_translate_translations
     WHERE key IN (SELECT ${keyOf("list.value")} FROM ${list("$1")}) AND written_at < $2`,
    [JSON.stringify(keys), before]
  )

const insertion = ({ elements, keyOf, now }: Dialect): string =>
  `INSERT INTO effect_translate_translations
     (key, namespace, text, translation, source_lang, billed_characters, model, written_at)
   SELECT ${keyOf("value ->> 0")}, (SELECT id FROM effect_translate_namespaces WHERE hash = $2),
     value ->> 1, value ->> 2, value ->> 3, CAST(value ->> 4 AS BIGINT), value ->> 5,
     CASE WHEN ${now} < $3 THEN $3 ELSE ${now} END
   FROM ${elements("$1")} WHERE true
   ON CONFLICT (key) DO NOTHING`

const inserted = ({ namespace, refreshBefore, translations }: Recording, sources: boolean) => {
  const rows = translations.map(({ key, text, translation: t }) => [
    key,
    sources ? storedText.encode(text) : null,
    storedText.encode(t.text),
    t.detectedSourceLanguage ?? null,
    t.billedCharacters ?? null,
    t.modelTypeUsed ?? null
  ])
  return [JSON.stringify(rows), namespace, refreshBefore?.epochMillis ?? 0]
}

const ending = ({ elements }: Dialect, endings: string, owner: string): string =>
  `UPDATE effect_translate_attempts SET ending = e.ending
   FROM (SELECT value ->> 0 AS attempt, value ->> 1 AS ending FROM ${elements(endings)}) e
   WHERE effect_translate_attempts.attempt = e.attempt AND effect_translate_attempts.owner = ${owner}
     AND effect_translate_attempts.ending IS NULL`

const ended = ({ endings }: Recording, owner: number) => [
  JSON.stringify(endings.map(({ attempt, ending }) => [attempt, ending])),
  owner
]

const record = (database: Database, owner: number, recording: Recording, sources: boolean) => {
  const { dialect, query, transaction } = database
  const { endings, refreshBefore, translations } = recording
  const isAdding = translations.length > 0
  const isEnding = endings.length > 0
  // One way to the database and back in place of four.
  if (isAdding && isEnding && refreshBefore === undefined && dialect.hasWritingWith) {
    return query(`WITH ended AS (${ending(dialect, "$4", "$5")}) ${insertion(dialect)}`, [
      ...inserted(recording, sources),
      ...ended(recording, owner)
    ])
  }
  const steps = [
    ...(isAdding && refreshBefore !== undefined
      ? [
          remove(
            database,
            translations.map(({ key }) => key),
            refreshBefore.epochMillis
          )
        ]
      : []),
    ...(isAdding ? [query(insertion(dialect), inserted(recording, sources))] : []),
    ...(isEnding ? [query(ending(dialect, "$1", "$2"), ended(recording, owner))] : [])
  ]
  return steps.length === 0 ? Effect.void : transaction(Effect.all(steps, { discard: true }))
}

type Hashed = Correction & { readonly hash: string }

const correct = ({ dialect: { elements, keyOf }, query }: Database, corrections: ReadonlyArray<Hashed>) => {
  const newest = new Map<string, Hashed>()
  for (const correction of corrections) {
    const { at, hash, sourceLang, targetLang } = correction
    const key = JSON.stringify([hash, sourceLang, targetLang])
    const known = newest.get(key)
    if (known === undefined || known.at.epochMillis <= at.epochMillis) newest.set(key, correction)
  }
  const rows = Array.from(newest.values(), ({ at, hash, source, sourceLang, targetLang, translation }) => [
    hash,
    sourceLang ?? "",
    targetLang,
    storedText.encode(source),
    storedText.encode(translation),
    at.epochMillis
  ])
  return query(
    `INSERT INTO effect_translate_corrections (hash, source_lang, target_lang, text, translation, written_at)
     SELECT ${keyOf("value ->> 0")}, value ->> 1, value ->> 2, value ->> 3, value ->> 4, CAST(value ->> 5 AS BIGINT)
     FROM ${elements("$1")} WHERE true
     ON CONFLICT (target_lang, hash, source_lang) DO UPDATE
     SET translation = excluded.translation, written_at = excluded.written_at
     WHERE effect_translate_corrections.written_at <= excluded.written_at`,
    [JSON.stringify(rows)]
  )
}

type Part = Pick<
  Backend,
  "openNamespace" | "find" | "hasCorrections" | "findCorrections" | "record" | "correct"
>

/** What was translated, by the machine and by persons. */
export const make = (database: Database, owner: Owner, sources: boolean): Part => {
  const { persist, query } = database
  /** Those that are stored: none is ever removed. */
  const namespaces = new Set<string>()
  const addNamespace: Part["openNamespace"] = (
    id,
    { account, endpoint, service, settings, sourceLang = null, targetLang = null }
  ) =>
    Effect.map(
      persist(
        query(
          `INSERT INTO effect_translate_namespaces
             (hash, endpoint, service, account, source_lang, target_lang, settings)
           VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (hash) DO NOTHING`,
          [id, endpoint, service, account, sourceLang, targetLang, settings]
        )
      ),
      () => void namespaces.add(id)
    )
  return {
    openNamespace: (id, namespace) =>
      Effect.suspend(() => (namespaces.has(id) ? Effect.void : addNamespace(id, namespace))),
    find: (keys, refreshBefore) =>
      Effect.map(persist(find(database, keys, refreshBefore?.epochMillis ?? 0)), (rows) => {
        const found = new Array<Text.Translation | undefined>(keys.length).fill(undefined)
        for (const [index, ...stored] of rows) found[index] = translationOf(stored)
        return found
      }),
    hasCorrections: (targetLang) =>
      Effect.map(
        persist(
          query("SELECT 1 FROM effect_translate_corrections WHERE target_lang = $1 LIMIT 1", [targetLang])
        ),
        (rows) => rows.length > 0
      ),
    findCorrections: (hashes, { sourceLang = "", targetLang = "" }) =>
      Effect.map(persist(findCorrections(database, hashes, sourceLang, targetLang)), (rows) => {
        const found = new Array<string | undefined>(hashes.length).fill(undefined)
        for (const [index, translation] of rows) found[index] = storedText.decode(translation)
        return found
      }),
    record: (recording) => {
      const end = Effect.sync(() => {
        for (const { attempt } of recording.endings) owner.holdings.end(attempt)
      })
      return persist(record(database, owner.id, recording, sources)).pipe(
        Effect.tap(end),
        // Nobody records these endings again: the next renewals of the lease note them as unknown.
        Effect.tapError(() => (recording.translations.length === 0 ? end : Effect.void))
      )
    },
    correct: (corrections) => Effect.asVoid(persist(correct(database, corrections)))
  }
}
