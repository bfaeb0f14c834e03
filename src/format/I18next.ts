/**
 * Catalogues of i18next (JSON v4), with the plural forms of the target language.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import { isBlank } from "../internal/texts.js"
import * as Format from "./Format.js"
import { pluralKey } from "./internal/i18next/i18nextPlurals.js"
import { ofCatalogue } from "./internal/i18next/i18nextSpans.js"
import * as jsonDocument from "./internal/json/jsonDocument.js"
import * as jsonMerge from "./internal/json/jsonMerge.js"
import { toParts } from "./internal/parts.js"
import { arrayOf } from "./internal/selector.js"

const parse = (
  text: string,
  options: Format.DecodeOptions
): Either.Either<ReadonlyArray<Format.Part>, Format.Problem> =>
  Either.map(jsonDocument.parse(text), (document) => toParts(text, ofCatalogue(document, options)))

/** The source with the plural forms of the target language, and no others. */
const withTargetForms = (
  text: string,
  options: Format.DecodeOptions
): Either.Either<string, Format.Problem> =>
  Either.gen(function* () {
    const parts = yield* parse(text, options)
    const written = yield* Either.all(
      parts.map((part) =>
        Format.write(
          part,
          part.units.map((unit) => unit.text)
        )
      )
    )
    return written.map(({ raw }) => raw).join("")
  })

const mergeEntries = jsonMerge.make({
  isDeep: true,
  entries: ({ source }) => {
    const keys = new Set(source.properties.map(({ key }) => key))
    return {
      // A target may have more forms of a plural, such as `_zero`. One without a text is none.
      isKept: ({ name, value }) => {
        const plural = pluralKey(name)
        const isForm = plural !== undefined && keys.has(`${plural.prefix}other`)
        return isForm ? value.tag !== "string" || !isBlank(value.value) : undefined
      }
    }
  }
})

const merge: Format.Format["merge"] = (source, target, options) =>
  Either.flatMap(withTargetForms(source, options), (withForms) => mergeEntries(withForms, target, options))

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
 * the target language, and those that this lacks are left out. `_zero`, which i18next takes for 0 in every language, stays. Suffixes
 * of contexts (`friend_male`) are keys like others.
 *
 * Kept out of translations: `{{value}}`, `$t(key)` and tags such as `<1>`. Otherwise as `Json.format`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Format.Options) => Format.Format = ({ extensions = [".json"] } = {}) =>
  Format.wholeFile({
    name: "i18next",
    extensions,
    settings: {},
    listOf: arrayOf,
    detect: (_, head) => /"[^"\\]{1,200}_other"\s{0,9}:|\$t\(/.test(head),
    placeholders: { kinds: ["braces", "tags"], patterns: [/\$t\([^()]*(?:\([^()]*\)[^()]*)*\)/] },
    parse,
    merge
  })

/**
 * Catalogues of i18next, with the default options.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()
