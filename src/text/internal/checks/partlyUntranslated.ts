import { make, mostSearched, type Pair, type Range } from "./check.js"
import { isSameLanguage, languageOf } from "./languages.js"

/** The length of a part of the source that is looked for in the translation, in UTF-16 code units. */
const probe = 16

/** A word of a sentence. Items of lists, which are often names of programs, end in commas. */
const word = /^[("'“‘]{0,2}\p{Ll}{2,}(?:['’-]\p{Ll}+)*[.:;!?…)"'”’]{0,3}$/u

/** Frequent words of English, and words that notes of translators have. */
const english =
  /^(?:[ai]|after|an?d?|any|are|as|at|be|been|before|both|but|by|can|could|english|equivalent|for|from|had|has|have|help(?:s|ful)?|here|his|hope|i['’]?(?:m|ve|f|n|s|t)|in(?:cluding|to)?|it['’]?s|kept|know|left|let|may|me|more|most|my|need|no|not|note|of|on|or|original|our|per|phrase|please|should|some|such|text|terms?|than|that|the|their|there|these|they|this|through|to|translat(?:e|ed|ion|or)|under|untranslated|us(?:ed?|ing)|was|we|were|when|which|will|with|would|you|your)$/i

const wordsOf = (text: string): ReadonlyArray<string> =>
  text.split(/[^\p{L}'’]+/u).filter((each) => each !== "")

const countEnglish = (words: ReadonlyArray<string>): number =>
  words.filter((each) => english.test(each)).length

/** True if words of the source are a part of a sentence, and no title, command or list of names. */
const isSentence = (part: string, { sourceLang }: Pair, isLast: boolean): boolean => {
  const tokens = part.trim().split(/\s+/)
  const words = tokens.filter((token) => word.test(token)).length
  const isProse = words * 2 >= tokens.length
  if (sourceLang === undefined || languageOf(sourceLang).name !== "en") return isProse && words >= 6
  const frequent = countEnglish(wordsOf(part))
  return isLast ? words >= 3 && (isProse || frequent >= 2) : isProse && words >= 4 && frequent >= 2
}

const letter = /\p{L}/u

/** Longer parts are not looked at in full. */
const mostShared = 200

/** The length for which two texts are the same from two places on, forwards or backwards. */
const sameFor = (one: string, at: number, other: string, otherAt: number, step: 1 | -1): number => {
  let length = 0
  while (
    length < mostShared &&
    one[at + step * length] !== undefined &&
    one[at + step * length] === other[otherAt + step * length]
  )
    length++
  return length
}

/** The whole words that two texts share around two places. */
const sharedAround = (source: string, at: number, translation: string, other: number): Range => {
  const before = sameFor(source, at - 1, translation, other - 1, -1)
  const behind = sameFor(source, at, translation, other, 1)
  const isWithinWord = (offset: number) =>
    letter.test(translation[other + offset] ?? "") || letter.test(source[at + offset] ?? "")
  const start = other - before
  const end = other + behind
  return {
    start: isWithinWord(-before - 1) ? translation.indexOf(" ", start) : start,
    end: isWithinWord(behind) ? translation.lastIndexOf(" ", end) : end
  }
}

/** The range of a translation that stands in the source as it is, and is a part of a sentence. */
const copied = (pair: Pair): Range | undefined => {
  const { source, translation } = pair
  const last = source.trimEnd().length - probe
  const stride = Math.max(probe, Math.ceil(source.length / mostSearched))
  for (let step = 0; step < last + stride; step += stride) {
    const at = Math.min(step, last)
    const found = at < 0 ? -1 : translation.indexOf(source.slice(at, at + probe))
    if (found === -1) continue
    const range = sharedAround(source, at, translation, found)
    const isLast = range.end >= translation.trimEnd().length
    if (range.start < range.end && isSentence(translation.slice(range.start, range.end), pair, isLast))
      return range
  }
  return undefined
}

/** A note is at the end, and not longer than this. */
const longestNote = 200

const hint = /\b(?:the|this|that|note|you|any)\b/i

const sentenceEnd = /(?<=[.!?:…。！？।؟])\s+|\n/

/** Scripts without full stops go on without an end. */
const latinEnd = /[\p{Script=Latin}\P{L}]*$/u

/** An English sentence at the end that the source does not have. */
const note = ({ source, translation }: Pair): Range | undefined => {
  const end = translation.trimEnd().slice(-longestNote)
  if (!hint.test(end)) return undefined
  const sentence = latinEnd.exec(end.split(sentenceEnd).at(-1)!)![0]
  const words = wordsOf(sentence)
  const found = countEnglish(words)
  return found >= 3 && found * 2 >= words.length && !source.includes(sentence.trim().slice(0, -1))
    ? { start: translation.lastIndexOf(sentence), end: translation.length }
    : undefined
}

const latinWords = /[a-z]{2,}\s+[a-z]{2,}/i

/** False if the source is in Latin letters, of which the translation has no words. */
const mayHoldSource = ({ sourceLang = "en", targetLang, translation }: Pair): boolean =>
  languageOf(targetLang).script === "Latn" ||
  languageOf(sourceLang).script !== "Latn" ||
  latinWords.test(translation)

export const partlyUntranslated = make(
  {
    name: "partlyUntranslated",
    version: "2",
    severity: "warning",
    explanation: "A part of the translation is in the language of the source, or in English."
  },
  (pair) => {
    if (isSameLanguage(pair) || !mayHoldSource(pair)) return undefined
    const range = copied(pair) ?? (languageOf(pair.targetLang).name === "en" ? undefined : note(pair))
    return range === undefined ? undefined : { source: [], translation: [range] }
  }
)
