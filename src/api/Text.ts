/**
 * Text translation: the request, the result, and how text is counted and billed.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as JSONSchema from "effect/JSONSchema"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as AnswerLimit from "./AnswerLimit.js"
import { BodyLimit } from "./BodyLimit.js"
import * as checks from "./internal/checks.js"
import * as parameters from "./internal/parameters.js"
import * as wire from "./internal/wire.js"
import * as LanguageCode from "./LanguageCode.js"
import * as Limits from "./Limits.js"

/**
 * Counts characters as the service limits and bills them: Unicode code points. A lone surrogate counts as one.
 *
 * Source: wire facts, Text.
 *
 * @since 0.1.0
 * @category codecs
 */
export const characters: (text: string) => number = checks.characters

/**
 * The formality of the translation. `more` and `less` fail on a target language without formality; the `prefer_` forms
 * fall back to `default`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Formality = Schema.Literal("default", "more", "less", "prefer_more", "prefer_less")

/**
 * The formality of the translation.
 *
 * @since 0.1.0
 * @category models
 */
export type Formality = typeof Formality.Type

/**
 * Which models translate.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ModelType = Schema.Literal("latency_optimized", "quality_optimized", "prefer_quality_optimized")

/**
 * Which models translate.
 *
 * @since 0.1.0
 * @category models
 */
export type ModelType = typeof ModelType.Type

/**
 * The target languages that take the formality `more` or `less`; the `prefer_` forms work with any.
 *
 * Source: service specification, Endpoints, Text translation, "formality".
 *
 * @since 0.1.0
 * @category constants
 */
export const formalityTargets: ReadonlyArray<string> = [
  "de",
  "fr",
  "it",
  "es",
  "es-419",
  "nl",
  "pl",
  "pt-BR",
  "pt-PT",
  "ja",
  "ru"
]

const customInstruction = checks.text(
  Limits.translateCustomInstructionCharacters,
  "shorten it or split it in two"
)

const tags = Schema.Array(Schema.String)

/** The fields of a request other than the texts, in the order of the specification's table. */
const knownFields = {
  /** The language to translate into; any casing. */
  targetLang: Schema.propertySignature(LanguageCode.TargetLanguage).pipe(Schema.fromKey("target_lang")),
  /** The language of the texts; any casing. @default detected by the service, for each text */
  sourceLang: wire.optional(LanguageCode.SourceLanguage, "source_lang"),
  /** Helps the translation of every text, is itself not translated and not billed. @default none */
  context: Schema.optional(Schema.String),
  /** @default "latency_optimized" */
  modelType: wire.optional(ModelType, "model_type"),
  /** Where sentences are split; next-gen models ignore it. @default "1", with tagHandling html "nonewlines" */
  splitSentences: wire.optional(Schema.Literal("0", "1", "nonewlines"), "split_sentences"),
  /** Keeps punctuation at the ends and upper or lower case at the start of sentences. @default false */
  preserveFormatting: wire.optional(Schema.Boolean, "preserve_formatting"),
  /** The formality of the translation. @default "default" */
  formality: Schema.optional(Formality),
  /** A glossary of this language pair; needs `sourceLang`, unless the kind of service takes it without. @default none */
  glossaryId: wire.optional(parameters.id, "glossary_id"),
  /** Up to 5 glossaries, instead of `glossaryId`; `sourceLang` as there. @default none */
  glossaryIds: wire.optional(parameters.glossaries, "glossary_ids"),
  /** A style rule list of the target language; not with `latency_optimized`. @default none */
  styleId: wire.optional(parameters.id, "style_id"),
  /** Up to 10 instructions of up to 300 characters; not with `latency_optimized`. @default none */
  customInstructions: wire.optional(
    checks.list(customInstruction, Limits.translateCustomInstructions, "merge or drop some"),
    "custom_instructions"
  ),
  /** A translation memory (UUID); not with `latency_optimized`. @default none */
  translationMemoryId: wire.optional(parameters.translationMemory, "translation_memory_id"),
  /** The least match of the translation memory in percent, 0 to 100. @default 75 */
  translationMemoryThreshold: wire.optional(parameters.threshold, "translation_memory_threshold"),
  /** Adds `billedCharacters` to each translation. @default false */
  showBilledCharacters: wire.optional(Schema.Boolean, "show_billed_characters"),
  /** Treats the texts as marked-up. @default plain text */
  tagHandling: wire.optional(Schema.Literal("xml", "html"), "tag_handling"),
  /** `v2` works with next-gen models only; not with `latency_optimized`. @default "v1" */
  tagHandlingVersion: wire.optional(Schema.Literal("v1", "v2"), "tag_handling_version"),
  /** Detects the XML structure by itself. @default true */
  outlineDetection: wire.optional(Schema.Boolean, "outline_detection"),
  /** XML tags that never split sentences. @default none */
  nonSplittingTags: wire.optional(tags, "non_splitting_tags"),
  /** XML tags that always split sentences. @default none */
  splittingTags: wire.optional(tags, "splitting_tags"),
  /** XML tags whose content is not translated. @default none */
  ignoreTags: wire.optional(tags, "ignore_tags"),
  /**
   * Has no effect any more. @default false
   *
   * @deprecated by the service.
   */
  enableBetaLanguages: wire.optional(
    Schema.Boolean.annotations({ jsonSchema: { type: "boolean", deprecated: true } }),
    "enable_beta_languages"
  )
}

/**
 * The fields of a request other than the texts.
 *
 * @since 0.1.0
 * @category schemas
 */
export const optionFields = { ...knownFields, ...parameters.extra }

const instructedLanguages = ["de", "en", "es", "fr", "it", "ja", "ko", "zh"]

const isInstructed = ({ customInstructions }: Partial<TranslateOptions>): boolean =>
  Array.isArray(customInstructions) && customInstructions.length > 0

/** The rules between fields, each as the specification states it in its table of parameters. */
const conflicts = (request: TranslateOptions): ReadonlyArray<Schema.FilterIssue> => {
  const found: Array<Schema.FilterIssue> = []
  if (isInstructed(request) && !instructedLanguages.includes(LanguageCode.base(request.targetLang))) {
    found.push({
      path: ["customInstructions"],
      message: `don't work with \`targetLang\` "${request.targetLang}": drop them or translate into ${instructedLanguages.join(", ")} or a variant of these`
    })
  }
  return found.concat(parameters.glossaryProblems(request))
}

/**
 * The options of a translation: a request without its texts. Lengths in characters are code points.
 *
 * Source: service specification, Endpoints, Text translation, table of parameters.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TranslateOptions = parameters.withExtra(
  "TranslateOptions",
  Schema.Struct(knownFields),
  Schema.Struct(optionFields).pipe(Schema.filter(conflicts))
)

/**
 * The options of a translation: a request without its texts.
 *
 * @since 0.1.0
 * @category models
 */
export interface TranslateOptions extends Schema.Struct.Type<typeof optionFields> {}

const requestTexts = checks
  .texts({ maxItems: Limits.translateTexts })
  .pipe(
    Schema.filter(
      checks.atMost(Limits.translateTexts, "send several requests, or let TranslateStream pack them")
    )
  )

/**
 * A translation request: 1 to 50 texts and their options, in at most 131,072 bytes of JSON. Each text is translated
 * independently of the others.
 *
 * Source: service specification, Endpoints, Text translation.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TranslateRequest = parameters.withExtra(
  "TranslateRequest",
  Schema.Struct({ text: requestTexts, ...knownFields }),
  Schema.Struct({ text: requestTexts, ...optionFields }).pipe(Schema.filter(conflicts))
)

/**
 * A translation request.
 *
 * @since 0.1.0
 * @category models
 */
export interface TranslateRequest extends Schema.Schema.Type<typeof TranslateRequest> {}

/**
 * The translation of one text.
 *
 * Source: service specification, Resources, "Translation result".
 *
 * @since 0.1.0
 * @category schemas
 */
export const Translation = Schema.Struct({
  text: Schema.String,
  /** The source language, as given or detected. */
  detectedSourceLanguage: wire.hint(LanguageCode.LanguageCode, "detected_source_language"),
  /** Billed code points; there if `showBilledCharacters` was set. */
  billedCharacters: wire.hint(Schema.Number, "billed_characters"),
  /** The model that was used; there if `modelType` was set. */
  modelTypeUsed: wire.hint(Schema.String, "model_type_used"),
  /** The version of tag handling that was used; the public service says it of texts with `tagHandling`. */
  tagHandlingVersion: wire.hint(Schema.String, "tag_handling_version")
})

/**
 * The translation of one text.
 *
 * @since 0.1.0
 * @category models
 */
export interface Translation extends Schema.Schema.Type<typeof Translation> {}

/**
 * The answer to a translation request, as a plain schema. {@link TranslateResult} decodes the same by hand, which is faster.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TranslateResultDeclared = Schema.Struct({ translations: Schema.NonEmptyArray(Translation) })

/**
 * The answer to a translation request: one translation for each text, in the order of the texts.
 *
 * @since 0.1.0
 * @category models
 */
export interface TranslateResult {
  readonly translations: readonly [Translation, ...Array<Translation>]
}

/**
 * Decodes one item. It takes a twentieth of the time of the declared schema: a stream takes 1.30 times the CPU with that.
 * A property test holds them equal.
 */
const decodeTranslation = (item: unknown): Translation | undefined => {
  if (typeof item !== "object" || item === null) return undefined
  const answer = item as { readonly [K in keyof typeof Translation.Encoded]: unknown }
  const {
    billed_characters: billed,
    detected_source_language: language,
    model_type_used: model,
    tag_handling_version: tagVersion,
    text
  } = answer
  if (typeof text !== "string") return undefined
  const translation: { -readonly [K in keyof Translation]: Translation[K] } = { text }
  if (typeof language === "string") translation.detectedSourceLanguage = LanguageCode.canonical(language)
  if (typeof billed === "number") translation.billedCharacters = billed
  if (typeof model === "string") translation.modelTypeUsed = model
  if (typeof tagVersion === "string") translation.tagHandlingVersion = tagVersion
  return translation
}

const decodeResult = (body: unknown): TranslateResult | undefined => {
  const items =
    typeof body === "object" && body !== null ? (body as { translations?: unknown }).translations : undefined
  if (!Array.isArray(items) || items.length === 0) return undefined
  const translations: Array<Translation> = []
  for (const item of items) {
    const translation = decodeTranslation(item)
    if (translation === undefined) return undefined
    translations.push(translation)
  }
  return { translations: translations as [Translation, ...Array<Translation>] }
}

/**
 * The answer to a translation request. Unknown fields and new values are accepted. Fields that are unknown are not kept, as those of other
 * answers are in their `extra`: to look for them in each text takes a tenth of the time of parsing.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TranslateResult: Schema.Schema<TranslateResult, typeof TranslateResultDeclared.Encoded> =
  Schema.declare(
    [],
    {
      decode: () => (body, _, ast) => {
        const result = decodeResult(body)
        return result === undefined
          ? ParseResult.fail(new ParseResult.Type(ast, undefined, "holds no list of translations"))
          : ParseResult.succeed(result)
      },
      encode: () => (result, options) => ParseResult.encodeUnknown(TranslateResultDeclared)(result, options)
    },
    { identifier: "TranslateResult", jsonSchema: JSONSchema.make(TranslateResultDeclared) as object }
  )

/**
 * `POST /v2/translate`, as far as programs need it that only translate: `TextApi` has the whole endpoint.
 *
 * Source: service specification, Endpoints, Text translation.
 *
 * @since 0.1.0
 * @category contract
 */
export const translateText = {
  method: "POST",
  path: "/v2/translate",
  annotations: Context.make(BodyLimit, Limits.translateBodyBytes).pipe(
    Context.add(AnswerLimit.AnswerLimit, AnswerLimit.ofTexts)
  )
} as const
