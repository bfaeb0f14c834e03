import * as Effect from "effect/Effect"
import * as TranslateClient from "../../../client/TranslateClient.js"
import type { DeleteInput } from "../../commands/glossary.js"
import { confirm } from "../../confirm.js"
import { Output } from "../../output.js"
import * as service from "../../service.js"
import { dictionaryOf, find, nameOf } from "./glossaries.js"

export const handle = ({ dictionary, glossaries: references, yes }: DeleteInput) =>
  Effect.gen(function* () {
    const { result } = yield* Output
    const { glossaries } = yield* TranslateClient.TranslateClient
    const targets = yield* Effect.forEach([...new Set(references)], (reference) =>
      Effect.gen(function* () {
        const found = yield* find(reference)
        return { found, pair: dictionary && (yield* dictionaryOf(found, dictionary)) }
      })
    )
    const names = targets.map(({ found, pair }) => (pair ? `${nameOf(pair)} of ${found.name}` : found.name))
    yield* confirm(`Delete ${names.join(", ")} for good?`, { yes })
    yield* Effect.forEach(targets, ({ found: { glossaryId }, pair }) =>
      pair
        ? glossaries.deleteDictionary(glossaryId, {
            sourceLang: pair.sourceLang,
            targetLang: pair.targetLang
          })
        : glossaries.delete(glossaryId)
    )
    yield* result(
      { deleted: targets.map(({ found: { glossaryId, name } }) => ({ glossaryId, name })), dictionary },
      names.map((name) => `Deleted ${name}.`).join("\n")
    )
  }).pipe(Effect.provide(service.client))
