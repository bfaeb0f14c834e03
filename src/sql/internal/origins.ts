/** The translations of the machine, found by their target language and their own texts. */
import * as Effect from "effect/Effect"
import * as LanguageCode from "../../api/LanguageCode.js"
import type { Backend } from "../../store/StoreBackend.js"
import { pages } from "./attempts.js"
import type { Database } from "./database.js"
import type { KeyIndex } from "./keyIndex.js"
import * as storedText from "./storedText.js"
import { translationOf } from "./translations.js"

/** Rows that one statement compares: some milliseconds, in which the thread does nothing else. */
const pageSize = 20_000

/** The numbers and hashes of the namespaces into a language. */
const namespacesInto = ({ dialect: { number }, persist, queryTexts }: Database, targetLang: string) =>
  Effect.map(
    persist(
      queryTexts<[id: number, hash: string, targetLang: string]>(
        3,
        `SELECT ${number("id")}, hash, target_lang FROM effect_translate_namespaces WHERE target_lang IS NOT NULL`
      )
    ),
    (rows) => rows.filter(([, , language]) => LanguageCode.canonical(language) === targetLang)
  )

const translationsInto =
  (database: Database, index: KeyIndex): Backend["translationsInto"] =>
  (targetLang, keysIn) =>
    Effect.gen(function* () {
      const found = new Map<number, Array<string>>()
      for (const [, namespace] of yield* namespacesInto(database, targetLang)) {
        const rows = yield* database.persist(index.exactly(() => index.findHalves(keysIn(namespace))))
        for (const [place, , ...stored] of rows) {
          const { text } = translationOf(stored)
          found.set(place, [...(found.get(place) ?? []), text])
        }
      }
      return found
    })

const writtenInto =
  (database: Database): Backend["writtenInto"] =>
  (targetLang, translations) =>
    Effect.gen(function* () {
      const { dialect, persist, query, queryTexts } = database
      const written = new Set<string>()
      const namespaces = yield* namespacesInto(database, targetLang)
      if (namespaces.length === 0 || translations.length === 0) return written
      const numbers = JSON.stringify(namespaces.map(([id]) => id))
      const wanted = JSON.stringify(translations.map(storedText.encode))
      const end = ([page]: ReadonlyArray<readonly [number | null]>) => page?.[0] ?? undefined
      yield* pages(0, (after) =>
        Effect.gen(function* () {
          const to = end(
            yield* persist(
              query<[number | null]>(
                `SELECT ${dialect.number("max(id)")} FROM (SELECT id FROM effect_translate_translations
                 WHERE id > $1 ORDER BY id LIMIT ${pageSize}) page`,
                [after]
              )
            )
          )
          if (to === undefined) return undefined
          const rows = yield* persist(
            queryTexts<[translation: string]>(
              1,
              `SELECT DISTINCT t.translation FROM effect_translate_translations t
               WHERE t.id > $1 AND t.id <= $2
                 AND t.namespace IN (SELECT CAST(list.value AS BIGINT) FROM ${dialect.list("$3")})
                 AND t.translation IN (SELECT list.value FROM ${dialect.list("$4")})`,
              [after, to, numbers, wanted]
            )
          )
          for (const [translation] of rows) written.add(storedText.decode(translation))
          return to
        })
      )
      return written
    })

/** The origins of texts: by keys of sources, and by one reading of all translations. */
export const make = (
  database: Database,
  index: KeyIndex
): Pick<Backend, "translationsInto" | "writtenInto"> => ({
  translationsInto: translationsInto(database, index),
  writtenInto: writtenInto(database)
})
