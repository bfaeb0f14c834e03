/**
 * Realtime transcription and translation of speech.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type * as Voice from "../api/Voice.js"
import type * as TranslateError from "./TranslateError.js"

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
   */
  readonly open: (
    options: Voice.VoiceSessionOptions
  ) => Effect.Effect<Voice.VoiceSession, TranslateError.TranslateError>
  /**
   * Opens a session again whose socket was lost: `GET /v3/voice/realtime?token=…`. It takes the last token that the
   * session was given, and gives it a new one.
   *
   * Errors: `NotFound` for a token that opens no session. The token may be used up by an attempt of unknown fate
   * (`ambiguousAttempts` of the error): open a new session then.
   *
   * Source: wire facts, voice.
   */
  readonly reopen: (
    token: Redacted.Redacted
  ) => Effect.Effect<Voice.VoiceSession, TranslateError.TranslateError>
}
