import type * as GlossaryEntries from "../../../api/GlossaryEntries.js"
import * as LanguageCode from "../../../api/LanguageCode.js"
import * as Limits from "../../../api/Limits.js"

type Pair = GlossaryEntries.LanguagePair

/** True if both pairs are of the same base languages. */
export const isOf = (pair: Pair, other: Pair): boolean =>
  LanguageCode.base(pair.sourceLang) === LanguageCode.base(other.sourceLang) &&
  LanguageCode.base(pair.targetLang) === LanguageCode.base(other.targetLang)

/** The dictionaries of a pair, or else of its base languages: the service may answer with others too. */
export const dictionariesOf = <D extends Pair>(
  pair: Pair,
  dictionaries: ReadonlyArray<D>
): ReadonlyArray<D> => {
  const exact = dictionaries.filter(
    ({ sourceLang, targetLang }) =>
      sourceLang === LanguageCode.canonical(pair.sourceLang) &&
      targetLang === LanguageCode.canonical(pair.targetLang)
  )
  return exact.length > 0 ? exact : dictionaries.filter((dictionary) => isOf(pair, dictionary))
}

interface Entries {
  readonly entries: GlossaryEntries.GlossaryEntries
}

/** Entries are stored, not translated: in a hundredth of the time of characters. */
const share = 100

/** The size of a dictionary that counts for the time-out, in characters. It may still be malformed, since its schema has not seen it yet. */
export const sizeOf = (dictionary: Entries | undefined): number =>
  Array.isArray(dictionary?.entries)
    ? dictionary.entries.reduce(
        (sum: number, entry: GlossaryEntries.Entry | undefined) =>
          sum + ((entry?.source?.length ?? 0) + (entry?.target?.length ?? 0)) / share,
        0
      )
    : 0

/** The size of entries that counts for the time-out of reading them, in characters: the largest, as their number is not known before. */
export const maxSize = (): number => Limits.glossaryDictionaryBytes / share
