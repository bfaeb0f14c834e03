import * as Effect from "effect/Effect"
import type { Language } from "../../../client/StyleRules.js"
import * as TranslateClient from "../../../client/TranslateClient.js"
import type { CreateInput } from "../../commands/style.js"
import { Output } from "../../output.js"
import * as service from "../../service.js"
import { inOptions, instructionsOf, rulesOf } from "./styles.js"

export const handle = ({ from, instructions, name, rules, to }: CreateInput) =>
  Effect.gen(function* () {
    const { note, result } = yield* Output
    const { styleRules } = yield* TranslateClient.TranslateClient
    const customInstructions = yield* instructionsOf(instructions)
    const created = yield* styleRules
      .create({
        name,
        // The client refuses other languages.
        language: to as Language,
        configuredRules: yield* rulesOf(rules),
        customInstructions: customInstructions.map((instruction) => ({
          ...instruction,
          sourceLanguage: from
        }))
      })
      .pipe(Effect.catchTag("InvalidRequest", inOptions))
    yield* result(created, created.styleId)
    yield* note(`Created ${created.name}, for translations into ${created.language}.`)
  }).pipe(Effect.provide(service.client))
