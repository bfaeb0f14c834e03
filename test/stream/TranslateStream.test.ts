/** The outcome of each element: texts, blank texts, rows, oversized texts, refused options. */
import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { type Outcome, RetryPolicy, TranslateStream } from "effect-translate"
import { Fault, PseudoTranslation } from "effect-translate/emulator"
import * as bulkCalls from "../../src/internal/bulkCalls.js"
import * as cpuTime from "../support/cpuTime.js"
import {
  bodyBytes,
  causes,
  chunked,
  collect,
  counted,
  de,
  drain,
  failsWith,
  fake,
  german,
  hasty,
  mark,
  maxBytes,
  meter,
  numbered,
  once,
  provide,
  randomTurns,
  script,
  served,
  tags,
  unavailable,
  uncut,
  values
} from "./support.js"

const blanks = ["", " ", "\t\r\n", "\u00a0", "\u2003\u3000", "\ufeff"]

const giant = "x".repeat(140_000)

interface Product {
  readonly sku: string
  readonly title: string
  readonly body?: string | null | undefined
}

describe("translate", () => {
  it.virtual("yields the translation of each text, data-first and data-last", () =>
    Effect.gen(function* () {
      const texts = ["Good morning", "Hello {name}", "🌍"]
      const expected = texts.map((text) => PseudoTranslation.translate(text, "de"))
      const source = Stream.fromIterable(texts)
      expect(values(yield* collect(TranslateStream.translate(source, de)))).toEqual(expected)
      expect(values(yield* collect(source.pipe(TranslateStream.translate(de))))).toEqual(expected)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("tells source, value, texts, cost and the service's own translation", () =>
    Effect.gen(function* () {
      expect(yield* collect(TranslateStream.translate(Stream.make("hello"), de))).toEqual([
        {
          _tag: "Translated",
          source: "hello",
          value: "[de] héllö",
          texts: { translated: 1, cached: 0, skipped: 0, failed: 0 },
          cost: { characters: 5, ambiguousCharacters: 0 },
          translations: [{ text: "[de] héllö", detectedSourceLanguage: "en", billedCharacters: 5 }]
        }
      ])
    }).pipe(Effect.provide(served()))
  )

  it.virtual("passes blank texts through as they came, skipped and unbilled, and never sends them", () =>
    Effect.gen(function* () {
      const texts = [...blanks, "b", ...blanks, "c", ...blanks]
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(texts), de))
      expect(values(outcomes)).toEqual(
        texts.map((text) => (text === "b" ? "[de] b" : text === "c" ? "[de] ç" : text))
      )
      expect(tags(outcomes)).toEqual(
        texts.map((text) => (text.length === 1 && /[bc]/.test(text) ? "Translated" : "Skipped"))
      )
      expect(yield* meter).toMatchObject({ requests: 1, texts: 2, characters: 2 })
    }).pipe(Effect.provide(served()))
  )

  it.virtual("sends nothing for a source of blank texts", () =>
    Effect.gen(function* () {
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(blanks), de))
      expect(outcomes).toEqual(
        blanks.map((text) => ({
          _tag: "Skipped",
          source: text,
          value: text,
          texts: { translated: 0, cached: 0, skipped: 1, failed: 0 },
          cost: { characters: 0, ambiguousCharacters: 0 }
        }))
      )
      expect((yield* meter).requests).toBe(0)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("translates a text that holds more than whitespace, surroundings included", () =>
    Effect.gen(function* () {
      const outcomes = yield* collect(TranslateStream.translate(Stream.make(" b\n", "\u200b", "."), de))
      expect(values(outcomes)).toEqual([" [de] b\n", "[de] \u200b", "[de] ."])
    }).pipe(Effect.provide(served()))
  )

  it.virtual("packs 50 texts into a request", () =>
    Effect.gen(function* () {
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(numbered(501)), de))
      expect(values(outcomes)).toEqual(numbered(501).map(german))
      expect((yield* meter).requests).toBe(11)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("sends a lone surrogate as it stands", () =>
    Effect.gen(function* () {
      const outcomes = yield* collect(TranslateStream.translate(Stream.make("\ud800", "z\udc00"), de))
      expect(values(outcomes)).toEqual(["[de] \ud800", "[de] z\udc00"])
    }).pipe(Effect.provide(served()))
  )

  it.effect("sends a repeated text for each time it comes, and keeps them apart", () =>
    Effect.gen(function* () {
      const translator = fake()
      const outcomes = yield* collect(TranslateStream.translate(Stream.make("a", "b", "a", "a"), de)).pipe(
        translator.provide
      )
      expect(values(outcomes)).toEqual(["<a>", "<b>", "<a>", "<a>"])
      expect(translator.calls).toEqual([["a", "b", "a", "a"]])
    })
  )
})

describe("an empty source", () => {
  it.effect("yields nothing and sends nothing", () =>
    Effect.gen(function* () {
      const translator = fake()
      expect(yield* collect(TranslateStream.translate(Stream.empty, de)).pipe(translator.provide)).toEqual([])
      expect(translator.calls).toEqual([])
    })
  )
})

describe("an oversized text that is not to be cut", () => {
  it.virtual("fails alone, with its size and the limit; its neighbours are translated, in order", () =>
    Effect.gen(function* () {
      const outcomes = yield* collect(TranslateStream.translate(Stream.make("b", giant, "c", "d"), uncut))
      expect(causes(outcomes)).toEqual(["Translated", "InvalidRequest", "Translated", "Translated"])
      expect(values(outcomes)).toEqual(["[de] b", giant, "[de] ç", "[de] d"])
      const failed = outcomes[1] as Outcome.Failed<string>
      expect(failed).toMatchObject({
        source: giant,
        texts: { translated: 0, cached: 0, skipped: 0, failed: 1 },
        cost: { characters: 0, ambiguousCharacters: 0 },
        failures: [{ field: "text", error: { delivery: "not-sent", attempts: 0 } }]
      })
      expect(failed.failures[0].error.message).toContain(String(bodyBytes([giant])))
      expect(failed.failures[0].error.message).toContain(String(maxBytes))
      expect(failed.failures[0].error.message).not.toContain("xxx")
      expect(yield* meter).toMatchObject({ requests: 1, characters: 3 })
    }).pipe(Effect.provide(served()))
  )

  it.virtual("is one byte longer than a body may be", () =>
    Effect.gen(function* () {
      const fits = "x".repeat(maxBytes - bodyBytes([""]))
      const outcomes = yield* collect(TranslateStream.translate(Stream.make(fits, `${fits}x`, fits), uncut))
      expect(causes(outcomes)).toEqual(["Translated", "InvalidRequest", "Translated"])
      expect(yield* meter).toMatchObject({ requests: 2, bytesReceived: 2 * maxBytes })
    }).pipe(Effect.provide(served()))
  )

  it.virtual("is a small one where context and options leave little room", () =>
    Effect.gen(function* () {
      const context = "c".repeat(130_000)
      const options = { ...uncut, context }
      const fits = "x".repeat(maxBytes - bodyBytes([""], { context }))
      const outcomes = yield* collect(TranslateStream.translate(Stream.make("b", `${fits}x`, fits), options))
      expect(causes(outcomes)).toEqual(["Translated", "InvalidRequest", "Translated"])
      expect((yield* meter).requests).toBe(2)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("does not stop a source of nothing else", () =>
    Effect.gen(function* () {
      const outcomes = yield* collect(
        TranslateStream.translate(
          chunked(
            Array.from({ length: 60 }, () => giant),
            7
          ),
          uncut
        )
      )
      expect(new Set(causes(outcomes))).toEqual(new Set(["InvalidRequest"]))
      expect(outcomes).toHaveLength(60)
      expect((yield* meter).requests).toBe(0)
    }).pipe(Effect.provide(served()))
  )
})

describe("translateField", () => {
  const rows: ReadonlyArray<Product> = [
    { sku: "1", title: "b" },
    { sku: "2", title: " " },
    { sku: "3", title: "d" }
  ]
  const expected = [
    { sku: "1", title: "<b>" },
    { sku: "2", title: " " },
    { sku: "3", title: "<d>" }
  ]

  it.effect("translates one field and leaves the others, data-first and data-last", () =>
    Effect.gen(function* () {
      const source = Stream.fromIterable(rows)
      const first = yield* collect(TranslateStream.translateField(source, "title", de))
      const last = yield* collect(source.pipe(TranslateStream.translateField("title", de)))
      expect(values(first)).toEqual(expected)
      expect(values(last)).toEqual(expected)
      expect(tags(last)).toEqual(["Translated", "Skipped", "Translated"])
    }).pipe(fake().provide)
  )

  it.effect("skips null, undefined and missing fields and leaves them as they came", () =>
    Effect.gen(function* () {
      const translator = fake()
      const rows: ReadonlyArray<Product> = [
        { sku: "1", title: "a", body: null },
        { sku: "2", title: "b", body: undefined },
        { sku: "3", title: "c" },
        { sku: "4", title: "d", body: "e" }
      ]
      const outcomes = yield* Stream.fromIterable(rows).pipe(
        TranslateStream.translateField("body", de),
        collect,
        translator.provide
      )
      expect(tags(outcomes)).toEqual(["Skipped", "Skipped", "Skipped", "Translated"])
      expect(values(outcomes)).toStrictEqual([...rows.slice(0, 3), { sku: "4", title: "d", body: "<e>" }])
      expect(translator.calls).toEqual([["e"]])
    })
  )

  it.effect("does not change the elements of the source", () =>
    Effect.gen(function* () {
      const row = Object.freeze({ sku: "1", title: "b" })
      const [outcome] = yield* collect(TranslateStream.translateField(Stream.make(row), "title", de))
      expect(row.title).toBe("b")
      expect(outcome!.source).toBe(row)
    }).pipe(fake().provide)
  )
})

describe("translateFields", () => {
  it.effect("takes a field named constructor for missing where a row has none of its own", () =>
    Effect.gen(function* () {
      interface Part {
        readonly sku: string
        readonly constructor?: string
      }
      const rows = [{ sku: "1" }, { sku: "2", constructor: "Hello" }] as ReadonlyArray<Part>
      const outcomes = yield* collect(
        Stream.fromIterable(rows).pipe(TranslateStream.translateFields(["constructor"], de))
      ).pipe(fake().provide)
      expect(tags(outcomes)).toEqual(["Skipped", "Translated"])
      expect(Object.hasOwn(outcomes[0]!.source, "constructor")).toBe(false)
      expect(outcomes[1]).toMatchObject({ value: { sku: "2", constructor: mark("Hello") } })
    })
  )

  it.effect("translates several fields, data-first and data-last", () =>
    Effect.gen(function* () {
      const rows: ReadonlyArray<Product> = [
        { sku: "1", title: "a", body: "b" },
        { sku: "2", title: "c", body: null }
      ]
      const source = Stream.fromIterable(rows)
      const expected = [
        { sku: "1", title: "<a>", body: "<b>" },
        { sku: "2", title: "<c>", body: null }
      ]
      const first = yield* collect(TranslateStream.translateFields(source, ["title", "body"], de))
      const last = yield* collect(source.pipe(TranslateStream.translateFields(["title", "body"], de)))
      expect(values(first)).toEqual(expected)
      expect(values(last)).toEqual(expected)
      expect(last.map(({ texts }) => texts)).toEqual([
        { translated: 2, cached: 0, skipped: 0, failed: 0 },
        { translated: 1, cached: 0, skipped: 1, failed: 0 }
      ])
    }).pipe(fake().provide)
  )

  it.effect("gives each translation at the place of its field, undefined for a skipped one", () =>
    Effect.gen(function* () {
      const [outcome] = yield* Stream.make({ a: null, b: "x", c: "", d: "y" } as const).pipe(
        TranslateStream.translateFields(["a", "b", "c", "d"], de),
        collect
      )
      expect(outcome).toMatchObject({
        _tag: "Translated",
        translations: [undefined, { text: "<x>" }, undefined, { text: "<y>" }],
        texts: { translated: 2, skipped: 2 }
      })
    }).pipe(fake().provide)
  )

  it.virtual("fails a row of which one text failed, keeps paid translations, and names the field", () =>
    Effect.gen(function* () {
      const outcomes = yield* Stream.make(
        { sku: "1", title: "b", body: giant, note: "" },
        { sku: "2", title: "c", body: "d", note: "f" }
      ).pipe(TranslateStream.translateFields(["title", "body", "note"], uncut), collect)
      expect(outcomes).toMatchObject([
        {
          _tag: "Failed",
          value: { sku: "1", title: "[de] b", body: giant, note: "" },
          texts: { translated: 1, cached: 0, skipped: 1, failed: 1 },
          cost: { characters: 1, ambiguousCharacters: 0 },
          translations: [{ text: "[de] b" }, undefined, undefined],
          failures: [{ field: "body", error: { _tag: "InvalidRequest" } }]
        },
        { _tag: "Translated", value: { sku: "2", title: "[de] ç", body: "[de] d", note: "[de] f" } }
      ])
      expect((yield* meter).characters).toBe(4)
    }).pipe(Effect.provide(served()))
  )

  it.effect("gives an error for each failed field", () =>
    Effect.gen(function* () {
      const [outcome] = yield* Stream.make({ a: "x", b: giant, c: "y" }).pipe(
        TranslateStream.translateFields(["a", "b", "c"], uncut),
        collect
      )
      const failures = (outcome as Outcome.Failed<unknown>).failures.map(({ error, field }) => [
        field,
        error._tag
      ])
      expect(failures.sort()).toEqual([
        ["a", "ServerError"],
        ["b", "InvalidRequest"],
        ["c", "ServerError"]
      ])
    }).pipe(fake(() => Effect.fail(unavailable)).provide)
  )

  it.effect("puts a row together whose texts stand in two requests", () =>
    Effect.gen(function* () {
      const translator = fake()
      const rows = Array.from({ length: 60 }, (_, index) => ({
        a: `a${index}`,
        b: `b${index}`,
        c: `c${index}`
      }))
      const outcomes = yield* chunked(rows, 7).pipe(
        TranslateStream.translateFields(["a", "b", "c"], de),
        collect,
        translator.provide
      )
      expect(translator.calls.map(({ length }) => length)).toEqual([50, 50, 50, 30])
      expect(values(outcomes)).toEqual(rows.map(({ a, b, c }) => ({ a: mark(a), b: mark(b), c: mark(c) })))
    })
  )

  it.effect("fails a row of which one of two requests failed, and keeps the text of the other", () =>
    Effect.gen(function* () {
      const translator = fake((_, call) => (call === 1 ? Effect.fail(unavailable) : Effect.void))
      const rows = Array.from({ length: 34 }, (_, index) => ({
        a: `a${index}`,
        b: `b${index}`,
        c: `c${index}`
      }))
      const outcomes = yield* chunked(rows, 34).pipe(
        TranslateStream.translateFields(["a", "b", "c"], de),
        collect,
        translator.provide
      )
      // The 50th text is b16: c16 and what follows, up to a33, are in the request that failed.
      expect(outcomes[15]!._tag).toBe("Translated")
      expect(outcomes[16]).toMatchObject({
        _tag: "Failed",
        value: { a: "<a16>", b: "<b16>", c: "c16" },
        texts: { translated: 2, failed: 1 },
        failures: [{ field: "c", error: unavailable }]
      })
      expect(outcomes[33]).toMatchObject({
        _tag: "Failed",
        value: { a: "a33", b: "<b33>", c: "<c33>" },
        failures: [{ field: "a" }]
      })
    })
  )
})

describe("a row", () => {
  it.virtual("of which a field is named twice is paid for once", () =>
    Effect.gen(function* () {
      const translator = fake()
      yield* collect(TranslateStream.translateFields(Stream.make({ a: "x" }), ["a", "a"], de)).pipe(
        translator.provide
      )
      expect(translator.calls).toEqual([["x"]])
    })
  )

  it.virtual("that is an instance of a class stays one", () =>
    Effect.gen(function* () {
      class Product extends Schema.Class<Product>("Product")({ title: Schema.String }) {
        get shout() {
          return `${this.title}!`
        }
      }
      const [outcome] = yield* collect(
        TranslateStream.translateField(Stream.make(new Product({ title: "a" })), "title", de)
      )
      expect(outcome!.value).toBeInstanceOf(Product)
      expect(outcome!.value.shout).toBe("<a>!")
    }).pipe(fake().provide)
  )

  it.virtual("lists its failures in the order of its fields", () =>
    Effect.gen(function* () {
      const [outcome] = yield* collect(
        TranslateStream.translateFields(Stream.make({ a: "x", b: giant }), ["a", "b"], uncut)
      )
      expect((outcome as Outcome.Failed<unknown>).failures.map(({ field }) => field)).toEqual(["a", "b"])
    }).pipe(fake(() => Effect.fail(unavailable)).provide)
  )

  it.virtual("of 50,000 failed texts takes seconds at most, not minutes", () =>
    Effect.gen(function* () {
      const used = cpuTime.start()
      yield* Stream.make(numbered(50_000)).pipe(
        TranslateStream.translateWith({ ...de, texts: (row) => row, replace: (_, texts) => texts.length }),
        collect
      )
      expect(used()).toBeLessThan(5000)
    }).pipe(fake(() => Effect.fail(unavailable)).provide)
  )
})

describe("translateWith", () => {
  interface Page {
    readonly id: number
    readonly parts: ReadonlyArray<string | null | undefined>
  }
  const parts = {
    ...de,
    texts: (page: Page) => page.parts,
    replace: (page: Page, parts: Page["parts"]) => ({ ...page, parts })
  }

  it.effect("adds fields instead of replacing them, data-first and data-last", () =>
    Effect.gen(function* () {
      const source = Stream.make({ sku: "1", title: "a" }, { sku: "2", title: "" })
      const options = {
        ...de,
        texts: (row: { sku: string; title: string }) => [row.title] as const,
        replace: (row: { sku: string; title: string }, [title_de]: readonly [string]) => ({
          ...row,
          title_de
        })
      }
      const expected = [
        { sku: "1", title: "a", title_de: "<a>" },
        { sku: "2", title: "", title_de: "" }
      ]
      expect(values(yield* collect(TranslateStream.translateWith(source, options)))).toEqual(expected)
      expect(values(yield* collect(source.pipe(TranslateStream.translateWith(options))))).toEqual(expected)
    }).pipe(fake().provide)
  )

  it.effect("skips an element without texts and still puts it together", () =>
    Effect.gen(function* () {
      const outcomes = yield* Stream.make<Array<Page>>(
        { id: 1, parts: [] },
        { id: 2, parts: [null, undefined, " "] },
        { id: 3, parts: ["a", null] }
      ).pipe(
        TranslateStream.translateWith({
          ...parts,
          replace: (page, parts) => `${page.id}:${parts.join("|")}`
        }),
        collect
      )
      expect(values(outcomes)).toEqual(["1:", "2:|| ", "3:<a>|"])
      expect(tags(outcomes)).toEqual(["Skipped", "Skipped", "Translated"])
      expect(outcomes.map(({ texts }) => texts.skipped)).toEqual([0, 3, 1])
    }).pipe(fake().provide)
  )

  it.effect("puts a row of more texts than a request holds together, at any concurrency", () =>
    Effect.gen(function* () {
      for (const concurrency of [1, 3]) {
        const translator = fake(() => randomTurns(10))
        const pages: ReadonlyArray<Page> = [
          { id: 1, parts: ["a"] },
          { id: 2, parts: numbered(1234) },
          { id: 3, parts: ["b"] }
        ]
        const outcomes = yield* Stream.fromIterable(pages).pipe(
          TranslateStream.translateWith({ ...parts, concurrency }),
          collect,
          translator.provide
        )
        expect(values(outcomes)).toEqual(
          pages.map(({ id, parts }) => ({ id, parts: parts.map((part) => mark(part as string)) }))
        )
        expect(outcomes[1]!.texts.translated).toBe(1234)
      }
    })
  )

  it.effect("names a failed text by its position", () =>
    Effect.gen(function* () {
      const [outcome] = yield* Stream.make<Array<Page>>({ id: 1, parts: ["a", null, giant] }).pipe(
        TranslateStream.translateWith({ ...parts, ...uncut }),
        collect
      )
      expect(outcome).toMatchObject({ failures: [{ field: 2 }], value: { parts: ["<a>", null, giant] } })
    }).pipe(fake().provide)
  )
})

describe("a failure of one request", () => {
  it.virtual("fails its texts, and the stream goes on", () =>
    Effect.gen(function* () {
      yield* script(Fault.where(Fault.status(503), ({ texts }) => texts.includes("t120")))
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(numbered(200)), de))
      expect(causes(outcomes)).toEqual(
        numbered(200).map((_, index) => (index >= 100 && index < 150 ? "ServerError" : "Translated"))
      )
      expect(yield* meter).toMatchObject({ requests: 4, texts: 150 })
    }).pipe(once, Effect.provide(served()))
  )

  it.virtual("keeps the source's text as the value, and tells why", () =>
    Effect.gen(function* () {
      yield* script(Fault.status(422, { body: { message: "No" } }))
      const outcomes = yield* collect(TranslateStream.translate(Stream.make("b"), de))
      expect(outcomes).toMatchObject([
        {
          _tag: "Failed",
          source: "b",
          value: "b",
          failures: [{ field: "text", error: { _tag: "BadRequest", status: 422, delivery: "rejected" } }]
        }
      ])
    }).pipe(Effect.provide(served()))
  )
})

describe("options that break a rule", () => {
  it.virtual.each([
    ["a value that does not exist", { ...de, formality: "rude" }, "formality"],
    ["an unknown name", { ...de, formalty: "more" }, "formalty"],
    ["a glossary without a source language", { ...de, glossaryId: "g" }, "sourceLang"],
    [
      "two ways to name glossaries",
      { ...de, sourceLang: "en", glossaryId: "g", glossaryIds: ["h"] },
      "glossaryIds"
    ],
    ["a style with the fast model", { ...de, styleId: "s", modelType: "latency_optimized" }, "modelType"],
    ["no target language", {}, "targetLang"],
    ["a context that leaves no room for a text", { ...de, context: "x".repeat(maxBytes) }, "context"]
  ] as const)("fail the stream before anything is pulled or sent: %s", ([_, options, word]) =>
    Effect.gen(function* () {
      const source = counted(100, String)
      const { exit, out } = yield* drain(
        TranslateStream.translate(source.stream, options as TranslateStream.Options)
      )
      const error = failsWith(exit)
      expect(error).toMatchObject({ _tag: "InvalidRequest", delivery: "not-sent", attempts: 0 })
      expect(String((error as Error).message)).toContain(word)
      expect((error as Error).message).not.toContain("xxx")
      expect(out).toEqual([])
      expect(source.state).toEqual({ pulled: 0, opened: 0, closed: 0 })
      expect((yield* meter).requests).toBe(0)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("name the size and the limit of a context that is too long", () =>
    Effect.gen(function* () {
      const context = "世".repeat(50_000)
      const error = yield* Effect.flip(
        collect(TranslateStream.translate(Stream.make("a"), { ...de, context }))
      )
      expect(error.message).toContain(String(bodyBytes([], { context })))
      expect(error.message).toContain(String(maxBytes))
    }).pipe(Effect.provide(served()))
  )
})

describe("options", () => {
  it.effect("reach the translator, with the billed characters asked for, without how the stream runs", () =>
    Effect.gen(function* () {
      const translator = fake()
      const seen: Array<unknown> = []
      yield* collect(
        TranslateStream.translate(Stream.make("a"), {
          targetLang: "DE",
          sourceLang: "en",
          formality: "more",
          concurrency: 3,
          unordered: true
        })
      ).pipe(
        provide({
          translate: (texts, options) => {
            seen.push(options)
            return translator.service.translate(texts, options)
          }
        })
      )
      expect(seen).toEqual([
        { targetLang: "DE", sourceLang: "en", formality: "more", showBilledCharacters: true }
      ])
    })
  )
})

describe("a retry policy around the stream", () => {
  it.virtual("holds for its requests", () =>
    Effect.gen(function* () {
      yield* script(Fault.times(Fault.status(503), 2))
      const stream = TranslateStream.translate(Stream.make("b"), de)
      const none = yield* collect(stream).pipe(
        Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.none)
      )
      expect(causes(none)).toEqual(["ServerError"])
      expect((yield* meter).requests).toBe(1)
      const patient = yield* collect(stream).pipe(hasty)
      expect(causes(patient)).toEqual(["Translated"])
      expect((yield* meter).requests).toBe(3)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("may be provided to the stream itself", () =>
    Effect.gen(function* () {
      yield* script(Fault.status(503))
      const outcomes = yield* TranslateStream.translate(Stream.make("b"), de).pipe(
        Stream.provideService(RetryPolicy.RetryPolicy, RetryPolicy.none),
        collect
      )
      expect(causes(outcomes)).toEqual(["ServerError"])
    }).pipe(Effect.provide(served()))
  )
})

describe("calls that a source makes itself", () => {
  it.effect(
    "are of the operator that runs the stream, and none of its requests, also while one is sent",
    () =>
      Effect.gen(function* () {
        const { provide } = fake(() => Effect.yieldNow())
        const outer = bulkCalls.plain()
        const seen = new Set<unknown>()
        const noting = (text: string) =>
          Effect.as(
            Effect.tap(bulkCalls.BulkCalls, (operator) => seen.add(operator)),
            text
          )
        yield* Stream.fromIterable(numbered(200)).pipe(
          Stream.rechunk(20),
          Stream.tap(noting),
          Stream.mapEffect(noting, { concurrency: 4 }),
          TranslateStream.translate({ ...de, concurrency: 2 }),
          drain,
          provide,
          Effect.provideService(bulkCalls.BulkCalls, outer)
        )
        expect([...seen]).toEqual([outer])
        expect(seen.has(outer)).toBe(true)
      })
  )
})

describe("the source's requirements", () => {
  class Greeting extends Context.Tag("test/Greeting")<Greeting, string>() {}

  it.effect("are kept and met", () =>
    Effect.gen(function* () {
      const outcomes = yield* Stream.fromEffect(Greeting).pipe(TranslateStream.translate(de), collect)
      expect(values(outcomes)).toEqual(["<hello>"])
    }).pipe(Effect.provideService(Greeting, "hello"), fake().provide)
  )
})
