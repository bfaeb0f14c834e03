import * as Either from "effect/Either"
import type { Part, Problem, Selection, Unit } from "../Format.js"

/** Takes the values of a file, one after the other, and knows how selectors fit them. */
export interface Fit {
  /** Takes a value of JSON, `undefined` if there is none, and the prefix of its units' keys: `4:` of a line, the number of a document. */
  readonly add: (value: unknown, inFront?: string | number) => void
  /** The problem of a file with strings in which no selector finds one, as those do that are misspelt. */
  readonly problem: () => Problem | undefined
  readonly selection: () => Selection
}

/** A piece of a text that may be written anew, with its units. */
export interface Span extends Omit<Part, "raw" | "encoding"> {
  /** Where it begins in the text. */
  readonly start: number
  /** Where it has ended. */
  readonly end: number
}

/**
 * The parts of a text: its spans, in their order and none over another, and the text between them. The text behind a span
 * belongs to its part.
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
        : {
            write: (translations, marks) =>
              Either.map(write(translations, marks), (written) => written + rest)
          })
    })
  })
  return parts
}

/** A selection is told if something does not fit, or several things were chosen, of which other files may have others. */
export const isTold = ({ absent, found, lacks, noTexts }: Selection): boolean =>
  absent + noTexts + lacks.length > 0 || found.length > 1

/** Parts that tell how selectors fit their file, or that none does. */
export const withSelection = (
  parts: ReadonlyArray<Part>,
  fit: Fit
): Either.Either<ReadonlyArray<Part>, Problem> => {
  const problem = fit.problem()
  const selection = fit.selection()
  return problem !== undefined
    ? Either.left(problem)
    : Either.right(isTold(selection) ? [...parts, { raw: "", units: [], selection }] : parts)
}

/** A span with one unit. The result of `write` for a translation replaces the span; without one it stays. */
export const single = (
  text: string,
  span: {
    readonly start: number
    readonly end: number
    readonly unit: Unit
    readonly context?: string | undefined
    readonly write: (translation: string, isMarked: boolean) => Either.Either<string, Problem>
  }
): Span => ({
  start: span.start,
  end: span.end,
  units: [span.unit],
  context: span.context,
  write: ([translation], [isMarked = false] = []) =>
    translation === undefined
      ? Either.right(text.slice(span.start, span.end))
      : span.write(translation, isMarked)
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
