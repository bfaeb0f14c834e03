/** A small form of `npm run bench:checks` over what packages hold that are installed anyway: no network. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { describe, expect, it } from "@effect/vitest"
import { readRights, type Text } from "../../bench/checks/corpus.js"
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

const few = (texts: ReadonlyArray<Text>, count: number) =>
  [...texts].sort((one, other) => hash(one.source) - hash(other.source)).slice(0, count)

const textsOf = (locale: string, language: Language): ReadonlyArray<Text> => {
  const path = require.resolve(`typescript/lib/${locale}/diagnosticMessages.generated.json`)
  const translations: Readonly<Record<string, string>> = JSON.parse(readFileSync(path, "utf8"))
  const messages = diagnostics.flatMap(({ key, message }) =>
    translations[key] === undefined ? [] : [{ source: message, translation: translations[key], writer: "a" }]
  )
  let rights: ReadonlyArray<Text> = []
  try { rights = readRights(language).map((text) => ({ ...text, writer: "b" })) } catch { console.log("no", language) }
  return [...few(messages, 60), ...few(rights, 20)]
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

console.log(sum(({ people }) => people.all), sum(({ people }) => people.flagged))
console.log(JSON.stringify(Object.fromEntries(Object.keys(results[0]!.byCheck).map((n) => [n, sum(({ byCheck }) => byCheck[n]!)]))))
console.log(JSON.stringify(Object.fromEntries(Object.keys(results[0]!.byFault).map((n) => [n, [sum(({ byFault }) => byFault[n]!.all), sum(({ byFault }) => byFault[n]!.flagged)]]))))
describe("x", () => { it("y", () => { expect(1).toBe(1) }) })
