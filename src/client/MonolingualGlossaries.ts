/**
 * The older glossaries (v2) of the account, with one dictionary each.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as GlossaryEntries from "../api/GlossaryEntries.js"
import * as MonolingualGlossary from "../api/MonolingualGlossary.js"
import { maxSize, sizeOf } from "./internal/calling/dictionaries.js"
import type { Endpoints } from "./internal/calling/endpoints.js"
import type { CallError } from "./TranslateError.js"

/**
 * The models of these calls, from the contract.
 *
 * @since 0.1.0
 * @category models
 */
export { CreateRequest, MonolingualGlossary, Pair } from "../api/MonolingualGlossary.js"

/**
 * The older glossary endpoints (v2): `monolingualGlossaries` of the client. Their glossaries have one dictionary and
 * cannot be changed. New programs use `glossaries`.
 *
 * @since 0.1.0
 * @category models
 */
export interface MonolingualGlossaries {
  /**
   * Creates a glossary of one dictionary: `POST /v2/glossaries`. It is not sent again by itself if the service may have
   * created it already. `glossaries.create` replaces it.
   *
   * Source: wire facts, older `/v2/glossaries`.
   *
   * @example
   * const glossary = yield* client.monolingualGlossaries.create({
   *   name: "Shop",
   *   sourceLang: "en",
   *   targetLang: "de",
   *   entries: [{ source: "mug", target: "Becher" }]
   * })
   */
  readonly create: (
    request: MonolingualGlossary.CreateRequest
  ) => Effect.Effect<MonolingualGlossary.MonolingualGlossary, CallError>
  /**
   * All glossaries of one dictionary: `GET /v2/glossaries`. The list has no pages. `glossaries.list` replaces
   * it.
   *
   * Source: wire facts, older `/v2/glossaries`.
   *
   * @example
   * const all = yield* client.monolingualGlossaries.list
   */
  readonly list: Effect.Effect<ReadonlyArray<MonolingualGlossary.MonolingualGlossary>, CallError>
  /** The items of `list`, one after another. */
  readonly stream: Stream.Stream<MonolingualGlossary.MonolingualGlossary, CallError>
  /**
   * One glossary, without entries: `GET /v2/glossaries/{glossary_id}`. `glossaries.get` replaces it.
   *
   * Source: wire facts, older `/v2/glossaries`.
   *
   * @example
   * const found = yield* client.monolingualGlossaries.get(glossary.glossaryId)
   */
  readonly get: (glossaryId: string) => Effect.Effect<MonolingualGlossary.MonolingualGlossary, CallError>
  /**
   * The entries of a glossary: `GET /v2/glossaries/{glossary_id}/entries`. `glossaries.entries` replaces it.
   *
   * Source: wire facts, older `/v2/glossaries`.
   *
   * @example
   * const entries = yield* client.monolingualGlossaries.entries(glossary.glossaryId)
   */
  readonly entries: (glossaryId: string) => Effect.Effect<GlossaryEntries.GlossaryEntries, CallError>
  /**
   * Deletes a glossary: `DELETE /v2/glossaries/{glossary_id}`. `glossaries.delete` replaces it.
   *
   * Source: wire facts, older `/v2/glossaries`.
   *
   * @example
   * yield* client.monolingualGlossaries.delete(glossary.glossaryId)
   */
  readonly delete: (glossaryId: string) => Effect.Effect<void, CallError>
  /**
   * The language pairs that glossaries exist for: `GET /v2/glossary-language-pairs`. The languages of the resource
   * `glossary` (`GET /v3/languages`) replace it.
   *
   * Source: service specification, Endpoints, Languages; wire facts, older `/v2/glossaries`.
   *
   * @example
   * const pairs = yield* client.monolingualGlossaries.languagePairs
   *
   * @deprecated by the service: list the languages of the resource `glossary`.
   */
  readonly languagePairs: Effect.Effect<ReadonlyArray<MonolingualGlossary.Pair>, CallError>
}

/** @internal */
export const make: (endpoints: Endpoints) => MonolingualGlossaries = ({ group }) => {
  const { call, remove } = group("monolingualGlossaries")
  const list = Effect.map(call("list", "always", () => ({}))(), ({ glossaries }) => glossaries)
  const languagePairs = call("languagePairs", "always", () => ({}))
  return {
    create: call("create", "never", (payload: MonolingualGlossary.CreateRequest) => ({ payload }), {
      size: sizeOf
    }),
    list,
    stream: Stream.fromIterableEffect(list),
    get: call("get", "always", (glossaryId: string) => ({ path: { glossaryId } })),
    entries: call(
      "entries",
      "always",
      (glossaryId: string) => ({
        path: { glossaryId },
        headers: { accept: MonolingualGlossary.entriesMediaType }
      }),
      { size: maxSize }
    ),
    delete: remove("delete", (glossaryId: string) => ({ path: { glossaryId } })),
    languagePairs: Effect.map(languagePairs(), ({ supportedLanguages }) => supportedLanguages)
  }
}
