import { make, type Range, range } from "./check.js"

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
