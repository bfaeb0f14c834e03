/** What checks flag: of people's translations, and of faults. And the time that they take. */
import * as AnswerFault from "../../src/text/AnswerFault.js"
import type * as Check from "../../src/text/Check.js"
import { median } from "../processes.js"
import type { Text } from "./catalogues.js"
import type { Corpus, Texts } from "./corpus.js"
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

/** People's translations. Those that are as their source are left out: people have left them as they were. */
export interface People {
  readonly writers: number
  readonly count: Count
  readonly byCheck: Readonly<Record<string, number>>
}

export interface LanguageResult {
  readonly language: Language
  readonly catalogues: People
  readonly prose: People
  readonly byFault: Readonly<Record<string, Count>>
  /** Requests that look as if each text had the translation of the next: those that are right, all shifted, and shifted from their middle on. */
  readonly requests: Readonly<Record<"right" | "shifted" | "half", Count>>
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
  for (const [language, { catalogues, prose }] of corpus) {
    for (const { source, translation } of [...catalogues, ...prose]) {
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

const contextOf = (
  language: Language,
  texts: ReadonlyArray<Text>,
  elsewhere: Elsewhere,
  seed: string
): Context => ({
  language,
  random: makeRandom(`${seed} ${language}`),
  elsewhere: (source) => elsewhere.get(source) ?? [],
  terms: termsOf(texts, language),
  pairs: texts
})

/** A pair that was flagged when it was right says nothing of a fault in it. */
const countFaults = (checks: Checks, texts: ReadonlyArray<Text>, context: Context) => {
  const pairs = texts.map((text) => toPair(text, context.language)).filter((pair) => !isFlagged(checks, pair))
  return Object.fromEntries(
    faults.map((fault) => {
      let all = 0
      let flagged = 0
      for (const pair of pairs) {
        if (all === faultsOfKind) break
        const damage = makeFault(fault, pair, context)
        if (damage === undefined || (damage.right !== pair && isFlagged(checks, damage.right))) continue
        all++
        if (isFlagged(checks, damage.faulty)) flagged++
      }
      return [fault.name, { all, flagged }]
    })
  )
}

const isTranslated = ({ source, translation }: Text) => source !== translation

const countPeople = (checks: Checks, texts: ReadonlyArray<Text>, language: Language): People => {
  const byCheck = Object.fromEntries(checks.map(({ name }) => [name, 0]))
  let flagged = 0
  for (const text of texts) {
    const pair = toPair(text, language)
    const found = checks.filter(({ find }) => find(pair).length > 0)
    for (const { name } of found) byCheck[name]!++
    if (found.length > 0) flagged++
  }
  return {
    writers: new Set(texts.map(({ writer }) => writer)).size,
    count: { all: texts.length, flagged },
    byCheck
  }
}

const textsOfRequest = 50

const mostRequests = 100

/** From a place on, each text has the translation of the next, and the last one that of the first of them. */
const shift = (request: ReadonlyArray<Check.Pair>, from: number): ReadonlyArray<Check.Pair> =>
  request.map((pair, index) =>
    index < from ? pair : { ...pair, translation: (request[index + 1] ?? request[from]!).translation }
  )

const countRequests = (texts: ReadonlyArray<Text>, language: Language): LanguageResult["requests"] => {
  const requests = Array.from({ length: Math.min(mostRequests, texts.length / textsOfRequest) }, (_, index) =>
    texts.slice(index * textsOfRequest, (index + 1) * textsOfRequest).map((text) => toPair(text, language))
  )
  const count = (change: (request: ReadonlyArray<Check.Pair>) => ReadonlyArray<Check.Pair>): Count => ({
    all: requests.length,
    flagged: requests.filter((request) => AnswerFault.shifted(change(request)) !== undefined).length
  })
  return {
    right: count((request) => request),
    shifted: count((request) => shift(request, 0)),
    half: count((request) => shift(request, textsOfRequest / 2))
  }
}

/** Faults are made of prose and of texts of catalogues, in turn. */
const interleave = <A>(some: ReadonlyArray<A>, others: ReadonlyArray<A>): ReadonlyArray<A> =>
  Array.from({ length: Math.max(some.length, others.length) }, (_, at) => [
    ...some.slice(at, at + 1),
    ...others.slice(at, at + 1)
  ]).flat()

export const measureLanguage = (
  checks: Checks,
  { catalogues, prose }: Texts,
  language: Language,
  elsewhere: Elsewhere,
  options: { readonly sample: number; readonly seed: string }
): LanguageResult => {
  const chosen = (texts: ReadonlyArray<Text>) => texts.filter(isTranslated).slice(0, options.sample)
  const [ofCatalogues, ofProse] = [chosen(catalogues), chosen(prose)]
  const texts = interleave(ofCatalogues, ofProse)
  return {
    language,
    catalogues: countPeople(checks, ofCatalogues, language),
    prose: countPeople(checks, ofProse, language),
    requests: countRequests(ofCatalogues, language),
    byFault: countFaults(checks, texts, contextOf(language, texts, elsewhere, options.seed))
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
