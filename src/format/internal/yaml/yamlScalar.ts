import { endWithoutBreaks } from "../edits.js"

/** A scalar, with its place and how it is written. */
export interface YamlScalar {
  readonly kind: "scalar"
  readonly start: number
  /** Behind the blank lines that follow a block scalar. */
  readonly end: number
  /** The text of a string; `undefined` for other scalars, such as numbers. */
  readonly text: string | undefined
  readonly isBlock: boolean
  readonly isInFlow: boolean
  /** The indentation that block scalars count from. */
  readonly indent: number
  /** It has an anchor or a tag. */
  readonly hasProperties: boolean
}

const words = /^(?:~|null|yes|no|true|false|on|off|<<|=|[-+]?\.inf|\.nan)?$/i
const number = /^[-+]?(?:0[xob])?[.\d][\dA-F_,.:]*(?:e[-+]?\d+)?$/i
const date = /^\d{4}-\d{1,2}-\d{1,2}(?:[T\s]|$)/i

/** True if a reader of YAML 1.1 or 1.2 may take a plain scalar for a number, a date, or another type than text. */
export const isAmbiguous = (text: string): boolean => words.test(text) || number.test(text) || date.test(text)

/** Characters that only double quotes can hold. A tab is escaped there, too, as people do not see it. */
const special = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/
const specialOfBlock = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/

const isPlain = (text: string, isInFlow: boolean): boolean =>
  !special.test(text) &&
  !/^[\s\-?:,[\]{}#&*!|>'"%@`]|^\.\.\.|:(?:\s|$)|\s#|\s$/.test(text) &&
  !(isInFlow && /[,[\]{}]/.test(text)) &&
  !/^[yn]$/i.test(text) &&
  !isAmbiguous(text)

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\t": "\\t",
  "\r": "\\r"
}

const double = (text: string): string =>
  `"${text.replace(/["\\\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, (unit) => {
    const code = unit.charCodeAt(0).toString(16).toUpperCase()
    return escapes[unit] ?? (code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u${code}`)
  })}"`

/** Where the last line that is not blank ends. */
export const contentEnd = (raw: string): number => {
  let last = raw.length
  while (last > 0 && /\s/.test(raw[last - 1]!)) last--
  const newline = raw.indexOf("\n", last)
  return newline === -1 ? raw.length : raw[newline - 1] === "\r" ? newline - 1 : newline
}

const header = /^([|>])(\d?)([-+]?)(\d?)([^\r\n]*)(\r?\n)/

/** A line in pieces up to a width, cut at single spaces. */
const fold = (line: string, width: number): ReadonlyArray<string> => {
  const folded: Array<string> = []
  let current: string | undefined
  for (const word of line.split(/(?<=[^ \t]) (?=[^ \t])/)) {
    if (current !== undefined && current.length + 1 + word.length <= width) current += ` ${word}`
    else {
      if (current !== undefined) folded.push(current)
      current = word
    }
  }
  return [...folded, current!]
}

/** Lines of a folded scalar: a line break needs an empty line, but for lines that begin with a blank. */
const foldLines = (lines: ReadonlyArray<string>, width: number): ReadonlyArray<string> => {
  const folded: Array<string> = []
  let last: string | undefined
  for (const line of lines) {
    if (line === "") {
      folded.push("")
      continue
    }
    if (last !== undefined && !/^[ \t]/.test(last) && !/^[ \t]/.test(line)) folded.push("")
    for (const piece of /^[ \t]/.test(line) ? [line] : fold(line, width)) folded.push(piece)
    last = line
  }
  return folded
}

const block = (
  { indent }: YamlScalar,
  raw: string,
  text: string,
  newline: string,
  canKeep: boolean
): string | undefined => {
  const [head, mode, digit, chomp, lateDigit, comment] = header.exec(raw) ?? []
  if (head === undefined) return undefined
  const lines = raw.slice(head.length).split(/\r?\n/)
  const filled = lines.filter((line) => line.trim() !== "")
  const explicit = Number(digit || lateDigit)
  const width = explicit > 0 ? indent + explicit : /^ */.exec(filled[0] ?? "")![0].length
  const body = text.slice(0, endWithoutBreaks(text))
  const breaks = text.length - body.length
  const first = /^\n*(.)/.exec(body)?.[1]
  const level = width - indent
  const needsDigit = first === " "
  if (
    width === 0 ||
    first === undefined ||
    first === "\t" ||
    (needsDigit && (level < 1 || level > 9)) ||
    (breaks > 1 && !canKeep) ||
    specialOfBlock.test(text) ||
    /^[ \t]+$/m.test(text)
  ) {
    return undefined
  }
  const keeps = breaks > 1 || (breaks === 1 && chomp === "+" && canKeep)
  const longest = filled.reduce((most, line) => Math.max(most, line.length - width), 40)
  const texts = body.split("\n")
  const written = (mode === ">" ? foldLines(texts, filled.length > 1 ? longest : Infinity) : texts).map(
    (line) => (line === "" ? "" : " ".repeat(width) + line)
  )
  const after = raw.slice(contentEnd(raw))
  const end = keeps
    ? newline.repeat(breaks)
    : chomp === "+" || after === ""
      ? breaks > 0
        ? newline
        : after
      : after
  const digits = explicit > 0 ? explicit : needsDigit ? level : ""
  return `${mode}${digits}${breaks === 0 ? "-" : keeps ? "+" : ""}${comment}${newline}${written.join(newline)}${end}`
}

/**
 * A text in the style of a scalar, or in double quotes if the style cannot hold it. `canKeep` is whether it may end with blank
 * lines that belong to the text.
 */
export const writeScalar = (
  scalar: YamlScalar,
  raw: string,
  text: string,
  newline: string,
  canKeep = true
): string => {
  if (text === scalar.text) return raw
  if (scalar.isBlock) {
    const written = block(scalar, raw, text, newline, canKeep)
    if (written !== undefined) return written
    const comment = header.exec(raw)?.[5] ?? ""
    return double(text) + comment + raw.slice(contentEnd(raw))
  }
  return raw.startsWith('"')
    ? double(text)
    : raw.startsWith("'")
      ? special.test(text)
        ? double(text)
        : `'${text.replaceAll("'", "''")}'`
      : isPlain(text, scalar.isInFlow)
        ? text
        : double(text)
}
