import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as MonolingualGlossary from "../../api/MonolingualGlossary.js"
import type { MonolingualGlossaries } from "../MonolingualGlossaries.js"
import type { Endpoints } from "./endpoints.js"
import * as entries from "./entries.js"

export const make = ({ api, call, remove }: Endpoints): MonolingualGlossaries => {
  const listed = call(MonolingualGlossary.list, "free", () => api.monolingualGlossaries.list({}))
  const list = Effect.map(listed(), ({ glossaries }) => glossaries)
  const languagePairs = call(MonolingualGlossary.languagePairs, "free", () =>
    api.monolingualGlossaries.languagePairs({})
  )
  return {
    create: call(
      MonolingualGlossary.create,
      "never",
      (request: MonolingualGlossary.CreateRequest) => api.monolingualGlossaries.create({ payload: request }),
      { size: entries.size }
    ),
    list,
    stream: Stream.fromIterableEffect(list),
    get: call(MonolingualGlossary.get, "free", (glossaryId: string) =>
      api.monolingualGlossaries.get({ path: { glossaryId } })
    ),
    entries: call(
      MonolingualGlossary.entries,
      "free",
      (glossaryId: string) =>
        api.monolingualGlossaries.entries({
          path: { glossaryId },
          headers: { accept: MonolingualGlossary.entriesMediaType }
        }),
      { size: entries.largest }
    ),
    delete: remove(MonolingualGlossary.remove, (glossaryId: string) =>
      api.monolingualGlossaries.delete({ path: { glossaryId } })
    ),
    languagePairs: Effect.map(languagePairs(), ({ supportedLanguages }) => supportedLanguages)
  }
}
