/** Numbers that are more than their digits: decimals, percentages and dates. */
import * as PlaceholderSearch from "../../PlaceholderSearch.js"
import { type Pair, type Range, range } from "./check.js"

const zeros = "٠۰०০੦૦୦௦౦೦൦๐໐༠၀០０"

/** The digits of any script as 0 to 9. */
export const ascii = (digits: string): string =>
  digits.replace(/[^\d]/gu, (digit) => {
    const code = digit.codePointAt(0)!
    for (const zero of zeros) {
      const value = code - zero.codePointAt(0)!
      if (value >= 0 && value <= 9) return String(value)
    }
    return ""
  })

/** Words for ten thousand and more, which are written behind digits: 10,000 is 1万. */
export const largeUnits = /\p{Nd}\s?[万萬億亿兆만억조]/u

export const significant = (digits: string): string => digits.replace(/0+$/, "")

/** Far cheaper to look for. */
const mayBeDecimal = /[\d٠-٩۰-۹०-९][.,٫][\d٠-٩۰-۹०-९]/
const mayBePercentage = /[%٪％]/
const mayBeDate = /\d-\d\d-\d/

const none: ReadonlyArray<never> = []

/** Numbers with one separator. Versions, dates, times and thousands have others. */
const decimal =
  /(?<![\p{L}\p{N}%.,:/_-])(\p{Nd}{1,9})[.,٫](?!\p{Nd}{3}(?!\p{Nd}))(\p{Nd}{1,9})(?![\p{N}_]|[.,:/-]\p{N})/gu

const run = /\p{Nd}+/gu

/** Counts each number of a text, and each pair of numbers with a separator between them. */
const runsIn = (text: string): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  const add = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  let before: { readonly digits: string; readonly end: number } | undefined
  for (const { 0: match, index } of text.matchAll(run)) {
    const digits = ascii(match)
    add(digits.replace(/^0+(?=\d)/, ""))
    if (before !== undefined && index - before.end <= 2) add(`${before.digits}.${significant(digits)}`)
    before = { digits, end: index + match.length }
  }
  return counts
}

/** Decimals of which the translation has one side only, or both as one number. */
export const lostDecimals = ({ source, translation }: Pair): ReadonlyArray<Range> => {
  if (!mayBeDecimal.test(source)) return none
  const found = Array.from(source.matchAll(decimal), ({ 0: match, 1: whole, 2: fraction, index }) => ({
    whole: ascii(whole!),
    fraction: ascii(fraction!),
    start: index,
    end: index + match.length
  })).filter(({ fraction }) => significant(fraction) !== "")
  if (found.length === 0) return found
  const expected = runsIn(source)
  const actual = runsIn(translation)
  const has = (key: string) => (actual.get(key) ?? 0) >= (expected.get(key) ?? 0)
  const large = new Set(largeUnits.test(translation) ? [...actual.keys()].map(significant) : [])
  const lost = found.filter(({ fraction, whole }) => {
    if (actual.has(`${whole}.${significant(fraction)}`)) return false
    const joined = (whole + fraction).replace(/^0+/, "")
    if (large.has(significant(joined))) return false
    const sides = [whole, fraction.replace(/^0+/, "")].filter(has).length
    return sides === 1 || (sides === 0 && (actual.has(joined) || fraction !== "5"))
  })
  return PlaceholderSearch.outside(lost, PlaceholderSearch.find(source, {})).map(range)
}

const percentage = /\p{Nd}[\s\p{Cf}]?[%٪％](?![A-Za-z({<%])/gu
const translatedPercentage = /\p{Nd}[\s\p{Cf}]{0,2}[%٪％]|[%٪％][\s\p{Cf}_&]{0,2}\p{Nd}/gu

/** `10% to 20%`, of which languages say one. */
const percentages = /\p{Nd}\s?[%٪％]\s?(?:[-–—~/]|\p{L}{1,5})\s?\p{Nd}[\p{Nd}.,]*\s?[%٪％]/gu

const percentWord =
  /per ?cent|pour ?cent|por ?c[ei]ent|pro[cszt]{1,3}en|persen|százalék|yüzde|phần trăm|odstot|postot|проц|відсот|на сто|εκατό|パーセント|퍼센트|百分|ร้อยละ|เปอร์เซ|אחוז|مائة|مئة|درصد|प्रतिशत/i

/** Percentages that are mere numbers in the translation. */
export const lostPercentages = ({ source, translation }: Pair): ReadonlyArray<Range> => {
  if (!mayBePercentage.test(source)) return none
  const found = Array.from(source.matchAll(percentage), ({ 0: match, index }) => ({
    start: index,
    end: index + match.length
  }))
  if (found.length === 0 || percentWord.test(translation)) return none
  const expected = found.length - (source.match(percentages)?.length ?? 0)
  return (translation.match(translatedPercentage)?.length ?? 0) < expected ? found : []
}

const isoDate = /(?<!\p{Nd})\p{Nd}{4}-\p{Nd}{2}-\p{Nd}{2}(?!\p{Nd})/gu

/** Dates of ISO 8601 that the source has not, though it has others. */
export const changedDates = ({ source, translation }: Pair): ReadonlyArray<Range> => {
  const expected = mayBeDate.test(source) ? source.match(isoDate)?.map(ascii) : undefined
  return expected === undefined
    ? none
    : Array.from(translation.matchAll(isoDate), ({ 0: match, index }) => ({
        digits: ascii(match),
        start: index,
        end: index + match.length
      }))
        .filter(({ digits }) => !expected.includes(digits))
        .map(range)
}
