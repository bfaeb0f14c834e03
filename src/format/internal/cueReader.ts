import type { Problem } from "../Format.js"
import type { Batch, TextReader } from "./transducer.js"

/** A cue as it stands in the file: `head`, `body` and `tail`, one behind the other. */
export interface Cue {
  /** What is in front of its text: blank lines, comments, the number or id, the times. */
  readonly head: string
  readonly body: string
  /** The end of its last line. */
  readonly tail: string
  /** Whether only blank lines are between it and the cue before. */
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

const maxLength = 1024 * 1024
const maxHead = 64 * 1024

const time = "(?:(\\d+):)?(\\d{1,2}):(\\d{1,2})[.,](\\d{1,3})"
const timeLine = new RegExp(`^[ \\t]*(${time})[ \\t]*-->[ \\t]*${time}(?:[ \\t]+(.*))?$`)

/** Whether a line of text would be read as the times of a cue. */
export const isTimeLine = (kind: Kind, line: string): boolean =>
  kind === "vtt" ? line.includes("-->") : timeLine.test(line)

const milliseconds = (parts: ReadonlyArray<string | undefined>): number => {
  const [hours = "0", minutes, seconds, fraction] = parts
  return (
    ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction!.padEnd(3, "0"))
  )
}

const headers = {
  srt: undefined,
  vtt: /^WEBVTT(?:[ \t]|$)/
}
const blocks = /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/
const examples = { srt: "00:00:01,000 --> 00:00:02,500", vtt: "00:01.000 --> 00:02.500" }

/** Lines with their ends; a CR may be half of a CRLF that has not arrived yet. */
const newlines = /\r\n|\n|\r(?!$)/g

/** Reads cues from text that arrives in pieces. */
export const makeCueReader = (kind: Kind): TextReader<Batch<Item, Problem>> => {
  let items: Array<Item> = []
  let problem: Problem | undefined
  let state: "start" | "between" | "block" | "named" | "text" = "start"
  let rest = ""
  let line = 0
  let head = ""
  let isAdjacent = false
  let id: string | undefined
  let cue: Omit<Cue, "body" | "tail"> | undefined
  let body = ""
  let tail = ""

  const report = (message: string, at = line) => {
    problem ??= { line: at, message }
  }

  const finish = () => {
    if (cue !== undefined) items.push({ ...cue, body, tail })
    cue = undefined
    body = ""
    tail = ""
    head = ""
    isAdjacent = true
    state = "between"
  }

  const onTimes = (content: string, newline: string) => {
    const found = timeLine.exec(content)
    if (found === null) {
      report(`the times of a cue are wrong: write them as \`${examples[kind]}\`.`)
      return
    }
    cue = {
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
    id = undefined
    state = "text"
  }

  const onBetween = (content: string, newline: string) => {
    const raw = content + newline
    if (content.includes("-->")) return onTimes(content, newline)
    if (content.trim() !== "") {
      if (kind === "vtt" && blocks.test(content)) {
        state = "block"
        isAdjacent = false
      } else if (kind === "vtt" || /^\s*\d+\s*$/.test(content)) {
        state = "named"
        id = content.trim()
      } else {
        report(
          "there is text outside of a cue: remove the blank line above it, or give it a number and times."
        )
        return
      }
    }
    head += raw
    if (state !== "named" && head.length > maxHead) {
      items.push(head)
      head = ""
    }
  }

  const onText = (content: string, newline: string) => {
    if (content.trim() === "") {
      finish()
      onBetween(content, newline)
    } else if (isTimeLine(kind, content)) {
      if (kind === "srt") report("a cue begins here without a blank line before it: add one.")
      else {
        finish()
        onTimes(content, newline)
      }
    } else {
      body += tail + content
      tail = newline
      if (body.length > maxLength)
        report(`the text of a cue is longer than ${maxLength} characters: split it.`)
    }
  }

  const onLine = (content: string, newline: string) => {
    line++
    if (state === "start") {
      const text = content.replace(/^\uFEFF/, "")
      const mark = content.slice(0, content.length - text.length)
      const header = headers[kind]
      head = mark
      if (header === undefined) {
        state = "between"
        onBetween(text, newline)
      } else if (header.test(text)) {
        state = "block"
        head += text + newline
      } else report("the file does not begin with `WEBVTT`: add it, and a blank line below it.")
    } else if (state === "named") {
      if (content.includes("-->")) onTimes(content, newline)
      else
        report(
          `there are no times below the name of a cue: write them as \`${examples[kind]}\`, or remove the blank line above, if this is text.`
        )
    } else if (state === "text") onText(content, newline)
    else if (state === "block") {
      if (content.trim() === "") state = "between"
      head += content + newline
    } else onBetween(content, newline)
  }

  const read = (text: string, isLast: boolean) => {
    let at = 0
    for (const { 0: newline, index } of text.matchAll(newlines)) {
      onLine(text.slice(at, index), newline)
      at = index + newline.length
      if (problem !== undefined) return
    }
    rest = text.slice(at)
    if (isLast && rest !== "") {
      const newline = rest.endsWith("\r") ? "\r" : ""
      onLine(newline === "" ? rest : rest.slice(0, -1), newline)
    }
  }

  return {
    onText: (piece) => {
      const hasLine = /[\r\n]/.test(piece) || rest.endsWith("\r")
      rest += piece
      if (hasLine) read(rest, false)
      if (rest.length > maxLength)
        report(`it is longer than ${maxLength} characters: this is no subtitle file.`, line + 1)
    },
    onMalformed: () => report("there are bytes that are not UTF-8: save the file as UTF-8.", line + 1),
    onEnd: () => {
      read(rest, true)
      if (state === "start") {
        if (kind === "vtt") report("the file is empty: begin it with `WEBVTT`.", 1)
      } else if (state === "named")
        report("the file ends below the name of a cue: it is cut, or has no times.")
      if (problem === undefined && state === "text") finish()
      if (problem === undefined && head !== "") items.push(head)
    },
    hasProblem: () => problem !== undefined,
    flush: () => {
      const values = items
      items = []
      return { values, problem }
    }
  }
}
