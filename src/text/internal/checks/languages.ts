/** Facts about languages for checks, by their codes. */

import * as Option from "effect/Option"
import type { Pair } from "./check.js"

export interface Language {
  /** Its code without region and script: `pt` of `pt-BR`. */
  readonly name: string
  /** True if it is written in Latin letters. */
  readonly isLatin: boolean
  /** One letter of its scripts. */
  readonly letter: RegExp
  /** One letter of the scripts of other languages. Latin letters are in texts of all languages. */
  readonly foreignLetter: RegExp
  /** The length of its texts, in that of English ones. */
  readonly length: number
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

export const likelyScript = Option.liftThrowable((code: string) => new Intl.Locale(code).maximize().script)

const classOf = (names: ReadonlyArray<string>): RegExp =>
  new RegExp(`[${names.map((name) => scripts[name] ?? "").join("")}]`)

const lettersOf = (script: string): Pick<Language, "letter" | "foreignLetter"> => {
  const own = combined[script] ?? [script]
  return {
    letter: own.every((name) => name in scripts) ? classOf(own) : /\p{L}/u,
    foreignLetter: classOf(Object.keys(scripts).filter((name) => !own.includes(name)))
  }
}

/** Measured on the catalogues of Debian's packages. */
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
  ja: 0.5,
  ko: 0.6,
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
  vi: 1.05,
  zh: 0.37
}

const known = new Map<string, Language>()

const make = (code: string): Language => {
  const name = code.split("-", 1)[0]!.toLowerCase()
  const script = Option.getOrUndefined(likelyScript(code)) ?? "Latn"
  return { name, isLatin: script === "Latn", length: lengths[name] ?? 1.1, ...lettersOf(script) }
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

/** The length of a translation, in that of a usual one. */
export const lengthRatio = ({ source, sourceLang, targetLang, translation }: Pair): number =>
  (translation.length * (sourceLang === undefined ? 1 : languageOf(sourceLang).length)) /
  (source.length * languageOf(targetLang).length)
