/**
 * What works for which languages, as the service lists it: fetched once, remembered for a while, and asked before
 * anything is sent.
 *
 * @since 0.1.0
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type * as Language from "../api/Language.js"
import type * as LanguageCode from "../api/LanguageCode.js"
import type * as Text from "../api/Text.js"
import * as catalogue from "./internal/catalogue.js"
import * as internal from "./internal/languageSupport.js"
import * as TranslateClient from "./TranslateClient.js"
import type * as TranslateError from "./TranslateError.js"

/**
 * The languages of a translation, in any casing. A variant that is not listed is as its base language.
 *
 * @since 0.1.0
 * @category models
 */
export interface Pair {
  /** The source language. @default detected by the service: nothing is asked of it */
  readonly sourceLang?: LanguageCode.SourceLanguage | undefined
  /** The target language. */
  readonly targetLang: LanguageCode.TargetLanguage
}

/**
 * How a request is checked.
 *
 * @since 0.1.0
 * @category models
 */
export interface CheckSettings {
  /**
   * What to do about `more` and `less` for a target without formality: `fail`, or use `prefer_more` and `prefer_less`,
   * which the service ignores there. @default "fail"
   */
  readonly onUnsupportedFormality?: "fail" | "prefer" | undefined
}

/**
 * The options of a translation that were checked: the same, but for `formality`.
 *
 * @since 0.1.0
 * @category models
 */
export type Checked<O extends Text.TranslateOptions> = Omit<O, "formality"> &
  Pick<Text.TranslateOptions, "formality">

/**
 * Answers from the listings of the service. Each is fetched when it is first needed, by one request for all who ask,
 * and remembered; a failure is not.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** The languages of a resource, as `languages.list` of the client. */
  readonly languages: (
    query: Language.Query
  ) => Effect.Effect<ReadonlyArray<Language.Language>, TranslateError.TranslateError>
  /** The resources, as `languages.resources` of the client. */
  readonly resources: Effect.Effect<ReadonlyArray<Language.Resource>, TranslateError.TranslateError>
  /** The languages of a resource that may be sources. */
  readonly sources: (
    query: Language.Query
  ) => Effect.Effect<ReadonlyArray<Language.Language>, TranslateError.TranslateError>
  /** The languages of a resource that may be targets. */
  readonly targets: (
    query: Language.Query
  ) => Effect.Effect<ReadonlyArray<Language.Language>, TranslateError.TranslateError>
  /** The targets that accept formality. */
  readonly formalityTargets: (
    query: Language.Query
  ) => Effect.Effect<ReadonlyArray<Language.Language>, TranslateError.TranslateError>
  /** Whether a resource works for a pair. */
  readonly supports: (
    query: Language.Query,
    pair: Pair
  ) => Effect.Effect<boolean, TranslateError.TranslateError>
  /**
   * Whether a feature of a resource is available for a pair: each side that the feature needs lists it.
   *
   * Source: service specification, Resources, "Language resource (v3)".
   */
  readonly supportsFeature: (
    query: Language.Query,
    feature: Language.ResourceFeature["name"],
    pair: Pair
  ) => Effect.Effect<boolean, TranslateError.TranslateError>
  /**
   * Checks the options of text translations before anything is sent: that the languages are usable, formality, the
   * model of a target in beta, and whether glossaries, style rules and custom instructions work for the pair. Languages
   * and features in beta and of third parties count. Each glossary and style rule list that is named is looked up, by a
   * request that is not remembered: it must exist, and be for these languages.
   *
   * Returns the options to use. Fails with `InvalidRequest`, which tells all that is wrong, or with what went wrong when
   * the listings were fetched.
   */
  readonly check: <O extends Text.TranslateOptions>(
    options: O,
    settings?: CheckSettings
  ) => Effect.Effect<Checked<O>, TranslateError.TranslateError>
}

/**
 * Answers from the listings of the service.
 *
 * @since 0.1.0
 * @category tags
 */
export class LanguageSupport extends Context.Tag("effect-translate/LanguageSupport")<
  LanguageSupport,
  Service
>() {}

/**
 * How listings are remembered.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** How long a listing is remembered. @default "1 hour" */
  readonly ttl?: Duration.DurationInput | undefined
}

/**
 * Answers from the listings that a client fetches. They are fetched with the `RetryPolicy` that is there now.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({
  ttl = "1 hour"
}: Options = {}): Effect.Effect<Service, never, TranslateClient.TranslateClient | Scope.Scope> =>
  Effect.gen(function* () {
    const client = yield* TranslateClient.TranslateClient
    const listings = yield* internal.listings(client.languages, ttl)
    const check = internal.check(client, listings)
    const targets = (query: Language.Query) =>
      Effect.map(listings.catalogue(query), (found) => catalogue.on(found, "target"))
    return LanguageSupport.of({
      languages: listings.languages,
      resources: listings.resources,
      sources: (query) => Effect.map(listings.catalogue(query), (found) => catalogue.on(found, "source")),
      targets,
      formalityTargets: (query) =>
        Effect.map(targets(query), (languages) =>
          languages.filter((language) => catalogue.lists(language, "formality"))
        ),
      supports: (query, pair) =>
        Effect.map(listings.catalogue(query), (found) => catalogue.unusable(found, pair).length === 0),
      supportsFeature: (query, feature, pair) =>
        Effect.map(
          listings.catalogue(query),
          (found) => catalogue.lacking(found, feature, pair).length === 0
        ),
      check: (options, { onUnsupportedFormality = "fail" } = {}) =>
        Effect.map(check(options, onUnsupportedFormality), (formality) =>
          formality === options.formality ? options : { ...options, formality }
        )
    })
  })

/**
 * Answers from the listings that a client fetches.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  options?: Options
): Layer.Layer<LanguageSupport, never, TranslateClient.TranslateClient> =>
  Layer.scoped(LanguageSupport, make(options))

/**
 * Answers of the service of `LANGUAGE_SERVICE_URL`, `LANGUAGE_SERVICE_KEY` and `LANGUAGE_SERVICE_SCHEME`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  options?: Options
): Layer.Layer<LanguageSupport, ConfigError.ConfigError, HttpClient.HttpClient> =>
  layer(options).pipe(Layer.provide(TranslateClient.layerConfig))

/**
 * Checks the options of text translations before anything is sent: `check` of the service.
 *
 * @since 0.1.0
 * @category combinators
 */
export const check = <O extends Text.TranslateOptions>(
  options: O,
  settings?: CheckSettings
): Effect.Effect<Checked<O>, TranslateError.TranslateError, LanguageSupport> =>
  Effect.flatMap(LanguageSupport, (support) => support.check(options, settings))

/**
 * A stream that runs with options once they are checked: one that would be refused fails before it pulls anything.
 *
 * @since 0.1.0
 * @category combinators
 */
export const checked = <O extends Text.TranslateOptions, A, E, R>(
  options: O,
  run: (options: Checked<O>) => Stream.Stream<A, E, R>,
  settings?: CheckSettings
): Stream.Stream<A, E | TranslateError.TranslateError, R | LanguageSupport> =>
  Stream.unwrap(Effect.map(check(options, settings), run))
