import * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import { constTrue } from "effect/Function"
import type * as Redacted from "effect/Redacted"
import * as Voice from "../../api/Voice.js"
import type { VoiceSessions } from "../VoiceSessions.js"
import type { Endpoints } from "./endpoints.js"

export const make = ({ api, call }: Endpoints): VoiceSessions => ({
  open: call(Voice.open, "never", (payload: Voice.VoiceSessionOptions) => api.voice.open({ payload })),
  reopen: call(Voice.reopen, "free", (token: Redacted.Redacted) =>
    // A span would hold the query, and with it the token.
    Effect.locally(
      api.voice.reopen({ urlParams: { token } }),
      HttpClient.currentTracerDisabledWhen,
      constTrue
    )
  )
})
