import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TranslateClient from "../../../client/TranslateClient.js"
import type { ListInput } from "../../commands/style.js"
import { Output } from "../../output.js"
import * as service from "../../service.js"
import * as text from "../../text.js"

export const handle = (_: ListInput) =>
  Effect.gen(function* () {
    const { note, result } = yield* Output
    const { styleRules } = yield* TranslateClient.TranslateClient
    const styles = Chunk.toReadonlyArray(yield* Stream.runCollect(styleRules.stream()))
    if (styles.length === 0) yield* note("There are no styles.")
    yield* result(
      { styleRules: styles },
      styles.length === 0
        ? ""
        : text.table(
            ["id", "name", "into", "version", "changed"],
            styles.map(({ language, name, styleId, updatedTime, version }) => [
              styleId,
              name,
              language,
              version,
              updatedTime && DateTime.formatIsoDateUtc(updatedTime)
            ])
          )
    )
  }).pipe(Effect.provide(service.client))
