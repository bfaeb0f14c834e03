/** The content of a memory, with corrections in their places. */
import * as DateTime from "effect/DateTime"
import * as LanguageCode from "../../api/LanguageCode.js"
import type { Segment } from "../../client/TranslationMemories.js"
import type * as Tmx from "../../format/Tmx.js"
import { hasLoneSurrogate } from "../../internal/utf8.js"
import type { Correction } from "./storeModels.js"

/** XML has no such characters. */
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

const isWritable = (text: string): boolean => !unwritable.test(text) && !hasLoneSurrogate(text)

const isOf = (language: string, other: string): boolean =>
  LanguageCode.base(language) === LanguageCode.base(other)

/** The source languages that corrections name. */
export const languagesOf = (corrections: ReadonlyArray<Correction>): ReadonlyArray<string> => {
  const found = new Map<string, string>()
  for (const { sourceLang } of corrections) {
    if (sourceLang !== undefined && !found.has(LanguageCode.base(sourceLang)))
      found.set(LanguageCode.base(sourceLang), sourceLang)
  }
  return Array.from(found.values())
}

/** The counts of the corrections. */
export interface Counts {
  /** Texts of a language that the memory did not have. */
  added: number
  /** Texts of the memory that are others now. */
  replaced: number
  /** Texts of the memory that stay. */
  kept: number
  /** Corrections from other languages, and texts that TMX can't hold. */
  leftOut: number
  /** Texts of the memory that can't be taken over: without a language, or with characters that TMX can't hold. */
  dropped: number
}

/** Corrections from a language, by text and language. */
export class Merge {
  readonly counts: Counts = { added: 0, replaced: 0, kept: 0, leftOut: 0, dropped: 0 }
  private readonly bySource = new Map<string, Map<string, Correction>>()
  private readonly placed = new Set<Correction>()

  constructor(
    corrections: ReadonlyArray<Correction>,
    private readonly sourceLang: string
  ) {
    for (const correction of corrections) {
      const { source, targetLang, translation } = correction
      const isFrom = correction.sourceLang === undefined || isOf(correction.sourceLang, sourceLang)
      const isInto = LanguageCode.canonical(targetLang) !== LanguageCode.canonical(sourceLang)
      if (!isFrom || !isInto || !isWritable(source) || !isWritable(translation)) {
        this.counts.leftOut++
        continue
      }
      const known = this.bySource.get(source) ?? new Map<string, Correction>()
      this.bySource.set(source, known)
      const language = LanguageCode.canonical(targetLang)
      const other = known.get(language)
      // One from this language wins over one from any, then the newer one.
      if (other === undefined || this.rank(correction) >= this.rank(other)) known.set(language, correction)
    }
  }

  private rank({ at, sourceLang }: Correction): number {
    return DateTime.toEpochMillis(at) + (sourceLang === undefined ? 0 : 1e15)
  }

  /** True if the memory would change. */
  get isChanged(): boolean {
    return this.counts.added + this.counts.replaced > 0
  }

  /** A segment of the memory, with its corrections. */
  readonly segment = ({ creationTime, sourceText, targets }: Segment): ReadonlyArray<Tmx.Entry> => {
    const corrections = this.bySource.get(sourceText.trim())
    const texts: Record<string, string> = { [this.sourceLang]: sourceText }
    for (const { targetLanguage, targetText } of targets) {
      if (targetLanguage === undefined || targetLanguage in texts || !isWritable(sourceText + targetText)) {
        this.counts.dropped++
        continue
      }
      const correction = corrections?.get(LanguageCode.canonical(targetLanguage))
      if (correction !== undefined) this.placed.add(correction)
      const isReplaced = correction !== undefined && correction.translation !== targetText.trim()
      this.counts[isReplaced ? "replaced" : "kept"]++
      texts[targetLanguage] = isReplaced ? correction.translation : targetText
    }
    return Object.keys(texts).length < 2
      ? []
      : [
          {
            texts,
            sourceLang: this.sourceLang,
            ...(creationTime && { created: DateTime.toDateUtc(creationTime) })
          }
        ]
  }

  /** The corrections that no segment has had a place for. */
  readonly rest = (): ReadonlyArray<Tmx.Entry> =>
    Array.from(this.bySource).flatMap(([source, byLanguage]) =>
      Array.from(byLanguage).flatMap(([language, correction]) => {
        if (this.placed.has(correction)) return []
        this.counts.added++
        return [
          {
            texts: { [this.sourceLang]: source, [language]: correction.translation },
            sourceLang: this.sourceLang,
            created: DateTime.toDateUtc(correction.at)
          }
        ]
      })
    )
}
