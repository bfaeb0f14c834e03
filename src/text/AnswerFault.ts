/**
 * Judges the answers of a service together: they may be no translations at all, though no check of a single one sees it.
 *
 * @since 0.1.0
 */
import * as LanguageCode from "../api/LanguageCode.js"

/**
 * A fault of all answers: nothing is in them, one translation is that of different texts, they are the texts themselves, or
 * they fit only the text before or after their own.
 *
 * @since 0.1.0
 * @category models
 */
export type AnswerFault = "empty" | "constant" | "echoed" | "shifted"

/**
 * A text as it was sent, and its answer.
 *
 * @since 0.1.0
 * @category models
 */
export interface Pair {
  readonly source: string
  readonly translation: string
  /** `undefined` if it is not known: then nothing is told of a text that comes back. */
  readonly sourceLang: string | undefined
  readonly targetLang: string | undefined
}

/**
 * Options of the judgement.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** From how many different texts with words on something is told. @default 3 */
  readonly least?: number | undefined
  /** The translation of all texts before, if it was one: a single text is enough if it gets that too. @default none */
  readonly constant?: string | undefined
}

const markup = /<[^<>]*>|&[a-z#0-9]+;|\{[^{}]*\}|%\w/giu

/** Neither a code such as `SKU-12`, nor a name such as `iPhone`, an address or an abbreviation. */
const word = /^\p{P}*(\p{Lo}+|\p{L}\p{M}*[\p{Ll}\p{Lo}\p{M}]+(?:[-'’]\p{L}[\p{Ll}\p{Lo}\p{M}]*)*)\p{P}*$/u

const letters = /[^\p{L}\p{M}]/gu

/** The letters of the words of a text, without parts that are the same in every language. */
const wordsOf = (text: string): string =>
  text
    .replace(markup, " ")
    .split(/\s+/)
    .filter((token) => word.test(token))
    .join("")
    .replace(letters, "")
    .toLowerCase()

/** Shorter texts, such as "OK", are often the same in another language. */
const shortestEcho = 4

const isEcho = ({ source, translation }: Pair): boolean => source.trim() === translation.trim()

const areOtherLanguages = ({ sourceLang, targetLang }: Pair): boolean =>
  sourceLang !== undefined &&
  targetLang !== undefined &&
  LanguageCode.base(sourceLang) !== LanguageCode.base(targetLang)

const distinct = (pairs: ReadonlyArray<Pair>): number =>
  new Set(pairs.map(({ source }) => wordsOf(source))).size

/** The letters of a text without their accents, which languages write differently. */
const plain = (text: string): string => text.normalize("NFD").toLowerCase().replace(/\P{L}/gu, "")

const bigramsOf = (text: string): ReadonlySet<string> => {
  const found = new Set<string>()
  for (let index = 1; index < text.length; index++) found.add(text.slice(index - 1, index + 1))
  return found
}

const likeness = (some: ReadonlySet<string>, others: ReadonlySet<string>): number => {
  if (some.size + others.size === 0) return 0
  let shared = 0
  for (const each of some) if (others.has(each)) shared++
  return (2 * shared) / (some.size + others.size)
}

interface Features {
  readonly bigrams: ReadonlySet<string>
  readonly numbers: string
  readonly length: number
}

const featuresOf = (text: string): Features => ({
  bigrams: bigramsOf(plain(text)),
  numbers: (text.match(/\d+/g) ?? []).toSorted().join(),
  length: Math.log(1 + text.length)
})

/** Rates how well a translation fits a text: by its numbers, by letters that both share, and by its length where lengths differ. */
const fit = (source: Features, translation: Features, ratio: number): number => {
  const { numbers } = source
  const byNumbers = numbers === "" && translation.numbers === "" ? 0 : numbers === translation.numbers ? 2 : 0
  const byLength = Math.abs(translation.length - source.length - ratio)
  return byNumbers + 2 * likeness(source.bigrams, translation.bigrams) - byLength
}

const median = (numbers: ReadonlyArray<number>): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

/** Less says nothing. */
const decisive = 0.5

/** True if nearly all translations fit the text that is so far from their own, and hardly one its own. */
const isShiftedBy = (
  sources: ReadonlyArray<Features>,
  translations: ReadonlyArray<Features>,
  by: number
): boolean => {
  const places = sources.flatMap((_, index) => (translations[index + by] === undefined ? [] : [index]))
  const ratioAt = (offset: number) =>
    median(places.map((place) => translations[place + offset]!.length - sources[place]!.length))
  const own = ratioAt(0)
  const other = ratioAt(by)
  let shifted = 0
  let straight = 0
  for (const place of places) {
    const source = sources[place]!
    const preference = fit(source, translations[place + by]!, other) - fit(source, translations[place]!, own)
    if (preference > decisive) shifted++
    if (preference < -decisive) straight++
  }
  return shifted >= 3 && 2 * shifted >= places.length && straight * 9 <= shifted
}

const areShifted = (pairs: ReadonlyArray<Pair>): boolean => {
  if (pairs.length < 4) return false
  const sources = pairs.map(({ source }) => featuresOf(source))
  const translations = pairs.map(({ translation }) => featuresOf(translation))
  return isShiftedBy(sources, translations, 1) || isShiftedBy(sources, translations, -1)
}

const isConstant = (pairs: ReadonlyArray<Pair>, { constant, least = 3 }: Options): boolean => {
  const [first] = pairs
  if (first === undefined || pairs.some(({ translation }) => translation !== first.translation)) return false
  return first.translation === constant || distinct(pairs) >= Math.max(least, 3)
}

/**
 * Finds the fault of the answers of a request, or of several; "none" if some of them may be translations, and "unclear" if they are too few
 * to tell. Texts without words, such as numbers and codes, tell nothing. Nor do texts that come back into a variant of their own language.
 *
 * @since 0.1.0
 * @category combinators
 */
export const find = (pairs: ReadonlyArray<Pair>, options: Options = {}): AnswerFault | "none" | "unclear" => {
  const { least = 3 } = options
  if (pairs.length < least) return "unclear"
  const telling = pairs.filter(({ source }) => wordsOf(source).length > 0)
  if (telling.length === 0) return "unclear"
  const isEnough = distinct(telling) >= least
  if (telling.every(({ translation }) => translation.trim() === "")) return isEnough ? "empty" : "unclear"
  const echoing = telling.filter(
    (pair) => areOtherLanguages(pair) && wordsOf(pair.source).length >= shortestEcho
  )
  if (echoing.every(isEcho) && distinct(echoing) >= least) return "echoed"
  if (telling.every(isEcho)) return "unclear"
  if (isConstant(telling, options)) return "constant"
  if (areShifted(pairs)) return "shifted"
  return isEnough ? "none" : "unclear"
}
