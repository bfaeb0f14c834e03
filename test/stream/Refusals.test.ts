/** Refused requests: bad texts stand alone, bad options and a used-up quota end the job, answers that don't fit fail. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { ConcurrencyLimit, Outcome, RequestChecks, RetryPolicy, TranslateStream } from "effect-translate"
import { Fault } from "effect-translate/emulator"
import * as fc from "fast-check"
import { runs } from "../support/long.js"
import { retries } from "../support/retries.js"
import {
  afterFirst,
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
  german,
  hasty,
  mark,
  meter,
  numbered,
  once,
  payloadTooLarge,
  quotaExceeded,
  rateLimited,
  script,
  served,
  unavailable,
  values
} from "./support.js"

const endless = Number.POSITIVE_INFINITY

/** Refuses every request that holds one of these texts. */
const poisoned = (bad: ReadonlySet<string>) => (texts: ReadonlyArray<string>) =>
  texts.some((text) => bad.has(text)) ? Effect.fail(badRequest) : Effect.void

const translatedBut = (texts: ReadonlyArray<string>, bad: ReadonlySet<string>, cause = "BadRequest") =>
  texts.map((text) => (bad.has(text) ? cause : "Translated"))

describe("a bad text", () => {
  it.virtual("in 50 costs at most 13 extra requests and no sibling, wherever it stands", () =>
    Effect.gen(function* () {
      const texts = numbered(50)
      for (const text of texts) {
        const bad = new Set([text])
        const translator = fake(poisoned(bad))
        const outcomes = yield* collect(TranslateStream.translate(chunked(texts, 50), de)).pipe(
          translator.provide
        )
        expect(causes(outcomes)).toEqual(translatedBut(texts, bad))
        expect(translator.calls.length - 1).toBeLessThanOrEqual(13)
      }
    })
  )

  it.virtual("in 50 costs at most 13 extra requests and no sibling, as the service's meter shows", () =>
    Effect.gen(function* () {
      yield* script(Fault.poison("t77"))
      const texts = numbered(200)
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(texts), de))
      expect(causes(outcomes)).toEqual(translatedBut(texts, new Set(["t77"])))
      expect(values(outcomes)).toEqual(texts.map((text) => (text === "t77" ? text : german(text))))
      expect(outcomes[77]).toMatchObject({
        cost: { characters: 0, ambiguousCharacters: 0 },
        failures: [
          {
            error: {
              _tag: "BadRequest",
              status: 400,
              delivery: "rejected",
              serviceMessage: "The request holds a text that can't be translated"
            }
          }
        ]
      })
      const { characters, requests, texts: translated } = yield* meter
      expect(requests).toBeLessThanOrEqual(4 + 13)
      expect(translated).toBe(199)
      expect(characters).toBe(charactersOf(texts) - charactersOf(["t77"]))
    }).pipe(Effect.provide(served()))
  )

  it.virtual("is found with others: each stands alone, and none of the siblings is lost", () =>
    Effect.gen(function* () {
      yield* script(Fault.poison("!"))
      const bad = [103, 104, 117, 149, 150, 299]
      const texts = numbered(300).map((text, index) => (bad.includes(index) ? `${text}!` : text))
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(texts), de))
      expect(causes(outcomes)).toEqual(
        texts.map((text) => (text.includes("!") ? "BadRequest" : "Translated"))
      )
      expect((yield* meter).characters).toBe(charactersOf(texts.filter((text) => !text.includes("!"))))
      expect((yield* meter).requests).toBeLessThanOrEqual(6 + bad.length * 13)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("costs less than two requests for each text where all of a request are bad", () =>
    Effect.gen(function* () {
      const texts = numbered(150)
      const bad = new Set(texts.slice(50, 100))
      const translator = fake(poisoned(bad))
      const outcomes = yield* collect(TranslateStream.translate(chunked(texts, 150), de)).pipe(
        translator.provide
      )
      expect(causes(outcomes)).toEqual(translatedBut(texts, bad))
      expect(translator.calls).toHaveLength(2 + 99)
    })
  )

  it.virtual("in a row fails that row alone, and the other fields of it are paid for and kept", () =>
    Effect.gen(function* () {
      const rows = Array.from({ length: 40 }, (_, index) => ({ a: `a${index}`, b: `b${index}` }))
      const outcomes = yield* collect(
        TranslateStream.translateFields(Stream.fromIterable(rows), ["a", "b"], de)
      )
      expect(causes(outcomes)).toEqual(rows.map((_, index) => (index === 17 ? "BadRequest" : "Translated")))
      expect(outcomes[17]).toMatchObject({
        value: { a: "<a17>", b: "b17" },
        texts: { translated: 1, failed: 1 },
        cost: { characters: 3 },
        failures: [{ field: "b" }]
      })
    }).pipe(fake(poisoned(new Set(["b17"]))).provide)
  )

  it.virtual("that is the whole job is Failed, and the stream ends well", () =>
    Effect.gen(function* () {
      const { exit, out } = yield* drain(TranslateStream.translate(Stream.make("a"), de))
      expect(causes(out)).toEqual(["BadRequest"])
      expect(exit._tag).toBe("Success")
    }).pipe(fake(() => Effect.fail(badRequest)).provide)
  )

  it.virtual("that is told after attempts in doubt leaves the doubt in the cost of the whole request", () =>
    Effect.gen(function* () {
      yield* script(Fault.status(500, { when: "after" }), Fault.poison("t3"))
      const texts = numbered(8)
      // What the doubtful attempt billed holds no bad text: it was carried out.
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(texts), de))
      expect(causes(outcomes)).toEqual(translatedBut(texts, new Set(["t3"])))
      const sum = yield* Stream.run(Stream.fromIterable(outcomes), Outcome.tally)
      expect(sum).toMatchObject({ characters: 14, ambiguousCharacters: 16 })
      expect((yield* meter).characters).toBe(30)
    }).pipe(hasty, Effect.provide(served()))
  )

  it("is Failed and no other, for any number of them, at any place and concurrency", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 400 }),
        fc.array(fc.nat(399), { maxLength: 12 }),
        fc.integer({ min: 1, max: 16 }),
        fc.integer({ min: 1, max: 120 }),
        (count, places, concurrency, chunk) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const texts = ["first", ...numbered(count)]
              const bad = new Set(places.map((place) => `t${place}`))
              // The first text alone: the service takes the options, and no number of bad texts ends the job.
              const source = Stream.concat(chunked(texts.slice(0, 1), 1), chunked(texts.slice(1), chunk))
              const translator = fake(poisoned(bad))
              const { exit, out } = yield* drain(
                TranslateStream.translate(source, { ...de, concurrency })
              ).pipe(translator.provide)
              expect(exit._tag === "Failure" ? out.length : 0).toBe(0)
              expect(out.map(({ source }) => source)).toEqual(texts)
              expect(causes(out)).toEqual(translatedBut(texts, bad))
              expect(values(out)).toEqual(texts.map((text) => (bad.has(text) ? text : mark(text))))
            })
          )
      ),
      { numRuns: runs(60), endOnFailure: true }
    )
  })
})

describe("an option that the service refuses", () => {
  it.virtual("costs at most 12 requests, one at a time, and the job fails with the service's message", () =>
    Effect.gen(function* () {
      const source = counted(1_000_000, (index) => `t${index}`, 300)
      const { exit, out } = yield* drain(
        TranslateStream.translate(source.stream, { targetLang: "tr", formality: "more", concurrency: 16 })
      ).pipe(RequestChecks.withRequestChecks({ languages: false }))
      expect(failsWith(exit)).toMatchObject({
        _tag: "BadRequest",
        status: 400,
        serviceMessage: 'formality "more" is not supported for target_lang tr'
      })
      expect((failsWith(exit) as Error).message).toContain("is not supported for target_lang tr")
      expect(out).toHaveLength(source.state.pulled)
      expect(new Set(causes(out))).toEqual(new Set(["BadRequest"]))
      const { characters, maxConcurrent, requests } = yield* meter
      expect(requests).toBeLessThanOrEqual(12)
      expect(maxConcurrent).toBe(1)
      expect(characters).toBe(0)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("costs 12 requests at most whatever the size of the texts", () =>
    Effect.gen(function* () {
      for (const size of [1, 3000, 100_000]) {
        const translator = fake(() => Effect.fail(badRequest))
        const source = counted(1000, () => "x".repeat(size), 100)
        const { exit, out } = yield* drain(TranslateStream.translate(source.stream, de)).pipe(
          translator.provide
        )
        expect(failsWith(exit)).toBe(badRequest)
        expect(translator.calls.length).toBeLessThanOrEqual(12)
        expect(translator.state.maxInFlight).toBe(1)
        expect(out).toHaveLength(source.state.pulled)
      }
    })
  )

  it.virtual.each([[302], [402], [418]])(
    "with the unexpected status %i costs 12 requests at most too",
    ([status]) =>
      Effect.gen(function* () {
        yield* script(Fault.times(Fault.status(status!), endless))
        const source = counted(100_000, String, 100)
        const { exit, out } = yield* drain(TranslateStream.translate(source.stream, de))
        expect(failsWith(exit)).toMatchObject({ _tag: "UnexpectedStatus", status: status! })
        expect(out).toHaveLength(source.state.pulled)
        expect((yield* meter).requests).toBe(12)
      }).pipe(Effect.provide(served()))
  )

  it.virtual.each([
    [404, "NotFound"],
    [414, "UriTooLong"],
    [415, "UnsupportedMediaType"]
  ] as const)("with status %i ends the job at once", ([status, tag]) =>
    Effect.gen(function* () {
      yield* script(Fault.times(Fault.status(status), endless))
      const source = counted(100_000, String, 100)
      const { exit, out } = yield* drain(TranslateStream.translate(source.stream, de))
      expect(failsWith(exit)).toMatchObject({ _tag: tag, status })
      expect(out).toHaveLength(source.state.pulled)
      expect(new Set(causes(out))).toEqual(new Set([tag]))
      expect((yield* meter).requests).toBe(1)
    }).pipe(Effect.provide(served()))
  )

  it.virtual(
    "is not to blame once a request has succeeded: then a hundred bad texts in a row do not end the job",
    () =>
      Effect.gen(function* () {
        const texts = numbered(150)
        const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(texts), de))
        expect(causes(outcomes)).toEqual(translatedBut(texts, new Set(texts.slice(50))))
      }).pipe(fake(afterFirst(() => Effect.fail(badRequest))).provide)
  )

  for (const refusal of [badRequest, payloadTooLarge, rateLimited]) {
    it.virtual(`does not go on for ever: 200 ${refusal._tag} in a row after a success end the job`, () => {
      const service = fake(afterFirst(() => Effect.fail(refusal)))
      return Effect.gen(function* () {
        const texts = Stream.iterate(0, (index) => index + 1).pipe(Stream.map(String))
        const { exit } = yield* drain(TranslateStream.translate(texts, de))
        expect(failsWith(exit)).toMatchObject({ _tag: refusal._tag })
        expect(service.calls.length).toBeGreaterThanOrEqual(200)
        expect(service.calls.length).toBeLessThanOrEqual(200 + 8)
      }).pipe(service.provide)
    })
  }

  it.virtual("is not to blame for other errors", () =>
    Effect.gen(function* () {
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(numbered(2000)), de))
      expect(new Set(causes(outcomes))).toEqual(new Set(["ServerError"]))
    }).pipe(fake(() => Effect.fail(unavailable)).provide)
  )
})

describe("a used-up quota", () => {
  /** The first request succeeds, and then many are in flight. */
  const job = (concurrency: number, texts = numbered(1000)) =>
    drain(TranslateStream.translate(Stream.fromIterable(texts), { ...de, concurrency }))

  const holding = (text: string) => Fault.where(({ texts }) => texts.includes(text))

  it.virtual("lets requests in flight end and delivers it, and ends the job within one round trip", () =>
    Effect.gen(function* () {
      yield* script(
        Fault.slow("400 millis", { when: "after" }).pipe(holding("t50")),
        Fault.slow("400 millis", { when: "mid-body" }).pipe(holding("t100")),
        Fault.times(Fault.status(456), endless).pipe(
          Fault.where(({ texts }) => !texts.includes("t0") && !texts.includes("t50"))
        )
      )
      const { exit, out } = yield* job(8)
      expect(failsWith(exit)).toMatchObject({ _tag: "QuotaExceeded", status: 456 })
      expect(out.map(({ source }) => source)).toEqual(numbered(out.length))
      expect(causes(out).slice(0, 150)).toEqual(numbered(150).map(() => "Translated"))
      expect(new Set(causes(out.slice(150)))).toEqual(new Set(["QuotaExceeded"]))
      const { characters, requests } = yield* meter
      expect(requests).toBeLessThanOrEqual(9)
      expect(characters).toBe(charactersOf(numbered(150)))
    }).pipe(Effect.provide(served()))
  )

  it.virtual("sends no call again that waits in a back-off", () =>
    Effect.gen(function* () {
      yield* script(
        Fault.status(503).pipe(holding("t50")),
        Fault.status(500, { when: "after" }).pipe(holding("t100")),
        Fault.times(Fault.status(456), endless).pipe(holding("t300"))
      )
      const { exit, out } = yield* job(1).pipe(
        Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ schedule: retries(5, "1 hour") }))
      )
      expect(failsWith(exit)).toMatchObject({ _tag: "QuotaExceeded" })
      expect(causes(out).slice(50, 150)).toEqual(numbered(100).map(() => "ServerError"))
      expect(causes(out).slice(300)).toEqual(out.slice(300).map(() => "QuotaExceeded"))
      expect(out[50]!.cost).toEqual({ characters: 0, ambiguousCharacters: 0 })
      expect(out[100]!.cost).toEqual({ characters: 0, ambiguousCharacters: 4 })
      expect((yield* meter).requests).toBe(7)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("sends no call that waits while a Retry-After lasts", () =>
    Effect.gen(function* () {
      yield* script(
        Fault.status(429, { retryAfter: 100 }).pipe(holding("t50")),
        Fault.slow("100 millis").pipe(holding("t100"))
      )
      const texts = numbered(1000).map((text, index) => (index === 101 ? "x".repeat(2000) : text))
      const { exit, out } = yield* job(8, texts)
      expect(failsWith(exit)).toMatchObject({ _tag: "QuotaExceeded" })
      expect(out.length).toBeGreaterThanOrEqual(450)
      expect(causes(out).slice(50, 150)).toEqual(
        numbered(100).map((_, index) => (index < 50 ? "RateLimited" : "QuotaExceeded"))
      )
      expect((yield* meter).requests).toBeLessThanOrEqual(9)
    }).pipe(Effect.provide(served({ characterLimit: 2000 })))
  )

  it.virtual("sends no call that waits for its turn", () =>
    Effect.gen(function* () {
      yield* script(
        Fault.slow("50 millis").pipe(holding("t50")),
        Fault.times(Fault.status(456), endless).pipe(holding("t100"))
      )
      const { exit, out } = yield* job(16)
      expect(failsWith(exit)).toMatchObject({ _tag: "QuotaExceeded" })
      expect(causes(out).slice(0, 100)).toEqual(numbered(100).map(() => "Translated"))
      // Two pass at once: the first, those of t50 and t100, and whatever began before the refusal was there.
      expect((yield* meter).requests).toBeLessThanOrEqual(4)
      expect(out.filter(({ _tag }) => _tag === "Translated").length).toBeLessThanOrEqual(150)
    }).pipe(Effect.provide(served({ client: { limit: ConcurrencyLimit.makeFixed(2) } })))
  )

  it.virtual("while a bad text is looked for ends the search", () =>
    Effect.gen(function* () {
      const translator = fake((texts, call) =>
        call === 4 ? Effect.fail(quotaExceeded) : poisoned(new Set(["t7"]))(texts)
      )
      const { exit, out } = yield* drain(
        TranslateStream.translate(chunked(numbered(100), 100), { ...de, concurrency: 1 })
      ).pipe(translator.provide)
      expect(failsWith(exit)).toBe(quotaExceeded)
      expect(translator.calls).toHaveLength(5)
      // The first seven of its texts had got through by themselves.
      expect(causes(out)).toEqual(
        numbered(100).map((_, index) => (index < 7 ? "Translated" : "QuotaExceeded"))
      )
    })
  )
})

describe("an answer that does not fit", () => {
  const answers = [
    ["with too few items", Fault.shortAnswer, "MismatchedResponse"],
    ["with too many items", Fault.longAnswer, "MismatchedResponse"],
    ["that is cut in the middle", Fault.garbage, "UndecodableResponse"],
    [
      "with a number instead of a text",
      Fault.status(200, { when: "after", body: { translations: [{ text: 5 }] } }),
      "UndecodableResponse"
    ],
    [
      "with a text instead of a list",
      Fault.status(200, { when: "after", body: { translations: "none" } }),
      "UndecodableResponse"
    ],
    ["of an empty object", Fault.status(200, { when: "after", body: {} }), "UndecodableResponse"],
    ["of null", Fault.status(200, { when: "after", body: "null" }), "UndecodableResponse"],
    ["of a proxy's page", Fault.html(200), "UndecodableResponse"],
    ["without a body", Fault.emptyBody(200), "UndecodableResponse"]
  ] as const

  it.virtual.each(answers)("%s is asked for again, and shifts no text onto another", ([_, fault]) =>
    Effect.gen(function* () {
      yield* script(Fault.times(fault, 3))
      const texts = numbered(300)
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(texts), de))
      expect(values(outcomes)).toEqual(texts.map(german))
      const sum = yield* Stream.run(Stream.fromIterable(outcomes), Outcome.tally)
      const { characters, requests } = yield* meter
      expect(requests).toBe(6 + 3)
      expect(sum.ambiguousCharacters).toBeGreaterThan(0)
      expect(characters).toBeLessThanOrEqual(sum.characters + sum.ambiguousCharacters)
    }).pipe(hasty, Effect.provide(served()))
  )

  it.virtual.each(answers)("%s is typed, and costs no other request a text", ([_, fault, tag]) =>
    Effect.gen(function* () {
      yield* script(Fault.where(fault, ({ texts }) => texts.includes("t60")))
      const texts = numbered(150)
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(texts), de))
      expect(causes(outcomes)).toEqual(translatedBut(texts, new Set(texts.slice(50, 100)), tag))
      expect(outcomes[60]).toMatchObject({
        value: "t60",
        cost: { characters: 0, ambiguousCharacters: 3 },
        failures: [{ error: { delivery: "ambiguous", ambiguousAttempts: 1 } }]
      })
    }).pipe(once, Effect.provide(served()))
  )

  it.virtual("is asked for again only while the budget for ambiguous repetitions lasts", () =>
    Effect.gen(function* () {
      yield* script(Fault.times(Fault.shortAnswer, endless))
      const texts = numbered(500)
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(texts), de))
      expect(new Set(causes(outcomes))).toEqual(new Set(["MismatchedResponse"]))
      // Ten requests, and four repetitions.
      expect((yield* meter).requests).toBe(10 + 4)
      const sum = yield* Stream.run(Stream.fromIterable(outcomes), Outcome.tally)
      expect((yield* meter).characters).toBe(sum.ambiguousCharacters)
      expect(sum.characters).toBe(0)
    }).pipe(
      Effect.provideService(
        RetryPolicy.RetryPolicy,
        RetryPolicy.make({ schedule: retries(5), ambiguousBudget: 4 })
      ),
      Effect.provide(served())
    )
  )
})
