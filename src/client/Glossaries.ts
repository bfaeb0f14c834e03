/**
 * The glossaries of the account.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type * as Glossary from "../api/Glossary.js"
import type * as TranslateError from "./TranslateError.js"

/**
 * The glossaries of the account: `glossaries` of the client. Languages are base languages (`en`, `pt`, `zh`), which serve
 * their variants; another is an `InvalidRequest`, as are entries that break a rule. The time-out of a call grows with its
 * entries. `QuotaExceeded` (456) means too many glossary requests here, not a used up quota of translation.
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
   */
  readonly create: (
    request: Glossary.CreateRequest
  ) => Effect.Effect<Glossary.Glossary, TranslateError.TranslateError>
  /**
   * All glossaries, without entries: `GET /v3/glossaries`. The service knows no pages here.
   *
   * Source: service specification, Endpoints, Glossaries (v3).
   */
  readonly list: Effect.Effect<ReadonlyArray<Glossary.Glossary>, TranslateError.TranslateError>
  /** The items of `list`, one after another. */
  readonly stream: Stream.Stream<Glossary.Glossary, TranslateError.TranslateError>
  /**
   * One glossary, without entries: `GET /v3/glossaries/{glossary_id}`.
   *
   * Source: service specification, Endpoints, Glossaries (v3).
   */
  readonly get: (glossaryId: string) => Effect.Effect<Glossary.Glossary, TranslateError.TranslateError>
  /**
   * One dictionary with its entries: `GET /v3/glossaries/{glossary_id}/entries`.
   *
   * Source: service specification, Endpoints, Glossaries (v3).
   */
  readonly entries: (
    glossaryId: string,
    pair: Glossary.Pair
  ) => Effect.Effect<Glossary.DictionaryEntries, TranslateError.TranslateError>
  /**
   * A whole glossary, dictionary after dictionary: a `get`, then `entries` of each pair. It holds one dictionary in
   * memory at a time, and fails with `NotFound` if one is deleted meanwhile.
   *
   * Source: service specification, Endpoints, Glossaries (v3), entries.
   */
  readonly dictionaries: (
    glossaryId: string
  ) => Stream.Stream<Glossary.DictionaryEntries, TranslateError.TranslateError>
  /**
   * Creates the dictionary of a language pair, or replaces it outright: `PUT /v3/glossaries/{glossary_id}/dictionaries`.
   *
   * Source: service specification, Endpoints, Glossaries (v3).
   */
  readonly putDictionary: (
    glossaryId: string,
    dictionary: Glossary.DictionaryInput
  ) => Effect.Effect<Glossary.Dictionary, TranslateError.TranslateError>
  /**
   * Renames a glossary, merges entries into the dictionary of one language pair, or both:
   * `PATCH /v3/glossaries/{glossary_id}`.
   *
   * Source: service specification, Endpoints, Glossaries (v3).
   */
  readonly update: (
    glossaryId: string,
    changes: Glossary.UpdateRequest
  ) => Effect.Effect<Glossary.Glossary, TranslateError.TranslateError>
  /**
   * Deletes a whole glossary: `DELETE /v3/glossaries/{glossary_id}`.
   *
   * Source: service specification, Endpoints, Glossaries (v3).
   */
  readonly delete: (glossaryId: string) => Effect.Effect<void, TranslateError.TranslateError>
  /**
   * Deletes the dictionary of a language pair: `DELETE /v3/glossaries/{glossary_id}/dictionaries`.
   *
   * Source: service specification, Endpoints, Glossaries (v3).
   */
  readonly deleteDictionary: (
    glossaryId: string,
    pair: Glossary.Pair
  ) => Effect.Effect<void, TranslateError.TranslateError>
}
