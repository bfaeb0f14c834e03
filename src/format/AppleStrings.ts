/**
 * Apple's `.strings` files.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import { isBlank } from "../internal/texts.js"
import * as Syntax from "../text/Syntax.js"
import * as Format from "./Format.js"
import * as charset from "./internal/charset.js"
import { parseStrings, type StringsEntry } from "./internal/keyValue/stringsParser.js"
import { mergeEntries } from "./internal/mergeEntries.js"
import { single, toParts } from "./internal/parts.js"

/** The file's way of writing strings. */
interface Style {
  /** `\U00e9` instead of the character. */
  readonly escapesNonAscii: boolean
}

const styleOf = (text: string): Style => ({
  escapesNonAscii: !/[^\u0000-\u007f\uFEFF]/.test(text) && /\\U[\dA-Fa-f]{4}/.test(text)
})

const named: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t"
}

const escape = (text: string, { escapesNonAscii }: Style, quote: string, keepsNewlines: boolean): string =>
  text.replace(escapesNonAscii ? /["'\\]|[^ -~]/g : /["'\\\u0000-\u001f\u007f\uFEFF]/g, (unit) =>
    unit === '"' || unit === "'"
      ? unit === quote
        ? `\\${unit}`
        : unit
      : unit === "\n" && keepsNewlines
        ? unit
        : (named[unit] ?? `\\U${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
  )

const writeValue = (entry: StringsEntry, raw: string, style: Style) => (translation: string) => {
  if (translation === entry.text) return Either.right(raw)
  const quote = raw.startsWith("'") ? "'" : '"'
  const string = quote + escape(translation, style, quote, /[^\r]\n/.test(raw)) + quote
  return Either.right(raw === "" ? ` = ${string}` : string)
}

/** False for the comment that `genstrings` writes where there is none. */
const isNote = (comment: string) => comment !== "No comment provided by engineer."

const toSpans = (text: string, entries: ReadonlyArray<StringsEntry>) => {
  const style = styleOf(text)
  return entries
    .filter((entry) => entry.text.trim() !== "")
    .map((entry) =>
      single(text, {
        start: entry.valueStart,
        end: entry.valueEnd,
        unit: { key: entry.key, text: entry.text, line: entry.line, state: "missing" },
        context: entry.comments.filter(isNote).join("\n").trim() || undefined,
        write: writeValue(entry, text.slice(entry.valueStart, entry.valueEnd), style)
      })
    )
}

const decodeText = (bytes: Uint8Array): Either.Either<charset.Decoded, Format.Problem> =>
  // A binary property list is named as such, not as bytes that are not UTF-8.
  bytes[0] === 0x62 && bytes[1] === 0x70 && bytes[2] === 0x6c
    ? Either.orElse(charset.unicode(bytes), () => Either.right(charset.latin1(bytes)))
    : charset.unicode(bytes)

/**
 * Options of the format.
 *
 * @since 0.1.0
 * @category models
 */
export type { Options } from "./Format.js"

/**
 * Apple's `.strings` files: `"key" = "value";`.
 *
 * - Each value that is not blank is a unit. A key without a value is its own value.
 * - Comments directly above an entry are its context, but for `No comment provided by engineer.`
 * - The bytes are UTF-8, or UTF-16 with a byte order mark.
 * - A file that is cut, that holds other things than strings, a key twice, or is a property list in XML or binary, fails with a
 *   `FormatError`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Format.Options) => Format.Format = ({ extensions = [".strings"] } = {}) =>
  Format.wholeFile({
    name: "apple-strings",
    extensions,
    settings: {},
    place: "catalogue",
    placeholders: { kinds: ["printf", "c-format", ...Syntax.knownIn("catalogue")] },
    decodeText,
    parse: (text) => Either.map(parseStrings(text), (entries) => toParts(text, toSpans(text, entries))),
    merge: (source, target, { removed }) =>
      Either.map(Either.all([parseStrings(source), parseStrings(target)]), ([entries, existing]) =>
        mergeEntries({
          source: { text: source, entries },
          target: { text: target, entries: existing },
          newlines: 1,
          update: (own, entry) =>
            isBlank(own.text) && !isBlank(entry.text)
              ? target.slice(own.start, own.valueStart) +
                source.slice(entry.valueStart, entry.valueEnd) +
                target.slice(own.valueEnd, own.end)
              : undefined,
          remove: (entry) => (removed === "keep" ? target.slice(entry.start, entry.end) : undefined)
        })
      )
  })

/**
 * Apple's `.strings` files, with the default options.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()
