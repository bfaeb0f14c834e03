/** A way in which a translation may be wrong, and how it is made of a right one. */
import type * as Check from "../../../src/text/Check.js"
import type { Translation } from "../catalogues.js"
import type { Language } from "../languages.js"
import type { Random } from "../random.js"
import { countOf, matchesOf, type Piece, replace, wordsOf } from "../text.js"

/** What faults are made of, besides the pair. */
export interface Context {
  readonly language: Language
  readonly random: Random
  /** How a text was translated into other languages. */
  readonly elsewhere: (source: string) => ReadonlyArray<readonly [Language, string]>
  /** Single words, in lower case, and how they were translated. */
  readonly terms: ReadonlyMap<string, string>
  /** Right pairs of the language. */
  readonly pairs: ReadonlyArray<Translation>
}

/** A right pair that holds what the fault needs and what few texts have, made of another. `undefined` if it can't be made. */
export type Plant = (pair: Check.Pair, context: Context) => Check.Pair | undefined

/** `undefined` if such a fault can't be made of the pair. */
export type Make = (
  pair: Check.Pair,
  context: Context
) => Partial<Pick<Check.Pair, "translation" | "placeholders" | "glossary">> | undefined

export interface Fault {
  readonly name: string
  /** The least share of them that has to be found. A share without a goal is only told. */
  readonly goal?: number
  readonly plant?: Plant
  readonly make: Make
}

/** What matches in the translation and stands in the source too, and as often there at least. */
export const shared = ({ source, translation }: Check.Pair, pattern: RegExp): ReadonlyArray<Piece> => {
  const inSource = matchesOf(source, pattern)
  const inTranslation = matchesOf(translation, pattern)
  return inTranslation.filter(({ text }) => countOf(inTranslation, text) <= countOf(inSource, text))
}

/** A word of each text stands between marks, which neither of them has. */
export const around =
  (open: string, close: string, isPlain: (text: string) => boolean): Plant =>
  (pair, { language, random }) => {
    const wrap = (text: string, code: string) => {
      const words = wordsOf(text, code)
      if (words.length < 3) return undefined
      const word = random.pick(words)
      return replace(text, word, `${open}${word.text}${close}`)
    }
    const [source, translation] = [wrap(pair.source, "en"), wrap(pair.translation, language)]
    return isPlain(pair.source + pair.translation) && source !== undefined && translation !== undefined
      ? { ...pair, source, translation }
      : undefined
  }
