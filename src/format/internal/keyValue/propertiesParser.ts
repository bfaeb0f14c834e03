import * as Either from "effect/Either"
import type { Problem } from "../../Format.js"
import { positions } from "../parts.js"
import { makeUnique } from "../unitKeys.js"
import type { KeyValue } from "./keyValues.js"

/** An entry of a `.properties` file. Its key is unique: the second of a name is `name#2`. */
export interface PropertiesEntry extends KeyValue {
  /** True if `=` or `:` stands between key and value, not whitespace alone. */
  readonly hasSeparator: boolean
}

const isBlank = (character: string | undefined) =>
  character === " " || character === "\t" || character === "\f"
const isNewline = (character: string | undefined) => character === "\n" || character === "\r"

const afterNewline = (text: string, position: number): number =>
  text[position] === "\r" && text[position + 1] === "\n" ? position + 2 : position + 1

const skipWhitespace = (text: string, position: number): number => {
  let at = position
  while (isBlank(text[at])) at++
  return at
}

/** Behind continued lines: a backslash at the end of a line, and the whitespace in front of the next one. */
const skipContinuations = (text: string, position: number): number => {
  let at = position
  while (text[at] === "\\" && isNewline(text[at + 1])) at = skipWhitespace(text, afterNewline(text, at + 1))
  return at
}

const skipLogicalWhitespace = (text: string, position: number): number => {
  let at = skipContinuations(text, position)
  while (isBlank(text[at])) at = skipContinuations(text, at + 1)
  return at
}

const named: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", f: "\f" }

/** Unescaped text up to the end of the logical line, or to where it stops; `bad` is where an escape is malformed. */
const read = (text: string, position: number, isKey: boolean) => {
  let value = ""
  let at = skipContinuations(text, position)
  while (at < text.length && !isNewline(text[at])) {
    const character = text[at]!
    if (isKey && (isBlank(character) || character === "=" || character === ":")) break
    // A backslash at the end of the file means nothing, but would join the text that is put behind it.
    if (character === "\\" && at + 1 === text.length) break
    if (character !== "\\") {
      value += character
      at++
    } else if (text[at + 1] === "u") {
      const digits = text.slice(at + 2, at + 6)
      if (!/^[\dA-Fa-f]{4}$/.test(digits)) return { value, end: at, bad: at }
      value += String.fromCharCode(Number.parseInt(digits, 16))
      at += 6
    } else {
      const escaped = text[at + 1]!
      value += named[escaped] ?? escaped
      at += 2
    }
    at = skipContinuations(text, at)
  }
  return { value, end: at, bad: undefined }
}

const lineEnd = /[\r\n]/g

const endOfLine = (text: string, position: number): number => {
  lineEnd.lastIndex = position
  return lineEnd.exec(text)?.index ?? text.length
}

/** The entries of a `.properties` file, in their order. */
export const parseProperties = (text: string): Either.Either<ReadonlyArray<PropertiesEntry>, Problem> => {
  const positionOf = positions(text)
  const unique = makeUnique()
  const entries: Array<PropertiesEntry> = []
  let comments: Array<string> = []
  let start: number | undefined
  let at = text.startsWith("\uFEFF") ? 1 : 0
  while (at < text.length) {
    const begin = skipWhitespace(text, at)
    if (begin === text.length) break
    if (isNewline(text[begin])) {
      comments = []
      start = undefined
      at = afterNewline(text, begin)
      continue
    }
    start ??= begin
    if (text[begin] === "#" || text[begin] === "!") {
      const end = endOfLine(text, begin)
      comments.push(
        text
          .slice(begin, end)
          .replace(/^[#!]+/, "")
          .trim()
      )
      at = end === text.length ? end : afterNewline(text, end)
      continue
    }
    const key = read(text, begin, true)
    const separator = skipLogicalWhitespace(text, key.end)
    const hasSeparator = text[separator] === "=" || text[separator] === ":"
    const valueStart = hasSeparator ? skipLogicalWhitespace(text, separator + 1) : separator
    const value = read(text, valueStart, false)
    const bad = key.bad ?? value.bad
    if (bad !== undefined) {
      const message =
        "\\u is not followed by four hexadecimal digits: complete it, or write \\\\u for the letters."
      return Either.left({ ...positionOf(bad), message })
    }
    entries.push({
      key: unique(key.value),
      start,
      end: value.end,
      line: positionOf(begin).line,
      valueStart: Math.min(valueStart, value.end),
      valueEnd: value.end,
      text: value.value,
      hasSeparator,
      comments
    })
    comments = []
    start = undefined
    at = value.end === text.length ? value.end : afterNewline(text, value.end)
  }
  return Either.right(entries)
}
