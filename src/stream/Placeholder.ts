/**
 * Keeps placeholders such as `{name}`, `%s` and `<b>` unchanged through translation. If one is lost, the text fails with
 * `PlaceholderLost`.
 *
 * @since 0.1.0
 */

import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type * as Text from "../api/Text.js"
import * as taggedError from "../internal/taggedError.js"
import * as placeholders from "./internal/placeholders.js"

/**
 * Marks the errors of this module.
 *
 * @since 0.1.0
 * @category type ids
 */
export const TypeId: unique symbol = Symbol.for("effect-translate/Placeholder")

/**
 * Marks the errors of this module.
 *
 * @since 0.1.0
 * @category type ids
 */
export type TypeId = typeof TypeId

const error = taggedError.make(TypeId)

/**
 * The placeholders of a translation are not those of its text: some were changed, translated, dropped or doubled. The
 * error holds counts, no text.
 *
 * @since 0.1.0
 * @category errors
 */
export class PlaceholderLost extends error<PlaceholderLost>()(
  "PlaceholderLost",
  {
    /** Placeholders of the text. */
    expected: Schema.Number,
    /** How many of them the translation does not hold, or not as they were. */
    missing: Schema.Number,
    /** What the translation holds besides, or once too often. */
    surplus: Schema.Number,
    /** Marks around placeholders that have lost their other half. */
    broken: Schema.Number
  },
  (self) =>
    `The translation does not hold the placeholders of its text: of ${self.expected}, ${self.missing} are missing or changed; ${self.surplus} are too many, and ${self.broken} marks are broken. Translate the text unprotected and look at it, or keep the source.`
) {}

/**
 * Whether a value is a `PlaceholderLost`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isPlaceholderLost = (value: unknown): value is PlaceholderLost =>
  Predicate.hasProperty(value, TypeId)

/**
 * Placeholders by the way they are written:
 * `braces`, `{name}`, `{0:N2}`, `{{x}}`, `${x}`, `#{x}`, `%{x}` and arguments of ICU messages;
 * `printf`, `%s`, `%1$s`, `%.2f`, `%@`, `%(x)s`, `%%`;
 * `tags`, `<b>`, `</b>`, `<br/>`, `<0>`, `<!-- x -->`.
 *
 * Braces around words with spaces are text, but `${…}`, `{{…}}` and ICU arguments may hold spaces. An ICU argument is one
 * placeholder with all its branches, as in `{count, plural, one {# file} other {# files}}`: they stay as they are, since
 * each language has plural forms of its own.
 *
 * @since 0.1.0
 * @category models
 */
export type Kind = placeholders.Kind

/**
 * What is protected.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The kinds of placeholders that are looked for. @default all of them */
  readonly kinds?: ReadonlyArray<Kind> | undefined
  /** What else is protected: names of products, say. Where matches overlap, they are one. @default nothing */
  readonly patterns?: ReadonlyArray<RegExp> | undefined
}

/**
 * A text as it is sent, and what must come back.
 *
 * @since 0.1.0
 * @category models
 */
export interface Protected {
  /** The text as XML: special characters escaped, each placeholder within `<x id="1">…</x>`. */
  readonly text: string
  /** The placeholders in their order. */
  readonly placeholders: ReadonlyArray<string>
  readonly options: Options
}

/**
 * The options that a request with protected texts needs; the texts of one request are all protected or none. They
 * replace the caller's own handling of tags: a text that is XML itself is not to be protected.
 *
 * @since 0.1.0
 * @category constants
 */
export const requestOptions: Required<Pick<Text.TranslateOptions, "tagHandling" | "ignoreTags">> = {
  tagHandling: "xml",
  ignoreTags: ["x"]
}

/**
 * What of a protected text is not to be cut: the option `unbreakable` of `Segmenter.split`, which takes the text after protection.
 *
 * @since 0.1.0
 * @category constants
 */
export const unbreakable: RegExp = /<x id="\d+">[^<>]*<\/x>|&(?:amp|lt|gt);/

/**
 * Makes a text ready to be sent with {@link requestOptions}. A text without placeholders and without `&`, `<` and `>`
 * stays as it is. Takes time in proportion to the text, if the caller's patterns do.
 *
 * @since 0.1.0
 * @category constructors
 */
export const protect = (text: string, options: Options = {}): Protected => {
  let sent = ""
  let from = 0
  const found = placeholders
    .find(text, options.kinds, options.patterns ?? [])
    .map(({ end, start }, index) => {
      const placeholder = text.slice(start, end)
      sent += `${escape(text.slice(from, start))}<x id="${index + 1}">${escape(placeholder)}</x>`
      from = end
      return placeholder
    })
  return { text: sent + escape(text.slice(from)), placeholders: found, options }
}

/**
 * Makes a text of a translation of a protected one, if it holds each placeholder as often as the source, in any order. A
 * placeholder that has lost its mark is found by what it looks like.
 *
 * `restore(protect(text), protect(text).text)` is the text, for every text.
 *
 * @since 0.1.0
 * @category combinators
 */
export const restore = (
  { options, placeholders: expected }: Protected,
  translated: string
): Either.Either<string, PlaceholderLost> => {
  const missing = new Map<string, number>()
  for (const placeholder of expected) {
    const key = placeholder.trim()
    missing.set(key, (missing.get(key) ?? 0) + 1)
  }
  let surplus = 0
  let broken = 0
  const count = (placeholder: string) => {
    const left = missing.get(placeholder.trim()) ?? 0
    if (left === 0) surplus++
    else missing.set(placeholder.trim(), left - 1)
  }

  let text = ""
  let from = 0
  const marked: Array<placeholders.Range> = []
  const add = (xml: string) => {
    broken += xml.match(mark)?.length ?? 0
    text += unescape(xml)
  }
  for (const { 0: element, 1: content = "", index } of translated.matchAll(markedElement)) {
    add(translated.slice(from, index))
    from = index + element.length
    const placeholder = unescape(content)
    count(placeholder)
    marked.push({ start: text.length, end: text.length + placeholder.length })
    text += placeholder
  }
  add(translated.slice(from))

  for (const placeholder of unmarked(text, marked, options)) {
    // A placeholder that the source does not have is ignored: the translation may put a word in braces.
    if (missing.has(placeholder.trim())) count(placeholder)
  }
  const lost = [...missing.values()].reduce((sum, left) => sum + left, 0)
  return lost + surplus + broken === 0
    ? Either.right(text)
    : Either.left(new PlaceholderLost({ expected: expected.length, missing: lost, surplus, broken }))
}

const markedElement = /<x\s+id\s*=\s*["']?\d+["']?\s*>([^<]*(?:<(?!\/?x[\s/>])[^<]*)*)<\/x\s*>/g
const mark = /<\/?x(?=[\s/>])/g

/** What looks like a placeholder without touching a marked one. */
const unmarked = (
  text: string,
  marked: ReadonlyArray<placeholders.Range>,
  options: Options
): ReadonlyArray<string> => {
  let next = 0
  return placeholders.find(text, options.kinds, options.patterns ?? []).flatMap(({ end, start }) => {
    while (next < marked.length && marked[next]!.end <= start) next++
    const other = marked[next]
    return other !== undefined && other.start < end ? [] : [text.slice(start, end)]
  })
}

const escape = (text: string): string =>
  text.replace(/[&<>]/g, (found) => (found === "&" ? "&amp;" : found === "<" ? "&lt;" : "&gt;"))

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

const unescape = (xml: string): string =>
  xml.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-fA-F]{1,6}));/g,
    (entity, name: string | undefined, decimal: string | undefined, hexadecimal: string | undefined) => {
      if (name !== undefined) return named[name] ?? entity
      const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal)
      return code <= 0x10ffff ? String.fromCodePoint(code) : entity
    }
  )
