import * as Either from "effect/Either"
import type { Problem } from "../../Format.js"
import { characterOf } from "../keyValue/cEscapes.js"

export interface PoString {
  /** From its keyword. */
  readonly start: number
  /** In front of the newline behind its last line. */
  readonly end: number
  readonly text: string
}

/** A piece of lines, with the newline behind it. */
export interface PoLines {
  readonly start: number
  readonly end: number
}

/** A message of a PO file. */
export interface PoEntry {
  /** Unique in the file: the context, if there is one, and the id. */
  readonly key: string
  /** With the comments above it. */
  readonly start: number
  readonly end: number
  /** Where `msgctxt` or `msgid` is. */
  readonly bodyStart: number
  readonly line: number
  /** Comments for translators: `#.`, then `#`. */
  readonly comments: ReadonlyArray<string>
  readonly flags: ReadonlyArray<string>
  readonly flagLines: ReadonlyArray<PoLines>
  /** The id that a fuzzy translation was made for: `#|`. */
  readonly previousLines: ReadonlyArray<PoLines>
  readonly id: string
  readonly plural: string | undefined
  /** By their index; a message without plural has one. */
  readonly strings: ReadonlyArray<PoString>
}

interface Draft {
  start: number
  bodyStart: number | undefined
  line: number
  readonly extracted: Array<string>
  readonly notes: Array<string>
  readonly flags: Array<string>
  readonly flagLines: Array<PoLines>
  readonly previousLines: Array<PoLines>
  context: string | undefined
  id: string | undefined
  plural: string | undefined
  readonly strings: Array<PoString>
}

const makeDraft = (start: number): Draft => ({
  start,
  bodyStart: undefined,
  line: 0,
  extracted: [],
  notes: [],
  flags: [],
  flagLines: [],
  previousLines: [],
  context: undefined,
  id: undefined,
  plural: undefined,
  strings: []
})

const unescape = (raw: string): string =>
  raw.includes("\\")
    ? raw.replace(/\\(?:x([\dA-Fa-f]{1,2})|([0-7]{1,3})|([\s\S]))/g, (_, hexadecimal, octal, other) =>
        characterOf(hexadecimal, octal, other)
      )
    : raw

const keyword = /^\s*(msgctxt|msgid_plural|msgid|msgstr(?:\[(\d{1,3})\])?)(?=[\s"])/
const piece = /\s*"([^"\\]*(?:\\.[^"\\]*)*)"\s*/y

/** The strings of a line from a column on, joined; or the column where they are malformed. */
const readPieces = (line: string, from: number): Either.Either<string, number> => {
  let text = ""
  piece.lastIndex = from
  do {
    const start = piece.lastIndex
    const found = piece.exec(line)
    if (found === null) return Either.left(start)
    text += unescape(found[1]!)
  } while (piece.lastIndex < line.length)
  return Either.right(text)
}

class Scanner {
  readonly entries: Array<PoEntry> = []
  private readonly lines = new Map<string, number>()
  private draft: Draft | undefined
  /** Adds to the string that was begun last. */
  private append: ((text: string, end: number) => void) | undefined

  finish(number: number): Problem | undefined {
    const draft = this.draft
    this.draft = undefined
    this.append = undefined
    if (draft?.bodyStart === undefined) return undefined
    const { bodyStart, context, extracted, id, notes, strings, ...rest } = draft
    if (id === undefined) return { line: draft.line, message: "msgid is missing: add it." }
    const last = strings.at(-1)
    if (last === undefined) {
      return {
        line: Math.min(draft.line, number),
        message: "msgstr is missing: add it, empty if there is no translation."
      }
    }
    const key = context === undefined ? id : `${context}\u0004${id}`
    const line = this.lines.get(key)
    if (line !== undefined) {
      return {
        line: draft.line,
        key,
        message: `the message is in line ${line} already: remove one of them, or join them with msguniq.`
      }
    }
    this.lines.set(key, draft.line)
    this.entries.push({
      ...rest,
      key,
      bodyStart,
      id,
      strings,
      end: last.end,
      comments: [...extracted, ...notes]
    })
    return undefined
  }

  /** Blank lines may be between the lines of a message as well. */
  blank(number: number): Problem | undefined {
    return (this.draft?.strings.length ?? 0) > 0 ? this.finish(number) : undefined
  }

  comment(line: string, number: number, start: number, end: number): Problem | undefined {
    const problem = this.draft?.bodyStart === undefined ? undefined : this.finish(number)
    const mark = line[1]
    if (mark === "~") {
      this.draft = undefined
      return problem
    }
    this.draft ??= makeDraft(start)
    const rest = line.slice(mark === undefined || /\s/.test(mark) ? 1 : 2).trim()
    if (mark === ",") {
      this.draft.flags.push(...rest.split(",").map((flag) => flag.trim()))
      this.draft.flagLines.push({ start, end })
    } else if (mark === "|") this.draft.previousLines.push({ start, end })
    else if (mark === ".") this.draft.extracted.push(rest)
    else if (mark !== ":") this.draft.notes.push(line.slice(1).trim())
    return problem
  }

  begin(name: string, index: number, number: number, start: number): Problem | undefined {
    const isNew =
      name === "msgctxt"
        ? (this.draft?.context ?? this.draft?.id)
        : name === "msgid"
          ? this.draft?.id
          : undefined
    const problem = isNew === undefined ? undefined : this.finish(number)
    this.draft ??= makeDraft(start)
    const draft = this.draft
    if (draft.bodyStart === undefined) {
      draft.bodyStart = start
      draft.line = number
    }
    if (name === "msgctxt") {
      draft.context = ""
      this.append = (text) => {
        draft.context += text
      }
    } else if (name === "msgid") {
      draft.id = ""
      draft.line = number
      this.append = (text) => {
        draft.id += text
      }
    } else if (draft.id === undefined)
      return { line: number, message: "msgid is missing in front of it: add it." }
    else if (name === "msgid_plural") {
      if (draft.plural !== undefined || draft.strings.length > 0) {
        return { line: number, message: "msgid_plural is not directly behind msgid: move it." }
      }
      draft.plural = ""
      this.append = (text) => {
        draft.plural += text
      }
    } else {
      if (index !== draft.strings.length) {
        return {
          line: number,
          message: `msgstr[${draft.strings.length}] is expected: number the forms from 0.`
        }
      }
      this.append = (text, end) => {
        const before = draft.strings[index]
        draft.strings[index] = { start: before?.start ?? start, end, text: (before?.text ?? "") + text }
      }
    }
    return problem
  }

  body(line: string, number: number, start: number, end: number): Problem | undefined {
    const [all = "", name, index] = keyword.exec(line) ?? []
    if (name !== undefined) {
      if ((index !== undefined) !== (this.draft?.plural !== undefined) && name.startsWith("msgstr")) {
        return {
          line: number,
          message: "msgstr[0] belongs to msgid_plural, and msgstr to msgid alone: change one of them."
        }
      }
      const isString = name.startsWith("msgstr")
      const problem = this.begin(isString ? "msgstr" : name, Number(index ?? 0), number, start)
      if (problem !== undefined) return problem
    } else if (this.append === undefined || !/^\s*"/.test(line)) {
      return {
        line: number,
        column: 1,
        message: "the line is neither a comment nor a string: put quotes around strings."
      }
    }
    const text = readPieces(line, all.length)
    if (Either.isLeft(text)) {
      const message =
        'a string is not closed or malformed: write " in front of it and behind it, and \\" inside.'
      return { line: number, column: text.left + 1, message }
    }
    this.append!(text.right, end)
    return undefined
  }
}

/** The messages of a PO file in their order, the header included, without obsolete ones. */
export const parsePo = (text: string): Either.Either<ReadonlyArray<PoEntry>, Problem> => {
  const scanner = new Scanner()
  let number = 0
  let start = text.startsWith("\uFEFF") ? 1 : 0
  while (start < text.length) {
    number++
    const newline = text.indexOf("\n", start)
    const next = newline === -1 ? text.length : newline + 1
    const lineEnd = newline === -1 ? next : newline
    const end = text[lineEnd - 1] === "\r" && lineEnd > start ? lineEnd - 1 : lineEnd
    const line = text.slice(start, end)
    const first = line.trimStart()
    const problem =
      first === ""
        ? scanner.blank(number)
        : first.startsWith("#")
          ? scanner.comment(first, number, start, next)
          : scanner.body(line, number, start, end)
    if (problem !== undefined) return Either.left(problem)
    start = next
  }
  const problem = scanner.finish(number)
  return problem === undefined ? Either.right(scanner.entries) : Either.left(problem)
}
