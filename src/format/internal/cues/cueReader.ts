import type { Problem } from "../../Format.js"
import type { Batch, TextReader } from "../transducer.js"

/** A cue as it stands in the file: `head`, `body` and `tail`, one behind the other. */
export interface Cue {
  /** The lines in front of its text: blank lines, comments, the number or id, the times. */
  readonly head: string
  readonly body: string
  /** The end of its last line. */
  readonly tail: string
  /** True if only blank lines are between it and the cue before. */
  readonly isAdjacent: boolean
  readonly id: string | undefined
  /** The start as it is written. */
  readonly startText: string
  /** Milliseconds. */
  readonly start: number
  /** Milliseconds. */
  readonly end: number
  readonly settings: string
  /** The line where its text begins. */
  readonly line: number
  readonly newline: string
}

/** Cues, and text that belongs to none. */
export type Item = Cue | string

export type Kind = "srt" | "vtt"

const maxLine = 1024 * 1024
const maxLength = 64 * 1024
const maxHead = 64 * 1024

const time = "(?:(\\d+):)?(\\d{1,2}):(\\d{1,2})[.,](\\d{1,3})"
const timeLine = new RegExp(`^[ \\t]*(${time})[ \\t]*-->[ \\t]*${time}(?:[ \\t]+(.*))?$`)

/** True for a line that ends a cue or a block. In WebVTT a line of whitespace is text. */
const isEnd = (kind: Kind, line: string): boolean => (kind === "vtt" ? line : line.trim()) === ""

/** True for a line of text that would be read as the times of a cue. */
export const isTimeLine = (kind: Kind, line: string): boolean =>
  kind === "vtt" ? line.includes("-->") : timeLine.test(line)

const milliseconds = (parts: ReadonlyArray<string | undefined>): number => {
  const [hours = "0", minutes, seconds, fraction] = parts
  return (
    ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction!.padEnd(3, "0"))
  )
}

const header = /^WEBVTT(?:[ \t]|$)/
const blocks = /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/
const examples = { srt: "00:00:01,000 --> 00:00:02,500", vtt: "00:01.000 --> 00:02.500" }

/** Ends of lines; a CR at the end may be half of a CRLF that has not arrived yet. */
const newlines = /\r\n|\n|\r(?!$)/g

interface Reader {
  readonly kind: Kind
  items: Array<Item>
  problem: Problem | undefined
  state: "start" | "between" | "block" | "named" | "text"
  /** The beginning of a line that has not ended. */
  rest: string
  /** The number of lines that have begun. */
  line: number
  head: string
  isAdjacent: boolean
  id: string | undefined
  cue: Omit<Cue, "body" | "tail"> | undefined
  body: string
  tail: string
}

const report = (reader: Reader, message: string, line = reader.line): void => {
  reader.problem ??= { line, message }
}

const finishCue = (reader: Reader): void => {
  const { body, cue, tail } = reader
  if (cue !== undefined) reader.items.push({ ...cue, body, tail })
  Object.assign(reader, { cue: undefined, body: "", tail: "", head: "", isAdjacent: true, state: "between" })
}

const onTimes = (reader: Reader, content: string, newline: string): void => {
  const { head, id, isAdjacent, kind, line } = reader
  const found = timeLine.exec(content)
  if (found === null) {
    report(reader, `the times of a cue are wrong: write them as \`${examples[kind]}\`.`)
    return
  }
  reader.cue = {
    head: head + content + newline,
    isAdjacent,
    id,
    startText: found[1]!,
    start: milliseconds(found.slice(2, 6)),
    end: milliseconds(found.slice(6, 10)),
    settings: found[10]?.trim() ?? "",
    line: line + 1,
    newline: newline === "" ? "\n" : newline
  }
  reader.id = undefined
  reader.state = "text"
}

const addHead = (reader: Reader, raw: string): void => {
  reader.head += raw
  if (reader.state !== "named" && reader.head.length > maxHead) {
    reader.items.push(reader.head)
    reader.head = ""
  }
}

const onBetween = (reader: Reader, content: string, newline: string): void => {
  const { kind } = reader
  if (content.includes("-->")) {
    onTimes(reader, content, newline)
    return
  }
  if (kind === "vtt" && blocks.test(content)) {
    reader.state = "block"
    reader.isAdjacent = false
  } else if (content.trim() !== "") {
    if (kind === "srt" && !/^\s*\d+\s*$/.test(content)) {
      report(
        reader,
        "there is text outside of a cue: remove the blank line above it, or give it a number and times."
      )
    }
    reader.state = "named"
    reader.id = content.trim()
  }
  addHead(reader, content + newline)
}

const onNamed = (reader: Reader, content: string, newline: string): void => {
  if (content.includes("-->")) onTimes(reader, content, newline)
  else {
    report(
      reader,
      `there are no times below the name of a cue: write them as \`${examples[reader.kind]}\`, or remove the blank line above, if this is text.`
    )
  }
}

const onText = (reader: Reader, content: string, newline: string): void => {
  if (isEnd(reader.kind, content)) {
    finishCue(reader)
    onBetween(reader, content, newline)
  } else if (!isTimeLine(reader.kind, content)) {
    reader.body += reader.tail + content
    reader.tail = newline
    if (reader.body.length > maxLength) {
      report(reader, `the text of a cue is longer than ${maxLength} characters: split it.`)
    }
  } else if (reader.kind === "srt") {
    report(reader, "a cue begins here without a blank line before it: add one.")
  } else {
    finishCue(reader)
    onTimes(reader, content, newline)
  }
}

const onBlock = (reader: Reader, content: string, newline: string): void => {
  if (timeLine.test(content)) {
    onTimes(reader, content, newline)
    return
  }
  if (isEnd(reader.kind, content)) reader.state = "between"
  addHead(reader, content + newline)
}

const onStart = (reader: Reader, content: string, newline: string): void => {
  const text = content.replace(/^\uFEFF/, "")
  reader.head = content.slice(0, content.length - text.length)
  if (reader.kind === "srt") {
    reader.state = "between"
    onBetween(reader, text, newline)
  } else if (header.test(text)) {
    reader.state = "block"
    reader.head += text + newline
  } else report(reader, "the file does not begin with `WEBVTT`: add it, and a blank line below it.")
}

const handlers = { start: onStart, between: onBetween, block: onBlock, named: onNamed, text: onText }

const onLine = (reader: Reader, content: string, newline: string): void => {
  reader.line++
  handlers[reader.state](reader, content, newline)
}

const readLines = (reader: Reader): void => {
  const text = reader.rest
  let at = 0
  for (const { 0: newline, index } of text.matchAll(newlines)) {
    onLine(reader, text.slice(at, index), newline)
    at = index + newline.length
    if (reader.problem !== undefined) return
  }
  reader.rest = text.slice(at)
}

const onEnd = (reader: Reader): void => {
  readLines(reader)
  if (reader.problem === undefined && reader.rest !== "") {
    const newline = reader.rest.endsWith("\r") ? "\r" : ""
    onLine(reader, reader.rest.slice(0, reader.rest.length - newline.length), newline)
  }
  if (reader.state === "start" && reader.kind === "vtt") {
    report(reader, "the file is empty: begin it with `WEBVTT`.", 1)
  }
  if (reader.state === "named") {
    report(reader, "the file ends below the name of a cue: it is cut, or has no times.")
  }
  if (reader.problem !== undefined) return
  if (reader.state === "text") finishCue(reader)
  if (reader.head !== "") reader.items.push(reader.head)
}

/** Reads cues from text that arrives in pieces. */
export const makeCueReader = (kind: Kind): TextReader<Batch<Item, Problem>> => {
  const reader: Reader = {
    kind,
    items: [],
    problem: undefined,
    state: "start",
    rest: "",
    line: 0,
    head: "",
    isAdjacent: false,
    id: undefined,
    cue: undefined,
    body: "",
    tail: ""
  }
  return {
    onText: (piece) => {
      const hasLine = /[\r\n]/.test(piece) || reader.rest.endsWith("\r")
      reader.rest += piece
      if (hasLine) readLines(reader)
      if (reader.rest.length > maxLine) {
        const message = `it is longer than ${maxLine} characters: this is no subtitle file.`
        report(reader, message, reader.line + 1)
      }
    },
    onMalformed: () =>
      report(reader, "there are bytes that are not UTF-8: save the file as UTF-8.", reader.line + 1),
    onEnd: () => onEnd(reader),
    hasProblem: () => reader.problem !== undefined,
    flush: () => {
      const values = reader.items
      reader.items = []
      return { values, problem: reader.problem }
    }
  }
}
