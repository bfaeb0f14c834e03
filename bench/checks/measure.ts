/** What checks flag: of people's translations, and of faults. And the time that they take. */
import type * as Check from "../../src/text/Check.js"
import { median } from "../processes.js"
import type { Corpus, Text } from "./corpus.js"
import type { Context } from "./faults/fault.js"
import { faults, makeFault } from "./faults.js"
import type { Language } from "./languages.js"
import { makeRandom } from "./random.js"
import { wordsOf } from "./text.js"

export type Checks = ReadonlyArray<Check.Check>

/** How many, and how many of them were flagged. */
export interface Count {
  readonly all: number
  readonly flagged: number
}

export interface LanguageResult {
  readonly language: Language
  readonly writers: number
  readonly people: Count
  /** Those of `people` that are flagged, and are as their source: what people have left as it was. */
  readonly equal: number
  readonly byCheck: Readonly<Record<string, number>>
  readonly byFault: Readonly<Record<string, Count>>
}

export const toPair = ({ source, translation }: Text, targetLang: Language): Check.Pair => ({
  source,
  translation,
  sourceLang: "en",
  targetLang
})

const isFlagged = (checks: Checks, pair: Check.Pair) => checks.some(({ find }) => find(pair).length > 0)

/** How many pairs of a language each fault is made of, where as many hold what it needs. */
const faultsOfKind = 400

/** Texts by their source, in all languages. */
export type Elsewhere = ReadonlyMap<string, ReadonlyArray<readonly [Language, string]>>

export const elsewhereOf = (corpus: Corpus): Elsewhere => {
  const found = new Map<string, Array<readonly [Language, string]>>()
  for (const [language, texts] of corpus) {
    for (const { source, translation } of texts) {
      const known = found.get(source)
      if (known === undefined) found.set(source, [[language, translation]])
      else known.push([language, translation])
    }
  }
  return found
}

/** A word for a word. */
const termsOf = (texts: ReadonlyArray<Text>, language: Language): ReadonlyMap<string, string> =>
  new Map(
    texts.flatMap(({ source, translation }) => {
      const [term, target] = [source.toLowerCase(), translation.toLowerCase()]
      const isTerm = /^[a-z]{4,}$/.test(term) && term !== target && target.length >= 2
      return isTerm && wordsOf(target, language)[0]?.text === target ? [[term, target]] : []
    })
  )

export const contextOf = (
  language: Language,
  texts: ReadonlyArray<Text>,
  elsewhere: Elsewhere,
  seed: string
): Context => ({
  language,
  random: makeRandom(`${seed} ${language}`),
  elsewhere: (source) => elsewhere.get(source) ?? [],
  terms: termsOf(texts, language)
})

const countFaults = (checks: Checks, texts: ReadonlyArray<Text>, context: Context) => {
  const pairs = texts
    .filter(({ source, translation }) => source !== translation)
    .map((text) => toPair(text, context.language))
  return Object.fromEntries(
    faults.map((fault) => {
      let all = 0
      let flagged = 0
      for (const pair of pairs) {
        if (all === faultsOfKind) break
        const faulty = makeFault(fault, pair, context)
        if (faulty === undefined) continue
        all++
        if (isFlagged(checks, faulty)) flagged++
      }
      return [fault.name, { all, flagged }]
    })
  )
}

export const measureLanguage = (
  checks: Checks,
  texts: ReadonlyArray<Text>,
  sample: number,
  context: Context
): LanguageResult => {
  const { language } = context
  const people = texts.slice(0, sample)
  const byCheck = Object.fromEntries(checks.map(({ name }) => [name, 0]))
  let flagged = 0
  let equal = 0
  for (const text of people) {
    const pair = toPair(text, language)
    const found = checks.filter(({ find }) => find(pair).length > 0)
    for (const { name } of found) byCheck[name]!++
    if (found.length === 0) continue
    flagged++
    if (text.source === text.translation) equal++
  }
  return {
    language,
    writers: new Set(people.map(({ writer }) => writer)).size,
    people: { all: people.length, flagged },
    equal,
    byCheck,
    byFault: countFaults(checks, texts, context)
  }
}

const cpuMicros = (checks: Checks, pairs: ReadonlyArray<Check.Pair>): number => {
  const start = process.cpuUsage()
  for (const pair of pairs) for (const { find } of checks) find(pair)
  const { system, user } = process.cpuUsage(start)
  return (user + system) / pairs.length
}

const rounds = 7

/** Microseconds of the processor for a text. The checks have run before, over the same pairs. */
export const measureCpu = (checks: Checks, pairs: ReadonlyArray<Check.Pair>): number => {
  cpuMicros(checks, pairs)
  return median(Array.from({ length: rounds }, () => cpuMicros(checks, pairs)))
}
