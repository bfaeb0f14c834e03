import * as Effect from "effect/Effect"
import * as AdminClient from "../../../client/AdminClient.js"
import type { DeactivateInput } from "../../commands/keys.js"
import { confirm } from "../../confirm.js"
import { Output } from "../../output.js"
import * as service from "../../service.js"
import { describe, find, namesOf, shown } from "./keys.js"

export const handle = ({ keys, yes }: DeactivateInput) =>
  Effect.gen(function* () {
    const { result } = yield* Output
    const { developerKeys } = yield* AdminClient.AdminClient
    const found = yield* Effect.forEach([...new Set(keys)], find)
    yield* confirm(`Deactivate ${namesOf(found)} for good?`, { yes })
    const deactivated = yield* Effect.forEach(found, ({ keyId }) => developerKeys.deactivate(keyId))
    yield* result({ keys: deactivated.map(shown) }, describe(deactivated))
  }).pipe(Effect.provide(service.admin))
