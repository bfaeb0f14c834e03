/**
 * The glossaries of version 2: one dictionary each, which cannot be changed. New programs use `Glossary`.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import * as AnswerLimit from "./AnswerLimit.js"
import { FormBody } from "./FormBody.js"
import * as GlossaryEntries from "./GlossaryEntries.js"
import * as internal from "./internal/glossary.js"
import { created } from "./internal/successStatus.js"
import * as time from "./internal/time.js"
import * as wire from "./internal/wire.js"
import * as LanguageCode from "./LanguageCode.js"

/**
 * A glossary of version 2: one dictionary under a name, without its entries.
 *
 * Source: service specification, Resources, Glossary; wire facts, older `/v2/glossaries`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const MonolingualGlossary = wire.named("MonolingualGlossary", {
  /** The id that `glossaryId` of a translation takes. */
  glossaryId: wire.required(Schema.String, "glossary_id"),
  /** Empty if the answer leaves it out. */
  name: wire.defaulted(Schema.String, "name", () => ""),
  /** The language of the sources. */
  sourceLang: wire.hint(LanguageCode.LanguageCode, "source_lang"),
  /** The language of the targets. */
  targetLang: wire.hint(LanguageCode.LanguageCode, "target_lang"),
  /** True once translations can apply it. */
  ready: wire.hint(Schema.Boolean, "ready"),
  creationTime: wire.hint(time.Utc, "creation_time"),
  /** The number of entries. */
  entryCount: wire.hint(Schema.Number, "entry_count")
})

/**
 * A glossary of version 2.
 *
 * @since 0.1.0
 * @category models
 */
export interface MonolingualGlossary extends Schema.Schema.Type<typeof MonolingualGlossary> {}

/**
 * All glossaries of version 2 of the account.
 *
 * @since 0.1.0
 * @category schemas
 */
export const MonolingualGlossaryList = Schema.Struct({
  glossaries: Schema.Array(MonolingualGlossary)
}).annotations({ identifier: "MonolingualGlossaryList" })

/**
 * All glossaries of version 2 of the account.
 *
 * @since 0.1.0
 * @category models
 */
export interface MonolingualGlossaryList extends Schema.Schema.Type<typeof MonolingualGlossaryList> {}

/**
 * A glossary of version 2 to create: a name of at most 1024 bytes of UTF-8, a language pair without variants, and at
 * most 10 MB of entries that obey the content rules. It is sent as TSV.
 *
 * Source: service specification, Resources, Glossary; Limits; wire facts, older `/v2/glossaries`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const CreateRequest = internal.dictionaryWith("MonolingualGlossaryCreateRequest", {
  name: internal.name
})

/**
 * A glossary of version 2 to create.
 *
 * @since 0.1.0
 * @category models
 */
export interface CreateRequest extends Schema.Schema.Type<typeof CreateRequest> {}

/**
 * A language pair of the service's list.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Pair = wire.named("GlossaryLanguagePair", internal.answeredPair)

/**
 * A language pair of the service's list.
 *
 * @since 0.1.0
 * @category models
 */
export interface Pair extends Schema.Schema.Type<typeof Pair> {}

/**
 * The language pairs that glossaries exist for.
 *
 * Source: wire facts, `GET /v2/glossary-language-pairs`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const PairList = Schema.Struct({
  supportedLanguages: wire.required(Schema.Array(Pair), "supported_languages")
}).annotations({ identifier: "GlossaryLanguagePairList" })

/**
 * The language pairs that glossaries exist for.
 *
 * @since 0.1.0
 * @category models
 */
export interface PairList extends Schema.Schema.Type<typeof PairList> {}

/**
 * The media type of entries, the only one that the service answers.
 *
 * Source: wire facts, older `/v2/glossaries`.
 *
 * @since 0.1.0
 * @category constants
 */
export const entriesMediaType = "text/tab-separated-values"

const glossaryPath = Schema.Struct({ glossaryId: wire.pathId("glossary_id") })

/**
 * The endpoints of glossaries of version 2.
 *
 * @since 0.1.0
 * @category contract
 */
export const group = HttpApiGroup.make("monolingualGlossaries")
  .add(
    HttpApiEndpoint.post("create", "/v2/glossaries")
      .setPayload(CreateRequest)
      .addSuccess(created(MonolingualGlossary))
      .annotate(FormBody, true)
  )
  .add(
    HttpApiEndpoint.get("list", "/v2/glossaries")
      .annotate(AnswerLimit.AnswerLimit, AnswerLimit.ofLists)
      .addSuccess(MonolingualGlossaryList)
  )
  .add(
    HttpApiEndpoint.get("get", "/v2/glossaries/:glossary_id")
      .setPath(glossaryPath)
      .addSuccess(MonolingualGlossary)
  )
  .add(HttpApiEndpoint.del("delete", "/v2/glossaries/:glossary_id").setPath(glossaryPath))
  .add(
    HttpApiEndpoint.get("entries", "/v2/glossaries/:glossary_id/entries")
      .annotate(AnswerLimit.AnswerLimit, AnswerLimit.ofLists)
      .setPath(glossaryPath)
      .setHeaders(Schema.Struct({ accept: Schema.optional(Schema.String) }))
      .addSuccess(
        HttpApiSchema.withEncoding(GlossaryEntries.Tsv, { kind: "Text", contentType: entriesMediaType })
      )
  )
  .add(
    HttpApiEndpoint.get("languagePairs", "/v2/glossary-language-pairs")
      .addSuccess(PairList)
      .annotate(OpenApi.Deprecated, true)
  )
