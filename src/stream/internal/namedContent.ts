import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type * as GlossaryEntries from "../../api/GlossaryEntries.js"
import * as LanguageCode from "../../api/LanguageCode.js"
import type { StyleRuleList } from "../../api/StyleRule.js"
import type { TranslateOptions } from "../../api/Text.js"
import * as Glossaries from "../../client/Glossaries.js"
import type * as TranslateClient from "../../client/TranslateClient.js"
import { isUnanswered, type TranslateError } from "../../client/TranslateError.js"
import { canonicalJson, hash } from "../../internal/hash.js"

type Client = Pick<TranslateClient.Service, "glossaries" | "styleRules">

/** A dictionary has each source once: their order says nothing. */
const hashOfEntries = (entries: GlossaryEntries.GlossaryEntries): string =>
  hash(
    JSON.stringify(
      entries.map(({ source, target }) => [source, target] as const).sort(([a], [b]) => (a < b ? -1 : 1))
    )
  )

/** Without the names of the list and ids, which change no translation. */
const hashOfRules = ({ configuredRules, customInstructions, language }: StyleRuleList): string =>
  hash(
    canonicalJson({
      language,
      configuredRules,
      customInstructions: customInstructions.map(({ id: _, ...instruction }) => instruction)
    })
  )

/** What does not exist now may come to exist: that is another content. Of what this key may not read, no change is noticed. */
const orUnknown = <A>(self: Effect.Effect<A, TranslateError>): Effect.Effect<A | "unknown", TranslateError> =>
  Effect.catchIf(self, isUnanswered, () => Effect.succeed("unknown" as const))

/** Of the dictionaries for these languages: they are for languages, not for their variants, but may be listed as for a variant. */
const hashOfGlossary = (
  { glossaries }: Client,
  glossaryId: string,
  wanted: GlossaryEntries.LanguagePair
): Effect.Effect<string, TranslateError> =>
  orUnknown(
    Effect.gen(function* () {
      const { dictionaries } = yield* glossaries.get(glossaryId)
      const listed = dictionaries.filter((pair) => Glossaries.isOf(pair, wanted))
      const base = {
        sourceLang: LanguageCode.base(wanted.sourceLang),
        targetLang: LanguageCode.base(wanted.targetLang)
      }
      // An answer may leave the dictionaries out.
      const hashes = yield* Effect.forEach(
        listed.length === 0 ? [base] : listed,
        ({ sourceLang, targetLang }) =>
          Effect.map(
            glossaries.entries(glossaryId, { sourceLang, targetLang }),
            ({ entries }) => `${sourceLang} ${targetLang} ${hashOfEntries(entries)}`
          )
      )
      return hash([...hashes].sort().join(" "))
    })
  )

/**
 * A hash of the content of what options name by an id: the dictionaries of the language pair, and the style rule list.
 * `undefined` if they name nothing. One dictionary is in memory at a time.
 */
export const hashOf = (
  client: Client,
  {
    glossaryId,
    glossaryIds = Arr.fromNullable(glossaryId),
    sourceLang,
    styleId,
    targetLang
  }: TranslateOptions
): Effect.Effect<string | undefined, TranslateError> => {
  const found: ReadonlyArray<Effect.Effect<string, TranslateError>> = [
    ...(sourceLang === undefined
      ? []
      : glossaryIds.map((id) => hashOfGlossary(client, id, { sourceLang, targetLang }))),
    ...(styleId === undefined ? [] : [orUnknown(Effect.map(client.styleRules.get(styleId), hashOfRules))])
  ]
  return found.length === 0
    ? Effect.succeed(undefined)
    : Effect.map(Effect.all(found), (hashes) => hash(hashes.join(" ")))
}
