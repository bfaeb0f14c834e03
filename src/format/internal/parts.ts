import * as Either from "effect/Either"
import type { Part, Problem, Unit } from "../Format.js"

/** A piece of a text that may be written anew, with what is translated in it. */
export interface Span extends Omit<Part, "raw" | "problem" | "encoding"> {
  /** Where it begins in the text. */
  readonly start: number
  /** Where it has ended. */
  readonly end: number
}

/**
 * The parts of a text: its spans, in their order and none over another, and what is between them. What follows a span belongs
 * to its part.
 */
export const toParts = (text: string, spans: ReadonlyArray<Span>): ReadonlyArray<Part> => {
  if (spans.length === 0) return [{ raw: text, units: [] }]
  const parts: Array<Part> = []
  const first = spans[0]!.start
  if (first > 0) parts.push({ raw: text.slice(0, first), units: [] })
  spans.forEach(({ end, start, write, ...span }, index) => {
    const next = spans[index + 1]?.start ?? text.length
    const rest = text.slice(end, next)
    parts.push({
      ...span,
      raw: text.slice(start, next),
      ...(write === undefined
        ? undefined
        : { write: (translations) => Either.map(write(translations), (written) => written + rest) })
    })
  })
  return parts
}

/** A span with one unit. What `write` makes of a translation takes the place of the span; without one it stays. */
export const single = (
  text: string,
  span: {
    readonly start: number
    readonly end: number
    readonly unit: Unit
    readonly context?: string | undefined
    readonly write: (translation: string) => Either.Either<string, Problem>
  }
): Span => ({
  start: span.start,
  end: span.end,
  units: [span.unit],
  context: span.context,
  write: ([translation]) =>
    translation === undefined ? Either.right(text.slice(span.start, span.end)) : span.write(translation)
})

/** Where offsets of a text are, asked for in rising order or any other. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Finds lines and columns of a text, both from 1. Lines end with LF, CRLF or CR. */
export const positions = (text: string): ((offset: number) => Position) => {
  const starts = [0]
  for (const { index, 0: newline } of text.matchAll(/\r\n?|\n/g)) starts.push(index + newline.length)
  return (offset) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - starts[low]! + 1 }
  }
}
