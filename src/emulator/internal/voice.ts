import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as ServiceError from "../../api/ServiceError.js"
import * as TranslateApi from "../../api/TranslateApi.js"
import * as ids from "./ids.js"

interface Session {
  readonly key: string
  readonly id: string
}

const unknown: typeof ServiceError.NotFound.Type = {
  _tag: "NotFound",
  message: "There is no session of this token: each token opens its session again once"
}

/** The handlers of realtime speech. There is nothing behind the addresses that they give. */
export const handlers = HttpApiBuilder.group(TranslateApi.TranslateApi, "voice", (handlers) => {
  const sessions = new Map<string, Session>()

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
    .handle("open", () =>
      Effect.gen(function* () {
        const { key } = yield* TranslateApi.Caller
        return yield* admit({ key, id: yield* ids.make })
      })
    )
    .handle("reopen", ({ urlParams }) =>
      Effect.gen(function* () {
        const { key } = yield* TranslateApi.Caller
        const token = Redacted.value(urlParams.token)
        const session = sessions.get(token)
        if (session?.key !== key) return yield* Effect.fail(unknown)
        sessions.delete(token)
        return yield* admit(session)
      })
    )
})
