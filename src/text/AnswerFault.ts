/**
 * Judges the answers of a service together: they may be no translations at all, though no check of a single one sees it.
 *
 * @since 0.1.0
 */
import * as LanguageCode from "../api/LanguageCode.js"
import type * as Check from "./Check.js"

/**
 * A fault of all answers: nothing is in them, different texts have one translation, they are the texts themselves, or
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

/** Words and numbers: texts that differ in nothing else have one translation. */
const contentOf = (text: string): string => wordsOf(text) + (text.match(/\d+/g) ?? []).join()

/** Shorter texts that differ only by numbers, such as "Page 2", are often the same in another language. */
const shortestNumbered = 10

/** The part of a text that is another one in another language. */
const foreignOf = (text: string): string =>
  wordsOf(text).length < shortestNumbered ? wordsOf(text) : contentOf(text)

const distinct = (pairs: ReadonlyArray<Pair>, of = contentOf): number =>
  new Set(pairs.map(({ source }) => of(source))).size

/** The letters of a text without their accents, which languages write differently. */
const plain = (text: string): string =>
  text
    .normalize("NFD")
    .toLowerCase()
    .replace(/\P{L}+/gu, "")

/** Pairs of letters as numbers: a third of the time that texts of two letters take. */
const bigramsOf = (text: string): ReadonlySet<number> => {
  const found = new Set<number>()
  for (let index = 1; index < text.length; index++)
    found.add(((text.charCodeAt(index - 1) & 0x3fff) << 16) | text.charCodeAt(index))
  return found
}

const likeness = (some: ReadonlySet<number>, others: ReadonlySet<number>): number => {
  if (some.size + others.size === 0) return 0
  let shared = 0
  for (const each of some) if (others.has(each)) shared++
  return (2 * shared) / (some.size + others.size)
}

/** Marks that a translation has where its text has them. */
const sign = /[.!?:…]|[。！？：؟।]|\.{3}/u

const westernSigns: Readonly<Record<string, string>> = {
  "。": ".",
  "！": "!",
  "？": "?",
  "：": ":",
  "؟": "?",
  "।": ".",
  "…": "."
}

interface Features {
  readonly bigrams: ReadonlySet<number>
  readonly numbers: string
  readonly lines: number
  /** The last character, if it is a mark. */
  readonly end: string
}

const endOf = (text: string): string => {
  const last = text.trimEnd().at(-1) ?? ""
  return sign.test(last) ? (westernSigns[last] ?? last) : ""
}

const featuresOf = (text: string): Features => ({
  bigrams: bigramsOf(plain(text)),
  numbers: (text.match(/\d+/g) ?? []).toSorted().join(),
  lines: text.split("\n").length,
  end: endOf(text)
})

const agree = (
  one: string | number,
  other: string | number,
  none: string | number,
  weight: number
): number => (one === other ? (one === none ? 0 : weight) : -weight)

/** Rates how well a translation fits a text by numbers, marks and letters that both share: a logarithm of odds. */
const fit = (source: Features, translation: Features): number =>
  agree(source.numbers, translation.numbers, "", 1.5) +
  agree(source.lines, translation.lines, 1, 1) +
  agree(source.end, translation.end, "", 0.8) +
  6 * likeness(source.bigrams, translation.bigrams)

const median = (numbers: ReadonlyArray<number>): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

/** The most that a difference of lengths tells: some translations are far from the length of their text. */
const mostOfLength = 3

/** Rates how well a translation fits a text, by their places. */
type Rate = (source: number, translation: number) => number

/** Rates how well the length of a translation fits a text. */
const fitOfLengths = (pairs: ReadonlyArray<Pair>): Rate => {
  const sources = pairs.map(({ source }) => Math.log(3 + source.length))
  const translations = pairs.map(({ translation }) => Math.log(3 + translation.length))
  const ratio = median(sources.map((source, index) => translations[index]! - source))
  return (source, translation) => {
    const distance = (translations[translation]! - sources[source]! - ratio) / 0.35
    return -Math.min(mostOfLength, distance ** 2 / 2)
  }
}

const fewestShifted = 3

/** The best run of places whose texts fit the translation so far from them so much better, in all, than their own. */
const runShiftedBy = (by: 1 | -1, size: number, least: number, rate: Rate): Check.Range | undefined => {
  let sum = 0
  let start = 0
  let best = least
  let found: Check.Range | undefined
  for (let place = Math.max(0, -by); place < Math.min(size, size - by); place++) {
    if (sum <= 0) {
      sum = 0
      start = place
    }
    sum += rate(place, place + by) - rate(place, place)
    if (sum > best && place + 1 - start >= fewestShifted) {
      best = sum
      // The text beside the run has lost its translation, or has the first or last one too.
      found = { start: Math.min(start, start + by), end: Math.max(place, place + by) + 1 }
    }
  }
  return found
}

/** All that is told together that is no chance. */
const decisive = 7

/** Rates how well a translation fits a text by all that is known of them, by their places. */
const fitOfAll = (pairs: ReadonlyArray<Pair>): Rate => {
  const byLength = fitOfLengths(pairs)
  const features = (texts: ReadonlyArray<string>) => {
    const known = new Array<Features | undefined>(texts.length)
    return (place: number): Features => (known[place] ??= featuresOf(texts[place]!))
  }
  const source = features(pairs.map(({ source }) => source))
  const translation = features(pairs.map(({ translation }) => translation))
  return (one, other) => byLength(one, other) + fit(source(one), translation(other))
}

/** The longest run of texts with the translations of those beside them, in one of some directions. */
const longestRun = (
  pairs: ReadonlyArray<Pair>,
  directions: ReadonlyArray<1 | -1>,
  rate: Rate
): Check.Range | undefined =>
  directions
    .flatMap((by) => runShiftedBy(by, pairs.length, decisive, rate) ?? [])
    .toSorted((one, other) => other.end - other.start - (one.end - one.start))[0]

const directions = [1, -1] as const

/** All else takes ten times as long as lengths, and is looked at if they tell so much for a run. */
const suspicious = 1

/** They tell too little for each text to be its own translation. */
const indifferent = 0.15

const isSuspected = (by: 1 | -1, size: number, rate: Rate): boolean => {
  let own = 0
  for (let place = Math.max(0, -by); place < Math.min(size, size - by); place++)
    own += rate(place, place) - rate(place, place + by)
  return own < indifferent * size || runShiftedBy(by, size, suspicious, rate) !== undefined
}

/** The texts of a request that are looked at first: a run of eight has one of them at least, of fifty. */
const samples = 8

/** True if some texts have a translation beside their own that fits them better. */
const isLikely = (by: 1 | -1, size: number, rate: Rate): boolean => {
  const step = Math.max(1, Math.floor(size / samples))
  for (let place = Math.max(0, -by); place < Math.min(size, size - by); place += step)
    if (rate(place, place + by) > rate(place, place)) return true
  return false
}

/**
 * The longest run of texts of a request that have the translation of the text before or after their own; `undefined` if there is none. Eight
 * texts and more can be told, by their numbers, marks, names and lengths.
 *
 * @since 0.1.0
 * @category combinators
 */
export const shifted = (pairs: ReadonlyArray<Pair>): Check.Range | undefined => {
  if (pairs.length < fewestShifted) return undefined
  const byLength = fitOfLengths(pairs)
  const suspected = directions.filter((by) => isSuspected(by, pairs.length, byLength))
  if (suspected.length === 0) return undefined
  const rate = fitOfAll(pairs)
  const likely = suspected.filter((by) => isLikely(by, pairs.length, rate))
  return longestRun(pairs, likely, rate)
}

/** True if nearly all are shifted. */
const areShifted = (pairs: ReadonlyArray<Pair>): boolean => {
  const run = longestRun(pairs, directions, fitOfAll(pairs))
  return run !== undefined && (run.end - run.start) * 5 >= pairs.length * 4
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
  if (echoing.every(isEcho) && distinct(echoing, foreignOf) >= least) return "echoed"
  if (telling.every(isEcho)) return "unclear"
  if (isConstant(telling, options)) return "constant"
  if (areShifted(pairs)) return "shifted"
  return isEnough ? "none" : "unclear"
}
