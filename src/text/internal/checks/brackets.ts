import type { Range } from "../../Check.js"
import { isSameIn, make } from "./check.js"

/** Brackets of one kind, opening and closing, as the scripts write them. */
const kinds: ReadonlyArray<readonly [string, string]> = [
  ["(（﴾", ")）﴿"],
  ["[［【〔", "]］】〕"],
  ["{｛", "}｝"],
  ["《〈", "》〉"],
  ["「『", "」』"]
]

const bracket = /[()[\]{}（）［］｛｝【】〔〕《》〈〉「」『』﴾﴿]/g

/** Of each kind, the brackets that open and do not close, and those that close and have not opened. */
const unmatched = (text: string): ReadonlyArray<ReadonlyArray<Range>> => {
  const lonely: Array<Array<Range>> = kinds.map(() => [])
  const open: Array<Array<Range>> = kinds.map(() => [])
  for (const { 0: character, index: start } of text.matchAll(bracket)) {
    const range = { start, end: start + 1 }
    const kind = kinds.findIndex((each) => each.some((characters) => characters.includes(character)))
    if (kinds[kind]![0].includes(character)) open[kind]!.push(range)
    else if (open[kind]!.pop() === undefined) lonely[kind]!.push(range)
  }
  return lonely.map((ranges, kind) => [...ranges, ...open[kind]!])
}

export const brackets = make(
  {
    name: "brackets",
    severity: "warning",
    explanation: "Brackets of the translation open and do not close, or close and have not opened."
  },
  (pair) => {
    if (isSameIn(pair, bracket)) return undefined
    const expected = unmatched(pair.source)
    const found = unmatched(pair.translation).flatMap((ranges, kind) =>
      expected[kind]!.length > 0 ? [] : ranges
    )
    return found.length === 0 ? undefined : { source: [], translation: found }
  }
)

/** Double quotes in all their shapes. Hebrew abbreviations have them between two letters. */
const quote = /["“”„‟«»＂](?!(?<=[א-ת].)[א-ת])/gu
const anyQuote = /["“”„‟«»＂]/

export const quotes = make(
  {
    name: "quotes",
    severity: "warning",
    explanation: "Quotes of the translation open and do not close, or close and have not opened."
  },
  ({ source, translation }) => {
    if (!anyQuote.test(translation)) return undefined
    const found = Array.from(translation.matchAll(quote))
    return found.length % 2 === 0 || (source.match(quote)?.length ?? 0) % 2 === 1
      ? undefined
      : { source: [], translation: found.map(({ index }) => ({ start: index, end: index + 1 })) }
  }
)
