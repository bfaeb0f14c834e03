/**
 * Which languages and features work together, by the listings of the service. The listings are cached, and options can be
 * checked before anything is sent.
 *
 * @since 0.1.0
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Arr from "effect/Array"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import type * as Language from "../api/Language.js"
import * as LanguageCode from "../api/LanguageCode.js"
import * as Text from "../api/Text.js"
import * as Violation from "../api/Violation.js"
import * as Glossaries from "./Glossaries.js"
import * as listings from "./internal/listings.js"
import * as TranslateClient from "./TranslateClient.js"
import { invalidRequest, type TranslateError } from "./TranslateError.js"

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
export type Checked<O extends Text.TranslateOptions> = Omit<O, "formality"> &
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
   * formality, which models a target in beta allows, and whether glossaries, style rules and custom instructions work for
   * the pair. Languages and features in beta and of third parties count. Glossaries and style rule lists are fetched, and
   * not cached: they must exist, and be for these languages.
   *
   * Returns the options to use. Fails with an `InvalidRequest` that lists all problems, or with the error of a request.
   */
  readonly check: <O extends Text.TranslateOptions>(
    options: O,
    settings?: CheckSettings
  ) => Effect.Effect<Checked<O>, TranslateError>
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
 * How listings are cached.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** How long a listing is cached. @default "1 hour" */
  readonly ttl?: Duration.DurationInput | undefined
}

type Client = Pick<TranslateClient.Service, "glossaries" | "styleRules">

const optionNames = Object.keys(Text.TranslateOptions.from.fields)

/** Checks options by their schema. Fields of other functions, which the schema would refuse, are left out. */
const wellFormed = (options: Text.TranslateOptions) =>
  Effect.mapError(
    Schema.encodeUnknown(Text.TranslateOptions)(Struct.pick(options, ...(optionNames as Array<never>))),
    (error) => invalidRequest(Text.translateText, Violation.fromIssue(error.issue))
  )

const isGiven = (value: unknown): boolean =>
  value !== undefined && !(Array.isArray(value) && value.length === 0)

const named = { source: "sourceLang", target: "targetLang" } as const

const say = (sides: ReadonlyArray<readonly [listings.Side, string]>): string =>
  sides.map(([side, code]) => `${named[side]} "${code}"`).join(" and ")

const codes = (languages: ReadonlyArray<Language.Language>): string =>
  languages.map(({ lang }) => lang).join(", ")

const notUsable = (catalogue: listings.Catalogue, side: listings.Side, code: string): Violation.Violation => {
  const usable = listings.usableOn(catalogue, side)
  const variants = usable.filter(({ lang }) => LanguageCode.base(lang) === LanguageCode.base(code))
  return {
    field: named[side],
    rule: `is "${code}", which is no ${side} language of text translation: choose among ${codes(Arr.isNonEmptyArray(variants) ? variants : usable)}`
  }
}

/** What the languages don't allow, and what to do. Formality is checked elsewhere, since it has a soft form. */
const unsupported = (
  catalogue: listings.Catalogue,
  options: Text.TranslateOptions
): ReadonlyArray<Violation.Violation> => {
  const { modelType, targetLang } = options
  const found: Array<Violation.Violation> = []
  const needs = (field: keyof Text.TranslateOptions, feature: string, pair: listings.Pair) => {
    const lacking = listings.lacking(catalogue, feature, pair)
    if (isGiven(options[field]) && lacking.length > 0) {
      found.push({
        field,
        rule: `can't be used with ${say(lacking)}: drop it, or choose languages with the feature ${feature}`
      })
    }
  }
  if (
    modelType !== undefined &&
    modelType !== "quality_optimized" &&
    listings.find(catalogue, "target", targetLang)?.status === "beta"
  ) {
    found.push({
      field: "modelType",
      rule: `is "${modelType}", but targetLang "${targetLang}" is in beta: drop it or set "quality_optimized"`
    })
  }
  needs("glossaryId", "glossary", options)
  needs("glossaryIds", "glossary", options)
  needs("styleId", "style_rules", options)
  needs("customInstructions", "style_rules", options)
  return found
}

/** Checks the resource of an id. One that does not exist breaks a rule too. */
const lookUp = <A>(
  field: keyof Text.TranslateOptions,
  found: Effect.Effect<A, TranslateError>,
  rule: (value: A) => string | undefined
): Effect.Effect<ReadonlyArray<Violation.Violation>, TranslateError> =>
  found.pipe(
    Effect.map(rule),
    Effect.catchTag("NotFound", () =>
      Effect.succeed("names nothing that this key and region know: take the id from the list")
    ),
    Effect.map((rule) => (rule === undefined ? [] : [{ field, rule }]))
  )

/** Checks whether the glossaries and the style rule list are for these languages. They serve all variants of a language. */
const misplaced = (
  { glossaries, styleRules }: Client,
  { glossaryId, glossaryIds = [], sourceLang = "", styleId, targetLang }: Text.TranslateOptions
): Effect.Effect<ReadonlyArray<Violation.Violation>, TranslateError> => {
  const glossary = (field: "glossaryId" | "glossaryIds", id: string) =>
    lookUp(field, glossaries.get(id), ({ dictionaries }) =>
      dictionaries.some((pair) => Glossaries.isOf(pair, { sourceLang, targetLang }))
        ? undefined
        : `names a glossary without a dictionary from "${sourceLang}" to "${targetLang}": add it or choose another glossary`
    )
  return Effect.map(
    Effect.all(
      [
        ...(glossaryId === undefined ? [] : [glossary("glossaryId", glossaryId)]),
        ...glossaryIds.map((id) => glossary("glossaryIds", id)),
        ...(styleId === undefined
          ? []
          : [
              lookUp("styleId", styleRules.get(styleId), ({ language }) =>
                LanguageCode.base(language) === LanguageCode.base(targetLang)
                  ? undefined
                  : `names a list for "${language}", but targetLang is "${targetLang}": choose a list of that language`
              )
            ])
      ],
      { concurrency: "unbounded" }
    ),
    Arr.flatten
  )
}

/** Checks options. Returns the formality to use. */
const checkWith = (client: Client, { catalogue: fetch }: listings.Listings) =>
  Effect.fnUntraced(function* (
    options: Text.TranslateOptions,
    onUnsupportedFormality: "fail" | "prefer"
  ): Effect.fn.Return<Text.TranslateOptions["formality"], TranslateError> {
    yield* wellFormed(options)
    const [catalogue, elsewhere] = yield* Effect.all(
      [fetch({ resource: "translate_text", include: ["beta", "external"] }), misplaced(client, options)],
      { concurrency: 2 }
    )
    const unusable = listings
      .unusable(catalogue, options)
      .map(([side, code]) => notUsable(catalogue, side, code))
    const violations = [...(unusable.length > 0 ? unusable : unsupported(catalogue, options)), ...elsewhere]
    const { formality, targetLang } = options
    const isUnsupported =
      unusable.length === 0 &&
      (formality === "more" || formality === "less") &&
      listings.lacking(catalogue, "formality", { targetLang }).length > 0
    if (isUnsupported && onUnsupportedFormality === "fail") {
      violations.push({
        field: "formality",
        rule: `is "${formality}", which targetLang "${targetLang}" does not know: use "prefer_${formality}", or drop it`
      })
    }
    if (violations.length > 0) {
      return yield* invalidRequest(Text.translateText, violations)
    }
    return isUnsupported ? (`prefer_${formality}` as const) : formality
  })

/**
 * Answers from the listings that a client fetches, by the `RetryPolicy` of the current context.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({
  ttl = "1 hour"
}: Options = {}): Effect.Effect<Service, never, TranslateClient.TranslateClient | Scope.Scope> =>
  Effect.gen(function* () {
    const client = yield* TranslateClient.TranslateClient
    const cached = yield* listings.make(client.languages, ttl)
    const check = checkWith(client, cached)
    const targets = (query: Language.Query) =>
      Effect.map(cached.catalogue(query), (found) => listings.usableOn(found, "target"))
    return LanguageSupport.of({
      languages: cached.languages,
      resources: cached.resources,
      sources: (query) => Effect.map(cached.catalogue(query), (found) => listings.usableOn(found, "source")),
      targets,
      formalityTargets: (query) =>
        Effect.map(targets(query), (languages) =>
          languages.filter((language) => listings.lists(language, "formality"))
        ),
      supports: (query, pair) =>
        Effect.map(cached.catalogue(query), (found) => listings.unusable(found, pair).length === 0),
      supportsFeature: (query, feature, pair) =>
        Effect.map(cached.catalogue(query), (found) => listings.lacking(found, feature, pair).length === 0),
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
 * Answers for the service of `LANGUAGE_SERVICE_URL`, `LANGUAGE_SERVICE_KEY` and `LANGUAGE_SERVICE_SCHEME`.
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
