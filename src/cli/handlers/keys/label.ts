import * as Effect from "effect/Effect"
import * as AdminClient from "../../../client/AdminClient.js"
import type { LabelInput } from "../../commands/keys.js"
import { Output } from "../../output.js"
import * as service from "../../service.js"
import { describe, find, shown } from "./keys.js"

export const handle = ({ key, label }: LabelInput) =>
  Effect.gen(function* () {
    const { result } = yield* Output
    const { developerKeys } = yield* AdminClient.AdminClient
    const { keyId } = yield* find(key)
    const labelled = yield* developerKeys.rename(keyId, label)
    yield* result(shown(labelled), describe([labelled]))
  }).pipe(Effect.provide(service.admin))
