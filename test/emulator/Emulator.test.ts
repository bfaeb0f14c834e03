import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import * as Api from "effect-translate/api"
import { Emulator, Fault, PseudoTranslation } from "effect-translate/emulator"
import {
  abandoned,
  hello,
  meter,
  overHttp,
  script,
  send,
  served,
  translate,
  until,
  usage,
  withKey
} from "./support.js"

const pseudo = PseudoTranslation.translate

describe("translate", () => {
  it.effect("answers each text in its order, as the pseudo-translation predicts", () =>
    Effect.gen(function* () {
      const answer = yield* translate({ text: ["Hello", " ", "Bye {name}"], target_lang: "DE" })
      expect(answer.status).toBe(200)
      expect(answer.json.translations.map(({ text }: { text: string }) => text)).toEqual([
        pseudo("Hello", "de"),
        " ",
        pseudo("Bye {name}", "de")
      ])
    }).pipe(Effect.provide(served()))
  )

  it.effect(
    "changes letters of placeholders and tags too, if it is rough, but of no markup that it is told of",
    () =>
      Effect.gen(function* () {
        const plain = yield* translate({ text: ["Hi {name}, %count% of @:a.b <i>c</i>"], target_lang: "DE" })
        expect(plain.json.translations[0].text).toBe("[de] Hî {ñåmé}, %çöûñt% öf @:å.b <î>ç</î>")
        const xml = yield* translate({
          text: ["Hi <x id='1'>{name}</x> <i>c</i>"],
          target_lang: "DE",
          tag_handling: "xml",
          ignore_tags: ["x"]
        })
        expect(xml.json.translations[0].text).toBe("[de] Hî <x id='1'>{name}</x> <i>ç</i>")
      }).pipe(Effect.provide(served({ rough: true })))
  )

  it.effect("answers all that the contract decodes, field by field", () =>
    Effect.gen(function* () {
      const answer = yield* translate({
        text: ["Hello"],
        target_lang: "de",
        source_lang: "en",
        model_type: "prefer_quality_optimized",
        show_billed_characters: true
      })
      expect(Schema.decodeUnknownSync(Api.Text.TranslateResultDeclared)(answer.json)).toEqual({
        translations: [
          {
            text: pseudo("Hello", "de"),
            detectedSourceLanguage: "en",
            billedCharacters: 5,
            modelTypeUsed: "quality_optimized"
          }
        ]
      })
    }).pipe(Effect.provide(served()))
  )

  it.effect(
    '"billed_characters (integer, present only when show_billed_characters is true), model_type_used (string, present when model_type was set)"',
    () =>
      Effect.gen(function* () {
        const answer = yield* hello()
        expect(answer.json.translations).toEqual([
          { text: pseudo("Hello", "de"), detected_source_language: "EN" }
        ])
      }).pipe(Effect.provide(served()))
  )

  it.effect(
    '"source_lang […] if omitted the language is detected; next-gen models are then used regardless of model_type"',
    () =>
      Effect.gen(function* () {
        const body = { text: ["Hello"], target_lang: "de", model_type: "latency_optimized" }
        const given = yield* translate({ ...body, source_lang: "en" })
        const detected = yield* translate(body)
        expect(given.json.translations[0].model_type_used).toBe("latency_optimized")
        expect(detected.json.translations[0].model_type_used).toBe("quality_optimized")
      }).pipe(Effect.provide(served()))
  )

  it.effect("detects the source language of each text by its script", () =>
    Effect.gen(function* () {
      const answer = yield* translate({
        text: ["Hello", "こんにちは世界", "안녕하세요", "Привет", "你好", "Ça va", "12 €"],
        target_lang: "de"
      })
      expect(
        answer.json.translations.map(
          ({ detected_source_language }: { detected_source_language: string }) => detected_source_language
        )
      ).toEqual(["EN", "JA", "KO", "RU", "ZH", "EN", "EN"])
    }).pipe(Effect.provide(served()))
  )

  it.effect("repeats the given source language in upper case", () =>
    Effect.gen(function* () {
      const answer = yield* translate({ text: ["Olá"], target_lang: "de", source_lang: "pt" })
      expect(answer.json.translations[0].detected_source_language).toBe("PT")
    }).pipe(Effect.provide(served()))
  )

  it.effect(
    '"Converting between variants of one language leaves the text unchanged"; "identical source and target language are still billed"',
    () =>
      Effect.gen(function* () {
        const variant = yield* translate({ text: ["Colour"], target_lang: "en-GB", source_lang: "en-US" })
        const identical = yield* translate({ text: ["Farbe"], target_lang: "de", source_lang: "DE" })
        expect(variant.json.translations[0].text).toBe("Colour")
        expect(identical.json.translations[0].text).toBe("Farbe")
        expect((yield* meter).characters).toBe(11)
      }).pipe(Effect.provide(served()))
  )

  it.effect("takes 50 texts and refuses 51", () =>
    Effect.gen(function* () {
      const fifty = yield* translate({ text: Array(50).fill("a"), target_lang: "de" })
      const more = yield* translate({ text: Array(51).fill("secret"), target_lang: "de" })
      expect(fifty.json.translations).toHaveLength(50)
      expect(more.status).toBe(400)
      expect(more.json.message).toMatch(/^text holds 51 items; the limit is 50/)
      expect(more.text).not.toContain("secret")
      expect((yield* meter).characters).toBe(50)
    }).pipe(Effect.provide(served()))
  )

  it.effect("takes a body of 131072 bytes and refuses 131073 with 413", () =>
    Effect.gen(function* () {
      const body = (bytes: number) => {
        const frame = JSON.stringify({ text: [""], target_lang: "de" })
        // Two bytes a character: characters, or UTF-16 units, wouldn't reach the limit.
        const rest = bytes - frame.length
        return frame.replace('""', `"${"é".repeat(rest >> 1)}${rest % 2 === 1 ? "e" : ""}"`)
      }
      const fits = yield* send(body(Api.Limits.translateBodyBytes))
      const tooLarge = yield* send(body(Api.Limits.translateBodyBytes + 1))
      expect([fits.status, tooLarge.status]).toEqual([200, 413])
      expect(tooLarge.json.message).toBe(
        "The body holds 131073 bytes; the limit is 131072: send less at once"
      )
      const { bytesReceived, requests, texts } = yield* meter
      expect({ bytesReceived, requests, texts }).toEqual({ bytesReceived: 262_145, requests: 2, texts: 1 })
    }).pipe(Effect.provide(served()))
  )

  it.effect.each([
    ["no text at all", { target_lang: "de" }, /^text is missing/],
    ["an empty list", { text: [], target_lang: "de" }, /^text is empty/],
    ["a text that is no string", { text: [7], target_lang: "de" }, /^text must be an array of strings/],
    ["no target", { text: ["secret"] }, /^target_lang is missing/],
    ["an unknown field", { text: ["secret"], target_lang: "de", foo: 1 }, /^foo is not known here/],
    [
      "an unknown model",
      { text: ["secret"], target_lang: "de", model_type: "secret" },
      /^model_type must be/
    ],
    [
      "a glossary without a source",
      { text: ["secret"], target_lang: "de", glossary_id: "secret" },
      /^glossary_id needs/
    ],
    [
      "formality where there is none",
      { text: ["secret"], target_lang: "zh", formality: "more" },
      /^formality "more" is not supported for target_lang zh/
    ],
    [
      "the classic model into a beta language",
      { text: ["secret"], target_lang: "de-ch", model_type: "latency_optimized" },
      /^model_type "latency_optimized" is not supported for target_lang de-CH/
    ]
  ] as const)("refuses %s with 400, naming field and rule but no value", ([, body, message]) =>
    Effect.gen(function* () {
      const answer = yield* translate(body)
      expect(answer.status).toBe(400)
      expect(answer.json.message).toMatch(message)
      expect(answer.text).not.toContain("secret")
      expect((yield* meter).texts).toBe(0)
    }).pipe(Effect.provide(served()))
  )

  it.effect("takes formality where there is some, and its soft forms everywhere", () =>
    Effect.gen(function* () {
      const body = { text: ["Hello"] }
      const answers = yield* Effect.all([
        translate({ ...body, target_lang: "DE", formality: "more" }),
        translate({ ...body, target_lang: "pt-br", formality: "less" }),
        translate({ ...body, target_lang: "zh", formality: "prefer_more" })
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    }).pipe(Effect.provide(served()))
  )

  it.effect("refuses malformed JSON with 400", () =>
    Effect.gen(function* () {
      const bodies = ["", "{", '{"text":["a"],"target_lang":"de"', new Uint8Array([0x22, 0xff, 0x22])]
      const answers = yield* Effect.forEach(bodies, (body) => send(body))
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400])
      expect(answers[1]!.json).toEqual({ message: "The body is no well-formed JSON in UTF-8" })
    }).pipe(Effect.provide(served()))
  )

  it.effect("refuses JSON that is no object with 400", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach(["null", "[]", '"secret"'], (body) => send(body))
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
      expect(answers[2]!.text).not.toContain("secret")
    }).pipe(Effect.provide(served()))
  )

  it.effect("refuses other content types with 415", () =>
    Effect.gen(function* () {
      const answer = yield* hello({ headers: { "content-type": "text/plain" } })
      expect(answer.status).toBe(415)
    }).pipe(Effect.provide(served()))
  )

  it.effect("takes no body for one without fields: 400 where a field is missing", () =>
    Effect.gen(function* () {
      const answer = yield* send(undefined)
      expect([answer.status, answer.json.message]).toEqual([400, expect.stringContaining("is missing")])
    }).pipe(Effect.provide(served()))
  )

  it.effect("takes JSON with a charset parameter", () =>
    Effect.gen(function* () {
      const answer = yield* hello({ headers: { "content-type": "Application/JSON; charset=utf-8" } })
      expect(answer.status).toBe(200)
    }).pipe(Effect.provide(served()))
  )
})

describe("paths", () => {
  it.effect("answers 404 on an unknown path", () =>
    Effect.gen(function* () {
      const answer = yield* hello({ path: "/v2/unknown" })
      expect([answer.status, answer.json]).toEqual([404, { message: "There is no such endpoint" }])
    }).pipe(Effect.provide(served()))
  )

  it.effect("answers 405 with Allow on a wrong method", () =>
    Effect.gen(function* () {
      const answer = yield* send(undefined, { method: "GET" })
      expect([answer.status, answer.headers.allow]).toEqual([405, "POST"])
    }).pipe(Effect.provide(served()))
  )
})

describe("form bodies", () => {
  const form = { headers: { "content-type": "application/x-www-form-urlencoded" } }

  it.effect(
    '"Where a request is sent as a URL-encoded form, boolean values are sent as `1` or `0`": it means the same as JSON, texts repeated, tags comma-separated',
    () =>
      Effect.gen(function* () {
        const answer = yield* send(
          "text=Hello+w%C3%B6rld&text=Bye&target_lang=de&show_billed_characters=1&preserve_formatting=0" +
            "&splitting_tags=p,div&ignore_tags=code&translation_memory_threshold=80&split_sentences=1",
          form
        )
        expect(answer.status).toBe(200)
        expect(answer.json.translations).toMatchObject([
          { text: pseudo("Hello wörld", "de"), billed_characters: 11 },
          { text: pseudo("Bye", "de"), billed_characters: 3 }
        ])
      }).pipe(Effect.provide(served()))
  )

  it.effect('"bodies are JSON unless stated otherwise": a form is 415 elsewhere', () =>
    Effect.gen(function* () {
      const answers = yield* Effect.all([
        send("name=Terms&language=de", { ...form, path: "/v3/style_rules" }),
        send("characters=5", { ...form, path: "/v3/style_rules/x/configured_rules", method: "PUT" }),
        send("source_media_content_type=audio/ogg", { ...form, path: "/v3/voice/realtime" }),
        send("text=Hello", { ...form, path: "/v2/write/correct" })
      ])
      expect(answers.map(({ status }) => status)).toEqual([415, 415, 415, 200])
      expect(answers[0].json.message).toBe("The content type must be application/json")
    }).pipe(Effect.provide(served()))
  )

  it.effect("take a single text", () =>
    Effect.gen(function* () {
      const answer = yield* send("text=Hello&target_lang=de", form)
      expect(answer.json.translations).toHaveLength(1)
    }).pipe(Effect.provide(served()))
  )

  it.effect("are refused with other booleans", () =>
    Effect.gen(function* () {
      const answer = yield* send("text=Hello&target_lang=de&show_billed_characters=true", form)
      expect(answer.status).toBe(400)
      expect(answer.json.message).toMatch(/^show_billed_characters must be boolean/)
    }).pipe(Effect.provide(served()))
  )

  it.effect("are measured as they are sent", () =>
    Effect.gen(function* () {
      const answer = yield* send(`text=${"%C3%A9".repeat(21_845)}&target_lang=de`, form)
      expect(answer.status).toBe(413)
    }).pipe(Effect.provide(served()))
  )
})

describe("authorization", () => {
  const key = Emulator.defaultKey

  it.effect.each([
    ["a missing header", { authorization: undefined }, ""],
    ["another scheme", { authorization: `Bearer ${key}` }, ""],
    ["the scheme in another case", { authorization: `service-auth-key ${key}` }, ""],
    ["two spaces", { authorization: `Service-Auth-Key  ${key}` }, ""],
    ["an unknown key", { authorization: "Service-Auth-Key another-secret" }, ""],
    ["the key in the query", { authorization: undefined }, `?auth_key=${key}`],
    ["the key in the query beside the header", {}, `?auth_key=${key}`]
  ] as const)("refuses %s with 403 and no key in the answer", ([, headers, query]) =>
    Effect.gen(function* () {
      const answer = yield* hello({ headers, path: `/v2/translate${query}` })
      expect(answer.status).toBe(403)
      expect(answer.json.message).toMatch(/^Authorization failed/)
      expect(answer.text).not.toMatch(/emulator-key|another-secret/)
      const { requests, texts } = yield* meter
      expect({ requests, texts }).toEqual({ requests: 1, texts: 0 })
    }).pipe(Effect.provide(served()))
  )

  it.effect("refuses the key in the body with 403, of JSON and of a form", () =>
    Effect.gen(function* () {
      const body = { text: ["Hello"], target_lang: "de", auth_key: key }
      const without = { headers: { authorization: undefined } }
      const answers = yield* Effect.all([
        translate(body, without),
        translate(body),
        send(`text=Hello&target_lang=de&auth_key=${key}`, {
          headers: { "content-type": "application/x-www-form-urlencoded" }
        })
      ])
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
      expect(answers.map(({ text }) => text).join()).not.toContain(key)
    }).pipe(Effect.provide(served()))
  )

  it.effect("is asked before the body is judged", () =>
    Effect.gen(function* () {
      const answer = yield* send("{", withKey("unknown"))
      expect(answer.status).toBe(403)
    }).pipe(Effect.provide(served()))
  )

  it.effect("takes the scheme and the keys of the options", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.all([
        hello({ headers: { authorization: "Test-Key a" } }),
        hello({ headers: { authorization: "Test-Key b" } }),
        hello()
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 403])
    }).pipe(Effect.provide(served({ scheme: "Test-Key", keys: ["a", { key: "b" }] })))
  )
})

describe("billing", () => {
  it.effect("counts code points", () =>
    Effect.gen(function* () {
      const answer = yield* translate({
        text: ["👍🏽", "e\u0301", ""],
        target_lang: "de",
        show_billed_characters: true
      })
      expect(
        answer.json.translations.map(
          ({ billed_characters }: { billed_characters: number }) => billed_characters
        )
      ).toEqual([2, 2, 0])
      expect((yield* meter).characters).toBe(4)
    }).pipe(Effect.provide(served()))
  )

  it.effect("counts blank texts, and context not", () =>
    Effect.gen(function* () {
      yield* translate({ text: ["  "], target_lang: "de", context: "A long explanation" })
      expect((yield* meter).characters).toBe(2)
    }).pipe(Effect.provide(served()))
  )

  it.effect("leaves out texts into beta languages", () =>
    Effect.gen(function* () {
      const swiss = yield* translate({ text: ["Hello"], target_lang: "de-ch", show_billed_characters: true })
      yield* translate({ text: ["Hello"], target_lang: "fr-CA" })
      expect(swiss.json.translations[0].billed_characters).toBe(0)
      const { characters, texts } = yield* meter
      expect({ characters, texts }).toEqual({ characters: 0, texts: 2 })
    }).pipe(Effect.provide(served()))
  )

  it.effect("answers 456 and bills nothing if a request would go over the key's limit", () =>
    Effect.gen(function* () {
      const first = yield* hello(withKey("limited"))
      const over = yield* translate({ text: ["12345", "6"], target_lang: "de" }, withKey("limited"))
      const exactly = yield* hello(withKey("limited"))
      const free = yield* hello(withKey("free"))
      expect([first, over, exactly, free].map(({ status }) => status)).toEqual([200, 456, 200, 200])
      expect(over.json.message).toMatch(/^Quota exceeded/)
      expect((yield* meter).keys.limited).toMatchObject({ requests: 3, characters: 10, texts: 2 })
    }).pipe(Effect.provide(served({ keys: [{ key: "limited", characterLimit: 10 }, "free"] })))
  )

  it.effect("answers 456 if the account's limit is reached by all keys together", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.all([hello(withKey("a")), hello(withKey("b")), hello(withKey("a"))])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 456])
    }).pipe(
      Effect.provide(
        served({
          keys: [
            { key: "a", account: "shared" },
            { key: "b", account: "shared" }
          ],
          characterLimit: 12
        })
      )
    )
  )

  it.effect("blocks all use with a limit of 0", () =>
    Effect.gen(function* () {
      const answer = yield* translate({ text: [""], target_lang: "de" })
      expect(answer.status).toBe(456)
    }).pipe(Effect.provide(served({ keys: [{ key: Emulator.defaultKey, characterLimit: 0 }] })))
  )
})

describe("usage", () => {
  it.effect("answers the characters that were billed for the key and for the account, and their limits", () =>
    Effect.gen(function* () {
      yield* hello(withKey("a"))
      yield* hello(withKey("b"))
      yield* translate({ text: ["1234567"], target_lang: "de" }, withKey("b"))
      const answer = yield* usage(withKey("b"))
      expect(answer.json).toMatchObject({
        character_count: 17,
        character_limit: 1000,
        api_key_character_count: 12,
        api_key_character_limit: 100,
        products: [
          { product_type: "translate", api_key_unit_count: 12, account_unit_count: 17 },
          { product_type: "write", api_key_unit_count: 0, account_unit_count: 0 }
        ],
        start_time: "1970-01-01T00:00:00.000Z",
        end_time: "1970-02-01T00:00:00.000Z"
      })
      expect((yield* usage(withKey("a"))).json.api_key_character_limit).toBeUndefined()
    }).pipe(
      Effect.provide(
        served({
          keys: [
            { key: "a", account: "shared" },
            { key: "b", account: "shared", characterLimit: 100 }
          ],
          characterLimit: 1000
        })
      )
    )
  )
})

describe("trace ids", () => {
  it.effect("are on every answer, each its own", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.all([
        hello(),
        send("{"),
        hello({ headers: { authorization: undefined } }),
        hello({ path: "/unknown" }),
        send(undefined, { method: "GET" }),
        usage()
      ])
      const ids = answers.map(({ headers }) => headers["x-trace-id"])
      expect(new Set(ids).size).toBe(6)
      expect(ids.every((id) => id !== undefined && /^[0-9a-f]{32}$/.test(id))).toBe(true)
    }).pipe(Effect.provide(served()))
  )
})

describe("the meter", () => {
  it.effect("counts requests, texts, characters, bytes and statuses, in total and by key", () =>
    Effect.gen(function* () {
      const body = JSON.stringify({ text: ["Hello", "Bye"], target_lang: "de" })
      yield* send(body, withKey("a"))
      yield* send("{", withKey("a"))
      yield* send(body, withKey("unknown"))
      const a = {
        requests: 2,
        texts: 2,
        characters: 8,
        uploads: 0,
        downloads: 0,
        bytesReceived: body.length + 1,
        statuses: { 200: 1, 400: 1 }
      }
      const none = {
        requests: 0,
        texts: 0,
        characters: 0,
        uploads: 0,
        downloads: 0,
        bytesReceived: 0,
        statuses: {}
      }
      expect(yield* meter).toEqual({
        ...a,
        requests: 3,
        bytesReceived: 2 * body.length + 1,
        statuses: { 200: 1, 400: 1, 403: 1 },
        keys: { a, b: none },
        documents: [],
        faults: 0,
        maxConcurrent: 1
      })
    }).pipe(Effect.provide(served({ keys: ["a", "b"] })))
  )
})

describe("concurrency", () => {
  it.virtual("is seen by the meter at its most", () =>
    Effect.gen(function* () {
      yield* script(Fault.times(Fault.slow("1 minute"), 3))
      yield* Effect.forEach([1, 2, 3], () => Effect.fork(hello()))
      yield* until(meter, ({ requests }) => requests === 3)
      yield* hello()
      expect((yield* meter).maxConcurrent).toBe(4)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("beyond maxConcurrent is answered with 429 and Retry-After", () =>
    Effect.gen(function* () {
      yield* script(Fault.times(Fault.slow("500 millis"), 2))
      const answers = yield* Effect.all([hello(), hello(), hello()], { concurrency: 3 })
      const refused = answers.filter(({ status }) => status === 429)
      expect(refused.map(({ headers }) => headers["retry-after"])).toEqual(["1"])
      expect(yield* meter).toMatchObject({ statuses: { 200: 2, 429: 1 }, characters: 10, maxConcurrent: 3 })
      expect((yield* hello()).status).toBe(200)
    }).pipe(Effect.provide(served({ maxConcurrent: 2 })))
  )
})

describe("a rate of requests", () => {
  const ask = (times: number) =>
    Effect.map(Effect.replicateEffect(hello(), times), (answers) => answers.map(({ status }) => status))

  it.effect("lets one second's worth through at once, and then as many as it says", () =>
    Effect.gen(function* () {
      expect(yield* ask(4)).toEqual([200, 200, 200, 429])
      yield* TestClock.adjust("1 second")
      expect(yield* ask(4)).toEqual([200, 200, 200, 429])
      yield* TestClock.adjust("334 millis")
      expect(yield* ask(2)).toEqual([200, 429])
      yield* TestClock.adjust("1 hour")
      expect(yield* ask(4)).toEqual([200, 200, 200, 429])
    }).pipe(Effect.provide(Emulator.layerHttpClient({ requestsPerSecond: 3 })))
  )

  it.effect("beyond it is answered with Retry-After, unless that is left out", () =>
    Effect.gen(function* () {
      const refusal = (retryAfter?: number | null) =>
        Effect.zipRight(hello(), hello()).pipe(
          Effect.map(({ headers, status }) => [status, headers["retry-after"]]),
          Effect.provide(Emulator.layerHttpClient({ requestsPerSecond: 1, retryAfter }))
        )
      expect(yield* refusal()).toEqual([429, "1"])
      expect(yield* refusal(7)).toEqual([429, "7"])
      expect(yield* refusal(null)).toEqual([429, undefined])
    })
  )
})

describe("latency", () => {
  it.virtual("delays the answer", () =>
    Effect.gen(function* () {
      const [elapsed] = yield* Effect.timed(hello())
      expect(Duration.toMillis(elapsed)).toBeGreaterThanOrEqual(50)
    }).pipe(Effect.provide(served({ latency: "50 millis" })))
  )
})

describe("a client that goes away", () => {
  it.effect("gives its place to the next at once, and is billed nothing", () =>
    Effect.gen(function* () {
      yield* script(Fault.slow("1 minute"))
      yield* abandoned
      // Until the emulator has heard of it.
      const answer = yield* until(hello(), ({ status }) => status !== 429)
      expect(answer.status).toBe(200)
      yield* TestClock.adjust("2 minutes")
      expect((yield* meter).characters).toBe(5)
    }).pipe(Effect.provide(overHttp({ maxConcurrent: 1 })))
  )
})

describe("lifetime", () => {
  it.live("two emulators in one process know nothing of each other", () =>
    Effect.gen(function* () {
      yield* hello().pipe(Effect.provide(overHttp()))
      const [a, b] = yield* Effect.all([
        Effect.zipRight(hello(), meter).pipe(Effect.provide(overHttp())),
        meter.pipe(Effect.provide(overHttp()))
      ])
      expect([a.requests, b.requests]).toEqual([1, 0])
    })
  )

  it.scopedLive("two emulators of one build know nothing of each other", () =>
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const memo = yield* Layer.makeMemoMap
      const [first, second] = yield* Effect.all([
        Layer.buildWithMemoMap(overHttp({ keys: ["a"] }), memo, scope),
        Layer.buildWithMemoMap(overHttp({ keys: ["b"] }), memo, scope)
      ])
      const ask = Effect.zip(hello(withKey("a")), hello(withKey("b")))
      const ofFirst = yield* Effect.provide(ask, first)
      const ofSecond = yield* Effect.provide(ask, second)
      expect(ofFirst.map(({ status }) => status)).toEqual([200, 403])
      expect(ofSecond.map(({ status }) => status)).toEqual([403, 200])
    })
  )

  it.effect("closes no connection that is idle: its answers promise no time after which it would", () =>
    Effect.gen(function* () {
      const { headers } = yield* hello()
      expect([headers.connection, headers["keep-alive"]]).toEqual(["keep-alive", undefined])
    }).pipe(Effect.provide(overHttp()))
  )

  // Were it to wait for the answers, it would wait for ever: nobody moves the clock.
  it.effect("closes at once in spite of slow answers and idle connections", () =>
    Effect.gen(function* () {
      yield* Effect.fork(hello())
      yield* abandoned
    }).pipe(Effect.provide(overHttp({ latency: "1 minute" })))
  )
})
