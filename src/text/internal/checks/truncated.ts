import { make, type Pair, whole } from "./check.js"
import { languageOf, lengthRatio } from "./languages.js"

/** A mark at the end of a text. */
const mark = /[.!?…:;)\]"'”’»>%}*。！？：）」』؟।]/u

const letter = /[\p{L}\p{M}]/u

const lastOf = (text: string): string => text.trimEnd().at(-1) ?? ""

/**
 * The length below which a translation is cut off, relative to a usual one: one of some thousand translations of people is so short.
 * A mark at the end of the source that the translation has not makes it far more likely.
 */
const shortest = (length: number, hasLostMark: boolean): number =>
  length < 40 ? (hasLostMark ? 0.4 : 0) : length < 80 ? (hasLostMark ? 0.65 : 0.5) : hasLostMark ? 0.75 : 0.65

const isCutOff = (pair: Pair): boolean => {
  const { source, targetLang, translation } = pair
  if (!letter.test(lastOf(translation))) return false
  const hasLostMark = mark.test(lastOf(source)) && languageOf(targetLang).hasFullStops
  return lengthRatio(pair) < shortest(source.length, hasLostMark)
}

export const truncated = make(
  {
    name: "truncated",
    severity: "warning",
    explanation:
      "The translation is shorter than translations usually are, and seems to end within a sentence."
  },
  (pair) => (isCutOff(pair) ? { source: [], translation: whole(pair.translation) } : undefined)
)
