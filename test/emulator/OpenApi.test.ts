/** The OpenAPI document: valid, complete, as the wire has it, and served by the emulator. */
import { readFileSync } from "node:fs"
import * as HttpApi from "@effect/platform/HttpApi"
import { describe, expect, it } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import * as Effect from "effect/Effect"
import * as Api from "effect-translate/api"
import { Fault } from "effect-translate/emulator"
import { root } from "../examples/process.js"
import { hello, meter, overHttp, script, send, served } from "./support.js"

// biome-ignore lint/suspicious/noExplicitAny: a test reads the JSON as it is
const document: any = JSON.parse(JSON.stringify(Api.OpenApiDocument.make()))
const text = JSON.stringify(document)

type Operation = readonly [name: string, operation: typeof document]

const operations: ReadonlyArray<Operation> = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as object).map(
    ([method, operation]): Operation => [`${method.toUpperCase()} ${path}`, operation]
  )
)

const schema = (name: string) => document.components.schemas[name]

describe("the document", () => {
  it("is valid OpenAPI 3.1", async () => {
    const result = await new Validator().validate(structuredClone(document))
    expect(result).toEqual({ valid: true })
    expect(document.openapi).toBe("3.1.0")
  })

  it('is the text of docs/openapi.json ("npm run openapi" writes it)', () => {
    expect(JSON.parse(readFileSync(`${root}/docs/openapi.json`, "utf8"))).toEqual(document)
  })

  it("has every endpoint of the contract, by method and path, and no other", () => {
    const contract: Array<string> = []
    HttpApi.reflect(Api.TranslateApi.TranslateApi, {
      onGroup: () => {},
      onEndpoint: ({ endpoint }) =>
        contract.push(`${endpoint.method} ${endpoint.path.replace(/:(\w+)/g, "{$1}")}`)
    })
    expect(operations.map(([name]) => name).sort()).toEqual(contract.sort())
  })

  it("refers to nothing that it lacks, and holds no component that nothing refers to", () => {
    const referred = new Set(
      Array.from(text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g), ([, name]) => name)
    )
    const held = ["schemas", "responses"].flatMap((kind) =>
      Object.keys(document.components[kind]).map((name) => `${kind}/${name}`)
    )
    expect([...referred].sort()).toEqual(held.sort())
  })

  it("shows nothing of how the contract is held in memory", () => {
    for (const trace of [
      '"_tag"',
      "HttpApiDecodeError",
      "Redacted",
      "to be decoded",
      " instance",
      "$schema"
    ]) {
      expect(text).not.toContain(trace)
    }
  })

  it("has wire names only", () => {
    const names = new Set<string>()
    JSON.stringify(document, (key, value) => {
      if (key === "properties") for (const name of Object.keys(value)) names.add(name)
      if (key === "parameters" && Array.isArray(value)) for (const { name } of value) names.add(name)
      return value
    })
    expect(names).toContain("target_lang")
    expect([...names].filter((name) => /[A-Z]/.test(name))).toEqual([])
    expect(Object.keys(document.paths).filter((path) => /[A-Z:]/.test(path))).toEqual([])
  })

  it.each(operations)("%s declares its path parameters, its key and its errors", (name, operation) => {
    const inPath = Array.from(name.matchAll(/\{(\w+)\}/g), ([, parameter]) => parameter)
    expect(
      operation.parameters
        .filter((parameter: { in: string }) => parameter.in === "path")
        .map((parameter: { name: string; required: boolean }) => [parameter.name, parameter.required])
    ).toEqual(inPath.map((parameter) => [parameter, true]))
    expect(operation.security).toHaveLength(1)
    const [scheme] = Object.keys(operation.security[0])
    expect(document.components.securitySchemes[scheme!]).toMatchObject({
      type: "apiKey",
      in: "header",
      name: expect.stringMatching(/^authorization$/i)
    })
    const statuses = Object.keys(operation.responses)
    expect(statuses.some((status) => status.startsWith("2"))).toBe(true)
    expect(statuses).toEqual(expect.arrayContaining(["400", "403", "404", "429", "456", "503"]))
  })

  it('answers errors with the body `{"message": string, "detail"?: string}`', () => {
    for (const [, { responses }] of operations) {
      for (const [status, response] of Object.entries<{ $ref: string }>(responses)) {
        if (Number(status) < 400) continue
        const { content, headers } = document.components.responses[response.$ref.split("/").at(-1)!]
        expect(content["application/json"].schema).toEqual({ $ref: "#/components/schemas/Error" })
        expect(Object.keys(headers)).toContain("X-Trace-ID")
      }
    }
    expect(schema("Error")).toMatchObject({
      required: ["message"],
      properties: { message: { type: "string" }, detail: { type: "string" } }
    })
    expect(document.components.responses.TooManyRequests.headers).toHaveProperty("Retry-After")
  })

  it.each(operations)("%s has a summary of one line", (_, { summary }) => {
    expect(summary).toMatch(/^[A-Z][^.]+[^.]$/)
  })

  it("says something else of each operation", () => {
    expect(new Set(operations.map(([, { summary }]) => summary)).size).toBe(operations.length)
  })

  it("has 405 everywhere, and 415 where a body or a type of answer is chosen", () => {
    for (const [name, { requestBody, responses }] of operations) {
      expect(responses["405"]).toEqual({ $ref: "#/components/responses/MethodNotAllowed" })
      expect("415" in responses, name).toBe(
        requestBody !== undefined || name === "GET /v2/glossaries/{glossary_id}/entries"
      )
    }
    expect(document.components.responses.MethodNotAllowed.headers).toHaveProperty("Allow")
  })

  it.effect.each([
    [405, { path: "/v2/translate", method: "PUT" }],
    [415, { path: "/v2/translate", headers: { "content-type": "text/plain" } }],
    [403, { path: "/v2/usage", method: "GET", headers: { authorization: "Service-Auth-Key wrong" } }],
    [404, { path: "/v3/glossaries/none", method: "DELETE" }],
    [400, { path: "/v2/translate" }]
  ] as const)(
    "is true of %i: the emulator answers it with the body and the headers it tells",
    ([status, sent]) =>
      Effect.gen(function* () {
        const answer = yield* send("method" in sent && sent.method !== "PUT" ? undefined : "{}", sent)
        expect(answer.status).toBe(status)
        expect(Object.keys(answer.json)).toEqual(["message"])
        expect(answer.headers["content-type"]).toBe("application/json")
        expect(answer.headers["x-trace-id"]).toBeDefined()
      }).pipe(Effect.provide(served()))
  )

  it("names the resource of a creation (201), as it names others", () => {
    const created = operations.flatMap(([name, { responses }]) =>
      "201" in responses ? [[name, responses["201"].content["application/json"].schema]] : []
    )
    expect(Object.fromEntries(created)).toEqual({
      "POST /v2/glossaries": { $ref: "#/components/schemas/MonolingualGlossary" },
      "POST /v2/admin/developer-keys": { $ref: "#/components/schemas/DeveloperKey" },
      "POST /v3/glossaries": { $ref: "#/components/schemas/Glossary" },
      "POST /v3/style_rules": { $ref: "#/components/schemas/StyleRuleList" },
      "POST /v3/style_rules/{style_id}/custom_instructions": {
        anyOf: [
          { $ref: "#/components/schemas/StyleRuleList" },
          { $ref: "#/components/schemas/CustomInstruction" }
        ]
      }
    })
  })

  it("lets one text of write be a string", () => {
    for (const name of ["RephraseRequest", "CorrectRequest"]) {
      expect(schema(name).properties.text.type).toEqual(["array", "string"])
    }
  })

  it("closes requests and leaves answers open", () => {
    expect(schema("TranslateRequest").additionalProperties).toBe(false)
    expect(JSON.stringify([schema("TranslateResult"), schema("Usage")])).not.toContain("additionalProperties")
  })

  it("tells the rules that JSON Schema can tell", () => {
    const { target_lang, text, translation_memory_threshold } = schema("TranslateRequest").properties
    expect(text).toMatchObject({ minItems: 1, maxItems: 50 })
    expect(translation_memory_threshold).toMatchObject({ minimum: 0, maximum: 100 })
    for (const code of ["DE", "en-us", "zh-Hant"]) expect(code).toMatch(new RegExp(target_lang.pattern))
    expect(schema("VoiceSessionOptions").properties.target_languages.maxItems).toBe(5)
    expect(schema("NewStyleRuleList").properties.custom_instructions.maxItems).toBe(200)
    const { custom_instructions, glossary_ids, translation_memory_id } = schema("TranslateRequest").properties
    expect([custom_instructions.maxItems, glossary_ids.maxItems]).toEqual([10, 5])
    expect("A74D88FB-ed2a-4943-a664-a4512398b994").toMatch(new RegExp(translation_memory_id.pattern))
    const page = document.paths["/v3/translation_memories"].get.parameters
    expect(page).toEqual([
      { name: "page", in: "query", required: false, schema: { type: "integer", minimum: 0 } },
      {
        name: "page_size",
        in: "query",
        required: false,
        schema: { type: "integer", minimum: 1, maximum: 25 }
      }
    ])
  })

  it.each([
    ["/v2/translate", "At most 131072 bytes"],
    ["/v2/write/rephrase", "At most 10240 bytes"],
    ["/v2/write/correct", "At most 10240 bytes"]
  ])('%s takes "JSON or URL-encoded form", of a limited size', (path, description) => {
    const body = document.paths[path].post.requestBody
    expect(Object.keys(body.content)).toEqual(["application/json", "application/x-www-form-urlencoded"])
    expect(body.description).toBe(description)
  })

  it('has forms with "1 or 0" for booleans and "comma-separated" tags', () => {
    const form = document.paths["/v2/translate"].post.requestBody.content["application/x-www-form-urlencoded"]
    expect(form.schema.properties.preserve_formatting).toEqual({ type: "integer", enum: [0, 1] })
    expect(form.schema.properties.text.type).toBe("array")
    expect(form.encoding).toEqual({
      non_splitting_tags: { style: "form", explode: false },
      splitting_tags: { style: "form", explode: false },
      ignore_tags: { style: "form", explode: false }
    })
  })

  it("takes a multipart form where a document is uploaded", () => {
    expect(Object.keys(document.paths["/v2/document"].post.requestBody.content)).toEqual([
      "multipart/form-data"
    ])
  })

  it("takes JSON alone everywhere else", () => {
    const others = operations.filter(
      ([name, { requestBody }]) =>
        requestBody !== undefined && !/\/v2\/(translate|write|document)|glossaries/.test(name)
    )
    expect(others.length).toBeGreaterThan(5)
    for (const [, { requestBody }] of others) {
      expect(Object.keys(requestBody.content)).toEqual(["application/json"])
    }
  })

  it('marks the "deprecated" parts: GET /v2/languages, the pairs of glossaries, enable_beta_languages', () => {
    expect(document.paths["/v2/languages"].get.deprecated).toBe(true)
    expect(document.paths["/v3/languages"].get.deprecated).toBeUndefined()
    expect(document.paths["/v2/glossary-language-pairs"].get.deprecated).toBe(true)
    const { enable_beta_languages, formality } = document.components.schemas.TranslateRequest.properties
    expect([enable_beta_languages.deprecated, formality.deprecated]).toEqual([true, undefined])
  })
})

/** Without a key, as a browser asks. */
const browse = (path: string) =>
  send(undefined, { method: "GET", path, headers: { authorization: undefined } })

const hosts = [
  ["over a socket", overHttp()],
  ["in process", served()]
] as const

describe.each(hosts)("the emulator %s", (_, host) => {
  it.effect("serves the document without a key", () =>
    Effect.gen(function* () {
      const answer = yield* browse("/openapi.json")
      expect(answer.status).toBe(200)
      expect(answer.headers["content-type"]).toContain("application/json")
      expect(answer.json).toEqual(document)
    }).pipe(Effect.provide(host))
  )

  it.effect("serves a page of it that needs no other host", () =>
    Effect.gen(function* () {
      const { headers, status, text } = yield* browse("/docs")
      expect(status).toBe(200)
      expect(headers["content-type"]).toContain("text/html")
      const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.keys(methods as object).map((method) => `<code>${method.toUpperCase()} ${path}</code>`)
      )
      expect(operations.filter((operation) => !text.includes(operation))).toEqual([])
      const ids = new Set(Array.from(text.matchAll(/ id="([^"]+)"/g), ([, id]) => id))
      const referred = Array.from(text.matchAll(/ href="#([^"]+)"/g), ([, id]) => id)
      expect(referred).not.toEqual([])
      expect(referred.filter((id) => !ids.has(id))).toEqual([])
      expect(text).not.toMatch(/<(script|link|img|iframe)|@import|url\(|https?:/)
    }).pipe(Effect.provide(host))
  )

  it.effect("keeps both out of faults, the meter and the limit of requests", () =>
    Effect.gen(function* () {
      yield* script(Fault.times(Fault.status(500), 1))
      expect((yield* browse("/openapi.json")).status).toBe(200)
      expect((yield* browse("/docs")).status).toBe(200)
      expect(yield* meter).toMatchObject({ requests: 0, faults: 0, statuses: {}, bytesReceived: 0 })
      expect((yield* hello()).status).toBe(500)
    }).pipe(Effect.provide(host))
  )

  it.effect("knows them by GET alone", () =>
    Effect.gen(function* () {
      expect((yield* send("{}", { path: "/docs" })).status).toBe(404)
    }).pipe(Effect.provide(host))
  )
})
