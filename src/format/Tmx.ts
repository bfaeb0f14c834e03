/**
 * TMX, the format of translation memories: as files to be translated, and as streams of entries.
 *
 * @since 0.1.0
 */
import type * as Stream from "effect/Stream"
import { version } from "../internal/version.js"
import * as Format from "./Format.js"
import { parse } from "./internal/tmx/tmxParts.js"
import { makeReader } from "./internal/tmx/tmxReader.js"
import { makeWriter } from "./internal/tmx/tmxWriter.js"
import { transduce, valuesOrFail } from "./internal/transducer.js"
import { decode as decodeText } from "./internal/xml/xmlCharset.js"

/**
 * TMX 1.4, and the versions before it, with texts of a source and their translations: `.tmx`.
 *
 * A unit is a `tu` with a text in the source language, by its `tuid` or its number (`#2` and so on for an id that is not the only one).
 * It is translated if the `tu` has a text in the target language. A translation becomes a `tuv` behind the others, laid out as that of the
 * source, or takes the place of the one that is there. Notes are the context.
 *
 * The source language is the option `sourceLang`, or what the `tu` or the header says; the option is needed where they say `*all*`. Codes of
 * languages are compared without case; `en` finds `en-US` if there is no `en`. Codes in texts are short tags: `<g1>…</g1>` for `bpt` and
 * `ept` of a number and for `hi`, `<x2/>` for others with all that is in them, `sub` too. A translation needs all codes of its text.
 *
 * The bytes are UTF-8, UTF-16 with a byte order mark, or ISO-8859-1 if the XML declaration says so. A file has at most 16 MiB; `decode`
 * reads larger ones.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = Format.wholeFile({
  name: "tmx",
  extensions: [".tmx"],
  settings: {},
  isBilingual: true,
  placeholders: { kinds: ["braces"] },
  tagHandling: "xml",
  decodeText,
  parse
})

/**
 * The texts of a translation memory that say the same.
 *
 * @since 0.1.0
 * @category models
 */
export interface Entry {
  /** The `tuid`. */
  readonly id?: string | undefined
  /** Texts by their languages, as the file writes those: two or more. */
  readonly texts: Readonly<Record<string, string>>
  /** The language that was translated from: what the unit or the header says, unless they say `*all*`. */
  readonly sourceLang?: string | undefined
  /** The `prop` elements of the unit, by their types; the first of each. */
  readonly properties?: Readonly<Record<string, string>> | undefined
  /** All notes, one on a line. */
  readonly note?: string | undefined
  /** The `creationdate`, to the second. */
  readonly created?: Date | undefined
}

/**
 * How a translation memory is read.
 *
 * @since 0.1.0
 * @category models
 */
export interface DecodeOptions {
  /** Names the file in errors. @default none */
  readonly file?: string | undefined
}

/**
 * How a translation memory is written.
 *
 * @since 0.1.0
 * @category models
 */
export interface EncodeOptions {
  /** The language that the entries were translated from, unless they say another one. */
  readonly sourceLang: string
  /** The program that made the entries. @default "effect-translate" */
  readonly creationTool?: string | undefined
  /** Its version. @default the version of this package */
  readonly creationToolVersion?: string | undefined
}

/**
 * Reads the entries of a TMX file of any size.
 *
 * Texts are without the codes in them (`bpt`, `ept`, `ph`, `it`, `ut`, with all that these hold). Units with a text in one language only are
 * left out, and of two texts in a language the second. The bytes are UTF-8, or UTF-16 with a byte order mark. Only the unit that is not
 * finished is in memory, of at most 16 Mi characters. Fails with a `FormatError` on a file that is not well-formed or not TMX, after
 * the entries before the fault. Entities are not expanded.
 *
 * @since 0.1.0
 * @category codecs
 */
export const decode =
  (options?: DecodeOptions) =>
  <E, R>(self: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Entry, E | Format.FormatError, R> =>
    self.pipe(
      transduce(
        makeReader,
        valuesOrFail((problem) => Format.formatError("tmx", options?.file, problem))
      )
    )

/**
 * Writes entries as a TMX 1.4 file.
 *
 * An entry without a text in the source language is marked with `srclang="*all*"`. Fails with a `FormatError`, whose key is the id or number
 * of the entry, on one with fewer than two languages, with characters that XML cannot hold, or with half of a surrogate pair. The entries
 * in front of it are written.
 *
 * @since 0.1.0
 * @category codecs
 */
export const encode =
  (options: EncodeOptions) =>
  <E, R>(self: Stream.Stream<Entry, E, R>): Stream.Stream<Uint8Array, E | Format.FormatError, R> =>
    self.pipe(
      transduce(
        () => makeWriter(options, version),
        valuesOrFail((problem) => Format.formatError("tmx", undefined, problem))
      )
    )
