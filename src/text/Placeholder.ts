/**
 * Keeps placeholders such as `{name}`, `%s`, `<b>` and `&nbsp;` unchanged through translation. If one is lost, the text fails with
 * `PlaceholderLost`.
 *
 * @since 0.1.0
 */

import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type * as Text from "../api/Text.js"
import { is, TaggedError } from "../internal/taggedError.js"
import type * as Check from "./internal/checks/check.js"
import type * as PlaceholderPatterns from "./PlaceholderPatterns.js"
import * as PlaceholderProtection from "./PlaceholderProtection.js"

/**
 * The placeholders of a translation are not those of its text: some were changed, translated, dropped or doubled. The
 * error holds counts, no text.
 *
 * @since 0.1.0
 * @category errors
 */
export class PlaceholderLost extends TaggedError<PlaceholderLost>()(
  "PlaceholderLost",
  {
    /** Placeholders of the text. */
    expected: Schema.Number,
    /** The number of placeholders that the translation does not hold, or not as they were. */
    missing: Schema.Number,
    /** The number of placeholders that the translation holds without need, or too often. */
    surplus: Schema.Number,
    /** Marks around placeholders that have lost their other half. */
    broken: Schema.Number
  },
  (self) =>
    `The translation does not hold the placeholders of its text: of ${self.expected}, ${self.missing} are missing or changed; ${self.surplus} are too many, and ${self.broken} marks are broken. Translate the text unprotected and look at it, or keep the source.`
) {}

/**
 * Returns `true` for a `PlaceholderLost`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isPlaceholderLost = /* #__PURE__ */ is(PlaceholderLost)

/**
 * Placeholders by the way they are written: the names of `Syntax`.
 *
 * Braces around words with spaces are text, but `${…}`, `{{…}}` and ICU arguments may hold spaces. An ICU argument is one
 * placeholder with all its branches, as in `{count, plural, one {# file} other {# files}}`, and stays as it is. To
 * translate the branches, give streams a message format: `IcuMessage.format` of `effect-translate/icu`.
 *
 * @since 0.1.0
 * @category models
 */
export type Kind = PlaceholderPatterns.Kind

/**
 * The placeholders that are protected.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The kinds of placeholders that are looked for. @default those that can't be prose */
  readonly kinds?: ReadonlyArray<Kind> | undefined
  /** Further placeholders: names of products, say. Where matches overlap, they are one. @default nothing */
  readonly patterns?: ReadonlyArray<RegExp> | undefined
  /**
   * The text is markup. Its tags, comments and entities are the service's to keep: they are neither protected nor counted,
   * and nor are placeholders inside them. @default none, the text is plain
   */
  readonly tagHandling?: Text.TranslateOptions["tagHandling"]
}

/**
 * A text as it is sent, with the placeholders that must come back.
 *
 * @since 0.1.0
 * @category models
 */
export interface Protected {
  /**
   * The text as XML: special characters escaped, each placeholder within `<x id="1">…</x>`. A text that is markup itself
   * is not escaped, and the element is `x-ph`.
   */
  readonly text: string
  /** The placeholders in their order. */
  readonly placeholders: ReadonlyArray<string>
  /** Where they are in the text, in UTF-16 code units. */
  readonly ranges: ReadonlyArray<Check.Range>
  readonly options: Options
}

/**
 * The options that a request with protected texts needs, from those of the caller. The texts of one request are all
 * protected or none.
 *
 * @since 0.1.0
 * @category combinators
 */
export const requestOptions: (
  options?: Pick<Text.TranslateOptions, "tagHandling" | "ignoreTags">
) => Required<Pick<Text.TranslateOptions, "tagHandling" | "ignoreTags">> = ({
  ignoreTags = [],
  tagHandling
} = {}) => ({
  tagHandling: tagHandling ?? "xml",
  ignoreTags: [...ignoreTags, PlaceholderProtection.element({ tagHandling })]
})

/**
 * The pieces of a protected text that are not cut where a text is too large for a request.
 *
 * @since 0.1.0
 * @category constants
 */
export const unbreakable: RegExp =
  /<x id="\d+">[^<>]*<\/x>|<x-ph id="\d+">[^<]*(?:<(?!\/?x-ph)[^<]*)*<\/x-ph>|&(?:[A-Za-z][A-Za-z\d]{1,31}|#\d{1,7}|#[xX][\dA-Fa-f]{1,6});/

/**
 * Makes a text ready to be sent with {@link requestOptions}. A text without placeholders and without `&`, `<` and `>`
 * stays as it is. Takes time in proportion to the text, if the caller's patterns do.
 *
 * @since 0.1.0
 * @category constructors
 */
export const protect = (text: string, options: Options = {}): Protected => {
  return { ...PlaceholderProtection.protect(text, options), options }
}

/**
 * Makes a text of a translation of a protected one, if it holds each placeholder as often as the source, in any order. A
 * placeholder that has lost its mark is found by its text.
 *
 * `restore(protect(text), protect(text).text)` is the text, for every text.
 *
 * @since 0.1.0
 * @category combinators
 */
export const restore: (
  protectedText: Protected,
  translated: string
) => Either.Either<string, PlaceholderLost> = ({ options, placeholders }, translated) => {
  const { loss, text } = PlaceholderProtection.restore(placeholders, options, translated)
  return loss === undefined
    ? Either.right(text)
    : Either.left(new PlaceholderLost({ expected: placeholders.length, ...loss }))
}
