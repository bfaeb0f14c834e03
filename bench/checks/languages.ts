/** The languages of the benchmark, as codes of the service. */

export const languages = [
  "ar",
  "bg",
  "cs",
  "da",
  "de",
  "el",
  "es",
  "et",
  "fi",
  "fr",
  "he",
  "hi",
  "hu",
  "id",
  "it",
  "ja",
  "ko",
  "lt",
  "lv",
  "nb",
  "nl",
  "pl",
  "pt-BR",
  "pt-PT",
  "ro",
  "ru",
  "sk",
  "sl",
  "sv",
  "th",
  "tr",
  "uk",
  "vi",
  "zh-Hans",
  "zh-Hant"
] as const

export type Language = (typeof languages)[number]

export const isLanguage = (code: string | undefined): code is Language =>
  languages.some((language) => language === code)

/** Codes that catalogues still use. */
const renamed: Record<string, string> = { no: "nb", iw: "he", in: "id" }

const toCode = (tag: string): string | undefined => {
  const { language, region } = new Intl.Locale(tag)
  const likely = new Intl.Locale(tag).maximize()
  if (language === "zh") {
    return likely.region === "CN" ? "zh-Hans" : likely.region === "TW" ? "zh-Hant" : undefined
  }
  // Catalogues mean Portugal where they name no country.
  if (language === "pt") return region === "BR" ? "pt-BR" : region === "PT" || !region ? "pt-PT" : undefined
  const code = renamed[language] ?? language
  return region === undefined || region === new Intl.Locale(code).maximize().region ? code : undefined
}

/** The language of a locale such as `de_DE`; `undefined` for a variety of a country, such as `de_CH`, and for other languages. */
export const languageOf = (locale: string): Language | undefined => {
  const tag = locale.replaceAll("_", "-")
  const code = /^[a-z]{2}(-[a-z]{4})?(-[a-z]{2})?$/i.test(tag) ? toCode(tag) : undefined
  return isLanguage(code) ? code : undefined
}

const scripts = new Map(languages.map((code) => [code, new Intl.Locale(code).maximize().script]))

export const haveSameScript = (one: Language, other: Language): boolean =>
  scripts.get(one) === scripts.get(other)

/** Chinese in both of its scripts is one, and so is Portuguese of both countries. */
export const areVarieties = (one: Language, other: Language): boolean => one.slice(0, 2) === other.slice(0, 2)

/** Whether words are written without spaces between them. */
export const hasNoSpaces = (language: Language): boolean =>
  language === "ja" || language === "th" || language.startsWith("zh")
