/**
 * Languages: which ones each resource of the service supports, and with which features.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as ParseResult from "effect/ParseResult"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as wire from "./internal/wire.js"
import * as LanguageCode from "./LanguageCode.js"

/**
 * The resource that languages are listed for.
 *
 * Source: service specification, Resources, "Language resource (v3)"; `translation_memory`: wire facts, "What the public service has learned
 * since".
 *
 * @since 0.1.0
 * @category schemas
 */
export const ResourceName = Schema.Literal(
  "translate_text",
  "translate_document",
  "glossary",
  "voice",
  "write",
  "style_rules",
  "translation_memory"
)

/**
 * The resource that languages are listed for.
 *
 * @since 0.1.0
 * @category models
 */
export type ResourceName = typeof ResourceName.Type

/**
 * Which languages to list.
 *
 * Source: service specification, Endpoints, Languages.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Query = Schema.Struct({
  /** The resource that the languages are for. */
  resource: ResourceName,
  /** `beta` adds languages and features in beta, `external` features of third parties. @default stable ones only */
  include: Schema.optional(Schema.Array(Schema.Literal("beta", "external")))
}).annotations(wire.strict)

/**
 * Which languages to list.
 *
 * @since 0.1.0
 * @category models
 */
export interface Query extends Schema.Schema.Type<typeof Query> {}

const status = wire.open("stable", "beta", "early_access")

/**
 * A feature of a language. Other fields that the service sends are kept under their names on the wire.
 *
 * @since 0.1.0
 * @category models
 */
export interface Feature {
  /** The readiness of the feature. @default "stable" */
  readonly status?: typeof status.Type | undefined
  readonly [detail: string]: unknown
}

/**
 * The features of a language by name. A feature is supported when its name is an own key: check it with `Object.hasOwn` or
 * `Record.has`, since a name may be any word.
 *
 * @since 0.1.0
 * @category models
 */
export interface Features {
  readonly [name: string]: Feature
}

/** A feature is there by its name, whatever stands under it. */
const featureOf = (value: unknown): Feature => {
  if (!Predicate.isReadonlyRecord(value)) return {}
  const { status, ...details } = value
  return Predicate.isString(status) ? { ...details, status } : details
}

/** Not a `Schema.Record`, which would lose a feature named `__proto__` when it copies. */
const Features = Schema.declare(
  [],
  {
    decode: () => (input, _, ast) =>
      Predicate.isReadonlyRecord(input)
        ? ParseResult.succeed(
            Object.fromEntries(Object.entries(input).map(([name, feature]) => [name, featureOf(feature)]))
          )
        : ParseResult.fail(new ParseResult.Type(ast, undefined)),
    encode: () => (features) => ParseResult.succeed(features as Features)
  },
  {
    identifier: "Features",
    jsonSchema: {
      type: "object",
      additionalProperties: {
        type: "object",
        properties: { status: { type: "string", examples: ["stable", "beta", "early_access"] } }
      }
    }
  }
)

/**
 * A language, as one resource of the service supports it.
 *
 * Source: service specification, Resources, "Language object (v3)".
 *
 * @since 0.1.0
 * @category schemas
 */
export const Language = wire.named("Language", {
  /** The code, in BCP 47 casing. */
  lang: LanguageCode.LanguageCode,
  /** The English name; empty if the answer leaves it out. */
  name: wire.defaulted(Schema.String, "name", () => ""),
  usableAsSource: wire.defaulted(Schema.Boolean, "usable_as_source", () => false),
  usableAsTarget: wire.defaulted(Schema.Boolean, "usable_as_target", () => false),
  /** The readiness of the language: `beta` targets work with `quality_optimized` or without a `modelType` only. */
  status: wire.defaulted(status, "status", () => "stable"),
  features: wire.defaulted(Features, "features", () => ({}))
})

/**
 * A language, as one resource of the service supports it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Language extends Schema.Schema.Type<typeof Language> {}

/**
 * A feature of a resource, and which side of a language pair has to list it. A missing flag means "not needed".
 *
 * Source: service specification, Resources, "Language resource (v3)".
 *
 * @since 0.1.0
 * @category schemas
 */
export const ResourceFeature = wire.named("ResourceFeature", {
  name: wire.open(
    "formality",
    "style_rules",
    "tag_handling",
    "glossary",
    "auto_detection",
    "writing_style",
    "tone",
    "spoken_terms",
    "translated_speech"
  ),
  /** True if the source language has to list it. */
  needsSourceSupport: wire.hint(Schema.Boolean, "needs_source_support"),
  /** True if the target language has to list it. */
  needsTargetSupport: wire.hint(Schema.Boolean, "needs_target_support")
})

/**
 * A feature of a resource.
 *
 * @since 0.1.0
 * @category models
 */
export interface ResourceFeature extends Schema.Schema.Type<typeof ResourceFeature> {}

/**
 * A resource that languages are listed for, with its features.
 *
 * Source: service specification, Resources, "Language resource (v3)".
 *
 * @since 0.1.0
 * @category schemas
 */
export const Resource = wire.named("LanguageResource", {
  name: wire.open(...ResourceName.literals),
  features: wire.defaulted(wire.items(ResourceFeature), "features", () => [])
})

/**
 * A resource that languages are listed for, with its features.
 *
 * @since 0.1.0
 * @category models
 */
export interface Resource extends Schema.Schema.Type<typeof Resource> {}

/**
 * Which side of a translation to list languages of.
 *
 * @since 0.1.0
 * @category schemas
 */
export const QueryV2 = Schema.Struct({
  /** The side. @default "source" */
  type: Schema.optional(Schema.Literal("source", "target"))
}).annotations(wire.strict)

/**
 * Which side of a translation to list languages of.
 *
 * @since 0.1.0
 * @category models
 */
export interface QueryV2 extends Schema.Schema.Type<typeof QueryV2> {}

/**
 * A language of the older listing. Its code is in uppercase on the wire, here in BCP 47 casing.
 *
 * Source: service specification, Resources, "Language item (v2, deprecated)".
 *
 * @since 0.1.0
 * @category schemas
 */
export const LanguageV2 = wire.named("LanguageV2", {
  language: LanguageCode.LanguageCode,
  /** The English name; empty if the answer leaves it out. */
  name: wire.defaulted(Schema.String, "name", () => ""),
  /** True if `formality` may be `more` or `less`; only target listings have it. */
  supportsFormality: wire.hint(Schema.Boolean, "supports_formality")
})

/**
 * A language of the older listing.
 *
 * @since 0.1.0
 * @category models
 */
export interface LanguageV2 extends Schema.Schema.Type<typeof LanguageV2> {}

/**
 * `GET /v3/languages`.
 *
 * Source: service specification, Endpoints, Languages.
 *
 * @since 0.1.0
 * @category contract
 */
export const list = HttpApiEndpoint.get("list", "/v3/languages")
  .setUrlParams(Query)
  .addSuccess(Schema.Array(Language))

/**
 * `GET /v3/languages/resources`.
 *
 * Source: service specification, Endpoints, Languages.
 *
 * @since 0.1.0
 * @category contract
 */
export const resources = HttpApiEndpoint.get("resources", "/v3/languages/resources").addSuccess(
  Schema.Array(Resource)
)

/**
 * `GET /v2/languages`.
 *
 * Source: service specification, Endpoints, Languages; Versioning, 2.
 *
 * @deprecated by the service in favour of {@link list}.
 * @since 0.1.0
 * @category contract
 */
export const listV2 = HttpApiEndpoint.get("listV2", "/v2/languages")
  .setUrlParams(QueryV2)
  .addSuccess(Schema.Array(LanguageV2))
  .annotate(OpenApi.Deprecated, true)

/**
 * The endpoints of languages.
 *
 * @since 0.1.0
 * @category contract
 */
export const group = HttpApiGroup.make("languages").add(list).add(resources).add(listV2)
