import * as Effect from "effect/Effect"
import type { ShowInput } from "../../commands/style.js"
import { Output } from "../../output.js"
import * as service from "../../service.js"
import { describe, find } from "./styles.js"

export const handle = ({ style }: ShowInput) =>
  Effect.gen(function* () {
    const { result } = yield* Output
    const found = yield* find(style)
    yield* result(found, describe(found))
  }).pipe(Effect.provide(service.client))
