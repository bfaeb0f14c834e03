/** What is refused before it is sent, by tables and limits that may change, and what lets it through. */
import { describe, expect, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { Outcome, RequestChecks, TranslateClient, TranslateStream } from "effect-translate"
import { DocumentSource } from "effect-translate/documents"
import { hallo, once, served, translate } from "../support/client.js"
import { answer, requests } from "../support/recordingServer.js"

type Request = Omit<TranslateClient.TranslateRequest, "text">

const request = (options: Request) => translate({ text: ["Hello"], ...options })

const client = TranslateClient.TranslateClient

const upload = (options: Request) =>
  Effect.flatMap(client, ({ documents }) =>
    documents.upload(DocumentSource.fromBytes("a.txt", new TextEncoder().encode("Hello")), options)
  )

/** The rules that a call breaks, of which nothing is sent. */
const refused = <A, R>(call: Effect.Effect<A, Outcome.StreamError, R>) =>
  Effect.gen(function* () {
    const before = (yield* requests).length
    const error = yield* Effect.flip(call)
    expect(yield* requests).toHaveLength(before)
    return error._tag === "InvalidRequest" ? error.violations : error
  })

const formality = (code: string, feature = true, status = "stable") => ({
  lang: code,
  name: code,
  usable_as_source: false,
  usable_as_target: true,
  status,
  features: feature ? { formality: { status: "stable" } } : {}
})

describe("a target", () => {
  it.effect("that is another code of a listed language is refused, with the code to write", () =>
    Effect.gen(function* () {
      for (const [targetLang, code] of [
        ["zh-TW", "zh-Hant"],
        ["de-DE", "de"],
        ["no", "nb"]
      ] as const) {
        const rule = `is "${targetLang}", which is no target language: write "${code}"`
        expect(yield* refused(request({ targetLang }))).toEqual([{ field: "targetLang", rule }])
        expect(yield* refused(upload({ targetLang }))).toEqual([{ field: "targetLang", rule }])
      }
      expect(yield* requests).toHaveLength(0)
    }).pipe(Effect.provide(served()))
  )

  it.effect("of an unknown language is sent, and any target without the check of languages", () =>
    Effect.gen(function* () {
      yield* answer(hallo, hallo)
      yield* request({ targetLang: "sr-Latn" })
      yield* RequestChecks.withRequestChecks({ languages: false })(request({ targetLang: "zh-TW" }))
      expect(yield* requests).toHaveLength(2)
    }).pipe(Effect.provide(served()))
  )
})

describe("formality", () => {
  for (const targetLang of ["en-GB", "EN-us", "ko", "uk", "zh-Hans", "de-CH"]) {
    it.effect(`"more" and "less" are refused for ${targetLang}, which has none`, () =>
      Effect.gen(function* () {
        for (const formality of ["more", "less"] as const) {
          expect(yield* refused(request({ targetLang, formality }))).toEqual([
            { field: "formality", rule: expect.stringContaining(`take "prefer_${formality}"`) }
          ])
        }
      }).pipe(Effect.provide(served()))
    )
  }

  for (const targetLang of ["DE", "es-419", "pt-br", "ru", "tlh"]) {
    it.effect(`is sent for ${targetLang}, which has it or is not known`, () =>
      Effect.gen(function* () {
        yield* answer(hallo, hallo)
        yield* request({ targetLang, formality: "more" })
        yield* request({ targetLang: "ko", formality: "prefer_less" })
        expect(yield* requests).toHaveLength(2)
      }).pipe(Effect.provide(served()))
    )
  }

  it.effect("of documents has targets of its own", () =>
    Effect.gen(function* () {
      yield* answer(hallo, { body: { document_id: "d", document_key: "5566778899" } })
      yield* request({ targetLang: "es-419", formality: "more" })
      expect(yield* refused(upload({ targetLang: "es-419", formality: "more" }))).toEqual([
        { field: "formality", rule: expect.stringContaining('take "prefer_more"') }
      ])
      yield* upload({ targetLang: "tlh", formality: "more" })
    }).pipe(Effect.provide(served()))
  )

  it.effect("ends a stream before anything is sent", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        Stream.make("Hello", "Bye").pipe(
          TranslateStream.translate({ targetLang: "ko", formality: "more" }),
          Outcome.orFail,
          Stream.runDrain
        )
      )
      expect(error._tag).toBe("InvalidRequest")
      expect(yield* requests).toHaveLength(0)
    }).pipe(Effect.provide(served()))
  )
})

describe("a target in beta", () => {
  it.effect("takes no model but quality_optimized", () =>
    Effect.gen(function* () {
      for (const modelType of ["latency_optimized", "prefer_quality_optimized"] as const) {
        expect(yield* refused(request({ targetLang: "fr-ca", modelType }))).toEqual([
          { field: "modelType", rule: expect.stringContaining('"quality_optimized"') }
        ])
      }
      yield* answer(hallo, hallo, hallo)
      yield* request({ targetLang: "de-CH", modelType: "quality_optimized" })
      yield* request({ targetLang: "de-CH" })
      yield* request({ targetLang: "tlh", modelType: "latency_optimized" })
    }).pipe(Effect.provide(served()))
  )
})

describe("the table is overruled", () => {
  const english = { targetLang: "en-GB", formality: "more" } as const
  const swiss = { targetLang: "de-CH", modelType: "latency_optimized" } as const

  it.effect("by an option of the call", () =>
    Effect.gen(function* () {
      yield* answer(hallo, hallo, { body: { document_id: "d", document_key: "5566778899" } })
      const lenient = RequestChecks.withRequestChecks({ languages: false })
      yield* lenient(request(english))
      yield* lenient(request(swiss))
      yield* lenient(upload(english))
      expect(yield* requests).toHaveLength(3)
      yield* refused(request(english))
    }).pipe(Effect.provide(served()))
  )

  it.effect("by a listing that was fetched: its languages are sent, others are refused", () =>
    Effect.gen(function* () {
      yield* refused(request(english))
      yield* refused(request(swiss))
      yield* answer(
        {
          body: [
            formality("en-GB"),
            formality("de-CH"),
            formality("ru", false),
            formality("tlh", false, "beta")
          ]
        },
        hallo,
        hallo
      )
      const { languages } = yield* client
      yield* languages.list({ resource: "translate_text", include: ["beta", "external"] })
      yield* request(english)
      yield* request(swiss)
      yield* refused(request({ targetLang: "ru", formality: "less" }))
      yield* refused(request({ targetLang: "tlh", formality: "less" }))
      yield* refused(request({ targetLang: "tlh", modelType: "latency_optimized" }))
      // Documents have a listing of their own.
      yield* refused(upload(english))
    }).pipe(Effect.provide(served()))
  )

  it.effect.each(["zh-Hant", "en", "pt", "de-CH"])("of text improvement is refused for %s", (targetLang) =>
    Effect.gen(function* () {
      const { write } = yield* client
      const [violation] = yield* refused(write.rephrase({ text: ["a"], targetLang }))
      expect(violation).toMatchObject({
        field: "targetLang",
        rule: expect.stringContaining("choose among de,")
      })
    }).pipe(Effect.provide(served()))
  )

  it.effect("by a listing of text improvement", () =>
    Effect.gen(function* () {
      const { languages, write } = yield* client
      const rephrase = write.rephrase({ text: ["a"], targetLang: "nl" })
      yield* refused(rephrase)
      yield* answer({ body: [formality("nl")] }, { body: { improvements: [{ text: "b" }] } })
      yield* languages.list({ resource: "write" })
      yield* rephrase
    }).pipe(Effect.provide(served()))
  )

  it.effect("by a listing that was fetched after the effect was made: it looks when it runs", () =>
    Effect.gen(function* () {
      const { languages, translateText } = yield* client
      const described = translateText({ text: ["Hello"], ...english })
      yield* refused(described)
      yield* answer({ body: [formality("en-GB")] }, hallo, hallo)
      yield* languages.list({ resource: "translate_text" })
      yield* described
    }).pipe(Effect.provide(served()))
  )

  it.effect("by a listing of stable languages only where it has more", () =>
    Effect.gen(function* () {
      yield* answer({ body: [formality("en-GB"), formality("ru", false)] }, hallo, hallo)
      const { languages } = yield* client
      yield* languages.list({ resource: "translate_text" })
      yield* request(english)
      yield* request({ targetLang: "ru", formality: "less" })
    }).pipe(Effect.provide(served()))
  )

  it.effect("by the older listing", () =>
    Effect.gen(function* () {
      yield* answer({ body: [{ language: "EN-GB", name: "English", supports_formality: true }] }, hallo)
      const { languages } = yield* client
      yield* languages.listV2({ type: "target" })
      yield* request(english)
      yield* refused(upload(english))
    }).pipe(Effect.provide(served()))
  )
})

describe("documents", () => {
  it.effect("ignore modelType, which options of texts may hold: it is not sent", () =>
    Effect.gen(function* () {
      yield* answer({ body: { document_id: "d", document_key: "5566778899" } })
      yield* upload({ targetLang: "de", modelType: "latency_optimized" })
      expect((yield* requests)[0]!.text).not.toMatch(/model|latency/)
    }).pipe(Effect.provide(served()))
  )

  it.effect("that failed may say why in message instead of error_message", () =>
    Effect.gen(function* () {
      const { status } = (yield* client).documents
      const access = { documentId: "d", documentKey: Redacted.make("5566778899") }
      yield* answer(
        { body: { status: "error", message: "Source and target language are equal" } },
        { body: { status: "error", message: "Failed", error_message: "The file is empty" } },
        { body: { status: "translating", message: "Be patient" } }
      )
      expect((yield* status(access)).errorMessage).toBe("Source and target language are equal")
      expect((yield* status(access)).errorMessage).toBe("The file is empty")
      expect((yield* status(access)).errorMessage).toBeUndefined()
    }).pipe(Effect.provide(served()))
  )
})

describe("a rule about latency_optimized", () => {
  const uuid = "a74d88fb-ed2a-4943-a664-a4512398b994"
  const rules = {
    latencyWithTagHandlingV2: ["tagHandlingVersion", { tagHandlingVersion: "v2" }],
    latencyWithStyle: ["styleId", { styleId: "s" }],
    latencyWithInstructions: ["customInstructions", { customInstructions: ["Be kind."] }],
    latencyWithMemory: ["translationMemoryId", { translationMemoryId: uuid }]
  } as const
  const names = Object.keys(rules) as ReadonlyArray<keyof typeof rules>
  const all: Request = Object.assign(
    { targetLang: "de", modelType: "latency_optimized" },
    ...names.map((name) => rules[name][1])
  )
  const relaxed = (...which: typeof names) =>
    RequestChecks.layer(Object.fromEntries(which.map((name) => [name, false])))

  for (const name of names) {
    it.effect(`lets its own feature pass where it is relaxed, and no other: ${name}`, () =>
      Effect.gen(function* () {
        const others = names.filter((other) => other !== name)
        expect(yield* Effect.provide(refused(request(all)), relaxed(name))).toEqual(
          others.map((other) => ({
            field: rules[other][0],
            rule: expect.stringContaining("latency_optimized")
          }))
        )
        yield* answer(hallo)
        yield* Effect.provide(
          request({ targetLang: "de", modelType: "latency_optimized", ...rules[name][1] }),
          relaxed(name)
        )
        expect(yield* requests).toHaveLength(1)
      }).pipe(Effect.provide(served()))
    )
  }

  it.effect("is relaxed by the configuration, which names it", () =>
    Effect.gen(function* () {
      const layer = RequestChecks.layerConfig().pipe(
        Layer.provide(
          Layer.setConfigProvider(
            ConfigProvider.fromMap(new Map([["LANGUAGE_SERVICE_RELAX", names.join(",")]]))
          )
        )
      )
      yield* answer(hallo)
      yield* Effect.provide(request(all), layer)
      expect(yield* requests).toHaveLength(1)
    }).pipe(Effect.provide(served()))
  )

  it.effect("holds for a stream before it pulls anything, unless it is relaxed", () =>
    Effect.gen(function* () {
      let pulled = 0
      const texts = Stream.tap(Stream.make("Hello"), () => Effect.sync(() => pulled++))
      const translated = TranslateStream.translate(texts, all).pipe(Stream.runCollect)
      expect((yield* refused(Effect.scoped(translated))) as ReadonlyArray<unknown>).toHaveLength(4)
      expect(pulled).toBe(0)
      yield* answer(hallo)
      yield* Effect.provide(translated, relaxed(...names))
      expect(yield* requests).toHaveLength(1)
    }).pipe(Effect.provide(served()))
  )
})

describe("a limit that may change", () => {
  const list = (count: number) => ({
    name: "A",
    language: "de" as const,
    customInstructions: Array.from({ length: count }, () => ({ label: "a", prompt: "b" }))
  })
  const create = (count: number) => Effect.flatMap(client, ({ styleRules }) => styleRules.create(list(count)))

  it.effect("of instructions in a style rule list is held, unless an option lets more through", () =>
    Effect.gen(function* () {
      expect(yield* refused(create(201))).toEqual([
        {
          field: "customInstructions",
          rule: expect.stringContaining("holds 201 items; the limit is 200: merge or drop some")
        }
      ])
      const made = {
        style_id: "s",
        name: "A",
        language: "de",
        version: 1,
        creation_time: "2026-01-01T00:00:00Z",
        updated_time: "2026-01-01T00:00:00Z"
      }
      yield* answer({ status: 201, body: made }, { status: 201, body: made })
      yield* once(create(200))
      yield* once(RequestChecks.withRequestChecks({ limits: false })(create(201)))
      const [, second] = yield* requests
      expect(JSON.parse(String(second!.body)).custom_instructions).toHaveLength(201)
    }).pipe(Effect.provide(served()))
  )
})
