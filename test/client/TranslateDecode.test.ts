/** Answers as the specification and the wire facts show them, and what the client makes of each. */
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { hallo, hello, once, served, translate, translateAnything, usage } from "../support/client.js"
import { answer } from "../support/recordingServer.js"

const json = (body: unknown) => ({ headers: { "content-type": "application/json" }, body })

const translated = (body: unknown, request: object = hello) =>
  Effect.zipRight(answer(json(body)), translateAnything(request))

describe("the answer of POST /v2/translate", () => {
  it.effect("is decoded whole: text, detected language in canonical casing, billed characters, model", () =>
    Effect.gen(function* () {
      const result = yield* translated({
        translations: [
          {
            detected_source_language: "EN",
            text: "Hallo",
            billed_characters: 5,
            model_type_used: "quality_optimized"
          }
        ]
      })
      expect(result).toEqual({
        translations: [
          {
            text: "Hallo",
            detectedSourceLanguage: "en",
            billedCharacters: 5,
            modelTypeUsed: "quality_optimized"
          }
        ],
        attempts: 1,
        ambiguousAttempts: 0
      })
    }).pipe(Effect.provide(served()))
  )

  it.effect("needs nothing but a text in each item", () =>
    Effect.gen(function* () {
      const result = yield* translated({ translations: [{ text: "Hallo" }] })
      expect(result.translations).toEqual([{ text: "Hallo" }])
    }).pipe(Effect.provide(served()))
  )

  it.effect("keeps the order of the texts", () =>
    Effect.gen(function* () {
      const texts = Array.from({ length: 50 }, (_, index) => `text ${index}`)
      const result = yield* translated(
        { translations: texts.map((text) => ({ text: `${text}!` })) },
        { text: texts, targetLang: "de" }
      )
      expect(result.translations.map(({ text }) => text)).toEqual(texts.map((text) => `${text}!`))
    }).pipe(Effect.provide(served()))
  )

  it.effect("may hold empty, long and odd texts", () =>
    Effect.gen(function* () {
      const texts = ["", " \u0000\u2028", "🌍".repeat(20_000), "ä".repeat(70_000)]
      const result = yield* translated(
        { translations: texts.map((text) => ({ text })) },
        { text: ["a", "b", "c", "d"], targetLang: "de" }
      )
      expect(result.translations.map(({ text }) => text)).toEqual(texts)
    }).pipe(Effect.provide(served()))
  )

  it.effect("may have fields, models and languages that nobody knows yet", () =>
    Effect.gen(function* () {
      const result = yield* translated({
        translations: [
          {
            text: "Hallo",
            detected_source_language: "XYZ-LATN-QQ",
            model_type_used: "next_optimized",
            certainty: { score: 0.5 }
          }
        ],
        request_id: 7
      })
      expect(result.translations).toEqual([
        {
          text: "Hallo",
          detectedSourceLanguage: "xyz-Latn-QQ",
          modelTypeUsed: "next_optimized"
        }
      ])
    }).pipe(Effect.provide(served()))
  )

  it.effect("says which version of tag handling was used", () =>
    Effect.gen(function* () {
      const result = yield* translated({ translations: [{ text: "Hallo", tag_handling_version: "v2" }] })
      expect(result.translations).toEqual([{ text: "Hallo", tagHandlingVersion: "v2" }])
    }).pipe(Effect.provide(served()))
  )

  it.effect("is decoded whatever its content type says", () =>
    Effect.gen(function* () {
      yield* answer({ headers: { "content-type": "text/plain" }, body: JSON.stringify(hallo.body) })
      const result = yield* translate(hello)
      expect(result.translations[0].text).toBe("Hallo")
    }).pipe(Effect.provide(served()))
  )

  it.effect("is decoded from chunks that split a character", () =>
    Effect.gen(function* () {
      // Half of these bytes is within the second character.
      yield* answer({ ...json({ translations: [{ text: "世界" }] }), bodyDelay: 1 })
      const result = yield* translate(hello)
      expect(result.translations[0].text).toBe("世界")
    }).pipe(Effect.provide(served()))
  )
})

describe("the answer of GET /v2/usage", () => {
  it.effect("is decoded whole, every count and time of it", () =>
    Effect.gen(function* () {
      yield* answer(
        json({
          character_count: 5947223,
          character_limit: 1000000000000,
          products: [
            {
              product_type: "translate",
              billing_unit: "characters",
              api_key_unit_count: 636,
              account_unit_count: 5643,
              api_key_character_count: 636,
              character_count: 5643
            },
            {
              product_type: "speech_to_text",
              billing_unit: "milliseconds",
              api_key_unit_count: 0,
              account_unit_count: 7
            }
          ],
          api_key_character_count: 637,
          api_key_character_limit: 1000,
          speech_to_text_milliseconds_count: 1800000,
          speech_to_text_milliseconds_limit: 36000000,
          start_time: "2026-05-13T09:18:42Z",
          end_time: "2026-06-13T09:18:42.5+02:00",
          document_count: 1,
          document_limit: 20,
          team_document_count: 2,
          team_document_limit: 40
        })
      )
      const { endTime, startTime, ...counts } = yield* usage
      expect(counts).toEqual({
        characterCount: 5947223,
        characterLimit: 1000000000000,
        products: [
          {
            productType: "translate",
            billingUnit: "characters",
            apiKeyUnitCount: 636,
            accountUnitCount: 5643,
            apiKeyCharacterCount: 636,
            characterCount: 5643
          },
          {
            productType: "speech_to_text",
            billingUnit: "milliseconds",
            apiKeyUnitCount: 0,
            accountUnitCount: 7
          }
        ],
        apiKeyCharacterCount: 637,
        apiKeyCharacterLimit: 1000,
        speechToTextMillisecondsCount: 1800000,
        speechToTextMillisecondsLimit: 36000000,
        documentCount: 1,
        documentLimit: 20,
        teamDocumentCount: 2,
        teamDocumentLimit: 40
      })
      expect(DateTime.toEpochMillis(startTime!)).toBe(Date.UTC(2026, 4, 13, 9, 18, 42))
      expect(DateTime.toEpochMillis(endTime!)).toBe(Date.UTC(2026, 5, 13, 7, 18, 42, 500))
    }).pipe(Effect.provide(served()))
  )

  it.effect("may hold no field at all", () =>
    Effect.gen(function* () {
      yield* answer(json({}))
      expect(yield* usage).toEqual({})
    }).pipe(Effect.provide(served()))
  )

  it.effect("may hold null: for no limit of the key, and else for nothing", () =>
    Effect.gen(function* () {
      yield* answer(json({ character_count: 1, api_key_character_limit: null, end_time: null }))
      expect(yield* usage).toStrictEqual({ characterCount: 1, apiKeyCharacterLimit: null })
    }).pipe(Effect.provide(served()))
  )

  it.effect("may have fields and products that nobody knows yet", () =>
    Effect.gen(function* () {
      yield* answer(
        json({ character_count: 1, products: [{ product_type: "poems", mood: 3 }], plan: "gold" })
      )
      expect(yield* usage).toEqual({
        characterCount: 1,
        products: [{ productType: "poems", extra: { mood: 3 } }],
        extra: { plan: "gold" }
      })
    }).pipe(Effect.provide(served()))
  )

  it.effect("counts minutes of speech", () =>
    Effect.gen(function* () {
      yield* answer(
        json({
          speech_to_text_minutes_count: 1.5,
          speech_to_text_minutes_limit: 60,
          speech_to_speech_minutes_count: 2,
          speech_to_speech_minutes_limit: null
        })
      )
      expect(yield* usage).toEqual({
        speechToTextMinutesCount: 1.5,
        speechToTextMinutesLimit: 60,
        speechToSpeechMinutesCount: 2,
        speechToSpeechMinutesLimit: null
      })
    }).pipe(Effect.provide(served()))
  )

  it.effect("lacks a count that is no number", () =>
    Effect.gen(function* () {
      yield* answer(json({ character_count: "many", character_limit: 1 }))
      expect(yield* usage).toStrictEqual({ characterLimit: 1 })
    }).pipe(Effect.provide(served()))
  )

  it.effect("is undecodable if it is no object", () =>
    Effect.gen(function* () {
      yield* answer(json(["many"]))
      const error = yield* Effect.flip(once(usage))
      expect(error).toMatchObject({ _tag: "UndecodableResponse", path: "/v2/usage", status: 200 })
    }).pipe(Effect.provide(served()))
  )
})
