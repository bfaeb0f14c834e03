/** Faults in what is no language: placeholders, tags, numbers, addresses, brackets and characters that nobody sees. */
import type { Random } from "../random.js"
import { countOf, matchesOf, replace, without } from "../text.js"
import { around, type Fault, type Make, shared } from "./fault.js"

/** Changes one of what both texts hold, in one of some ways. */
const damage =
  (pattern: RegExp, ways: ReadonlyArray<(mark: string, random: Random) => string>): Make =>
  (pair, { random }) => {
    const found = shared(pair, pattern)
    if (found.length === 0) return undefined
    const mark = random.pick(found)
    const damaged = random.pick(ways)(mark.text, random)
    const { translation } = pair
    return { translation: damaged === "" ? without(translation, mark) : replace(translation, mark, damaged) }
  }

const lost = () => ""

/** Elements of HTML and Pango, and numbers of components. `<file>` is a word in a line of usage. */
const tag =
  /<\/?(?:a|b|big|blockquote|br|button|code|div|em|font|h[1-6]|i|img|kbd|label|li|ol|p|pre|small|span|strong|sub|sup|table|td|th|tr|tt|u|ul|\d+)(?:\s[^<>]*)?\/?>/g

const renamed = (mark: string) =>
  mark.replace(/^(<\/?)(\w+)/, (_, start, name) => `${start}${name === "em" ? "strong" : "em"}`)

/** Without its slash; as the end of an element if it has none. */
const turned = (mark: string) =>
  mark.includes("/>") || mark.startsWith("</") ? mark.replace("/", "") : `</${mark.slice(1)}`

/** `%s`, `%2$d`, `%(name)s`, `%1`, `{0}`, `{name}`, `{{name}}`, `${name}`, `%{name}`. */
const placeholder =
  /(?<![\d%])%(?:(?:\(\w+\)|\d+\$)?[-+#0]?\d*(?:\.\d+)?(?:hh?|ll?|[zj])?[sdiuxXfgc@](?!\p{L})|\d+(?![\d$.%\p{L}]))|\{\{\s*[\w.]+\s*\}\}|[$%]?\{\w+\}/gu

/** With another conversion, number or name. */
const exchanged = (mark: string) =>
  /^%[^({]*[A-Za-z@]$/.test(mark)
    ? mark.replace(/[A-Za-z@]+$/, (type) => (type === "s" ? "d" : "s"))
    : mark.replace(/\w+/, (name) => (/^\d+$/.test(name) ? `${Number(name) + 1}` : `${name}s`))

const broken = (mark: string) => (mark.startsWith("%") ? `% ${mark.slice(1)}` : mark.slice(0, -1))

const letters = String.raw`\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}`

const number = (digits: string) =>
  new RegExp(
    String.raw`(?<![${letters}\d%$_.,/#&;:@\\{}+-])\d${digits}(?![${letters}\d_$%{}@/-]|[.,:]\d)`,
    "gu"
  )

const otherDigit = (mark: string, random: Random) => {
  const at = random.below(mark.length)
  return replace(mark, { start: at, end: at + 1 }, `${1 + ((Number(mark[at]) + random.below(8)) % 9)}`)
}

const withoutDigit = (mark: string, random: Random) => {
  const at = random.below(mark.length)
  return replace(mark, { start: at, end: at + 1 }, "")
}

const address = /https?:\/\/[!#-&*-;=?-Z_a-z~]{4,}[\w/]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g

/** Of a URL, behind its scheme. */
const otherLetter = (mark: string, random: Random) => {
  const places = matchesOf(mark, /[a-z]/g).filter(({ start }) => start > mark.indexOf("://"))
  if (places.length === 0) return ""
  const place = random.pick(places)
  return replace(mark, place, place.text === "z" ? "a" : String.fromCharCode(place.text.charCodeAt(0) + 1))
}

const split = (mark: string, random: Random) => {
  const at = 1 + random.below(mark.length - 1)
  return `${mark.slice(0, at)} ${mark.slice(at)}`
}

/** One of the marks of the translation is lost, if the source has as many, and none of both texts is without its other half. */
const lostHalf =
  (marks: RegExp, isWhole: (text: string) => boolean): Make =>
  ({ source, translation }, { random }) => {
    const found = matchesOf(translation, marks)
    if (found.length === 0 || found.length !== matchesOf(source, marks).length) return undefined
    return isWhole(source) && isWhole(translation)
      ? { translation: replace(translation, random.pick(found), "") }
      : undefined
  }

const areHalves = (text: string) =>
  matchesOf(text, /[([（［【]/g).length === matchesOf(text, /[)\]）］】]/g).length

const quotes = /["“”„«»‹›「」『』]/g

const areInTwos = (text: string) => matchesOf(text, quotes).length % 2 === 0

const insert =
  (characters: ReadonlyArray<number>): Make =>
  ({ translation }, { random }) => {
    const { start } = random.pick(matchesOf(translation, /\S+/g))
    const character = String.fromCharCode(random.pick(characters))
    return { translation: replace(translation, { start, end: start }, character) }
  }

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** Embeddings, overrides and isolates that nothing ends. */
const bidirectional = [0x202a, 0x202b, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068]

const controls = [...range(0x00, 0x08), ...range(0x0e, 0x1f), 0x7f]

/** A word that is the same in both texts, such as a name, and that the caller has said to be a placeholder. */
const knownPlaceholder: Make = (pair, { random }) => {
  const name = /(?<![\p{L}\d_])[A-Z][A-Za-z]{3,}(?![\p{L}\d_])/gu
  const inSource = matchesOf(pair.source, name)
  const found = shared(pair, name).filter(({ text }) => countOf(inSource, text) === 1)
  if (found.length === 0) return undefined
  const mark = random.pick(found)
  const { end, start } = inSource.find(({ text }) => text === mark.text)!
  const damaged = random.pick([lost, otherLetter])(mark.text, random)
  return { translation: replace(pair.translation, mark, damaged), placeholders: [{ start, end }] }
}

const bold = around("<b>", "</b>", (text) => !/[<>&]/.test(text))

const goal = 0.97

export const marks: ReadonlyArray<Fault> = [
  { name: "one tag of two lost", goal, plant: bold, make: damage(tag, [lost]) },
  {
    name: "both tags lost",
    goal,
    plant: bold,
    make: ({ translation }) => ({ translation: translation.replace(/<\/?b>/g, "") })
  },
  { name: "tag lost or changed", goal, make: damage(tag, [lost, renamed, turned]) },
  { name: "placeholder lost or changed", goal, make: damage(placeholder, [lost, exchanged, broken]) },
  { name: "placeholder that is known lost", goal, make: knownPlaceholder },
  { name: "URL or address changed", goal, make: damage(address, [lost, otherLetter, split]) },
  {
    name: "bracket lost",
    goal,
    make: lostHalf(/[()[\]（）［］【】]/g, areHalves)
  },
  { name: "quotation mark lost", make: lostHalf(quotes, areInTwos) },
  { name: "direction that is not ended", goal, make: insert(bidirectional) },
  { name: "control character", goal, make: insert(controls) },
  {
    name: "number of two digits or more",
    goal,
    make: damage(number("{2,}"), [otherDigit, withoutDigit, lost])
  },
  { name: "single digit", make: damage(number(""), [otherDigit, lost]) }
]
