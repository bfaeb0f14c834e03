/**
 * Apple's `.strings` files.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Syntax from "../text/Syntax.js"
import * as Format from "./Format.js"
import * as charset from "./internal/charset.js"
import { merging, toSpans } from "./internal/keyValue/keyValues.js"
import { parseStrings } from "./internal/keyValue/stringsParser.js"
import { toParts } from "./internal/parts.js"

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

const writeValue = (style: Style) => (_: unknown, raw: string, translation: string) => {
  const quote = raw.startsWith("'") ? "'" : '"'
  const string = quote + escape(translation, style, quote, /[^\r]\n/.test(raw)) + quote
  return raw === "" ? ` = ${string}` : string
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
    parse: (text) =>
      Either.map(parseStrings(text), (entries) =>
        toParts(text, toSpans(text, entries, writeValue(styleOf(text))))
      ),
    merge: merging(parseStrings)
  })

/**
 * Apple's `.strings` files, with the default options.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()
