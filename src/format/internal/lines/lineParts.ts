import * as Either from "effect/Either"
import { isBlank } from "../../../internal/texts.js"
import { makeDecoder } from "../../../internal/utf8.js"
import type { Part, Problem } from "../../Format.js"
import { type Batch, fromBytes, maxLength, type TextReader, type Transducer } from "../transducer.js"

const lineBreaks = /\r\n?|\n/g

const toPart = (raw: string, text: string, line: number, write: (translation: string) => string): Part => ({
  raw,
  units: [{ key: `${line}`, text, line, state: "missing" }],
  write: ([translation]) =>
    Either.right(translation === undefined ? raw : write(translation.replace(lineBreaks, " ")))
})

/** The part of a line with its break. The text between its whitespace is a unit. */
const linePart = (raw: string, line: number): Part => {
  const text = raw.trim()
  if (text === "") return { raw, units: [] }
  const start = raw.length - raw.trimStart().length
  return toPart(raw, text, line, (translation) =>
    [raw.slice(0, start), translation, raw.slice(start + text.length)].join("")
  )
}

const characters = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Fills lines with the words of a text. A word that is longer than a line has one of its own. */
const wrap = (
  text: string,
  options: { readonly first: string; readonly others: string; readonly width: number }
): string => {
  let written = options.first
  let used = characters(written)
  let isEmpty = true
  for (const [word] of text.matchAll(/[ \t]*[^ \t]+/g)) {
    const length = characters(word)
    if (isEmpty || used + length <= options.width) {
      written += word
      used += length
    } else {
      const next = options.others + word.trimStart()
      written += next
      used = characters(next.replace(lineBreaks, ""))
    }
    isEmpty = false
  }
  return written
}

/** The part of a paragraph, which is written on one line if it was, or else wrapped to its longest line. */
const paragraphPart = (lines: ReadonlyArray<string>, line: number): Part => {
  if (lines.length === 1) return linePart(lines[0]!, line)
  const raw = lines.join("")
  const texts = lines.map((each) => each.trim())
  const indents = lines.map((each) => each.slice(0, each.length - each.trimStart().length))
  const newline = lines[0]!.slice(lines[0]!.trimEnd().length).replace(/[^\r\n]/g, "")
  const width = lines.reduce((most, each) => Math.max(most, characters(each.trimEnd())), 0)
  const rest = raw.slice(raw.trimEnd().length)
  return toPart(
    raw,
    texts.join(" "),
    line,
    (translation) => wrap(translation, { first: indents[0]!, others: newline + indents[1]!, width }) + rest
  )
}

interface Sink {
  /** The part that is complete with a line, which comes with its break. */
  readonly push: (raw: string, line: number) => void
  readonly end: () => void
  /** The size of the held text, in UTF-16 units. */
  readonly held: () => number
}

const lineSink = (emit: (part: Part) => void): Sink => ({
  push: (raw, line) => emit(linePart(raw, line)),
  end: () => undefined,
  held: () => 0
})

const paragraphSink = (emit: (part: Part) => void): Sink => {
  let lines: Array<string> = []
  let begin = 0
  let length = 0
  const end = () => {
    if (lines.length > 0) emit(paragraphPart(lines, begin))
    lines = []
    length = 0
  }
  return {
    push: (raw, line) => {
      if (isBlank(raw)) {
        end()
        emit({ raw, units: [] })
        return
      }
      if (lines.length === 0) begin = line
      lines.push(raw)
      length += raw.length
    },
    end,
    held: () => length
  }
}

const makeReader = (
  makeSink: (emit: (part: Part) => void) => Sink
): Transducer<Uint8Array, Batch<Part, Problem>> => {
  let parts: Array<Part> = []
  let problem: Problem | undefined
  let rest = ""
  let line = 1
  /** True if the last character is a CR, which may be the first half of a break. Asked of `rest`, that would copy it for each piece. */
  let isOpen = false
  const sink = makeSink((part) => parts.push(part))

  const onText = (piece: string) => {
    const wasOpen = isOpen
    isOpen = piece.endsWith("\r")
    rest += piece
    if (wasOpen || /[\r\n]/.test(piece)) {
      let start = 0
      for (const { index, 0: newline } of rest.matchAll(lineBreaks)) {
        const end = index + newline.length
        if (newline === "\r" && end === rest.length) break
        sink.push(rest.slice(start, end), line++)
        start = end
      }
      rest = rest.slice(start)
    }
    if (rest.length + sink.held() > maxLength) {
      problem = {
        line,
        message: `a text of more than ${maxLength} characters does not fit in memory: split it.`
      }
    }
  }

  const reader: TextReader<Batch<Part, Problem>> = {
    onText,
    onMalformed: () => {
      problem = {
        line,
        column: rest.length + 1,
        message: "there are bytes that are not UTF-8: save the file as UTF-8."
      }
    },
    onEnd: () => {
      if (rest !== "") sink.push(rest, line)
      sink.end()
    },
    hasProblem: () => problem !== undefined,
    flush: () => {
      const values = parts
      parts = []
      return { values, problem }
    }
  }
  return fromBytes(reader, makeDecoder({ keepsMark: true }))
}

/** A part for each line. */
export const makeLineReader = () => makeReader(lineSink)

/** A part for each paragraph, and for each blank line between them. */
export const makeParagraphReader = () => makeReader(paragraphSink)
