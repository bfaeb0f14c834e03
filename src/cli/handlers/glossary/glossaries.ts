import * as Effect from "effect/Effect"
import * as LanguageCode from "../../../api/LanguageCode.js"
import type * as Glossaries from "../../../client/Glossaries.js"
import * as TranslateClient from "../../../client/TranslateClient.js"
import { Usage } from "../../failure.js"

/** The glossary of an id or a name. */
export const find = (reference: string) =>
  Effect.gen(function* () {
    const { glossaries } = yield* TranslateClient.TranslateClient
    const all = yield* glossaries.list
    const [found, ...others] =
      [
        all.filter(({ glossaryId }) => glossaryId === reference),
        all.filter(({ name }) => name === reference)
      ].find((matches) => matches.length > 0) ?? []
    if (found === undefined) {
      return yield* new Usage({
        message: `There is no glossary ${reference}: see "effect-translate glossary list".`
      })
    }
    if (others.length > 0) {
      const ids = [found, ...others].map(({ glossaryId }) => glossaryId).join(", ")
      return yield* new Usage({
        message: `${1 + others.length} glossaries are named ${reference}: give the id, one of ${ids}.`
      })
    }
    return found
  })

/** How `--dictionary` names a language pair. */
export const nameOf = ({ sourceLang, targetLang }: Glossaries.Pair): string => `${sourceLang}:${targetLang}`

/** The language pair that `--dictionary` names. */
export const pairOf = (given: string): Effect.Effect<Glossaries.Pair, Usage> => {
  const [, sourceLang, targetLang] = /^([a-z0-9-]+):([a-z0-9-]+)$/i.exec(given) ?? []
  return sourceLang === undefined || targetLang === undefined
    ? new Usage({ message: `--dictionary ${given}: give both languages, such as en:de.` })
    : Effect.succeed({ sourceLang, targetLang })
}

/** The dictionary of a glossary that `--dictionary` names. */
export const dictionaryOf = (glossary: Glossaries.Glossary, given: string) =>
  Effect.flatMap(pairOf(given), ({ sourceLang, targetLang }) => {
    const found = glossary.dictionaries.find(
      (dictionary) =>
        LanguageCode.base(dictionary.sourceLang) === LanguageCode.base(sourceLang) &&
        LanguageCode.base(dictionary.targetLang) === LanguageCode.base(targetLang)
    )
    return found === undefined
      ? new Usage({
          message: `${glossary.name} has no dictionary ${given}; it has ${glossary.dictionaries.map(nameOf).join(", ")}.`
        })
      : Effect.succeed(found)
  })
