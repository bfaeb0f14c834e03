/**
 * Glossaries: named collections of dictionaries, one for each language pair, that translations apply.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as AnswerLimit from "./AnswerLimit.js"
import { FormBody } from "./FormBody.js"
import * as GlossaryEntries from "./GlossaryEntries.js"
import * as internal from "./internal/glossary.js"
import * as parameters from "./internal/parameters.js"
import { created } from "./internal/successStatus.js"
import * as time from "./internal/time.js"
import * as wire from "./internal/wire.js"

/**
 * A dictionary of a glossary, without its entries.
 *
 * Source: service specification, Resources, Glossary; wire facts, Glossaries v3, "Dictionary out".
 *
 * @since 0.1.0
 * @category schemas
 */
export const Dictionary = wire.named("GlossaryDictionary", {
  ...internal.answeredPair,
  /** The number of entries. */
  entryCount: wire.hint(Schema.Number, "entry_count")
})

/**
 * A dictionary of a glossary, without its entries.
 *
 * @since 0.1.0
 * @category models
 */
export interface Dictionary extends Schema.Schema.Type<typeof Dictionary> {}

/**
 * A glossary, without the entries of its dictionaries.
 *
 * Source: service specification, Resources, Glossary; wire facts, Glossaries v3.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Glossary = wire.named("Glossary", {
  /** The id that `glossaryId` of a translation takes. */
  glossaryId: wire.required(Schema.String, "glossary_id"),
  /** Empty if the answer leaves it out. */
  name: wire.defaulted(Schema.String, "name", () => ""),
  /** One for each language pair; empty if the answer leaves them out. */
  dictionaries: wire.defaulted(wire.items(Dictionary), "dictionaries", () => []),
  creationTime: wire.hint(time.Utc, "creation_time")
})

/**
 * A glossary, without the entries of its dictionaries.
 *
 * @since 0.1.0
 * @category models
 */
export interface Glossary extends Schema.Schema.Type<typeof Glossary> {}

/**
 * All glossaries of the account.
 *
 * @since 0.1.0
 * @category schemas
 */
export const GlossaryList = Schema.Struct({ glossaries: Schema.Array(Glossary) }).annotations({
  identifier: "GlossaryList"
})

/**
 * All glossaries of the account.
 *
 * @since 0.1.0
 * @category models
 */
export interface GlossaryList extends Schema.Schema.Type<typeof GlossaryList> {}

/**
 * The ordered language pair of a dictionary that is read or deleted: any codes that the service lists. Glossaries apply to
 * languages, not variants: `en` serves `en-US` and `en-GB`, `pt` serves `pt-PT` and `pt-BR`. A variant is refused where a
 * dictionary is stored.
 *
 * Source: service specification, Resources, Glossary.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Pair = Schema.Struct(internal.listedPair).annotations(wire.strict)

/**
 * The ordered language pair of a dictionary.
 *
 * @since 0.1.0
 * @category models
 */
export interface Pair extends Schema.Schema.Type<typeof Pair> {}

/**
 * A dictionary to store: at most 10 MB of entries that obey the content rules. It is sent as TSV.
 *
 * Source: service specification, Resources, Glossary; wire facts, Glossaries v3, "Dictionary in".
 *
 * @since 0.1.0
 * @category schemas
 */
export const DictionaryInput = internal.dictionaryWith("GlossaryDictionaryInput", {})

/**
 * A dictionary to store.
 *
 * @since 0.1.0
 * @category models
 */
export interface DictionaryInput extends Schema.Schema.Type<typeof DictionaryInput> {}

/**
 * The fields of a new glossary.
 *
 * @since 0.1.0
 * @category schemas
 */
export const newFields = {
  name: internal.name,
  /** Of different language pairs; one or more, unless the kind of service takes none. */
  dictionaries: Schema.Array(DictionaryInput)
    .pipe(Schema.filter(internal.pairsOnce))
    .annotations({ jsonSchema: { minItems: 1 } })
}

/**
 * A new glossary: a name of at most 1024 bytes of UTF-8, and one or more dictionaries of different language pairs.
 *
 * Source: service specification, Endpoints, Glossaries (v3); Limits, "Glossary name, each source phrase, each target
 * phrase".
 *
 * @since 0.1.0
 * @category schemas
 */
export const CreateRequest = parameters.withExtra(
  "GlossaryCreateRequest",
  Schema.Struct(newFields),
  Schema.Struct({ ...newFields, ...parameters.extra })
)

/**
 * A new glossary.
 *
 * @since 0.1.0
 * @category models
 */
export interface CreateRequest extends Schema.Schema.Type<typeof CreateRequest> {}

/** A list with at most one item on the wire. */
const atMostOne = Schema.transform(
  Schema.Array(DictionaryInput)
    .pipe(
      Schema.filter((dictionaries) =>
        dictionaries.length <= 1
          ? true
          : `holds ${dictionaries.length} dictionaries; a call changes one only: make several calls`
      )
    )
    .annotations({ jsonSchema: { maxItems: 1 } }),
  Schema.UndefinedOr(Schema.typeSchema(DictionaryInput)),
  {
    strict: true,
    decode: ([dictionary]) => dictionary,
    encode: (dictionary) => (dictionary === undefined ? [] : [dictionary])
  }
)

/** The fields of a change. */
const changes = {
  /** At most 1024 bytes of UTF-8. @default as it was */
  name: Schema.optional(internal.name),
  /** Entries to merge into the dictionary of their pair, which is created if it does not exist. @default none */
  dictionary: wire.optional(atMostOne, "dictionaries")
}

/**
 * Changes of a glossary: a new name, entries to merge into the dictionary of one language pair, or both. An entry whose
 * source is in the dictionary already replaces the old one.
 *
 * Source: service specification, Endpoints, Glossaries (v3), PATCH; wire facts, Glossaries v3.
 *
 * @since 0.1.0
 * @category schemas
 */
export const UpdateRequest = parameters.withExtra(
  "GlossaryUpdateRequest",
  Schema.Struct(changes),
  Schema.Struct({ ...changes, ...parameters.extra }).pipe(
    Schema.filter(({ dictionary, extraParameters, name }) =>
      name !== undefined || dictionary !== undefined || extraParameters !== undefined
        ? true
        : "changes nothing: give a name or a dictionary"
    )
  )
)

/**
 * Changes of a glossary.
 *
 * @since 0.1.0
 * @category models
 */
export interface UpdateRequest extends Schema.Schema.Type<typeof UpdateRequest> {}

const contents = {
  ...internal.answeredPair,
  /** As the service holds them. */
  entries: GlossaryEntries.GlossaryEntries
}

/**
 * A dictionary with its entries.
 *
 * Source: service specification, Endpoints, Glossaries (v3), entries; wire facts, Glossaries v3.
 *
 * @since 0.1.0
 * @category schemas
 */
export const DictionaryEntries = Schema.transformOrFail(
  wire.record({
    ...internal.answeredPair,
    entries: GlossaryEntries.Tsv,
    entriesFormat: wire.hint(wire.open("tsv"), "entries_format")
  }),
  Schema.typeSchema(wire.record(contents)),
  {
    strict: true,
    // Read as TSV, a line of CSV would be one phrase.
    decode: ({ entriesFormat = "tsv", ...dictionary }, _, ast) =>
      entriesFormat === "tsv"
        ? ParseResult.succeed(dictionary)
        : ParseResult.fail(
            new ParseResult.Type(ast, undefined, "entries_format: entries are read as tsv only")
          ),
    encode: (dictionary) => ParseResult.succeed({ ...dictionary, entriesFormat: "tsv" })
  }
).annotations({ identifier: "GlossaryDictionaryEntries" })

/**
 * A dictionary with its entries.
 *
 * @since 0.1.0
 * @category models
 */
export interface DictionaryEntries extends Schema.Schema.Type<typeof DictionaryEntries> {}

/**
 * The dictionary that was asked for, as a list. An answer that is the dictionary itself becomes a list with one item.
 *
 * Source: wire facts, Glossaries v3, entries.
 *
 * @since 0.1.0
 * @category schemas
 */
export const EntriesAnswer = internal.listOfOne(DictionaryEntries).annotations({
  identifier: "GlossaryEntriesAnswer"
})

/**
 * `POST /v3/glossaries`: 201.
 *
 * Source: service specification, Endpoints, Glossaries (v3); wire facts, Glossaries v3.
 *
 * @since 0.1.0
 * @category contract
 */
export const create = HttpApiEndpoint.post("create", "/v3/glossaries")
  .setPayload(CreateRequest)
  .addSuccess(created(Glossary))
  .annotate(FormBody, true)

const glossaryPath = Schema.Struct({ glossaryId: wire.pathId("glossary_id") })

/**
 * The endpoints of glossaries.
 *
 * @since 0.1.0
 * @category contract
 */
export const group = HttpApiGroup.make("glossaries")
  .add(create)
  .add(
    HttpApiEndpoint.get("list", "/v3/glossaries")
      .annotate(AnswerLimit.AnswerLimit, AnswerLimit.ofLists)
      .addSuccess(GlossaryList)
  )
  .add(HttpApiEndpoint.get("get", "/v3/glossaries/:glossary_id").setPath(glossaryPath).addSuccess(Glossary))
  .add(
    HttpApiEndpoint.get("entries", "/v3/glossaries/:glossary_id/entries")
      .annotate(AnswerLimit.AnswerLimit, AnswerLimit.ofLists)
      .setPath(glossaryPath)
      .setUrlParams(Pair)
      .addSuccess(EntriesAnswer)
  )
  .add(
    HttpApiEndpoint.put("replaceDictionary", "/v3/glossaries/:glossary_id/dictionaries")
      .setPath(glossaryPath)
      .setPayload(DictionaryInput)
      .addSuccess(Dictionary)
      .annotate(FormBody, true)
  )
  .add(
    HttpApiEndpoint.patch("update", "/v3/glossaries/:glossary_id")
      .setPath(glossaryPath)
      .setPayload(UpdateRequest)
      .addSuccess(Glossary)
      .annotate(FormBody, true)
  )
  .add(HttpApiEndpoint.del("delete", "/v3/glossaries/:glossary_id").setPath(glossaryPath))
  .add(
    HttpApiEndpoint.del("deleteDictionary", "/v3/glossaries/:glossary_id/dictionaries")
      .setPath(glossaryPath)
      .setUrlParams(Pair)
  )
