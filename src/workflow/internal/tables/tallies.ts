import * as Record from "effect/Record"
import { sumTexts, type Texts } from "../../../stream/Outcome.js"
import type { Tallies } from "./jobTables.js"

/** The counts of texts by language: translated, cached, skipped, failed, flagged. It is stored as JSON, and added up by the database. */
type Stored = Record.ReadonlyRecord<string, readonly [number, number, number, number, number]>

/** For the database: `tallies` of a step. */
export const encode = (tallies: Tallies): string =>
  JSON.stringify(
    Record.map(tallies, ({ cached, failed, flagged = 0, skipped, translated }) => [
      translated,
      cached,
      skipped,
      failed,
      flagged
    ])
  )

export const none: Texts = { translated: 0, cached: 0, skipped: 0, failed: 0 }

/** Adds to a sum by language. */
export const add = (sum: Map<string, Texts>, language: string, texts: Texts): void => {
  sum.set(language, sumTexts([{ texts: sum.get(language) ?? none }, { texts }]))
}

/** Decodes the stored counts of a step. */
export const decode = (stored: string): Tallies =>
  Record.map(JSON.parse(stored) as Stored, ([translated, cached, skipped, failed, flagged]) =>
    sumTexts([{ texts: { translated, cached, skipped, failed, flagged } }])
  )

/** The counts of a step that was begun before: the earlier translations are found in the store. A source as a whole looks at these again. */
export const resumed = (before: Tallies, now: Tallies, isSlice: boolean): Tallies =>
  Record.map(now, (texts, language) => {
    const { cached, flagged = 0, skipped, translated } = before[language] ?? none
    return {
      translated: translated + texts.translated,
      cached: Math.max(cached, texts.cached - translated),
      skipped: Math.max(skipped, texts.skipped),
      failed: texts.failed,
      flagged: (isSlice ? flagged + (texts.flagged ?? 0) : Math.max(flagged, texts.flagged ?? 0)) || undefined
    }
  })

/** Of a step that is done: persons' translations of earlier texts look wrong. */
export const withStale = (tallies: Tallies, stale: Record.ReadonlyRecord<string, number>): Tallies =>
  Record.map(tallies, (texts, language) => ({
    ...texts,
    flagged: (texts.flagged ?? 0) + (stale[language] ?? 0) || undefined
  }))

/** Of a step that goes on: a text that has failed may be tried again. */
export const withoutFailed = (tallies: Tallies): Tallies =>
  Record.map(tallies, (texts) => ({ ...texts, failed: 0 }))

/**
 * The counts that a source as a whole adds after its slices: it has found their translations in the store, and looked at them. So this is
 * `translated`, and not `cached`. The sum of several may be taken before or after.
 */
export const correction = (slices: Texts): Texts => ({
  translated: slices.translated,
  cached: -slices.translated,
  skipped: 0,
  failed: 0
})

/** For people: if translations were lost in between, more were translated than there are. */
export const shown = ({ cached, translated, ...others }: Texts): Texts => ({
  ...others,
  translated: translated + Math.min(cached, 0),
  cached: Math.max(cached, 0)
})
