import * as Effect from "effect/Effect"
import * as TranslateClient from "../../../client/TranslateClient.js"
import type { DeleteInput } from "../../commands/style.js"
import { confirm } from "../../confirm.js"
import { Output } from "../../output.js"
import * as service from "../../service.js"
import { find } from "./styles.js"

export const handle = ({ styles, yes }: DeleteInput) =>
  Effect.gen(function* () {
    const { result } = yield* Output
    const { styleRules } = yield* TranslateClient.TranslateClient
    const found = yield* Effect.forEach([...new Set(styles)], find)
    yield* confirm(`Delete ${found.map(({ name }) => name).join(", ")} for good?`, { yes })
    yield* Effect.forEach(found, ({ styleId }) => styleRules.delete(styleId))
    yield* result(
      { deleted: found.map(({ name, styleId }) => ({ styleId, name })) },
      found.map(({ name }) => `Deleted ${name}.`).join("\n")
    )
  }).pipe(Effect.provide(service.client))
