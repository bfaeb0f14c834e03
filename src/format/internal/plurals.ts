import { fractions, integers, type Kind, rulesOf } from "../../internal/pluralRules.js"
import { tagOf } from "./languageTag.js"

/** A plural form of the target, and where its text comes from. */
export interface Form {
  /** The category of the target language: `one`, `few`, `other`. */
  readonly category: string
  /** The form of the source whose text is translated for it. */
  readonly source: string
  /** A number of the category. */
  readonly sample: number
}

interface Languages {
  readonly sourceLang?: string | undefined
  readonly targetLang: string
}

/** All texts of a file ask for the same forms. */
const known = new Map<string, ReadonlyArray<Form>>()

/**
 * The plural forms that a text needs in the target language, in the order in which people write them, and the form of the
 * source that each is translated from: the one that the source language has for its numbers, or else `other`. A language that
 * the runtime does not know has the forms of the source.
 */
export const forms = (
  sourceForms: ReadonlyArray<string>,
  languages: Languages,
  kind: Kind = "plural"
): ReadonlyArray<Form> => {
  const key = [kind, languages.sourceLang, languages.targetLang, ...sourceForms].join(" ")
  const made = known.get(key) ?? make(sourceForms, languages, kind)
  known.set(key, made)
  return made
}

const make = (
  sourceForms: ReadonlyArray<string>,
  { sourceLang, targetLang }: Languages,
  kind: Kind
): ReadonlyArray<Form> => {
  const target = rulesOf(tagOf(targetLang), kind)
  if (target === undefined) return sourceForms.map((form) => ({ category: form, source: form, sample: 1 }))
  const source = rulesOf(tagOf(sourceLang ?? "en"), kind)
  const fallback = sourceForms.includes("other") ? "other" : sourceForms.at(-1)!
  return target.categories.map((category) => {
    const isOf = (number: number) => target.select(number) === category
    const numbers = integers.filter(isOf)
    const sample = numbers.find((number) => number >= 2) ?? numbers[0] ?? fractions.find(isOf) ?? 0
    // Samples of ordinals are small numbers, which have forms of their own: "2nd" for "7th".
    const own = kind === "selectordinal" && category === "other" ? fallback : source?.select(sample)
    return {
      category,
      source:
        own !== undefined && sourceForms.includes(own)
          ? own
          : sourceForms.includes(category) && numbers.length === 1
            ? category
            : fallback,
      sample
    }
  })
}

/**
 * As `forms`, for formats in which any language may have `zero` for 0 alone: it stays such an extra where the target lacks the
 * category, and becomes the category where the target has it for nothing but 0.
 */
export const formsWithZero: typeof forms = (sourceForms, languages, kind) => {
  const made = forms(sourceForms, languages, kind)
  if (!sourceForms.includes("zero")) return made
  const zero = { category: "zero", source: "zero", sample: 0 }
  return made.some(({ category }) => category === "zero")
    ? made.map((form) => (form.category === "zero" && form.sample === 0 ? zero : form))
    : [zero, ...made]
}
