/** Streams of texts through text improvement: what goes into a request, and what comes out. */
import * as HttpClient from "@effect/platform/HttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Outcome, TranslateClient, TranslateStream, TranslationStore, WriteStream } from "effect-translate"
import { Check } from "effect-translate/checks"
import { Emulator, Fault, PseudoImprovement } from "effect-translate/emulator"
import * as fc from "fast-check"
import { clientOf } from "../support/emulator.js"
import { runs } from "../support/long.js"
import { assertReaching } from "../support/reaching.js"
import {
  causes,
  chunked,
  collect,
  counted,
  drain,
  failsWith,
  hasty,
  meter,
  numbered,
  once,
  script,
  tags,
  values
} from "./support.js"

const maxBytes = 10_240

/** The bodies that were sent, byte by byte. */
class Bodies extends Context.Tag("test/Bodies")<Bodies, Array<Uint8Array>>() {}

const recorded = Layer.effect(
  HttpClient.HttpClient,
  Effect.flatMap(Bodies, (bodies) =>
    Effect.map(
      HttpClient.HttpClient,
      HttpClient.tapRequest(({ body }) =>
        Effect.sync(() => {
          if (body._tag === "Uint8Array") bodies.push(body.body)
        })
      )
    )
  )
)

/** An emulator and a client of it, of which every body is kept. */
const served = (options?: Emulator.Options) =>
  clientOf().pipe(
    Layer.provide(recorded),
    Layer.provideMerge(Emulator.layerHttpClient(options)),
    Layer.provideMerge(Layer.sync(Bodies, () => [])),
    Layer.orDie
  )

const textsOf = (body: Uint8Array): ReadonlyArray<string> => JSON.parse(Buffer.from(body).toString()).text

const enGb = { targetLang: "en-GB" } as const

const rephrased = (text: string) => PseudoImprovement.rephrase(text, enGb)

const corrected = (text: string) => PseudoImprovement.correct(text, enGb)

/** The bytes of a body as the specification writes it. */
const bodyBytes = (texts: ReadonlyArray<string>): number =>
  Buffer.byteLength(JSON.stringify({ text: texts, target_lang: "en-GB" }))

const giant = "x".repeat(maxBytes)

describe("rephrase", () => {
  it.virtual("yields the improvement of each text, data-first and data-last", () =>
    Effect.gen(function* () {
      const source = Stream.make("one", "two {name}", "🌍")
      const options = { ...enGb, tone: "friendly" } as const
      const expected = ["one", "two {name}", "🌍"].map((text) => `[rephrased en-GB friendly] ${text}`)
      expect(values(yield* collect(WriteStream.rephrase(source, options)))).toEqual(expected)
      expect(values(yield* collect(source.pipe(WriteStream.rephrase(options))))).toEqual(expected)
      expect(
        yield* Effect.map(Bodies, (bodies) => bodies.map((body) => Buffer.from(body).toString()))
      ).toEqual(Array(2).fill('{"text":["one","two {name}","🌍"],"target_lang":"en-GB","tone":"friendly"}'))
    }).pipe(Effect.provide(served()))
  )

  it.virtual("tells source, value, texts, cost and the service's own improvement", () =>
    Effect.gen(function* () {
      expect(yield* collect(WriteStream.rephrase(Stream.make("hello"), enGb))).toEqual([
        {
          _tag: "Translated",
          source: "hello",
          value: "[rephrased en-GB] hello",
          texts: { translated: 1, cached: 0, skipped: 0, failed: 0 },
          cost: { characters: 5, ambiguousCharacters: 0 },
          translations: [
            { text: "[rephrased en-GB] hello", targetLanguage: "en-GB", detectedSourceLanguage: "en" }
          ]
        }
      ])
    }).pipe(Effect.provide(served()))
  )

  it.virtual("sends no whitespace around a text, and puts it back", () =>
    Effect.gen(function* () {
      const blanks = " \n".repeat(maxBytes)
      const outcomes = yield* collect(WriteStream.rephrase(Stream.make(" a", `${blanks}b\u3000`), {}))
      expect(values(outcomes)).toEqual([" [rephrased] a", `${blanks}[rephrased] b\u3000`])
      expect(yield* meter).toMatchObject({ requests: 1, texts: 2, characters: 2 })
    }).pipe(Effect.provide(served()))
  )

  it.virtual("passes blank texts through as they came, skipped and unbilled, and never sends them", () =>
    Effect.gen(function* () {
      const texts = ["", "a", " \n", "\u00a0", "b", "\u3000"]
      const outcomes = yield* collect(WriteStream.rephrase(Stream.fromIterable(texts), {}))
      expect(values(outcomes)).toEqual(["", "[rephrased] a", " \n", "\u00a0", "[rephrased] b", "\u3000"])
      expect(tags(outcomes)).toEqual(["Skipped", "Translated", "Skipped", "Skipped", "Translated", "Skipped"])
      expect(yield* meter).toMatchObject({ requests: 1, texts: 2, characters: 2 })
    }).pipe(Effect.provide(served()))
  )

  it.virtual("packs more texts than a translation takes: the service limits the bytes only", () =>
    Effect.gen(function* () {
      const outcomes = yield* collect(WriteStream.rephrase(Stream.fromIterable(numbered(900)), enGb))
      expect(values(outcomes)).toEqual(numbered(900).map(rephrased))
      expect((yield* meter).requests).toBe(1)
    }).pipe(Effect.provide(served()))
  )
})

describe("correct", () => {
  it.virtual("yields the correction of each text, data-first and data-last", () =>
    Effect.gen(function* () {
      const source = Stream.make("one", "two")
      expect(values(yield* collect(WriteStream.correct(source, enGb)))).toEqual(["one", "two"].map(corrected))
      expect(values(yield* collect(source.pipe(WriteStream.correct({}))))).toEqual([
        "[corrected] one",
        "[corrected] two"
      ])
      expect(
        yield* Effect.map(Bodies, (bodies) => bodies.map((body) => Buffer.from(body).toString()))
      ).toEqual(['{"text":["one","two"],"target_lang":"en-GB"}', '{"text":["one","two"]}'])
    }).pipe(Effect.provide(served()))
  )
})

describe("rephraseWith and correctWith", () => {
  interface Page {
    readonly id: number
    readonly parts: ReadonlyArray<string | null>
  }
  const pages: ReadonlyArray<Page> = [
    { id: 1, parts: ["a", null, "b"] },
    { id: 2, parts: [] },
    { id: 3, parts: ["c"] }
  ]
  const texts = (page: Page) => page.parts
  const replace = (page: Page, parts: Page["parts"]): Page => ({ ...page, parts })

  it.virtual("improve the texts that are in elements, data-first and data-last", () =>
    Effect.gen(function* () {
      const source = Stream.fromIterable(pages)
      const first = yield* collect(
        WriteStream.rephraseWith(source, { ...enGb, tone: "friendly", texts, replace })
      )
      expect(values(first)).toEqual([
        { id: 1, parts: ["[rephrased en-GB friendly] a", null, "[rephrased en-GB friendly] b"] },
        { id: 2, parts: [] },
        { id: 3, parts: ["[rephrased en-GB friendly] c"] }
      ])
      expect(tags(first)).toEqual(["Translated", "Skipped", "Translated"])
      const last = yield* source.pipe(WriteStream.correctWith({ ...enGb, texts, replace }), collect)
      expect(values(last)).toEqual([
        { id: 1, parts: [corrected("a"), null, corrected("b")] },
        { id: 2, parts: [] },
        { id: 3, parts: [corrected("c")] }
      ])
    }).pipe(Effect.provide(served()))
  )

  it.virtual("name a failed text by its position, and keep the others", () =>
    Effect.gen(function* () {
      const [outcome] = yield* Stream.make<Array<Page>>({ id: 1, parts: ["a", null, giant] }).pipe(
        WriteStream.correctWith({ ...enGb, texts, replace }),
        collect
      )
      expect(outcome).toMatchObject({
        _tag: "Failed",
        value: { id: 1, parts: [corrected("a"), null, giant] },
        texts: { translated: 1, skipped: 1, failed: 1 },
        failures: [{ field: 2, error: { _tag: "InvalidRequest", path: "/v2/write/correct" } }]
      })
    }).pipe(Effect.provide(served()))
  )
})

describe("a text over the limit", () => {
  it.virtual('fails alone, with its size and the limit of "10 KiB (10240 bytes)"', () =>
    Effect.gen(function* () {
      const fits = "x".repeat(maxBytes - bodyBytes([""]))
      const outcomes = yield* collect(WriteStream.rephrase(Stream.make("a", `${fits}x`, fits, "b"), enGb))
      expect(causes(outcomes)).toEqual(["Translated", "InvalidRequest", "Translated", "Translated"])
      expect(outcomes[1]).toMatchObject({
        _tag: "Failed",
        value: `${fits}x`,
        cost: { characters: 0, ambiguousCharacters: 0 },
        failures: [{ field: "text", error: { delivery: "not-sent", attempts: 0 } }]
      })
      expect((outcomes[1] as Outcome.Failed<string>).failures[0].error.message).toBe(
        "POST /v2/write/rephrase was not sent: text takes a body of 10241 bytes by itself; the limit is 10240: split it into shorter texts"
      )
      const bodies = yield* Bodies
      expect(bodies.map(({ length }) => length).sort((a, b) => b - a)[0]).toBe(maxBytes)
    }).pipe(Effect.provide(served()))
  )
})

describe("options that break a rule fail the stream before anything is pulled or sent", () => {
  it.virtual.each([
    ["writingStyle", { writingStyle: "business", targetLang: "ja" }],
    ["tone", { tone: "friendly", writingStyle: "simple" }],
    ["targetLang", { targetLang: "english!" }],
    ["formality", { formality: "more" }],
    ["concurrency", { concurrency: 0 }],
    ["10240", { writingStyle: "x".repeat(maxBytes) }]
  ])("%s", ([word, options]) =>
    Effect.gen(function* () {
      const source = counted(100, String)
      const { exit, out } = yield* drain(
        WriteStream.rephrase(source.stream, options as WriteStream.RephraseOptions)
      )
      const error = failsWith(exit) as Error
      expect(error).toMatchObject({ _tag: "InvalidRequest", path: "/v2/write/rephrase", attempts: 0 })
      expect(error.message).toContain(word)
      expect(error.message).not.toContain("xxx")
      expect(out).toEqual([])
      expect(source.state).toEqual({ pulled: 0, opened: 0, closed: 0 })
      expect(yield* Bodies).toEqual([])
    }).pipe(Effect.provide(served()))
  )

  it.virtual("of correct", () =>
    Effect.gen(function* () {
      const options = { ...enGb, tone: "friendly" } as WriteStream.CorrectOptions
      const { exit } = yield* drain(WriteStream.correct(Stream.make("a"), options))
      expect(failsWith(exit)).toMatchObject({ _tag: "InvalidRequest", path: "/v2/write/correct" })
    }).pipe(Effect.provide(served()))
  )
})

/** Texts of which two fill a request. */
const large = (count: number) => numbered(count).map((name) => name.padEnd(5000, "."))

describe("failures", () => {
  it.virtual("of one text leave the others of its request alone", () =>
    Effect.gen(function* () {
      yield* script(Fault.poison("t3."))
      const outcomes = yield* collect(
        WriteStream.rephrase(Stream.fromIterable(large(8)), { ...enGb, concurrency: 2 })
      )
      expect(causes(outcomes)).toEqual(
        numbered(8).map((name) => (name === "t3" ? "BadRequest" : "Translated"))
      )
      expect(yield* meter).toMatchObject({ requests: 6, texts: 7 })
    }).pipe(Effect.provide(served()), once)
  )

  it.virtual("in doubt are repeated, and counted at the cost", () =>
    Effect.gen(function* () {
      yield* script(Fault.times(Fault.status(500), 2))
      const outcomes = yield* collect(WriteStream.correct(Stream.make("four"), enGb))
      expect(outcomes).toMatchObject([
        { _tag: "Translated", cost: { characters: 4, ambiguousCharacters: 8 } }
      ])
    }).pipe(Effect.provide(served()), hasty)
  )

  it.virtual("of the quota end the stream, once all that was pulled has its outcome", () =>
    Effect.gen(function* () {
      const { exit, out } = yield* drain(
        WriteStream.correct(chunked(large(8), 8), { ...enGb, concurrency: 1 })
      )
      expect(failsWith(exit)).toMatchObject({ _tag: "QuotaExceeded", path: "/v2/write/correct" })
      expect(causes(out)).toEqual([
        "Translated",
        "Translated",
        ...Array.from({ length: 6 }, () => "QuotaExceeded")
      ])
      expect((yield* meter).characters).toBe(10_000)
    }).pipe(Effect.provide(served({ characterLimit: 12_000 })))
  )

  it.virtual("of another client that answers too little are MismatchedResponse: no text gets another's", () =>
    Effect.gen(function* () {
      const client = yield* TranslateClient.TranslateClient
      const outcomes = yield* collect(WriteStream.rephrase(Stream.make("a", "b"), enGb)).pipe(
        Effect.provideService(TranslateClient.TranslateClient, {
          ...client,
          write: {
            ...client.write,
            rephrase: (request) => client.write.rephrase({ ...request, text: request.text.slice(1) })
          }
        })
      )
      expect(values(outcomes)).toEqual(["a", "b"])
      expect(outcomes[0]).toMatchObject({
        cost: { characters: 0, ambiguousCharacters: 1 },
        failures: [
          { error: { _tag: "MismatchedResponse", path: "/v2/write/rephrase", expected: 2, received: 1 } }
        ]
      })
    }).pipe(Effect.provide(served()))
  )
})

describe("the order", () => {
  it.virtual("is kept unless it is said to be unordered; then each text comes once all the same", () =>
    Effect.gen(function* () {
      const texts = large(40)
      const slow = Fault.where(Fault.slow("300 millis"), ({ texts }) =>
        texts.some((text) => /^t[26]\./.test(text))
      )
      yield* script(Fault.times(slow, 2))
      const kept = yield* collect(
        WriteStream.correct(Stream.fromIterable(texts), { ...enGb, concurrency: 4 })
      )
      expect(kept.map(({ source }) => source)).toEqual(texts)
      expect(values(kept)).toEqual(texts.map(corrected))
      yield* script(slow)
      const free = yield* collect(
        WriteStream.correct(Stream.fromIterable(texts), { ...enGb, concurrency: 4, unordered: true })
      )
      expect(values(free)).not.toEqual(values(kept))
      expect([...values(free)].sort()).toEqual([...values(kept)].sort())
    }).pipe(Effect.provide(served()))
  )
})

describe("stages in a row", () => {
  it.virtual("correct first and translate then", () =>
    Effect.gen(function* () {
      const outcomes = yield* Stream.make("bcd").pipe(
        WriteStream.correct(enGb),
        Outcome.orFail,
        TranslateStream.translate({ targetLang: "de" }),
        collect
      )
      expect(values(outcomes)).toEqual(["[de] [çörréçtéd éñ-GB] bçd"])
    }).pipe(Effect.provide(served()))
  )
})

describe("for any corpus, any chunks and any concurrency", () => {
  const text = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("a", "é", "🌍", "\ud800", '"\\', "\u0001", "a\nb", " ", "") },
    { weight: 3, arbitrary: fc.string({ unit: "grapheme-ascii", maxLength: 300, size: "max" }) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom("a", "é", "🌍", "\u0001"), fc.integer({ min: 500, max: 11_000 }))
        .map(([unit, bytes]) => unit.repeat(Math.ceil(bytes / (bodyBytes([unit]) - bodyBytes([""])))))
    }
  )
  const scenario = fc.record({
    texts: fc.array(text, { maxLength: 120, size: "max" }),
    chunks: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 10 }),
    concurrency: fc.constantFrom(1, 2, 8),
    operator: fc.constantFrom("rephrase", "correct")
  })

  const chunksOf = (texts: ReadonlyArray<string>, sizes: ReadonlyArray<number>) => {
    const chunks: Array<Chunk.Chunk<string>> = []
    for (let start = 0, index = 0; start < texts.length; index++) {
      const size = sizes[index % sizes.length]!
      chunks.push(Chunk.unsafeFromArray(texts.slice(start, start + size)))
      start += size
    }
    return Stream.fromChunks(...chunks)
  }

  it("every body has at most 10240 bytes on the wire and none has room for the next text; order is kept, none is lost", async () => {
    const seen = { bodies: 0, full: 0, failed: 0 }
    await Effect.gen(function* () {
      const client = yield* TranslateClient.TranslateClient
      const bodies = yield* Bodies
      yield* Effect.promise(() =>
        assertReaching(
          fc.asyncProperty(scenario, ({ chunks, concurrency, operator, texts }) =>
            Effect.gen(function* () {
              bodies.length = 0
              const source = chunksOf(texts, chunks)
              const options = { ...enGb, concurrency }
              const outcomes = yield* collect(
                operator === "rephrase"
                  ? WriteStream.rephrase(source, options)
                  : WriteStream.correct(source, options)
              )
              const improved = operator === "rephrase" ? rephrased : corrected
              const fits = (text: string) => bodyBytes([text.trim()]) <= maxBytes
              expect(outcomes.map(({ source }) => source)).toEqual(texts)
              expect(values(outcomes)).toEqual(texts.map((text) => (fits(text) ? improved(text) : text)))
              expect(causes(outcomes)).toEqual(
                texts.map((text) =>
                  text.trim() === "" ? "Skipped" : fits(text) ? "Translated" : "InvalidRequest"
                )
              )
              const sent = texts.map((text) => text.trim()).filter((text) => text !== "" && fits(text))
              expect(bodies.flatMap(textsOf).sort()).toEqual([...sent].sort())
              for (const body of bodies) expect(body.length).toBeLessThanOrEqual(maxBytes)
              if (concurrency === 1) {
                expect(bodies.flatMap(textsOf)).toEqual(sent)
                // A text that fits into no request may end one: it is measured once it is the first of a request.
                const behindUnfit = new Set(
                  texts
                    .filter((text) => text.trim() !== "")
                    .flatMap((text, index, all) => (fits(text) ? [index > 0 && !fits(all[index - 1]!)] : []))
                    .flatMap((isBehind, index) => (isBehind ? [index] : []))
                )
                let first = 0
                for (let i = 0; i + 1 < bodies.length; i++) {
                  const [next] = textsOf(bodies[i + 1]!)
                  first += textsOf(bodies[i]!).length
                  if (behindUnfit.has(first)) continue
                  expect(bodyBytes([...textsOf(bodies[i]!), next!])).toBeGreaterThan(maxBytes)
                }
              }
              seen.bodies += bodies.length
              seen.full += bodies.filter(({ length }) => length > maxBytes - 100).length
              seen.failed += outcomes.filter(Outcome.isFailed).length
            }).pipe(Effect.provideService(TranslateClient.TranslateClient, client), Effect.runPromise)
          ),
          runs(60),
          () => {
            for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0)
          },
          3
        )
      )
    }).pipe(Effect.provide(served()), Effect.runPromise)
  })
})

describe("a store", () => {
  it.virtual("holds improvements, of each endpoint and each tone its own", () =>
    Effect.gen(function* () {
      const store = yield* TranslationStore.makeMemory()
      const options = { ...enGb, store }
      const texts = Stream.make("one", "two")
      expect(tags(yield* collect(WriteStream.rephrase(texts, options)))).toEqual(["Translated", "Translated"])
      const { characters } = yield* meter
      const again = yield* collect(WriteStream.rephrase(texts, options))
      expect(tags(again)).toEqual(["Cached", "Cached"])
      expect(values(again)).toEqual(["one", "two"].map(rephrased))
      expect((yield* meter).characters).toBe(characters)
      const friendly = yield* collect(WriteStream.rephrase(texts, { ...options, tone: "friendly" }))
      expect(tags(friendly)).toEqual(["Translated", "Translated"])
      const correct = yield* collect(WriteStream.correct(texts, options))
      expect(values(correct)).toEqual(["one", "two"].map(corrected))
    }).pipe(Effect.provide(served()))
  )
})

describe("an improvement that looks wrong", () => {
  it.virtual("is asked for again without a context, which the endpoint does not take", () =>
    Effect.gen(function* () {
      yield* script(Fault.mistranslate((source, improved) => (source === "b." ? "" : improved)))
      const outcomes = yield* collect(
        WriteStream.correct(Stream.make("a.", "b."), { ...enGb, verify: { checks: [Check.empty] } })
      )
      expect(values(outcomes)).toEqual(["a.", "b."].map(corrected))
      const bodies = yield* Bodies
      expect(bodies.map(textsOf)).toEqual([["a.", "b."], ["b."]])
      expect((yield* meter).characters).toBe(6)
    }).pipe(Effect.provide(served()))
  )
})
