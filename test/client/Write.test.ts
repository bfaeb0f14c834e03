/** Text improvement: the wire, the answers, the rules, and the emulator behind it. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { RequestChecks, RetryPolicy, TranslateClient, type Write } from "effect-translate"
import { Emulator, Fault, PseudoImprovement } from "effect-translate/emulator"
import { send } from "../emulator/support.js"
import { key, served } from "../support/client.js"
import { emulatedInProcess } from "../support/emulator.js"
import * as recording from "../support/recordingServer.js"
import { retries } from "../support/retries.js"

const write = Effect.map(TranslateClient.TranslateClient, (client) => client.write)

const rephrase = (request: Write.RephraseRequest) => Effect.flatMap(write, (write) => write.rephrase(request))

const correct = (request: Write.CorrectRequest) => Effect.flatMap(write, (write) => write.correct(request))

/** What the types refuse, callers of plain JavaScript still send. */
const rephraseAnything = (request: object) => rephrase(request as Write.RephraseRequest)

const correctAnything = (request: object) => correct(request as Write.CorrectRequest)

/** An answer of the service with these texts. */
const improvements = (...texts: ReadonlyArray<string>) => ({
  body: { improvements: texts.map((text) => ({ text, detected_source_language: "en" })) }
})

const refused = <E extends { readonly message: string; readonly _tag: string }>(
  call: Effect.Effect<Write.Improved, E, TranslateClient.TranslateClient>
) =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(call)
    expect(error._tag).toBe("InvalidRequest")
    expect(yield* recording.requests).toEqual([])
    return error.message
  })

const styled = ["de", "en-GB", "en-US", "es", "fr", "it", "pt-BR", "pt-PT"]

const unstyled = ["ja", "ko", "zh", "zh-Hans"]

describe("POST /v2/write/rephrase on the wire", () => {
  it.effect("sends method, path, key, content type and body as the specification writes them", () =>
    Effect.gen(function* () {
      yield* recording.answer(improvements("a", "b"))
      yield* rephrase({ text: ["teh cat", "Grüße 🌍"], targetLang: "en-gb", writingStyle: "business" })
      const request = yield* recording.onlyRequest
      expect(request.method).toBe("POST")
      expect(request.path).toBe("/v2/write/rephrase")
      expect(request.headers.authorization).toBe(`Service-Auth-Key ${key}`)
      expect(request.headers["content-type"]).toBe("application/json")
      const expected = '{"text":["teh cat","Grüße 🌍"],"target_lang":"en-GB","writing_style":"business"}'
      expect(JSON.parse(request.text)).toEqual(JSON.parse(expected))
      expect(request.body.length).toBe(Buffer.byteLength(expected))
    }).pipe(Effect.provide(served()))
  )

  it.effect("sends a tone under its name, and one text as an array", () =>
    Effect.gen(function* () {
      yield* recording.answer(improvements("a"))
      yield* rephrase({ text: ["teh cat"], tone: "prefer_friendly" })
      expect((yield* recording.onlyRequest).text).toBe('{"text":["teh cat"],"tone":"prefer_friendly"}')
    }).pipe(Effect.provide(served()))
  )

  it.effect("sends the texts alone if nothing else is given", () =>
    Effect.gen(function* () {
      yield* recording.answer(improvements("a"))
      yield* rephrase({ text: ["a"], targetLang: undefined, tone: undefined, writingStyle: undefined })
      expect((yield* recording.onlyRequest).text).toBe('{"text":["a"]}')
    }).pipe(Effect.provide(served()))
  )
})

describe("POST /v2/write/correct on the wire", () => {
  it.effect("sends method, path, key, content type and body as the specification writes them", () =>
    Effect.gen(function* () {
      yield* recording.answer(improvements("a", "b"))
      yield* correct({ text: ["teh cat", "世界"], targetLang: "EN-US" })
      const request = yield* recording.onlyRequest
      expect(request.method).toBe("POST")
      expect(request.path).toBe("/v2/write/correct")
      expect(request.headers.authorization).toBe(`Service-Auth-Key ${key}`)
      expect(request.headers["content-type"]).toBe("application/json")
      expect(request.text).toBe('{"text":["teh cat","世界"],"target_lang":"en-US"}')
    }).pipe(Effect.provide(served()))
  )

  it.effect('takes no parameters "beyond the text and target_lang"', () =>
    Effect.gen(function* () {
      expect(yield* refused(correctAnything({ text: ["a"], tone: "friendly" }))).toBe(
        "POST /v2/write/correct was not sent: tone is not known here: check its spelling"
      )
    }).pipe(Effect.provide(served()))
  )
})

describe("an answer decoded", () => {
  const body = {
    improvements: [
      { text: "The cat", target_language: "EN-GB", detected_source_language: "EN", colour: "red" },
      { text: "Dog" }
    ],
    model: "new"
  }
  const expected = {
    improvements: [
      {
        text: "The cat",
        targetLanguage: "en-GB",
        detectedSourceLanguage: "en",
        extra: { colour: "red" }
      },
      { text: "Dog" }
    ],
    extra: { model: "new" },
    attempts: 1,
    ambiguousAttempts: 0
  }

  it.effect("of rephrase: every field, unknown ones in extra, missing ones left out", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body })
      expect(yield* rephrase({ text: ["a", "b"] })).toEqual(expected)
    }).pipe(Effect.provide(served()))
  )

  it.effect("of correct: every field, unknown ones in extra, missing ones left out", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body })
      expect(yield* correct({ text: ["a", "b"] })).toEqual(expected)
    }).pipe(Effect.provide(served()))
  )

  it.effect("with too few improvements is a MismatchedResponse", () =>
    Effect.gen(function* () {
      yield* recording.answer(improvements("a"))
      const error = yield* Effect.flip(rephrase({ text: ["a", "b"] })).pipe(
        Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.none)
      )
      expect(error).toMatchObject({ _tag: "MismatchedResponse", expected: 2, received: 1 })
    }).pipe(Effect.provide(served()))
  )

  it.effect("without improvements is an UndecodableResponse", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: { translations: [] } })
      const error = yield* Effect.flip(correct({ text: ["a"] })).pipe(
        Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.none)
      )
      expect(error._tag).toBe("UndecodableResponse")
    }).pipe(Effect.provide(served()))
  )

  it.live("tells how often it was sent, and which attempts may have been billed besides", () =>
    Effect.gen(function* () {
      yield* recording.answer({ status: 500 }, improvements("a"), { status: 503 }, improvements("b"))
      const patience = Effect.provideService(
        RetryPolicy.RetryPolicy,
        RetryPolicy.make({ schedule: retries(5) })
      )
      expect(yield* patience(rephrase({ text: ["a"] }))).toMatchObject({ attempts: 2, ambiguousAttempts: 1 })
      expect(yield* patience(correct({ text: ["b"] }))).toMatchObject({ attempts: 2, ambiguousAttempts: 0 })
    }).pipe(Effect.provide(served()))
  )

  it.live("is not asked for again in doubt once the budget is spent", () =>
    Effect.gen(function* () {
      yield* recording.answer({ status: 500 }, { status: 500 }, improvements("a"))
      const error = yield* Effect.flip(rephrase({ text: ["a"] })).pipe(
        Effect.provideService(
          RetryPolicy.RetryPolicy,
          RetryPolicy.make({ schedule: retries(5), ambiguousBudget: 1 })
        )
      )
      expect(error).toMatchObject({ _tag: "ServerError", attempts: 2, ambiguousAttempts: 2 })
    }).pipe(Effect.provide(served()))
  )
})

describe("a request that breaks a rule is refused before anything is sent", () => {
  it.effect('"writing_style and tone cannot both be sent"', () =>
    Effect.gen(function* () {
      expect(
        yield* refused(rephrase({ text: ["a"], targetLang: "de", writingStyle: "simple", tone: "default" }))
      ).toBe(
        "POST /v2/write/rephrase was not sent: tone can't be combined with writingStyle: give one of them"
      )
    }).pipe(Effect.provide(served()))
  )

  it.effect(
    '"a non-prefixed value other than default gives HTTP 400 there": refused, with the prefer_ form as the fix',
    () =>
      Effect.gen(function* () {
        for (const targetLang of unstyled) {
          const advice = `does not work with targetLang "${targetLang}", only with ${styled.join(", ")}: put prefer_ in front of it, which falls back to "default" there, or drop it`
          expect(yield* refused(rephrase({ text: ["a"], targetLang, writingStyle: "business" }))).toBe(
            `POST /v2/write/rephrase was not sent: writingStyle ${advice}`
          )
          expect(yield* refused(rephrase({ text: ["a"], targetLang, tone: "friendly" }))).toBe(
            `POST /v2/write/rephrase was not sent: tone ${advice}`
          )
        }
      }).pipe(Effect.provide(served()))
  )

  it.effect.each([
    ["no text", { text: [] }, "text is empty: give at least one text"],
    ["a text that is no array", { text: "a" }, "text must be an array of strings"],
    ["a text that is no string", { text: ["a", 1] }, "text must be an array of strings"],
    [
      "a malformed language",
      { text: ["a"], targetLang: "german!" },
      'targetLang is no language code: write the target language as BCP 47, such as "de" or "en-GB"'
    ],
    [
      "an unknown name",
      { text: ["a"], writing_style: "simple" },
      "writing_style is not known here: check its spelling"
    ]
  ] as const)("%s", ([_, request, rule]) =>
    Effect.gen(function* () {
      expect(yield* refused(rephraseAnything(request))).toBe(`POST /v2/write/rephrase was not sent: ${rule}`)
    }).pipe(Effect.provide(served()))
  )

  it.effect("a language that the service knows, but does not improve texts in", () =>
    Effect.gen(function* () {
      for (const [call, name] of [
        [rephrase, "rephrase"],
        [correct, "correct"]
      ] as const) {
        expect(yield* refused(call({ text: ["a"], targetLang: "NL" }))).toBe(
          `POST /v2/write/${name} was not sent: targetLang is "nl", in which texts are not improved: choose among de, en-GB, en-US, es, fr, it, ja, ko, pt-BR, pt-PT, zh, zh-Hans`
        )
      }
    }).pipe(Effect.provide(served()))
  )

  it.effect('"Write request body | 10 KiB (10240 bytes)": one byte more is refused with size and limit', () =>
    Effect.gen(function* () {
      const fits = "x".repeat(10_240 - '{"text":[""],"target_lang":"de"}'.length)
      for (const call of [rephrase, correct]) {
        const error = yield* Effect.flip(call({ text: [`${fits}x`], targetLang: "de" }))
        expect(error._tag).toBe("InvalidRequest")
        expect(error.message).toContain("10241 bytes; the limit is 10240")
        expect(error.message).not.toContain("xxx")
      }
      expect(yield* recording.requests).toEqual([])
      yield* recording.answer(improvements("a"))
      yield* correct({ text: [fits], targetLang: "de" })
      expect((yield* recording.onlyRequest).body.length).toBe(10_240)
    }).pipe(Effect.provide(served()))
  )
})

describe("a request that breaks no rule is sent", () => {
  const sent = (request: Write.RephraseRequest) =>
    Effect.gen(function* () {
      yield* recording.answer(improvements("a"))
      yield* rephrase(request)
      const all = yield* recording.requests
      return JSON.parse(all[all.length - 1]!.text)
    })

  it.effect('"supported for de, en-GB, en-US, es, fr, it, pt-BR, pt-PT", in any casing', () =>
    Effect.gen(function* () {
      for (const targetLang of styled) {
        expect(yield* sent({ text: ["a"], targetLang, writingStyle: "academic" })).toEqual({
          text: ["a"],
          target_lang: targetLang,
          writing_style: "academic"
        })
        expect(yield* sent({ text: ["a"], targetLang: targetLang.toUpperCase(), tone: "friendly" })).toEqual({
          text: ["a"],
          target_lang: targetLang,
          tone: "friendly"
        })
      }
    }).pipe(Effect.provide(served()))
  )

  it.effect.each([
    [
      "default and prefer_ values where there is no style",
      { targetLang: "ja", writingStyle: "prefer_simple" }
    ],
    ["a default style where there is none", { targetLang: "ko", writingStyle: "default" }],
    ["a preferred tone where there is none", { targetLang: "zh-Hans", tone: "prefer_diplomatic" }],
    ["values that the service may list one day", { targetLang: "de", tone: "poetic" }],
    ["a style without a language: the service looks at the texts", { writingStyle: "casual" }],
    ["a language that nobody knows yet", { targetLang: "tlh" }]
  ] as const)("%s", ([_, options]) =>
    Effect.gen(function* () {
      yield* sent({ text: ["a"], ...options })
    }).pipe(Effect.provide(served()))
  )

  it.effect("with more texts than a translation takes: the service limits the bytes only", () =>
    Effect.gen(function* () {
      const texts = Array.from({ length: 500 }, (_, index) => `t${index}`)
      yield* recording.answer(improvements(...texts))
      expect((yield* correct({ text: texts })).improvements).toHaveLength(500)
    }).pipe(Effect.provide(served()))
  )
})

const meter = Effect.flatMap(Emulator.Emulator, (emulator) => emulator.meter)

const texts = ({ improvements }: Write.Improved) => improvements.map(({ text }) => text)

describe("the emulator", () => {
  it.effect('answers the "results in request order", each marked with its options', () =>
    Effect.gen(function* () {
      expect(
        texts(yield* rephrase({ text: ["one", " two\n", ""], targetLang: "en-us", tone: "confident" }))
      ).toEqual(["[rephrased en-US confident] one", " [rephrased en-US confident] two\n", ""])
      expect(texts(yield* correct({ text: ["one", "two"], targetLang: "de" }))).toEqual([
        "[corrected de] one",
        "[corrected de] two"
      ])
    }).pipe(Effect.provide(emulatedInProcess()))
  )

  it.effect('"Omitting both on /write/rephrase uses the default improvement mode"', () =>
    Effect.gen(function* () {
      const [plain, styled, toned] = yield* Effect.all([
        rephrase({ text: ["a"], targetLang: "de" }),
        rephrase({ text: ["a"], targetLang: "de", writingStyle: "default" }),
        rephrase({ text: ["a"], targetLang: "de", tone: "default" })
      ])
      expect(texts(plain)).toEqual(["[rephrased de] a"])
      expect(styled).toEqual(plain)
      expect(toned).toEqual(plain)
    }).pipe(Effect.provide(emulatedInProcess()))
  )

  it.effect(
    'answers "target_language (the target language given by the caller)" and the language of the text',
    () =>
      Effect.gen(function* () {
        expect((yield* correct({ text: ["Ça va"], targetLang: "FR" })).improvements).toEqual([
          { text: "[corrected fr] Ça va", targetLanguage: "fr", detectedSourceLanguage: "fr" }
        ])
        expect((yield* correct({ text: ["hello"] })).improvements).toEqual([
          { text: "[corrected] hello", detectedSourceLanguage: "en" }
        ])
      }).pipe(Effect.provide(emulatedInProcess()))
  )

  it.effect('"when omitted texts in several languages may be sent together"', () =>
    Effect.gen(function* () {
      const { improvements } = yield* rephrase({ text: ["hello", "こんにちは", "안녕", "世界"] })
      expect(improvements.map(({ detectedSourceLanguage }) => detectedSourceLanguage)).toEqual([
        "en",
        "ja",
        "ko",
        "zh"
      ])
    }).pipe(Effect.provide(emulatedInProcess()))
  )

  it.effect('"the text\'s language must equal the target (no translation)", if its script tells', () =>
    Effect.gen(function* () {
      for (const [text, targetLang] of [
        ["こんにちは", "de"],
        ["안녕", "ja"],
        ["世界", "ko"],
        ["hello", "ja"],
        ["Привет", "en-GB"]
      ] as const) {
        const error = yield* Effect.flip(correct({ text: ["1", text], targetLang }))
        expect(error).toMatchObject({
          _tag: "BadRequest",
          status: 400,
          serviceMessage: `text[1] is not in the language of target_lang ${targetLang}: this does not translate`
        })
      }
      expect((yield* meter).characters).toBe(0)
      for (const [text, targetLang] of [
        ["世界 123", "zh-Hans"],
        ["世界", "ja"],
        ["123 🌍", "ko"],
        ["Ça va", "pt-BR"]
      ] as const) {
        yield* correct({ text: [text], targetLang })
      }
    }).pipe(Effect.provide(emulatedInProcess()))
  )

  it.effect(
    '"giving another variant of the same language (for example en-GB for American English) also converts the variant"',
    () =>
      Effect.gen(function* () {
        expect(texts(yield* correct({ text: ["color"], targetLang: "en-GB" }))).toEqual([
          "[corrected en-GB] color"
        ])
      }).pipe(Effect.provide(emulatedInProcess()))
  )

  it.effect(
    '"target language: de, en-GB, en-US, es, fr, it, ja, ko, pt-BR, pt-PT, zh / zh-Hans", and no other',
    () =>
      Effect.gen(function* () {
        for (const targetLang of [...styled, ...unstyled]) {
          expect(texts(yield* rephrase({ text: ["1"], targetLang }))).toEqual([`[rephrased ${targetLang}] 1`])
        }
        const unchecked = RequestChecks.withRequestChecks({ languages: false })
        const error = yield* Effect.flip(unchecked(rephrase({ text: ["1"], targetLang: "nl" })))
        expect(error).toMatchObject({ _tag: "BadRequest", status: 400 })
      }).pipe(Effect.provide(emulatedInProcess()))
  )

  it.effect('"a prefer_ value falls back to default on an unsupported language"', () =>
    Effect.gen(function* () {
      for (const targetLang of unstyled) {
        expect(texts(yield* rephrase({ text: ["1"], targetLang, tone: "prefer_friendly" }))).toEqual([
          `[rephrased ${targetLang}] 1`
        ])
      }
      for (const targetLang of styled) {
        expect(texts(yield* rephrase({ text: ["a"], targetLang, writingStyle: "prefer_simple" }))).toEqual([
          `[rephrased ${targetLang} simple] a`
        ])
      }
      expect(texts(yield* rephrase({ text: ["a", "こんにちは"], tone: "prefer_friendly" }))).toEqual([
        "[rephrased friendly] a",
        "[rephrased] こんにちは"
      ])
    }).pipe(Effect.provide(emulatedInProcess()))
  )

  it.effect(
    '"a non-prefixed value other than default gives HTTP 400 there": from the service, if it is not told here',
    () =>
      Effect.gen(function* () {
        const path = "/v2/write/rephrase"
        for (const style of [{ writing_style: "business" }, { tone: "friendly" }]) {
          const { json, status } = yield* send(
            JSON.stringify({ text: ["世界"], target_lang: "ja", ...style }),
            {
              path
            }
          )
          expect(status).toBe(400)
          expect(json.message).toContain("prefer_")
        }
        const error = yield* Effect.flip(
          rephrase({ text: ["hello", "こんにちは"], writingStyle: "business" })
        )
        expect(error).toMatchObject({
          _tag: "BadRequest",
          status: 400,
          serviceMessage:
            "text[1] is in ja, which has no writing_style or tone: put prefer_ in front of it or drop it"
        })
        expect((yield* meter).characters).toBe(0)
      }).pipe(Effect.provide(emulatedInProcess()))
  )

  it.effect('"writing_style and tone cannot both be sent": 400 from the service too', () =>
    Effect.gen(function* () {
      const { json, status } = yield* send(
        JSON.stringify({ text: ["a"], target_lang: "de", writing_style: "simple", tone: "friendly" }),
        { path: "/v2/write/rephrase" }
      )
      expect(status).toBe(400)
      expect(json.message).toContain("tone can't be combined")
    }).pipe(Effect.provide(emulatedInProcess()))
  )

  it.effect('"Body at most 10 KiB": 413 beyond', () =>
    Effect.gen(function* () {
      const body = (bytes: number) => `{"text":["${"x".repeat(bytes - 13)}"]}`
      for (const path of ["/v2/write/rephrase", "/v2/write/correct"]) {
        expect((yield* send(body(10_240), { path })).status).toBe(200)
        expect((yield* send(body(10_241), { path })).status).toBe(413)
      }
    }).pipe(Effect.provide(emulatedInProcess()))
  )

  it.effect('"Bodies: JSON or URL-encoded form; response JSON"', () =>
    Effect.gen(function* () {
      const form = { "content-type": "application/x-www-form-urlencoded" }
      const one = yield* send("text=hello&target_lang=en-gb&tone=friendly", {
        path: "/v2/write/rephrase",
        headers: form
      })
      expect(one.json).toEqual({
        improvements: [
          {
            text: "[rephrased en-GB friendly] hello",
            target_language: "en-GB",
            detected_source_language: "en"
          }
        ]
      })
      const two = yield* send("text=a&text=b", { path: "/v2/write/correct", headers: form })
      expect(two.json.improvements.map(({ text }: { text: string }) => text)).toEqual([
        "[corrected] a",
        "[corrected] b"
      ])
    }).pipe(Effect.provide(emulatedInProcess()))
  )

  it.effect("bills the characters of the texts, code points", () =>
    Effect.gen(function* () {
      yield* rephrase({ text: ["hello", "🌍"], tone: "friendly" })
      yield* correct({ text: ["four"] })
      expect(yield* meter).toMatchObject({ requests: 2, texts: 3, characters: 10 })
    }).pipe(Effect.provide(emulatedInProcess()))
  )

  it.effect('"Cost control applies to the sum of translate and write characters"', () =>
    Effect.gen(function* () {
      const client = yield* TranslateClient.TranslateClient
      yield* client.translateText({ text: ["12345"], targetLang: "de" })
      yield* rephrase({ text: ["1234"] })
      const error = yield* Effect.flip(correct({ text: ["12"] }))
      expect(error).toMatchObject({ _tag: "QuotaExceeded", status: 456 })
      yield* correct({ text: ["1"] })
      const translating = yield* Effect.flip(client.translateText({ text: ["1"], targetLang: "de" }))
      expect(translating._tag).toBe("QuotaExceeded")
      const { characterCount, products } = yield* client.usage
      expect(characterCount).toBe(10)
      expect(products).toMatchObject([
        { productType: "translate", characterCount: 5 },
        { productType: "write", characterCount: 5 }
      ])
    }).pipe(Effect.provide(emulatedInProcess({ characterLimit: 10 })))
  )

  it.effect("has faults for improvements too", () =>
    Effect.gen(function* () {
      const { script } = yield* Emulator.Emulator
      yield* script(Fault.poison("bad"))
      expect((yield* Effect.flip(correct({ text: ["a bad one"] })))._tag).toBe("BadRequest")
    }).pipe(Effect.provide(emulatedInProcess()))
  )
})

describe("PseudoImprovement", () => {
  it("marks a text with language and style, and keeps the whitespace around it", () => {
    expect(PseudoImprovement.rephrase(" a \n")).toBe(" [rephrased] a \n")
    expect(PseudoImprovement.rephrase("a", { targetLang: "PT-br", writingStyle: "prefer_casual" })).toBe(
      "[rephrased pt-BR casual] a"
    )
    expect(PseudoImprovement.rephrase("a", { targetLang: "ja", tone: "prefer_friendly" })).toBe(
      "[rephrased ja] a"
    )
    expect(PseudoImprovement.correct("a", { targetLang: "ZH-hans" })).toBe("[corrected zh-Hans] a")
    expect(PseudoImprovement.correct(" \t")).toBe(" \t")
  })
})
