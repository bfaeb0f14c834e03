/**
 * The glossaries of the account.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Number from "effect/Number"
import * as Stream from "effect/Stream"
import * as Glossary from "../api/Glossary.js"
import * as RequestRules from "../api/RequestRules.js"
import { dictionariesOf, maxSize, sizeOf } from "./internal/calling/dictionaries.js"
import type { Endpoints } from "./internal/calling/endpoints.js"
import * as Region from "./Region.js"
import { refuse } from "./RequestChecks.js"
import type { CallError } from "./TranslateError.js"

/**
 * The models of these calls, from the contract.
 *
 * @since 0.1.0
 * @category models
 */
export {
  CreateRequest,
  Dictionary,
  DictionaryEntries,
  DictionaryInput,
  Glossary,
  Pair,
  UpdateRequest
} from "../api/Glossary.js"

/**
 * The glossaries of the account: `glossaries` of the client. Languages are base languages (`en`, `pt`, `zh`), which also
 * cover their variants. Other codes, and entries that break a rule, fail with `InvalidRequest`. The time-out of a call grows
 * with its entries. `QuotaExceeded` (456) means too many glossary requests here, not that the quota is used up.
 *
 * @since 0.1.0
 * @category models
 */
export interface Glossaries {
  /**
   * Creates a glossary of one or more dictionaries: `POST /v3/glossaries`. It is not sent again by itself if the service
   * may have created it already.
   *
   * Source: service specification, Endpoints, Glossaries (v3).
   *
   * @example
   * const glossary = yield* client.glossaries.create({
   *   name: "Shop",
   *   dictionaries: [{ sourceLang: "en", targetLang: "de", entries: [{ source: "mug", target: "Becher" }] }]
   * })
   */
  readonly create: (request: Glossary.CreateRequest) => Effect.Effect<Glossary.Glossary, CallError>
  /**
   * All glossaries, without entries: `GET /v3/glossaries`. The list has no pages.
   *
   * Source: service specification, Endpoints, Glossaries (v3).
   *
   * @example
   * const all = yield* client.glossaries.list
   */
  readonly list: Effect.Effect<ReadonlyArray<Glossary.Glossary>, CallError>
  /** The items of `list`, one after another. */
  readonly stream: Stream.Stream<Glossary.Glossary, CallError>
  /**
   * One glossary, without entries: `GET /v3/glossaries/{glossary_id}`.
   *
   * Source: service specification, Endpoints, Glossaries (v3).
   *
   * @example
   * const found = yield* client.glossaries.get(glossary.glossaryId)
   */
  readonly get: (glossaryId: string) => Effect.Effect<Glossary.Glossary, CallError>
  /**
   * One dictionary with its entries: `GET /v3/glossaries/{glossary_id}/entries`.
   *
   * Source: service specification, Endpoints, Glossaries (v3).
   *
   * @example
   * const { entries } = yield* client.glossaries.entries(glossary.glossaryId, {
   *   sourceLang: "en",
   *   targetLang: "de"
   * })
   */
  readonly entries: (
    glossaryId: string,
    pair: Glossary.Pair
  ) => Effect.Effect<Glossary.DictionaryEntries, CallError>
  /**
   * A whole glossary, dictionary after dictionary: a `get`, then `entries` of each pair. It keeps one dictionary in
   * memory at a time, and fails with `NotFound` if one is deleted meanwhile.
   *
   * Source: service specification, Endpoints, Glossaries (v3), entries.
   */
  readonly dictionaries: (glossaryId: string) => Stream.Stream<Glossary.DictionaryEntries, CallError>
  /**
   * Creates the dictionary of a language pair, or replaces all of it: `PUT /v3/glossaries/{glossary_id}/dictionaries`.
   *
   * Source: service specification, Endpoints, Glossaries (v3).
   *
   * @example
   * const dictionary = yield* client.glossaries.replaceDictionary(glossary.glossaryId, {
   *   sourceLang: "en",
   *   targetLang: "fr",
   *   entries: [{ source: "mug", target: "tasse" }]
   * })
   */
  readonly replaceDictionary: (
    glossaryId: string,
    dictionary: Glossary.DictionaryInput
  ) => Effect.Effect<Glossary.Dictionary, CallError>
  /**
   * Renames a glossary, merges entries into the dictionary of one language pair, or both:
   * `PATCH /v3/glossaries/{glossary_id}`.
   *
   * Source: service specification, Endpoints, Glossaries (v3).
   *
   * @example
   * const merged = yield* client.glossaries.update(glossary.glossaryId, {
   *   name: "Web shop",
   *   dictionary: { sourceLang: "en", targetLang: "de", entries: [{ source: "cup", target: "Tasse" }] }
   * })
   */
  readonly update: (
    glossaryId: string,
    changes: Glossary.UpdateRequest
  ) => Effect.Effect<Glossary.Glossary, CallError>
  /**
   * Deletes a whole glossary: `DELETE /v3/glossaries/{glossary_id}`.
   *
   * Source: service specification, Endpoints, Glossaries (v3).
   *
   * @example
   * yield* client.glossaries.delete(glossary.glossaryId)
   */
  readonly delete: (glossaryId: string) => Effect.Effect<void, CallError>
  /**
   * Deletes the dictionary of a language pair: `DELETE /v3/glossaries/{glossary_id}/dictionaries`.
   *
   * Source: service specification, Endpoints, Glossaries (v3).
   *
   * @example
   * yield* client.glossaries.deleteDictionary(glossary.glossaryId, { sourceLang: "en", targetLang: "fr" })
   */
  readonly deleteDictionary: (glossaryId: string, pair: Glossary.Pair) => Effect.Effect<void, CallError>
}

interface OfPair {
  readonly glossaryId: string
  readonly pair: Glossary.Pair
}

/** @internal */
export const make: (endpoints: Endpoints) => Glossaries = ({ group, region }) => {
  const { call, remove } = group("glossaries")
  const create = call("create", "never", (payload: Glossary.CreateRequest) => ({ payload }), {
    size: (request) =>
      Array.isArray(request?.dictionaries) ? Number.sumAll(request.dictionaries.map(sizeOf)) : 0
  })
  const list = Effect.map(call("list", "always", () => ({}))(), ({ glossaries }) => glossaries)
  const get = call("get", "always", (glossaryId: string) => ({ path: { glossaryId } }))
  const getEntries = call(
    "entries",
    "always",
    ({ glossaryId, pair }: OfPair) => ({ path: { glossaryId }, urlParams: pair }),
    { size: maxSize, expect: ({ pair }, { dictionaries }) => [1, dictionariesOf(pair, dictionaries).length] }
  )
  const entriesOf = (glossaryId: string, pair: Glossary.Pair) =>
    Effect.map(getEntries({ glossaryId, pair }), ({ dictionaries }) => dictionariesOf(pair, dictionaries)[0]!)
  const replaceDictionary = call(
    "replaceDictionary",
    "always",
    ({ glossaryId, payload }: { glossaryId: string; payload: Glossary.DictionaryInput }) => ({
      path: { glossaryId },
      payload
    }),
    { size: ({ payload }) => sizeOf(payload) }
  )
  const update = call(
    "update",
    "always",
    ({ glossaryId, payload }: { glossaryId: string; payload: Glossary.UpdateRequest }) => ({
      path: { glossaryId },
      payload
    }),
    { size: ({ payload }) => sizeOf(payload?.dictionary) }
  )
  const deleteDictionary = remove("deleteDictionary", ({ glossaryId, pair }: OfPair) => ({
    path: { glossaryId },
    urlParams: pair
  }))
  return {
    create: (request) =>
      Effect.zipRight(
        refuse(Glossary.create, RequestRules.ofGlossary(Object(request)), Region.kindOf(region)),
        create(request)
      ),
    list,
    stream: Stream.fromIterableEffect(list),
    get,
    entries: entriesOf,
    dictionaries: (glossaryId) =>
      Stream.fromIterableEffect(Effect.map(get(glossaryId), ({ dictionaries }) => dictionaries)).pipe(
        Stream.mapEffect(({ sourceLang, targetLang }) => entriesOf(glossaryId, { sourceLang, targetLang }))
      ),
    replaceDictionary: (glossaryId, payload) => replaceDictionary({ glossaryId, payload }),
    update: (glossaryId, payload) => update({ glossaryId, payload }),
    delete: remove("delete", (glossaryId: string) => ({ path: { glossaryId } })),
    deleteDictionary: (glossaryId, pair) => deleteDictionary({ glossaryId, pair })
  }
}
