/**
 * Language codes: any casing is accepted and becomes BCP 47 casing, and so are codes that do not exist yet.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/** Listed both as source and as target. */
type Common =
  | "ar"
  | "bg"
  | "cs"
  | "da"
  | "de"
  | "el"
  | "es"
  | "et"
  | "fi"
  | "fr"
  | "hu"
  | "id"
  | "it"
  | "ja"
  | "ko"
  | "lt"
  | "lv"
  | "nb"
  | "nl"
  | "pl"
  | "ro"
  | "ru"
  | "sk"
  | "sl"
  | "sv"
  | "tr"
  | "uk"
  | "zh"

/**
 * The source languages that the specification lists, open to new ones.
 *
 * Source: service specification, Resources, "Language item (v2)", source listing.
 *
 * @since 0.1.0
 * @category models
 */
export type SourceLanguage = Common | "en" | "he" | "pt" | "th" | "vi" | (string & {})

/**
 * The target languages that the specification lists, open to new ones.
 *
 * Source: service specification, Resources, "Language item (v2)", target listing.
 *
 * @since 0.1.0
 * @category models
 */
export type TargetLanguage =
  | Common
  | "de-CH"
  | "en-GB"
  | "en-US"
  | "es-419"
  | "fr-CA"
  | "pt-BR"
  | "pt-PT"
  | "zh-Hans"
  | "zh-Hant"
  | (string & {})

/**
 * The codes that the specification lists as sources or targets.
 *
 * Source: service specification, Resources, "Language item (v2)".
 *
 * @since 0.1.0
 * @category constants
 */
export const known: ReadonlyArray<string> =
  "ar bg cs da de de-CH el en en-GB en-US es es-419 et fi fr fr-CA he hu id it ja ko lt lv nb nl pl pt pt-BR pt-PT ro ru sk sl sv th tr uk vi zh zh-Hans zh-Hant".split(
    " "
  )

/**
 * The form of a code, of languages that do not exist yet too. Without the flag `i`: patterns of JSON Schema have no flags.
 *
 * @since 0.1.0
 * @category constants
 */
export const wellFormed = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/

const canonicalSubtag = (subtag: string, index: number): string => {
  if (index === 0) return subtag.toLowerCase()
  if (/^[a-z]{4}$/i.test(subtag)) return subtag.charAt(0).toUpperCase() + subtag.slice(1).toLowerCase()
  return subtag.length === 2 ? subtag.toUpperCase() : subtag.toLowerCase()
}

/**
 * Puts a code into BCP 47 casing: lowercase base, title-case script, uppercase region.
 *
 * Source: service specification, Versioning, 4.
 *
 * @since 0.1.0
 * @category codecs
 */
export const canonical = (code: string): string =>
  code.includes("-") ? code.split("-").map(canonicalSubtag).join("-") : code.toLowerCase()

/**
 * The base language of a code: `en` of `en-US`.
 *
 * @since 0.1.0
 * @category codecs
 */
export const base = (code: string): string => code.split("-", 1)[0]!.toLowerCase()

/** Codes of macro languages and of older standards, and those of the service. */
const renamed: { readonly [base: string]: ReadonlyArray<string> } = {
  in: ["id"],
  iw: ["he"],
  nn: ["nb"],
  no: ["nb"]
}

/** Languages whose targets are their variants. */
const split: { readonly [base: string]: ReadonlyArray<string> } = {
  en: ["en-GB", "en-US"],
  pt: ["pt-PT", "pt-BR"]
}

/** Variants of a language, by the text behind the base: the first pattern that fits gives the target to write. */
const variants: { readonly [base: string]: ReadonlyArray<readonly [RegExp, string]> } = {
  es: [[/^-(?!ES$)[A-Z]{2}$/, "es-419"]],
  zh: [
    [/^-Hant|-(TW|HK|MO)$/, "zh-Hant"],
    [/^-/, "zh-Hans"]
  ]
}

/** The code of a language that is written by its English name, or with an underscore: `en` of `English`, `pt-BR` of `pt_BR`. */
const codeOf = (written: string): string => {
  const hyphenated = written.replaceAll("_", "-")
  if (wellFormed.test(hyphenated)) return canonical(hyphenated)
  const names = new Intl.DisplayNames("en", { type: "language" })
  return known.find((code) => names.of(code)?.toLowerCase() === written.toLowerCase()) ?? written
}

/**
 * The codes to write in place of one that the specification does not list: `zh-Hant` for `zh-TW`, `de` for `de-AT`, `nb` for `no`, `en` for
 * `English`; as a target `en-GB` and `en-US` for `en`. None for a listed code, and none for a language that is unknown here. A source may have
 * any region.
 *
 * Source: service specification, Resources, "Language item (v2)".
 *
 * @since 0.1.0
 * @category codecs
 */
export const suggested = (written: string, side: "source" | "target"): ReadonlyArray<string> => {
  const code = codeOf(written)
  const language = base(code)
  const right = code === canonical(written) || !wellFormed.test(code) ? [] : [code]
  if (renamed[language] !== undefined) return renamed[language]
  if (side === "source" || (known.includes(code) && split[code] === undefined)) return right
  if (!known.includes(language)) return []
  const variant = variants[language]?.find(([pattern]) => pattern.test(code.slice(language.length)))?.[1]
  return variant === undefined ? (split[language] ?? [language]) : [variant]
}

/**
 * The sentence part that names the codes of {@link suggested}: `write "zh-Hant"`. Empty without any.
 *
 * @since 0.1.0
 * @category codecs
 */
export const advice = (written: string, side: "source" | "target"): string => {
  const found = suggested(written, side).map((code) => JSON.stringify(code))
  return found.length === 0 ? "" : `write ${found.join(" or ")}`
}

const requested = <A extends string>(
  role: string,
  example: string,
  encode = canonical
): Schema.Schema<A, string> =>
  Schema.transform(
    Schema.String,
    Schema.String.pipe(
      Schema.pattern(wellFormed, {
        message: ({ actual }) =>
          `is no language code: ${advice(String(actual), role === "target" ? role : "source") || `write the ${role} language as BCP 47, such as ${example}`}`
      })
    ),
    { strict: true, decode: canonical, encode }
  ).annotations({ jsonSchema: { type: "string", pattern: wellFormed.source } }) as unknown as Schema.Schema<
    A,
    string
  >

/**
 * The source language of a request.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SourceLanguage: Schema.Schema<SourceLanguage, string> = requested("source", '"en"')

/**
 * The target language of a request.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TargetLanguage: Schema.Schema<TargetLanguage, string> = requested("target", '"de" or "en-GB"')

const asVoice = (code: string): string => {
  const [language, ...subtags] = canonical(code).split("-")
  return [language, ...subtags.map((subtag) => subtag.toUpperCase())].join("-")
}

/**
 * A language of a voice session. Its codes are compared with case: `zh-HANS`, so scripts are sent in upper case.
 *
 * Source: wire facts, voice.
 *
 * @since 0.1.0
 * @category schemas
 */
export const VoiceLanguage: Schema.Schema<SourceLanguage | TargetLanguage, string> =
  /* #__PURE__ */ requested("spoken or translated", '"de" or "en-GB"', asVoice)

/**
 * A language code in an answer: any code is accepted, and put into canonical casing.
 *
 * @since 0.1.0
 * @category schemas
 */
export const LanguageCode: Schema.Schema<string> = Schema.transform(Schema.String, Schema.String, {
  strict: true,
  decode: canonical,
  encode: (code) => code
})
