import { make, mostSearched, type Pair, ranges, whole } from "./check.js"
import { languageOf } from "./languages.js"

const character = /[\0-\b\v\f\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffd]/
const every = new RegExp(character, "g")

/**
 * Languages that are written from right to left, and need marks and embeddings around other scripts. Many leave
 * embeddings open, up to the end of the paragraph.
 */
const rightToLeft = /^(?:ar|he|iw|fa|ur|ps|yi|ckb|ug|sd|dv)\b/i
const mark = /[\u061c\u200e\u200f\u202a-\u202c]/
const isolate = /[\u2066-\u2069]/

const isClosed = (text: string): boolean =>
  text.match(/[\u2066-\u2068]/g)?.length === text.match(/\u2069/g)?.length

const mayHold = ({ source, targetLang, translation }: Pair): ((character: string) => boolean) => {
  const isRightToLeft = rightToLeft.test(targetLang)
  const mayIsolate = isRightToLeft && isClosed(translation)
  return (character) =>
    source.includes(character) ||
    (isRightToLeft && mark.test(character)) ||
    (mayIsolate && isolate.test(character))
}

export const controlCharacters = make(
  {
    name: "controlCharacters",
    severity: "error",
    explanation: "The translation has control characters or marks of direction that the source has not."
  },
  (pair) => {
    if (!character.test(pair.translation)) return undefined
    const isAllowed = mayHold(pair)
    const translation = ranges(pair.translation, every).filter(
      ({ start }) => !isAllowed(pair.translation[start]!)
    )
    return translation.length === 0 ? undefined : { source: [], translation }
  }
)

/** Words of Latin letters as a sentence has them. */
const words = /(?<![\w.\\/@-])[a-z]{2,}\s+(?:[a-z]{2,}\s+){2,}/

export const script = make(
  {
    name: "script",
    severity: "warning",
    explanation: "The translation has letters of a script that its language is not written in."
  },
  ({ source, targetLang, translation }) => {
    const { foreignLetter, letter } = languageOf(targetLang)
    if (foreignLetter.test(translation)) {
      const foreign = ranges(translation, new RegExp(`${foreignLetter.source}+`, "g"))
        .slice(0, mostSearched)
        .filter(({ end, start }) => !source.includes(translation.slice(start, end)))
      if (foreign.length > 0) return { source: [], translation: foreign }
    }
    return letter.test(translation) || source === translation || !words.test(translation)
      ? undefined
      : { source: [], translation: whole(translation) }
  }
)
