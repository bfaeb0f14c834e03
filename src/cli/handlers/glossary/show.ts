import * as Effect from "effect/Effect"
import type { ShowInput } from "../../commands/glossary.js"
import { Output } from "../../output.js"
import * as service from "../../service.js"
import * as text from "../../text.js"
import { find, nameOf } from "./glossaries.js"

export const handle = ({ glossary }: ShowInput) =>
  Effect.gen(function* () {
    const { result } = yield* Output
    const found = yield* find(glossary)
    yield* result(
      found,
      [
        `${found.name} (${found.glossaryId})`,
        "",
        text.table(
          ["dictionary", "entries"],
          found.dictionaries.map((dictionary) => [nameOf(dictionary), dictionary.entryCount])
        )
      ].join("\n")
    )
  }).pipe(Effect.provide(service.client))
