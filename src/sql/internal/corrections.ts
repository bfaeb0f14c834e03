/** Translations of persons. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { type Backend, type CorrectionState, correctionKind, isOlder } from "../../store/StoreBackend.js"
import type { Correction } from "../../store/TranslationStore.js"
import type { Database } from "./database.js"
import { ask, askTexts } from "./statements.js"
import * as storedText from "./storedText.js"

/** Those that are found last come first. */
const findCorrections = (
  { dialect: { keyOf, list }, queryTexts }: Database,
  hashes: ReadonlyArray<string>,
  sourceLang: string,
  targetLang: string
) =>
  queryTexts<[index: number, translation: string]>(
    2,
    `SELECT list.i, c.translation FROM ${list("$1")} CROSS JOIN effect_translate_corrections c
     WHERE c.target_lang = $2 AND c.hash = ${keyOf("list.value")} AND ($3 = '' OR c.source_lang IN ('', $3))
     ORDER BY c.source_lang = $3, c.written_at, c.id`,
    [JSON.stringify(hashes), targetLang, sourceLang]
  )

type Hashed = Correction & { readonly hash: string }

const rowOf = ({ at, hash, source, sourceLang, targetLang, translation }: Hashed) => [
  hash,
  sourceLang ?? "",
  targetLang,
  storedText.encode(source),
  storedText.encode(translation),
  at.epochMillis
]

/** The corrections that are stored of the same texts and languages, in the order of these. */
function* storedOf({ dialect: { elements, keyOf, number } }: Database, corrections: ReadonlyArray<Hashed>) {
  const rows = yield* askTexts<[index: number, translation: string, at: number]>(
    3,
    `SELECT CAST(value ->> 6 AS INTEGER), c.translation, ${number("c.written_at")}
     FROM ${elements("$1")} CROSS JOIN effect_translate_corrections c
     WHERE c.target_lang = value ->> 2 AND c.hash = ${keyOf("value ->> 0")} AND c.source_lang = value ->> 1`,
    [JSON.stringify(corrections.map((correction, index) => [...rowOf(correction), index]))]
  )
  const found = new Array<CorrectionState | undefined>(corrections.length).fill(undefined)
  for (const [index, translation, at] of rows) {
    found[index] = { translation: storedText.decode(translation), at: DateTime.unsafeMake(at) }
  }
  return found
}

const keyOf = ({ hash, sourceLang, targetLang }: Hashed): string =>
  JSON.stringify([hash, sourceLang, targetLang])

/** The corrections that change a store, one of a text and its languages, and the count of all. */
const judge = (corrections: ReadonlyArray<Hashed>, stored: ReadonlyArray<CorrectionState | undefined>) => {
  const counts = { stored: 0, unchanged: 0, outdated: 0 }
  const now = new Map<string, CorrectionState | undefined>()
  const taken = new Map<string, Hashed>()
  for (const [index, correction] of corrections.entries()) {
    const key = keyOf(correction)
    const known = now.has(key) ? now.get(key) : stored[index]
    counts[correctionKind(known, correction)]++
    if (isOlder(correction, known)) continue
    now.set(key, correction)
    taken.set(key, correction)
  }
  return { counts, taken: Array.from(taken.values()) }
}

const correct = (database: Database, corrections: ReadonlyArray<Hashed>) => {
  const { elements, keyOf } = database.dialect
  return database.transaction(function* () {
    const { counts, taken } = judge(corrections, yield* storedOf(database, corrections))
    const json = JSON.stringify(taken.map(rowOf))
    if (counts.stored > 0) {
      // First, so that corrections of a language are made in turn.
      yield* ask(
        `INSERT INTO effect_translate_corrected (target_lang, revision)
         SELECT DISTINCT value ->> 2, CAST($2 AS TEXT) FROM ${elements("$1")} WHERE true ORDER BY 1
         ON CONFLICT (target_lang) DO UPDATE SET revision = excluded.revision`,
        [json, crypto.randomUUID()]
      )
    }
    if (taken.length > 0) {
      yield* ask(
        `INSERT INTO effect_translate_corrections (hash, source_lang, target_lang, text, translation, written_at)
         SELECT ${keyOf("value ->> 0")}, value ->> 1, value ->> 2, value ->> 3, value ->> 4, CAST(value ->> 5 AS BIGINT)
         FROM ${elements("$1")} WHERE true
         ON CONFLICT (target_lang, hash, source_lang) DO UPDATE
         SET translation = excluded.translation, written_at = excluded.written_at
         WHERE effect_translate_corrections.written_at <= excluded.written_at`,
        [json]
      )
    }
    return counts
  })
}

/** The corrections of a database. */
export const make = (
  database: Database
): Pick<Backend, "correctionsRevision" | "findCorrections" | "correct"> => ({
  correctionsRevision: (targetLang) =>
    Effect.map(
      database.persist(
        database.queryTexts<[string]>(
          1,
          "SELECT revision FROM effect_translate_corrected WHERE target_lang = $1",
          [targetLang]
        )
      ),
      (rows) => rows[0]?.[0]
    ),
  findCorrections: (hashes, { sourceLang = "", targetLang = "" }) =>
    Effect.map(database.persist(findCorrections(database, hashes, sourceLang, targetLang)), (rows) => {
      const found = new Array<string | undefined>(hashes.length).fill(undefined)
      for (const [index, translation] of rows) found[index] = storedText.decode(translation)
      return found
    }),
  correct: (corrections) => database.persist(correct(database, corrections))
})
