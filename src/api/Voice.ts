/**
 * Realtime transcription and translation of speech: opening and reopening a session. The messages on the
 * session's socket are not part of this library.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as checks from "./internal/checks.js"
import * as wire from "./internal/wire.js"
import * as LanguageCode from "./LanguageCode.js"
import * as Limits from "./Limits.js"

const filled = (what: string) =>
  Schema.String.pipe(Schema.filter((value) => (value === "" ? `is empty: give ${what}` : true)))

/**
 * The formality of the translation of speech.
 *
 * Source: wire facts, voice.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Formality = Schema.Literal("default", "formal", "more", "informal", "less")

/**
 * The formality of the translation of speech.
 *
 * @since 0.1.0
 * @category models
 */
export type Formality = typeof Formality.Type

/**
 * The settings of a new session.
 *
 * Source: service specification, "What the service does"; wire facts, voice.
 *
 * @since 0.1.0
 * @category schemas
 */
export const VoiceSessionOptions = Schema.Struct({
  /** The media type of the speech that will be sent, such as `audio/pcm; encoding=s16le; rate=16000`. */
  sourceMediaContentType: wire.required(filled("the media type of the speech"), "source_media_content_type"),
  /** The encoding of messages on the socket. @default the service's choice */
  messageFormat: wire.optional(Schema.Literal("json", "msgpack"), "message_format"),
  /** The language that is spoken; any casing. @default detected by the service */
  sourceLanguage: wire.optional(LanguageCode.VoiceLanguage, "source_language"),
  /** `auto` if `sourceLanguage` is a first guess, `fixed` if it is the only language spoken. @default the service's choice */
  sourceLanguageMode: wire.optional(Schema.Literal("auto", "fixed"), "source_language_mode"),
  /** Up to 5 languages to translate the speech into, as text. @default none */
  targetLanguages: wire.optional(
    checks.list(
      LanguageCode.VoiceLanguage,
      Limits.voiceTargetLanguages,
      "open a second session for the others"
    ),
    "target_languages"
  ),
  /** Up to 1 language to translate the speech into, as speech. @default none */
  targetMediaLanguages: wire.optional(
    checks.list(LanguageCode.VoiceLanguage, Limits.voiceTargetMediaLanguages, "open a session for each"),
    "target_media_languages"
  ),
  /** The media type of the speech that is sent back. @default the service's choice */
  targetMediaContentType: wire.optional(
    filled("the media type of the speech, or leave it out"),
    "target_media_content_type"
  ),
  /** The voice of the speech that is sent back. @default the service's choice */
  targetMediaVoice: wire.optional(Schema.Literal("male", "female"), "target_media_voice"),
  /** A glossary of the session's languages. @default none */
  glossaryId: wire.optional(filled("an id, or leave it out"), "glossary_id"),
  /** A list of terms to recognise. @default none */
  spokenTermsId: wire.optional(filled("an id, or leave it out"), "spoken_terms_id"),
  /** The formality of the translation; `formal` and `informal` are other names of `more` and `less`. @default "default" */
  formality: Schema.optional(Formality)
}).annotations({ ...wire.strict, identifier: "VoiceSessionOptions" })

/**
 * The settings of a new session.
 *
 * @since 0.1.0
 * @category models
 */
export interface VoiceSessionOptions extends Schema.Schema.Type<typeof VoiceSessionOptions> {}

/**
 * An open session. Its address and its token are redacted, since they give access to the session.
 *
 * Source: wire facts, voice.
 *
 * @since 0.1.0
 * @category schemas
 */
export const VoiceSession = wire.named("VoiceSession", {
  /** Where the session's WebSocket is. */
  streamingUrl: wire.required(Schema.Redacted(Schema.String), "streaming_url"),
  /** The socket asks for it, and it reopens the session. */
  token: Schema.Redacted(Schema.String),
  sessionId: wire.hint(Schema.String, "session_id")
})

/**
 * An open session.
 *
 * @since 0.1.0
 * @category models
 */
export interface VoiceSession extends Schema.Schema.Type<typeof VoiceSession> {}

/**
 * The session to reopen, named by its last token.
 *
 * @since 0.1.0
 * @category schemas
 */
export const VoiceSessionToken = Schema.Struct({
  token: Schema.Redacted(Schema.String).pipe(
    Schema.filter((token) =>
      Redacted.value(token) === "" ? "is empty: give the last token of the session" : true
    )
  )
})

/**
 * The endpoints of realtime speech.
 *
 * @since 0.1.0
 * @category contract
 */
export const group = HttpApiGroup.make("voice")
  .add(
    HttpApiEndpoint.post("open", "/v3/voice/realtime")
      .setPayload(VoiceSessionOptions)
      .addSuccess(VoiceSession)
  )
  .add(
    HttpApiEndpoint.get("reopen", "/v3/voice/realtime")
      .setUrlParams(VoiceSessionToken)
      .addSuccess(VoiceSession)
  )
