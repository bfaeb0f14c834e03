/**
 * Streaming codecs between bytes and the lines of a text file, and the format of texts by lines.
 *
 * @since 0.1.0
 */

import * as Chunk from "effect/Chunk"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import { is, TaggedError } from "../internal/taggedError.js"
import { encoder, hasLoneSurrogate } from "../internal/utf8.js"
import type * as Format from "./Format.js"
import * as lineEnds from "./internal/lines/lineEnds.js"
import { makeLineReader } from "./internal/lines/lineParts.js"
import * as linesFormat from "./internal/lines/linesFormat.js"
import {
  type Batch,
  dropCarriageReturns,
  fromBytes,
  maxLength,
  type Transducer,
  transduce,
  valuesOrFail
} from "./internal/transducer.js"

/**
 * The input is not UTF-8, or a text cannot be written as one line.
 *
 * `line` counts from 1: the line that was read, or the text that was to be written. The message never holds
 * the text.
 *
 * @since 0.1.0
 * @category errors
 */
export class LinesError extends TaggedError<LinesError>()(
  "LinesError",
  {
    line: Schema.Number,
    /** The cause, and advice. */
    reason: Schema.String
  },
  ({ line, reason }) => [`Line ${line}`, reason]
) {}

/**
 * Returns `true` for a `LinesError`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isLinesError = is(LinesError)

/**
 * Options for writing lines.
 *
 * @since 0.1.0
 * @category models
 */
export interface EncodeOptions {
  /**
   * The line end, after the last line too.
   *
   * @default "\n"
   */
  readonly newline?: "\n" | "\r\n" | undefined
  /**
   * Writes a byte order mark first.
   *
   * @default false
   */
  readonly bom?: boolean | undefined
}

interface Problem {
  readonly line: number
  readonly reason: string
}

const linesError = (problem: Problem): LinesError => new LinesError(problem)

const makeReader = (): Transducer<Uint8Array, Batch<string, Problem>> => {
  let count = 0
  let rest = ""
  let lines: Array<string> = []
  let problem: Problem | undefined

  const report = (reason: string) => {
    problem = { line: count + 1, reason }
  }

  const onText = (piece: string) => {
    rest += piece
    if (piece.includes("\n")) {
      const parts = rest.split("\n")
      rest = parts.pop()!
      for (const part of parts) lines.push(dropCarriageReturns(part))
      count += parts.length
    }
    if (rest.length > maxLength) report(`it is longer than ${maxLength} characters: split it.`)
  }

  const onMalformed = () => report("it holds bytes that are not UTF-8: save the input as UTF-8.")

  const flush = (): Batch<string, Problem> => {
    const values = lines
    lines = []
    return { values, problem }
  }

  const onEnd = () => {
    if (rest !== "") lines.push(dropCarriageReturns(rest))
  }

  return fromBytes({ onText, onMalformed, onEnd, hasProblem: () => problem !== undefined, flush })
}

const makeWriter = (options: EncodeOptions | undefined): Transducer<string, Batch<Uint8Array, Problem>> => {
  const newline = options?.newline ?? "\n"
  let count = 0

  const fault = (line: string): string | undefined =>
    line.includes("\n") || line.endsWith("\r")
      ? "the text holds a line break and would become several lines: replace the break, or use a format with quotes such as CSV."
      : hasLoneSurrogate(line)
        ? "the text holds half of a surrogate pair, which UTF-8 cannot carry: repair it."
        : undefined

  return {
    push: (input) => {
      let text = ""
      let problem: Problem | undefined
      for (const line of Chunk.toReadonlyArray(input)) {
        // A reader removes one mark at the start, so a text that begins with one needs another in front.
        if (count === 0 && (options?.bom === true || line.startsWith("\uFEFF"))) text = "\uFEFF"
        count++
        const reason = fault(line)
        if (reason !== undefined) {
          problem = { line: count, reason }
          break
        }
        text += line + newline
      }
      return { values: text === "" ? [] : [encoder.encode(text)], problem }
    },
    end: () => ({ values: [], problem: undefined })
  }
}

/**
 * Reads the lines of a text.
 *
 * The bytes are UTF-8 with or without a byte order mark; lines end with LF or CRLF (also mixed), the last one
 * with or without. A CR elsewhere belongs to the line, and blank lines are kept. Fails with a `LinesError` on bytes that are not
 * UTF-8 and on lines of more than 16 Mi characters, after it has emitted the lines in front of them.
 *
 * @since 0.1.0
 * @category codecs
 */
export const decode =
  () =>
  <E, R>(self: Stream.Stream<Uint8Array, E, R>): Stream.Stream<string, E | LinesError, R> =>
    transduce(makeReader, valuesOrFail(linesError))(self)

/**
 * Writes each text as one line.
 *
 * Fails with a `LinesError` on a text that would not be read back as it is: with a LF in it, a CR at its end,
 * or half of a surrogate pair. The lines in front of it are written.
 *
 * @since 0.1.0
 * @category codecs
 */
export const encode =
  (options?: EncodeOptions) =>
  <E, R>(self: Stream.Stream<string, E, R>): Stream.Stream<Uint8Array, E | LinesError, R> =>
    transduce(() => makeWriter(options), valuesOrFail(linesError))(self)

/**
 * Options of the format.
 *
 * @since 0.1.0
 * @category models
 */
export type { Options } from "./Format.js"

/**
 * Text of which each line is a unit: `.txt`.
 *
 * The key is the number of the line. Blank lines are no units, and whitespace around a line stays. Lines end with LF, CRLF or CR, and the
 * bytes are UTF-8 with or without a byte order mark. A line break in a translation becomes a blank. It streams: only the line that is
 * not finished is in memory, of at most 16 Mi characters.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Format.Options) => Format.Format = linesFormat.make({
  name: "lines",
  extensions: [".txt"],
  makeParts: makeLineReader,
  ends: lineEnds.lines
})

/**
 * Text by lines, with the default options.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()
