/**
 * Realtime transcription and translation of speech.
 *
 * @since 0.1.0
 */

import * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import { constTrue } from "effect/Function"
import type * as Redacted from "effect/Redacted"
import type * as Voice from "../api/Voice.js"
import type { Endpoints } from "./internal/calling/endpoints.js"
import type { CallError } from "./TranslateError.js"

/**
 * The models of these calls, from the contract.
 *
 * @since 0.1.0
 * @category models
 */
export { VoiceSession, VoiceSessionOptions } from "../api/Voice.js"

/**
 * Realtime transcription and translation of speech: `voice` of the client.
 *
 * @since 0.1.0
 * @category models
 */
export interface VoiceSessions {
  /**
   * Opens a session: `POST /v3/voice/realtime`. It is not sent again if it may have arrived.
   *
   * Source: service specification, "What the service does"; wire facts, voice.
   *
   * @example
   * const session = yield* client.voice.open({
   *   sourceMediaContentType: "audio/ogg;codecs=opus",
   *   targetLanguages: ["de"]
   * })
   */
  readonly open: (options: Voice.VoiceSessionOptions) => Effect.Effect<Voice.VoiceSession, CallError>
  /**
   * Reopens a session whose socket was lost: `GET /v3/voice/realtime?token=…`. It takes the last token of the session, and
   * returns a new one.
   *
   * Errors: `NotFound` for a token that is unknown or used. If the error has `ambiguousAttempts`, one of them may have used
   * the token: open a new session then.
   *
   * Source: wire facts, voice.
   *
   * @example
   * const again = yield* client.voice.reopen(session.token)
   */
  readonly reopen: (token: Redacted.Redacted) => Effect.Effect<Voice.VoiceSession, CallError>
}

/** @internal */
export const make: (endpoints: Endpoints) => VoiceSessions = ({ group }) => {
  const { call } = group("voice")
  const reopen = call("reopen", "always", (token: Redacted.Redacted) => ({ urlParams: { token } }))
  return {
    open: call("open", "never", (payload: Voice.VoiceSessionOptions) => ({ payload })),
    // A span would hold the query, and with it the token.
    reopen: (token) => Effect.locally(reopen(token), HttpClient.currentTracerDisabledWhen, constTrue)
  }
}
