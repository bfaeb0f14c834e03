import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as TranslateClient from "../../../client/TranslateClient.js"
import type { ListInput } from "../../commands/glossary.js"
import { Output } from "../../output.js"
import * as service from "../../service.js"
import * as text from "../../text.js"
import { nameOf } from "./glossaries.js"

export const handle = (_: ListInput) =>
  Effect.gen(function* () {
    const { note, result } = yield* Output
    const { glossaries } = yield* TranslateClient.TranslateClient
    const all = yield* glossaries.list
    if (all.length === 0) yield* note("There are no glossaries.")
    yield* result(
      { glossaries: all },
      all.length === 0
        ? ""
        : text.table(
            ["id", "name", "dictionaries", "created"],
            all.map(({ creationTime, dictionaries, glossaryId, name }) => [
              glossaryId,
              name,
              dictionaries.map(nameOf).join(" "),
              creationTime && DateTime.formatIsoDateUtc(creationTime)
            ])
          )
    )
  }).pipe(Effect.provide(service.client))
