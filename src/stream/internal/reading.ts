/** The syntax of a stream's texts: protected, refused before a text is sent, or flagged. */
import * as Arr from "effect/Array"
import * as Either from "effect/Either"
import { memoizedBy } from "../../internal/memoizedBy.js"
import type * as Check from "../../text/Check.js"
import * as HtmlTags from "../../text/HtmlTags.js"
import type * as Placeholder from "../../text/Placeholder.js"
import { every } from "../../text/PlaceholderPatterns.js"
import * as PlaceholderSearch from "../../text/PlaceholderSearch.js"
import * as Syntax from "../../text/Syntax.js"
import type * as TranslateStream from "./translateOptions.js"

/** The options that say how texts are read. */
type Options = Pick<Partial<TranslateStream.Options>, "placeholders" | "syntax" | "tagHandling">

/**
 * The options for finding placeholders in a request: the caller's own and those of placeholders. Each text of a stream asks: the lists of
 * kinds stay the same ones.
 */
export const searchOf = /* #__PURE__ */ memoizedBy(
  ({
    placeholders: { kinds = every, patterns } = {},
    syntax: { protect = [] } = {},
    tagHandling
  }: Options): Placeholder.Options => {
    const [own, named] = Arr.partitionMap(protect, (each) =>
      typeof each === "string" ? Either.right(each) : Either.left(each)
    )
    return {
      kinds: named.length === 0 ? kinds : [...kinds, ...named],
      patterns: own.length === 0 ? patterns : [...(patterns ?? []), ...own],
      tagHandling
    }
  }
)

/** As `searchOf`, for placeholders beside tags. */
const searchBeside = /* #__PURE__ */ memoizedBy((options: Options): Placeholder.Options => {
  const search = searchOf(options)
  return { ...search, kinds: search.kinds?.filter((kind) => kind !== "tags") }
})

/** True if texts without placeholders are sent as they are, beside those with placeholders. */
export const isApart = ({ placeholders }: Options): boolean => placeholders?.apart === true

/**
 * True if a text has a character that each placeholder has which can't be prose, and each syntax that is told in rows. Five searches for
 * one character take a fifth of the time of one for five.
 */
const mayHold = (text: string): boolean =>
  text.includes("{") || text.includes("%") || text.includes("[") || text.includes("@") || text.includes("$")

/** True if a text needs a request for texts with placeholders: tags alone are the service's. */
export const isMarked = (text: string, options: Options): boolean => {
  const { placeholders, syntax } = options
  // Kinds of catalogues may have none of these characters.
  const hasOthers = syntax?.place === "catalogue" || (syntax?.protect ?? placeholders?.patterns) !== undefined
  if (!hasOthers && !mayHold(text)) return false
  return PlaceholderSearch.has(text, searchBeside(options))
}

/** The requests that a text goes in: those of texts as they are, with their placeholders protected, or as HTML. */
export type Lane = "plain" | "marked" | "html"

/** The lane of a text, where placeholders keep texts apart. */
export const laneOf = (text: string, options: Options): Lane =>
  options.tagHandling === undefined && options.syntax?.html === true && HtmlTags.has(text)
    ? "html"
    : isMarked(text, options)
      ? "marked"
      : "plain"

/** As `searchOf`, for texts that are HTML. */
export const htmlSearchOf = /* #__PURE__ */ memoizedBy(
  (options: Options): Placeholder.Options => ({ ...searchOf(options), tagHandling: "html" })
)

/** The treatment of texts with syntax that is not understood. */
const policyOf = ({ notUnderstood, place }: NonNullable<Options["syntax"]>) =>
  notUnderstood ?? (place === "rows" ? "flag" : "fail")

/** Finds the error of texts with syntax that is not understood, where the options ask for it as a failure or as a flag. */
export const notUnderstood = (
  options: Options,
  policy: "fail" | "flag"
): ((text: string) => Syntax.NotUnderstood | undefined) | undefined => {
  const { placeholders, syntax } = options
  if (syntax?.place === undefined || policyOf(syntax) !== policy) return undefined
  const { accepted, place } = syntax
  const { kinds, patterns } = placeholders === undefined ? { kinds: [] } : searchOf(options)
  const reading = { place, kinds, patterns, messageFormat: placeholders?.messageFormat }
  const find = (text: string) =>
    accepted?.has(text) === true ? undefined : Syntax.notUnderstood(text, reading)
  return place === "rows" ? (text) => (mayHold(text) ? find(text) : undefined) : find
}

/** The flag of a text that was sent though its syntax is not understood. */
export const findingOf = ({ syntax }: Syntax.NotUnderstood): Check.Finding =>
  finding("syntax", "warning", `The text is sent with syntax that nothing reads here (${syntax}).`)

/** A finding in a text as a whole. */
export const finding = (
  check: string,
  severity: Check.Finding["severity"],
  explanation: string
): Check.Finding => ({ check, severity, explanation, source: [], translation: [] })
