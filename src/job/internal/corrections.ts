import type * as DateTime from "effect/DateTime"
import type * as TranslationStore from "../../store/TranslationStore.js"

/** A text, and what a person may have filled in. */
export interface Corrected {
  readonly text?: string | undefined
  readonly correction?: string | undefined
  readonly sourceLang?: string | undefined
  readonly targetLang: string
}

/** What a person has filled in. */
export const correctionsOf = (
  units: ReadonlyArray<Corrected>,
  at: DateTime.Utc
): ReadonlyArray<TranslationStore.Correction> =>
  units.flatMap(({ correction, sourceLang, targetLang, text }) =>
    text === undefined || correction === undefined || correction.trim() === ""
      ? []
      : [{ source: text, translation: correction, sourceLang, targetLang, at }]
  )
