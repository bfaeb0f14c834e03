/** Style rules: the wire, the answers, and what is refused before it is sent. */
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { TranslateClient } from "effect-translate"
import { key, once, quickly, served, translate } from "../support/client.js"
import * as recording from "../support/recordingServer.js"

type Client = TranslateClient.Service["styleRules"]

/** Typed answers and errors alike: a call as one of `Client`, whatever it answers. */
const call = <A, E>(use: (client: Client) => Effect.Effect<A, E>) =>
  Effect.flatMap(TranslateClient.TranslateClient, (client) => use(client.styleRules))

const styleId = "bd4b2bb2-6b3a-4e5f-9c9e-0a7b3e3f9a01"
const instructionId = "0f9bcd2e-1c9a-4a3d-8a54-6f2f4f0c77d2"

const instruction = {
  id: instructionId,
  label: "Product names",
  prompt: "Leave product names as they are.",
  source_language: "en"
}

const summary = {
  style_id: styleId,
  name: "Catalogue",
  creation_time: "2026-02-03T04:05:06.000Z",
  updated_time: "2026-02-04T04:05:06.000Z",
  language: "de",
  version: 3
}

const rules = {
  dates_and_times: { calendar_era: "use_bc_and_ad" },
  punctuation: { apostrophe: "use_curly_apostrophes" }
}

const list = { ...summary, configured_rules: rules, custom_instructions: [instruction] }

const decodedSummary = {
  styleId,
  name: "Catalogue",
  creationTime: DateTime.unsafeMake("2026-02-03T04:05:06Z"),
  updatedTime: DateTime.unsafeMake("2026-02-04T04:05:06Z"),
  language: "de",
  version: 3
}

const decodedInstruction = {
  id: instructionId,
  label: "Product names",
  prompt: "Leave product names as they are.",
  sourceLanguage: "en"
}

const decoded = { ...decodedSummary, configuredRules: rules, customInstructions: [decodedInstruction] }

interface Operation {
  readonly operation: string
  readonly use: (client: Client) => Effect.Effect<unknown, unknown>
  readonly status: number
  readonly answer?: object
  readonly sent?: object
  readonly received: unknown
}

/** The rows of the specification's table, in its order. */
const operations: ReadonlyArray<Operation> = [
  {
    operation: "POST /v3/style_rules",
    use: (client) =>
      client.create({
        name: "Catalogue",
        language: "de",
        configuredRules: rules,
        customInstructions: [
          { label: "Product names", prompt: "Leave product names as they are.", sourceLanguage: "EN" },
          { label: "Tone", prompt: "Stay dry." }
        ]
      }),
    sent: {
      name: "Catalogue",
      language: "de",
      configured_rules: {
        dates_and_times: { calendar_era: "use_bc_and_ad" },
        punctuation: { apostrophe: "use_curly_apostrophes" }
      },
      custom_instructions: [
        { label: "Product names", prompt: "Leave product names as they are.", source_language: "en" },
        { label: "Tone", prompt: "Stay dry." }
      ]
    },
    status: 201,
    answer: list,
    received: decoded
  },
  {
    operation: "GET /v3/style_rules?detailed=true&page=2&page_size=25",
    use: (client) => client.list({ detailed: true, page: 2, pageSize: 25 }),
    status: 200,
    answer: { style_rules: [list] },
    received: { styleRules: [decoded] }
  },
  {
    operation: `GET /v3/style_rules/${styleId}`,
    use: (client) => client.get(styleId),
    status: 200,
    answer: list,
    received: decoded
  },
  {
    operation: `PATCH /v3/style_rules/${styleId}`,
    use: (client) => client.rename(styleId, "Catalogue"),
    sent: { name: "Catalogue" },
    status: 200,
    answer: list,
    received: decoded
  },
  {
    operation: `PUT /v3/style_rules/${styleId}/configured_rules`,
    use: (client) =>
      client.replaceConfiguredRules(styleId, {
        punctuation: { apostrophe: "use_curly_apostrophes", a_rule_to_come: "an_option_to_come" },
        a_category_to_come: { some_rule: "some_option" }
      }),
    sent: {
      punctuation: { apostrophe: "use_curly_apostrophes", a_rule_to_come: "an_option_to_come" },
      a_category_to_come: { some_rule: "some_option" }
    },
    status: 200,
    answer: list,
    received: decoded
  },
  {
    operation: `DELETE /v3/style_rules/${styleId}`,
    use: (client) => client.delete(styleId),
    status: 204,
    received: undefined
  },
  {
    operation: `POST /v3/style_rules/${styleId}/custom_instructions`,
    use: (client) => client.createInstruction(styleId, { label: "Tone", prompt: "Stay dry." }),
    sent: { label: "Tone", prompt: "Stay dry." },
    status: 201,
    answer: list,
    received: decoded
  },
  {
    operation: `GET /v3/style_rules/${styleId}/custom_instructions/${instructionId}`,
    use: (client) => client.getInstruction(styleId, instructionId),
    status: 200,
    answer: instruction,
    received: decodedInstruction
  },
  {
    operation: `PUT /v3/style_rules/${styleId}/custom_instructions/${instructionId}`,
    use: (client) =>
      client.replaceInstruction(styleId, instructionId, {
        label: "Tone",
        prompt: "Stay dry.",
        sourceLanguage: null
      }),
    sent: { label: "Tone", prompt: "Stay dry.", source_language: null },
    status: 200,
    answer: instruction,
    received: decodedInstruction
  },
  {
    operation: `DELETE /v3/style_rules/${styleId}/custom_instructions/${instructionId}`,
    use: (client) => client.deleteInstruction(styleId, instructionId),
    status: 204,
    received: undefined
  }
]

describe("style rules on the wire", () => {
  for (const { answer, operation, received, sent, status, use } of operations) {
    it.effect(`${operation} is sent as the specification's table says, and answered ${status}`, () =>
      Effect.gen(function* () {
        yield* recording.answer({ status, body: answer })
        expect(yield* call(use)).toEqual(received)
        const request = yield* recording.onlyRequest
        expect(`${request.method} ${request.path}`).toBe(operation)
        expect(request.headers.authorization).toBe(`Service-Auth-Key ${key}`)
        expect(request.text === "" ? undefined : JSON.parse(request.text)).toEqual(sent)
        expect(request.headers["content-type"]).toBe(sent && "application/json")
      }).pipe(Effect.provide(served()))
    )
  }

  it.effect("leaves options that are not set out of the query", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: { style_rules: [] } }, { body: { style_rules: [] } })
      yield* call((client) => client.list())
      yield* call((client) => client.list({ detailed: false }))
      const paths = (yield* recording.requests).map(({ path }) => path)
      expect(paths).toEqual(["/v3/style_rules", "/v3/style_rules?detailed=false"])
    }).pipe(Effect.provide(served()))
  )

  it.effect("takes ids with `/`, `?`, `#`, `%`, spaces and non-ASCII to their own route", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: instruction })
      yield* call((client) => client.getInstruction("a/b?c#d%e", "f ü"))
      expect((yield* recording.onlyRequest).path).toBe(
        "/v3/style_rules/a%2Fb%3Fc%23d%25e/custom_instructions/f%20%C3%BC"
      )
    }).pipe(Effect.provide(served()))
  )

  it.effect("streams the lists of all pages until one is empty, though the service gives 10 a page", () =>
    Effect.gen(function* () {
      const lists = Array.from({ length: 23 }, (_, index) => ({ ...summary, style_id: `list ${index}` }))
      yield* recording.answer(
        ...[lists.slice(0, 10), lists.slice(10, 20), lists.slice(20), []].map((style_rules) => ({
          body: { style_rules }
        }))
      )
      const streamed = yield* Effect.flatMap(TranslateClient.TranslateClient, ({ styleRules }) =>
        Stream.runCollect(styleRules.stream())
      )
      expect(Chunk.toReadonlyArray(streamed).map((item) => item.styleId)).toEqual(
        lists.map((item) => item.style_id)
      )
      expect((yield* recording.requests).map(({ path }) => path)).toEqual(
        [0, 1, 2, 3].map((page) => `/v3/style_rules?page=${page}&page_size=25`)
      )
    }).pipe(Effect.provide(served()))
  )

  it.effect("fails the stream at a page that was read already, where it would never end", () =>
    Effect.gen(function* () {
      const page = { body: { style_rules: [summary] } }
      yield* recording.answer(page, page)
      const { styleRules } = yield* TranslateClient.TranslateClient
      const error = yield* Effect.flip(Stream.runDrain(styleRules.stream()))
      expect(error).toMatchObject({ _tag: "RepeatedPage", path: "/v3/style_rules", page: 1 })
      expect(yield* recording.requests).toHaveLength(2)
    }).pipe(Effect.provide(served()))
  )

  it.effect("refuses options of a page that do not exist", () =>
    Effect.gen(function* () {
      const misspelt = { pagesize: 5 } as object
      const error = yield* Effect.flip(call((client) => client.list(misspelt)))
      expect(error).toMatchObject({
        _tag: "InvalidRequest",
        violations: [{ field: "pagesize", rule: "is not known here: check its spelling" }]
      })
      expect(yield* recording.requests).toEqual([])
    }).pipe(Effect.provide(served()))
  )
})

describe("style rules decoded", () => {
  it.effect(
    '"each list carries only style_id, name, creation_time, updated_time, language, version" in the list of all',
    () =>
      Effect.gen(function* () {
        yield* recording.answer({ body: { style_rules: [summary] } })
        expect(yield* call((client) => client.list())).toEqual({ styleRules: [decodedSummary] })
      }).pipe(Effect.provide(served()))
  )

  it.effect("keeps unknown fields, takes new languages and rules, and does without optional fields", () =>
    Effect.gen(function* () {
      const { source_language, ...bare } = instruction
      yield* recording.answer({
        body: {
          ...summary,
          language: "pt",
          colour: "red",
          configured_rules: { new_category: { new_rule: "new_option" } },
          custom_instructions: [bare, { ...bare, source_language: null, weight: 2 }]
        }
      })
      const { sourceLanguage, ...decodedBare } = decodedInstruction
      expect(yield* call((client) => client.get(styleId))).toEqual({
        ...decodedSummary,
        language: "pt",
        configuredRules: { new_category: { new_rule: "new_option" } },
        customInstructions: [decodedBare, { ...decodedBare, extra: { weight: 2 } }],
        extra: { colour: "red" }
      })
    }).pipe(Effect.provide(served()))
  )

  it.effect("reads a list whose answer leaves its rules and instructions out as one without any", () =>
    Effect.gen(function* () {
      yield* recording.answer({ status: 201, body: summary })
      expect(yield* call((client) => client.create({ name: "Catalogue", language: "de" }))).toEqual({
        ...decodedSummary,
        configuredRules: {},
        customInstructions: []
      })
    }).pipe(Effect.provide(served()))
  )
})

/** 👍 is one character and two UTF-16 units. */
const long = (characters: number) => "👍".repeat(characters)

const drafts = (count: number) =>
  Array.from({ length: count }, () => ({ label: "Tone", prompt: "Stay dry." }))

interface Refusal {
  readonly rule: string
  readonly use: (client: Client) => Effect.Effect<unknown, unknown>
  readonly message: string
}

const refusals: ReadonlyArray<Refusal> = [
  {
    rule: 'POST "name (string, required, max 1024)"',
    use: (client) => client.create({ name: long(1025), language: "de" }),
    message: "POST /v3/style_rules was not sent: name holds 1025 characters; the limit is 1024: shorten it"
  },
  {
    rule: 'PATCH "name (string, max 1024)"',
    use: (client) => client.rename(styleId, long(1025)),
    message:
      "PATCH /v3/style_rules/:style_id was not sent: name holds 1025 characters; the limit is 1024: shorten it"
  },
  {
    rule: '"language (enum de, en, es, fr, it, ja, ko, zh, required)"',
    use: (client) => client.create({ name: "", language: "pt" as "de" }),
    message:
      "POST /v3/style_rules was not sent: language must be de, en, es, fr, it, ja, ko, zh: style rule lists exist for these languages, which cover their variants"
  },
  {
    rule: '"custom_instructions (array of {label, prompt, source_language?}, optional, max 200)"',
    use: (client) => client.create({ name: "", language: "de", customInstructions: drafts(201) }),
    message:
      "POST /v3/style_rules was not sent: customInstructions holds 201 items; the limit is 200: merge or drop some"
  },
  {
    rule: '"Custom instruction label / prompt | 100 / 300 characters" in a new list',
    use: (client) =>
      client.create({
        name: "",
        language: "de",
        customInstructions: [...drafts(1), { label: long(101), prompt: long(301) }]
      }),
    message:
      "POST /v3/style_rules was not sent: customInstructions[1].label holds 101 characters; the limit is 100: shorten it; customInstructions[1].prompt holds 301 characters; the limit is 300: shorten it or split it in two"
  },
  {
    rule: '"label (required, max 100), prompt (required, max 300)" in a new instruction',
    use: (client) => client.createInstruction(styleId, { label: long(101), prompt: long(301) }),
    message:
      "POST /v3/style_rules/:style_id/custom_instructions was not sent: label holds 101 characters; the limit is 100: shorten it; prompt holds 301 characters; the limit is 300: shorten it or split it in two"
  },
  {
    rule: '"label, prompt, source_language; all fields must be provided"',
    use: (client) => client.replaceInstruction(styleId, instructionId, {} as never),
    message:
      "PUT /v3/style_rules/:style_id/custom_instructions/:instruction_id was not sent: label is missing; prompt is missing; sourceLanguage is missing"
  },
  {
    rule: '"source_language | string (language code)"',
    use: (client) =>
      client.createInstruction(styleId, { label: "Tone", prompt: "Stay dry.", sourceLanguage: "English!" }),
    message:
      'POST /v3/style_rules/:style_id/custom_instructions was not sent: sourceLanguage is no language code: write the source language as BCP 47, such as "en"'
  },
  {
    rule: '"Each category is an object mapping a rule name to the selected option string"',
    use: (client) =>
      client.replaceConfiguredRules(styleId, { vocabulary: "none", numbers: { digits: 3 } } as never),
    message:
      "PUT /v3/style_rules/:style_id/configured_rules was not sent: vocabulary must be an object of rules and their options; numbers.digits must be the name of an option"
  },
  {
    rule: '"page_size (integer, default 10, min 1, max 25)", too small',
    use: (client) => client.list({ pageSize: 0 }),
    message: "GET /v3/style_rules was not sent: pageSize is 0; it must be a whole number from 1 to 25"
  },
  {
    rule: '"page_size (integer, default 10, min 1, max 25)", too large',
    use: (client) => client.list({ pageSize: 26 }),
    message: "GET /v3/style_rules was not sent: pageSize is 26; it must be a whole number from 1 to 25"
  },
  {
    rule: "an unknown field",
    use: (client) => client.create({ name: "", language: "de", rules: {} } as never),
    message: "POST /v3/style_rules was not sent: rules is not known here: check its spelling"
  },
  {
    rule: "an id of two dots",
    use: (client) => client.get(".."),
    message:
      'GET /v3/style_rules/:style_id was not sent: styleId is "..", which is no id: give the id as the service made it'
  },
  {
    rule: "an empty id",
    use: (client) => client.deleteInstruction(styleId, ""),
    message:
      "DELETE /v3/style_rules/:style_id/custom_instructions/:instruction_id was not sent: instructionId is empty: give the id"
  }
]

describe("style rules refused before anything is sent", () => {
  for (const { message, rule, use } of refusals) {
    it.effect(rule, () =>
      Effect.gen(function* () {
        expect(yield* Effect.flip(call(use))).toMatchObject({ _tag: "InvalidRequest", message })
        expect(yield* recording.requests).toEqual([])
      }).pipe(Effect.provide(served()))
    )
  }

  it.effect("takes names, labels, prompts and numbers of instructions up to the limit", () =>
    Effect.gen(function* () {
      yield* recording.answer({ status: 201, body: list })
      yield* call((client) =>
        client.create({
          name: long(1024),
          language: "DE" as "de",
          customInstructions: [...drafts(199), { label: long(100), prompt: long(300) }]
        })
      )
      const sent = JSON.parse((yield* recording.onlyRequest).text)
      expect([...sent.name]).toHaveLength(1024)
      expect(sent.language).toBe("de")
      expect(sent.custom_instructions).toHaveLength(200)
      expect(sent.custom_instructions[199]).toEqual({ label: long(100), prompt: long(300) })
    }).pipe(Effect.provide(served()))
  )
})

describe('"Available only to paid-tier subscribers"', () => {
  for (const { operation, use } of operations) {
    it.effect(`${operation.replace(/\?.*/, "")} is refused in a region of the free tier`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(call(use))
        expect(error).toMatchObject({ _tag: "InvalidRequest", delivery: "not-sent", attempts: 0 })
        expect(String(error)).toContain(
          "was not sent: style rules are for the paid tier only, and this region is of the free tier: take the base address and a key of the paid tier"
        )
        expect(yield* recording.requests).toEqual([])
      }).pipe(Effect.provide(served({ tier: "free" })))
    )
  }

  it.effect("a translation with a style rule list is refused there, one without is sent", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(translate({ text: ["Hello"], targetLang: "de", styleId }))
      expect(error._tag).toBe("InvalidRequest")
      expect(error.message).toBe(
        "POST /v2/translate was not sent: styleId is for the paid tier only, and this region is of the free tier: leave it out, or take the base address and a key of the paid tier"
      )
      yield* recording.answer({ body: { translations: [{ text: "Hallo" }] } })
      yield* translate({ text: ["Hello"], targetLang: "de" })
      expect(JSON.parse((yield* recording.onlyRequest).text)).toEqual({ text: ["Hello"], target_lang: "de" })
    }).pipe(Effect.provide(served({ tier: "free" })))
  )

  it.effect("is left to the service where the tier is paid or unknown", () =>
    Effect.gen(function* () {
      yield* recording.answer({ status: 403, body: { message: "Upgrade your plan" } })
      const error = yield* Effect.flip(call((client) => client.get(styleId)))
      expect(error).toMatchObject({ _tag: "Unauthorized", status: 403, serviceMessage: "Upgrade your plan" })
    }).pipe(Effect.provide(served({ tier: "paid" })), once)
  )
})

describe("style rules sent again", () => {
  it.live("creates nothing twice: an attempt of unknown fate is not repeated", () =>
    Effect.gen(function* () {
      for (const use of [
        (client: Client) => client.create({ name: "Catalogue", language: "de" }),
        (client: Client) => client.createInstruction(styleId, { label: "Tone", prompt: "Stay dry." })
      ]) {
        yield* recording.answer({ cut: "before" })
        expect(yield* Effect.flip(call(use))).toMatchObject({ delivery: "ambiguous", attempts: 1 })
      }
      expect(yield* recording.requests).toHaveLength(2)
    }).pipe(Effect.provide(served()))
  )

  it.live("repeats a replacement and a deletion; gone after an attempt of unknown fate is deleted", () =>
    Effect.gen(function* () {
      yield* recording.answer({ cut: "before" }, { body: list })
      expect(yield* call((client) => client.replaceConfiguredRules(styleId, rules))).toEqual(decoded)
      yield* recording.answer({ cut: "before" }, { status: 404, body: {} })
      yield* call((client) => client.delete(styleId))
      yield* recording.answer({ status: 404, body: {} })
      const error = yield* Effect.flip(call((client) => client.deleteInstruction(styleId, instructionId)))
      expect(error._tag).toBe("NotFound")
    }).pipe(quickly, Effect.provide(served()))
  )
})

describe("errors of style rules", () => {
  const prompt = "Call our director Ms Tiefenbrunner by her title."
  const answer = { status: 400, body: { message: `Refused: ${prompt}` } }

  it.effect("never hold the prompt of an instruction, whatever the service says", () =>
    Effect.gen(function* () {
      const uses: ReadonlyArray<Operation["use"]> = [
        (client) => client.createInstruction(styleId, { label: "Title", prompt }),
        (client) =>
          client.replaceInstruction(styleId, instructionId, { label: "Title", prompt, sourceLanguage: null }),
        (client) =>
          client.create({ name: "A", language: "de", customInstructions: [{ label: "Title", prompt }] })
      ]
      for (const use of uses) {
        yield* recording.answer(answer)
        const error = yield* Effect.flip(call(use))
        expect(error).toHaveProperty("_tag", "BadRequest")
        expect(JSON.stringify(error) + String(error)).not.toContain("Tiefenbrunner")
      }
    }).pipe(Effect.provide(served()), once)
  )
})
