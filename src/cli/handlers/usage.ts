import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as TranslateClient from "../../client/TranslateClient.js"
import type { Input } from "../commands/usage.js"
import { Output } from "../output.js"
import * as service from "../service.js"
import * as text from "../text.js"

export const handle = (_: Input) =>
  Effect.gen(function* () {
    const { result } = yield* Output
    const { usage } = yield* TranslateClient.TranslateClient
    const used = yield* usage
    const rows: ReadonlyArray<readonly [string, number | undefined, number | null | undefined]> = [
      ["characters", used.characterCount, used.characterLimit],
      ["characters of this key", used.apiKeyCharacterCount, used.apiKeyCharacterLimit],
      ["documents", used.documentCount, used.documentLimit],
      ["documents of the team", used.teamDocumentCount, used.teamDocumentLimit],
      ["milliseconds of speech", used.speechToTextMillisecondsCount, used.speechToTextMillisecondsLimit]
    ]
    const known = rows.filter(([, count]) => count !== undefined)
    const period =
      used.endTime === undefined ? [] : [`The period ends at ${DateTime.formatIso(used.endTime)}.`]
    yield* result(
      used,
      [
        text.table(
          ["", "used", "of"],
          known.map(([name, count, limit]) => [name, count, limit === null ? "no limit" : limit])
        ),
        ...period
      ].join("\n")
    )
  }).pipe(Effect.provide(service.client))
