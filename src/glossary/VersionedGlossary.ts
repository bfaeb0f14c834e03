/**
 * The terms of a version of a project's glossary, by its id alone, as workers of durable jobs know it.
 *
 * @internal
 */
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as GlossaryEntries from "../api/GlossaryEntries.js"
import * as TranslateClient from "../client/TranslateClient.js"
import * as TranslateError from "../client/TranslateError.js"
import { terms } from "./GlossarySync.js"
import * as glossaryVersions from "./internal/glossaryVersions.js"

/** The time for which a version is kept for a durable job, which waits for workers and takes long. Each worker that opens the job extends it. */
export const lease: Duration.DurationInput = "30 days"

/**
 * The terms of a glossary for a pair of languages, and a longer lease; nothing if it is no version of a project's, whose terms may change, or
 * if the key may not read it.
 */
export const open: (
  glossaryId: string,
  pair: GlossaryEntries.LanguagePair
) => Effect.Effect<
  ReadonlyMap<string, string> | undefined,
  TranslateError.CallError,
  TranslateClient.TranslateClient
> = Effect.fn("VersionedGlossary.open")(function* (glossaryId, pair) {
  const { glossaries } = yield* TranslateClient.TranslateClient
  const read = Effect.gen(function* () {
    const extended = glossaryVersions.extended(yield* glossaries.get(glossaryId), lease, yield* DateTime.now)
    if (extended === undefined) return undefined
    const { name } = extended
    if (name !== undefined) yield* Effect.ignore(glossaries.update(glossaryId, { name }))
    const { entries } = yield* glossaries.entries(glossaryId, pair)
    return terms([{ ...pair, entries }], pair)
  })
  return yield* Effect.catchIf(read, TranslateError.isUnanswered, () => Effect.succeed(undefined))
})
