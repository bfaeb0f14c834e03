import { make, mostSearched, type Pair, type Range, ranges, whole } from "./check.js"

/** Marks of Markdown, where a text has them, and how they are counted: `**bold**`, a heading. */
const marks: ReadonlyArray<readonly [text: RegExp, mark: RegExp]> = [
  [/\*\*(?=[^\s*])[^*]*\*\*(?!\*)/, /\*\*/g],
  [/^#{1,6}\s+\S/m, /^#{1,6}(?=\s)/gm]
]

const codeSpan = /(?<![`'\\])`(?=[^\s`'])([^`'\n]*)`(?![`'])/g
const backtick = /`/g

/** Cheaper than to look for the marks. */
const mayHold = (text: string): boolean => text.includes("`") || text.includes("#") || text.includes("**")

/** Models set a fence around their answer. */
const fence = /^\s*(?:`{3}|~{3})/

const countOf = (text: string, mark: RegExp): number => text.match(mark)?.length ?? 0

const openingQuote = /["“”„«»「『‘‚']\s?$/

/** Some translators set quotation marks around code. */
const isQuoted = (code: string, translation: string): boolean => {
  const at = translation.indexOf(code)
  return at > 0 && openingQuote.test(translation.slice(Math.max(0, at - 2), at))
}

const lostCode = ({ source, translation }: Pair): ReadonlyArray<Range> => {
  if (countOf(source, backtick) === countOf(translation, backtick)) return []
  return Array.from(source.matchAll(codeSpan))
    .slice(0, mostSearched)
    .filter(([, code]) => !isQuoted(code!, translation))
    .map(({ 0: match, index }) => ({ start: index, end: index + match.length }))
}

export const markup = make(
  {
    name: "markup",
    severity: "warning",
    explanation: "The translation has lost marks of Markdown, or is within a code fence."
  },
  (pair) => {
    const { source, translation } = pair
    if (!mayHold(source) && !mayHold(translation) && !translation.includes("~~~")) return undefined
    const fenced = fence.test(translation) && !fence.test(source)
    const lost = marks.flatMap(([text, mark]) =>
      text.test(source) && countOf(source, mark) !== countOf(translation, mark) ? ranges(source, mark) : []
    )
    lost.push(...lostCode(pair))
    return fenced || lost.length > 0
      ? { source: lost, translation: fenced ? whole(translation) : [] }
      : undefined
  }
)
