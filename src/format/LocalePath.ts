/**
 * Languages in the names of files and folders: `locales/{lang}.json`, `values-{lang}/strings.xml`, `{lang}.lproj`, with the codes
 * that each platform writes.
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as LanguageCode from "../api/LanguageCode.js"

/**
 * A path with `{lang}` where the language is, in one place or several.
 *
 * @since 0.1.0
 * @category models
 */
export type Pattern = `${string}{lang}${string}`

/**
 * How a platform writes codes: `bcp47` is `pt-BR`, `zh-Hant`; `underscore` is `pt_BR`, `zh_Hant`; `lower` and `lowerUnderscore` are
 * `pt-br` and `pt_br`; `android` is `pt-rBR`, `b+zh+Hant`, and the older `iw`, `in` and `ji` for Hebrew, Indonesian and Yiddish, which
 * all versions of Android read.
 *
 * @since 0.1.0
 * @category models
 */
export type Style = "bcp47" | "underscore" | "lower" | "lowerUnderscore" | "android"

/**
 * How codes are written in a path.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /**
   * How codes are written.
   *
   * @default `android` for `values-{lang}`; `underscore` for `.po`, `.mo`, `.arb` and `.properties` files, and folders named
   * `_locales` and `LC_MESSAGES`; else `bcp47`
   */
  readonly style?: Style | undefined
  /** Codes that are written otherwise, such as `{ "zh-Hant": "zh_TW" }`. @default none */
  readonly codes?: Readonly<Record<string, string>> | undefined
}

/**
 * The paths of one file in its languages.
 *
 * @since 0.1.0
 * @category models
 */
export interface LocalePath {
  readonly pattern: Pattern
  readonly style: Style
  /** The path with a wildcard for the language, for a search of files: `locales/*.json`. Check with `match` what it finds. */
  readonly glob: string
  /** The path of the file in a language. */
  readonly path: (lang: string) => string
  /**
   * The language of such a path, as the service writes it; `undefined` if the path is another one, or has no code of a language at
   * that place. Codes in other styles than that of the pattern are read too, except for Android, and `\` as `/`.
   */
  readonly match: (path: string) => string | undefined
}

/**
 * Whether a text has a place for the language.
 *
 * @since 0.1.0
 * @category guards
 */
export const isPattern = (text: string): text is Pattern => text.includes("{lang}")

const styleOf = (pattern: string): Style =>
  /(^|[/\\])values-\{lang\}([/\\]|$)/.test(pattern)
    ? "android"
    : /\.(po|mo|arb|properties)$|(^|[/\\])(_locales|LC_MESSAGES)[/\\]/.test(pattern)
      ? "underscore"
      : "bcp47"

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
 *
 * @since 0.1.0
 * @category codecs
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
 *
 * @since 0.1.0
 * @category codecs
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

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

const normalise = (path: string) => path.replaceAll("\\", "/").replace(/^(\.\/)+/, "")

const regExpOf = (pattern: Pattern): RegExp => {
  const pieces = normalise(pattern).split("{lang}").map(escapeRegExp)
  return new RegExp(`^${pieces[0]}([\\w@+.-]+?)${pieces.slice(1).join("\\1")}$`)
}

/**
 * The paths of a file by a pattern such as `locales/{lang}.json`. If `{lang}` is in it more than once, a path has the same code
 * at all of its places.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (pattern: Pattern, options?: Options): LocalePath => {
  const style = options?.style ?? styleOf(pattern)
  const own = Object.entries(options?.codes ?? {})
  const written = new Map(own.map(([lang, code]) => [LanguageCode.canonical(lang), code]))
  const read = new Map(own.map(([lang, code]) => [code, LanguageCode.canonical(lang)]))
  let regExp: RegExp | undefined
  return {
    pattern,
    style,
    glob: pattern.replaceAll("{lang}", "*"),
    path: (lang) =>
      pattern.replaceAll("{lang}", () => written.get(LanguageCode.canonical(lang)) ?? toCode(lang, style)),
    match: (path) => {
      regExp ??= regExpOf(pattern)
      const code = regExp.exec(normalise(path))?.[1]
      if (code === undefined) return undefined
      // A folder such as `values-de-night` is for a part of the devices.
      const isOther = style === "android" && !/^(b\+.+|[a-z]{2,3}(-r[A-Z]{2})?)$/.test(code)
      return read.get(code) ?? (isOther ? undefined : fromCode(code))
    }
  }
}
