import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as TranslateApi from "../../api/TranslateApi.js"
import type { AccountState } from "./account.js"

/** The handlers of the usage endpoints. */
export const handlers = (account: AccountState) =>
  HttpApiBuilder.group(TranslateApi.TranslateApi, "usage", (handlers) =>
    handlers.handle("usage", () =>
      Effect.gen(function* () {
        const caller = yield* TranslateApi.Caller
        const period = yield* account.currentPeriod
        const { characterLimit, characters } = account.keys.get(caller.key)!
        return {
          characterCount: account.characters,
          characterLimit: account.characterLimit,
          products: [
            {
              productType: "translate",
              billingUnit: "characters",
              apiKeyUnitCount: characters,
              accountUnitCount: account.characters,
              apiKeyCharacterCount: characters,
              characterCount: account.characters
            }
          ],
          apiKeyCharacterCount: characters,
          apiKeyCharacterLimit: characterLimit,
          speechToTextMillisecondsCount: 0,
          speechToTextMillisecondsLimit: null,
          startTime: period.start,
          endTime: period.end
        }
      })
    )
  )
