import * as Either from "effect/Either"
import type { Problem } from "../../Format.js"
import { positions } from "../parts.js"
import { characterOf } from "./cEscapes.js"
import type { KeyValue } from "./keyValues.js"

/**
 * An entry of an Apple `.strings` file. It ends behind the semicolon, and behind a comment on the same line. Its value has its quotes, and
 * is empty behind a key that is its own value.
 */
type StringsEntry = KeyValue

/** The comment that `genstrings` writes where there is none. */
const noComment = "No comment provided by engineer."

interface Token {
  readonly value: string
  readonly end: number
}

type Result<A> = Either.Either<A, { readonly at: number; readonly message: string }>

const failure = (at: number, message: string): Result<never> => Either.left({ at, message })

const whitespace = /[\s\uFEFF\u200e\u200f]*/y
const bare = /[\w.$/:-]+/y
const escapes = /\\(?:U([\dA-Fa-f]{1,4})|([0-7]{1,3})|(\r\n|[\s\S]))/y
const plain = { '"': /[^"\\]*/y, "'": /[^'\\]*/y }

const matchAt = (pattern: RegExp, text: string, position: number): RegExpExecArray | null => {
  pattern.lastIndex = position
  return pattern.exec(text)
}

const quoted = (text: string, start: number, quote: '"' | "'"): Result<Token> => {
  let value = ""
  let at = start + 1
  while (true) {
    const piece = matchAt(plain[quote], text, at)![0]
    value += piece
    at += piece.length
    if (text[at] === quote) return Either.right({ value, end: at + 1 })
    const escape = matchAt(escapes, text, at)
    if (escape === null) return failure(start, "a string is not closed: add the closing quote.")
    const [all, hexadecimal, octal, other] = escape
    value += characterOf(hexadecimal, octal, other)
    at += all.length
  }
}

const string = (text: string, at: number): Result<Token> => {
  const first = text[at]
  if (first === '"' || first === "'") return quoted(text, at, first)
  const value = matchAt(bare, text, at)?.[0]
  return value !== undefined
    ? Either.right({ value, end: at + value.length })
    : first === "{" || first === "(" || first === "<"
      ? failure(at, "the file holds more than strings, as property lists do: keep keys and strings only.")
      : failure(at, "a string is expected: check quotes, = and ; in front of it.")
}

const noteOf = (comment: string): string =>
  comment.startsWith("//")
    ? comment.slice(2).trim()
    : comment
        .slice(2, -2)
        .split(/\r\n?|\n/)
        .map((line) => line.replace(/^\s*\*(?!\*)/, "").trim())
        .join("\n")
        .trim()

const lineEnd = /[^\r\n]*/y

/** Whitespace and comments. Notes of comments that a blank line separates from the entry do not count. */
const trivia = (text: string, position: number) => {
  let at = position
  let notes: Array<string> = []
  let start: number | undefined
  while (true) {
    const space = matchAt(whitespace, text, at)![0]
    at += space.length
    if (space.split(/\r\n?|\n/).length > 2) {
      notes = []
      start = undefined
    }
    const isLine = text.startsWith("//", at)
    if (!isLine && !text.startsWith("/*", at)) return Either.right({ at, notes, start: start ?? at })
    const close = isLine ? at + matchAt(lineEnd, text, at)![0].length : text.indexOf("*/", at + 2) + 2
    if (close === 1) return failure(at, "a comment is not closed: add */.")
    start ??= at
    const note = noteOf(text.slice(at, close))
    if (note !== noComment) notes.push(note)
    at = close
  }
}

const restOfLine = /[ \t]*(?:\/\/[^\r\n]*|\/\*(?:[^*\r\n]|\*(?!\/))*\*\/[ \t]*(?=[\r\n]|$))/y

const entry = (text: string, position: number): Result<Omit<StringsEntry, "start" | "line" | "comments">> =>
  Either.gen(function* () {
    const key = yield* string(text, position)
    const afterKey = yield* trivia(text, key.end)
    if (text[afterKey.at] === ";") {
      const valueStart = key.end
      return { key: key.value, valueStart, valueEnd: valueStart, text: key.value, end: afterKey.at + 1 }
    }
    if (text[afterKey.at] !== "=")
      return yield* failure(afterKey.at, "= is missing between a key and its string: add it.")
    const { at } = yield* trivia(text, afterKey.at + 1)
    const value = yield* string(text, at)
    const afterValue = yield* trivia(text, value.end)
    if (text[afterValue.at] !== ";") return yield* failure(value.end, "; is missing behind a string: add it.")
    const end = afterValue.at + 1
    return { key: key.value, valueStart: at, valueEnd: value.end, text: value.value, end }
  })

const otherKind = (text: string): string | undefined =>
  text.startsWith("bplist")
    ? "the file is a binary property list: convert it with plutil -convert xml1, and then to strings."
    : /^\uFEFF?\s*<(?:\?xml|!DOCTYPE|plist)/.test(text)
      ? 'the file is an XML property list: write it as lines of "key" = "value";.'
      : text.slice(0, 200).includes("\0")
        ? "the file is UTF-16 without a byte order mark: save it with one, or as UTF-8."
        : undefined

/** The entries of a `.strings` file, in their order. */
export const parseStrings = (text: string): Either.Either<ReadonlyArray<StringsEntry>, Problem> => {
  const kind = otherKind(text)
  if (kind !== undefined) return Either.left({ line: 1, message: kind })
  const positionOf = positions(text)
  const entries: Array<StringsEntry> = []
  const lines = new Map<string, number>()
  let at = 0
  while (true) {
    const before = trivia(text, at)
    if (Either.isLeft(before))
      return Either.left({ ...positionOf(before.left.at), message: before.left.message })
    const { notes, start } = before.right
    const begin = before.right.at
    if (begin === text.length) return Either.right(entries)
    const read = entry(text, begin)
    if (Either.isLeft(read)) return Either.left({ ...positionOf(read.left.at), message: read.left.message })
    const { key } = read.right
    const { column, line } = positionOf(begin)
    const first = lines.get(key)
    if (first !== undefined) {
      return Either.left({
        line,
        column,
        key,
        message: `the key is in line ${first} already: remove one of them.`
      })
    }
    lines.set(key, line)
    const end = read.right.end + (matchAt(restOfLine, text, read.right.end)?.[0].length ?? 0)
    entries.push({ ...read.right, start, end, line, comments: notes })
    at = end
  }
}
