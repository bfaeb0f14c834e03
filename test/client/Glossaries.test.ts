/** Glossaries: the wire, the answers, what is refused before it is sent, and what is sent again. */
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { RetryPolicy, TranslateClient } from "effect-translate"
import { key, once, served, translate } from "../support/client.js"
import * as recording from "../support/recordingServer.js"
import { count, type Step, scripted } from "../support/scriptedClient.js"

type Client = TranslateClient.Service["glossaries"]

const call = <A, E>(use: (client: Client) => Effect.Effect<A, E>) =>
  Effect.flatMap(TranslateClient.TranslateClient, (client) => use(client.glossaries))

/** What the types refuse, callers of plain JavaScript still send. */
const untyped = (value: unknown) => value as never

const glossaryId = "def3a26b-3e84-45b3-84ae-0c0aaf3525f7"

const wire = {
  glossary_id: glossaryId,
  name: "Catalogue",
  dictionaries: [
    { source_lang: "en", target_lang: "de", entry_count: 2 },
    { source_lang: "de", target_lang: "en", entry_count: 1 }
  ],
  creation_time: "2026-02-03T04:05:06.789Z"
}

const decoded = {
  glossaryId,
  name: "Catalogue",
  dictionaries: [
    { sourceLang: "en", targetLang: "de", entryCount: 2 },
    { sourceLang: "de", targetLang: "en", entryCount: 1 }
  ],
  creationTime: DateTime.unsafeMake("2026-02-03T04:05:06.789Z")
}

const pair = { sourceLang: "en", targetLang: "de" }

const dictionary = {
  ...pair,
  entries: [
    { source: "hello", target: "guten Tag" },
    { source: 'say "x", y', target: "{name} & 世界" }
  ]
}

const tsv = 'hello\tguten Tag\nsay "x", y\t{name} & 世界'

const dictionaryOnTheWire = { source_lang: "en", target_lang: "de", entries: tsv, entries_format: "tsv" }

const request = { name: "Catalogue", dictionaries: [dictionary] }

interface Expected {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

interface WireTest {
  readonly name: string
  readonly use: (client: Client) => Effect.Effect<unknown, unknown>
  readonly answer: recording.Scripted
  readonly expected: Expected
}

const wireTests: ReadonlyArray<WireTest> = [
  {
    name: "POST /v3/glossaries",
    use: (client) => client.create(request),
    answer: { status: 201, body: wire },
    expected: {
      method: "POST",
      path: "/v3/glossaries",
      body: { name: "Catalogue", dictionaries: [dictionaryOnTheWire] }
    }
  },
  {
    name: "GET /v3/glossaries",
    use: (client) => client.list,
    answer: { body: { glossaries: [] } },
    expected: { method: "GET", path: "/v3/glossaries" }
  },
  {
    name: "GET /v3/glossaries/{glossary_id}",
    use: (client) => client.get(glossaryId),
    answer: { body: wire },
    expected: { method: "GET", path: `/v3/glossaries/${glossaryId}` }
  },
  {
    name: "GET /v3/glossaries/{glossary_id}/entries?source_lang={language}&target_lang={language}",
    use: (client) => client.entries(glossaryId, { sourceLang: "EN", targetLang: "De" }),
    answer: { body: { dictionaries: [dictionaryOnTheWire] } },
    expected: { method: "GET", path: `/v3/glossaries/${glossaryId}/entries?source_lang=en&target_lang=de` }
  },
  {
    name: "PUT /v3/glossaries/{glossary_id}/dictionaries",
    use: (client) => client.replaceDictionary(glossaryId, dictionary),
    answer: { body: wire.dictionaries[0] },
    expected: {
      method: "PUT",
      path: `/v3/glossaries/${glossaryId}/dictionaries`,
      body: dictionaryOnTheWire
    }
  },
  {
    name: "PATCH /v3/glossaries/{glossary_id}: a new name",
    use: (client) => client.update(glossaryId, { name: "Renamed" }),
    answer: { body: wire },
    expected: { method: "PATCH", path: `/v3/glossaries/${glossaryId}`, body: { name: "Renamed" } }
  },
  {
    name: "PATCH /v3/glossaries/{glossary_id}: entries to merge",
    use: (client) => client.update(glossaryId, { name: undefined, dictionary }),
    answer: { body: wire },
    expected: {
      method: "PATCH",
      path: `/v3/glossaries/${glossaryId}`,
      body: { dictionaries: [dictionaryOnTheWire] }
    }
  },
  {
    name: "DELETE /v3/glossaries/{glossary_id}",
    use: (client) => client.delete(glossaryId),
    answer: { status: 204 },
    expected: { method: "DELETE", path: `/v3/glossaries/${glossaryId}` }
  },
  {
    name: "DELETE /v3/glossaries/{glossary_id}/dictionaries?source_lang={source_lang}&target_lang={target_lang}",
    use: (client) => client.deleteDictionary(glossaryId, pair),
    answer: { status: 204 },
    expected: {
      method: "DELETE",
      path: `/v3/glossaries/${glossaryId}/dictionaries?source_lang=en&target_lang=de`
    }
  }
]

describe("glossaries on the wire", () => {
  for (const { answer, expected, name, use } of wireTests) {
    it.effect(name, () =>
      Effect.gen(function* () {
        yield* recording.answer(answer)
        yield* call(use)
        const sent = yield* recording.onlyRequest
        expect(sent.method).toBe(expected.method)
        expect(sent.path).toBe(expected.path)
        expect(sent.headers.authorization).toBe(`Service-Auth-Key ${key}`)
        if (expected.body === undefined) expect(sent.text).toBe("")
        else {
          expect(sent.headers["content-type"]).toBe("application/json")
          expect(JSON.parse(sent.text)).toEqual(expected.body)
        }
      }).pipe(Effect.provide(served()))
    )
  }

  it.effect("ordinary terms are sent as they are, whatever JavaScript calls so too", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: {} }, { body: {} })
      const entries = ["constructor", "__proto__", "toString"].map((term) => ({ source: term, target: term }))
      yield* Effect.flip(once(call((client) => client.replaceDictionary(glossaryId, { ...pair, entries }))))
      expect(JSON.parse((yield* recording.onlyRequest).text).entries).toBe(
        "constructor\tconstructor\n__proto__\t__proto__\ntoString\ttoString"
      )
    }).pipe(Effect.provide(served()))
  )
})

describe("ids in the path", () => {
  const paths = [
    ["a/b", "/v3/glossaries/a%2Fb"],
    ["a?b=c", "/v3/glossaries/a%3Fb%3Dc"],
    ["a#b", "/v3/glossaries/a%23b"],
    ["100%", "/v3/glossaries/100%25"],
    ["%2e%2e", "/v3/glossaries/%252e%252e"],
    ["a b", "/v3/glossaries/a%20b"],
    ["größe 世界 😀", "/v3/glossaries/gr%C3%B6%C3%9Fe%20%E4%B8%96%E7%95%8C%20%F0%9F%98%80"],
    ["../translate", "/v3/glossaries/..%2Ftranslate"],
    ["a\\b;c:d@e&f", "/v3/glossaries/a%5Cb%3Bc%3Ad%40e%26f"]
  ] as const

  for (const [id, path] of paths) {
    it.effect(`${JSON.stringify(id)} reaches its own route`, () =>
      Effect.gen(function* () {
        const none = { status: 204 }
        yield* recording.answer({ body: wire }, none, none)
        yield* call((client) => client.get(id))
        yield* call((client) => client.delete(id))
        yield* call((client) => client.deleteDictionary(id, pair))
        expect((yield* recording.requests).map((sent) => `${sent.method} ${sent.path}`)).toEqual([
          `GET ${path}`,
          `DELETE ${path}`,
          `DELETE ${path}/dictionaries?source_lang=en&target_lang=de`
        ])
      }).pipe(Effect.provide(served()))
    )
  }

  for (const [id, rule] of [
    ["", "is empty: give the id"],
    [".", 'is ".", which is no id: give the id as the service made it'],
    ["..", 'is "..", which is no id: give the id as the service made it'],
    ["a\ud800", "holds half a character: give the id as the service made it"],
    ["\udc00", "holds half a character: give the id as the service made it"]
  ] as const) {
    it.effect(`${JSON.stringify(id)} is refused before anything is sent`, () =>
      Effect.gen(function* () {
        const calls = [
          call((client) => client.get(id)),
          call((client) => client.entries(id, pair)),
          call((client) => client.replaceDictionary(id, dictionary)),
          call((client) => client.update(id, { name: "Renamed" })),
          call((client) => client.delete(id)),
          call((client) => client.deleteDictionary(id, pair)),
          call((client) => Stream.runDrain(client.dictionaries(id)))
        ]
        for (const each of calls) {
          expect(yield* Effect.flip(each)).toMatchObject({
            _tag: "InvalidRequest",
            violations: [{ field: "glossaryId", rule }]
          })
        }
        expect(yield* recording.requests).toEqual([])
      }).pipe(Effect.provide(served()))
    )
  }
})

describe("the answers about glossaries", () => {
  const answered = <A, E>(answer: recording.Scripted, use: (client: Client) => Effect.Effect<A, E>) =>
    Effect.zipRight(recording.answer(answer), call(use))

  it.effect("a created glossary", () =>
    Effect.gen(function* () {
      expect(
        yield* answered({ status: 201, body: { ...wire, colour: "red" } }, (client) => client.create(request))
      ).toEqual({ ...decoded, extra: { colour: "red" } })
    }).pipe(Effect.provide(served()))
  )

  it.effect("a list, as a whole and as a stream", () =>
    Effect.gen(function* () {
      const body = { glossaries: [wire, { glossary_id: "b", name: "B" }] }
      const expected = [decoded, { glossaryId: "b", name: "B", dictionaries: [] }]
      expect(yield* answered({ body }, (client) => client.list)).toEqual(expected)
      expect(
        Chunk.toReadonlyArray(yield* answered({ body }, (client) => Stream.runCollect(client.stream)))
      ).toEqual(expected)
    }).pipe(Effect.provide(served()))
  )

  it.effect("one glossary: languages in any casing, unknown fields, missing ones", () =>
    Effect.gen(function* () {
      const body = { ...wire, dictionaries: [{ source_lang: "EN", target_lang: "ZH", kind: 1 }] }
      expect(yield* answered({ body }, (client) => client.get(glossaryId))).toEqual({
        ...decoded,
        dictionaries: [{ sourceLang: "en", targetLang: "zh", extra: { kind: 1 } }]
      })
    }).pipe(Effect.provide(served()))
  )

  it.effect("a glossary without its id is no answer", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        once(answered({ body: { name: "Catalogue" } }, (client) => client.get(glossaryId)))
      )
      expect(error._tag).toBe("UndecodableResponse")
    }).pipe(Effect.provide(served()))
  )

  it.effect("a changed glossary, and a stored dictionary", () =>
    Effect.gen(function* () {
      expect(
        yield* answered({ body: wire }, (client) => client.update(glossaryId, { name: "Catalogue" }))
      ).toEqual(decoded)
      expect(
        yield* answered({ body: wire.dictionaries[0] }, (client) =>
          client.replaceDictionary(glossaryId, dictionary)
        )
      ).toEqual({ ...pair, entryCount: 2 })
    }).pipe(Effect.provide(served()))
  )

  for (const [shape, body] of [
    ["a list of dictionaries", { dictionaries: [dictionaryOnTheWire] }],
    ["the single dictionary object itself", dictionaryOnTheWire],
    [
      "a dictionary without a format, its languages in uppercase, its lines ended by CRLF",
      {
        source_lang: "EN",
        target_lang: "DE",
        entries: `${tsv.replaceAll("\n", "\r\n")}\r\n`
      }
    ]
  ] as const) {
    it.effect(`entries as ${shape}`, () =>
      Effect.gen(function* () {
        expect(yield* answered({ body }, (client) => client.entries(glossaryId, pair))).toEqual(dictionary)
      }).pipe(Effect.provide(served()))
    )
  }

  it.effect("entries that today's rules refuse are still read", () =>
    Effect.gen(function* () {
      const body = { ...dictionaryOnTheWire, entries: " a\tb \n a\t" }
      const { entries } = yield* answered({ body }, (client) => client.entries(glossaryId, pair))
      expect(entries).toEqual([
        { source: " a", target: "b " },
        { source: " a", target: "" }
      ])
    }).pipe(Effect.provide(served()))
  )

  it.effect("entries of another pair than asked for are not taken for it", () =>
    Effect.gen(function* () {
      const body = { dictionaries: [{ ...dictionaryOnTheWire, target_lang: "fr" }] }
      const error = yield* Effect.flip(once(answered({ body }, (client) => client.entries(glossaryId, pair))))
      expect(error).toMatchObject({ _tag: "MismatchedResponse", expected: 1, received: 0 })
    }).pipe(Effect.provide(served()))
  )

  it.effect(
    "entries that are answered in another format than TSV are undecodable, and not taken for phrases",
    () =>
      Effect.gen(function* () {
        const csv = { ...dictionaryOnTheWire, entries: 'mug,Becher\n"a, b",c\n', entries_format: "csv" }
        const error = yield* Effect.flip(
          once(answered({ body: csv }, (client) => client.entries(glossaryId, pair)))
        )
        expect(error._tag).toBe("UndecodableResponse")
        expect(error.message).not.toContain("Becher")
      }).pipe(Effect.provide(served()))
  )

  it.effect('"a whole glossary is read by iterating its dictionaries"', () =>
    Effect.gen(function* () {
      const back = { source_lang: "de", target_lang: "en", entries: "Tag\tday", entries_format: "tsv" }
      yield* recording.answer(
        { body: wire },
        { body: dictionaryOnTheWire },
        { body: { dictionaries: [back] } }
      )
      const all = yield* call((client) => Stream.runCollect(client.dictionaries(glossaryId)))
      expect(Chunk.toReadonlyArray(all)).toEqual([
        dictionary,
        { sourceLang: "de", targetLang: "en", entries: [{ source: "Tag", target: "day" }] }
      ])
      expect((yield* recording.requests).map(({ path }) => path)).toEqual([
        `/v3/glossaries/${glossaryId}`,
        `/v3/glossaries/${glossaryId}/entries?source_lang=en&target_lang=de`,
        `/v3/glossaries/${glossaryId}/entries?source_lang=de&target_lang=en`
      ])
    }).pipe(Effect.provide(served()))
  )
})

describe("before anything is sent", () => {
  const refused = (use: (client: Client) => Effect.Effect<unknown, unknown>) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(call(use))
      expect(yield* recording.requests).toEqual([])
      expect(error).toMatchObject({ _tag: "InvalidRequest", delivery: "not-sent" })
      return (error as { readonly violations: ReadonlyArray<unknown> }).violations
    })

  const putting = (change: object) =>
    refused((client) => client.replaceDictionary(glossaryId, { ...dictionary, ...change }))

  for (const [code, use] of [
    ["en-US", "en"],
    ["EN-gb", "en"],
    ["pt-BR", "pt"],
    ["zh-Hans", "zh"],
    ["es-419", "es"]
  ] as const) {
    it.effect(`"Glossaries apply to languages, not variants": ${code} is refused, ${use} is the fix`, () =>
      Effect.gen(function* () {
        const rule = `is ${code}, but glossaries apply to languages, not variants: use "${use}"`
        expect(yield* putting({ sourceLang: code })).toEqual([{ field: "sourceLang", rule }])
        expect(yield* putting({ targetLang: code })).toEqual([{ field: "targetLang", rule }])
        expect(
          yield* refused((client) =>
            client.create({
              name: "Catalogue",
              dictionaries: [dictionary, { ...dictionary, targetLang: code }]
            })
          )
        ).toEqual([{ field: "dictionaries[1].targetLang", rule }])
        expect(
          yield* refused((client) =>
            client.update(glossaryId, { dictionary: { ...dictionary, sourceLang: code } })
          )
        ).toEqual([{ field: "dictionary.sourceLang", rule }])
      }).pipe(Effect.provide(served()))
    )
  }

  it.effect("but reads and deletes take any code that the service may list", () =>
    Effect.gen(function* () {
      const listed = { sourceLang: "en", targetLang: "zh-Hant" }
      const entries = (target_lang: string) => ({
        source_lang: "en",
        target_lang,
        entries: `mug\t${target_lang}`,
        entries_format: "tsv"
      })
      yield* recording.answer(
        { body: { dictionaries: [entries("zh-Hans"), entries("ZH-HANT")] } },
        { status: 204 }
      )
      const found = yield* call((client) => client.entries(glossaryId, listed))
      expect(found.entries).toEqual([{ source: "mug", target: "ZH-HANT" }])
      yield* call((client) => client.deleteDictionary(glossaryId, listed))
      expect((yield* recording.requests).map(({ method, path }) => [method, path.split("?")[1]])).toEqual([
        ["GET", "source_lang=en&target_lang=zh-Hant"],
        ["DELETE", "source_lang=en&target_lang=zh-Hant"]
      ])
    }).pipe(Effect.provide(served()))
  )

  it.effect("a language that is none", () =>
    Effect.gen(function* () {
      expect(yield* putting({ sourceLang: "english-language" })).toEqual([
        {
          field: "sourceLang",
          rule: 'is no language code: write the source language as BCP 47, such as "en"'
        }
      ])
    }).pipe(Effect.provide(served()))
  )

  it.effect('"Glossary name … 1024 UTF-8 bytes", and not empty', () =>
    Effect.gen(function* () {
      const naming = (name: string) => refused((client) => client.update(glossaryId, { name }))
      expect(yield* naming("ü".repeat(513))).toEqual([
        { field: "name", rule: "takes 1026 bytes of UTF-8; the limit is 1024: shorten it" }
      ])
      expect(yield* naming("a\ud800")).toEqual([
        { field: "name", rule: "holds half a character, which UTF-8 cannot carry: repair it" }
      ])
      expect(yield* naming("")).toEqual([{ field: "name", rule: "is empty: name the glossary" }])
      expect(yield* refused((client) => client.create({ ...request, name: "n".repeat(1025) }))).toEqual([
        { field: "name", rule: "takes 1025 bytes of UTF-8; the limit is 1024: shorten it" }
      ])
    }).pipe(Effect.provide(served()))
  )

  it.effect("a name of 1024 bytes is sent", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: wire })
      yield* call((client) => client.update(glossaryId, { name: "ü".repeat(512) }))
      expect(JSON.parse((yield* recording.onlyRequest).text)).toEqual({ name: "ü".repeat(512) })
    }).pipe(Effect.provide(served()))
  )

  it.effect("every broken content rule of every entry, all at once", () =>
    Effect.gen(function* () {
      const entries = [
        { source: "one", target: "" },
        { source: "two", target: "a\tb" },
        { source: " three", target: "drei" },
        { source: "one", target: "eins" },
        { source: "x".repeat(1025), target: "lang" }
      ]
      const violations = yield* putting({ entries })
      expect(violations).toHaveLength(5)
      expect(violations.map((each) => (each as { readonly field: string }).field)).toEqual(
        new Array(5).fill("entries")
      )
      const rules = violations.map((each) => (each as { readonly rule: string }).rule).join("\n")
      for (const said of ["1", "2", "3", "4", "5"].map((line) => new RegExp(`line ${line}\\b`, "i"))) {
        expect(rules).toMatch(said)
      }
      expect(rules).not.toContain("x".repeat(21))
    }).pipe(Effect.provide(served()))
  )

  it.effect("many broken entries make a short message; the violations hold all", () =>
    Effect.gen(function* () {
      const entries = Array.from({ length: 500 }, (_, index) => ({ source: `s${index}`, target: "" }))
      const error = yield* Effect.flip(
        call((client) => client.replaceDictionary(glossaryId, { ...pair, entries }))
      )
      expect(error._tag === "InvalidRequest" && error.violations).toHaveLength(500)
      expect(error.message).toMatch(/; and 480 more$/)
      expect(error.message.length).toBeLessThan(3000)
    }).pipe(Effect.provide(served()))
  )

  it.effect('"create a glossary from an array of one or more dictionaries", each of its own pair', () =>
    Effect.gen(function* () {
      expect(yield* refused((client) => client.create({ name: "None", dictionaries: [] }))).toEqual([
        { field: "dictionaries", rule: "is empty: give one or more dictionaries" }
      ])
      expect(
        yield* refused((client) =>
          client.create({ name: "Twice", dictionaries: [dictionary, { ...dictionary, sourceLang: "EN" }] })
        )
      ).toEqual([
        {
          field: "dictionaries[1]",
          rule: "is a second one from en to de: put the entries of both into one"
        }
      ])
    }).pipe(Effect.provide(served()))
  )

  it.effect('"Both directions of a pair are separate dictionaries"', () =>
    Effect.gen(function* () {
      yield* recording.answer({ status: 201, body: wire })
      yield* call((client) =>
        client.create({
          name: "Both",
          dictionaries: [dictionary, { sourceLang: "de", targetLang: "en", entries: [] }]
        })
      )
      expect(JSON.parse((yield* recording.onlyRequest).text).dictionaries).toHaveLength(2)
    }).pipe(Effect.provide(served()))
  )

  it.effect("a patch that changes nothing", () =>
    Effect.gen(function* () {
      const rule = "changes nothing: give a name or a dictionary"
      expect(yield* refused((client) => client.update(glossaryId, {}))).toEqual([{ field: "", rule }])
      expect(
        yield* refused((client) => client.update(glossaryId, { name: undefined, dictionary: undefined }))
      ).toEqual([{ field: "", rule }])
    }).pipe(Effect.provide(served()))
  )

  it.effect("unknown fields and wrong types, whoever sends them", () =>
    Effect.gen(function* () {
      const unknown = "is not known here: check its spelling"
      expect(yield* putting({ entriesFormat: "csv" })).toEqual([{ field: "entriesFormat", rule: unknown }])
      expect(yield* refused((client) => client.create(untyped({ ...request, ready: true })))).toEqual([
        { field: "ready", rule: unknown }
      ])
      expect(yield* refused((client) => client.entries(glossaryId, untyped({ ...pair, page: 1 })))).toEqual([
        { field: "page", rule: unknown }
      ])
      for (const wrong of [
        undefined,
        null,
        "a\tb",
        [null],
        [{ source: "a" }],
        [{ source: 1, target: "b" }]
      ]) {
        expect((yield* putting({ entries: wrong })).length).toBeGreaterThan(0)
      }
      for (const wrong of [undefined, null, { name: "x" }, { name: "x", dictionaries: {} }]) {
        yield* refused((client) => client.create(untyped(wrong)))
      }
      yield* refused((client) => client.update(glossaryId, untyped(undefined)))
      yield* refused((client) => client.replaceDictionary(glossaryId, untyped(undefined)))
      yield* refused((client) => client.entries(glossaryId, untyped(undefined)))
    }).pipe(Effect.provide(served()))
  )

  it.effect('"Glossaries cannot be used in translation requests without source_lang"', () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(translate({ text: ["Hello"], targetLang: "de", glossaryId }))
      expect(error._tag).toBe("InvalidRequest")
      expect(yield* recording.requests).toEqual([])
    }).pipe(Effect.provide(served()))
  )
})

describe("errors of glossary calls", () => {
  it.effect("456 means too many glossary requests, and never a used up quota of translation", () =>
    Effect.gen(function* () {
      yield* recording.answer({ status: 456, body: { message: "Slow down" } }, { status: 456 })
      const error = yield* Effect.flip(call((client) => client.list))
      expect(error._tag).toBe("QuotaExceeded")
      expect(error.message).toBe(
        "GET /v3/glossaries: Too many glossary requests, status 456. Wait, then send fewer of them; the quota of translation is another one. The service says: Slow down."
      )
      const translation = yield* Effect.flip(translate({ text: ["Hello"], targetLang: "de" }))
      expect(translation.message).toMatch(/^POST \/v2\/translate: The quota is used up, status 456\./)
    }).pipe(Effect.provide(served()))
  )

  it.effect("456 of a base address with a path, and of a glossary", () =>
    Effect.gen(function* () {
      yield* recording.answer({ status: 456 })
      const error = yield* Effect.flip(call((client) => client.get(glossaryId)))
      expect(error.message).toContain(`GET /proxy/v3/glossaries/${glossaryId}: Too many glossary requests`)
    }).pipe(Effect.provide(served({ suffix: "/proxy" })))
  )

  it.effect("the message of the service is passed on, unless it repeats a term", () =>
    Effect.gen(function* () {
      const detail = (detail: string) => ({
        status: 400,
        body: { message: "Invalid glossary entries", detail }
      })
      yield* recording.answer(
        detail("entry 7 duplicates entry 0"),
        detail('"guten Tag" has no source'),
        detail("GUTEN TAG is bad"),
        detail("hello is there twice")
      )
      const failing = <A, E extends { readonly message: string }>(
        use: (client: Client) => Effect.Effect<A, E>
      ) => Effect.map(Effect.flip(call(use)), ({ message }) => message)
      expect(yield* failing((client) => client.create(request))).toContain(
        "The service says: Invalid glossary entries: entry 7 duplicates entry 0."
      )
      const withheld = [
        (client: Client) => client.create(request),
        (client: Client) => client.replaceDictionary(glossaryId, dictionary),
        (client: Client) => client.update(glossaryId, { dictionary })
      ]
      for (const use of withheld) {
        const message = yield* failing<unknown, { readonly message: string }>(use)
        expect(message).toContain("withheld")
        expect(message).not.toMatch(/guten Tag|hello/i)
      }
    }).pipe(Effect.provide(served()))
  )
})

describe("retries", () => {
  const outcome = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(Effect.either(effect))
      yield* TestClock.adjust("10 hours")
      return yield* Fiber.join(fiber)
    })

  const failure: Step = { status: 500 }

  it.effect("never a creation that the service may have carried out", () =>
    Effect.gen(function* () {
      const result = yield* outcome(call((client) => client.create(request)))
      expect(result).toMatchObject({ _tag: "Left", left: { _tag: "ServerError", ambiguousAttempts: 1 } })
      expect(yield* count).toBe(1)
    }).pipe(Effect.provide(scripted([failure, { status: 201, body: wire }])))
  )

  it.effect("a creation that the service was too busy for", () =>
    Effect.gen(function* () {
      expect((yield* outcome(call((client) => client.create(request))))._tag).toBe("Right")
      expect(yield* count).toBe(2)
    }).pipe(Effect.provide(scripted([{ status: 429 }, { status: 201, body: wire }])))
  )

  for (const [what, use, body] of [
    ["a read", (client: Client) => client.get(glossaryId), wire],
    [
      "a replaced dictionary",
      (client: Client) => client.replaceDictionary(glossaryId, dictionary),
      wire.dictionaries[0]
    ],
    ["a merge", (client: Client) => client.update(glossaryId, { dictionary }), wire]
  ] as const) {
    it.effect(`${what}, which may happen twice`, () =>
      Effect.gen(function* () {
        expect((yield* outcome(call<unknown, unknown>(use)))._tag).toBe("Right")
        expect(yield* count).toBe(2)
      }).pipe(Effect.provide(scripted([failure, { body }])))
    )
  }

  for (const [what, use] of [
    ["glossary", (client: Client) => client.delete(glossaryId)],
    ["dictionary", (client: Client) => client.deleteDictionary(glossaryId, pair)]
  ] as const) {
    it.effect(`the deletion of a ${what}: its absence then means that it was deleted`, () =>
      Effect.gen(function* () {
        expect((yield* outcome(call(use)))._tag).toBe("Right")
        expect(yield* count).toBe(2)
      }).pipe(Effect.provide(scripted([failure, { status: 404 }])))
    )

    it.effect(`a ${what} that was not there is NotFound`, () =>
      Effect.gen(function* () {
        expect(yield* outcome(call(use))).toMatchObject({ _tag: "Left", left: { _tag: "NotFound" } })
        expect(yield* count).toBe(1)
      }).pipe(Effect.provide(scripted([{ status: 404 }])))
    )
  }

  it.effect("the time-out grows with the entries", () =>
    Effect.gen(function* () {
      const after = (use: (client: Client) => Effect.Effect<unknown, unknown>) =>
        Effect.map(
          outcome(Effect.provideService(call(use), RetryPolicy.RetryPolicy, RetryPolicy.none)),
          (result) =>
            result._tag === "Left" && Duration.toSeconds((result.left as { after: Duration.Duration }).after)
        )
      // A hundred thousand characters are as much as a thousand to translate.
      const entries = Array.from({ length: 100 }, (_, index) => ({
        source: `${index}`.padEnd(500, "s"),
        target: "t".repeat(500)
      }))
      const large = { ...pair, entries }
      expect(yield* after((client) => client.get(glossaryId))).toBe(30)
      expect(yield* after((client) => client.replaceDictionary(glossaryId, large))).toBe(31)
      expect(yield* after((client) => client.update(glossaryId, { dictionary: large }))).toBe(31)
      expect(
        yield* after((client) =>
          client.create({ name: "L", dictionaries: [large, { ...large, targetLang: "fr" }] })
        )
      ).toBe(32)
      // What is read may be 10 MB.
      expect(yield* after((client) => client.entries(glossaryId, pair))).toBe(130)
    }).pipe(Effect.provide(scripted(["hang", "hang", "hang", "hang", "hang"])))
  )
})
