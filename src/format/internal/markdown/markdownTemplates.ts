/** Within a template tag: no backtick, so that code spans stay apart, and no blank line. */
const inside = "[^`\\r\\n]|(?:\\r\\n?|\\n)(?![ \\t>]*(?:[\\r\\n]|$))"

const values = `\\$?\\{\\{\\{?(?:(?!\\{\\{|\\}\\})(?:${inside})){1,1000}\\}\\}\\}?`
const statements = `\\{%(?:(?!\\{%|%\\})(?:${inside})){1,1000}%\\}`
const templates = new RegExp(`(?<!\\\\)(?:${values}|${statements})`, "g")

/** Attributes of headings and blocks: `{#id}`, `{.class}`, `{: key=value}`. */
const attributes = "\\{[#.:][^{}\\\\&\\r\\n]+\\}"

/** Math of one line, or between two dollars. Prices are none: they have whitespace, or no sign of TeX. */
const math = "\\$(?:\\$[^$]+\\$\\$|(?=[^$\\n]*[\\\\^_{=])[^\\s$](?:[^$\\n]*[^\\s$\\\\])?\\$(?!\\d))"

const expressions = "\\$\\{[^{}\\\\\\r\\n]+\\}(?![_^])"

const emoji = ":(?:[a-z\\d][a-z\\d_+-]*|[+-]1):(?![\\w:])"

/** Matches a piece of a text that is kept as a whole. */
export const kept = new RegExp(
  `(?<!\\\\)(?:${values}|${statements}|${expressions}|${math}|${attributes})|(?<![\\w:\\\\])${emoji}`,
  "g"
)

/** Patterns that are not translated in texts without inline marks: of images, titles and front matter. */
export const patterns: ReadonlyArray<RegExp> = [
  templates,
  new RegExp(`(?<!\\\\)${expressions}`, "g"),
  new RegExp(`(?<![\\w:\\\\])${emoji}`, "g")
]

/** Attributes at the end of a block, with the whitespace or the line break before them. */
const tail = new RegExp(`(?:(?:\\r\\n?|\\n)[ \\t>]*|(?<![ \\t])[ \\t]+|(?=\\\\?\\{#))\\\\?${attributes}$`)

/** Where a block ends before the attributes at its end. */
export const endBeforeAttributes = (raw: string): number => tail.exec(raw)?.index ?? raw.length

/** The markers of quotes and lists at the start of a line. */
const markers = "^(?:[ \\t]*(?:>|[-+*](?=[ \\t])|\\d{1,9}[.)](?=[ \\t])))*"

const fences = new RegExp(`(${markers}[ \\t]*):{3,}[^\\r\\n]*$`, "gm")

const alert = `(${markers}[ \\t]*>[ \\t]*)\\[![A-Za-z][\\w-]*\\][+-]?`
const alerts = new RegExp(`${alert}[ \\t]*$`, "gm")
const titledAlerts = new RegExp(`${alert}(?=[ \\t]+\\S)`, "gm")

/** Lines that hold only tags of templates that are no values, outside of tables. */
const statementLines = new RegExp(
  `(?<!\\|[ \\t]*(?:\\r\\n?|\\n))(${markers}[ \\t]*)(?:(?:\\{%(?:(?!%\\})[^\`\\r\\n])+%\\}|\\{\\{[%<](?:(?!\\}\\})[^\`\\r\\n])+\\}\\})[ \\t]*)+$(?!(?:\\r\\n?|\\n)[ \\t]*\\|)`,
  "gm"
)

const headingIds = /^([ \t]*#{1,6}[ \t][^\r\n]*(?<!\\)\{)#[^{}\r\n]+(?=\}[ \t]*$)/gm

/** A break between blocks, which ends a paragraph, too. */
const asBreak = (line: string, before: string): string => before + "_".repeat(line.length - before.length)

const asHeading = (line: string, before: string): string =>
  `${before}#${" ".repeat(line.length - before.length - 1)}`

const asWord = (text: string): string => text.replace(/[^\r\n]/g, "x")

const asExpression = (line: string, before: string): string => before + asWord(line.slice(before.length))

/** The text with a word in place of each template tag, of the same length. */
export const templatesAsWords = (text: string): string => text.replace(templates, asWord)

/**
 * The text for a parser that does not know alerts, containers and templates, with each character at its place: lines of their
 * own become breaks, the marker of an alert with a title that of a heading, and templates words.
 */
export const mask = (text: string, dialect: "md" | "mdx"): string => {
  const masked = text.replace(fences, asBreak).replace(alerts, asBreak).replace(titledAlerts, asHeading)
  return dialect === "mdx"
    ? masked.replace(headingIds, asExpression)
    : templatesAsWords(masked.replace(statementLines, asBreak))
}
