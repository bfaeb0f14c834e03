/** A small form of `npm run bench:checks` over what packages hold that are installed anyway: no network. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { describe, expect, it } from "@effect/vitest"
import type { Text } from "../../bench/checks/catalogues.js"
import { readRights, type Texts } from "../../bench/checks/corpus.js"
import { faults } from "../../bench/checks/faults.js"
import { type Language, languageOf } from "../../bench/checks/languages.js"
import { elsewhereOf, type LanguageResult, measureLanguage } from "../../bench/checks/measure.js"
import { hash } from "../../bench/checks/random.js"
import * as Check from "../../src/text/Check.js"

const require = createRequire(import.meta.url)

interface Diagnostic {
  readonly key: string
  readonly message: string
}

/** The messages of TypeScript's compiler, which its package holds in 13 languages. */
const diagnostics: ReadonlyArray<Diagnostic> = Object.values(
  (require("typescript") as { readonly Diagnostics: Readonly<Record<string, Diagnostic>> }).Diagnostics
)

const locales = ["cs", "de", "es", "fr", "it", "ja", "ko", "pl", "pt-br", "ru", "tr", "zh-cn", "zh-tw"]

/** Languages in which the Declaration of Human Rights has other headings than its reader knows, or other paragraphs. */
const unread: ReadonlyArray<Language> = ["fr", "pt-BR", "zh-Hans", "zh-Hant"]

const few = (texts: ReadonlyArray<Text>, count: number) =>
  [...texts].sort((one, other) => hash(one.source) - hash(other.source)).slice(0, count)

const textsOf = (locale: string, language: Language): Texts => {
  const path = require.resolve(`typescript/lib/${locale}/diagnosticMessages.generated.json`)
  const translations: Readonly<Record<string, string>> = JSON.parse(readFileSync(path, "utf8"))
  const messages = diagnostics.flatMap(({ key, message }) =>
    translations[key] === undefined ? [] : [{ source: message, translation: translations[key], writer: "a" }]
  )
  const rights = unread.includes(language) ? [] : readRights(language)
  return {
    catalogues: few(messages, 60),
    prose: few(
      rights.map((text) => ({ ...text, writer: "b" })),
      20
    )
  }
}

const corpus = new Map(
  locales.map((locale) => {
    const language = languageOf(locale)!
    return [language, textsOf(locale, language)]
  })
)

const results = [...corpus].map(([language, texts]) =>
  measureLanguage(Check.defaults, texts, language, elsewhereOf(corpus), { sample: 60, seed: "1" })
)

const sum = (count: (result: LanguageResult) => number) =>
  results.reduce((total, result) => total + count(result), 0)

/** What was found when this was written: pairs that are right and are flagged, by check. */
const alarms: Readonly<Record<string, number>> = { placeholders: 2, addresses: 2, length: 1, quotes: 1 }

/** How many pairs with a fault were made then, and how many were flagged. */
const found: Readonly<Record<string, readonly [made: number, flagged: number]>> = {
  empty: [954, 954],
  "the source, from 20 characters on": [916, 914],
  "the source with another full stop": [790, 788],
  "second half in English": [559, 554],
  "the source, shorter": [13, 0],
  "word repeated": [954, 953],
  "phrase repeated": [950, 948],
  "all repeated": [924, 924],
  "the whole twice": [924, 924],
  "one word for a sentence": [738, 738],
  "cut within a word at 60 %": [524, 416],
  "sentence of three or more left out": [0, 0],
  "sentence of two left out": [96, 74],
  "item of a list left out": [940, 940],
  "lines joined": [0, 0],
  "lines of three or more joined": [926, 869],
  "another language, from 80 characters on": [356, 0],
  "another language, shorter": [379, 0],
  "another script": [938, 846],
  "the other script of Chinese": [89, 84],
  "refusal of a model": [954, 948],
  "introduction of a model": [954, 947],
  "note of a model": [954, 577],
  "refusal in English": [954, 954],
  "introduction in English": [954, 947],
  "note in English": [954, 954],
  "term of the glossary not used": [0, 0],
  "one tag of two lost": [912, 912],
  "both tags lost": [912, 912],
  "tag lost or changed": [0, 0],
  "placeholder lost or changed": [309, 309],
  "placeholder that is known lost": [52, 51],
  "URL or address changed": [0, 0],
  "bracket lost": [24, 24],
  "quotation mark lost": [7, 7],
  "direction that is not ended": [954, 954],
  "control character": [954, 954],
  "number of two digits or more": [0, 0],
  "single digit": [0, 0],
  "letters that are question marks": [851, 847],
  "letters that are replacement characters": [851, 851],
  "UTF-8 read as another encoding": [851, 851],
  "letters as escapes of JSON": [851, 851],
  "letters as entities": [851, 851],
  "& escaped": [954, 954],
  "& escaped twice": [954, 954],
  "apostrophe escaped": [260, 260],
  "quotation mark escaped": [104, 104],
  "decimal point lost": [645, 645],
  "decimals lost": [645, 642],
  "zero before the decimal point lost": [645, 643],
  "percent sign lost": [645, 645],
  "day and month exchanged": [645, 645],
  "unnumbered conversions exchanged": [0, 0],
  "branch of a plural lost": [345, 345],
  "branch of a choice lost": [481, 481],
  "other of a plural lost": [345, 345],
  "other of a choice lost": [481, 481],
  "keyword of a plural translated": [295, 295],
  "keyword of a choice translated": [428, 428],
  "# of a plural lost": [345, 345],
  "accelerator & lost": [0, 0],
  "accelerator _ lost": [0, 0],
  "one ** of Markdown lost": [912, 912],
  "both ** of Markdown lost": [912, 912],
  "one mark of a code span lost": [953, 953],
  "both marks of a code span lost": [953, 953],
  "heading lost": [954, 954],
  "code fence around the answer": [954, 954],
  "quotation marks around the answer": [825, 794],
  "both quotation marks lost": [7, 7]
}

/** Versions of Node cut words a little differently. */
const nearly = (count: number) => Math.floor(count * 0.98)

describe("The checks on 960 pairs in 13 languages", () => {
  it("are asked of as many", () => {
    expect(sum(({ catalogues, prose }) => catalogues.count.all + prose.count.all)).toBe(960)
    expect(corpus.size).toBe(13)
  })

  it.each(Check.defaults.map(({ name }) => name))("raise no more false alarms than they did: %s", (name) => {
    expect(
      sum(({ catalogues, prose }) => catalogues.byCheck[name]! + prose.byCheck[name]!)
    ).toBeLessThanOrEqual(alarms[name] ?? 0)
  })

  it.each(faults.map(({ name }) => name))("find as many faults as they did: %s", (name) => {
    const [made, flagged] = found[name]!
    expect(sum(({ byFault }) => byFault[name]!.all)).toBeGreaterThanOrEqual(nearly(made))
    expect(sum(({ byFault }) => byFault[name]!.flagged)).toBeGreaterThanOrEqual(nearly(flagged))
  })
})
