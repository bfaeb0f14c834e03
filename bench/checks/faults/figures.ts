/** Faults in numbers: decimals, shares of a hundred, dates. They are planted into both texts. */
import type { Language } from "../languages.js"
import type { Random } from "../random.js"
import type { Fault, Make, Plant } from "./fault.js"

/** A number as English and as the other language write it; some translators leave it as it is. */
type Figure = (language: Language, random: Random) => readonly [english: string, translated: string]

/** Behind the text, before its full stop. */
const append = (text: string, addition: string) =>
  text.replace(/([.:!?。؟।]*)\s*$/u, (_, end: string) => ` (${addition})${end}`)

const planted =
  (figure: Figure): Plant =>
  (pair, { language, random }) => {
    if (/\d/.test(pair.source)) return undefined
    const [english, translated] = figure(language, random)
    return {
      ...pair,
      source: append(pair.source, english),
      translation: append(pair.translation, random.below(3) === 0 ? english : translated)
    }
  }

const numberOf = (language: Language, value: number, options?: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat(language, options).format(value)

const decimal =
  (whole: (random: Random) => number): Figure =>
  (language, random) => {
    const value = whole(random) + (1 + random.below(9)) / 10
    return [value.toFixed(1), numberOf(language, value)]
  }

const percentage: Figure = (language, random) => {
  const value = 11 + random.below(88)
  return [`${value}%`, numberOf(language, value / 100, { style: "percent" })]
}

const twoDigits = (value: number) => `${value}`.padStart(2, "0")

const date: Figure = (_, random) => {
  const month = 1 + random.below(12)
  const day = 1 + ((month + random.below(11)) % 12)
  const text = `${2020 + random.below(10)}-${twoDigits(month)}-${twoDigits(day)}`
  return [text, text]
}

/** Of the last group in brackets, where the figure was planted. */
const inBrackets =
  (pattern: RegExp, replacement: string): Make =>
  ({ translation }) => {
    const at = translation.lastIndexOf("(")
    return { translation: translation.slice(0, at) + translation.slice(at).replace(pattern, replacement) }
  }

const goal = 0.97

export const figures: ReadonlyArray<Fault> = [
  {
    name: "decimal point lost",
    goal,
    plant: planted(decimal((random) => 1 + random.below(30))),
    make: inBrackets(/(\p{Nd})[.,٫](\p{Nd})/u, "$1$2")
  },
  {
    name: "decimals lost",
    goal,
    plant: planted(decimal((random) => 1 + random.below(30))),
    make: inBrackets(/(\p{Nd})[.,٫]\p{Nd}/u, "$1")
  },
  {
    name: "zero before the decimal point lost",
    goal,
    plant: planted(decimal(() => 0)),
    make: inBrackets(/\p{Nd}[.,٫](\p{Nd})/u, "$1")
  },
  { name: "percent sign lost", goal, plant: planted(percentage), make: inBrackets(/\s*[%٪]\s*/u, "") },
  {
    name: "day and month exchanged",
    goal,
    plant: planted(date),
    make: inBrackets(/-(\d\d)-(\d\d)/, "-$2-$1")
  }
]
