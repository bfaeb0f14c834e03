import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TranslateApi from "../../api/TranslateApi.js"
import type { AccountState } from "./account.js"
import * as ids from "./ids.js"
import { refusal } from "./refusal.js"
import type { SupportedValues } from "./supportedValues.js"

interface Session {
  readonly key: string
  readonly id: string
}

/** The handlers of realtime speech. No server is behind the addresses that they give, so nothing is ever billed. */
export const handlers = (account: AccountState, supported: SupportedValues) =>
  HttpApiBuilder.group(TranslateApi.TranslateApi, "voice", (handlers) => {
    const sessions = new Map<string, Session>()

    const caller = Effect.flatMap(TranslateApi.Caller, ({ key }) =>
      account.keys.get(key)?.speechToTextMillisecondsLimit === 0
        ? refusal("QuotaExceeded", "Quota exceeded: the key may use 0 milliseconds of speech in this period")
        : Effect.succeed(key)
    )

    const admit = (session: Session) =>
      Effect.map(ids.make, (token) => {
        sessions.set(token, session)
        return {
          streamingUrl: Redacted.make("wss://voice.emulator.localhost/v3/voice/realtime/connect"),
          token: Redacted.make(token),
          sessionId: session.id
        }
      })

    return handlers
      .handle("open", ({ payload: { sourceLanguage, targetLanguages = [] } }) =>
        Effect.gen(function* () {
          const key = yield* caller
          yield* supported.languages("voice", { sources: { source_language: sourceLanguage } })
          yield* Effect.forEach(targetLanguages, (target_languages) =>
            supported.languages("voice", { targets: { target_languages } })
          )
          return yield* admit({ key, id: yield* ids.make })
        })
      )
      .handle("reopen", ({ urlParams }) =>
        Effect.gen(function* () {
          const key = yield* caller
          const token = Redacted.value(urlParams.token)
          const session = sessions.get(token)
          if (session?.key !== key) {
            return yield* refusal(
              "NotFound",
              "There is no session of this token: each token opens its session again once"
            )
          }
          sessions.delete(token)
          return yield* admit(session)
        })
      )
  })
