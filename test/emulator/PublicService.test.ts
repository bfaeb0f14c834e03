/** What the emulator does as the public service of this shape does it: forms, refusals of the unknown, accounts. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Emulator } from "effect-translate/emulator"
import { bytes, download, status, text, upload } from "./documents.js"
import { hello, type Sent, send, served, translate, usage, withKey } from "./support.js"

const form = (fields: ReadonlyArray<readonly [string, string]>, sent: Sent) =>
  send(new URLSearchParams(fields.map(([name, value]) => [name, value])).toString(), {
    ...sent,
    headers: { "content-type": "application/x-www-form-urlencoded" }
  })

const get = (path: string, sent?: Sent) => send(undefined, { method: "GET", path, ...sent })

const dictionary = (index: number, source: string, target: string, entries: string, format = "tsv") =>
  [
    [`dictionaries[${index}].source_lang`, source],
    [`dictionaries[${index}].target_lang`, target],
    [`dictionaries[${index}].entries`, entries],
    [`dictionaries[${index}].entries_format`, format]
  ] as const

describe("a form", () => {
  it.effect("asks for the status and the download of a document", () =>
    Effect.gen(function* () {
      const { json } = yield* upload("a.txt", bytes("Hello"))
      const key = [["document_key", json.document_key]] as const
      const path = `/v2/document/${json.document_id}`
      expect((yield* form(key, { path })).json.status).toBe("done")
      expect((yield* form(key, { path: `${path}/result` })).text).toBe("[de] Héllö")
    }).pipe(Effect.provide(served()))
  )

  it.effect("creates, replaces and merges dictionaries", () =>
    Effect.gen(function* () {
      const created = yield* form(
        [["name", "Terms"], ...dictionary(0, "en", "de", "a\tb"), ...dictionary(1, "en", "fr", "c,d", "csv")],
        { path: "/v3/glossaries" }
      )
      expect(created.status).toBe(201)
      expect(created.json.dictionaries).toEqual([
        { source_lang: "en", target_lang: "de", entry_count: 1 },
        { source_lang: "en", target_lang: "fr", entry_count: 1 }
      ])
      const path = `/v3/glossaries/${created.json.glossary_id}`
      const put = yield* form(
        [
          ["source_lang", "en"],
          ["target_lang", "de"],
          ["entries", "a\tb\nc\td"],
          ["entries_format", "tsv"]
        ],
        { path: `${path}/dictionaries`, method: "PUT" }
      )
      expect(put.json).toEqual({ source_lang: "en", target_lang: "de", entry_count: 2 })
      const patched = yield* form([["name", "New"], ...dictionary(0, "en", "de", "e\tf")], {
        path,
        method: "PATCH"
      })
      expect(patched.json).toMatchObject({ name: "New", dictionaries: [{ entry_count: 3 }, {}] })
    }).pipe(Effect.provide(served()))
  )

  it.effect("creates a glossary of version 2", () =>
    Effect.gen(function* () {
      const { json, status } = yield* form(
        [
          ["name", "Terms"],
          ["source_lang", "en"],
          ["target_lang", "de"],
          ["entries", "a\tb"],
          ["entries_format", "tsv"]
        ],
        { path: "/v2/glossaries" }
      )
      expect({ status, count: json.entry_count }).toEqual({ status: 201, count: 1 })
    }).pipe(Effect.provide(served()))
  )

  const two = Effect.gen(function* () {
    const created = yield* Effect.forEach(["House\tHaus", "mug\tBecher"], (entries) =>
      form([["name", "Terms"], ...dictionary(0, "en", "de", entries)], { path: "/v3/glossaries" })
    )
    return created.map(({ json }) => json.glossary_id as string)
  })

  it.effect("gives glossary_ids repeated or separated by commas", () =>
    Effect.gen(function* () {
      const ids = yield* two
      const rest = [
        ["text", "House mug"],
        ["source_lang", "en"],
        ["target_lang", "de"]
      ] as const
      for (const given of [
        ids.map((id) => ["glossary_ids", id] as const),
        [["glossary_ids", ids.join(",")] as const]
      ]) {
        const { json } = yield* form([...rest, ...given], { path: "/v2/translate" })
        expect(json.translations[0].text).toBe("[de] Haus Becher")
      }
      for (const glossary_ids of [ids, ids.join(",")]) {
        const { json } = yield* upload("a.txt", bytes("House mug"), { source_lang: "en", glossary_ids })
        expect(text((yield* download(json)).bytes)).toBe("[de] Haus Becher")
      }
    }).pipe(Effect.provide(served()))
  )
})

const memory = {
  translationMemoryId: "0a1b2c3d-0000-4000-8000-000000000001",
  name: "Catalogue",
  targetLanguages: ["de"]
}

const unknownMemory = "0a1b2c3d-0000-4000-8000-00000000000f"

const glossaryTo = (target_lang: string, source_lang = "en") => ({
  name: "Terms",
  dictionaries: [{ source_lang, target_lang, entries: "a\tb", entries_format: "tsv" }]
})

const unknown: ReadonlyArray<
  readonly [what: string, path: string, body: object, status: number, message: string]
> = [
  ["a target", "/v2/translate", { text: ["a"], target_lang: "xx" }, 400, "target_lang xx is not supported"],
  [
    "a variant",
    "/v2/translate",
    { text: ["a"], target_lang: "de-AT" },
    400,
    "target_lang de-AT is not supported"
  ],
  [
    "a source",
    "/v2/translate",
    { text: ["a"], source_lang: "xx", target_lang: "de" },
    400,
    "source_lang xx is not supported"
  ],
  [
    "what is a source only as a target",
    "/v2/translate",
    { text: ["a"], target_lang: "vi" },
    400,
    "target_lang vi is not supported"
  ],
  [
    "a translation memory",
    "/v2/translate",
    { text: ["a"], target_lang: "de", translation_memory_id: unknownMemory },
    404,
    "There is no translation memory of this translation_memory_id"
  ],
  [
    "a writing style",
    "/v2/write/rephrase",
    { text: ["a"], target_lang: "de", writing_style: "rude" },
    400,
    'writing_style "rude" is not known'
  ],
  [
    "a preferred tone",
    "/v2/write/rephrase",
    { text: ["a"], tone: "prefer_rude" },
    400,
    'tone "prefer_rude" is not known'
  ],
  [
    "a language to write in",
    "/v2/write/correct",
    { text: ["a"], target_lang: "xx" },
    400,
    "target_lang xx is not supported"
  ],
  ["a glossary's target", "/v3/glossaries", glossaryTo("xx"), 400, "target_lang xx is not supported"],
  ["a glossary's source", "/v3/glossaries", glossaryTo("de", "xx"), 400, "source_lang xx is not supported"],
  [
    "a voice target",
    "/v3/voice/realtime",
    { source_media_content_type: "audio/ogg", target_languages: ["de", "xx"] },
    400,
    "target_languages xx is not supported"
  ]
]

describe("unknown parameters", () => {
  it.effect.each(unknown)("%s is refused", ([, path, body, status, message]) =>
    Effect.gen(function* () {
      const answer = yield* send(JSON.stringify(body), { path })
      expect(answer.status).toBe(status)
      expect(answer.json.message.startsWith(message)).toBe(true)
      expect((yield* usage()).json.character_count).toBe(0)
    }).pipe(Effect.provide(served({ translationMemories: [memory] })))
  )

  it.effect.each(unknown)("%s is taken where the emulator is told so", ([, path, body]) =>
    Effect.gen(function* () {
      const answer = yield* send(JSON.stringify(body), { path })
      expect([200, 201]).toContain(answer.status)
    }).pipe(Effect.provide(served({ allowUnknown: true })))
  )

  it.effect("names parameters that it does not know, and whatever is not to be combined", () =>
    Effect.gen(function* () {
      const body = { text: ["a"], target_lang: "de", model_type: "latency_optimized", style_id: "s" }
      const { json, status } = yield* translate({ ...body, some_mode: "fast" })
      expect(status).toBe(400)
      expect(json.message).toMatch(
        /^some_mode is not known here: check its spelling; style_id can't be combined/
      )
    }).pipe(Effect.provide(served()))
  )

  it.effect("takes them where it is told so", () =>
    Effect.gen(function* () {
      const body = { text: ["a"], target_lang: "de", model_type: "latency_optimized" }
      const { status } = yield* translate({ ...body, tag_handling_version: "v2", some_mode: "fast" })
      expect(status).toBe(200)
    }).pipe(Effect.provide(served({ allowUnknown: true })))
  )

  it.effect(
    "leaves values that it knows: listed codes in any casing, their bases, known memories and styles",
    () =>
      Effect.gen(function* () {
        for (const target_lang of ["DE", "de-ch", "zh-HANT", "es-419", "en", "pt"]) {
          expect((yield* translate({ text: ["a"], target_lang })).status).toBe(200)
        }
        for (const source_lang of ["EN", "he", "zh"]) {
          expect((yield* translate({ text: ["a"], source_lang, target_lang: "de" })).status).toBe(200)
        }
        const translation_memory_id = memory.translationMemoryId
        expect((yield* translate({ text: ["a"], target_lang: "de", translation_memory_id })).status).toBe(200)
        for (const writing_style of ["default", "academic", "prefer_casual"]) {
          const { status } = yield* send(
            JSON.stringify({ text: ["a"], writing_style, target_lang: "en-GB" }),
            {
              path: "/v2/write/rephrase"
            }
          )
          expect(status).toBe(200)
        }
      }).pipe(Effect.provide(served({ translationMemories: [memory] })))
  )

  it.effect("of a document is refused before it is accepted", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach(
        [
          { target_lang: "xx" },
          { target_lang: "de-CH" },
          { target_lang: "vi" },
          { target_lang: "de", source_lang: "xx" },
          { target_lang: "de", translation_memory_id: unknownMemory }
        ],
        (fields) => upload("a.txt", bytes("Hello"), fields)
      )
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 404])
      expect(answers[1]!.json.message).toMatch(/^target_lang de-CH is not supported for documents/)
      expect((yield* usage()).json.character_count).toBe(0)
    }).pipe(Effect.provide(served()))
  )

  it.effect("of a document is taken where the emulator is told so", () =>
    Effect.gen(function* () {
      const { json } = yield* upload("a.txt", bytes("Hello"), { target_lang: "de-CH" })
      expect((yield* status(json)).json.status).toBe("done")
    }).pipe(Effect.provide(served({ allowUnknown: true })))
  )
})

const shared: Emulator.Options = {
  keys: [
    { key: "a", account: "one" },
    { key: "b", account: "one" },
    { key: "c", account: "two" }
  ]
}

describe("an account", () => {
  it.effect("has its glossaries with every key, and no other account has them", () =>
    Effect.gen(function* () {
      const created = yield* send(JSON.stringify(glossaryTo("de")), {
        path: "/v3/glossaries",
        ...withKey("a")
      })
      const path = `/v3/glossaries/${created.json.glossary_id}`
      const answers = yield* Effect.forEach(["a", "b", "c"], (key) => get(path, withKey(key)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 404])
    }).pipe(Effect.provide(served(shared)))
  )

  it.effect("without limits leaves them out of its usage", () =>
    Effect.gen(function* () {
      const { json } = yield* usage()
      expect(Object.keys(json).filter((name) => name.endsWith("_limit"))).toEqual([])
    }).pipe(Effect.provide(served()))
  )
})

describe("a variant of the text's own language", () => {
  it.effect("leaves the text unchanged without a source language too, and bills it", () =>
    Effect.gen(function* () {
      const { json } = yield* translate({ text: ["Hello", "Привет"], target_lang: "en-GB" })
      expect(json.translations.map(({ text }: { text: string }) => text)).toEqual(["Hello", "[en-GB] Привет"])
      const { json: handle } = yield* upload("a.txt", bytes("Hello\n世界\n"), { target_lang: "en-US" })
      expect(text((yield* download(handle)).bytes)).toBe("Hello\n[en-US] 世界\n")
      expect((yield* usage()).json.character_count).toBe(5 + 6 + 5 + 2)
    }).pipe(Effect.provide(served()))
  )
})

describe("text improvement", () => {
  it.effect("takes one text as a string", () =>
    Effect.gen(function* () {
      for (const verb of ["rephrase", "correct"]) {
        const { json, status } = yield* send('{"text":"Hello"}', { path: `/v2/write/${verb}` })
        expect({ status, count: json.improvements?.length }).toEqual({ status: 200, count: 1 })
      }
      expect((yield* send('{"text":"Hello","target_lang":"de"}')).status).toBe(400)
    }).pipe(Effect.provide(served()))
  )
})

describe("messages", () => {
  it.effect.each([
    [
      "/v2/translate",
      { text: ["a"], target_lang: "de", model_type: "latency_optimized", tag_handling_version: "v2" },
      /^tag_handling_version "v2" can't be combined with model_type "latency_optimized": drop model_type/
    ],
    ["/v2/translate", { text: ["a"], target_lang: "de", glossary_id: "x" }, /^glossary_id needs source_lang/],
    [
      "/v2/write/rephrase",
      { text: ["a"], tone: "friendly", writing_style: "simple" },
      /^tone can't be combined with writing_style/
    ],
    ["/v3/glossaries", glossaryTo("de-AT"), /^dictionaries\[0\]\.target_lang is de-AT/]
  ] as const)("of %s use the names of the wire", ([path, body, message]) =>
    Effect.gen(function* () {
      const { json, status } = yield* send(JSON.stringify(body), { path })
      expect(status).toBe(400)
      expect(json.message).toMatch(message)
      expect(json.message).not.toMatch(/[a-z][A-Z]/)
    }).pipe(Effect.provide(served()))
  )

  it.effect("leave the words of others as they are", () =>
    Effect.gen(function* () {
      expect((yield* hello({ path: "/v2/targetLang" })).status).toBe(404)
      const { json } = yield* translate({ text: ["a"], target_lang: "de", targetLang: "de" })
      expect(json.message).toBe("targetLang is not known here: check its spelling")
    }).pipe(Effect.provide(served()))
  )
})
