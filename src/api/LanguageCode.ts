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
 * The targets of text translation that are in beta: characters translated into them are not billed.
 *
 * Source: service specification, Resources, "Language item (v2)"; wire facts, Text.
 *
 * @since 0.1.0
 * @category constants
 */
export const betaTargets: ReadonlyArray<string> = ["de-CH", "fr-CA"]

// Without the flag `i`: patterns of JSON Schema have no flags.
const wellFormed = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/

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
export const base = (code: string): string => canonical(code).split("-", 1)[0]!

const requested = <A extends string>(
  role: string,
  example: string,
  encode = canonical
): Schema.Schema<A, string> =>
  Schema.transform(
    Schema.String,
    Schema.String.pipe(
      Schema.pattern(wellFormed, {
        message: () => `is no language code: write the ${role} language as BCP 47, such as ${example}`
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
export const VoiceLanguage: Schema.Schema<SourceLanguage | TargetLanguage, string> = requested(
  "spoken or translated",
  '"de" or "en-GB"',
  asVoice
)

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
