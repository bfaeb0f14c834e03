import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as TranslateApi from "../../api/TranslateApi.js"
import type { Dictionary, Glossary, GlossaryState } from "./glossaryState.js"

const metadata = ({ entries, sourceLang, targetLang }: Dictionary) => ({
  sourceLang,
  targetLang,
  entryCount: entries.length
})

const answer = ({ dictionaries, ...glossary }: Glossary) => ({
  ...glossary,
  dictionaries: Array.from(dictionaries.values(), metadata)
})

/** The handlers of glossaries. */
export const handlers = (state: GlossaryState) =>
  HttpApiBuilder.group(TranslateApi.TranslateApi, "glossaries", (handlers) =>
    handlers
      .handle("create", ({ payload: { dictionaries, name } }) =>
        Effect.map(state.create(name, dictionaries), answer)
      )
      .handle("list", () => Effect.map(state.list, (glossaries) => ({ glossaries: glossaries.map(answer) })))
      .handle("get", ({ path }) => Effect.map(state.get(path.glossaryId), answer))
      .handle("entries", ({ path, urlParams }) =>
        Effect.map(state.dictionary(path.glossaryId, urlParams), (dictionary) => ({
          dictionaries: [dictionary]
        }))
      )
      .handle("replaceDictionary", ({ path, payload }) =>
        Effect.as(state.put(path.glossaryId, payload), metadata(payload))
      )
      .handle("update", ({ path, payload }) => Effect.map(state.update(path.glossaryId, payload), answer))
      .handle("delete", ({ path }) => state.delete(path.glossaryId))
      .handle("deleteDictionary", ({ path, urlParams }) => state.deleteDictionary(path.glossaryId, urlParams))
  )
