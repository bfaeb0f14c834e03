import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as ServiceKind from "../../api/ServiceKind.js"
import * as TranslateApi from "../../api/TranslateApi.js"
import { type AccountState, type Product, used } from "./account.js"

/** The handlers of the usage endpoints. */
export const handlers = (account: AccountState, kind: ServiceKind.ServiceKind) =>
  HttpApiBuilder.group(TranslateApi.TranslateApi, "usage", (handlers) =>
    handlers.handle("usage", () =>
      Effect.gen(function* () {
        const caller = yield* TranslateApi.Caller
        const { end, start } = yield* account.currentPeriod
        const key = account.keys.get(caller.key)!
        const product = (productType: string, products: ReadonlyArray<Product>) => {
          const ofKey = used([key], products)
          const ofAccount = used(key.account.keys, products)
          return {
            productType,
            billingUnit: "characters",
            apiKeyUnitCount: ofKey,
            accountUnitCount: ofAccount,
            apiKeyCharacterCount: ofKey,
            characterCount: ofAccount
          }
        }
        return {
          characterCount: used(key.account.keys),
          characterLimit: account.characterLimit ?? undefined,
          products: [
            product("translate", ["text_translation", "document_translation"]),
            product("write", ["text_improvement"])
          ],
          apiKeyCharacterCount: used([key]),
          apiKeyCharacterLimit: key.characterLimit ?? undefined,
          speechToTextMillisecondsCount: 0,
          speechToTextMillisecondsLimit: key.speechToTextMillisecondsLimit ?? undefined,
          ...(kind.name === ServiceKind.specification.name
            ? {}
            : { speechToTextMinutesCount: 0, speechToSpeechMinutesCount: 0 }),
          startTime: start,
          endTime: end
        }
      })
    )
  )
