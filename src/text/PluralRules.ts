/**
 * The plural categories of languages.
 *
 * @internal
 */

import * as Option from "effect/Option"

/** Kinds of plural arguments. */
export type Kind = "plural" | "selectordinal"

/** The plural categories of a language, and which one a number has. */
export interface Rules {
  readonly categories: ReadonlyArray<string>
  readonly select: (value: number) => string
}

/** The order in which people write them. */
const order = ["zero", "one", "two", "few", "many", "other"]

/** The rules of all languages have repeated themselves by then, but for millions. */
export const integers: ReadonlyArray<number> = [
  ...Array.from({ length: 211 }, (_, number) => number),
  1000,
  1_000_000
]

/** For categories that no whole number has. */
export const fractions: ReadonlyArray<number> = [1.5, 0.5, 0.1, 2.5, 1.1, 0.2, 10.1]

const samples: ReadonlySet<number> = new Set([...integers, ...fractions])

const makeRules = Option.liftThrowable((language: string, kind: Kind): Rules | undefined => {
  if (Intl.PluralRules.supportedLocalesOf(language).length === 0) return undefined
  const rules = new Intl.PluralRules(language, { type: kind === "plural" ? "cardinal" : "ordinal" })
  const { pluralCategories } = rules.resolvedOptions()
  return {
    categories: [...pluralCategories].sort((a, b) => order.indexOf(a) - order.indexOf(b)),
    select: memoized((value) => rules.select(value))
  }
})

/** All messages ask for the same numbers. */
const memoized = (select: (value: number) => string): ((value: number) => string) => {
  const categories = new Map<number, string>()
  return (value) => {
    const known = categories.get(value)
    if (known !== undefined) return known
    const category = select(value)
    if (samples.has(value)) categories.set(value, category)
    return category
  }
}

const known = new Map<string, Rules | undefined>()

/** The rules of a language; `undefined` if the runtime does not know it. */
export const rulesOf = (language: string, kind: Kind = "plural"): Rules | undefined => {
  const key = `${kind} ${language}`
  if (!known.has(key)) known.set(key, Option.getOrUndefined(makeRules(language, kind)))
  return known.get(key)
}
