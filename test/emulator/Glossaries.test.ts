import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { TranslateClient } from "effect-translate"
import { Emulator, PseudoTranslation } from "effect-translate/emulator"
import { clientOf, emulatedInProcess } from "../support/emulator.js"
import { send } from "./support.js"

const over = (options?: Emulator.Options) => Effect.provide(emulatedInProcess(options))

const client = TranslateClient.TranslateClient

const pair = { sourceLang: "en", targetLang: "de" }
const back = { sourceLang: "de", targetLang: "en" }

const entry = (source: string, target: string) => ({ source, target })

const house = { ...pair, entries: [entry("House", "Haus"), entry("tree", "Baum")] }
const haus = { ...back, entries: [entry("Haus", "House")] }

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const absent = "6a1b8a5e-54b5-4a9f-8f0c-0f4d55ad1c11"

describe("a glossary of the emulator", () => {
  it.effect("is kept as it was made: id and time are the service's", () =>
    Effect.gen(function* () {
      const { glossaries } = yield* client
      yield* TestClock.setTime(Date.UTC(2026, 1, 3))
      const created = yield* glossaries.create({ name: "Terms", dictionaries: [house, haus] })
      expect(created).toEqual({
        glossaryId: expect.stringMatching(uuid),
        name: "Terms",
        creationTime: DateTime.unsafeMake("2026-02-03T00:00:00Z"),
        dictionaries: [
          { ...pair, entryCount: 2 },
          { ...back, entryCount: 1 }
        ]
      })
      yield* TestClock.adjust("1 hour")
      expect(yield* glossaries.get(created.glossaryId)).toEqual(created)
      const other = yield* glossaries.create({ name: "Terms", dictionaries: [house] })
      expect(other.glossaryId).not.toBe(created.glossaryId)
      expect(yield* glossaries.list).toEqual([created, other])
      expect(Chunk.toReadonlyArray(yield* Stream.runCollect(glossaries.stream))).toEqual([created, other])
    }).pipe(over())
  )

  it.effect.each(["tsv", "csv"])(
    "keeps U+FEFF before the first phrase of %s: it is a part of the phrase",
    (format) =>
      Effect.gen(function* () {
        const entries = format === "tsv" ? "\uFEFFmug\ttasse" : "\uFEFFmug,tasse"
        const dictionary = { source_lang: "en", target_lang: "fr", entries, entries_format: format }
        const answer = yield* send(JSON.stringify({ name: "Terms", dictionaries: [dictionary] }), {
          path: "/v3/glossaries"
        })
        expect(answer.status).toBe(201)
        const { glossaries } = yield* client
        const { glossaryId } = (yield* glossaries.list)[0]!
        const kept = yield* glossaries.entries(glossaryId, { sourceLang: "en", targetLang: "fr" })
        expect(kept.entries).toEqual([{ source: "\uFEFFmug", target: "tasse" }])
      }).pipe(over())
  )

  it.effect("refuses empty entries", () =>
    Effect.gen(function* () {
      const dictionary = { source_lang: "EN", target_lang: "DE", entries: "", entries_format: "tsv" }
      const answer = yield* send(JSON.stringify({ name: "Terms", dictionaries: [dictionary] }), {
        path: "/v3/glossaries"
      })
      expect(answer.status).toBe(400)
    }).pipe(over())
  )

  it.effect("is answered as the wire facts tell", () =>
    Effect.gen(function* () {
      const dictionary = { source_lang: "EN", target_lang: "DE", entries: "a\tb\n", entries_format: "tsv" }
      const created = yield* send(JSON.stringify({ name: "Terms", dictionaries: [dictionary] }), {
        path: "/v3/glossaries"
      })
      expect(created.status).toBe(201)
      expect(created.json).toEqual({
        glossary_id: expect.stringMatching(uuid),
        name: "Terms",
        dictionaries: [{ source_lang: "en", target_lang: "de", entry_count: 1 }],
        creation_time: "1970-01-01T00:00:00.000Z"
      })
      const path = `/v3/glossaries/${created.json.glossary_id}`
      const query = "source_lang=en&target_lang=de"
      const entries = yield* send(undefined, { method: "GET", path: `${path}/entries?${query}` })
      expect(entries.json).toEqual({
        dictionaries: [{ source_lang: "en", target_lang: "de", entries: "a\tb", entries_format: "tsv" }]
      })
      const gone = yield* send(undefined, { method: "DELETE", path: `${path}/dictionaries?${query}` })
      expect([gone.status, gone.text]).toEqual([204, ""])
      const all = yield* send(undefined, { method: "DELETE", path })
      expect([all.status, all.text]).toEqual([204, ""])
    }).pipe(over())
  )

  it.effect(
    'CSV: "source and target language codes may follow the two phrases; if they do not match the dictionary\'s language pair, the entry is ignored"',
    () =>
      Effect.gen(function* () {
        const { glossaries } = yield* client
        const { glossaryId } = yield* glossaries.create({ name: "Terms", dictionaries: [house] })
        const csv = 'one,eins,en,de\ntwo,deux,en,fr\n"say ""x"", y",z,EN,DE\n'
        const answer = yield* send(
          JSON.stringify({ source_lang: "en", target_lang: "de", entries: csv, entries_format: "csv" }),
          { method: "PUT", path: `/v3/glossaries/${glossaryId}/dictionaries` }
        )
        expect([answer.status, answer.json]).toEqual([
          200,
          { source_lang: "en", target_lang: "de", entry_count: 2 }
        ])
        expect((yield* glossaries.entries(glossaryId, pair)).entries).toEqual([
          entry("one", "eins"),
          entry('say "x", y', "z")
        ])
      }).pipe(over())
  )

  it.effect('PUT: "create it for the pair, or replace the existing one outright"', () =>
    Effect.gen(function* () {
      const { glossaries } = yield* client
      const { glossaryId } = yield* glossaries.create({ name: "Terms", dictionaries: [house] })
      expect(yield* glossaries.replaceDictionary(glossaryId, haus)).toEqual({ ...back, entryCount: 1 })
      const entries = [entry("tree", "Gehölz")]
      expect(yield* glossaries.replaceDictionary(glossaryId, { ...pair, entries })).toEqual({
        ...pair,
        entryCount: 1
      })
      expect((yield* glossaries.entries(glossaryId, pair)).entries).toEqual(entries)
      expect(yield* glossaries.entries(glossaryId, back)).toEqual(haus)
      expect((yield* glossaries.get(glossaryId)).dictionaries).toHaveLength(2)
    }).pipe(over())
  )

  it.effect(
    'PATCH: "change the glossary name and/or merge entries into the dictionary of one language pair"',
    () =>
      Effect.gen(function* () {
        const { glossaries } = yield* client
        const created = yield* glossaries.create({ name: "Terms", dictionaries: [house] })
        const { glossaryId } = created
        const renamed = yield* glossaries.update(glossaryId, { name: "Words" })
        expect(renamed).toEqual({ ...created, name: "Words" })
        const entries = [entry("tree", "Gehölz"), entry("__proto__", "constructor")]
        expect(yield* glossaries.update(glossaryId, { dictionary: { ...pair, entries } })).toEqual({
          ...renamed,
          dictionaries: [{ ...pair, entryCount: 3 }]
        })
        expect((yield* glossaries.entries(glossaryId, pair)).entries).toEqual([
          entry("House", "Haus"),
          entry("tree", "Gehölz"),
          entry("__proto__", "constructor")
        ])
        const both = yield* glossaries.update(glossaryId, { name: "Both", dictionary: haus })
        expect(both.name).toBe("Both")
        expect(both.dictionaries).toHaveLength(2)
      }).pipe(over())
  )

  it.effect("is deleted as a whole, or dictionary by dictionary", () =>
    Effect.gen(function* () {
      const { glossaries } = yield* client
      const { glossaryId } = yield* glossaries.create({ name: "Terms", dictionaries: [house, haus] })
      yield* glossaries.deleteDictionary(glossaryId, pair)
      expect((yield* glossaries.get(glossaryId)).dictionaries).toEqual([{ ...back, entryCount: 1 }])
      const all = yield* Stream.runCollect(glossaries.dictionaries(glossaryId))
      expect(Chunk.toReadonlyArray(all)).toEqual([haus])
      const errors = [
        yield* Effect.flip(glossaries.deleteDictionary(glossaryId, pair)),
        yield* Effect.flip(glossaries.entries(glossaryId, pair)),
        yield* Effect.zipRight(glossaries.delete(glossaryId), Effect.flip(glossaries.delete(glossaryId))),
        yield* Effect.flip(glossaries.get(glossaryId))
      ]
      expect(errors.map(({ _tag }) => _tag)).toEqual(new Array(4).fill("NotFound"))
      expect(yield* glossaries.list).toEqual([])
    }).pipe(over())
  )

  it.effect('"Two programs with different keys never see each other\'s glossaries"', () =>
    Effect.gen(function* () {
      const mine = yield* client
      const theirs = Context.get(yield* Layer.build(clientOf("theirs")), client)
      const { glossaryId } = yield* mine.glossaries.create({ name: "Mine", dictionaries: [house] })
      expect(yield* theirs.glossaries.list).toEqual([])
      expect(yield* theirs.monolingualGlossaries.list).toEqual([])
      const request = { text: ["House"], ...pair, glossaryId }
      const errors = [
        yield* Effect.flip(theirs.glossaries.get(glossaryId)),
        yield* Effect.flip(theirs.glossaries.update(glossaryId, { name: "Theirs" })),
        yield* Effect.flip(theirs.glossaries.replaceDictionary(glossaryId, haus)),
        yield* Effect.flip(theirs.glossaries.delete(glossaryId)),
        yield* Effect.flip(theirs.translateText(request))
      ]
      expect(errors.map(({ _tag }) => _tag)).toEqual(new Array(5).fill("NotFound"))
      expect((yield* mine.glossaries.get(glossaryId)).name).toBe("Mine")
      expect((yield* mine.translateText(request)).translations[0].text).toBe("[de] Haus")
    }).pipe(Effect.scoped, over({ keys: ["mine", "theirs"] }))
  )
})

describe("the emulator refuses", () => {
  const post = (dictionary: object, name: unknown = "Terms") =>
    send(
      JSON.stringify({
        name,
        dictionaries: [
          { source_lang: "en", target_lang: "de", entries: "a\tb", entries_format: "tsv", ...dictionary }
        ]
      }),
      { path: "/v3/glossaries" }
    )

  for (const [rule, entries, says] of [
    ["Duplicate source entries are rejected", "a\tb\nc\td\na\te", /line 3\b.*"a".*line 1\b/i],
    ["Source and target must both be non-empty", "a\t", /line 1\b.*target.*empty/i],
    ["Source and target must both be non-empty", "\tb", /line 1\b.*source.*empty/i],
    ["No C0 or C1 control characters (including tab and line feed)", "a\u0007\tb", /control/i],
    ["No C0 or C1 control characters", "a\tb\u0085c", /control/i],
    ["nor a Unicode newline", "a\tb\u2028c", /line break|control/i],
    ["No leading or trailing Unicode whitespace", "a\u3000\tb", /whitespace/i],
    ["source phrase then target phrase", "a\tb\tc", /columns/i],
    ["each source phrase, each target phrase: 1024 UTF-8 bytes", `a\t${"ü".repeat(513)}`, /1026/]
  ] as const) {
    it.effect(`"${rule}": 400 with a detail (${JSON.stringify(entries.slice(0, 9))})`, () =>
      Effect.gen(function* () {
        const answer = yield* post({ entries })
        expect(answer.status).toBe(400)
        expect(answer.json).toEqual({
          message: "Invalid glossary entries",
          detail: expect.stringMatching(says)
        })
      }).pipe(over())
    )
  }

  it.effect("entries with all that is wrong, line by line, as one sentence", () =>
    Effect.gen(function* () {
      const { json } = yield* post({ entries: "a\t\na\tb" })
      expect(json.detail).toBe(
        "dictionaries[0].entries line 1: the target is empty: fill it in, or remove the entry; " +
          'dictionaries[0].entries line 2: the source "a" is on line 1 already: keep one of the two entries'
      )
    }).pipe(over())
  )

  it.effect("other requests that the contract refuses, naming field and fix", () =>
    Effect.gen(function* () {
      const answers = [
        yield* post({ target_lang: "en-US" }),
        yield* post({ entries_format: "xlsx" }),
        yield* post({ colour: "red" }),
        yield* post({}, ""),
        yield* post({}, "ü".repeat(513))
      ]
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400])
      expect(answers.map(({ json }) => json.message)).toEqual([
        'dictionaries[0].target_lang is en-US, but glossaries apply to languages, not variants: use "en"',
        expect.stringContaining("dictionaries[0].entries_format must be"),
        "dictionaries[0].colour is not known here: check its spelling",
        "name is empty: name the glossary",
        "name takes 1026 bytes of UTF-8; the limit is 1024: shorten it"
      ])
      const query = yield* send(undefined, {
        method: "GET",
        path: `/v3/glossaries/${absent}/entries?source_lang=en`
      })
      expect([query.status, query.json]).toEqual([400, { message: "target_lang is missing" }])
    }).pipe(over())
  )

  it.effect('a patch of two dictionaries: "A single PUT or PATCH changes one dictionary only"', () =>
    Effect.gen(function* () {
      const { glossaries } = yield* client
      const { glossaryId } = yield* glossaries.create({ name: "Terms", dictionaries: [house] })
      const dictionary = { source_lang: "en", target_lang: "de", entries: "a\tb", entries_format: "tsv" }
      const patch = (body: object) =>
        send(JSON.stringify(body), { method: "PATCH", path: `/v3/glossaries/${glossaryId}` })
      const two = yield* patch({ dictionaries: [dictionary, { ...dictionary, target_lang: "fr" }] })
      expect([two.status, two.json.message]).toEqual([
        400,
        "dictionaries holds 2 dictionaries; a call changes one only: make several calls"
      ])
      for (const nothing of [{}, { dictionaries: [] }]) {
        const { json, status } = yield* patch(nothing)
        expect([status, json.message]).toEqual([400, "changes nothing: give a name or a dictionary"])
      }
      expect((yield* patch({ dictionaries: [dictionary] })).status).toBe(200)
    }).pipe(over())
  )

  for (const id of [
    "a/b",
    "a?b",
    "a#b",
    "100%",
    "%2F",
    "a b",
    "größe 世界 😀",
    "../translate",
    "x".repeat(300)
  ]) {
    it.effect(`the id ${JSON.stringify(id.slice(0, 20))} with 404 of that glossary, not of a route`, () =>
      Effect.gen(function* () {
        const { glossaries, monolingualGlossaries } = yield* client
        const errors = [
          yield* Effect.flip(glossaries.get(id)),
          yield* Effect.flip(glossaries.entries(id, pair)),
          yield* Effect.flip(glossaries.replaceDictionary(id, house)),
          yield* Effect.flip(glossaries.update(id, { name: "x" })),
          yield* Effect.flip(glossaries.delete(id)),
          yield* Effect.flip(glossaries.deleteDictionary(id, pair)),
          yield* Effect.flip(monolingualGlossaries.get(id)),
          yield* Effect.flip(monolingualGlossaries.entries(id))
        ]
        for (const error of errors) {
          expect(error).toMatchObject({ _tag: "NotFound", serviceMessage: "There is no such glossary" })
        }
      }).pipe(over())
    )
  }

  it.effect("a path that can't be read with 404", () =>
    Effect.gen(function* () {
      const answer = yield* send(undefined, { method: "GET", path: "/v3/glossaries/%zz" })
      expect([answer.status, answer.json.message]).toEqual([404, "There is no such endpoint"])
    }).pipe(over())
  )
})

describe("older glossaries", () => {
  it.effect("are the same ones: these endpoints see those of exactly one dictionary", () =>
    Effect.gen(function* () {
      const { glossaries, monolingualGlossaries } = yield* client
      yield* TestClock.setTime(Date.UTC(2026, 1, 3))
      const old = yield* monolingualGlossaries.create({ name: "Old", ...house })
      expect(old).toEqual({
        glossaryId: expect.stringMatching(uuid),
        name: "Old",
        ready: true,
        ...pair,
        creationTime: DateTime.unsafeMake("2026-02-03T00:00:00Z"),
        entryCount: 2
      })
      const one = yield* glossaries.create({ name: "One", dictionaries: [haus] })
      const two = yield* glossaries.create({ name: "Two", dictionaries: [house, haus] })
      expect((yield* glossaries.list).map(({ name }) => name)).toEqual(["Old", "One", "Two"])
      expect((yield* monolingualGlossaries.list).map(({ name }) => name)).toEqual(["Old", "One"])
      expect(Chunk.size(yield* Stream.runCollect(monolingualGlossaries.stream))).toBe(2)
      expect(yield* monolingualGlossaries.get(one.glossaryId)).toMatchObject({ name: "One", ...back })
      expect(yield* monolingualGlossaries.entries(old.glossaryId)).toEqual(house.entries)
      const hidden = [
        yield* Effect.flip(monolingualGlossaries.get(two.glossaryId)),
        yield* Effect.flip(monolingualGlossaries.entries(two.glossaryId)),
        yield* Effect.flip(monolingualGlossaries.delete(two.glossaryId))
      ]
      expect(hidden.map(({ _tag }) => _tag)).toEqual(["NotFound", "NotFound", "NotFound"])
      yield* monolingualGlossaries.delete(old.glossaryId)
      yield* glossaries.deleteDictionary(two.glossaryId, pair)
      expect((yield* monolingualGlossaries.list).map(({ name }) => name)).toEqual(["One", "Two"])
      expect((yield* glossaries.list).map(({ name }) => name)).toEqual(["One", "Two"])
    }).pipe(over())
  )

  it.effect("answer entries as text/tab-separated-values, and 415 to whom takes nothing of it", () =>
    Effect.gen(function* () {
      const { monolingualGlossaries } = yield* client
      const { glossaryId } = yield* monolingualGlossaries.create({ name: "Old", ...house })
      const read = (accept: string | undefined) =>
        send(undefined, {
          method: "GET",
          path: `/v2/glossaries/${glossaryId}/entries`,
          headers: { accept }
        })
      for (const accept of [undefined, "*/*", "Text/Tab-Separated-Values;q=0.5, text/csv"]) {
        const answer = yield* read(accept)
        expect([answer.status, answer.headers["content-type"], answer.text]).toEqual([
          200,
          "text/tab-separated-values",
          "House\tHaus\ntree\tBaum"
        ])
      }
      expect((yield* read("text/csv")).status).toBe(415)
    }).pipe(over())
  )

  it.effect("know the pairs of the languages of the resource glossary", () =>
    Effect.gen(function* () {
      const { languages, monolingualGlossaries } = yield* client
      const pairs = yield* monolingualGlossaries.languagePairs
      expect(pairs).toContainEqual({ sourceLang: "en", targetLang: "de" })
      expect(pairs).not.toContainEqual({ sourceLang: "en", targetLang: "en" })
      const listed = yield* languages.list({ resource: "glossary" })
      for (const { lang, usableAsSource } of listed) {
        expect(pairs.some(({ sourceLang }) => sourceLang === lang)).toBe(usableAsSource)
      }
    }).pipe(over())
  )
})

describe("a translation with a glossary", () => {
  const translated = (
    dictionaries: Parameters<TranslateClient.Service["glossaries"]["create"]>[0]["dictionaries"],
    request: {
      readonly text: ReadonlyArray<string>
      readonly sourceLang: string
      readonly targetLang: string
    }
  ) =>
    Effect.gen(function* () {
      const { glossaries, translateText } = yield* client
      const { glossaryId } = yield* glossaries.create({ name: "Terms", dictionaries })
      const { translations } = yield* translateText({ ...request, glossaryId })
      return translations.map(({ text }) => text)
    })

  it.effect("has its phrases as the glossary wants them, and is predicted by PseudoTranslation", () =>
    Effect.gen(function* () {
      const text = ["The House and the tree", "no term here", " House "]
      const texts = yield* translated([house], { ...pair, text })
      expect(texts).toEqual(["[de] Thé Haus åñd thé Baum", "[de] ñö térm héré", " [de] Haus "])
      expect(texts).toEqual(text.map((each) => PseudoTranslation.translate(each, "de", house.entries)))
    }).pipe(over())
  )

  it.effect('"a glossary with target EN applies to EN-US and EN-GB; PT applies to PT-PT and PT-BR"', () =>
    Effect.gen(function* () {
      for (const [target, variants] of [
        ["en", ["EN-US", "en-GB"]],
        ["pt", ["pt-PT", "PT-BR"]],
        ["zh", ["zh-Hans", "zh-Hant"]]
      ] as const) {
        const dictionary = { sourceLang: "de", targetLang: target, entries: [entry("Haus", "Casa")] }
        for (const targetLang of variants) {
          const [text] = yield* translated([dictionary], { text: ["Haus"], sourceLang: "de", targetLang })
          expect(text).toMatch(/^\[.*\] Casa$/)
        }
      }
    }).pipe(over())
  )

  it.effect("takes the dictionary of its direction", () =>
    Effect.gen(function* () {
      const request = { ...back, text: ["Haus House"] }
      expect(yield* translated([house, haus], request)).toEqual(["[en] House Höûsé"])
    }).pipe(over())
  )

  it.effect("of several glossaries the first that holds a phrase decides", () =>
    Effect.gen(function* () {
      const { glossaries, translateText } = yield* client
      const make = (...entries: ReadonlyArray<{ readonly source: string; readonly target: string }>) =>
        Effect.map(
          glossaries.create({ name: "Terms", dictionaries: [{ ...pair, entries }] }),
          ({ glossaryId }) => glossaryId
        )
      const glossaryIds = [
        yield* make(entry("a", "1"), entry("b", "1")),
        yield* make(entry("a", "2"), entry("c", "2"))
      ]
      const { translations } = yield* translateText({ ...pair, text: ["a b c"], glossaryIds })
      expect(translations[0].text).toBe("[de] 1 1 2")
      const turned = yield* translateText({ ...pair, text: ["a b c"], glossaryIds: glossaryIds.toReversed() })
      expect(turned.translations[0].text).toBe("[de] 2 1 2")
    }).pipe(over())
  )

  it.effect("follows the glossary's changes", () =>
    Effect.gen(function* () {
      const { glossaries, translateText } = yield* client
      const { glossaryId } = yield* glossaries.create({ name: "Terms", dictionaries: [house] })
      const text = Effect.map(
        translateText({ ...pair, text: ["House"], glossaryId }),
        ({ translations }) => translations[0].text
      )
      expect(yield* text).toBe("[de] Haus")
      yield* glossaries.update(glossaryId, { dictionary: { ...pair, entries: [entry("House", "Heim")] } })
      expect(yield* text).toBe("[de] Heim")
      yield* glossaries.replaceDictionary(glossaryId, { ...pair, entries: [entry("mug", "Becher")] })
      expect(yield* text).toBe("[de] Höûsé")
    }).pipe(over())
  )

  it.effect(
    '"glossary language pair must match the request pair": fails, and bills nothing, without a dictionary of it (400) or the glossary (404)',
    () =>
      Effect.gen(function* () {
        const { glossaries, translateText } = yield* client
        const emulator = yield* Emulator.Emulator
        const { glossaryId } = yield* glossaries.create({ name: "Terms", dictionaries: [house] })
        const request = { ...pair, text: ["House"] }
        const failed = (change: object) =>
          Effect.map(Effect.flip(translateText({ ...request, ...change })), ({ _tag }) => _tag)
        expect(yield* failed({ glossaryId: absent })).toBe("NotFound")
        expect(yield* failed({ glossaryIds: [glossaryId, absent] })).toBe("NotFound")
        expect(yield* failed({ glossaryId, targetLang: "fr" })).toBe("BadRequest")
        expect(yield* failed({ glossaryId, ...back })).toBe("BadRequest")
        expect(yield* failed({ glossaryIds: [glossaryId], sourceLang: "fr" })).toBe("BadRequest")
        yield* glossaries.deleteDictionary(glossaryId, pair)
        expect(yield* failed({ glossaryId })).toBe("BadRequest")
        yield* glossaries.delete(glossaryId)
        expect(yield* failed({ glossaryId })).toBe("NotFound")
        expect((yield* emulator.meter).characters).toBe(0)
        yield* translateText({ ...request, glossaryIds: [] })
      }).pipe(over())
  )
})
