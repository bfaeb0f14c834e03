/**
 * The emulator's answer instead of an improvement: the text itself, marked with the requested style, so that people
 * recognise it and tests predict it.
 *
 * @since 0.1.0
 */
import * as LanguageCode from "../api/LanguageCode.js"
import * as Write from "../api/Write.js"
import { mapTrimmed } from "./internal/pseudoTranslation.js"

const mark = (text: string, ...words: ReadonlyArray<string | undefined>): string =>
  mapTrimmed(text, (trimmed) => `[${words.filter((word) => word !== undefined).join(" ")}] ${trimmed}`)

/** The style or tone that applies: `prefer_` falls back where there are none. */
const applied = (value: string | undefined, language: string | undefined): string | undefined => {
  if (value === undefined || value === "default") return undefined
  if (!value.startsWith("prefer_")) return value
  return language === undefined || Write.styledLanguages.includes(language)
    ? value.slice("prefer_".length)
    : undefined
}

/**
 * Marks a text as rephrased: `hello` with the target `en-gb` and the style `business` becomes
 * `[rephrased en-GB business] hello`. A `prefer_` value appears without its prefix, and only where it applies.
 * Surrounding whitespace stays as it is; a blank text stays blank.
 *
 * @since 0.1.0
 * @category codecs
 */
export const rephrase = (text: string, options: Write.RephraseOptions = {}): string => {
  const language = options.targetLang === undefined ? undefined : LanguageCode.canonical(options.targetLang)
  return mark(text, "rephrased", language, applied(options.writingStyle ?? options.tone, language))
}

/**
 * Marks a text as corrected: `hello` with the target `en-gb` becomes `[corrected en-GB] hello`. Surrounding whitespace
 * stays as it is; a blank text stays blank.
 *
 * @since 0.1.0
 * @category codecs
 */
export const correct: (text: string, options?: Write.CorrectOptions) => string = (
  text,
  { targetLang } = {}
) => mark(text, "corrected", targetLang === undefined ? undefined : LanguageCode.canonical(targetLang))
