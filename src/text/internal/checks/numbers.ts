import * as PlaceholderSearch from "../../PlaceholderSearch.js"
import { type Found, isSameIn, make, mostSearched, type Range, range, without } from "./check.js"

const twoDigits = /[\d٠-٩۰-۹०-९০-৯๐-๙０-９]{2}/

/** A number up to a decimal separator: thousands may be apart by points, commas, apostrophes and spaces. */
const number = /\p{Nd}{1,3}(?:[.,'’٬\s]\p{Nd}{3})+(?!\p{Nd})|\p{Nd}+/gu

const zeros = "٠۰०০੦૦୦௦౦೦൦๐໐༠၀០０"

/** The digits as 0 to 9. */
const ascii = (digits: string): string =>
  digits.replace(/[^\d]/gu, (digit) => {
    const code = digit.codePointAt(0)!
    for (const zero of zeros) {
      const value = code - zero.codePointAt(0)!
      if (value >= 0 && value <= 9) return String(value)
    }
    return ""
  })

/** By their digits, without separators and leading zeros. */
const numbersOf = (text: string): ReadonlyArray<Found> => {
  const all = Array.from(text.matchAll(number), ({ 0: match, index }) => ({
    key: ascii(match).replace(/^0+(?=\d)/, ""),
    start: index,
    end: index + match.length
  }))
  return all.length === 0 ? all : PlaceholderSearch.outside(all, PlaceholderSearch.find(text, {}))
}

/** Words for ten thousand and more, which are written behind digits: 10,000 is 1万. */
const largeUnits = /[万萬億亿兆만억조]/

const significant = (digits: string): string => digits.replace(/0+$/, "")

const tens = ["", "X", "XX", "XXX", "XL", "L"]
const ones = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"]

/** As centuries, chapters and kings are numbered. */
const roman = (number: number): string => tens[Math.floor(number / 10)]! + ones[number % 10]!

/** Returns a function that finds a number in a text in Roman numerals. Each number is looked for once. */
const romanIn = (text: string): ((digits: string) => boolean) => {
  const known = new Map<string, boolean>()
  return (digits) => {
    if (digits.length > 2 || Number(digits) >= 60) return false
    const found = known.get(digits) ?? new RegExp(`\\b${roman(Number(digits))}(?![A-Z])`).test(text)
    known.set(digits, found)
    return found
  }
}

const isTwelveHours = /\d\s?[ap]\.?m\b/i
const isDate = /\p{Nd}{1,4}([-./])\p{Nd}{1,2}\1\p{Nd}{1,4}|[月월]/u

/** 90 for 1990. */
const isYearOf = (short: string, long: string): boolean =>
  short.length === 2 && long.length === 4 && long.endsWith(short)

/** Returns a function that is true for a number of the source which the translation writes in another way. */
const explains = (source: string, translation: string) => {
  const hasLargeUnits = largeUnits.test(translation) || largeUnits.test(source)
  const hasClock = isTwelveHours.test(source) || isTwelveHours.test(translation)
  const hasDate = isDate.test(source) || isDate.test(translation)
  const isRoman = romanIn(translation)
  return ({ key: digits }: Found, others: ReadonlyArray<Found>): boolean =>
    (hasDate && digits.length <= 2 && Number(digits) <= 12) ||
    isRoman(digits) ||
    others.some(
      ({ key: other }) =>
        isYearOf(digits, other) ||
        isYearOf(other, digits) ||
        (hasClock && Math.abs(Number(digits) - Number(other)) === 12) ||
        (hasLargeUnits && significant(other) === significant(digits))
    )
}

export const numbers = make(
  {
    name: "numbers",
    severity: "warning",
    explanation: "The translation does not hold all numbers of the source."
  },
  (pair) => {
    const { source, translation } = pair
    if (!twoDigits.test(source) || isSameIn(pair, number)) return undefined
    const expected = numbersOf(source)
    const actual = numbersOf(translation)
    const missing = without(expected, actual).filter(({ key }) => key.length >= 2)
    if (missing.length === 0) return undefined
    const surplus = without(actual, expected)
    const others = surplus.slice(0, mostSearched)
    const isExplained = explains(source, translation)
    const lost = missing.filter((each) => !isExplained(each, others))
    return lost.length === 0 ? undefined : { source: lost.map(range), translation: surplus.map(range) }
  }
)

/** Units of the same quantity, each with the other ways to write it. */
const quantities: ReadonlyArray<ReadonlyArray<string>> = [
  ["km км", "cm см", "mm мм", "m м", "mi mile miles", "ft foot feet", "in inch inches", "yd yard yards"],
  ["kg кг", "g г", "mg мг", "lb lbs", "oz"],
  ["°C ℃", "°F ℉"],
  ["kB KB KiB КБ кБ Ko ko", "MB MiB МБ Мб Mo", "GB GiB ГБ Гб Go", "TB TiB ТБ Тб To"],
  ["€ EUR", "$ USD", "£ GBP", "¥ JPY"]
]

interface Unit {
  readonly quantity: number
  readonly unit: number
}

const known: ReadonlyMap<string, Unit> = new Map(
  quantities.flatMap((all, quantity) =>
    all.flatMap((names, unit) => names.split(" ").map((name) => [name, { quantity, unit }] as const))
  )
)

const names = [...known.keys()]
  .sort((a, b) => b.length - a.length)
  .join("|")
  .replace("$", "\\$")

const measure = new RegExp(
  `(?<![\\p{L}\\d.,])([€$£¥]?)\\s?(\\d{1,15}(?:[.,]\\d{1,6})?)(?:\\s?(${names})(?![\\p{L}\\d]))?`,
  "gu"
)

/** A currency, or a number with a possible unit behind it: far cheaper to look for than a {@link measure}. */
const mayMeasure = new RegExp(`[€$£¥]|\\d\\s?(?:${names})`)

interface Measure extends Unit, Range {
  readonly number: string
}

const measuresIn = (text: string): ReadonlyArray<Measure> =>
  Array.from(text.matchAll(measure)).flatMap(({ 0: match, 1: before, 2: number, 3: after, index }) => {
    const unit = known.get(after ?? before!)
    return unit === undefined
      ? []
      : [{ ...unit, number: number!.replace(",", "."), start: index, end: index + match.length }]
  })

/** Measures of one text whose numbers the other has with other units of the same quantity only. */
const changed = (all: ReadonlyArray<Measure>, others: ReadonlyArray<Measure>): ReadonlyArray<Range> =>
  all
    .filter(({ number, quantity, unit }) => {
      const same = others.filter((other) => other.number === number && other.quantity === quantity)
      return same.length > 0 && same.every((other) => other.unit !== unit)
    })
    .map(range)

export const units = make(
  {
    name: "units",
    severity: "warning",
    explanation: "Numbers of the translation have other units than in the source, and are the same."
  },
  ({ source, translation }) => {
    if (!mayMeasure.test(source) || !mayMeasure.test(translation)) return undefined
    const expected = measuresIn(source)
    const actual = measuresIn(translation)
    const places = { source: changed(expected, actual), translation: changed(actual, expected) }
    return places.translation.length === 0 ? undefined : places
  }
)
