/**
 * Java `.properties` files.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Syntax from "../text/Syntax.js"
import type * as Format from "./Format.js"
import * as charset from "./internal/charset.js"
import * as icuMessages from "./internal/icuMessages.js"
import { merging, toSpans } from "./internal/keyValue/keyValues.js"
import { type PropertiesEntry, parseProperties } from "./internal/keyValue/propertiesParser.js"
import { toParts } from "./internal/parts.js"

/**
 * Options for writing properties.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Format.Options {
  /**
   * Writes characters that are not ASCII as `\uXXXX`, which Java reads before version 9, too.
   *
   * @default as the file does: if all of it is ASCII and it holds such escapes
   */
  readonly escapeNonAscii?: boolean | undefined
}

/** The file's way of writing values. */
interface Style {
  /** The last character that is not escaped. */
  readonly last: number
  /** `\:` and `\=`, as `Properties.store` writes. */
  readonly escapesSeparators: boolean
  /** Apostrophes are doubled where there are arguments. */
  readonly isMessageFormat: boolean
}

const argument = /\{\d+[^{}]*\}/

const hasLoneApostrophe = (text: string): boolean => text.replaceAll("''", "").includes("'")

const styleOf = (
  text: string,
  entries: ReadonlyArray<PropertiesEntry>,
  encoding: charset.Encoding,
  escapeNonAscii: boolean | undefined
): Style => {
  const isEscaped = escapeNonAscii ?? (!/[^\u0000-\u007f]/.test(text) && /\\u[\dA-Fa-f]{4}/.test(text))
  return {
    last: isEscaped ? 0x7e : encoding === "latin1" ? 0xff : 0xffff,
    escapesSeparators: entries.some(({ end, valueStart }) => /\\[:=#!]/.test(text.slice(valueStart, end))),
    isMessageFormat: !entries.some((entry) => argument.test(entry.text) && hasLoneApostrophe(entry.text))
  }
}

const named: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\n": "\\n",
  "\t": "\\t",
  "\r": "\\r",
  "\f": "\\f"
}

const hex = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`

const escape = (text: string, { escapesSeparators, last }: Style, hasSeparator: boolean): string =>
  text
    .replace(/[^ -[\]-~]/g, (unit) => {
      const code = unit.charCodeAt(0)
      return named[unit] ?? (code < 32 || code === 127 || code > last || code === 0xfeff ? hex(unit) : unit)
    })
    .replace(escapesSeparators ? /[:=#!]|^ /g : hasSeparator ? /^ / : /^[ :=]/, "\\$&")

const writeValue = (style: Style) => (entry: PropertiesEntry, _: string, translation: string) => {
  const isDoubled = style.isMessageFormat && argument.test(entry.text) && hasLoneApostrophe(translation)
  const text = isDoubled ? translation.replace(/''?/g, "''") : translation
  return escape(text, style, entry.hasSeparator)
}

const hasUtf16Mark = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

const decodeText = (bytes: Uint8Array): Either.Either<charset.Decoded, Format.Problem> =>
  hasUtf16Mark(bytes)
    ? Either.left({ line: 1, message: "the file is UTF-16, which Java does not read: save it as UTF-8." })
    : Either.orElse(charset.utf8(bytes), () => Either.right(charset.latin1(bytes)))

/**
 * The format of Java `.properties` files.
 *
 * - Each value that is not blank is a unit, its name the key. Of names that are there twice, the second is `name#2`.
 * - Comments directly above an entry are its context.
 * - The bytes are UTF-8 or, if they are not, ISO-8859-1, where other characters become `\uXXXX`. A malformed `\u` fails with a
 *   `FormatError`.
 * - A text that has arguments with branches is an ICU message, as those of `FormatJs`; a choice format (`{0,choice,…}`) is told, and
 *   not translated.
 * - A translation is written in one line. Where a text has arguments such as `{0}`, single apostrophes of its translation are
 *   doubled, as `java.text.MessageFormat` needs them, unless the file has single ones in such texts. Texts hold `''` as the file does.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Options) => Format.Format = ({
  extensions = [".properties"],
  ...options
} = {}) =>
  icuMessages.wholeFile({
    name: "properties",
    extensions,
    settings: options,
    place: "catalogue",
    placeholders: { kinds: ["braces", "printf", "tags", ...Syntax.knownIn("catalogue")] },
    decodeText,
    parse: (text, _, encoding) =>
      Either.map(parseProperties(text), (entries) =>
        toParts(
          text,
          toSpans(text, entries, writeValue(styleOf(text, entries, encoding, options.escapeNonAscii)))
        )
      ),
    merge: merging(parseProperties, ({ hasSeparator }) => (hasSeparator ? "" : "="))
  })

/**
 * Java `.properties` files, written as each file is.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()
