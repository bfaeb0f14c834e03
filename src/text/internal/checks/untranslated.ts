import * as PlaceholderSearch from "../../PlaceholderSearch.js"
import { everything, make, type Pair } from "./check.js"
import { languageOf } from "./languages.js"

/** Below this many characters names, codes and words that both languages have are too frequent. */
const shortest = 20

const withoutPlaceholders = (text: string): string => {
  let plain = ""
  let from = 0
  for (const { end, start } of PlaceholderSearch.find(text, {})) {
    plain += `${text.slice(from, start)} `
    from = end
  }
  return plain + text.slice(from)
}

/** The marks of access keys: `_Open`, `&Open`. */
const accessKey = /(?<![\p{L}\d])[_&](?=\p{L})/gu

/** A word of a sentence, and no name of a program, an option or a variable. */
const word = /^[("'“‘`]{0,3}\p{L}?\p{Ll}*(?:[-'’]\p{L}+)*[.,:;!?…)"'”’]{0,8}$/u
const letter = /\p{L}/u
const lowerCase = /^[("'“‘`]{0,3}\p{Ll}{2}/u

/** Letters of scripts that have no capitals. */
const caseless = /\p{Lo}/gu

/** True if a text has sentences. Names are written with capitals, and have fewer words. */
const isProse = (text: string): boolean => {
  if ((text.match(caseless)?.length ?? 0) >= 10) return true
  const tokens = withoutPlaceholders(text)
    .replace(accessKey, "")
    .split(/\s+/)
    .filter((token) => letter.test(token))
  const words = tokens.filter((token) => word.test(token))
  const inLowerCase = words.filter((token) => lowerCase.test(token)).length
  return (
    words.length * 3 >= tokens.length * 2 && (inLowerCase >= 2 || (inLowerCase === 1 && words.length >= 3))
  )
}

const isSameLanguage = ({ sourceLang, targetLang }: Pair): boolean =>
  sourceLang !== undefined && languageOf(sourceLang).name === languageOf(targetLang).name

export const untranslated = make(
  {
    name: "untranslated",
    severity: "error",
    explanation: "The translation is the source itself."
  },
  (pair) =>
    pair.source === pair.translation &&
    pair.source.length >= shortest &&
    !isSameLanguage(pair) &&
    isProse(pair.source)
      ? everything(pair)
      : undefined
)
