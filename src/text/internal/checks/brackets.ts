import { isSameIn, make, type Pair, type Range, ranges, whole } from "./check.js"

/** Brackets of one kind, opening and closing, as the scripts write them. */
const kinds: ReadonlyArray<readonly [string, string]> = [
  ["(（﴾", ")）﴿"],
  ["[［【〔", "]］】〕"],
  ["{｛", "}｝"],
  ["《〈", "》〉"],
  ["「『", "」』"]
]

/** Before a bracket that needs no partner: the eyes of a smiley, and a word or letter that begins a line, `a)`. */
const single = /[:;]-?[()]*$|(?:^|\n)\s*\p{L}{1,2}$/u

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
        found.push(
          ...[...closing, ...opening].filter(
            ({ start }) => !single.test(pair.translation.slice(Math.max(0, start - 5), start))
          )
        )
    }
    return found.length === 0 ? undefined : { source: [], translation: found }
  }
)

/** Double quotes in all their shapes. Hebrew abbreviations have them between two letters. */
const quote = /["“”„‟«»＂](?!(?<=[א-ת].)[א-ת])/gu
const anyQuote = /["“”„‟«»＂]/

/** Marks and entities that may stand for them. An apostrophe within a word is none. */
const otherQuote =
  /[`‘‚‹›『』「」《》〈〉″]|(?<![\p{L}\p{N}])['’]|['’](?![\p{L}\p{N}])|&(?:#\d|\w{1,3}quo)|,,/gu

const quoted = /^\s*["“”„‟«»＂「『].*["“”„‟«»＂」』]\s*$/su

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Translators of longer texts that quote more than once leave out the quotes. */
const longest = 150

/** The marks that a translation has more than its source, of all kinds. */
const surplus = ({ source, translation }: Pair, own: number): number =>
  own + countOf(translation, otherQuote) - countOf(source, otherQuote)

export const quotes = make(
  {
    name: "quotes",
    version: "2",
    severity: "warning",
    explanation:
      "Quotes of the translation have no partner, or all are lost, or it stands in quotes as a whole."
  },
  (pair) => {
    const { source, translation } = pair
    if (!anyQuote.test(translation) && !anyQuote.test(source) && !/^[「『]/.test(translation))
      return undefined
    const isQuoted = quoted.test(translation) && !quoted.test(source)
    const expected = ranges(source, quote)
    const actual = ranges(translation, quote)
    if (expected.length % 2 === 1) return undefined
    if (actual.length % 2 === 1) return { source: [], translation: actual }
    const isOften = expected.length > 2 && source.length > longest
    if (expected.length > 0 && actual.length === 0 && !isOften && surplus(pair, 0) <= 0) {
      return { source: expected, translation: [] }
    }
    return isQuoted && surplus(pair, actual.length - expected.length) >= 2
      ? { source: [], translation: whole(translation) }
      : undefined
  }
)
