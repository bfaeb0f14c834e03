import * as PlaceholderPatterns from "../../PlaceholderPatterns.js"
import { type Found, isSameIn, make, mostSearched, type Pair, type Range, range, without } from "./check.js"
import { argumentsIn, hasBranches } from "./icu.js"

const tag = PlaceholderPatterns.pattern(["tags"])!
const conversions = ["percent", "printf"] as const
const value = PlaceholderPatterns.pattern(["braces", ...conversions])!
/** The values of messages of ICU beside their arguments. */
const valueBeside = PlaceholderPatterns.pattern(conversions)!

/** The characters that each of these patterns needs: far cheaper to look for. */
const mayMatch = /[<&{%]/

/** Elements of HTML. A name in angle brackets that is none of them, and is not closed, stands for a value: `<file>`. */
const html =
  /^<\/?(?:a|abbr|b|big|blockquote|body|br|button|center|code|col|div|dd|dl|dt|em|font|form|h[1-6]|head|hr|html|i|img|input|kbd|label|li|ol|p|pre|q|s|samp|small|span|strike|strong|sub|sup|table|tbody|td|th|thead|tr|tt|u|ul|var)$/i

/** `<b` of `<b>` and of `<b class="c">`: attributes may be translated. */
const tagName = /^<\/?[\p{L}\d][^\s>/]*(?<!:)(?![^\s>/])/u

/** Elements that show a part of a text in another way. Scripts without italics take others, and translators add some. */
const emphasis = /^(<\/?)(?:b|bold|cite|code|em|i|italic|kbd|strong|tt|u|var)$/
const withoutItalics = /^(?:ja|ko|zh)\b/i

const plainTag = /<\/?[^\s<>/]+>/g

/** The tags without attributes that a text has, and how often. */
const countTags = (text: string): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const [tag] of text.matchAll(plainTag)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return counts
}

const keyOfTag = (tag: string, tags: ReadonlyMap<string, number>, targetLang: string): string | undefined => {
  const start = tagName.exec(tag)?.[0]
  if (start === undefined) return undefined
  const name = start.replace(/^<\/?/, "")
  const closed = tags.get(`</${name}>`)
  const isTag = html.test(start) || /\d/.test(name[0]!) || /^<\/|\/>$|=/.test(tag) || closed !== undefined
  if (!isTag) return undefined
  const key = start.toLowerCase()
  return withoutItalics.test(targetLang) && closed === tags.get(`<${name}>`)
    ? key.replace(emphasis, "$1em")
    : key
}

/** `{0,choice` of an argument with forms, since these are translated; `%s` of `%1$s` and of `%-10.250s`. */
const keyOfValue = (value: string): string =>
  value
    .replace(/^(\{[^{},]*,[^{},]*),.*$/s, "$1")
    .replace(/^%(?:\d+\$)?[-+#0]*\d*(?:\.\d+)?(?=[A-Za-z@])/, "%")

/** Letters and commands of Texinfo have braces, `@,{c}`, and lines of Lisp end with `~%`. */
const isOther = (text: string, index: number): boolean =>
  text[index - 1] === "~" || /@(?:[a-z]{1,12}|\W)$/.test(text.slice(Math.max(0, index - 13), index))

/** Dates are written in another order, with other parts: `%d.%m.%Y` for `%m/%d/%y`. */
const date = /%[-EO]?[Yyb]|%-?[HIl][:.h ]*%M|%d[-/.]%m|%m[-/.]%d/

const found = (
  text: string,
  patterns: ReadonlyArray<RegExp>,
  { source, targetLang }: Pick<Pair, "source" | "targetLang">
): ReadonlyArray<Found> => {
  const all: Array<Found> = []
  const tags = countTags(text)
  const add = (pattern: RegExp, keyOf: (match: string, index: number) => string | undefined) => {
    for (const { 0: match, index } of text.matchAll(pattern)) {
      const key = keyOf(match, index)
      if (key !== undefined) all.push({ key, start: index, end: index + match.length })
    }
  }
  add(tag, (match) => keyOfTag(match, tags, targetLang))
  const isMessage = hasBranches.test(source)
  if (isMessage)
    for (const { end, name, start } of argumentsIn(text)) all.push({ key: `{${name}`, start, end })
  if (!date.test(text)) {
    add(isMessage ? valueBeside : value, (match, index) =>
      isOther(text, index) ? undefined : keyOfValue(match)
    )
  }
  for (const pattern of patterns) add(pattern, (match) => match)
  // The text around an argument with branches may stand in each of them.
  return isMessage ? Array.from(new Map(all.map((each) => [each.key, each])).values()) : all
}

/** A conversion that takes the next argument, of a kind: `%s`, `%5.1f`. */
const unnumbered =
  /%[-+#0]{0,4}(?:\d{1,4}|\*)?(?:\.(?:\d{1,4}|\*))?(hh|h|ll|l|q|L|j|z|t)?([diouxXeEfFgGaAcCsSpn@])/g

const numbered = /%\d{1,4}\$/

const conversionsIn = (text: string) =>
  Array.from(text.replaceAll("%%", "  ").matchAll(unnumbered), ({ 0: match, index }) => {
    const key = match.replace("i", "d")
    return { key, kind: keyOfValue(key), start: index, end: index + match.length }
  })

/** Where conversions of other kinds, or with other widths, have changed places: their arguments have not. */
const exchanged = ({ source, translation }: Pair): ReadonlyArray<Range> => {
  if (numbered.test(translation) || date.test(source)) return nothing
  const expected = conversionsIn(source)
  const actual = conversionsIn(translation)
  if (expected.length !== actual.length) return nothing
  const isMoved = without(expected, actual).length === 0
  return actual
    .filter(
      ({ key, kind }, index) => kind !== expected[index]!.kind || (isMoved && key !== expected[index]!.key)
    )
    .map(range)
}

/** `%1` of Qt, which is a percentage elsewhere: it is looked for where the source has one. */
const argument = /(?<![\d%])%L?\d{1,2}(?![\d$%A-Za-z]|\.\d)/
const everyArgument = new RegExp(argument, "g")

const literal = (text: string): RegExp => new RegExp(text.replace(/[$()*+./?[\\\]^{|}-]/g, "\\$&"), "g")

const markup = /<\/?[a-z]|&#?\w{1,31};/i

/** True for pairs of emphasis that a text with markup has not. */
const isEmphasis = (tags: ReadonlyArray<Found>, source: string): boolean => {
  const text = source.toLowerCase()
  const countOf = (tag: string) => tags.filter(({ key }) => key === tag).length
  const isAdded = ({ key }: Found) => {
    const name = key.replace(/^<\/?/, "")
    return emphasis.test(key) && !text.includes(`</${name}>`) && countOf(`<${name}`) === countOf(`</${name}`)
  }
  return tags.length <= mostSearched && markup.test(source) && tags.every(isAdded)
}

const nothing: ReadonlyArray<never> = []

/** Known placeholders that no pattern finds. */
const known = (pair: Pair): ReadonlyArray<RegExp> => {
  const { placeholders, source } = pair
  if (placeholders === undefined || placeholders.length === 0) return nothing
  const texts = placeholders.map(({ end, start }) => source.slice(start, end))
  return [...new Set(texts)].filter((text) => text !== "" && found(text, [], pair).length === 0).map(literal)
}

export const placeholders = make(
  {
    name: "placeholders",
    version: "2",
    severity: "error",
    explanation: "The translation does not hold the placeholders and tags of the source, each as often."
  },
  (pair) => {
    const { source, translation } = pair
    const patterns =
      source.includes("%") && argument.test(source) ? [...known(pair), everyArgument] : known(pair)
    if (patterns.length === 0 && !mayMatch.test(source) && !mayMatch.test(translation)) return undefined
    if ([tag, value, ...patterns].every((pattern) => isSameIn(pair, pattern))) return undefined
    const expected = found(source, patterns, pair)
    const actual = found(translation, patterns, pair)
    const missing = without(expected, actual)
    const surplus = without(actual, expected)
    const places = { source: missing.map(range), translation: surplus.map(range) }
    if (missing.length > 0 || (surplus.length > 0 && !isEmphasis(surplus, source))) return places
    const others = exchanged(pair)
    return others.length === 0 ? undefined : { source: nothing, translation: others }
  }
)
