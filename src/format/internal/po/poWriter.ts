import { applyEdits, type Edit } from "../edits.js"
import type { PoEntry } from "./poParser.js"

/** Of a line with its quotes, as `msgmerge` does it. */
const pageWidth = 79

const named: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v"
}

const escape = (text: string): string =>
  text.replace(
    /["\\\u0001-\u001f\u007f]/g,
    (unit) => named[unit] ?? `\\${unit.charCodeAt(0).toString(8).padStart(3, "0")}`
  )

/** Characters that take two columns, and between which lines break. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

const narrow = /^[\u0020-\u1099]*$/

const columns = (text: string): number => {
  if (narrow.test(text)) return text.length
  let count = 0
  for (const character of text) count += wide.test(character) ? 2 : 1
  return count
}

/** The places where lines may break: behind spaces, hyphens, and slashes, and between characters of Chinese and Japanese. */
const breaks =
  /[^ ]*?(?:[\p{L}\p{N}][-/]+(?=\p{L})|[\u3001-\ua4cf\uac00-\ud7a3\uff00-\uff60](?=[\u3005-\u3007\u3041-\ua4cf\uac00-\ud7a3]))|[^ ]* +|[^ ]+$/gu

/** A line of the text, cut where it is too long. */
const wrap = (line: string): ReadonlyArray<string> => {
  if (columns(line) + 2 <= pageWidth) return [line]
  const wrapped: Array<string> = []
  let current = ""
  let width = 0
  for (const word of line.match(breaks) ?? [line]) {
    const size = columns(word)
    if (current !== "" && width + size + 2 > pageWidth) {
      wrapped.push(current)
      current = ""
      width = 0
    }
    current += word
    width += size
  }
  return current === "" ? wrapped : [...wrapped, current]
}

/** A keyword and its string, in one line or in several behind an empty one. */
const writeString = (keyword: string, text: string, newline: string): string => {
  const lines = text
    .split("\n")
    .map((line, index, all) => escape(line) + (index < all.length - 1 ? "\\n" : ""))
  if (lines.length > 1 && lines.at(-1) === "") lines.pop()
  const first = lines[0]!
  if (lines.length === 1 && keyword.length + 1 + columns(first) + 2 <= pageWidth)
    return `${keyword} "${first}"`
  return [`${keyword} ""`, ...lines.flatMap(wrap).map((line) => `"${line}"`)].join(newline)
}

/** A translation of an entry with its keyword. */
export const writeTranslation = ({ plural }: PoEntry, index: number, text: string, newline: string): string =>
  writeString(plural === undefined ? "msgstr" : `msgstr[${index}]`, text, newline)

/** Edits that set or remove the mark `fuzzy`. Without it, the text that a translation was made for goes, too. */
const flagEdits = (
  { bodyStart, flagLines, flags, previousLines }: PoEntry,
  isFuzzy: boolean,
  newline: string
): ReadonlyArray<Edit> => {
  const previous: ReadonlyArray<Edit> = isFuzzy ? [] : previousLines.map((lines) => ({ ...lines, text: "" }))
  if (flags.includes("fuzzy") === isFuzzy) return previous
  const others = flags.filter((flag) => flag !== "fuzzy" && flag !== "")
  const all = isFuzzy ? ["fuzzy", ...others] : others
  const line = all.length === 0 ? "" : `#, ${all.join(", ")}${newline}`
  const [first, ...rest] = flagLines
  const start = previousLines[0]?.start ?? bodyStart
  return [
    ...previous,
    first === undefined ? { start, end: start, text: line } : { ...first, text: line },
    ...rest.map((lines) => ({ ...lines, text: "" }))
  ]
}

/** The entry with other translations, as they are written, and the mark `fuzzy` or not. */
export const withTranslations = (
  text: string,
  entry: PoEntry,
  written: ReadonlyArray<string>,
  isFuzzy: boolean,
  newline: string
): string =>
  applyEdits(
    text,
    [
      ...flagEdits(entry, isFuzzy, newline),
      { start: entry.strings[0]!.start, end: entry.end, text: written.join(newline) }
    ],
    entry
  )
