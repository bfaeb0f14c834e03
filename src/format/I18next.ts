/**
 * Catalogues of i18next (JSON v3 and v4), with the plural forms of the target language.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Syntax from "../text/Syntax.js"
import type * as Format from "./Format.js"
import { groupsOf, isI18next, pluralKey } from "./internal/i18next/i18nextPlurals.js"
import * as icuMessages from "./internal/icuMessages.js"
import * as jsonCatalogue from "./internal/json/jsonCatalogue.js"
import * as jsonDocument from "./internal/json/jsonDocument.js"
import { shows } from "./internal/json/jsonEntries.js"
import { mergeWithForms } from "./internal/json/jsonPlurals.js"
import { toParts } from "./internal/parts.js"
import { arrayOf } from "./internal/selector.js"

const parse = (
  text: string,
  options: Format.DecodeOptions
): Either.Either<ReadonlyArray<Format.Part>, Format.Problem> =>
  Either.map(jsonDocument.parse(text), (document) =>
    toParts(text, jsonCatalogue.spansOf(document, document.root, options, { groupsOf }))
  )

/**
 * Options of the format.
 *
 * @since 0.1.0
 * @category models
 */
export type { Options } from "./Format.js"

/**
 * Catalogues of i18next.
 *
 * All strings are translated, nested and in arrays; a unit's key is its path, `a.b[0].c`. Keys that differ in a plural suffix
 * alone (`file_one` and `file_other`, `place_ordinal_one` and `place_ordinal_other`) are one text: it gets the plural forms of
 * the target language, and those that this lacks are left out. `_zero`, which i18next takes for 0 in every language, stays. So are those
 * of version 3, which has the forms of gettext: `file` and `file_plural`, or `file_0`, `file_1` and `file_2`. Suffixes of contexts
 * (`friend_male`) are keys like others.
 *
 * Kept out of translations: `{{value}}`, `$t(key)` and tags such as `<1>`. Otherwise as `Json.format`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Format.Options) => Format.Format = ({ extensions = [".json"] } = {}) =>
  icuMessages.wholeFile({
    name: "i18next",
    extensions,
    settings: {},
    listOf: arrayOf,
    detect: (_, head) => shows(head, isI18next),
    place: "catalogue",
    placeholders: {
      kinds: ["braces", "tags", ...Syntax.knownIn("catalogue")],
      patterns: [/\$t\([^()]*(?:\([^()]*\)[^()]*)*\)/]
    },
    parse,
    merge: mergeWithForms(parse, pluralKey)
  })

/**
 * Catalogues of i18next, with the default options.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()
