/**
 * XLIFF 1.2, 2.0 and 2.1: files of the source and its translation side by side.
 *
 * @since 0.1.0
 */
import type * as Format from "./Format.js"
import * as markupFile from "./internal/markupFile.js"
import { merge } from "./internal/xliff/xliffMerge.js"
import { partsOf } from "./internal/xliff/xliffParts.js"
import { placeholders } from "./internal/xml/inlineCodes.js"
import { decode as decodeText } from "./internal/xml/xmlCharset.js"

/**
 * Options for writing XLIFF files.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Format.Options {
  /**
   * The mark of written translations. `translated`: the state `translated`. `needs-review`: `needs-review-translation`
   * in XLIFF 1.2 and `initial` in XLIFF 2, so that the next run takes them for fuzzy. `none`: states stay as they are.
   *
   * @default "translated"
   */
  readonly mark?: "translated" | "needs-review" | "none" | undefined
}

/**
 * XLIFF 1.0 to 1.2, 2.0 and 2.1; the bytes are read and written as by `Xml.format`.
 *
 * A unit is a `trans-unit`, or a `segment` of XLIFF 2. Its key is the `original` or `id` of the file, and the ids of unit and
 * segment. Inline elements stand in its text as short tags, `<x1/>` or `<g2>…</g2>`, and are put back from the source. A
 * translation that has lost one, has one too often, or in which two overlap is refused, as the file would not be valid. Native
 * code in `ph`, `it`, `bpt` and `ept` is not translated, nor is a `sub` in it. ICU messages with branches are translated branch
 * by branch, and their codes are not counted.
 *
 * A new target stands behind its source. `target-language` or `trgLang` is set where the file names none; a file that holds
 * translations to another language is refused. Elements with `translate="no"` are left out. A target in a state that is `new`,
 * `initial` or begins with `needs-` is fuzzy, unless its unit is `approved`. Notes are the context. Everything else stays:
 * `alt-trans`, extensions, groups, comments. With `needs-review` and `translated`, a `state-qualifier` or `subState` of the old
 * target leaves.
 *
 * Merging keeps existing targets. Where the source has changed, the unit is the source's, with the old target as fuzzy. A
 * unit that is new comes behind the one it follows in the source.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Options) => Format.Format = ({
  extensions = [".xlf", ".xliff"],
  mark = "translated"
} = {}) =>
  markupFile.wholeFile({
    name: "xliff",
    extensions,
    settings: { mark },
    isBilingual: true,
    variesPlaceholders: true,
    tagHandling: "xml",
    place: "catalogue",
    placeholders,
    decodeText,
    parse: (text, options) => partsOf(text, options, mark),
    merge
  })

/**
 * XLIFF with translations marked as `translated`.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()
