import * as Effect from "effect/Effect"
import * as AdminClient from "../../../client/AdminClient.js"
import type { ListInput } from "../../commands/keys.js"
import { Output } from "../../output.js"
import * as service from "../../service.js"
import { describe, shown } from "./keys.js"

export const handle = (_: ListInput) =>
  Effect.gen(function* () {
    const { note, result } = yield* Output
    const { developerKeys } = yield* AdminClient.AdminClient
    const keys = yield* developerKeys.list
    if (keys.length === 0) yield* note("There are no keys.")
    yield* result({ keys: keys.map(shown) }, keys.length === 0 ? "" : describe(keys))
  }).pipe(Effect.provide(service.admin))
