import * as Effect from "effect/Effect"
import * as AdminClient from "../../../client/AdminClient.js"
import type { LimitInput } from "../../commands/keys.js"
import { Usage } from "../../failure.js"
import { Output } from "../../output.js"
import * as service from "../../service.js"
import { describe, find, shown } from "./keys.js"

/** The limit that an option sets; `null` is none. */
const limitOf = (
  option: string,
  given: string | undefined
): Effect.Effect<number | null | undefined, Usage> => {
  if (given === undefined || given === "none") return Effect.succeed(given && null)
  const limit = Number(given)
  return /^\d+$/.test(given) && Number.isSafeInteger(limit)
    ? Effect.succeed(limit)
    : new Usage({ message: `${option} ${given}: give a whole number, or none to lift the limit.` })
}

export const handle = (input: LimitInput) =>
  Effect.gen(function* () {
    const { result } = yield* Output
    const characters = yield* limitOf("--characters", input.characters)
    const speechToTextMilliseconds = yield* limitOf("--speech", input.speech)
    if (characters === undefined && speechToTextMilliseconds === undefined) {
      return yield* new Usage({
        message: "Say the limit: --characters 500000, or --characters none to lift it."
      })
    }
    const { developerKeys } = yield* AdminClient.AdminClient
    const { keyId } = yield* find(input.key)
    const limited = yield* developerKeys.setLimits(keyId, { characters, speechToTextMilliseconds })
    yield* result(shown(limited), describe([limited]))
  }).pipe(Effect.provide(service.admin))
