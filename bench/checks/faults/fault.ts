/** A way in which a translation may be wrong, and how it is made of a right one. */
import type * as Check from "../../../src/text/Check.js"
import type { Language } from "../languages.js"
import type { Random } from "../random.js"
import { countOf, matchesOf, type Piece } from "../text.js"

/** What faults are made of, besides the pair. */
export interface Context {
  readonly language: Language
  readonly random: Random
  /** How a text was translated into other languages. */
  readonly elsewhere: (source: string) => ReadonlyArray<readonly [Language, string]>
  /** Single words, in lower case, and how they were translated. */
  readonly terms: ReadonlyMap<string, string>
}

/** `undefined` if such a fault can't be made of the pair. */
export type Make = (
  pair: Check.Pair,
  context: Context
) => Partial<Pick<Check.Pair, "translation" | "placeholders" | "glossary">> | undefined

export interface Fault {
  readonly name: string
  /** The least share of them that has to be found. A share without a goal is only told. */
  readonly goal?: number
  readonly make: Make
}

/** What matches in the translation and stands in the source too, and as often there at least. */
export const shared = ({ source, translation }: Check.Pair, pattern: RegExp): ReadonlyArray<Piece> => {
  const inSource = matchesOf(source, pattern)
  const inTranslation = matchesOf(translation, pattern)
  return inTranslation.filter(({ text }) => countOf(inTranslation, text) <= countOf(inSource, text))
}
