/** The older glossaries (v2): the wire, the answers, and what is refused before it is sent. */
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { TranslateClient } from "effect-translate"
import { key, once, served } from "../support/client.js"
import * as recording from "../support/recordingServer.js"

type Client = TranslateClient.Service["monolingualGlossaries"]

const call = <A, E>(use: (client: Client) => Effect.Effect<A, E>) =>
  Effect.flatMap(TranslateClient.TranslateClient, (client) => use(client.monolingualGlossaries))

const glossaryId = "def3a26b-3e84-45b3-84ae-0c0aaf3525f7"

const record = {
  glossary_id: glossaryId,
  name: "Catalogue",
  ready: true,
  source_lang: "en",
  target_lang: "de",
  creation_time: "2026-02-03T04:05:06.789Z",
  entry_count: 2
}

const decoded = {
  glossaryId,
  name: "Catalogue",
  ready: true,
  sourceLang: "en",
  targetLang: "de",
  creationTime: DateTime.unsafeMake("2026-02-03T04:05:06.789Z"),
  entryCount: 2
}

const entries = [
  { source: "hello", target: "guten Tag" },
  { source: 'say "x", y', target: "世界" }
]

const tsv = 'hello\tguten Tag\nsay "x", y\t世界'

const request = { name: "Catalogue", sourceLang: "EN", targetLang: "de", entries }

const tsvAnswer = { headers: { "content-type": "text/tab-separated-values" }, body: tsv }

interface WireTest {
  readonly name: string
  readonly use: (client: Client) => Effect.Effect<unknown, unknown>
  readonly answer: recording.Scripted
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

const wireTests: ReadonlyArray<WireTest> = [
  {
    name: "POST /v2/glossaries",
    use: (client) => client.create(request),
    answer: { status: 201, body: record },
    method: "POST",
    path: "/v2/glossaries",
    body: { name: "Catalogue", source_lang: "en", target_lang: "de", entries: tsv, entries_format: "tsv" }
  },
  {
    name: "GET /v2/glossaries",
    use: (client) => client.list,
    answer: { body: { glossaries: [] } },
    method: "GET",
    path: "/v2/glossaries"
  },
  {
    name: "GET /v2/glossaries/{glossary_id}",
    use: (client) => client.get("a/b"),
    answer: { body: record },
    method: "GET",
    path: "/v2/glossaries/a%2Fb"
  },
  {
    name: "DELETE /v2/glossaries/{glossary_id}",
    use: (client) => client.delete(glossaryId),
    answer: { status: 204 },
    method: "DELETE",
    path: `/v2/glossaries/${glossaryId}`
  },
  {
    name: "GET /v2/glossaries/{glossary_id}/entries",
    use: (client) => client.entries(glossaryId),
    answer: tsvAnswer,
    method: "GET",
    path: `/v2/glossaries/${glossaryId}/entries`
  },
  {
    name: "GET /v2/glossary-language-pairs",
    use: (client) => client.languagePairs,
    answer: { body: { supported_languages: [] } },
    method: "GET",
    path: "/v2/glossary-language-pairs"
  }
]

describe("older glossaries on the wire", () => {
  for (const { answer, body, method, name, path, use } of wireTests) {
    it.effect(name, () =>
      Effect.gen(function* () {
        yield* recording.answer(answer)
        yield* call(use)
        const sent = yield* recording.onlyRequest
        expect(sent.method).toBe(method)
        expect(sent.path).toBe(path)
        expect(sent.headers.authorization).toBe(`Service-Auth-Key ${key}`)
        if (body === undefined) expect(sent.text).toBe("")
        else expect(JSON.parse(sent.text)).toEqual(body)
        if (path.endsWith("/entries")) expect(sent.headers.accept).toBe("text/tab-separated-values")
      }).pipe(Effect.provide(served()))
    )
  }
})

describe("the answers about older glossaries", () => {
  it.effect("a created glossary, one glossary, a list and a stream of them", () =>
    Effect.gen(function* () {
      const minimal = { glossary_id: "b", name: "B", source_lang: "PT", target_lang: "ja" }
      const list = { body: { glossaries: [{ ...record, colour: "red" }, minimal] } }
      yield* recording.answer({ status: 201, body: record }, { body: record }, list, list)
      expect(yield* call((client) => client.create(request))).toEqual(decoded)
      expect(yield* call((client) => client.get(glossaryId))).toEqual(decoded)
      const expected = [
        { ...decoded, extra: { colour: "red" } },
        { glossaryId: "b", name: "B", sourceLang: "pt", targetLang: "ja" }
      ]
      expect(yield* call((client) => client.list)).toEqual(expected)
      expect(Chunk.toReadonlyArray(yield* call((client) => Stream.runCollect(client.stream)))).toEqual(
        expected
      )
    }).pipe(Effect.provide(served()))
  )

  it.effect("entries, none of them too", () =>
    Effect.gen(function* () {
      yield* recording.answer(tsvAnswer, { ...tsvAnswer, body: "" })
      expect(yield* call((client) => client.entries(glossaryId))).toEqual(entries)
      expect(yield* call((client) => client.entries(glossaryId))).toEqual([])
    }).pipe(Effect.provide(served()))
  )

  it.effect("language pairs", () =>
    Effect.gen(function* () {
      const pairs = [
        { source_lang: "de", target_lang: "en" },
        { source_lang: "EN", target_lang: "JA", since: 2023 }
      ]
      yield* recording.answer({ body: { supported_languages: pairs } })
      expect(yield* call((client) => client.languagePairs)).toEqual([
        { sourceLang: "de", targetLang: "en" },
        { sourceLang: "en", targetLang: "ja", extra: { since: 2023 } }
      ])
    }).pipe(Effect.provide(served()))
  )

  it.effect('"415 unsupported media type (glossary entries)" is its own error', () =>
    Effect.gen(function* () {
      yield* recording.answer({ status: 415 })
      const error = yield* Effect.flip(call((client) => client.entries(glossaryId)))
      expect(error._tag).toBe("UnsupportedMediaType")
    }).pipe(Effect.provide(served()))
  )
})

describe("older glossaries refused before anything is sent", () => {
  it.effect("names, variants and entries that break a rule, unknown fields, ids that are none", () =>
    Effect.gen(function* () {
      const refused = (change: object) =>
        Effect.map(
          Effect.flip(call((client) => client.create({ ...request, ...change }))),
          (error) => error._tag === "InvalidRequest" && error.violations
        )
      expect(yield* refused({ name: "" })).toEqual([{ field: "name", rule: "is empty: name the glossary" }])
      expect(yield* refused({ name: "ü".repeat(513) })).toEqual([
        { field: "name", rule: "takes 1026 bytes of UTF-8; the limit is 1024: shorten it" }
      ])
      expect(yield* refused({ targetLang: "pt-BR" })).toEqual([
        {
          field: "targetLang",
          rule: 'is pt-BR, but glossaries apply to languages, not variants: use "pt"'
        }
      ])
      expect(yield* refused({ entries: [...entries, entries[0]!, { source: "x", target: "" }] })).toEqual([
        { field: "entries", rule: expect.stringMatching(/^line 3\b.*hello.*1/i) },
        { field: "entries", rule: expect.stringMatching(/^line 4\b.*empty/i) }
      ])
      expect(yield* refused({ dictionaries: [] })).toEqual([
        { field: "dictionaries", rule: "is not known here: check its spelling" }
      ])
      const errors = yield* Effect.all([
        Effect.flip(call((client) => client.get(".."))),
        Effect.flip(call((client) => client.entries("")))
      ])
      expect(errors.map(({ _tag }) => _tag)).toEqual(["InvalidRequest", "InvalidRequest"])
      expect(yield* recording.requests).toEqual([])
    }).pipe(Effect.provide(served()))
  )
})

describe("older glossaries sent again", () => {
  it.effect("never a creation that the service may have carried out", () =>
    Effect.gen(function* () {
      yield* recording.answer({ status: 502 }, { status: 201, body: record })
      const error = yield* Effect.flip(call((client) => client.create(request)))
      expect(error).toMatchObject({ _tag: "ServerError", delivery: "ambiguous", attempts: 1 })
      expect(yield* recording.requests).toHaveLength(1)
    }).pipe(Effect.provide(served()))
  )

  it.effect("456 is no used up quota of translation", () =>
    Effect.gen(function* () {
      yield* recording.answer({ status: 456 }, { status: 456 })
      const errors = yield* Effect.all([
        Effect.flip(once(call((client) => client.create(request)))),
        Effect.flip(once(call((client) => client.languagePairs)))
      ])
      for (const { message } of errors) expect(message).toContain("Too many glossary requests, status 456")
    }).pipe(Effect.provide(served()))
  )
})
