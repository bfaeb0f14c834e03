import * as PlaceholderSearch from "../../PlaceholderSearch.js"
import {
  type Found,
  isSameIn,
  make,
  mostSearched,
  type Pair,
  type Places,
  range,
  ranges,
  without
} from "./check.js"
import { ascii, changedDates, largeUnits, lostDecimals, lostPercentages, significant } from "./figures.js"
import { inWords } from "./numerals.js"

const digit = "[\\d٠-٩۰-۹०-९০-৯๐-๙０-９]"

/** Two digits, decimals or a percentage: far cheaper to look for. */
const mayLose = new RegExp(`${digit}(?:[.,٫]?${digit}|\\s?[%٪％])`)

/** A number up to a decimal separator: thousands may be apart by points, commas, apostrophes and spaces. */
const number = /(?![0٠۰०๐])\p{Nd}{1,3}(?:[.,'’٬،\s]\p{Nd}{3})+(?!\p{Nd})|\p{Nd}+/gu

/** Numbers within words: `i18n`. */
const numeronym = /(?<![\p{L}\d])\p{L}\d{1,2}\p{L}/gu

/** By their digits, without separators. */
const numbersOf = (text: string): ReadonlyArray<Found> => {
  const all = Array.from(text.matchAll(number), ({ 0: match, index }) => ({
    key: ascii(match),
    start: index,
    end: index + match.length
  }))
  const others = PlaceholderSearch.find(text, {})
  return all.length === 0
    ? all
    : PlaceholderSearch.outside(PlaceholderSearch.outside(all, others), ranges(text, numeronym))
}

const tens = ["", "X", "XX", "XXX", "XL", "L"]
const ones = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"]

/** As centuries, chapters and kings are numbered. */
const roman = (number: number): string => tens[Math.floor(number / 10)]! + ones[number % 10]!

/** Returns a function that finds a number in a text in Roman numerals. Each number is looked for once. */
const romanIn = (text: string, source: string): ((digits: string) => boolean) => {
  const known = new Map<string, boolean>()
  return (digits) => {
    if (digits.length > 2 || Number(digits) >= 60) return false
    const numeral = new RegExp(`\\b${roman(Number(digits))}(?![A-Z]|\\d|\\p{Ll}{3})`, "u")
    const found = known.get(digits) ?? (numeral.test(text) && !numeral.test(source))
    known.set(digits, found)
    return found
  }
}

const isTime = /\p{Nd}{1,2}[:.]\p{Nd}{2}/u
const isTwelveHours = /\d\s?[ap]\.?m\b/i
const isDate = /(?<![\p{Nd}.])\p{Nd}{1,4}([-./])\p{Nd}{1,2}\1\p{Nd}{2,4}(?![\p{Nd}.])|[月월]/u

/** 90 for 1990. */
const isYearOf = (short: string, long: string): boolean =>
  short.length === 2 && /^(?:1[6-9]|20)\d\d$/.test(long) && long.endsWith(short)

/** `24th`, and the number of a name: `X11`. */
const isOfWord = (text: string, { end, start }: Found): boolean =>
  /^(?:st|nd|rd|th)s?\b/.test(text.slice(end, end + 4)) ||
  /\p{L}-?$/u.test(text.slice(Math.max(0, start - 2), start))

/** Returns a function that is true for a number of the source which the translation writes in another way. */
const explains = (
  { source, targetLang, translation }: Pair,
  expected: ReadonlyArray<Found>,
  isFew: boolean
) => {
  const hasLargeUnits = largeUnits.test(translation) || largeUnits.test(source)
  const hasTime = isTime.test(source)
  const hasClock = isTwelveHours.test(source) || isTwelveHours.test(translation)
  const hasDate = isDate.test(source)
  const isRoman = romanIn(translation, source)
  return ({ key: digits }: Found, others: ReadonlyArray<Found>): boolean => {
    return (
      (hasDate && digits.length <= 2 && Number(digits) <= 12) ||
      isRoman(digits) ||
      (isFew &&
        others.length === 0 &&
        (inWords(digits, translation, targetLang) ||
          expected.every((each) => each.key !== digits || isOfWord(source, each)))) ||
      others.some(
        ({ key: other }) =>
          isYearOf(digits, other) ||
          isYearOf(other, digits) ||
          (hasTime && Number(digits) === Number(other)) ||
          (hasClock && Math.abs(Number(digits) - Number(other)) === 12) ||
          (hasLargeUnits && significant(other) === significant(digits))
      )
    )
  }
}

/** Numbers of two digits and more that are lost, and those of the translation that the source has not. */
const lostNumbers = (pair: Pair): Places => {
  if (isSameIn(pair, number)) return nothing
  const expected = numbersOf(pair.source)
  const actual = numbersOf(pair.translation)
  const missing = without(expected, actual).filter(({ key }) => key.length >= 2)
  if (missing.length === 0) return nothing
  const surplus = without(actual, expected)
  const others = surplus.slice(0, mostSearched)
  const isExplained = explains(pair, expected, missing.length <= mostSearched)
  const lost = missing.filter((each) => !isExplained(each, others))
  return lost.length === 0 ? nothing : { source: lost.map(range), translation: surplus.map(range) }
}

const nothing: Places = { source: [], translation: [] }

export const numbers = make(
  {
    name: "numbers",
    version: "2",
    severity: "warning",
    explanation: "The translation does not hold all numbers, decimals, percentages or dates of the source."
  },
  (pair) => {
    if (!mayLose.test(pair.source)) return undefined
    const lost = lostNumbers(pair)
    const source = [...lost.source, ...lostDecimals(pair), ...lostPercentages(pair)]
    const translation = [...lost.translation, ...changedDates(pair)]
    return source.length + translation.length === 0 ? undefined : { source, translation }
  }
)
