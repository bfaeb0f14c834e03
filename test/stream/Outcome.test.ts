/** Outcomes: what they cost, and the stages that say what to do about failures. */
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Outcome, RetryPolicy, TranslateClient, TranslateError, TranslateStream } from "effect-translate"
import * as Api from "effect-translate/api"
import { Fault, PseudoTranslation } from "effect-translate/emulator"
import { retries } from "../support/retries.js"
import {
  answerOf,
  badRequest,
  causes,
  charactersOf,
  chunked,
  collect,
  counted,
  de,
  drain,
  failsWith,
  fake,
  hasty,
  mark,
  meter,
  numbered,
  once,
  provide,
  script,
  served,
  tags,
  uncut,
  values
} from "./support.js"

const free: Outcome.Cost = { characters: 0, ambiguousCharacters: 0 }

const textsOf = (texts: Partial<Outcome.Texts>): Outcome.Texts => ({
  translated: 0,
  cached: 0,
  skipped: 0,
  failed: 0,
  ...texts
})

const translated = (text: string): Outcome.Outcome<string> => ({
  _tag: "Translated",
  source: text,
  value: mark(text),
  texts: textsOf({ translated: 1 }),
  cost: { characters: TranslateClient.characters(text), ambiguousCharacters: 0 },
  translations: [{ text: mark(text) }]
})

const skipped = (text: string): Outcome.Outcome<string> => ({
  _tag: "Skipped",
  source: text,
  value: text,
  texts: textsOf({ skipped: 1 }),
  cost: free
})

const failed = (
  text: string,
  error: TranslateError.TranslateError = badRequest
): Outcome.Outcome<string> => ({
  _tag: "Failed",
  source: text,
  value: text,
  texts: textsOf({ failed: 1 }),
  cost: free,
  translations: [],
  failures: [{ field: "text", error }]
})

const tally = <A, E, R>(self: Stream.Stream<Outcome.Outcome<A, unknown>, E, R>) =>
  Stream.run(self, Outcome.tally)

it.effect("an outcome is a plain object, equal to one that is written down", () =>
  Effect.gen(function* () {
    const translator = fake()
    const out = yield* Stream.make("a", " ").pipe(TranslateStream.translate(de), collect, translator.provide)
    expect(out).toStrictEqual([translated("a"), skipped(" ")])
  })
)

describe("orFail", () => {
  it.effect("yields the values when nothing failed", () =>
    Effect.gen(function* () {
      const out = yield* collect(Outcome.orFail(Stream.make(translated("a"), skipped(" "), translated("b"))))
      expect(out).toEqual(["<a>", " ", "<b>"])
    })
  )

  it.effect("yields the outcomes before the failed one in the same chunk, then fails with its error", () =>
    Effect.gen(function* () {
      const other = TranslateError.invalidRequest(Api.Text.translateText, [])
      const chunk = Chunk.make(
        translated("a"),
        skipped(" "),
        failed("b"),
        translated("c"),
        failed("d", other)
      )
      const { exit, out } = yield* drain(Outcome.orFail(Stream.fromChunk(chunk)))
      expect(out).toEqual(["<a>", " "])
      expect(failsWith(exit)).toBe(badRequest)
    })
  )

  it.effect(
    "yields the outcomes of the chunks before, also when the failed one is the first of its chunk",
    () =>
      Effect.gen(function* () {
        const chunks = Stream.fromChunks(
          Chunk.make(translated("a"), translated("b")),
          Chunk.make(failed("c"), translated("d"))
        )
        const { exit, out } = yield* drain(Outcome.orFail(chunks))
        expect(out).toEqual(["<a>", "<b>"])
        expect(failsWith(exit)).toBe(badRequest)
      })
  )

  it.effect("pulls nothing more after a failed one, and closes the stream", () =>
    Effect.gen(function* () {
      const source = counted(100, (index) => (index === 10 ? failed("x") : translated(`${index}`)))
      const { out } = yield* drain(Outcome.orFail(source.stream))
      expect(out).toHaveLength(10)
      expect(source.state).toEqual({ pulled: 11, opened: 1, closed: 1 })
    })
  )

  it.effect("keeps the error of the stream", () =>
    Effect.gen(function* () {
      const { exit, out } = yield* drain(
        Outcome.orFail(Stream.concat(Stream.make(translated("a")), Stream.fail("broken" as const)))
      )
      expect(out).toEqual(["<a>"])
      expect(failsWith(exit)).toBe("broken")
    })
  )

  it.effect("fails with the first error of a row of several", () =>
    Effect.gen(function* () {
      const other = TranslateError.invalidRequest(Api.Text.translateText, [])
      const row: Outcome.Outcome<string> = {
        ...(failed("a") as Outcome.Failed<string>),
        failures: [
          { field: "title", error: other },
          { field: "body", error: badRequest }
        ]
      }
      expect(yield* Effect.flip(collect(Outcome.orFail(Stream.make(row))))).toBe(other)
    })
  )

  it.virtual("stops a translation at the first failed text", () =>
    Effect.gen(function* () {
      const { exit, out } = yield* Stream.make("b", "c", "x".repeat(140_000), "d").pipe(
        TranslateStream.translate(uncut),
        Outcome.orFail,
        drain
      )
      expect(out).toEqual(["[de] b", "[de] ç"])
      expect(failsWith(exit)).toMatchObject({ _tag: "InvalidRequest", delivery: "not-sent" })
    }).pipe(Effect.provide(served()))
  )
})

describe("orElseSource", () => {
  it.effect("keeps every element, and the source of failed texts", () =>
    Effect.gen(function* () {
      const out = yield* collect(
        Outcome.orElseSource(
          Stream.make(translated("a"), failed("b"), skipped(" "), failed("c"), translated("d"))
        )
      )
      expect(out).toEqual(["<a>", "b", " ", "c", "<d>"])
    })
  )

  it.effect("keeps the fields of a failed row that were paid for", () =>
    Effect.gen(function* () {
      const giant = "x".repeat(140_000)
      const out = yield* Stream.make(
        { id: 1, title: "a", body: giant },
        { id: 2, title: "b", body: "c" }
      ).pipe(TranslateStream.translateFields(["title", "body"], uncut), Outcome.orElseSource, collect)
      expect(out).toEqual([
        { id: 1, title: "<a>", body: giant },
        { id: 2, title: "<b>", body: "<c>" }
      ])
    }).pipe(fake().provide)
  )

  it.effect("keeps the error of the stream", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(collect(Outcome.orElseSource(Stream.fail("broken" as const))))).toBe("broken")
    })
  )
})

describe("isFailed", () => {
  it("tells a failed element from the others", () => {
    expect([translated("a"), failed("b"), skipped(" ")].map(Outcome.isFailed)).toEqual([false, true, false])
  })
})

describe("tally", () => {
  it.effect("is zero for nothing", () =>
    Effect.gen(function* () {
      expect(yield* tally(Stream.empty)).toEqual({ in: 0, ...textsOf({}), ...free })
    })
  )

  it.effect("adds up texts and cost: in = translated + cached + skipped + failed", () =>
    Effect.gen(function* () {
      const row: Outcome.Outcome<string> = {
        ...translated("abc"),
        texts: { translated: 4, cached: 3, skipped: 2, failed: 1 },
        cost: { characters: 70, ambiguousCharacters: 9 }
      }
      expect(yield* tally(Stream.make(row, translated("ab"), skipped(""), failed("z"), row))).toEqual({
        in: 23,
        translated: 9,
        cached: 6,
        skipped: 5,
        failed: 3,
        characters: 142,
        ambiguousCharacters: 18
      })
    })
  )

  it.effect("counts the texts of rows, not the rows", () =>
    Effect.gen(function* () {
      const sum = yield* Stream.make(
        { a: "x", b: null },
        { a: "", b: "y" },
        { a: "z", b: "q".repeat(140_000) }
      ).pipe(TranslateStream.translateFields(["a", "b"], uncut), tally)
      expect(sum).toEqual({
        in: 6,
        translated: 3,
        cached: 0,
        skipped: 2,
        failed: 1,
        characters: 3,
        ambiguousCharacters: 0
      })
    }).pipe(fake().provide)
  )
})

describe("the cost", () => {
  it.effect("is in code points where the translator does not tell its bill", () =>
    Effect.gen(function* () {
      const texts = ["abc", "🌍🌍", "e\u0301", "\ud800", "世界"]
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(texts), de))
      expect(outcomes.map(({ cost }) => cost.characters)).toEqual([3, 2, 2, 1, 2])
    }).pipe(fake().provide)
  )

  it.effect("is the bill of the translator, also when that is nothing", () =>
    Effect.gen(function* () {
      const outcomes = yield* collect(TranslateStream.translate(Stream.make("abc", "defg"), de))
      expect(outcomes.map(({ cost }) => cost.characters)).toEqual([0, 17])
    }).pipe(
      provide({
        translate: () =>
          Effect.succeed({
            translations: [
              { text: "x", billedCharacters: 0 },
              { text: "y", billedCharacters: 17 }
            ],
            attempts: 1,
            ambiguousAttempts: 0
          })
      })
    )
  )

  it.virtual("is the bill of the service", () =>
    Effect.gen(function* () {
      const texts = ["abc", "", "🌍🌍", "世界", " "]
      const sum = yield* tally(TranslateStream.translate(Stream.fromIterable(texts), de))
      expect(sum).toMatchObject({ translated: 3, skipped: 2, characters: 7, ambiguousCharacters: 0 })
      expect((yield* meter).characters).toBe(7)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("is nothing for a target in beta", () =>
    Effect.gen(function* () {
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.make("Guten Tag", "Hallo"), { targetLang: "de-CH" })
      )
      expect(tags(outcomes)).toEqual(["Translated", "Translated"])
      expect(outcomes.map(({ cost }) => cost)).toEqual([free, free])
      expect((yield* meter).characters).toBe(0)
    }).pipe(Effect.provide(served()))
  )

  it.virtual.each([
    ["the connection is cut after the work", Fault.cutConnection({ when: "after" }), 10],
    ["the connection is cut amid the answer", Fault.cutConnection({ when: "mid-body" }), 10],
    ["the answer is a 500 after the work", Fault.status(500, { when: "after" }), 10],
    ["the answer is a 502 before the work", Fault.status(502), 5],
    ["the answer holds too few items", Fault.shortAnswer, 10],
    ["the answer holds too many items", Fault.longAnswer, 10],
    ["the answer can't be decoded", Fault.garbage, 10]
  ] as const)("names an attempt in doubt of a text that is translated then: %s", ([_, fault, billed]) =>
    Effect.gen(function* () {
      yield* script(fault)
      const outcomes = yield* collect(TranslateStream.translate(Stream.make("hello"), de))
      expect(outcomes).toMatchObject([
        {
          _tag: "Translated",
          value: PseudoTranslation.translate("hello", "de"),
          cost: { characters: 5, ambiguousCharacters: 5 }
        }
      ])
      expect((yield* meter).characters).toBe(billed)
    }).pipe(hasty, Effect.provide(served()))
  )

  it.virtual.each([
    ["the connection is cut after the work", Fault.cutConnection({ when: "after" }), "TransportError", 5],
    ["the answer is a 500 after the work", Fault.status(500, { when: "after" }), "ServerError", 5],
    ["the answer is a 504 before the work", Fault.status(504), "ServerError", 0],
    ["the answer holds too few items", Fault.shortAnswer, "MismatchedResponse", 5],
    ["the answer can't be decoded", Fault.garbage, "UndecodableResponse", 5]
  ] as const)("names an attempt in doubt of a text that fails: %s", ([_, fault, cause, billed]) =>
    Effect.gen(function* () {
      yield* script(fault)
      const outcomes = yield* collect(TranslateStream.translate(Stream.make("hel", "lo"), de))
      expect(causes(outcomes)).toEqual([cause, cause])
      expect(outcomes.map(({ cost }) => cost)).toEqual([
        { characters: 0, ambiguousCharacters: 3 },
        { characters: 0, ambiguousCharacters: 2 }
      ])
      expect((yield* meter).characters).toBe(billed)
    }).pipe(once, Effect.provide(served()))
  )

  it.virtual("counts a text twice that was in doubt twice", () =>
    Effect.gen(function* () {
      yield* script(Fault.times(Fault.cutConnection({ when: "after" }), 2))
      const [outcome] = yield* collect(TranslateStream.translate(Stream.make("hello"), de))
      expect(outcome!.cost).toEqual({ characters: 5, ambiguousCharacters: 10 })
      expect((yield* meter).characters).toBe(15)
    }).pipe(hasty, Effect.provide(served()))
  )

  it.virtual("of texts that were never sent is nothing, after a fatal failure that was in doubt before", () =>
    Effect.gen(function* () {
      const doubtfulQuota = new TranslateError.QuotaExceeded({
        method: "POST",
        path: "/v2/translate",
        delivery: "rejected",
        attempts: 2,
        ambiguousAttempts: 1,
        status: 456
      })
      const translator = fake(() => Effect.fail(doubtfulQuota))
      const { out } = yield* drain(
        TranslateStream.translate(chunked(numbered(150), 150), { ...de, concurrency: 1 })
      ).pipe(translator.provide)
      expect(translator.calls).toHaveLength(1)
      expect(out).toHaveLength(150)
      for (const { cost } of out.slice(0, 50)) expect(cost.ambiguousCharacters).toBeGreaterThan(0)
      for (const { cost } of out.slice(50)) expect(cost).toEqual(free)
    })
  )

  it.virtual("does not count attempts that the service rejected", () =>
    Effect.gen(function* () {
      yield* script(Fault.status(429), Fault.status(503), Fault.status(529))
      const [outcome] = yield* collect(TranslateStream.translate(Stream.make("hello"), de))
      expect(outcome).toMatchObject({ _tag: "Translated", cost: { characters: 5, ambiguousCharacters: 0 } })
      expect(yield* meter).toMatchObject({ requests: 4, characters: 5 })
    }).pipe(hasty, Effect.provide(served()))
  )

  it.virtual.each([[400], [413], [422], [429], [503], [529]] as const)(
    "of a text refused with %i is nothing",
    ([status]) =>
      Effect.gen(function* () {
        yield* script(Fault.status(status))
        const [outcome] = yield* collect(TranslateStream.translate(Stream.make("hello"), de))
        expect(outcome).toMatchObject({ _tag: "Failed", cost: free })
        expect((yield* meter).characters).toBe(0)
      }).pipe(once, Effect.provide(served()))
  )

  it.effect("of each field of a row is in its row", () =>
    Effect.gen(function* () {
      const outcomes = yield* Stream.make({ a: "123", b: "45" }, { a: "", b: "6" }).pipe(
        TranslateStream.translateFields(["a", "b"], de),
        collect
      )
      expect(outcomes.map(({ cost }) => cost)).toEqual([
        { characters: 5, ambiguousCharacters: 15 },
        { characters: 1, ambiguousCharacters: 3 }
      ])
    }).pipe(provide({ translate: (texts) => Effect.succeed(answerOf(texts, 3)) }))
  )

  it.virtual(
    "in all is between `characters` and `characters + ambiguousCharacters`, whatever happens on the way",
    () =>
      Effect.gen(function* () {
        const often = (fault: Fault.Fault, probability: number) =>
          fault.pipe(Fault.probability(probability), Fault.times(Number.POSITIVE_INFINITY))
        yield* script(
          Fault.poison("t1234"),
          often(Fault.cutConnection({ when: "after" }), 0.08),
          often(Fault.cutConnection({ when: "before" }), 0.08),
          often(Fault.cutConnection({ when: "mid-body" }), 0.08),
          often(Fault.status(500, { when: "after" }), 0.08),
          often(Fault.status(503), 0.08),
          often(Fault.status(429), 0.08),
          often(Fault.status(400), 0.08),
          often(Fault.shortAnswer, 0.08),
          often(Fault.garbage, 0.08)
        )
        const texts = numbered(2500)
        const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(texts), de)).pipe(
          Effect.provideService(
            RetryPolicy.RetryPolicy,
            RetryPolicy.make({ schedule: retries(2), ambiguousBudget: 1000 })
          )
        )
        const sum = yield* tally(Stream.fromIterable(outcomes))
        const { characters: billed } = yield* meter
        expect(outcomes.map(({ source }) => source)).toEqual(texts)
        expect(sum.translated + sum.failed).toBe(2500)
        expect(sum.failed).toBeGreaterThan(0)
        expect(sum.characters).toBe(
          charactersOf(outcomes.filter((outcome) => !Outcome.isFailed(outcome)).map(({ source }) => source))
        )
        expect(sum.ambiguousCharacters).toBeGreaterThan(0)
        expect(billed).toBeGreaterThanOrEqual(sum.characters)
        expect(billed).toBeLessThanOrEqual(sum.characters + sum.ambiguousCharacters)
        for (const { source, value } of outcomes.filter((outcome) => !Outcome.isFailed(outcome))) {
          expect(value).toBe(`[de] ${source}`)
        }
        expect(values(outcomes.filter(Outcome.isFailed))).toEqual(
          outcomes.filter(Outcome.isFailed).map(({ source }) => source)
        )
      }).pipe(Effect.provide(served()))
  )
})
