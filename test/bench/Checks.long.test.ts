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
const alarms: Readonly<Record<string, number>> = { placeholders: 2, addresses: 2, length: 1 }

/** How many pairs with a fault were made then, and how many were flagged. */
const found: Readonly<Record<string, readonly [made: number, flagged: number]>> = {
  empty: [955, 955],
  "the source, from 20 characters on": [916, 913],
  "the source with another full stop": [797, 263],
  "second half in English": [559, 47],
  "the source, shorter": [13, 0],
  "word repeated": [955, 932],
  "phrase repeated": [950, 941],
  "all repeated": [924, 924],
  "the whole twice": [924, 818],
  "one word for a sentence": [738, 709],
  "cut within a word at 60 %": [524, 79],
  "sentence of three or more left out": [0, 0],
  "sentence of two left out": [96, 33],
  "item of a list left out": [938, 918],
  "lines joined": [0, 0],
  "lines of three or more joined": [879, 534],
  "another language, from 80 characters on": [356, 0],
  "another language, shorter": [380, 1],
  "another script": [939, 847],
  "the other script of Chinese": [89, 2],
  "refusal of a model": [955, 629],
  "introduction of a model": [955, 165],
  "note of a model": [955, 50],
  "refusal in English": [955, 845],
  "introduction in English": [955, 378],
  "note in English": [955, 57],
  "term of the glossary not used": [0, 0],
  "one tag of two lost": [912, 912],
  "both tags lost": [912, 912],
  "tag lost or changed": [0, 0],
  "placeholder lost or changed": [310, 310],
  "placeholder that is known lost": [52, 51],
  "URL or address changed": [0, 0],
  "bracket lost": [24, 24],
  "quotation mark lost": [7, 7],
  "direction that is not ended": [955, 955],
  "control character": [955, 955],
  "number of two digits or more": [0, 0],
  "single digit": [0, 0],
  "letters that are question marks": [851, 0],
  "letters that are replacement characters": [851, 851],
  "UTF-8 read as another encoding": [851, 430],
  "letters as escapes of JSON": [851, 249],
  "letters as entities": [851, 322],
  "& escaped": [952, 0],
  "& escaped twice": [952, 0],
  "apostrophe escaped": [260, 0],
  "quotation mark escaped": [104, 1],
  "decimal point lost": [645, 472],
  "decimals lost": [645, 0],
  "zero before the decimal point lost": [645, 0],
  "percent sign lost": [645, 0],
  "day and month exchanged": [645, 0],
  "unnumbered conversions exchanged": [0, 0],
  "branch of a plural lost": [240, 42],
  "branch of a choice lost": [479, 55],
  "other of a plural lost": [240, 51],
  "other of a choice lost": [479, 55],
  "keyword of a plural translated": [224, 0],
  "keyword of a choice translated": [426, 39],
  "# of a plural lost": [240, 38],
  "accelerator & lost": [0, 0],
  "accelerator _ lost": [0, 0],
  "one ** of Markdown lost": [912, 0],
  "both ** of Markdown lost": [912, 0],
  "one mark of a code span lost": [954, 0],
  "both marks of a code span lost": [954, 0],
  "heading lost": [955, 0],
  "code fence around the answer": [955, 0],
  "quotation marks around the answer": [825, 0],
  "both quotation marks lost": [7, 0]
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
