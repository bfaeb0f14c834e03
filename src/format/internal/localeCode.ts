import * as Option from "effect/Option"
import * as LanguageCode from "../../api/LanguageCode.js"

/**
 * A platform's spelling of codes: `bcp47` is `pt-BR`, `zh-Hant`; `underscore` is `pt_BR`, `zh_Hant`; `lower` and
 * `lowerUnderscore` are `pt-br` and `pt_br`; `android` is `pt-rBR`, `b+zh+Hant`, and the older `iw`, `in` and `ji` for
 * Hebrew, Indonesian and Yiddish, which all versions of Android read.
 *
 * @since 0.1.0
 * @category models
 */
export type Style = "bcp47" | "underscore" | "lower" | "lowerUnderscore" | "android"

/** Codes that were given up or that say no script, and those of the service. */
const modern: Readonly<Record<string, string>> = {
  iw: "he",
  in: "id",
  ji: "yi",
  no: "nb",
  "zh-CN": "zh-Hans",
  "zh-TW": "zh-Hant"
}

const androidBases: Readonly<Record<string, string>> = { he: "iw", id: "in", yi: "ji" }

const scripts: Readonly<Record<string, string>> = { latin: "Latn", cyrillic: "Cyrl", devanagari: "Deva" }

const isName = Option.liftThrowable(
  (code: string) => new Intl.DisplayNames("en", { type: "language", fallback: "none" }).of(code) !== undefined
)

/** Words of two or three letters are in paths as well. */
const isLanguage = (base: string): boolean =>
  LanguageCode.known.includes(base) || Option.getOrElse(isName(base), () => false)

const wellFormed = /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?(-[a-z0-9]{5,8})*$/i

/**
 * The code of the service for one that a platform writes: `pt-BR` for `pt_BR`, `pt-br` and `pt-rBR`, `sr-Latn` for `b+sr+Latn` and
 * `sr@latin`, `zh-Hant` for `zh_TW`. `undefined` if it is no code of a language that is known.
 */
export const fromCode = (code: string): string | undefined => {
  const [plain, modifier] = code.split("@")
  const tag = plain!
    .replace(/^b\+/, "")
    .replace(/\.[\w-]+$/, "")
    .replace(/^([a-z]{2,3})-r(?=[A-Z]{2}$)/, "$1-")
    .replace(/[_+]/g, "-")
  const [base, ...rest] = tag.split("-")
  const script = modifier === undefined ? [] : [scripts[modifier.toLowerCase()] ?? modifier]
  const whole = [base, ...script, ...rest].join("-")
  // `values-car` is for cars.
  if (!wellFormed.test(whole) || tag === "car") return undefined
  const canonical = LanguageCode.canonical(whole)
  if (!isLanguage(LanguageCode.base(canonical))) return undefined
  return modern[canonical] ?? canonical.replace(/^[a-z]+/, (language) => modern[language] ?? language)
}

/**
 * A code in the style of a platform.
 */
export const toCode = (lang: string, style: Style): string => {
  const code = LanguageCode.canonical(lang.replaceAll("_", "-"))
  switch (style) {
    case "bcp47":
      return code
    case "underscore":
      return code.replaceAll("-", "_")
    case "lower":
      return code.toLowerCase()
    case "lowerUnderscore":
      return code.toLowerCase().replaceAll("-", "_")
    case "android": {
      const [base, ...rest] = code.split("-")
      const language = androidBases[base!] ?? base!
      if (rest.length === 0) return language
      return rest.length === 1 && /^[A-Z]{2}$/.test(rest[0]!)
        ? `${language}-r${rest[0]}`
        : `b+${[base, ...rest].join("+")}`
    }
  }
}
