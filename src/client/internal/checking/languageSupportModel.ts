import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Document from "../../../api/Document.js"
import type * as Language from "../../../api/Language.js"
import type * as LanguageCode from "../../../api/LanguageCode.js"
import type * as Text from "../../../api/Text.js"
import type * as Write from "../../../api/Write.js"
import type { CallError, NotFound, Unauthorized } from "../../TranslateError.js"

/**
 * The languages of a translation, in any casing. A variant that is not listed counts as its base language.
 *
 * @since 0.1.0
 * @category models
 */
export interface Pair {
  /** The source language. @default detected by the service, and not checked */
  readonly sourceLang?: LanguageCode.SourceLanguage | undefined
  /** The target language. */
  readonly targetLang: LanguageCode.TargetLanguage
}

/**
 * Options for checking a request.
 *
 * @since 0.1.0
 * @category models
 */
export interface CheckSettings {
  /**
   * The treatment of `more` and `less` for a target without formality: `fail`, or use `prefer_more` and `prefer_less`,
   * which the service ignores there. @default "fail"
   */
  readonly onUnsupportedFormality?: "fail" | "prefer" | undefined
}

/**
 * Options of a translation that were checked. Only `formality` may differ.
 *
 * @since 0.1.0
 * @category models
 */
export type Checked<O extends Pick<Text.TranslateOptions, "formality">> = Omit<O, "formality"> &
  Pick<Text.TranslateOptions, "formality">

/**
 * Answers from the listings of the service. A listing is fetched when it is first needed, once for all callers, and then
 * cached. Failures are not cached.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** The languages of a resource, as `languages.list` of the client. */
  readonly languages: (query: Language.Query) => Effect.Effect<ReadonlyArray<Language.Language>, CallError>
  /** The resources, as `languages.resources` of the client. */
  readonly resources: Effect.Effect<ReadonlyArray<Language.Resource>, CallError>
  /** The source languages of a resource. */
  readonly sources: (query: Language.Query) => Effect.Effect<ReadonlyArray<Language.Language>, CallError>
  /** The target languages of a resource. */
  readonly targets: (query: Language.Query) => Effect.Effect<ReadonlyArray<Language.Language>, CallError>
  /** The targets that accept formality. */
  readonly formalityTargets: (
    query: Language.Query
  ) => Effect.Effect<ReadonlyArray<Language.Language>, CallError>
  /** Returns `true` if a resource works for a pair. */
  readonly supports: (query: Language.Query, pair: Pair) => Effect.Effect<boolean, CallError>
  /**
   * Returns `true` if a feature of a resource is available for a pair: each side that the feature needs lists it.
   *
   * Source: service specification, Resources, "Language resource (v3)".
   */
  readonly supportsFeature: (
    query: Language.Query,
    feature: Language.ResourceFeature["name"],
    pair: Pair
  ) => Effect.Effect<boolean, CallError>
  /**
   * Checks the options of text translations before anything is sent: the languages and their formality, the models that a
   * target in beta allows, and the pair's support of tag handling, glossaries, style rules and custom instructions.
   * Languages and features in beta and of third parties count. Glossaries and style rule lists are fetched, and not cached:
   * they must exist, and be for these languages.
   *
   * A question that the service leaves open, as the key lacks the scope for a listing or a gateway has no such endpoint
   * (403, 404), is not checked: see `onUnknown`.
   *
   * Returns the options to use. Fails with an `InvalidRequest` that lists all problems, or with the error of a request.
   */
  readonly check: <O extends Text.TranslateOptions>(
    options: O,
    settings?: CheckSettings
  ) => Effect.Effect<Checked<O>, CallError>
  /** Checks the options of documents as `check` does those of texts, by the listing of documents. */
  readonly checkDocument: <O extends Document.UploadOptions>(
    options: O,
    settings?: CheckSettings
  ) => Effect.Effect<Checked<O>, CallError>
  /** Checks the options of text improvement: the language, and its writing styles and tones. */
  readonly checkWrite: (options: Write.RephraseOptions) => Effect.Effect<void, CallError>
}

/**
 * A question that a check could not answer: a listing, a glossary or a style rule list that this key may not read, or
 * that a gateway does not have. The options are used as they are, and the service refuses those that it does not take.
 *
 * @since 0.1.0
 * @category models
 */
export interface Unknown {
  /** The answer: 403 or 404. */
  readonly error: Unauthorized | NotFound
  /** The part that is not checked, and the reason, for people. */
  readonly message: string
}

/**
 * Options for caching listings, and for reporting those that the service does not give.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The time for which a listing is cached. @default "1 hour" */
  readonly ttl?: Duration.DurationInput | undefined
  /** Told once for each path that checks could not find something out by. @default a warning in the log */
  readonly onUnknown?: ((unknown: Unknown) => Effect.Effect<void>) | undefined
}
