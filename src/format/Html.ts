/**
 * HTML, translated block by block.
 *
 * @since 0.1.0
 */
import * as Syntax from "../text/Syntax.js"
import type * as Format from "./Format.js"
import { decode as decodeText } from "./internal/html/htmlCharset.js"
import { parse } from "./internal/html/htmlParts.js"
import * as markupFile from "./internal/markupFile.js"

/**
 * Options of the format.
 *
 * @since 0.1.0
 * @category models
 */
export type { Options } from "./Format.js"

/**
 * HTML, as a document or a piece of one: `.html`, `.htm`, `.xhtml`.
 *
 * A unit is the text of a block (paragraph, heading, list item, cell, caption, button, title …) with its inline elements, as it stands in
 * the file, and each attribute that people read: `alt`, `title`, `placeholder`, `label`, `aria-label`, `aria-description`, `value` of
 * buttons, `content` of a description, of keywords and of the titles of Open Graph. Units are HTML: characters stay escaped, and
 * `tagHandling` is `html`. Keys count the elements of a name: `p[3]`, `p[3]#2` for the second text in it, `img[2]@alt`.
 *
 * Kept are comments, `script`, `style`, `pre`, `code`, `kbd`, `samp`, `var`, `textarea`, `svg`, `math`, `iframe`, and elements with
 * `translate="no"` or of the class `notranslate`. Inside a text such an element is `<x1 translate="no">…</x1>` for the translator. The
 * attribute `lang` is not changed. A translation needs the tags of its text, each closed inside the element in which it was opened, or it
 * is not written. Quotes in attributes are escaped as theirs need.
 *
 * The bytes are UTF-8, UTF-16 with a byte order mark, or in the encoding of one byte a character that a `meta` element names; what that lacks
 * is written as a reference. A file has at most 16 MiB. Fails with a `FormatError` on a file that ends inside
 * a tag, a comment, or an element such as `script` and `title` that only its end tag ends. Other faults of HTML stay as they are.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Format.Options) => Format.Format = ({
  extensions = [".html", ".htm", ".xhtml"]
} = {}) =>
  markupFile.wholeFile({
    name: "html",
    extensions,
    settings: {},
    place: "document",
    placeholders: { kinds: ["braces", "percent", "shortcodes", ...Syntax.knownIn("document")] },
    tagHandling: "html",
    decodeText,
    parse
  })

/**
 * HTML with the default options.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()
