/**
 * Resources of Android: `strings.xml`.
 *
 * @since 0.1.0
 */
import type * as Format from "./Format.js"
import { partsOf } from "./internal/android/android.js"
import { merge } from "./internal/android/androidMerge.js"
import * as markupFile from "./internal/markupFile.js"
import { placeholders } from "./internal/xml/inlineCodes.js"
import { decode as decodeText } from "./internal/xml/xmlCharset.js"

const before = /\s*(?:<\?[^>]*>|<!--)?/y

/** True if a text begins with the element `resources`, behind comments and the XML declaration. */
const isResources = (head: string): boolean => {
  let at = head.startsWith("\uFEFF") ? 1 : 0
  for (;;) {
    before.lastIndex = at
    const found = before.exec(head)![0]
    if (found.endsWith("<!--")) {
      const end = head.indexOf("-->", at)
      if (end === -1) return false
      at = end + 3
    } else if (found.endsWith(">")) at += found.length
    else return /^<resources[\s/>]/.test(head.slice(at + found.length, at + found.length + 11))
  }
}

/**
 * Options of the format.
 *
 * @since 0.1.0
 * @category models
 */
export type { Options } from "./Format.js"

/**
 * `strings.xml` of Android, and other files of the folder `values`.
 *
 * A unit is a `string` (its key is the name), an item of a `string-array` (`name/0`), and a quantity of `plurals` that the
 * target language has (`name/few`). With the attribute `product`, the name is `name:product`. Texts are as an app shows
 * them: escapes are read, quotes and surplus whitespace are left out. Marks such as `<b>` and `<a href="…">` travel as they
 * are; text within `<xliff:g>` is protected, and an entity of the file travels as `<entity name="…"/>`. A translation whose
 * mark-up is not closed in its order, or has a prefix that the file does not declare, is refused. Comments directly above
 * are the context.
 *
 * Left out are `translatable="false"`, references such as `@string/name`, and blank texts. Translations are escaped as their
 * source is: in quotes, in CDATA, with `\u` or with entities. A text that is wrapped over lines is written as one line.
 *
 * Merging adds missing entries, and missing items at the end of arrays; empty entries of the target are filled from the
 * source.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Format.Options) => Format.Format = ({ extensions = [".xml"] } = {}) =>
  markupFile.wholeFile({
    name: "android-strings",
    extensions,
    settings: {},
    detect: (_, head) => isResources(head),
    variesPlaceholders: true,
    listOf: (key) => /^(.*)\/\d+$/.exec(key)?.[1],
    tagHandling: "xml",
    place: "catalogue",
    placeholders,
    decodeText,
    parse: partsOf,
    merge
  })

/**
 * `strings.xml` of Android, with the default options.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()
