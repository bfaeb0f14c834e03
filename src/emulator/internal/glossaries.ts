import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as RequestRules from "../../api/RequestRules.js"
import * as TranslateApi from "../../api/TranslateApi.js"
import type { Dictionary, Glossary as Stored } from "./account.js"
import type { GlossaryState } from "./glossaryState.js"
import type { SupportedValues } from "./supportedValues.js"

const metadata = ({ entries, sourceLang, targetLang }: Dictionary) => ({
  sourceLang,
  targetLang,
  entryCount: entries.length
})

const answer = ({ dictionaries, ...glossary }: Stored) => ({
  ...glossary,
  dictionaries: Array.from(dictionaries.values(), metadata)
})

interface Parameters {
  readonly extraParameters?: object | undefined
}

/** The parameters of a request that the contract does not know, with where they stand. */
const unknownIn = (
  { extraParameters }: Parameters,
  dictionaries: ReadonlyArray<Parameters> = []
): object => ({
  ...extraParameters,
  ...Object.fromEntries(
    dictionaries.flatMap(({ extraParameters = {} }, index) =>
      Object.keys(extraParameters).map((name) => [`dictionaries[${index}].${name}`, true])
    )
  )
})

/** The handlers of glossaries. */
export const handlers = (state: GlossaryState, supported: SupportedValues) =>
  HttpApiBuilder.group(TranslateApi.TranslateApi, "glossaries", (handlers) =>
    handlers
      .handle("create", ({ payload }) =>
        Effect.zipRight(
          supported.request(unknownIn(payload, payload.dictionaries), RequestRules.ofGlossary(payload)),
          Effect.map(state.create(payload.name, payload.dictionaries), answer)
        )
      )
      .handle("list", () => Effect.map(state.list, (glossaries) => ({ glossaries: glossaries.map(answer) })))
      .handle("get", ({ path }) => Effect.map(state.get(path.glossaryId), answer))
      .handle("entries", ({ path, urlParams }) =>
        Effect.map(state.dictionary(path.glossaryId, urlParams), (dictionary) => ({
          dictionaries: [dictionary]
        }))
      )
      .handle("replaceDictionary", ({ path, payload }) =>
        Effect.zipRight(
          supported.request(payload.extraParameters, []),
          Effect.as(state.put(path.glossaryId, payload), metadata(payload))
        )
      )
      .handle("update", ({ path, payload }) =>
        Effect.zipRight(
          supported.request(unknownIn(payload, payload.dictionary && [payload.dictionary]), []),
          Effect.map(state.update(path.glossaryId, payload), answer)
        )
      )
      .handle("delete", ({ path }) => state.delete(path.glossaryId))
      .handle("deleteDictionary", ({ path, urlParams }) => state.deleteDictionary(path.glossaryId, urlParams))
  )
