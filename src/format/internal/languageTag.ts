import * as Option from "effect/Option"
import * as LanguageCode from "../../api/LanguageCode.js"

/** A language as BCP 47 writes it, from `pt_BR`, `zh-rCN`, `sr@latin` or `de_DE.UTF-8`. */
export const tagOf = (language: string): string => {
  const [name = "", modifier] = language.split("@")
  const tag = name
    .replace(/\..*$/, "")
    .replace(/-r(?=[A-Z]{2}$)/, "-")
    .replaceAll("_", "-")
  const script = modifier === "latin" ? "Latn" : modifier === "cyrillic" ? "Cyrl" : undefined
  const [primary, ...others] = tag.split("-")
  return LanguageCode.canonical([primary, ...(script === undefined ? [] : [script]), ...others].join("-"))
}

const parse = Option.liftThrowable((language: string) => {
  const locale = new Intl.Locale(tagOf(language))
  const { language: name, script } = locale.maximize()
  return { name: name === "no" ? "nb" : name, script, region: locale.region }
})

/** True if two codes name one language. A code without a region names it for all regions. */
export const isSameLanguage = (first: string, second: string): boolean =>
  first === second ||
  Option.getOrElse(
    Option.zipWith(
      parse(first),
      parse(second),
      (a, b) =>
        a.name === b.name &&
        a.script === b.script &&
        (a.region === undefined || b.region === undefined || a.region === b.region)
    ),
    () => false
  )

const englishNames = Option.liftThrowable((tag: string) =>
  [tag, LanguageCode.base(tag)].flatMap((code) =>
    (["dialect", "standard"] as const).map((languageDisplay) =>
      new Intl.DisplayNames("en", { type: "language", languageDisplay }).of(code)?.toLowerCase()
    )
  )
)

/** True if a text is the English name of a language, or of its base language. */
export const isNameOf = (text: string, language: string): boolean =>
  Option.exists(englishNames(tagOf(language)), (names) => names.includes(text.toLowerCase()))
