import type * as GlossaryEntries from "../../api/GlossaryEntries.js"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as Limits from "../../api/Limits.js"

/** Entries are stored, not translated: as fast as a hundredth of the characters is. */
const share = 100

interface Dictionary {
  readonly entries: GlossaryEntries.GlossaryEntries
}

/** What counts of a dictionary for the time-out; it may still be malformed: its schema speaks later. */
export const size = (dictionary: Dictionary | undefined): number =>
  Array.isArray(dictionary?.entries)
    ? dictionary.entries.reduce(
        (sum: number, entry: GlossaryEntries.Entry | undefined) =>
          sum + ((entry?.source?.length ?? 0) + (entry?.target?.length ?? 0)) / share,
        0
      )
    : 0

/** What counts of several. */
export const sizes = (dictionaries: ReadonlyArray<Dictionary> | undefined): number =>
  Array.isArray(dictionaries)
    ? dictionaries.reduce((sum: number, dictionary) => sum + size(dictionary), 0)
    : 0

/** What counts when entries are read: how many there are is not known before. */
export const largest = (): number => Limits.glossaryDictionaryBytes / share

/** Whether both are of the same languages. */
export const isOf = (pair: GlossaryEntries.LanguagePair, other: GlossaryEntries.LanguagePair): boolean =>
  LanguageCode.base(pair.sourceLang) === LanguageCode.base(other.sourceLang) &&
  LanguageCode.base(pair.targetLang) === LanguageCode.base(other.targetLang)
