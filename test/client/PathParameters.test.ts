/** Ids in paths, of every endpoint that has one: whatever they hold, they reach their own route, or are not sent. */
import * as HttpApi from "@effect/platform/HttpApi"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { TranslateClient } from "effect-translate"
import * as Api from "effect-translate/api"
import { Emulator } from "effect-translate/emulator"
import { once, served } from "../support/client.js"
import { clientOf } from "../support/emulator.js"
import { isCampaign } from "../support/long.js"
import * as recording from "../support/recordingServer.js"

type Call = (client: TranslateClient.Service, id: string, other: string) => Effect.Effect<unknown, unknown>

const pair = { sourceLang: "en", targetLang: "de" }
const dictionary = { ...pair, entries: [{ source: "House", target: "Haus" }] }
const instruction = { label: "Tone", prompt: "Stay dry." }
const access = (documentId: string) => ({ documentId, documentKey: Redacted.make("key") })

/** By the contract's path; `id` is the first parameter, `other` the second. */
const calls: { readonly [endpoint: string]: Call } = {
  "GET /v3/glossaries/:glossary_id": ({ glossaries }, id) => glossaries.get(id),
  "GET /v3/glossaries/:glossary_id/entries": ({ glossaries }, id) => glossaries.entries(id, pair),
  "PUT /v3/glossaries/:glossary_id/dictionaries": ({ glossaries }, id) =>
    glossaries.replaceDictionary(id, dictionary),
  "PATCH /v3/glossaries/:glossary_id": ({ glossaries }, id) => glossaries.update(id, { name: "Renamed" }),
  "DELETE /v3/glossaries/:glossary_id": ({ glossaries }, id) => glossaries.delete(id),
  "DELETE /v3/glossaries/:glossary_id/dictionaries": ({ glossaries }, id) =>
    glossaries.deleteDictionary(id, pair),
  "GET /v2/glossaries/:glossary_id": ({ monolingualGlossaries }, id) => monolingualGlossaries.get(id),
  "DELETE /v2/glossaries/:glossary_id": ({ monolingualGlossaries }, id) => monolingualGlossaries.delete(id),
  "GET /v2/glossaries/:glossary_id/entries": ({ monolingualGlossaries }, id) =>
    monolingualGlossaries.entries(id),
  "GET /v3/style_rules/:style_id": ({ styleRules }, id) => styleRules.get(id),
  "PATCH /v3/style_rules/:style_id": ({ styleRules }, id) => styleRules.rename(id, "Renamed"),
  "PUT /v3/style_rules/:style_id/configured_rules": ({ styleRules }, id) =>
    styleRules.replaceConfiguredRules(id, {}),
  "DELETE /v3/style_rules/:style_id": ({ styleRules }, id) => styleRules.delete(id),
  "POST /v3/style_rules/:style_id/custom_instructions": ({ styleRules }, id) =>
    styleRules.createInstruction(id, instruction),
  "GET /v3/style_rules/:style_id/custom_instructions/:instruction_id": ({ styleRules }, ...ids) =>
    styleRules.getInstruction(...ids),
  "PUT /v3/style_rules/:style_id/custom_instructions/:instruction_id": ({ styleRules }, ...ids) =>
    styleRules.replaceInstruction(...ids, { ...instruction, sourceLanguage: null }),
  "DELETE /v3/style_rules/:style_id/custom_instructions/:instruction_id": ({ styleRules }, ...ids) =>
    styleRules.deleteInstruction(...ids),
  "GET /v3/translation_memories/:translation_memory_id": ({ translationMemories }, id) =>
    translationMemories.get(id),
  "DELETE /v3/translation_memories/:translation_memory_id": ({ translationMemories }, id) =>
    translationMemories.delete(id),
  "GET /v3/translation_memories/:translation_memory_id/segments": ({ translationMemories }, id) =>
    translationMemories.segments(id),
  "POST /v3/translation_memories/:translation_memory_id/export": ({ translationMemories }, id) =>
    translationMemories.startExport(id),
  "GET /v3/translation_memories/jobs/:job_id": ({ translationMemories }, id) => translationMemories.job(id),
  "POST /v2/document/:document_id": ({ documents }, id) => documents.status(access(id)),
  "POST /v2/document/:document_id/result": ({ documents }, id) =>
    Stream.runDrain(documents.download(access(id)))
}

const call = (endpoint: string, id: string, other = id) =>
  Effect.flatMap(TranslateClient.TranslateClient, (client) => once(calls[endpoint]!(client, id, other)))

/** As they stand in the path, escaped by hand. */
const ids = [
  ["a/b", "a%2Fb"],
  ["a?b=c", "a%3Fb%3Dc"],
  ["a#b", "a%23b"],
  ["100%", "100%25"],
  ["%2F", "%252F"],
  ["%2e%2e", "%252e%252e"],
  ["a b", "a%20b"],
  ["größe 世界 😀", "gr%C3%B6%C3%9Fe%20%E4%B8%96%E7%95%8C%20%F0%9F%98%80"],
  ["../translate", "..%2Ftranslate"],
  ["...", "..."],
  [":style_id", "%3Astyle_id"]
] as const

describe("ids in the path", () => {
  it("are those of every endpoint that has one", () => {
    const withParameters: Array<string> = []
    HttpApi.reflect(Api.TranslateApi.TranslateApi, {
      onGroup: () => {},
      onEndpoint: ({ endpoint: { method, path } }) => {
        if (path.includes(":")) withParameters.push(`${method} ${path}`)
      }
    })
    expect(Object.keys(calls).sort()).toEqual(withParameters.sort())
  })

  for (const endpoint of Object.keys(calls)) {
    it.effect(`of ${endpoint} reach their own route, whatever they hold`, () =>
      Effect.gen(function* () {
        for (const [id] of ids) yield* Effect.ignore(call(endpoint, id))
        const sent = (yield* recording.requests).map(({ method, path }) => `${method} ${path.split("?")[0]}`)
        expect(sent).toEqual(ids.map(([, escaped]) => endpoint.replace(/:\w+/g, escaped)))
      }).pipe(Effect.provide(served()))
    )

    it.effect(`of ${endpoint} that are ".", ".." or empty are refused before anything is sent`, () =>
      Effect.gen(function* () {
        const tags: Array<unknown> = []
        for (const id of ["", ".", "..", "\ud800"]) {
          tags.push(yield* Effect.flip(call(endpoint, id, "fine")))
          if (/:.*:/.test(endpoint)) tags.push(yield* Effect.flip(call(endpoint, "fine", id)))
        }
        for (const error of tags) expect(error).toMatchObject({ _tag: "InvalidRequest" })
        expect(yield* recording.requests).toEqual([])
      }).pipe(Effect.provide(served()))
    )
  }

  it.effect("are unknown to the emulator's own endpoint, not to its router", () =>
    Effect.gen(function* () {
      for (const [place, endpoint] of Object.keys(calls).entries()) {
        for (const [id] of isCampaign ? ids : [ids[place % ids.length]!]) {
          const error = yield* Effect.flip(call(endpoint, id))
          expect([endpoint, id, error]).toMatchObject([endpoint, id, { _tag: "NotFound" }])
          expect(String(error)).not.toContain("There is no such endpoint")
        }
      }
    }).pipe(Effect.provide(clientOf()), Effect.provide(Emulator.layerHttpClient()))
  )
})
