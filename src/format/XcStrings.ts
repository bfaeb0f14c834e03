/**
 * String catalogues of Xcode, which hold all languages in one file.
 *
 * @since 0.1.0
 */
import * as Syntax from "../text/Syntax.js"
import * as Format from "./Format.js"
import { parse } from "./internal/json/jsonEntries.js"
import { spansOf } from "./internal/xcstrings/xcStringsSpans.js"

/**
 * Options of the format.
 *
 * @since 0.1.0
 * @category models
 */
export type { Options } from "./Format.js"

/**
 * String catalogues of Xcode (`.xcstrings`).
 *
 * Translated from the file's `sourceLanguage` into the localization of the target, which is added where it is missing; other
 * languages stay as they are. The text is the source's localization, or the key where there is none. Variations by device
 * and substitutions are those of the source; plurals get the categories of the target. A unit's key is the string's, with
 * `|==|plural.few` for a variation; its context is the comment.
 *
 * A localization in the state `translated` is translated, one in `needs_review` is fuzzy, others are missing. Written
 * translations have the state `translated`, and a form without a translation the source's text and `new`. If a target has
 * its texts in other variations than the source, it counts as a whole. Strings with `shouldTranslate: false`, and those that
 * the program has no more (`extractionState: "stale"`), pass, as do `stringSet`s.
 *
 * Kept out of translations: `%@`, `%lld`, `%arg`, `%#@name@` and `${name}`. The file is read and written as by
 * `Json.format`, new objects as Xcode writes them.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Format.Options) => Format.Format = ({ extensions = [".xcstrings"] } = {}) =>
  Format.wholeFile({
    name: "xcstrings",
    extensions,
    settings: {},
    isBilingual: true,
    place: "catalogue",
    placeholders: {
      kinds: ["printf", "c-format", ...Syntax.knownIn("catalogue")],
      patterns: [/%(?:\d{1,4}\$)?#@[^@]{1,200}@|%arg\b|\$\{[^{}]{1,200}\}/]
    },
    parse: parse(spansOf)
  })

/**
 * String catalogues of Xcode, with the default options.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()
