import { fractions, integers, type Kind, rulesOf } from "../../internal/pluralRules.js"

/** A plural form of the target, and where its text comes from. */
export interface Form {
  /** The category of the target language: `one`, `few`, `other`. */
  readonly category: string
  /** The form of the source whose text is translated for it. */
  readonly source: string
  /** A number of the category. */
  readonly sample: number
}

/** A language as the plural rules of the runtime know it; formats write `pt_BR` and `zh-rCN` as well. */
const tag = (language: string): string => language.replace(/-r(?=[A-Z]{2}$)/, "-").replaceAll("_", "-")

/**
 * The plural forms that a text needs in the target language, in the order in which people write them, and the form of the
 * source that each is translated from: the one that the source language has for its numbers, or else `other`. A language that
 * the runtime does not know has the forms of the source.
 */
export const forms = (
  sourceForms: ReadonlyArray<string>,
  { sourceLang, targetLang }: { readonly sourceLang?: string | undefined; readonly targetLang: string },
  kind: Kind = "plural"
): ReadonlyArray<Form> => {
  const target = rulesOf(tag(targetLang), kind)
  if (target === undefined) return sourceForms.map((form) => ({ category: form, source: form, sample: 1 }))
  const source = rulesOf(tag(sourceLang ?? "en"), kind)
  const fallback = sourceForms.includes("other") ? "other" : sourceForms.at(-1)!
  return target.categories.map((category) => {
    const isOf = (number: number) => target.select(number) === category
    const numbers = integers.filter(isOf)
    const sample = numbers.find((number) => number >= 2) ?? numbers[0] ?? fractions.find(isOf) ?? 0
    const own = source?.select(sample)
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
