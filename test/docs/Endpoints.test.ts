/** docs/endpoints.md against the specification, the contract, the clients and their tests. */
import { readdirSync, readFileSync } from "node:fs"
import * as HttpApi from "@effect/platform/HttpApi"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Auth, ConcurrencyLimit, Region, TranslateClient } from "effect-translate"
import { AdminClient } from "effect-translate/admin"
import * as Api from "effect-translate/api"
import { Emulator } from "effect-translate/emulator"
import { root } from "../examples/process.js"

/** The rows of the specification's endpoint tables and of the wire facts, by hand. */
const specified = `
  POST /v2/translate
  POST /v2/document
  POST /v2/document/{document_id}
  POST /v2/document/{document_id}/result
  GET /v3/languages
  GET /v3/languages/resources
  GET /v2/languages
  POST /v3/style_rules
  GET /v3/style_rules
  GET /v3/style_rules/{style_id}
  PATCH /v3/style_rules/{style_id}
  PUT /v3/style_rules/{style_id}/configured_rules
  DELETE /v3/style_rules/{style_id}
  POST /v3/style_rules/{style_id}/custom_instructions
  GET /v3/style_rules/{style_id}/custom_instructions/{instruction_id}
  PUT /v3/style_rules/{style_id}/custom_instructions/{instruction_id}
  DELETE /v3/style_rules/{style_id}/custom_instructions/{instruction_id}
  POST /v3/glossaries
  GET /v3/glossaries
  GET /v3/glossaries/{glossary_id}
  GET /v3/glossaries/{glossary_id}/entries
  PUT /v3/glossaries/{glossary_id}/dictionaries
  PATCH /v3/glossaries/{glossary_id}
  DELETE /v3/glossaries/{glossary_id}
  DELETE /v3/glossaries/{glossary_id}/dictionaries
  POST /v2/glossaries
  GET /v2/glossaries
  GET /v2/glossaries/{glossary_id}
  DELETE /v2/glossaries/{glossary_id}
  GET /v2/glossaries/{glossary_id}/entries
  GET /v2/glossary-language-pairs
  POST /v2/write/rephrase
  POST /v2/write/correct
  POST /v2/admin/developer-keys
  GET /v2/admin/developer-keys
  PUT /v2/admin/developer-keys/deactivate
  PUT /v2/admin/developer-keys/label
  PUT /v2/admin/developer-keys/limits
  GET /v2/admin/analytics
  GET /v2/admin/analytics/custom-tags
  GET /v2/usage
  GET /v3/translation_memories
  POST /v3/translation_memories/import
  GET /v3/translation_memories/jobs/{job_id}
  GET /v3/translation_memories/{translation_memory_id}
  DELETE /v3/translation_memories/{translation_memory_id}
  GET /v3/translation_memories/{translation_memory_id}/segments
  POST /v3/translation_memories/{translation_memory_id}/export
  POST /v3/voice/realtime
  GET /v3/voice/realtime`
  .split("\n")
  .map((line) => line.trim())
  .filter((line) => line !== "")

interface Row {
  readonly endpoint: string
  readonly method: string
  readonly path: string
  readonly function: string
}

const rows: ReadonlyArray<Row> = readFileSync(`${root}/docs/endpoints.md`, "utf8")
  .split("\n")
  .flatMap((line) => {
    const match = /^\| `(([A-Z]+) (\/[^`]*))` \| `([^`]+)` \| .* \|$/.exec(line)
    if (match === null) return []
    const [, endpoint, method, path, name] = match
    return [{ endpoint: endpoint!, method: method!, path: path!, function: name! }]
  })

const tests = readdirSync(`${root}/test/client`)
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => readFileSync(`${root}/test/client/${name}`, "utf8"))

const contract: Array<string> = []
HttpApi.reflect(Api.TranslateApi.TranslateApi, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) =>
    contract.push(`${endpoint.method} ${endpoint.path.replace(/:(\w+)/g, "{$1}")}`)
})

const clients = Layer.mergeAll(TranslateClient.layerServices(), AdminClient.layerServices).pipe(
  Layer.provide([
    Region.layer({ url: "http://emulator.localhost" }),
    Auth.layer({ key: Redacted.make(Emulator.defaultKey) }),
    Auth.layerAdmin({ key: Redacted.make("admin-key") }),
    ConcurrencyLimit.layerUnlimited
  ]),
  Layer.provide(Emulator.layerHttpClient())
)

const isCallable = (value: unknown): boolean => typeof value === "function" || Effect.isEffect(value)

describe("docs/endpoints.md", () => {
  it("has every row of the specification, once", () => {
    expect(rows.map(({ endpoint }) => endpoint).sort()).toEqual([...specified].sort())
  })

  it("has a function for every endpoint of the contract, and for no other", () => {
    expect(rows.map(({ endpoint }) => endpoint).sort()).toEqual(contract.sort())
  })

  it("has one function for each endpoint", () => {
    const names = rows.map((row) => row.function)
    expect(new Set(names).size).toBe(names.length)
  })

  it.effect("names functions that the clients have", () =>
    Effect.gen(function* () {
      const roots: { readonly [name: string]: unknown } = {
        client: yield* TranslateClient.TranslateClient,
        admin: yield* AdminClient.AdminClient
      }
      const found = (name: string) =>
        name.split(".").reduce<unknown>((value, key) => (value as { [key: string]: unknown })?.[key], roots)
      expect(rows.filter((row) => !isCallable(found(row.function))).map((row) => row.function)).toEqual([])
    }).pipe(Effect.provide(clients))
  )

  it.each(rows.map((row) => [row.endpoint, row] as const))(
    "%s: a test of the client asks for it",
    (_, row) => {
      const parts = [row.method, ...row.path.split(/\{\w+\}/)]
      expect(tests.some((source) => parts.every((part) => source.includes(part)))).toBe(true)
    }
  )
})
