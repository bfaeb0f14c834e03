/**
 * XML of any kind, translated element by element.
 *
 * @since 0.1.0
 */
import * as Syntax from "../text/Syntax.js"
import type * as Format from "./Format.js"
import * as markupFile from "./internal/markupFile.js"
import { decode } from "./internal/xml/xmlCharset.js"
import { parse } from "./internal/xml/xmlParts.js"

/**
 * Selects the texts of a document to translate.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Format.Options {
  /**
   * The elements to translate, with all that is in them: a name, with its prefix or without, or the end of a path such as `item/title`,
   * in which `*` is any name. @default all
   */
  readonly translate?: ReadonlyArray<string> | undefined
  /**
   * Names of elements that stay as they are, with all that is in them. @default code, codeblock, command, computeroutput, filename,
   * literal, literallayout, math, pre, programlisting, screen, script, style, synopsis, userinput, which are those of DocBook, DITA and
   * XHTML
   */
  readonly keep?: ReadonlyArray<string> | undefined
}

const kept: ReadonlyArray<string> = [
  "code",
  "codeblock",
  "command",
  "computeroutput",
  "filename",
  "literal",
  "literallayout",
  "math",
  "pre",
  "programlisting",
  "screen",
  "script",
  "style",
  "synopsis",
  "userinput"
]

/**
 * A format of XML documents with such elements.
 *
 * A unit is the content of an element with text of its own. Elements in it are inline: `<g1>…</g1>` around a text, `<x2/>`
 * for those without one, for comments, processing instructions and entities. An element beside text that only holds several
 * elements with texts, such as a list, ends the text. Keys are paths: `book/chapter[2]/para`, `book/chapter[2]/para#2` for a
 * text behind such a list.
 *
 * Kept are attributes, whitespace around texts, CDATA as CDATA, entities, which are never expanded, and elements with
 * `translate="no"` or `its:translate="no"`; `yes` inside of them ends that. Rules of ITS are not read. A translation needs
 * all inline elements of its text.
 *
 * The bytes are UTF-8, UTF-16 with a byte order mark, or in the encoding of one byte a character that the XML declaration names; what that has
 * not is written as references. A file has at most 16 MiB and 500 levels. Fails with a `FormatError` if it is not
 * well-formed.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Options) => Format.Format = ({
  extensions = [".xml", ".dbk", ".docbook", ".dita"],
  ...options
} = {}) =>
  markupFile.wholeFile({
    name: "xml",
    extensions,
    settings: options,
    place: "document",
    placeholders: { kinds: ["braces", ...Syntax.knownIn("document")] },
    tagHandling: "xml",
    decodeText: decode,
    parse: (text) => parse(text, { translate: options.translate, keep: new Set(options.keep ?? kept) })
  })

/**
 * XML of which all elements are translated but those with code: `.xml`, `.dbk`, `.docbook`, `.dita`. See `make`.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()
