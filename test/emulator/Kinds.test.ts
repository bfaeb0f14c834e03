/** The two kinds of service that an emulator plays. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Emulator } from "effect-translate/emulator"
import { bytes, upload } from "./documents.js"
import { type Sent, send, served, translate } from "./support.js"

const deepl: Emulator.Options = { kind: "deepl" }

/** With the word that the helpers of these tests send. */
const relaxed: Emulator.Options = { ...deepl, scheme: "Service-Auth-Key" }

const hello = { text: ["Hello"], target_lang: "de" }

const authorized: Sent = { headers: { authorization: "DeepL-Auth-Key emulator-key" } }

const get = (path: string, sent?: Sent) => send(undefined, { method: "GET", path, ...sent })

const statusOf = <E, R>(answer: Effect.Effect<{ readonly status: number }, E, R>) =>
  Effect.map(answer, ({ status }) => status)

const marked = { ...hello, text: ["<b>Hello</b>"], tag_handling: "xml" }

describe("an emulator of the specification", () => {
  it.effect("refuses features that the public service has learned since", () =>
    Effect.gen(function* () {
      const { glossary_id } = (yield* send(
        JSON.stringify({
          name: "Terms",
          dictionaries: [{ source_lang: "en", target_lang: "de", entries: "a\tb", entries_format: "tsv" }]
        }),
        { path: "/v3/glossaries" }
      )).json
      for (const answer of [
        translate({ ...hello, glossary_id }),
        upload("a.txt", bytes("Hello"), { glossary_id }),
        upload("a.json", bytes("{}")),
        upload("a.txt", bytes("Hello"), { some_mode: "fast" }),
        get("/v3/languages?resource=translation_memory"),
        send(JSON.stringify({ text: ["a"], target_lang: "en" }), { path: "/v2/write/rephrase" }),
        send(JSON.stringify({ name: "Terms", dictionaries: [] }), { path: "/v3/glossaries" })
      ]) {
        expect(yield* statusOf(answer)).toBe(400)
      }
      expect((yield* translate(marked)).json.translations[0].tag_handling_version).toBeUndefined()
    }).pipe(Effect.provide(served()))
  )
})

describe("an emulator of the public service", () => {
  it.effect("takes its own word before the key, and no other", () =>
    Effect.gen(function* () {
      expect(yield* statusOf(get("/v2/usage", authorized))).toBe(200)
      expect(
        yield* statusOf(get("/v2/usage", { headers: { authorization: "Service-Auth-Key emulator-key" } }))
      ).toBe(403)
    }).pipe(Effect.provide(served(deepl)))
  )

  it.effect("takes all that the specification allows", () =>
    Effect.gen(function* () {
      const { glossary_id } = (yield* send(
        JSON.stringify({
          name: "Terms",
          dictionaries: [
            { source_lang: "en", target_lang: "de", entries: "House\tHaus", entries_format: "tsv" }
          ]
        }),
        { path: "/v3/glossaries" }
      )).json
      const translated = yield* translate({ ...hello, text: ["House"], glossary_id })
      expect(translated.json.translations[0].text).toBe("[de] Haus")
      const fast = { ...hello, model_type: "latency_optimized", tag_handling_version: "v2" }
      for (const answer of [
        translate(fast),
        translate({ ...fast, target_lang: "de-CH" }),
        upload("a.json", bytes('{"a":"Hello"}'), { source_lang: "en" }),
        upload("a.xml", bytes("<a>Hello</a>"), { glossary_id }),
        upload("a.txt", bytes("Hello"), { enable_watermark: "1" }),
        get("/v3/languages?resource=translation_memory")
      ]) {
        expect(yield* statusOf(answer)).toBe(200)
      }
      const empty = send(JSON.stringify({ name: "None", dictionaries: [] }), { path: "/v3/glossaries" })
      expect(yield* statusOf(empty)).toBe(201)
    }).pipe(Effect.provide(served(relaxed)))
  )

  it.effect.each(["en", "pt", "zh-Hant"])("improves texts in %s", (target_lang) =>
    Effect.gen(function* () {
      const { status } = yield* send(JSON.stringify({ text: ["1"], target_lang }), {
        path: "/v2/write/rephrase"
      })
      expect(status).toBe(200)
    }).pipe(Effect.provide(served(relaxed)))
  )

  it.effect("lists styles and tones for the languages of text improvement that have them", () =>
    Effect.gen(function* () {
      const listed: ReadonlyArray<{ readonly lang: string; readonly features: object }> = (yield* get(
        "/v3/languages?resource=write"
      )).json
      const styled = listed.filter(({ features }) => "writing_style" in features).map(({ lang }) => lang)
      expect(styled).toEqual("de en en-GB en-US es fr it pt pt-BR pt-PT".split(" "))
    }).pipe(Effect.provide(served(relaxed)))
  )

  it.effect("bills de-CH, and lists it as stable", () =>
    Effect.gen(function* () {
      const { json } = yield* translate({ ...hello, target_lang: "de-CH", show_billed_characters: true })
      expect(json.translations[0].billed_characters).toBe(5)
      const listed = (yield* get("/v3/languages?resource=translate_text")).json
      expect(listed.find(({ lang }: { readonly lang: string }) => lang === "de-CH").status).toBe("stable")
    }).pipe(Effect.provide(served(relaxed)))
  )

  it.effect("names in its answers the features it has learned", () =>
    Effect.gen(function* () {
      const { json } = yield* translate({ ...marked, tag_handling_version: "v2" })
      expect(json.translations[0].tag_handling_version).toBe("v2")
      expect((yield* get("/v2/usage")).json).toMatchObject({
        speech_to_text_minutes_count: 0,
        speech_to_speech_minutes_count: 0
      })
      const resources = (yield* get("/v3/languages/resources")).json
      expect(resources.map(({ name }: { readonly name: string }) => name)).toContain("translation_memory")
    }).pipe(Effect.provide(served(relaxed)))
  )

  it.effect("refuses documents of types that it does not take, and of too many bytes", () =>
    Effect.gen(function* () {
      expect((yield* upload("a.odt", bytes("Hello"))).json.message).toContain("idml, xml, json, dita, mif")
    }).pipe(Effect.provide(served(relaxed)))
  )
})
