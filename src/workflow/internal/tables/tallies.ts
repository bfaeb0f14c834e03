import type { Texts } from "../../../stream/Outcome.js"
import type { Tallies } from "./jobTables.js"

/** What became of texts, by language: translated, cached, skipped, failed. It is stored as JSON, and added up by the database. */
export type Stored = Record<string, readonly [number, number, number, number]>

/** For the database: `tallies` of a step. */
export const encode = (tallies: Tallies): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(tallies).map(([language, { cached, failed, skipped, translated }]) => [
        language,
        [translated, cached, skipped, failed]
      ])
    )
  )

export const none: Texts = { translated: 0, cached: 0, skipped: 0, failed: 0 }

const plus = (a: Texts, b: Texts): Texts => ({
  translated: a.translated + b.translated,
  cached: a.cached + b.cached,
  skipped: a.skipped + b.skipped,
  failed: a.failed + b.failed
})

/** Adds to a sum by language. */
export const add = (sum: Map<string, Texts>, language: string, texts: Texts): void => {
  sum.set(language, plus(sum.get(language) ?? none, texts))
}

/** Adds what was stored of a step or of several. */
export const addStored = (sum: Map<string, Texts>, stored: string): void => {
  for (const [language, [translated, cached, skipped, failed]] of Object.entries(
    JSON.parse(stored) as Stored
  )) {
    add(sum, language, { translated, cached, skipped, failed })
  }
}

/** Texts, all languages together. */
export const total = (sum: ReadonlyMap<string, Texts>): number => {
  let texts = 0
  for (const { cached, failed, skipped, translated } of sum.values())
    texts += translated + cached + skipped + failed
  return texts
}

/**
 * What a source as a whole adds that had slices before it: what the slices have translated, it has found in the store. So this is
 * `translated`, and not `cached`. The sum of several may be taken before or after.
 */
export const correction = (slices: Texts): Texts => ({
  translated: slices.translated,
  cached: -slices.translated,
  skipped: 0,
  failed: 0
})

/** For people: if translations were lost in between, more were translated than there are. */
export const shown = ({ cached, failed, skipped, translated }: Texts): Texts => ({
  translated: translated + Math.min(cached, 0),
  cached: Math.max(cached, 0),
  skipped,
  failed
})
