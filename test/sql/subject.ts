/** What the tests of a store in SQL share. */
import * as Effect from "effect/Effect"
import type { Backend } from "../../src/store/StoreBackend.js"
import { german, key } from "../store/subject.js"

/** A text by its number, with its translation. */
export const numbered = (n: number) => ({
  key: key(`text ${n}`),
  text: `text ${n}`,
  translation: { text: `Text ${n}` }
})

export const record = (store: Backend, ...numbers: ReadonlyArray<number>) =>
  store.record({ namespace: german.id, translations: numbers.map(numbered), endings: [] })

/** The numbers of those that are found, each with the translation that was recorded. */
export const found = (store: Backend, numbers: ReadonlyArray<number>) =>
  Effect.map(
    store.find(
      german.id,
      numbers.map((n) => numbered(n).key)
    ),
    (translations) => numbers.filter((n, index) => translations[index]?.text === `Text ${n}`)
  )

export const upTo = (n: number) => Array.from({ length: n }, (_, index) => index)
