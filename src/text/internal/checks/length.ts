import * as Text from "../../../api/Text.js"
import { everything, make, whole } from "./check.js"
import { languageOf, measureSource } from "./languages.js"

/** Characters that can be seen. */
const visible = /[^\s\p{Cf}]/u

export const empty = make(
  { name: "empty", severity: "error", explanation: "The source has a text, the translation has none." },
  ({ source, translation }) =>
    visible.test(translation) || !visible.test(source)
      ? undefined
      : { source: whole(source), translation: [] }
)

/**
 * Lengths in characters of English. Short translations vary by far more than long ones. Of those that people made,
 * one of two thousand is out of these bounds, or fewer.
 */
const longest = (source: number): number => 2.5 * source + 30
const shortest = (source: number): number => 0.5 * (source - 25)

export const length = make(
  {
    name: "length",
    severity: "warning",
    explanation: "The translation is far longer or shorter than translations between these languages are."
  },
  (pair) => {
    const source = measureSource(pair)
    const translation = languageOf(pair.targetLang).measure(pair.translation)
    return translation > longest(source) || translation < shortest(source) ? everything(pair) : undefined
  }
)

export const maxLength = make(
  {
    name: "maxLength",
    severity: "error",
    explanation: "The translation has more characters than its file allows."
  },
  ({ maxCharacters, translation }) =>
    maxCharacters === undefined || Text.characters(translation) <= maxCharacters
      ? undefined
      : { source: [], translation: whole(translation) }
)
