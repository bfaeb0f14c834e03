/** Makes the checks that are built in: each reports at most one finding, with all places in it. */

import type { Check, Finding, Pair, Range } from "../../Check.js"

/** Where something is wrong. */
export interface Places {
  readonly source: ReadonlyArray<Range>
  readonly translation: ReadonlyArray<Range>
}

const nothing: ReadonlyArray<Finding> = []

export const make = (
  { explanation, name, severity }: Pick<Finding, "severity" | "explanation"> & { readonly name: string },
  places: (pair: Pair) => Places | undefined
): Check => ({
  name,
  find: (pair) => {
    const found = places(pair)
    return found === undefined ? nothing : [{ check: name, severity, explanation, ...found }]
  }
})

export const whole = (text: string): ReadonlyArray<Range> =>
  text === "" ? [] : [{ start: 0, end: text.length }]

/** Both texts, from end to end. */
export const everything = ({ source, translation }: Pair): Places => ({
  source: whole(source),
  translation: whole(translation)
})

/** Where a pattern with the flag `g` matches. */
export const ranges = (text: string, pattern: RegExp): Array<Range> =>
  Array.from(text.matchAll(pattern), ({ 0: match, index }) => ({ start: index, end: index + match.length }))

/** How often a text is searched for a part of the other: a check takes time in proportion to the texts. */
export const mostSearched = 100

/** What has to be in both texts. */
export interface Found extends Range {
  /** Equal if it is the same in both. */
  readonly key: string
}

/** Those that are not among others as well, one for one. */
export const without = (all: ReadonlyArray<Found>, others: ReadonlyArray<Found>): ReadonlyArray<Found> => {
  const counts = new Map<string, number>()
  for (const { key } of others) counts.set(key, (counts.get(key) ?? 0) + 1)
  return all.filter(({ key }) => {
    const count = counts.get(key) ?? 0
    counts.set(key, count - 1)
    return count <= 0
  })
}

export const range = ({ end, start }: Range): Range => ({ start, end })

/** Whether a pattern with the flag `g` finds the same in both texts, in the same order. Cheaper than to look at what it finds. */
export const isSameIn = ({ source, translation }: Pair, pattern: RegExp): boolean => {
  const expected = source.match(pattern)
  const actual = translation.match(pattern)
  return expected === null || actual === null
    ? expected === actual
    : expected.length === actual.length && expected.every((match, index) => match === actual[index])
}
