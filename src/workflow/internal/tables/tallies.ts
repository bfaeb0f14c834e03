import { sumTexts, type Texts } from "../../../stream/Outcome.js"
import type { Tallies } from "./jobTables.js"

/** What became of texts, by language: translated, cached, skipped, failed, flagged. It is stored as JSON, and added up by the database. */
type Stored = Record<string, readonly [number, number, number, number, number]>

/** For the database: `tallies` of a step. */
export const encode = (tallies: Tallies): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(tallies).map(([language, { cached, failed, flagged = 0, skipped, translated }]) => [
        language,
        [translated, cached, skipped, failed, flagged]
      ])
    )
  )

export const none: Texts = { translated: 0, cached: 0, skipped: 0, failed: 0 }

/** Adds to a sum by language. */
export const add = (sum: Map<string, Texts>, language: string, texts: Texts): void => {
  sum.set(language, sumTexts([{ texts: sum.get(language) ?? none }, { texts }]))
}

/** What was stored of a step. */
export const decode = (stored: string): Tallies =>
  Object.fromEntries(
    Object.entries(JSON.parse(stored) as Stored).map(
      ([language, [translated, cached, skipped, failed, flagged]]) => [
        language,
        sumTexts([{ texts: { translated, cached, skipped, failed, flagged } }])
      ]
    )
  )

/** What a step has come to that was begun before: what it has translated then, it finds in the store. */
export const resumed = (before: Tallies, now: Tallies): Tallies =>
  Object.fromEntries(
    Object.entries(now).map(([language, texts]) => {
      const { cached, flagged = 0, skipped, translated } = before[language] ?? none
      const allFlagged = flagged + (texts.flagged ?? 0)
      return [
        language,
        {
          translated: translated + texts.translated,
          cached: Math.max(cached, texts.cached - translated),
          skipped: Math.max(skipped, texts.skipped),
          failed: texts.failed,
          flagged: allFlagged === 0 ? undefined : allFlagged
        }
      ]
    })
  )

/** Of a step that goes on: a text that has failed may be tried again. */
export const withoutFailed = (tallies: Tallies): Tallies =>
  Object.fromEntries(Object.entries(tallies).map(([language, texts]) => [language, { ...texts, failed: 0 }]))

/**
 * What a source as a whole adds that had slices before it: what the slices have translated, it has found in the store. So this is
 * `translated`, and not `cached`. The sum of several may be taken before or after.
 */
export const correction = (slices: Texts): Texts => ({
  translated: slices.translated,
  cached: -slices.translated,
  skipped: 0,
  failed: 0,
  flagged: slices.flagged
})

/** For people: if translations were lost in between, more were translated than there are. */
export const shown = ({ cached, translated, ...others }: Texts): Texts => ({
  ...others,
  translated: translated + Math.min(cached, 0),
  cached: Math.max(cached, 0)
})
