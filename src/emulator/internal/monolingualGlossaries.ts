import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as MonolingualGlossary from "../../api/MonolingualGlossary.js"
import * as TranslateApi from "../../api/TranslateApi.js"
import type { Dictionary, Glossary } from "./account.js"
import { refuse } from "./answer.js"
import type { GlossaryState } from "./glossaryState.js"
import * as languageTable from "./languageTable.js"
import { refusal } from "./refusal.js"
import type { SupportedValues } from "./supportedValues.js"

/** A glossary as these endpoints see it, if they do. */
const seen = ({
  dictionaries,
  ...glossary
}: Glossary): ReadonlyArray<{ readonly record: MonolingualGlossary.MonolingualGlossary } & Dictionary> => {
  const [dictionary, ...others] = dictionaries.values()
  if (dictionary === undefined || others.length > 0) return []
  const { entries, sourceLang, targetLang } = dictionary
  const record = { ...glossary, ready: true, sourceLang, targetLang, entryCount: entries.length }
  return [{ record, sourceLang, targetLang, entries }]
}

const { sources, targets } = languageTable.glossaryLanguages

const supportedLanguages = sources.flatMap((sourceLang) =>
  targets.filter((targetLang) => targetLang !== sourceLang).map((targetLang) => ({ sourceLang, targetLang }))
)

/** True if an `Accept` header takes the one type that there is. */
const accepts = (header: string | undefined): boolean =>
  header === undefined ||
  header.split(",").some((range) => {
    const type = range.split(";", 1)[0]!.trim().toLowerCase()
    return type === MonolingualGlossary.entriesMediaType || type === "text/*" || type === "*/*"
  })

/** The handlers of the older glossary endpoints: they see the glossaries that hold exactly one dictionary. */
export const handlers = (state: GlossaryState, supported: SupportedValues) => {
  const find = (glossaryId: string) =>
    Effect.flatMap(state.get(glossaryId), (glossary) => {
      const [found] = seen(glossary)
      return found === undefined
        ? refusal(
            "NotFound",
            "There is no such glossary of exactly one dictionary: /v3/glossaries serves the others"
          )
        : Effect.succeed(found)
    })

  return HttpApiBuilder.group(TranslateApi.TranslateApi, "monolingualGlossaries", (handlers) =>
    handlers
      .handle("create", ({ payload: { extraParameters, name, ...dictionary } }) =>
        Effect.zipRight(
          supported.request(extraParameters, []),
          Effect.map(state.create(name, [dictionary]), (glossary) => seen(glossary)[0]!.record)
        )
      )
      .handle("list", () =>
        Effect.map(state.list, (glossaries) => ({
          glossaries: glossaries.flatMap(seen).map(({ record }) => record)
        }))
      )
      .handle("get", ({ path }) => Effect.map(find(path.glossaryId), ({ record }) => record))
      .handle("delete", ({ path }) => Effect.zipRight(find(path.glossaryId), state.delete(path.glossaryId)))
      .handle("entries", ({ headers, path }) =>
        accepts(headers.accept)
          ? Effect.map(find(path.glossaryId), ({ entries }) => entries)
          : Effect.succeed(refuse(415, `Entries are ${MonolingualGlossary.entriesMediaType}: accept that`))
      )
      .handle("languagePairs", () => Effect.succeed({ supportedLanguages }))
  )
}
