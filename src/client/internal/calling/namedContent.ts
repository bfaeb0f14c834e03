import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type * as GlossaryEntries from "../../../api/GlossaryEntries.js"
import * as LanguageCode from "../../../api/LanguageCode.js"
import * as NamedContent from "../../../api/NamedContent.js"
import type { TranslateOptions } from "../../../api/Text.js"
import { canonicalJson, hash } from "../../../internal/hash.js"
import { type CallError, isUnanswered } from "../../TranslateError.js"
import type { Connection } from "./connection.js"
import { isOf, maxSize } from "./dictionaries.js"
import { get } from "./get.js"

type Pair = GlossaryEntries.LanguagePair

/** A dictionary has each source once: the order of its lines says nothing. */
const hashOfLines = (text: string): string => hash(text.split(/\r?\n/).filter(Boolean).sort().join("\n"))

/**
 * The content, or "unknown" where this key may not read it, so that no change is noticed. A resource that does not exist
 * now may come to exist: that is another content.
 */
const orUnknown = <A>(self: Effect.Effect<A, CallError>): Effect.Effect<A | "unknown", CallError> =>
  Effect.catchIf(self, isUnanswered, () => Effect.succeed("unknown" as const))

/**
 * A hash of the content that options name by an id: the dictionaries of the language pair, and the style rule list.
 * `undefined` if they name nothing. One dictionary is in memory at a time.
 */
export const make = (
  connection: Connection
): ((options: TranslateOptions) => Effect.Effect<string | undefined, CallError>) => {
  const read = get(connection)
  const glossary = read(NamedContent.glossary)
  const styleRules = read(NamedContent.styleRules)
  const entries = read(NamedContent.entries, { size: maxSize })

  const hashOfDictionary = (glossaryId: string, pair: Pair) =>
    Effect.map(entries({ path: { glossaryId }, query: pair }), (answer) => {
      const dictionaries = "dictionaries" in answer ? answer.dictionaries : [answer]
      const held = dictionaries.flatMap((each) => (isOf(pair, each) ? hashOfLines(each.entries) : []))
      return [pair.sourceLang, pair.targetLang, ...held].join(" ")
    })

  /** Of the dictionaries for these languages: they are for languages, not for their variants, but may be listed as for a variant. */
  const hashOfGlossary = (glossaryId: string, wanted: Pair) =>
    Effect.gen(function* () {
      const { dictionaries = [] } = yield* glossary({ path: { glossaryId } })
      const listed = dictionaries.filter((pair) => isOf(pair, wanted))
      const base = {
        sourceLang: LanguageCode.base(wanted.sourceLang),
        targetLang: LanguageCode.base(wanted.targetLang)
      }
      // An answer may leave the dictionaries out.
      const hashes = yield* Effect.forEach(listed.length === 0 ? [base] : listed, (pair) =>
        hashOfDictionary(glossaryId, pair)
      )
      return hash([...hashes].sort().join(" "))
    })

  /** Without the name of the list and ids, which change no translation. */
  const hashOfStyle = (styleId: string) =>
    Effect.map(styleRules({ path: { styleId } }), ({ instructions = [], ...list }) =>
      hash(canonicalJson({ ...list, instructions: instructions.map((each) => ({ ...each, id: undefined })) }))
    )

  return ({ glossaryId, glossaryIds = Arr.fromNullable(glossaryId), sourceLang, styleId, targetLang }) => {
    const found = [
      ...(sourceLang === undefined
        ? []
        : glossaryIds.map((id) => hashOfGlossary(id, { sourceLang, targetLang }))),
      ...(styleId === undefined ? [] : [hashOfStyle(styleId)])
    ]
    return found.length === 0
      ? Effect.succeed(undefined)
      : Effect.map(Effect.all(found.map(orUnknown)), (hashes) => hash(hashes.join(" ")))
  }
}
