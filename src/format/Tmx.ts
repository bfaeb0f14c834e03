/**
 * TMX, the format of translation memories: as files to be translated, and as streams of entries.
 *
 * @since 0.1.0
 */
import type * as Stream from "effect/Stream"
import { version } from "../internal/version.js"
import * as Format from "./Format.js"
import * as markupFile from "./internal/markupFile.js"
import { parse } from "./internal/tmx/tmxParts.js"
import type { Entry } from "./internal/tmx/tmxReader.js"
import { makeReader } from "./internal/tmx/tmxReader.js"
import type { EncodeOptions } from "./internal/tmx/tmxWriter.js"
import { makeWriter } from "./internal/tmx/tmxWriter.js"
import { transduce, valuesOrFail } from "./internal/transducer.js"
import { decode as decodeText } from "./internal/xml/xmlCharset.js"

/**
 * Options of the format.
 *
 * @since 0.1.0
 * @category models
 */
export type { Options } from "./Format.js"

/**
 * TMX 1.4, and the versions before it, with texts of a source and their translations: `.tmx`.
 *
 * A unit is a `tu` with a text in the source language, by its `tuid` or its number (`#2` and so on for an id that is not the only one).
 * It is translated if the `tu` has a text in the target language. A translation becomes a `tuv` behind the others, laid out as that of the
 * source, or takes the place of the one that is there. Notes are the context.
 *
 * The source language is the option `sourceLang`, or else what the `tu` or the header says; the option is needed where they are `*all*`. Codes of
 * languages are compared without case; `en` finds `en-US` if there is no `en`. Codes in texts are short tags: `<g1>…</g1>` for `bpt` and
 * `ept` of a number and for `hi`, `<x2/>` for others with all that is in them, `sub` too. A translation needs all codes of its text.
 *
 * The bytes are read and written as by `Xml.format`. A file has at most 16 MiB; `decode`
 * reads larger ones.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Format.Options) => Format.Format = ({ extensions = [".tmx"] } = {}) =>
  markupFile.wholeFile({
    name: "tmx",
    extensions,
    settings: {},
    isBilingual: true,
    placeholders: { kinds: ["braces"] },
    tagHandling: "xml",
    decodeText,
    parse
  })

/**
 * TMX with the default options.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()

/**
 * An entry of a translation memory.
 *
 * @since 0.1.0
 * @category models
 */
export type { Entry } from "./internal/tmx/tmxReader.js"

/**
 * Options for reading a translation memory.
 *
 * @since 0.1.0
 * @category models
 */
export interface DecodeOptions {
  /** Names the file in errors. @default none */
  readonly file?: string | undefined
}

/**
 * Options of writing entries.
 *
 * @since 0.1.0
 * @category models
 */
export type { EncodeOptions } from "./internal/tmx/tmxWriter.js"

/**
 * Reads the entries of a TMX file of any size.
 *
 * Texts are without the codes in them (`bpt`, `ept`, `ph`, `it`, `ut`, with all that these hold). Units with a text in one
 * language only are left out, and of two texts in a language the second. The bytes are UTF-8, or UTF-16 with a byte order
 * mark. Only the unit that is not finished is in memory, of at most 16 Mi characters. Fails with a `FormatError` on a file
 * that is not well-formed or not TMX, after the entries before the fault. Entities are not expanded.
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
 * An entry without a text in the source language is marked with `srclang="*all*"`. Fails with a `FormatError`, whose key is
 * the id or number of the entry, on one with fewer than two languages, with characters that XML cannot hold, or with half of
 * a surrogate pair. The entries in front of it are written.
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
