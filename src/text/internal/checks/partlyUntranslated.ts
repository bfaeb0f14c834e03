import { make, type Pair, type Range } from "./check.js"
import { isSameLanguage, languageOf } from "./languages.js"

/** The length of a part of the source that is looked for in the translation, in UTF-16 code units. */
const probe = 16

/** A word of a sentence. Items of lists, which are often names of programs, end in commas. */
const word = /^[("'“‘]{0,2}\p{Ll}{2,}(?:['’-]\p{Ll}+)*[.:;!?…)"'”’]{0,3}$/u

/** Frequent words of English, and words that notes of translators have. */
const english =
  /^(?:[ai]|an?d?|any|are|as|be|been|by|can|could|english|equivalent|for|from|had|has|have|help(?:s|ful)?|here|hope|i['’]?(?:m|ve|f|n|s|t)|it['’]?s|kept|know|left|let|may|me|more|my|need|no|not|note|of|on|or|original|our|phrase|please|should|some|text|terms?|that|the|their|there|these|they|this|to|translat(?:e|ed|ion|or)|untranslated|was|we|were|when|which|will|with|would|you|your)$/i

const wordsOf = (text: string): ReadonlyArray<string> =>
  text.split(/[^\p{L}'’]+/u).filter((each) => each !== "")

const countEnglish = (words: ReadonlyArray<string>): number =>
  words.filter((each) => english.test(each)).length

/** How far two texts are the same from two places on, forwards or backwards. */
const sameFor = (one: string, at: number, other: string, otherAt: number, step: 1 | -1): number => {
  let length = 0
  while (one[at + step * length] !== undefined && one[at + step * length] === other[otherAt + step * length])
    length++
  return length
}

/** True if a part of the source is a part of a sentence, and no title, command or list of names. */
const isSentence = (part: string, { sourceLang }: Pair, isLast: boolean): boolean => {
  // The first one and the last one may be halves.
  const tokens = part
    .trim()
    .split(/\s+/)
    .slice(1, isLast ? undefined : -1)
  const words = tokens.filter((token) => word.test(token))
  if (words.length * 2 < tokens.length) return false
  const isEnglish = sourceLang !== undefined && languageOf(sourceLang).name === "en"
  if (!isEnglish) return words.length >= 6
  const frequent = countEnglish(wordsOf(part))
  return isLast ? words.length >= 3 && frequent >= 1 : words.length >= 4 && frequent >= 2
}

/** The range of a translation that stands in the source as it is, and is a part of a sentence. */
const copied = (pair: Pair): Range | undefined => {
  const { source, translation } = pair
  for (let at = 0; at + probe <= source.length; at += probe) {
    const found = translation.indexOf(source.slice(at, at + probe))
    if (found === -1) continue
    const start = found - sameFor(source, at - 1, translation, found - 1, -1)
    const end = found + sameFor(source, at, translation, found, 1)
    if (isSentence(translation.slice(start, end), pair, end === translation.length)) return { start, end }
  }
  return undefined
}

/** A note is at the end, and not longer than this. */
const longestNote = 200

const hint = /(?<!\p{L})(?:the|this|that|note|you|any)(?!\p{L})/iu

const sentenceEnd = /(?<=[.!?:…。！？।؟])\s+|\n/

/** An English sentence at the end that the source does not have. */
const note = ({ source, translation }: Pair): Range | undefined => {
  const end = translation.slice(-longestNote)
  if (!hint.test(end)) return undefined
  const sentence = end.trimEnd().split(sentenceEnd).at(-1)!
  const words = wordsOf(sentence)
  const found = countEnglish(words)
  return found >= 3 && found * 2 >= words.length && !source.includes(sentence.slice(0, -1))
    ? { start: translation.lastIndexOf(sentence), end: translation.length }
    : undefined
}

export const partlyUntranslated = make(
  {
    name: "partlyUntranslated",
    severity: "warning",
    explanation: "A part of the translation is in the language of the source, or in English."
  },
  (pair) => {
    if (isSameLanguage(pair)) return undefined
    const range = copied(pair) ?? (languageOf(pair.targetLang).name === "en" ? undefined : note(pair))
    return range === undefined ? undefined : { source: [], translation: [range] }
  }
)
