import { pattern } from "../../../text/PlaceholderPatterns.js"
import { fractions, integers, type Kind, rulesOf } from "../../../text/PluralRules.js"
import { tagOf } from "../languageTag.js"

/** A plural form of the target, and where its text comes from. */
export interface Form {
  /** The category of the target language: `one`, `few`, `other`. */
  readonly category: string
  /** The form of the source whose text is translated for it. */
  readonly source: string
}

interface Languages {
  readonly sourceLang?: string | undefined
  readonly targetLang: string
}

const tags = pattern(["tags"])!
const place = new RegExp(pattern(["braces", "printf"])!.source, "u")

/** True if a text has a place for its number: "%d files", but neither "a file" nor "1 file". Those in markup are none. */
export const showsNumber = (text: string): boolean => place.test(text.replace(tags, ""))

/** All texts of a file ask for the same forms. */
const known = new Map<string, ReadonlyArray<Form>>()

/**
 * The plural forms that a text needs in the target language, in the order in which people write them, and the form of the
 * source that each is translated from.
 *
 * It is the one of the same name, as "%d file" for the `one` of Russian. For 21 this says "a file", though, if it does not show
 * its number. Then, and where there is none of the name, it is the one that the source language has for the numbers, or else
 * `other`. A language that the runtime does not know has the forms of the source.
 */
export const forms = (
  sourceForms: ReadonlyArray<string>,
  isShowing: (form: string) => boolean,
  languages: Languages,
  kind: Kind = "plural"
): ReadonlyArray<Form> => {
  const showing = sourceForms.map(isShowing)
  const key = [kind, languages.sourceLang, languages.targetLang, showing, ...sourceForms].join(" ")
  const made =
    known.get(key) ?? make(sourceForms, new Set(sourceForms.filter((_, at) => showing[at])), languages, kind)
  known.set(key, made)
  return made
}

const make = (
  sourceForms: ReadonlyArray<string>,
  showing: ReadonlySet<string>,
  { sourceLang, targetLang }: Languages,
  kind: Kind
): ReadonlyArray<Form> => {
  const target = rulesOf(tagOf(targetLang), kind)
  if (target === undefined) return sourceForms.map((form) => ({ category: form, source: form }))
  const source = rulesOf(tagOf(sourceLang ?? "en"), kind)
  const fallback = sourceForms.includes("other") ? "other" : sourceForms.at(-1)!
  return target.categories.map((category) => {
    const isOf = (number: number) => target.select(number) === category
    const numbers = integers.filter(isOf)
    const sample = numbers.find((number) => number >= 2) ?? numbers[0] ?? fractions.find(isOf) ?? 0
    const isRight = showing.has(category) || numbers.every((number) => number < 2)
    if (sourceForms.includes(category) && isRight) return { category, source: category }
    // Samples of ordinals are small numbers, which have forms of their own: "2nd" for "7th".
    const own = kind === "selectordinal" && category === "other" ? fallback : source?.select(sample)
    return { category, source: own !== undefined && sourceForms.includes(own) ? own : fallback }
  })
}

/** As `forms`, for formats in which any language may have `zero` for 0 alone: it stays where the target lacks the category. */
export const formsWithZero: typeof forms = (sourceForms, isShowing, languages, kind) => {
  const made = forms(sourceForms, isShowing, languages, kind)
  return !sourceForms.includes("zero") || made.some(({ category }) => category === "zero")
    ? made
    : [{ category: "zero", source: "zero" }, ...made]
}
