/** Voice sessions: the wire, the answers, the secrets, and the emulator behind them. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { TranslateClient } from "effect-translate"
import { Fault } from "effect-translate/emulator"
import type { VoiceSessions } from "effect-translate/voice"
import { script, send } from "../emulator/support.js"
import { key, once, quickly, served } from "../support/client.js"
import { clientOf, emulated } from "../support/emulator.js"
import * as recording from "../support/recordingServer.js"
import { recordingTracer } from "../support/recordingTracer.js"

const voice = Effect.map(TranslateClient.TranslateClient, (client) => client.voice)

const open = (options: VoiceSessions.VoiceSessionOptions) =>
  Effect.flatMap(voice, ({ open }) => open(options))

/** What the types refuse, callers of plain JavaScript still send. */
const openAnything = (options: object) => open(options as VoiceSessions.VoiceSessionOptions)

const reopen = (token: string) => Effect.flatMap(voice, ({ reopen }) => reopen(Redacted.make(token)))

const secret = "t0ken-of-a-session-0123456789"

const answered = {
  streaming_url: `wss://voice.service.test/v3/voice/realtime/connect?token=${secret}`,
  token: secret,
  session_id: "4f911080-cfe2-41d4-8269-0e6ec15a0354"
}

const pcm = { sourceMediaContentType: "audio/pcm;encoding=s16le;rate=16000" }

describe("POST /v3/voice/realtime on the wire", () => {
  it.effect("sends every field under its name", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: answered })
      yield* open({
        sourceMediaContentType: "audio/ogg;codecs=opus",
        messageFormat: "msgpack",
        sourceLanguage: "EN",
        sourceLanguageMode: "fixed",
        targetLanguages: ["de", "PT-br"],
        targetMediaLanguages: ["fr"],
        targetMediaContentType: "audio/webm",
        targetMediaVoice: "female",
        glossaryId: "g",
        spokenTermsId: "s",
        formality: "informal"
      })
      const request = yield* recording.onlyRequest
      expect([request.method, request.path]).toEqual(["POST", "/v3/voice/realtime"])
      expect(request.headers.authorization).toBe(`Service-Auth-Key ${key}`)
      expect(request.headers["content-type"]).toBe("application/json")
      expect(JSON.parse(request.text)).toEqual({
        source_media_content_type: "audio/ogg;codecs=opus",
        message_format: "msgpack",
        source_language: "en",
        source_language_mode: "fixed",
        target_languages: ["de", "pt-BR"],
        target_media_languages: ["fr"],
        target_media_content_type: "audio/webm",
        target_media_voice: "female",
        glossary_id: "g",
        spoken_terms_id: "s",
        formality: "informal"
      })
    }).pipe(Effect.provide(served()))
  )

  it.effect("writes languages as voice compares them: all but the base in upper case", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: answered })
      yield* open({
        ...pcm,
        sourceLanguage: "ZH-hant",
        targetLanguages: ["zh-Hans", "en-us"],
        targetMediaLanguages: ["ES-419"]
      })
      expect(JSON.parse((yield* recording.onlyRequest).text)).toMatchObject({
        source_language: "zh-HANT",
        target_languages: ["zh-HANS", "en-US"],
        target_media_languages: ["es-419"]
      })
    }).pipe(Effect.provide(served()))
  )

  it.effect("takes the formality values of the public service", () =>
    Effect.gen(function* () {
      for (const formality of ["default", "formal", "more", "informal", "less"] as const) {
        yield* recording.answer({ body: answered })
        yield* open({ ...pcm, formality })
      }
      const sent = (yield* recording.requests).map(({ text }) => JSON.parse(text).formality)
      expect(sent).toEqual(["default", "formal", "more", "informal", "less"])
    }).pipe(Effect.provide(served()))
  )

  it.effect("sends nothing that was not given", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: answered })
      yield* open(pcm)
      expect(JSON.parse((yield* recording.onlyRequest).text)).toEqual({
        source_media_content_type: "audio/pcm;encoding=s16le;rate=16000"
      })
    }).pipe(Effect.provide(served()))
  )

  it.effect("is not sent again when it may have arrived", () =>
    Effect.gen(function* () {
      yield* recording.answer({ cut: "mid-body", body: answered }, { body: answered })
      const error = yield* Effect.flip(open(pcm))
      expect(error).toMatchObject({ _tag: "TransportError", delivery: "ambiguous", attempts: 1 })
      expect(yield* recording.requests).toHaveLength(1)
    }).pipe(Effect.provide(served()))
  )

  it.effect.each([
    ['"source_media_content_type (required)"', {}, "sourceMediaContentType is missing"],
    [
      "an empty media type",
      { sourceMediaContentType: "" },
      "sourceMediaContentType is empty: give the media type of the speech"
    ],
    [
      '"target_languages? (≤5)"',
      { ...pcm, targetLanguages: ["de", "fr", "it", "es", "nl", "pl"] },
      "targetLanguages holds 6 items; the limit is 5: open a second session for the others"
    ],
    [
      '"target_media_languages? (≤1)"',
      { ...pcm, targetMediaLanguages: ["de", "fr"] },
      "targetMediaLanguages holds 2 items; the limit is 1: open a session for each"
    ],
    [
      '"message_format?: json|msgpack"',
      { ...pcm, messageFormat: "xml" },
      'messageFormat must be "json" or "msgpack"'
    ],
    [
      '"source_language_mode?: auto|fixed"',
      { ...pcm, sourceLanguageMode: "guess" },
      'sourceLanguageMode must be "auto" or "fixed"'
    ],
    [
      '"target_media_voice?: male|female"',
      { ...pcm, targetMediaVoice: "robot" },
      'targetMediaVoice must be "male" or "female"'
    ],
    ["an unknown field", { ...pcm, tempo: 2 }, "tempo is not known here: check its spelling"]
  ] as const)("refuses options that break %s before anything is sent", ([, options, problem]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(openAnything(options))
      expect(error._tag).toBe("InvalidRequest")
      expect(error.message).toBe(`POST /v3/voice/realtime was not sent: ${problem}`)
      expect(yield* recording.requests).toEqual([])
    }).pipe(Effect.provide(served()))
  )
})

describe("GET /v3/voice/realtime on the wire", () => {
  it.effect('asks for "GET /v3/voice/realtime?token=…"', () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: answered })
      yield* reopen("a/b+c?&=%é")
      const request = yield* recording.onlyRequest
      expect(request.method).toBe("GET")
      expect(request.path.split("?")[0]).toBe("/v3/voice/realtime")
      expect([...new URL(request.path, "http://any").searchParams]).toEqual([["token", "a/b+c?&=%é"]])
      expect(request.headers.authorization).toBe(`Service-Auth-Key ${key}`)
      expect(request.text).toBe("")
    }).pipe(Effect.provide(served()))
  )

  it.effect("refuses an empty token before anything is sent", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(reopen(""))
      expect(error.message).toBe(
        "GET /v3/voice/realtime was not sent: token is empty: give the last token of the session"
      )
      expect(yield* recording.requests).toEqual([])
    }).pipe(Effect.provide(served()))
  )
})

describe("a voice session decoded", () => {
  const decoded = {
    streamingUrl: answered.streaming_url,
    token: secret,
    sessionId: "4f911080-cfe2-41d4-8269-0e6ec15a0354"
  }
  // `toEqual` takes all redacted values for equal.
  const plain = (session: VoiceSessions.VoiceSession) => ({
    ...session,
    streamingUrl: Redacted.value(session.streamingUrl),
    token: Redacted.value(session.token)
  })

  it.effect("decodes every field of both answers and keeps unknown ones", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: { ...answered, colour: "red" } }, { body: answered })
      expect(plain(yield* open(pcm))).toEqual({ ...decoded, extra: { colour: "red" } })
      expect(plain(yield* reopen(secret))).toEqual(decoded)
    }).pipe(Effect.provide(served()))
  )

  it.effect('does without "session_id?"', () =>
    Effect.gen(function* () {
      const { session_id: _, ...rest } = answered
      yield* recording.answer({ body: rest })
      const { sessionId: __, ...expected } = decoded
      expect(plain(yield* open(pcm))).toEqual(expected)
    }).pipe(Effect.provide(served()))
  )
})

describe("the token is shown nowhere", () => {
  it.effect("not in the session as it is printed", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: answered })
      const session = yield* open(pcm)
      expect(
        `${JSON.stringify(session)} ${String(session.token)} ${String(session.streamingUrl)}`
      ).not.toContain(secret)
    }).pipe(Effect.provide(served()))
  )

  it.effect("not in an error, even if the service repeats it", () =>
    Effect.gen(function* () {
      yield* recording.answer({ status: 404, body: { message: `Unknown token ${secret}` } })
      const error = yield* Effect.flip(reopen(secret))
      expect(error._tag).toBe("NotFound")
      expect(`${error.message} ${JSON.stringify(error)}`).not.toContain(secret)
      expect(error.message).toContain("withheld")
    }).pipe(Effect.provide(served()))
  )

  it.effect("not in a span", () =>
    Effect.gen(function* () {
      const { spans, told, tracer } = recordingTracer()
      yield* recording.answer({ body: answered }, { body: answered })
      yield* Effect.zipRight(open(pcm), reopen(secret)).pipe(Effect.withTracer(tracer), once)
      expect(spans).not.toEqual([])
      expect(JSON.stringify(told)).not.toContain(secret)
    }).pipe(Effect.provide(served()))
  )
})

describe("the emulator's voice sessions", () => {
  it.effect("are opened, and opened again by their last token only", () =>
    Effect.gen(function* () {
      const first = yield* open(pcm)
      const second = yield* reopen(Redacted.value(first.token))
      expect(second.sessionId).toBe(first.sessionId)
      expect(Redacted.value(second.token)).not.toBe(Redacted.value(first.token))
      expect((yield* Effect.flip(reopen(Redacted.value(first.token))))._tag).toBe("NotFound")
      expect((yield* reopen(Redacted.value(second.token))).sessionId).toBe(first.sessionId)
      expect((yield* open(pcm)).sessionId).not.toBe(first.sessionId)
    }).pipe(Effect.provide(emulated()), Effect.provide(NodeHttpClient.layerUndici))
  )

  it.effect("are unknown to other keys and by other tokens", () =>
    Effect.gen(function* () {
      const { token } = yield* open(pcm)
      const theirs = Effect.flip(reopen(Redacted.value(token))).pipe(Effect.provide(clientOf("theirs")))
      expect((yield* theirs)._tag).toBe("NotFound")
      expect((yield* Effect.flip(reopen("unknown")))._tag).toBe("NotFound")
      expect((yield* reopen(Redacted.value(token))).sessionId).toBeDefined()
    }).pipe(
      Effect.provide(emulated({ keys: ["mine", "theirs"] })),
      Effect.provide(NodeHttpClient.layerUndici)
    )
  )

  it.live("tell by the error that an attempt of unknown fate used the token up", () =>
    Effect.gen(function* () {
      const { token } = yield* open(pcm)
      yield* script(Fault.cutConnection({ when: "after" }))
      expect(yield* Effect.flip(reopen(Redacted.value(token)))).toMatchObject({
        _tag: "NotFound",
        ambiguousAttempts: 1
      })
    }).pipe(quickly, Effect.provide(emulated()), Effect.provide(NodeHttpClient.layerUndici))
  )

  it.effect(
    'are not for a key with a speech_to_text_milliseconds limit of 0: "a limit of 0 blocks all use"',
    () =>
      Effect.gen(function* () {
        const { token } = yield* open(pcm)
        const limit = (milliseconds: number | null) =>
          send(JSON.stringify({ key_id: "mine", speech_to_text_milliseconds: milliseconds }), {
            method: "PUT",
            path: "/v2/admin/developer-keys/limits",
            headers: { authorization: "Service-Auth-Key boss" }
          })
        expect((yield* limit(0)).status).toBe(200)
        expect((yield* Effect.flip(open(pcm)))._tag).toBe("QuotaExceeded")
        expect((yield* Effect.flip(reopen(Redacted.value(token))))._tag).toBe("QuotaExceeded")
        yield* limit(null)
        expect((yield* reopen(Redacted.value(token))).sessionId).toBeDefined()
      }).pipe(
        Effect.provide(
          emulated({
            keys: [
              { key: "mine", account: "ours" },
              { key: "boss", account: "ours", admin: true }
            ]
          })
        ),
        Effect.provide(NodeHttpClient.layerUndici)
      )
  )

  it.effect("refuse by the same rules", () =>
    Effect.gen(function* () {
      const path = "/v3/voice/realtime"
      const six = yield* send(
        JSON.stringify({ source_media_content_type: "a/b", target_languages: Array(6).fill("de") }),
        { path }
      )
      expect([six.status, six.json.message]).toEqual([
        400,
        "target_languages holds 6 items; the limit is 5: open a second session for the others"
      ])
      const none = yield* send(undefined, { method: "GET", path })
      expect([none.status, none.json.message]).toEqual([400, "token is missing"])
    }).pipe(Effect.provide(emulated()), Effect.provide(NodeHttpClient.layerUndici))
  )
})
