/** Facts about languages for checks, by their codes. */

import * as Option from "effect/Option"
import type { Pair } from "./check.js"

export interface Language {
  /** Its code without region and script: `pt` of `pt-BR`. */
  readonly name: string
  /** Its script, such as `Latn`. */
  readonly script: string
  /** One letter of its scripts. */
  readonly letter: RegExp
  /** One letter of the scripts of other languages. Latin letters are in texts of all languages. */
  readonly foreignLetter: RegExp
  /** False if it parts sentences by spaces, as it does clauses. */
  readonly hasFullStops: boolean
  /** The length of a text in characters of English. */
  readonly measure: (text: string) => number
}

/** Letters by script, as classes of regular expressions. Greek ones stand for quantities in all languages, so they are no script here. */
const scripts: Readonly<Record<string, string>> = {
  Arab: "\\u0620-\\u064a\\u0671-\\u06d3",
  Armn: "\\u0531-\\u0587",
  Cyrl: "\\u0400-\\u0481\\u048a-\\u052f",
  Deva: "\\u0904-\\u0939",
  Geor: "\\u10a0-\\u10ff",
  Hang: "\\uac00-\\ud7a3",
  Hani: "\\u4e00-\\u9fff",
  Hebr: "\\u05d0-\\u05ea",
  Kana: "\\u3041-\\u3096\\u30a1-\\u30fa",
  Thai: "\\u0e01-\\u0e30"
}

/** Scripts that are written together. */
const combined: Readonly<Record<string, ReadonlyArray<string>>> = {
  Jpan: ["Kana", "Hani"],
  Kore: ["Hang", "Hani"],
  Hans: ["Hani"],
  Hant: ["Hani"]
}

const likelyScript = Option.liftThrowable((code: string) => new Intl.Locale(code).maximize().script)

const classOf = (names: ReadonlyArray<string>): RegExp =>
  new RegExp(`[${names.map((name) => scripts[name] ?? "").join("")}]`)

const lettersOf = (script: string): Pick<Language, "letter" | "foreignLetter"> => {
  const own = combined[script] ?? [script]
  return {
    letter: own.every((name) => name in scripts) ? classOf(own) : /\p{L}/u,
    foreignLetter: classOf(Object.keys(scripts).filter((name) => !own.includes(name)))
  }
}

/** The length of texts, relative to English. Measured on the catalogues of Debian's packages. */
const lengths: Readonly<Record<string, number>> = {
  ar: 0.83,
  bg: 1.1,
  cs: 1,
  da: 1.05,
  de: 1.2,
  el: 1.2,
  en: 1,
  es: 1.2,
  et: 1.05,
  fi: 1.05,
  fr: 1.2,
  he: 0.8,
  hu: 1.1,
  id: 1.1,
  it: 1.2,
  lt: 1.05,
  lv: 1.05,
  nb: 1.05,
  nl: 1.15,
  pl: 1.1,
  pt: 1.15,
  ro: 1.15,
  ru: 1.1,
  sk: 1.05,
  sl: 1.05,
  sv: 1.05,
  th: 1,
  tr: 1.05,
  uk: 1.1,
  vi: 1.05
}

/**
 * The characters of English that a character of a script without letters stands for. Names and terms in Latin letters are as long as in
 * English, or nearly: with these, lengths vary no more than in other languages.
 */
const dense: Readonly<Record<string, number>> = { ja: 1.9, ko: 2.15, zh: 3.35 }

const lettersOfDense = 0.9

const isDense = (code: number): boolean =>
  (code >= 0x3041 && code <= 0x30ff) ||
  (code >= 0x3400 && code <= 0x9fff) ||
  (code >= 0xac00 && code <= 0xd7a3)

const measureOf = (name: string): Language["measure"] => {
  const perCharacter = dense[name]
  if (perCharacter === undefined) {
    const length = lengths[name] ?? 1.1
    return (text) => text.length / length
  }
  return (text) => {
    let count = 0
    for (let index = 0; index < text.length; index++) if (isDense(text.charCodeAt(index))) count++
    return count * perCharacter + (text.length - count) * lettersOfDense
  }
}

const unmarked = new Set(["th", "lo"])

const known = new Map<string, Language>()

const make = (code: string): Language => {
  const name = code.split("-", 1)[0]!.toLowerCase()
  const script = Option.getOrUndefined(likelyScript(code)) ?? "Latn"
  return {
    name,
    script,
    hasFullStops: !unmarked.has(name),
    measure: measureOf(name),
    ...lettersOf(script)
  }
}

/** The facts about a language. */
export const languageOf = (code: string): Language => {
  let language = known.get(code)
  if (language === undefined) {
    language = make(code)
    known.set(code, language)
  }
  return language
}

/** True for variants of a language, such as `en-GB` and `en-US`. */
export const isSameLanguage = ({ sourceLang, targetLang }: Pair): boolean =>
  sourceLang !== undefined && languageOf(sourceLang).name === languageOf(targetLang).name

/** The length of a source in characters of English. If its language is not known, it is measured as English. */
export const measureSource = ({ source, sourceLang }: Pair): number =>
  sourceLang === undefined ? source.length : languageOf(sourceLang).measure(source)

/** The length of a translation, relative to a usual one. */
export const lengthRatio = (pair: Pair): number =>
  languageOf(pair.targetLang).measure(pair.translation) / measureSource(pair)
