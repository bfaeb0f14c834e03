/**
 * Which languages and features work together, by the listings of the service. The listings are cached, and options can be
 * checked before anything is sent. Each client has one of its own: `languageSupport`.
 *
 * @since 0.1.0
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type * as Document from "../api/Document.js"
import type * as Language from "../api/Language.js"
import type * as LanguageCode from "../api/LanguageCode.js"
import type * as Text from "../api/Text.js"
import type * as Write from "../api/Write.js"
import * as internal from "./internal/checking/languageSupport.js"
import * as TranslateClient from "./TranslateClient.js"
import type { NotFound, TranslateError, Unauthorized } from "./TranslateError.js"

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
 * Options of a translation that were checked. Only `formality` may differ.
 *
 * @since 0.1.0
 * @category models
 */
export type Checked<O extends Pick<Text.TranslateOptions, "formality">> = Omit<O, "formality"> &
  Pick<Text.TranslateOptions, "formality">

/**
 * Answers from the listings of the service. A listing is fetched when it is first needed, once for all who ask, and then
 * cached. Failures are not cached.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** The languages of a resource, as `languages.list` of the client. */
  readonly languages: (
    query: Language.Query
  ) => Effect.Effect<ReadonlyArray<Language.Language>, TranslateError>
  /** The resources, as `languages.resources` of the client. */
  readonly resources: Effect.Effect<ReadonlyArray<Language.Resource>, TranslateError>
  /** The source languages of a resource. */
  readonly sources: (query: Language.Query) => Effect.Effect<ReadonlyArray<Language.Language>, TranslateError>
  /** The target languages of a resource. */
  readonly targets: (query: Language.Query) => Effect.Effect<ReadonlyArray<Language.Language>, TranslateError>
  /** The targets that accept formality. */
  readonly formalityTargets: (
    query: Language.Query
  ) => Effect.Effect<ReadonlyArray<Language.Language>, TranslateError>
  /** Whether a resource works for a pair. */
  readonly supports: (query: Language.Query, pair: Pair) => Effect.Effect<boolean, TranslateError>
  /**
   * Whether a feature of a resource is available for a pair: each side that the feature needs lists it.
   *
   * Source: service specification, Resources, "Language resource (v3)".
   */
  readonly supportsFeature: (
    query: Language.Query,
    feature: Language.ResourceFeature["name"],
    pair: Pair
  ) => Effect.Effect<boolean, TranslateError>
  /**
   * Checks the options of text translations before anything is sent: whether the languages are usable, whether they have
   * formality, which models a target in beta allows, and whether tag handling, glossaries, style rules and custom
   * instructions work for the pair. Languages and features in beta and of third parties count. Glossaries and style rule lists are fetched, and
   * not cached: they must exist, and be for these languages.
   *
   * What the service leaves open, as the key lacks the scope for a listing or a gateway has no such endpoint (403, 404), is not
   * checked: see `onUnknown`.
   *
   * Returns the options to use. Fails with an `InvalidRequest` that lists all problems, or with the error of a request.
   */
  readonly check: <O extends Text.TranslateOptions>(
    options: O,
    settings?: CheckSettings
  ) => Effect.Effect<Checked<O>, TranslateError>
  /** Checks the options of documents as `check` does those of texts, by the listing of documents. */
  readonly checkDocument: <O extends Document.UploadOptions>(
    options: O,
    settings?: CheckSettings
  ) => Effect.Effect<Checked<O>, TranslateError>
  /** Checks the options of text improvement: the language, and whether it has writing styles and tones. */
  readonly checkWrite: (options: Write.RephraseOptions) => Effect.Effect<void, TranslateError>
}

/**
 * Answers from the listings of the service, in place of those of the client.
 *
 * @since 0.1.0
 * @category tags
 */
export class LanguageSupport extends Context.Tag("effect-translate/LanguageSupport")<
  LanguageSupport,
  Service
>() {}

/**
 * What a check could not find out: a listing, a glossary or a style rule list that this key may not read, or that a gateway does not
 * have. The options are used as they are, and the service refuses what it does not take.
 *
 * @since 0.1.0
 * @category models
 */
export interface Unknown {
  /** The answer: 403 or 404. */
  readonly error: Unauthorized | NotFound
  /** What is not checked, and why, for people. */
  readonly message: string
}

/**
 * How listings are cached, and what is told of those that the service does not give.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** How long a listing is cached. @default "1 hour" */
  readonly ttl?: Duration.DurationInput | undefined
  /** Told once for each path that checks could not find something out by. @default a warning in the log */
  readonly onUnknown?: ((unknown: Unknown) => Effect.Effect<void>) | undefined
}

/**
 * Answers from the listings that a client fetches, by the `RetryPolicy` of the current context. They are cached apart from those of
 * the client itself.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  options?: Options
): Effect.Effect<Service, never, TranslateClient.TranslateClient | Scope.Scope> =>
  Effect.flatMap(TranslateClient.TranslateClient, (client) => internal.make(client, options))

/**
 * The answers of the current context: of its `LanguageSupport` if there is one, else of its client.
 *
 * @since 0.1.0
 * @category constructors
 */
export const current: Effect.Effect<Service, never, TranslateClient.TranslateClient> = Effect.flatMap(
  Effect.serviceOption(LanguageSupport),
  Option.match({
    onNone: () => Effect.map(TranslateClient.TranslateClient, ({ languageSupport }) => languageSupport),
    onSome: Effect.succeed
  })
)

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
 * Answers for the service of the configuration: see `TranslateClient.layerConfig`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = ({
  onUnknown,
  ttl,
  ...client
}: Options & TranslateClient.ConfigOptions = {}): Layer.Layer<
  LanguageSupport,
  ConfigError.ConfigError,
  HttpClient.HttpClient
> => layer({ onUnknown, ttl }).pipe(Layer.provide(TranslateClient.layerConfig(client)))

/**
 * Checks the options of text translations before anything is sent: `check` of the service.
 *
 * @since 0.1.0
 * @category combinators
 */
export const check = <O extends Text.TranslateOptions>(
  options: O,
  settings?: CheckSettings
): Effect.Effect<Checked<O>, TranslateError, LanguageSupport> =>
  Effect.flatMap(LanguageSupport, (support) => support.check(options, settings))

/**
 * Checks options and then runs a stream with them. If they are refused, the stream fails before it pulls anything.
 *
 * @since 0.1.0
 * @category combinators
 */
export const checked = <O extends Text.TranslateOptions, A, E, R>(
  options: O,
  run: (options: Checked<O>) => Stream.Stream<A, E, R>,
  settings?: CheckSettings
): Stream.Stream<A, E | TranslateError, R | LanguageSupport> =>
  Stream.unwrap(Effect.map(check(options, settings), run))
