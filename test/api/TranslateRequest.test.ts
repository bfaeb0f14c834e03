/** Every rule of a translation request, checked before anything is sent. The specification's words are quoted. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { TranslateClient } from "effect-translate"
import * as Api from "effect-translate/api"
import { served, translate, translateAnything, translations } from "../support/client.js"
import { answer, onlyRequest, requests } from "../support/recordingServer.js"

const secret = "Confidential-4711"
const ok: TranslateClient.TranslateRequest = { text: [secret], targetLang: "de" }
const uuid = "a74d88fb-ed2a-4943-a664-a4512398b994"

/** The violations of a request that is refused here: nothing reaches the server, and the message holds no text. */
const refused = (request: object) =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(translateAnything(request))
    expect(error._tag).toBe("InvalidRequest")
    expect(yield* requests).toEqual([])
    if (error._tag !== "InvalidRequest") return []
    expect(error).toMatchObject({ method: "POST", path: "/v2/translate", delivery: "not-sent" })
    expect(error.ambiguousAttempts).toBe(0)
    expect(error.message).not.toContain(secret)
    expect(JSON.stringify(error)).not.toContain(secret)
    for (const { field, rule } of error.violations) {
      expect(error.message).toContain(Api.Violation.format([{ field, rule }]))
    }
    return error.violations
  })

/** The rules that a request breaks, each as `field rule`. */
const rules = (request: object) =>
  Effect.map(refused(request), (violations) => violations.map(({ field, rule }) => `${field} ${rule}`.trim()))

const sent = (request: TranslateClient.TranslateRequest) =>
  Effect.gen(function* () {
    yield* answer(translations(...request.text))
    yield* translate(request)
    return yield* onlyRequest
  })

/** A rule, what breaks it, and what the complaint must name. */
const breaks = (rule: string, changes: object, ...complaints: ReadonlyArray<ReadonlyArray<string>>) =>
  it.effect(`${rule}: refused`, () =>
    Effect.gen(function* () {
      const found = yield* rules({ ...ok, ...changes })
      expect(found).toHaveLength(complaints.length)
      complaints.forEach((parts, index) => {
        for (const part of parts) expect(found[index]).toContain(part)
      })
    }).pipe(Effect.provide(served()))
  )

const keeps = (rule: string, changes: Partial<TranslateClient.TranslateRequest>) =>
  it.effect(`${rule}: sent`, () => sent({ ...ok, ...changes }).pipe(Effect.provide(served())))

describe("text", () => {
  keeps('"at most 50 items", 50', { text: Array.from({ length: 50 }, () => "a") })
  breaks('"at most 50 items", 51', { text: Array.from({ length: 51 }, () => secret) }, [
    "text",
    "51",
    "limit is 50",
    "several requests"
  ])
  breaks('"array of string […] yes", none', { text: [] }, ["text", "empty", "at least one"])
  breaks("an array that holds no strings", { text: [secret, 7] }, ["text", "strings"])
  breaks("an array with a hole", { text: new Array(3) }, ["text", "strings"])
  keeps("an empty string is a text", { text: [""] })
})

describe("the body", () => {
  // {"text":["…"],"target_lang":"de"} is 31 bytes around the text.
  const envelope = '{"text":[""],"target_lang":"de"}'.length
  for (const [what, unit, size] of [
    ["ASCII", "a", 1],
    ["CJK", "世", 3],
    ["escapes", "\n", 2]
  ] as const) {
    const units = Math.floor((131072 - envelope) / size)
    const fill = "a".repeat(131072 - envelope - units * size)
    it.effect(`"Total request body at most 128 KiB", exactly 131072 bytes of ${what}: sent`, () =>
      Effect.gen(function* () {
        const request = yield* sent({ text: [unit.repeat(units) + fill], targetLang: "de" })
        expect(request.body.length).toBe(131072)
        expect(request.headers["content-length"]).toBe("131072")
      }).pipe(Effect.provide(served()))
    )

    it.effect(`"Total request body at most 128 KiB", 131073 bytes of ${what}: refused`, () =>
      Effect.gen(function* () {
        const found = yield* rules({ text: [`${unit.repeat(units)}${fill}a`], targetLang: "de" })
        expect(found).toHaveLength(1)
        for (const part of ["body", "131073 bytes", "131072", "shorter"]) expect(found[0]).toContain(part)
      }).pipe(Effect.provide(served()))
    )
  }

  it.effect('"context […] no size limit besides the body limit": the context counts', () =>
    Effect.gen(function* () {
      const found = yield* rules({ ...ok, context: secret.repeat(8000) })
      expect(found).toHaveLength(1)
      expect(found[0]).toContain("context")
      expect(found[0]).toContain("131072")
    }).pipe(Effect.provide(served()))
  )
})

describe("languages", () => {
  breaks('"target_lang | string | yes"', { targetLang: undefined }, ["targetLang"])
  breaks("a target language that is no code", { targetLang: "de+" }, ["targetLang", "BCP 47", "de"])
  breaks("a target language by its name", { targetLang: "German" }, ["targetLang", 'write "de"'])
  breaks("a source language that is no code", { sourceLang: "en_US" }, ["sourceLang", 'write "en'])
  breaks("a text where the language should be", { targetLang: `${secret} is no language` }, ["targetLang"])
  breaks("a target language that is no string", { targetLang: 49 }, ["targetLang"])

  it.effect("a missing target language is named", () =>
    Effect.gen(function* () {
      expect(yield* rules({ text: [secret] })).toEqual(["targetLang is missing"])
    }).pipe(Effect.provide(served()))
  )
})

describe("custom_instructions", () => {
  const instructions = (count: number) => Array.from({ length: count }, () => secret)
  keeps('"at most 10 items", 10', { customInstructions: instructions(10) })
  breaks('"at most 10 items", 11', { customInstructions: instructions(11) }, [
    "customInstructions",
    "11",
    "limit is 10"
  ])
  keeps('"each at most 300 characters", 300', { customInstructions: ["a".repeat(300)] })
  breaks(
    '"each at most 300 characters", 301',
    { customInstructions: ["Be kind.", secret + "a".repeat(301 - secret.length)] },
    ["customInstructions[1]", "301 characters", "limit is 300", "shorten"]
  )
  keeps("300 emoji are 300 characters", { customInstructions: ["😀".repeat(300)] })
  breaks("301 emoji are 301 characters", { customInstructions: ["😀".repeat(301)] }, [
    "customInstructions[0]",
    "301 characters"
  ])
  for (const targetLang of ["de", "EN", "en-GB", "es-419", "fr-CA", "it", "ja", "ko", "zh-Hant", "DE-ch"]) {
    keeps(`"target language must be de, en, es, fr, it, ja, ko, zh or a variant", ${targetLang}`, {
      targetLang,
      customInstructions: ["Be kind."]
    })
  }
  for (const targetLang of ["pl", "PT-br", "nl", "ru"]) {
    breaks(
      `"target language must be de, en, es, fr, it, ja, ko, zh or a variant", ${targetLang}`,
      { targetLang, customInstructions: [secret] },
      ["customInstructions", "targetLang", "de, en, es, fr, it, ja, ko, zh"]
    )
  }
  keeps("an empty list asks for nothing", { targetLang: "pl", customInstructions: [] })
})

describe("latency_optimized", () => {
  const latency = { modelType: "latency_optimized" } as const
  const advice = ["latency_optimized", "modelType", "quality_optimized"]
  breaks('"v2 with latency_optimized returns an error"', { ...latency, tagHandlingVersion: "v2" }, [
    "tagHandlingVersion",
    ...advice
  ])
  breaks(
    '"style_id […] combining with model_type=latency_optimized is rejected"',
    { ...latency, styleId: "s" },
    ["styleId", ...advice]
  )
  breaks(
    '"custom_instructions […] combining with latency_optimized is rejected"',
    { ...latency, customInstructions: [secret] },
    ["customInstructions", ...advice]
  )
  breaks(
    '"translation_memory_id […] latency_optimized is rejected"',
    { ...latency, translationMemoryId: uuid },
    ["translationMemoryId", ...advice]
  )
  keeps("works with tag handling v1", { ...latency, tagHandling: "xml", tagHandlingVersion: "v1" })
  keeps("works with a glossary", { ...latency, sourceLang: "en", glossaryId: "g" })
  for (const modelType of ["quality_optimized", "prefer_quality_optimized", undefined] as const) {
    keeps(`${modelType ?? "no model type"} works with all that latency_optimized refuses`, {
      modelType,
      tagHandling: "html",
      tagHandlingVersion: "v2",
      styleId: "s",
      customInstructions: ["Be kind."],
      translationMemoryId: uuid
    })
  }
})

describe("glossaries", () => {
  breaks('"glossary_id […] requires source_lang"', { glossaryId: "g" }, ["glossaryId", "sourceLang"])
  breaks("glossary_ids require source_lang as well", { glossaryIds: ["g"] }, ["glossaryIds", "sourceLang"])
  keeps('"glossary_ids, array of at most 5", 5', { sourceLang: "en", glossaryIds: ["1", "2", "3", "4", "5"] })
  breaks(
    '"glossary_ids, array of at most 5", 6',
    { sourceLang: "en", glossaryIds: ["1", "2", "3", "4", "5", "6"] },
    ["glossaryIds", "6", "limit is 5"]
  )
  breaks(
    '"glossary_ids […] instead of glossary_id"',
    { sourceLang: "en", glossaryId: "g", glossaryIds: ["h"] },
    ["glossaryIds", "glossaryId"]
  )
  breaks("an empty glossary id", { sourceLang: "en", glossaryId: "" }, ["glossaryId", "empty"])
  breaks("an empty style id", { styleId: "" }, ["styleId", "empty"])
})

describe("translation_memory_threshold", () => {
  for (const threshold of [0, 75, 100]) {
    keeps(`"0 to 100", ${threshold}`, {
      translationMemoryId: uuid,
      translationMemoryThreshold: threshold
    })
  }
  for (const threshold of [-1, 101, 75.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    breaks(`"integer […] 0 to 100", ${threshold}`, { translationMemoryThreshold: threshold }, [
      "translationMemoryThreshold",
      "0",
      "100"
    ])
  }
  breaks('"integer", as a string', { translationMemoryThreshold: "75" }, [
    "translationMemoryThreshold",
    "number"
  ])
  breaks('"translation_memory_id | string (UUID)"', { translationMemoryId: "tm-1" }, [
    "translationMemoryId",
    "UUID"
  ])
})

describe("enumerations", () => {
  const enumerations = {
    modelType: ["latency_optimized", "quality_optimized", "prefer_quality_optimized"],
    splitSentences: ["0", "1", "nonewlines"],
    formality: ["default", "more", "less", "prefer_more", "prefer_less"],
    tagHandling: ["xml", "html"],
    tagHandlingVersion: ["v1", "v2"]
  } as const
  for (const [field, values] of Object.entries(enumerations)) {
    for (const value of values) keeps(`${field} takes "${value}"`, { [field]: value })
    breaks(`${field} takes no other value`, { [field]: secret }, [field, ...values])
  }
  breaks('splitSentences takes "0", not 0', { splitSentences: 0 }, ["splitSentences", '"0"'])
})

describe("null", () => {
  /** Every field that may be left out, with its name on the wire. */
  const optional = {
    context: "context",
    customInstructions: "custom_instructions",
    enableBetaLanguages: "enable_beta_languages",
    formality: "formality",
    glossaryId: "glossary_id",
    glossaryIds: "glossary_ids",
    ignoreTags: "ignore_tags",
    modelType: "model_type",
    nonSplittingTags: "non_splitting_tags",
    outlineDetection: "outline_detection",
    preserveFormatting: "preserve_formatting",
    showBilledCharacters: "show_billed_characters",
    sourceLang: "source_lang",
    splitSentences: "split_sentences",
    splittingTags: "splitting_tags",
    styleId: "style_id",
    tagHandling: "tag_handling",
    tagHandlingVersion: "tag_handling_version",
    translationMemoryId: "translation_memory_id",
    translationMemoryThreshold: "translation_memory_threshold"
  } satisfies Record<
    Exclude<keyof TranslateClient.TranslateOptions, "targetLang" | "extraParameters">,
    string
  >
  const decode = Schema.decodeUnknownEither(Api.Text.TranslateRequest)
  for (const [field, name] of Object.entries(optional)) {
    breaks(`is no ${field}`, { [field]: null }, [field])
    it(`is no ${name} on the wire, nor the same as none`, () => {
      const request = { text: ["a"], target_lang: "de" }
      expect(Either.isRight(decode(request))).toBe(true)
      expect(Either.isLeft(decode({ ...request, [name]: null }))).toBe(true)
    })
  }
})

describe("types", () => {
  for (const field of [
    "preserveFormatting",
    "showBilledCharacters",
    "outlineDetection",
    "enableBetaLanguages"
  ]) {
    breaks(`${field} is a boolean, not "1"`, { [field]: "1" }, [field, "boolean"])
  }
  for (const field of [
    "nonSplittingTags",
    "splittingTags",
    "ignoreTags",
    "glossaryIds",
    "customInstructions"
  ]) {
    breaks(`${field} is an array, not "${"a,b"}"`, { sourceLang: "en", [field]: "a,b" }, [field])
    breaks(`${field} holds strings`, { sourceLang: "en", [field]: ["a", 7] }, [`${field}[1]`, "string"])
  }
  for (const field of ["context", "glossaryId", "styleId", "translationMemoryId", "sourceLang"]) {
    breaks(`${field} is a string`, { sourceLang: "en", [field]: { [secret]: secret } }, [field, "string"])
  }
  breaks("a misspelt option", { formalty: "more" }, ["formalty", "spelling"])
  breaks("an option under its wire name", { source_lang: "en" }, ["source_lang", "spelling"])
})

describe("a request that is none", () => {
  for (const [what, request] of [
    ["a string instead of an array of texts", { text: "Hello", targetLang: "de" }],
    ["texts that are null", { text: null, targetLang: "de" }],
    ["no texts", { targetLang: "de" }],
    ["null", null],
    ["undefined", undefined],
    ["a string", "Hello"],
    ["an array", []]
  ] as const) {
    it.effect(`${what}: refused as InvalidRequest, not with a defect`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(
          Effect.suspend(() => translateAnything(request as unknown as object))
        )
        expect(error._tag).toBe("InvalidRequest")
        expect(yield* requests).toEqual([])
      }).pipe(Effect.provide(served()))
    )
  }
})

describe("extraParameters", () => {
  it.effect("stand beside the others, under their names on the wire", () =>
    Effect.gen(function* () {
      const extraParameters = { some_mode: "fast", weights: [1, { deep: null }], on: true }
      const { body } = yield* sent({ ...ok, formality: "more", extraParameters })
      expect(JSON.parse(String(body))).toEqual({
        text: [secret],
        target_lang: "de",
        formality: "more",
        ...extraParameters
      })
    }).pipe(Effect.provide(served()))
  )

  it.effect("are those of each request, though the one before had others", () =>
    Effect.gen(function* () {
      yield* answer(translations(secret), translations(secret), translations(secret))
      yield* translate({ ...ok, extraParameters: { some_mode: "fast" } })
      yield* translate({ ...ok, extraParameters: { some_mode: "slow" } })
      yield* translate(ok)
      expect((yield* requests).map(({ body }) => JSON.parse(String(body)).some_mode)).toEqual([
        "fast",
        "slow",
        undefined
      ])
    }).pipe(Effect.provide(served()))
  )

  breaks("a parameter with an option of its own", { extraParameters: { target_lang: "fr" } }, [
    "extraParameters names target_lang",
    "use its option"
  ])
  breaks("the texts", { extraParameters: { text: [secret] } }, [
    "extraParameters names text",
    "use its option"
  ])
  breaks("null", { extraParameters: null }, ["extraParameters"])
  breaks("what JSON does not hold", { extraParameters: { some_mode: () => secret } }, [
    "extraParameters.some_mode"
  ])
})

describe("a refusal", () => {
  it.effect("tells all violations at once", () =>
    Effect.gen(function* () {
      const found = yield* refused({
        text: [],
        targetLang: "?",
        formality: "rude",
        translationMemoryThreshold: 200,
        extra: 1
      })
      expect(found.map(({ field }) => field).sort()).toEqual([
        "extra",
        "formality",
        "targetLang",
        "text",
        "translationMemoryThreshold"
      ])
    }).pipe(Effect.provide(served()))
  )

  it.effect("tells all conflicts between options at once", () =>
    Effect.gen(function* () {
      const found = yield* refused({
        ...ok,
        targetLang: "pl",
        sourceLang: "en",
        customInstructions: ["Be kind."],
        glossaryId: "g",
        glossaryIds: ["h"]
      })
      expect(found.map(({ field }) => field)).toEqual(["customInstructions", "glossaryIds"])
    }).pipe(Effect.provide(served()))
  )

  it.effect("tells all conflicts with the model at once", () =>
    Effect.gen(function* () {
      const found = yield* refused({
        ...ok,
        modelType: "latency_optimized",
        styleId: "s",
        tagHandlingVersion: "v2"
      })
      expect(found.map(({ field }) => field)).toEqual(["tagHandlingVersion", "styleId"])
    }).pipe(Effect.provide(served()))
  )

  it.effect("reads as one sentence that names the endpoint, the field, the size, the limit and the fix", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        translate({ text: Array.from({ length: 51 }, () => "a"), targetLang: "de" })
      )
      expect(error.message).toBe(
        "POST /v2/translate was not sent: text holds 51 items; the limit is 50: send several requests, or let TranslateStream pack them"
      )
    }).pipe(Effect.provide(served()))
  )

  it.effect("is not counted as an attempt", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(translate({ text: [], targetLang: "de" }))
      expect(error.attempts).toBe(0)
    }).pipe(Effect.provide(served()))
  )
})

it("the limits of these tests are those of Limits", () => {
  expect(Api.Limits.translateBodyBytes).toBe(131072)
})
