/** Equal texts: sent once, told for each element, remembered within bounds. */
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { Outcome, TranslateStream, TranslationStore, Translator } from "effect-translate"
import { Fault } from "effect-translate/emulator"
import * as fc from "fast-check"
import { runs } from "../support/long.js"
import {
  afterFirst,
  badRequest,
  causes,
  charactersOf,
  chunked,
  collect,
  de,
  drain,
  failsWith,
  fake,
  german,
  mark,
  meter,
  numbered,
  once,
  quotaExceeded,
  randomTurns,
  script,
  served,
  tags,
  unavailable,
  until,
  values
} from "./support.js"

const deduped = { ...de, dedupe: true } as const

/** Every text comes alone and waits for the outcome of the one before. */
const oneByOne = (texts: ReadonlyArray<string>, options: TranslateStream.Options) =>
  Effect.gen(function* () {
    const queue = yield* Queue.unbounded<string>()
    const outcomes: Array<Outcome.Outcome<string>> = []
    const fiber = yield* Stream.fromQueue(queue).pipe(
      TranslateStream.translate(options),
      Stream.runForEach((outcome) => Effect.sync(() => outcomes.push(outcome))),
      Effect.fork
    )
    for (const [index, text] of texts.entries()) {
      yield* Queue.offer(queue, text)
      yield* until(() => outcomes.length === index + 1)
    }
    yield* Fiber.interrupt(fiber)
    return outcomes
  })

describe("equal texts", () => {
  it.effect("are each sent by a stream whose store is none, unless it is told to remember", () =>
    Effect.gen(function* () {
      const options = { ...de, store: TranslationStore.none }
      const translator = fake()
      const run = (given: TranslateStream.Options) =>
        Stream.make("a", "a").pipe(TranslateStream.translate(given), collect, translator.provide)
      expect(tags(yield* run(options))).toEqual(["Translated", "Translated"])
      expect(tags(yield* run({ ...options, dedupe: true }))).toEqual(["Translated", "Cached"])
      expect(translator.calls).toEqual([["a", "a"], ["a"]])
    })
  )

  it.virtual("are sent once, paid for once, and each has its outcome, as the service's meter shows", () =>
    Effect.gen(function* () {
      const texts = Array.from({ length: 3000 }, (_, index) => `t${index % 60}`)
      const outcomes = yield* collect(TranslateStream.translate(chunked(texts, 64), deduped))
      expect(outcomes.map(({ source }) => source)).toEqual(texts)
      expect(values(outcomes)).toEqual(texts.map(german))
      expect(tags(outcomes)).toEqual(texts.map((_, index) => (index < 60 ? "Translated" : "Cached")))
      const sum = yield* Stream.run(Stream.fromIterable(outcomes), Outcome.tally)
      const characters = charactersOf(texts.slice(0, 60))
      expect(sum).toEqual({
        in: 3000,
        translated: 60,
        cached: 2940,
        skipped: 0,
        failed: 0,
        characters,
        ambiguousCharacters: 0
      })
      expect(yield* meter).toMatchObject({ requests: 2, texts: 60, characters })
    }).pipe(Effect.provide(served()))
  )

  it.virtual("are sent each time unless it is asked for", () =>
    Effect.gen(function* () {
      for (const options of [de, { ...de, dedupe: false }]) {
        const translator = fake()
        const outcomes = yield* collect(TranslateStream.translate(Stream.make("a", "a"), options)).pipe(
          translator.provide
        )
        expect(tags(outcomes)).toEqual(["Translated", "Translated"])
        expect(translator.calls).toEqual([["a", "a"]])
      }
    })
  )

  it.virtual(
    "are equal to the last character: no case, no whitespace within, no normal form is ignored",
    () =>
      Effect.gen(function* () {
        const texts = ["a", "A", "a b", "a  b", "\u00e9", "e\u0301", "\ud83c\udf0d", "\ud83c", "\udf0d"]
        const translator = fake()
        const outcomes = yield* collect(
          TranslateStream.translate(Stream.fromIterable([...texts, ...texts]), deduped)
        ).pipe(translator.provide)
        expect(translator.calls).toEqual([texts])
        expect(values(outcomes)).toEqual([...texts, ...texts].map(mark))
      })
  )

  it.virtual("are not taken from another run: its options may be others", () =>
    Effect.gen(function* () {
      const stage = TranslateStream.translate(deduped)
      const translator = fake()
      yield* collect(stage(Stream.make("a"))).pipe(translator.provide)
      const outcomes = yield* collect(stage(Stream.make("a"))).pipe(translator.provide)
      expect(tags(outcomes)).toEqual(["Translated"])
      expect(translator.calls).toHaveLength(2)
    })
  )

  it.virtual("within a row are sent once: the row pays for one, and counts the other as cached", () =>
    Effect.gen(function* () {
      const outcomes = yield* Stream.make(
        { a: "x", b: "x", c: "x" },
        { a: "x", b: "", c: "x" },
        { a: "x", b: "z", c: "z" }
      ).pipe(TranslateStream.translateFields(["a", "b", "c"], deduped), collect)
      expect(outcomes).toMatchObject([
        {
          _tag: "Translated",
          value: { a: "[de] x", b: "[de] x", c: "[de] x" },
          texts: { translated: 1, cached: 2, skipped: 0, failed: 0 },
          cost: { characters: 1 }
        },
        {
          _tag: "Cached",
          value: { a: "[de] x", b: "", c: "[de] x" },
          texts: { translated: 0, cached: 2, skipped: 1, failed: 0 },
          cost: { characters: 0 },
          translations: [{ text: "[de] x" }, undefined, { text: "[de] x" }]
        },
        {
          _tag: "Translated",
          value: { a: "[de] x", b: "[de] z", c: "[de] z" },
          texts: { translated: 1, cached: 2, skipped: 0, failed: 0 },
          cost: { characters: 1 }
        }
      ])
      expect((yield* meter).characters).toBe(2)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("in flight are waited for, and sent by nobody else", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const translator = fake(
        afterFirst((texts) => (texts.includes("x") ? Deferred.await(gate) : Effect.void))
      )
      const texts = [...numbered(50), "x", ...numbered(99).slice(50), "x", ...numbered(200).slice(99)]
      const fiber = yield* TranslateStream.translate(chunked(texts, 300), deduped).pipe(
        collect,
        translator.provide,
        Effect.fork
      )
      yield* until(() => translator.state.completed === 4)
      yield* Deferred.succeed(gate, undefined)
      const outcomes = yield* Fiber.join(fiber)
      expect(values(outcomes)).toEqual(texts.map(mark))
      expect(translator.calls.flat().filter((text) => text === "x")).toHaveLength(1)
      expect(tags(outcomes)[50]).toBe("Translated")
      expect(tags(outcomes)[100]).toBe("Cached")
    })
  )

  it.virtual("in an unordered stage are told each", () =>
    Effect.gen(function* () {
      const texts = Array.from({ length: 2000 }, (_, index) => `t${(index * 7) % 130}`)
      const outcomes = yield* collect(
        TranslateStream.translate(chunked(texts, 30), { ...deduped, unordered: true })
      )
      expect([...outcomes.map(({ source }) => source)].sort()).toEqual([...texts].sort())
      for (const { source, value } of outcomes) expect(value).toBe(mark(source))
      expect(tags(outcomes).filter((tag) => tag === "Translated")).toHaveLength(130)
    }).pipe(fake(() => randomTurns(20)).provide)
  )

  it.virtual("too large for one request are cut and sent once", () =>
    Effect.gen(function* () {
      const giant = "世界。".repeat(30_000)
      const outcomes = yield* collect(TranslateStream.translate(Stream.make(giant, "b", giant), deduped))
      expect(tags(outcomes)).toEqual(["Translated", "Translated", "Cached"])
      expect(outcomes[2]!.value === outcomes[0]!.value).toBe(true)
      expect(outcomes[2]!.cost.characters).toBe(0)
      expect((yield* meter).characters).toBe(charactersOf([giant, "b"]))
    }).pipe(Effect.provide(served()))
  )

  it.virtual("are no deadlock where they fill the window behind a request that is not full", () =>
    Effect.gen(function* () {
      const texts = Array.from({ length: 20_000 }, () => "a")
      const translator = fake()
      const sum = yield* TranslateStream.translate(chunked(texts, 4096), { ...deduped, concurrency: 1 }).pipe(
        Stream.run(Outcome.tally),
        translator.provide
      )
      expect(sum).toMatchObject({ in: 20_000, translated: 1, cached: 19_999 })
      expect(translator.calls).toEqual([["a"]])
    })
  )
})

describe("the first of equal texts", () => {
  const texts = ["x", "a", "x", "b", "x"]

  it.virtual("that fails fails those that wait for it, at no cost of theirs", () =>
    Effect.gen(function* () {
      yield* script(
        Fault.status(500, { when: "after" }).pipe(Fault.where(({ texts }) => texts.includes("x")))
      )
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.concat(Stream.make("first"), chunked(texts, 5)), deduped)
      ).pipe(once)
      expect(outcomes.length).toBe(6)
      const equal = outcomes.filter(({ source }) => source === "x")
      expect(causes(equal)).toEqual(["ServerError", "ServerError", "ServerError"])
      expect(equal.map(({ cost }) => cost.ambiguousCharacters)).toEqual([1, 0, 0])
      expect(equal.map(({ texts }) => texts.failed)).toEqual([1, 1, 1])
    }).pipe(Effect.provide(served()))
  )

  it.virtual("that is bad is looked for once, and fails the others with it", () =>
    Effect.gen(function* () {
      const all = [...numbered(20), "bad", ...numbered(40).slice(20), "bad", "bad"]
      const translator = fake((texts) => (texts.includes("bad") ? Effect.fail(badRequest) : Effect.void))
      const outcomes = yield* collect(TranslateStream.translate(chunked(all, 100), deduped)).pipe(
        translator.provide
      )
      expect(causes(outcomes)).toEqual(all.map((text) => (text === "bad" ? "BadRequest" : "Translated")))
      expect(translator.calls.length).toBeLessThanOrEqual(1 + 12)
    })
  )

  it.virtual("that failed is sent again for an equal one that comes later", () =>
    Effect.gen(function* () {
      const translator = fake((_, call) => (call === 0 ? Effect.fail(unavailable) : Effect.void))
      const outcomes = yield* oneByOne(["x", "x", "x"], deduped).pipe(translator.provide)
      expect(causes(outcomes)).toEqual(["ServerError", "Translated", "Cached"])
      expect(translator.calls).toEqual([["x"], ["x"]])
    })
  )

  it.virtual("that the end of the job leaves unsent fails all of them", () =>
    Effect.gen(function* () {
      const all = [...numbered(50), ...texts, "t3"]
      const { exit, out } = yield* drain(TranslateStream.translate(chunked(all, 100), deduped))
      expect(failsWith(exit)).toBe(quotaExceeded)
      expect(causes(out)).toEqual([
        ...numbered(50).map(() => "Translated"),
        ...texts.map(() => "QuotaExceeded"),
        "Cached"
      ])
    }).pipe(fake(afterFirst(() => Effect.fail(quotaExceeded))).provide)
  )

  it.virtual("that loses a placeholder fails the others too", () =>
    Effect.gen(function* () {
      const translator = fake()
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.make("a {x}", "b", "a {x}"), { ...deduped, placeholders: {} })
      ).pipe(
        Effect.provideService(Translator.Translator, {
          translate: (texts, options) =>
            Effect.map(translator.service.translate(texts, options), (answer) => ({
              ...answer,
              translations: texts.map((text) => ({ text: text.replaceAll(/<.*>/g, "") })) as never
            }))
        })
      )
      expect(causes(outcomes)).toEqual(["TranslationRefused", "Translated", "TranslationRefused"])
    })
  )
})

describe("the memory", () => {
  it.virtual("is bounded by a number of texts; the least recently used goes first", () =>
    Effect.gen(function* () {
      const translator = fake()
      const options = { ...de, dedupe: { texts: 2 } }
      const outcomes = yield* oneByOne(["a", "b", "a", "c", "a", "b"], options).pipe(translator.provide)
      expect(tags(outcomes)).toEqual([
        "Translated",
        "Translated",
        "Cached",
        "Translated",
        "Cached",
        "Translated"
      ])
      expect(translator.calls).toEqual([["a"], ["b"], ["c"], ["b"]])
    })
  )

  it.virtual("is bounded by bytes of texts and translations; one that is larger is not remembered", () =>
    Effect.gen(function* () {
      const translator = fake()
      const large = "x".repeat(3000)
      const options = { ...de, dedupe: { bytes: 5000 } }
      const outcomes = yield* oneByOne([large, "a", large, "a"], options).pipe(translator.provide)
      expect(tags(outcomes)).toEqual(["Translated", "Translated", "Translated", "Cached"])
    })
  )

  it.virtual("is 1000 texts unless told otherwise", () =>
    Effect.gen(function* () {
      const texts = numbered(1001)
      const again = [...texts.slice(1).reverse(), "t0"]
      const translator = fake()
      const source = Stream.concat(chunked(texts, 1001), Stream.fromIterable(again).pipe(Stream.rechunk(100)))
      const outcomes = yield* collect(TranslateStream.translate(source, { ...deduped, concurrency: 1 })).pipe(
        translator.provide
      )
      expect(values(outcomes)).toEqual([...texts, ...again].map(mark))
      expect(tags(outcomes).filter((tag) => tag === "Translated")).toHaveLength(1002)
      expect(tags(outcomes).at(-1)).toBe("Translated")
    })
  )

  it.virtual.each([
    ["texts", { texts: 0 }],
    ["texts", { texts: 1.5 }],
    ["texts", { texts: Number.POSITIVE_INFINITY }],
    ["bytes", { bytes: -1 }],
    ["bytes", { bytes: Number.NaN }]
  ] as const)("may not have a bound of no %s: %o is an InvalidRequest", ([name, dedupe]) =>
    Effect.gen(function* () {
      const { exit } = yield* drain(TranslateStream.translate(Stream.make("a"), { ...de, dedupe }))
      expect(failsWith(exit)).toMatchObject({ _tag: "InvalidRequest" })
      expect((failsWith(exit) as Error).message).toContain(`dedupe.${name}`)
    }).pipe(fake().provide)
  )
})

describe("for any texts and bounds", () => {
  it("each element has its own outcome, and a cached one costs nothing", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("a", "b", "c", "d", "é", "🌍", "", " "), { maxLength: 300, size: "max" }),
        fc.record({ texts: fc.integer({ min: 1, max: 5 }), bytes: fc.integer({ min: 1, max: 2000 }) }),
        fc.integer({ min: 1, max: 8 }),
        fc.boolean(),
        (texts, dedupe, concurrency, fails) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const translator = fake((_, call) =>
                Effect.zipRight(
                  randomTurns(5),
                  fails && call % 3 === 1 ? Effect.fail(unavailable) : Effect.void
                )
              )
              const outcomes = yield* collect(
                TranslateStream.translate(chunked(texts, 7), { ...de, dedupe, concurrency })
              ).pipe(translator.provide)
              expect(outcomes.map(({ source }) => source)).toEqual(texts)
              const sum = yield* Stream.run(Stream.fromIterable(outcomes), Outcome.tally)
              expect(sum.in).toBe(sum.translated + sum.cached + sum.skipped + sum.failed)
              for (const { _tag, cost, source, value } of outcomes) {
                if (_tag === "Cached") expect(cost.characters).toBe(0)
                expect(value).toBe(_tag === "Translated" || _tag === "Cached" ? mark(source) : source)
              }
              const sent = translator.calls.flat()
              expect(sent.length).toBeLessThanOrEqual(sum.translated + sum.failed)
              for (const text of new Set(texts)) if (text.trim() !== "") expect(sent).toContain(text)
            })
          )
      ),
      { numRuns: runs(60), endOnFailure: true }
    )
  })
})
