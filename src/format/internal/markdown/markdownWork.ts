import * as Option from "effect/Option"
import type { gfm } from "micromark-extension-gfm"
import type { Problem } from "../../Format.js"

type Extension = ReturnType<typeof gfm>
type Construct = Exclude<NonNullable<Extension["text"]>[string], ReadonlyArray<unknown> | undefined>
type Context = ThisParameterType<Construct["tokenize"]>

/**
 * The parser takes time with the square of the marks in a paragraph, and of the lists and quotes in a section: some 0.2 µs
 * for each pair of marks of emphasis, so a second or two for this number.
 */
const mostPairs = 8_000_000

/** A longer text may have more, so that a byte has the same. */
const usualLength = 32 * 1024

/** More marks in a paragraph, or blocks in a section, than the parser can read in good time. */
export class TooMuch {
  constructor(readonly problem: Problem) {}
}

const closings: ReadonlyArray<readonly [string, string]> = [
  ["<!--", "-->"],
  ["<![", "]]>"],
  ["<!", ">"],
  ["<?", "?>"]
]

/**
 * The number of characters among which the parser looks for the end of a comment or a piece of code: all of the
 * paragraph, if there is none. One takes about as long as a pair.
 */
const reachOf = (text: string, at: number): number => {
  const run = /^`*/.exec(text.slice(at, at + 1000))![0]
  const closing = run === "" ? closings.find(([opening]) => text.startsWith(opening, at))?.[1] : run
  if (closing === undefined) return 0
  const ends = [text.indexOf(closing, at + Math.max(1, run.length)), text.indexOf("\n\n", at)]
  return Math.min(...ends.filter((end) => end !== -1), text.length) - at
}

/** The time of a pair of each mark, in that of emphasis. */
const marks = Object.entries({ "*": 1, _: 1, "~": 1, "`": 1, "<": 1, "[": 0.1, "]": 0.1, "!": 0.1 })

/** The characters with which lists and quotes begin. */
const blocks = Array.from("*+-0123456789>", (character) => [character, 2] as const)

/** Counts the parser's work, and ends it with a {@link TooMuch} before it takes long. */
export const bounded = (text: string): Extension => {
  const most = mostPairs * Math.max(1, text.length / usualLength)
  let pairs = 0
  let paragraph: unknown
  let marksBefore = 0
  let blocksBefore = 0

  const add = (before: number, line: number, what: string) => {
    pairs += before
    if (pairs > most) {
      const message = `${what} than can be read in good time: put blank lines and headings between them.`
      Option.getOrThrowWith(Option.none(), () => new TooMuch({ line, message }))
    }
  }
  /** Takes nothing: the constructs of the language are asked next. */
  const on = (
    characters: ReadonlyArray<readonly [string, number]>,
    count: (context: Context, weight: number) => void
  ) =>
    Object.fromEntries(
      characters.map(([character, weight]): readonly [number, Construct] => [
        character.charCodeAt(0),
        {
          tokenize(_effects, _ok, nok) {
            count(this, weight)
            return nok
          }
        }
      ])
    )
  return {
    text: on(marks, (context, weight) => {
      marksBefore = paragraph === context ? marksBefore + 1 : 0
      paragraph = context
      const { line, offset } = context.now()
      add(weight * marksBefore + reachOf(text, offset), line, "the paragraph holds more marks")
    }),
    document: on(blocks, (context, weight) => {
      add(weight * blocksBefore++, context.now().line, "there are more lists and quotes")
    })
  }
}
