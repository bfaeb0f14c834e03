/**
 * Text improvement: texts rephrased or corrected in their own language.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Schema from "effect/Schema"
import * as AnswerLimit from "./AnswerLimit.js"
import { BodyLimit } from "./BodyLimit.js"
import { FormBody } from "./FormBody.js"
import * as checks from "./internal/checks.js"
import * as parameters from "./internal/parameters.js"
import * as wire from "./internal/wire.js"
import * as LanguageCode from "./LanguageCode.js"
import * as Limits from "./Limits.js"
import * as ServiceKind from "./ServiceKind.js"

/**
 * The languages that texts are improved in, open to new ones.
 *
 * Source: service specification, Endpoints, Text improvement, target_lang.
 *
 * @since 0.1.0
 * @category models
 */
export type TargetLanguage = (typeof ServiceKind.specification.writeTargets)[number] | (string & {})

/**
 * The language that texts are improved in; any casing.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TargetLanguage: Schema.Schema<TargetLanguage, string> = LanguageCode.TargetLanguage

/**
 * The languages that take a writing style or a tone.
 *
 * Source: service specification, Endpoints, Text improvement, writing_style.
 *
 * @since 0.1.0
 * @category constants
 */
export const styledLanguages: ReadonlyArray<TargetLanguage> = [
  "de",
  "en-GB",
  "en-US",
  "es",
  "fr",
  "it",
  "pt-BR",
  "pt-PT"
]

/**
 * The writing styles that are known, each but `default` also with the prefix `prefer_`. The service may add new
 * ones, which are accepted.
 *
 * Source: wire facts, Text.
 *
 * @since 0.1.0
 * @category schemas
 */
export const WritingStyle = wire.open(
  "default",
  "academic",
  "business",
  "casual",
  "simple",
  "prefer_academic",
  "prefer_business",
  "prefer_casual",
  "prefer_simple"
)

/**
 * A writing style.
 *
 * @since 0.1.0
 * @category models
 */
export type WritingStyle = typeof WritingStyle.Type

/**
 * The tones that are known, each but `default` also with the prefix `prefer_`. The service may add new ones, which are accepted.
 *
 * Source: wire facts, Text.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Tone = wire.open(
  "default",
  "confident",
  "diplomatic",
  "enthusiastic",
  "friendly",
  "prefer_confident",
  "prefer_diplomatic",
  "prefer_enthusiastic",
  "prefer_friendly"
)

/**
 * A tone.
 *
 * @since 0.1.0
 * @category models
 */
export type Tone = typeof Tone.Type

const knownOfCorrect = {
  /**
   * The language of the texts; any casing. A different variant converts the texts to it. If it is left out, one request
   * may hold texts of several languages. @default detected by the service, for each text
   */
  targetLang: wire.optional(TargetLanguage, "target_lang")
}

const knownOfRephrase = {
  ...knownOfCorrect,
  /** The style to write in; not with `tone`. A `prefer_` style falls back to `default`. @default "default" */
  writingStyle: wire.optional(WritingStyle, "writing_style"),
  /** The tone to write in; not with `writingStyle`. A `prefer_` tone falls back to `default`. @default "default" */
  tone: Schema.optional(Tone)
}

/**
 * The fields of a correction other than the texts.
 *
 * @since 0.1.0
 * @category schemas
 */
export const correctFields = { ...knownOfCorrect, ...parameters.extra }

/**
 * The fields of a rephrasing other than the texts.
 *
 * @since 0.1.0
 * @category schemas
 */
export const rephraseFields = { ...knownOfRephrase, ...parameters.extra }

/**
 * True if a language without styles and tones refuses this one: `default` and `prefer_` values are accepted everywhere.
 *
 * Source: service specification, Endpoints, Text improvement, writing_style.
 *
 * @since 0.1.0
 * @category guards
 */
export const isDemand = (value: string | undefined): boolean =>
  value !== undefined && value !== "default" && !value.startsWith("prefer_")

/** A language that the specification lists, but not for styles. Of others the service says which values they take. */
const isUnstyled = (code: string): boolean => specified.includes(code) && !styledLanguages.includes(code)

const specified: ReadonlyArray<string> = ServiceKind.specification.writeTargets

/** The rules between fields, each as the specification states it. */
const conflicts = ({
  targetLang,
  tone,
  writingStyle
}: RephraseOptions): ReadonlyArray<Schema.FilterIssue> => {
  const found: Array<Schema.FilterIssue> = []
  if (writingStyle !== undefined && tone !== undefined) {
    found.push({ path: ["tone"], message: "can't be combined with `writingStyle`: give one of them" })
  }
  if (targetLang !== undefined && isUnstyled(LanguageCode.canonical(targetLang))) {
    const message = `does not work with \`targetLang\` "${targetLang}", only with ${styledLanguages.join(", ")}: put prefer_ in front of it, which falls back to "default" there, or drop it`
    if (isDemand(writingStyle)) found.push({ path: ["writingStyle"], message })
    if (isDemand(tone)) found.push({ path: ["tone"], message })
  }
  return found
}

/**
 * The options of rephrasing: a request without its texts.
 *
 * Source: service specification, Endpoints, Text improvement.
 *
 * @since 0.1.0
 * @category schemas
 */
export const RephraseOptions = parameters.withExtra(
  "RephraseOptions",
  Schema.Struct(knownOfRephrase),
  Schema.Struct(rephraseFields).pipe(Schema.filter(conflicts))
)

/**
 * The options of rephrasing: a request without its texts.
 *
 * @since 0.1.0
 * @category models
 */
export interface RephraseOptions extends Schema.Struct.Type<typeof rephraseFields> {}

/**
 * The options of correction: a request without its texts.
 *
 * Source: service specification, Endpoints, Text improvement.
 *
 * @since 0.1.0
 * @category schemas
 */
export const CorrectOptions = parameters.withExtra(
  "CorrectOptions",
  Schema.Struct(knownOfCorrect),
  Schema.Struct(correctFields)
)

/**
 * The options of correction: a request without its texts.
 *
 * @since 0.1.0
 * @category models
 */
export interface CorrectOptions extends Schema.Schema.Type<typeof CorrectOptions> {}

/** On the wire, one text may be a string. */
const requestTexts = checks.texts({ type: ["array", "string"] })

/**
 * A request to rephrase: texts and their options, in at most 10,240 bytes of JSON.
 *
 * Source: service specification, Endpoints, Text improvement.
 *
 * @since 0.1.0
 * @category schemas
 */
export const RephraseRequest = parameters.withExtra(
  "RephraseRequest",
  Schema.Struct({ text: requestTexts, ...knownOfRephrase }),
  Schema.Struct({ text: requestTexts, ...rephraseFields }).pipe(Schema.filter(conflicts))
)

/**
 * A request to rephrase.
 *
 * @since 0.1.0
 * @category models
 */
export interface RephraseRequest extends Schema.Schema.Type<typeof RephraseRequest> {}

/**
 * A request to correct: texts and their language, in at most 10,240 bytes of JSON.
 *
 * Source: service specification, Endpoints, Text improvement.
 *
 * @since 0.1.0
 * @category schemas
 */
export const CorrectRequest = parameters.withExtra(
  "CorrectRequest",
  Schema.Struct({ text: requestTexts, ...knownOfCorrect }),
  Schema.Struct({ text: requestTexts, ...correctFields })
)

/**
 * A request to correct.
 *
 * @since 0.1.0
 * @category models
 */
export interface CorrectRequest extends Schema.Schema.Type<typeof CorrectRequest> {}

/**
 * The improvement of one text.
 *
 * Source: service specification, Resources, "Write improvement".
 *
 * @since 0.1.0
 * @category schemas
 */
export const Improvement = wire.record({
  /** The improved text. */
  text: Schema.String,
  /** The target language, as given. */
  targetLanguage: wire.hint(LanguageCode.LanguageCode, "target_language"),
  /** The language of the text, as detected. */
  detectedSourceLanguage: wire.hint(LanguageCode.LanguageCode, "detected_source_language")
})

/**
 * The improvement of one text.
 *
 * @since 0.1.0
 * @category models
 */
export interface Improvement extends Schema.Schema.Type<typeof Improvement> {}

/**
 * The answer to a request: one improvement for each text, in the order of the texts.
 *
 * Source: service specification, Resources, "Write improvement".
 *
 * @since 0.1.0
 * @category schemas
 */
export const ImproveResult = wire.named("ImproveResult", {
  improvements: Schema.NonEmptyArray(Improvement)
})

/**
 * The answer to a request: one improvement for each text, in the order of the texts.
 *
 * @since 0.1.0
 * @category models
 */
export interface ImproveResult extends Schema.Schema.Type<typeof ImproveResult> {}

/**
 * `POST /v2/write/rephrase`.
 *
 * Source: service specification, Endpoints, Text improvement.
 *
 * @since 0.1.0
 * @category contract
 */
export const rephrase = HttpApiEndpoint.post("rephrase", "/v2/write/rephrase")
  .setPayload(RephraseRequest)
  .addSuccess(ImproveResult)
  .annotate(BodyLimit, Limits.writeBodyBytes)
  .annotate(AnswerLimit.AnswerLimit, AnswerLimit.ofTexts)
  .annotate(FormBody, true)

/**
 * `POST /v2/write/correct`.
 *
 * Source: service specification, Endpoints, Text improvement.
 *
 * @since 0.1.0
 * @category contract
 */
export const correct = HttpApiEndpoint.post("correct", "/v2/write/correct")
  .setPayload(CorrectRequest)
  .addSuccess(ImproveResult)
  .annotate(BodyLimit, Limits.writeBodyBytes)
  .annotate(AnswerLimit.AnswerLimit, AnswerLimit.ofTexts)
  .annotate(FormBody, true)

/**
 * The endpoints of text improvement.
 *
 * @since 0.1.0
 * @category contract
 */
export const group = HttpApiGroup.make("write").add(rephrase).add(correct)
