import * as ParseResult from "effect/ParseResult"
import type * as SchemaAST from "effect/SchemaAST"
import * as utf8 from "../../internal/utf8.js"
import * as Limits from "../Limits.js"

export interface Row {
  /** The line it begins on, from 1. */
  readonly line: number
  readonly fields: ReadonlyArray<string>
}

/** The rows of a text, without blank ones. Lines may end with LF, CRLF or CR. TSV of the service has no quotes. */
export const readTsv = (text: string): ReadonlyArray<Row> =>
  (text.startsWith("\uFEFF") ? text.slice(1) : text)
    .split(/\r\n?|\n/)
    .map((line, index) => ({ line: index + 1, fields: line.split("\t") }))
    .filter(({ fields }) => fields.length > 1 || fields[0] !== "")

/** The first 20 characters of a phrase: errors do not hold more. */
export const shorten = (phrase: string): string => {
  // Twenty characters are at most forty units.
  const characters = Array.from(phrase.slice(0, 42))
  return characters.length > 20 ? `${characters.slice(0, 19).join("")}…` : characters.join("")
}

export const quote = (phrase: string): string => JSON.stringify(shorten(phrase))

/** A byte order mark in front of a text that begins with one: readers take the first for the mark of the file. */
export const withMark = (text: string): string => (text.startsWith("\uFEFF") ? `\uFEFF${text}` : text)

const outerWhitespace = /^\p{White_Space}|\p{White_Space}$/u
const controlCharacter = /[\u0000-\u001F\u0080-\u009F\u2028\u2029]/

/** The rules for a source or a target, with the text that follows its name in an error. */
export const rules = [
  {
    rule: "Empty",
    breaks: (phrase: string) => /^\uFEFF*$/.test(phrase),
    says: () => "is empty: fill it in, or remove the entry"
  },
  {
    rule: "ControlCharacter",
    breaks: (phrase: string) => controlCharacter.test(phrase),
    says: (phrase: string) =>
      `${quote(phrase)} holds a control character, such as a tab, or a line break: replace it by a space`
  },
  {
    rule: "OuterWhitespace",
    breaks: (phrase: string) => outerWhitespace.test(phrase),
    says: (phrase: string) => `${quote(phrase)} begins or ends with whitespace: trim it`
  },
  {
    rule: "HalfCharacter",
    breaks: utf8.hasLoneSurrogate,
    says: (phrase: string) =>
      `${quote(phrase)} holds half of a surrogate pair, which UTF-8 cannot carry: repair it`
  },
  {
    rule: "PhraseTooLong",
    breaks: (_: string, bytes: number) => bytes > Limits.glossaryPhraseBytes,
    says: (phrase: string, bytes: number) =>
      `${quote(phrase)} takes ${bytes} bytes, ${Limits.glossaryPhraseBytes} are allowed: shorten it`
  }
] as const

interface Problem {
  readonly line?: number | undefined
  /** A sentence that begins in lower case. */
  readonly message: string
}

/** A problem as a line of its own. */
export const describe = ({ line, message }: Problem): string =>
  `${line === undefined ? "All lines" : `Line ${line}`}: ${message}`

/** The problem in the form of a violation, which follows the name of its field and has no full stop. */
const asRule = ({ line, message }: Problem): string =>
  `${line === undefined ? "all lines" : `line ${line}`}: ${message.replace(/\.$/, "")}`

/** Problems as violations of one field. */
export const issueOf = (
  ast: SchemaAST.AST,
  [first, ...rest]: readonly [Problem, ...ReadonlyArray<Problem>]
): ParseResult.ParseIssue => {
  const violation = (problem: Problem) => new ParseResult.Type(ast, undefined, asRule(problem))
  return new ParseResult.Composite(ast, undefined, [violation(first), ...rest.map(violation)])
}
