/** A small form of `npm run bench:checks` over what packages hold that are installed anyway: no network. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { describe, expect, it } from "@effect/vitest"
import { readRights, type Text } from "../../bench/checks/corpus.js"
import { faults } from "../../bench/checks/faults.js"
import { type Language, languageOf } from "../../bench/checks/languages.js"
import { contextOf, elsewhereOf, type LanguageResult, measureLanguage } from "../../bench/checks/measure.js"
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

const textsOf = (locale: string, language: Language): ReadonlyArray<Text> => {
  const path = require.resolve(`typescript/lib/${locale}/diagnosticMessages.generated.json`)
  const translations: Readonly<Record<string, string>> = JSON.parse(readFileSync(path, "utf8"))
  const messages = diagnostics.flatMap(({ key, message }) =>
    translations[key] === undefined ? [] : [{ source: message, translation: translations[key], writer: "a" }]
  )
  const rights = unread.includes(language) ? [] : readRights(language)
  return [
    ...few(messages, 60),
    ...few(
      rights.map((text) => ({ ...text, writer: "b" })),
      20
    )
  ]
}

const corpus = new Map(
  locales.map((locale) => {
    const language = languageOf(locale)!
    return [language, textsOf(locale, language)]
  })
)

const results = [...corpus].map(([language, texts]) =>
  measureLanguage(Check.defaults, texts, texts.length, contextOf(language, texts, elsewhereOf(corpus), "1"))
)

const sum = (count: (result: LanguageResult) => number) =>
  results.reduce((total, result) => total + count(result), 0)

/** What was found when this was written: pairs that are right and are flagged, by check. */
const alarms: Readonly<Record<string, number>> = { placeholders: 2, addresses: 2, length: 1 }

/** How many pairs with a fault were made then, and how many were flagged. */
const found: Readonly<Record<string, readonly [made: number, flagged: number]>> = {
  empty: [960, 960],
  "the source, from 20 characters on": [921, 917],
  "the source, shorter": [13, 0],
  "word repeated": [960, 939],
  "phrase repeated": [955, 946],
  "all repeated": [929, 928],
  "one word for a sentence": [740, 706],
  "sentence of three or more left out": [0, 0],
  "last sentence left out": [96, 27],
  "tag lost or changed": [0, 0],
  "placeholder lost or changed": [310, 310],
  "placeholder that is known lost": [52, 51],
  "URL or address changed": [0, 0],
  "bracket lost": [26, 26],
  "quotation mark lost": [7, 7],
  "direction that is not ended": [960, 960],
  "control character": [960, 960],
  "number of two digits or more": [0, 0],
  "single digit": [0, 0],
  "another language, from 80 characters on": [356, 0],
  "another language, shorter": [381, 1],
  "another script": [943, 820],
  "refusal of a model": [960, 663],
  "introduction of a model": [960, 280],
  "note of a model": [960, 55],
  "term of the glossary not used": [0, 0]
}

/** Versions of Node cut words a little differently. */
const nearly = (count: number) => Math.floor(count * 0.98)

describe("The checks on 960 pairs in 13 languages", () => {
  it("are asked of as many", () => {
    expect(sum(({ people }) => people.all)).toBe(960)
    expect(corpus.size).toBe(13)
  })

  it.each(Check.defaults.map(({ name }) => name))("raise no more false alarms than they did: %s", (name) => {
    expect(sum(({ byCheck }) => byCheck[name]!)).toBeLessThanOrEqual(alarms[name] ?? 0)
  })

  it.each(faults.map(({ name }) => name))("find as many faults as they did: %s", (name) => {
    const [made, flagged] = found[name]!
    expect(sum(({ byFault }) => byFault[name]!.all)).toBeGreaterThanOrEqual(nearly(made))
    expect(sum(({ byFault }) => byFault[name]!.flagged)).toBeGreaterThanOrEqual(nearly(flagged))
  })
})
