import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Glossary from "../../api/Glossary.js"
import type { Glossaries } from "../Glossaries.js"
import type { Endpoints } from "./endpoints.js"
import * as entries from "./entries.js"

interface OfPair {
  readonly glossaryId: string
  readonly pair: Glossary.Pair
}

export const make = ({ api, call, remove }: Endpoints): Glossaries => {
  const listed = call(Glossary.list, "free", () => api.glossaries.list({}))
  const list = Effect.map(listed(), ({ glossaries }) => glossaries)
  const get = call(Glossary.get, "free", (glossaryId: string) => api.glossaries.get({ path: { glossaryId } }))

  const ofPair = call(
    Glossary.entries,
    "free",
    ({ glossaryId, pair }: OfPair) =>
      Effect.map(api.glossaries.entries({ path: { glossaryId }, urlParams: pair }), ({ dictionaries }) =>
        dictionaries.filter((dictionary) => entries.isOf(pair, dictionary))
      ),
    { size: entries.largest, expect: (_, { length }) => [1, length] }
  )
  const entriesOf = (glossaryId: string, pair: Glossary.Pair) =>
    Effect.map(ofPair({ glossaryId, pair }), ([dictionary]) => dictionary!)

  const putDictionary = call(
    Glossary.putDictionary,
    "free",
    ({ dictionary, glossaryId }: { glossaryId: string; dictionary: Glossary.DictionaryInput }) =>
      api.glossaries.putDictionary({ path: { glossaryId }, payload: dictionary }),
    { size: ({ dictionary }) => entries.size(dictionary) }
  )
  const update = call(
    Glossary.update,
    "free",
    ({ changes, glossaryId }: { glossaryId: string; changes: Glossary.UpdateRequest }) =>
      api.glossaries.update({ path: { glossaryId }, payload: changes }),
    { size: ({ changes }) => entries.size(changes?.dictionary) }
  )
  const deleteDictionary = remove(Glossary.deleteDictionary, ({ glossaryId, pair }: OfPair) =>
    api.glossaries.deleteDictionary({ path: { glossaryId }, urlParams: pair })
  )

  return {
    create: call(
      Glossary.create,
      "never",
      (request: Glossary.CreateRequest) => api.glossaries.create({ payload: request }),
      { size: (request) => entries.sizes(request?.dictionaries) }
    ),
    list,
    stream: Stream.fromIterableEffect(list),
    get,
    entries: entriesOf,
    dictionaries: (glossaryId) =>
      Stream.fromIterableEffect(Effect.map(get(glossaryId), ({ dictionaries }) => dictionaries)).pipe(
        Stream.mapEffect(({ sourceLang, targetLang }) => entriesOf(glossaryId, { sourceLang, targetLang }))
      ),
    putDictionary: (glossaryId, dictionary) => putDictionary({ glossaryId, dictionary }),
    update: (glossaryId, changes) => update({ glossaryId, changes }),
    delete: remove(Glossary.remove, (glossaryId: string) => api.glossaries.delete({ path: { glossaryId } })),
    deleteDictionary: (glossaryId, pair) => deleteDictionary({ glossaryId, pair })
  }
}
