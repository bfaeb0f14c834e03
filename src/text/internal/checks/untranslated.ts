import * as PlaceholderSearch from "../../PlaceholderSearch.js"
import { everything, make, type Pair } from "./check.js"
import { isSameLanguage, languageOf } from "./languages.js"

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
const isProse = (text: string, isLatin: boolean): boolean => {
  if ((text.match(caseless)?.length ?? 0) >= 10) return true
  const tokens = withoutPlaceholders(text)
    .replace(accessKey, "")
    .split(/\s+/)
    .filter((token) => letter.test(token))
  const words = tokens.filter((token) => word.test(token))
  const inLowerCase = words.filter((token) => lowerCase.test(token)).length
  // In another script, titles are translated too.
  const fewestInLowerCase = isLatin ? 1 : 0
  return (
    words.length * 3 >= tokens.length * 2 &&
    (inLowerCase >= 2 || (inLowerCase >= fewestInLowerCase && words.length >= 3))
  )
}

const mark = /[\s\p{P}]/u

/** A text without the marks around it: a full stop is often added, changed or lost. */
const core = (text: string): string => {
  let [start, end] = [0, text.length]
  while (start < end && mark.test(text[start]!)) start++
  while (end > start && mark.test(text[end - 1]!)) end--
  return text.slice(start, end)
}

const isSame = ({ source, translation }: Pair): boolean =>
  source === translation ||
  // Far cheaper than to compare.
  (Math.abs(source.length - translation.length) <= 4 &&
    source.includes(translation.slice(8, -8)) &&
    core(source) === core(translation))

export const untranslated = make(
  {
    name: "untranslated",
    severity: "error",
    explanation: "The translation is the source itself."
  },
  (pair) =>
    pair.source.length >= shortest &&
    isSame(pair) &&
    !isSameLanguage(pair) &&
    isProse(pair.source, languageOf(pair.targetLang).script === "Latn")
      ? everything(pair)
      : undefined
)
