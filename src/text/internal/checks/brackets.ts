import { isSameIn, make, type Range } from "./check.js"

/** Brackets of one kind, opening and closing, as the scripts write them. */
const kinds: ReadonlyArray<readonly [string, string]> = [
  ["(（﴾", ")）﴿"],
  ["[［【〔", "]］】〕"],
  ["{｛", "}｝"],
  ["《〈", "》〉"],
  ["「『", "」』"]
]

const anyBracket = /[()[\]{}（）［］｛｝【】〔〕《》〈〉「」『』﴾﴿]/
const bracket = new RegExp(anyBracket, "g")

/** Brackets by their characters. */
const known = new Map(
  kinds.flatMap((both, kind) =>
    both.flatMap((characters, side) =>
      Array.from(characters, (character) => [character, { kind, isOpening: side === 0 }] as const)
    )
  )
)

/** Brackets of one kind that have no partner. */
interface Lonely {
  readonly closing: Array<Range>
  readonly opening: Array<Range>
}

/** Of each kind, the brackets that open and do not close, and those that close and have not opened. */
const unmatched = (text: string): ReadonlyMap<number, Lonely> => {
  const lonely = new Map<number, Lonely>()
  for (const { 0: character, index: start } of text.matchAll(bracket)) {
    const range = { start, end: start + 1 }
    const { isOpening, kind } = known.get(character)!
    const same = lonely.get(kind) ?? { closing: [], opening: [] }
    lonely.set(kind, same)
    if (isOpening) same.opening.push(range)
    else if (same.opening.pop() === undefined) same.closing.push(range)
  }
  return lonely
}

export const brackets = make(
  {
    name: "brackets",
    severity: "warning",
    explanation: "Brackets of the translation open and do not close, or close and have not opened."
  },
  (pair) => {
    if (!anyBracket.test(pair.translation) || isSameIn(pair, bracket)) return undefined
    const expected = unmatched(pair.source)
    const found: Array<Range> = []
    for (const [kind, { closing, opening }] of unmatched(pair.translation)) {
      const same = expected.get(kind)
      if (same === undefined || same.closing.length + same.opening.length === 0)
        found.push(...closing, ...opening)
    }
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
