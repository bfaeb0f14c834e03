/** A budget: never over the cap, whatever happens; what was not billed goes back; then the job ends in good order. */
import { describe, expect, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import {
  Budget,
  ConcurrencyLimit,
  Outcome,
  RetryPolicy,
  TranslateStream,
  TranslationStore,
  Translator
} from "effect-translate"
import { Fault } from "effect-translate/emulator"
import { IcuMessage } from "effect-translate/icu"
import { StoreError } from "effect-translate/store"
import * as fc from "fast-check"
import { runs } from "../support/long.js"
import { retries } from "../support/retries.js"
import * as virtualClock from "../support/virtualClock.js"
import {
  answerOf,
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
  meter,
  numbered,
  script,
  served,
  tags,
  values
} from "./support.js"

const unreachable = new StoreError.StoreUnavailable({ store: "of the jobs", code: "ECONNREFUSED" })

const endless = Number.POSITIVE_INFINITY

const tally = <A>(outcomes: ReadonlyArray<Outcome.Outcome<A>>) =>
  Stream.run(Stream.fromIterable(outcomes), Outcome.tally)

describe("a budget", () => {
  it.virtual("of the cost of all texts is enough, to the last character", () =>
    Effect.gen(function* () {
      const texts = numbered(1000)
      const cap = charactersOf(texts)
      const budget = yield* Budget.make(cap)
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.fromIterable(texts), { ...de, budget, concurrency: 16 })
      )
      expect(values(outcomes)).toEqual(texts.map(german))
      expect(yield* budget.state).toEqual({ cap, spent: cap, reserved: 0 })
      expect((yield* meter).characters).toBe(cap)
    }).pipe(Effect.provide(served()))
  )

  it.virtual(
    "that is used up ends the job: texts in flight are delivered, pulled ones have their outcomes",
    () =>
      Effect.gen(function* () {
        const budget = yield* Budget.make(2000)
        const source = counted(1_000_000, (index) => `t${index % 1000}`.padEnd(4, "."), 64)
        const { exit, out } = yield* drain(
          TranslateStream.translate(source.stream, { ...de, budget, concurrency: 16 })
        )
        const error = failsWith(exit)
        expect(error).toBeInstanceOf(Budget.BudgetExceeded)
        expect(error).toMatchObject({ _tag: "BudgetExceeded", cap: 2000, used: 2000, needed: 4 })
        expect((error as Error).message).toContain("The budget of 2000 characters is used up")
        expect(out).toHaveLength(source.state.pulled)
        expect(causes(out)).toEqual(out.map((_, index) => (index < 500 ? "Translated" : "BudgetExceeded")))
        expect(out[500]!.cost).toEqual({ characters: 0, ambiguousCharacters: 0 })
        expect(yield* meter).toMatchObject({ characters: 2000, requests: 10 })
        expect(yield* budget.state).toEqual({ cap: 2000, spent: 2000, reserved: 0 })
      }).pipe(Effect.provide(served({ latency: "5 millis" })))
  )

  it.virtual("that is smaller than a request sends the texts that fit, and the next run goes on", () =>
    Effect.gen(function* () {
      const texts = Array.from({ length: 50 }, (_, index) => `t${index}`.padEnd(10, "."))
      const store = yield* TranslationStore.makeMemory()
      for (const run of [1, 2, 3]) {
        const { exit, out } = yield* drain(
          TranslateStream.translate(Stream.fromIterable(texts), { ...de, budget: 105, store })
        )
        expect(failsWith(exit)).toMatchObject({ _tag: "BudgetExceeded", cap: 105, used: 100, needed: 10 })
        expect(causes(out)).toEqual(
          texts.map((_, index) =>
            index < 10 * (run - 1) ? "Cached" : index < 10 * run ? "Translated" : "BudgetExceeded"
          )
        )
        expect((yield* meter).characters).toBe(100 * run)
      }
    }).pipe(Effect.provide(served()))
  )

  it.virtual("leaves out texts that do not fit, and sends smaller ones behind them", () =>
    Effect.gen(function* () {
      const { exit, out } = yield* drain(
        TranslateStream.translate(Stream.make("x".repeat(500), "abc", "y".repeat(40), "d"), {
          ...de,
          budget: 20
        })
      )
      expect(causes(out)).toEqual(["BudgetExceeded", "Translated", "BudgetExceeded", "Translated"])
      expect(failsWith(exit)).toMatchObject({ cap: 20, used: 4, needed: 40 })
      expect((failsWith(exit) as Error).message).toContain("Raise `budget` to 40 at least")
    }).pipe(Effect.provide(served()))
  )

  it.virtual("delivers the texts that fit of the last request, though others are refused meanwhile", () =>
    Effect.gen(function* () {
      const texts = Array.from({ length: 1000 }, (_, index) => `t${index}`.padEnd(4, "."))
      const budget = yield* Budget.make(1090)
      const { exit, out } = yield* drain(
        TranslateStream.translate(Stream.fromIterable(texts), { ...de, budget, concurrency: 8 })
      )
      expect(failsWith(exit)).toMatchObject({ _tag: "BudgetExceeded", used: 1088 })
      expect(causes(out).filter((cause) => cause === "Translated")).toHaveLength(272)
      expect(yield* budget.state).toEqual({ cap: 1090, spent: 1088, reserved: 0 })
    }).pipe(
      Effect.provide(served({ latency: "20 millis", client: { limit: ConcurrencyLimit.makeFixed(2) } }))
    )
  )

  it.virtual("pays for no part of a text whose other parts do not fit", () =>
    Effect.gen(function* () {
      const message = "{count, plural, one {One apple is here} other {Many apples are here}}"
      const { out } = yield* drain(
        TranslateStream.translate(Stream.make(message, "abc"), {
          ...de,
          budget: 30,
          placeholders: { messageFormat: IcuMessage.format }
        })
      )
      expect(causes(out)).toEqual(["BudgetExceeded", "Translated"])
      expect((yield* meter).characters).toBe(3)
    }).pipe(Effect.provide(served()))
  )

  it("is never exceeded, and holds nothing in the end, whatever it is: no text is left that it still holds", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 200 }),
        fc.integer({ min: 0, max: 3000 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 50 }),
        (sizes, cap, concurrency, maxTexts) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const translator = fake()
              const budget = yield* Budget.make(cap)
              const texts = sizes.map((size, index) => `${index}`.padEnd(size, ".").slice(0, size))
              const { exit, out } = yield* drain(
                TranslateStream.translate(Stream.fromIterable(texts), {
                  ...de,
                  budget,
                  concurrency,
                  maxTexts
                })
              ).pipe(translator.provide)
              const sent = charactersOf(translator.calls.flat())
              expect(sent).toBeLessThanOrEqual(cap)
              expect(yield* budget.state).toEqual({ cap, spent: sent, reserved: 0 })
              expect(out.every(({ _tag }) => _tag === "Translated")).toBe(charactersOf(texts) <= cap)
              expect(exit._tag === "Success").toBe(charactersOf(texts) <= cap)
              if (exit._tag === "Failure")
                expect((failsWith(exit) as Budget.BudgetExceeded).needed).toBeGreaterThan(cap - sent)
            })
          )
      ),
      { numRuns: runs(200) }
    )
  })

  it.virtual.each([[0], [-1], [Number.NaN], [3]])("of %d lets nothing through that is larger", ([cap]) =>
    Effect.gen(function* () {
      const budget = yield* Budget.make(cap!)
      const { exit, out } = yield* drain(
        TranslateStream.translate(Stream.make("abcd", ""), { ...de, budget })
      )
      expect(failsWith(exit)).toMatchObject({ _tag: "BudgetExceeded" })
      expect(causes(out)).toEqual(["BudgetExceeded", "Skipped"])
      expect((yield* meter).requests).toBe(0)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("is in code points, as the service bills", () =>
    Effect.gen(function* () {
      const budget = yield* Budget.make(7)
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.make("🌍🌍🌍", "e\u0301", "世界"), { ...de, budget })
      )
      expect(tags(outcomes)).toEqual(["Translated", "Translated", "Translated"])
      expect((yield* meter).characters).toBe(7)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("that can't be reached ends the job, and nothing is sent", () =>
    Effect.gen(function* () {
      const budget = { ...(yield* Budget.make(100)), reserve: () => Effect.fail(unreachable) }
      const { exit, out } = yield* drain(TranslateStream.translate(Stream.make("a", "b"), { ...de, budget }))
      expect(failsWith(exit)).toEqual(unreachable)
      expect(causes(out)).toEqual(["StoreUnavailable", "StoreUnavailable"])
      expect((yield* meter).requests).toBe(0)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("that can't be settled delivers paid texts, and keeps them held", () =>
    Effect.gen(function* () {
      const kept = yield* Budget.make(100)
      const budget = { ...kept, settle: () => Effect.fail(unreachable) }
      const texts = numbered(2)
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.fromIterable(texts), { ...de, budget })
      )
      expect(values(outcomes)).toEqual(texts.map(german))
      expect(yield* kept.state).toEqual({ cap: 100, spent: 0, reserved: 4 })
    }).pipe(Effect.provide(served()))
  )

  it.virtual("has back the characters of a request that was interrupted before it began", () =>
    Effect.gen(function* () {
      const kept = yield* Budget.make(100)
      const asked = yield* Deferred.make<void>()
      const interrupted = Effect.exit(Effect.interruptible(Effect.never))
      const budget: Budget.Service = {
        ...kept,
        reserve: (characters) =>
          Effect.zipLeft(
            kept.reserve(characters),
            Effect.zipRight(Deferred.succeed(asked, undefined), interrupted)
          ).pipe(Effect.uninterruptible)
      }
      const fiber = yield* Effect.fork(
        collect(TranslateStream.translate(Stream.make("a"), { ...de, budget }))
      )
      yield* Deferred.await(asked)
      yield* Fiber.interrupt(fiber)
      expect(yield* kept.state).toEqual({ cap: 100, spent: 0, reserved: 0 })
      expect((yield* meter).requests).toBe(0)
    }).pipe(Effect.provide(served()))
  )

  it.effect.each([["de-CH"], ["fr-ca"], ["xx-YY"]])(
    "holds for %s whatever a forecast counts for it: nothing is sent that the service might bill beyond",
    ([targetLang]) =>
      Effect.gen(function* () {
        const budget = yield* Budget.make(200)
        const translator = fake()
        const texts = Array.from({ length: 10 }, (_, index) => `${index}`.repeat(50))
        const { exit, out } = yield* drain(
          TranslateStream.translate(Stream.fromIterable(texts), {
            targetLang: targetLang!,
            maxTexts: 1,
            budget
          })
        ).pipe(translator.provide)
        expect(failsWith(exit)).toMatchObject({ _tag: "BudgetExceeded", cap: 200, used: 200, needed: 50 })
        expect(causes(out).filter((tag) => tag === "Translated")).toHaveLength(4)
        expect(translator.calls).toHaveLength(4)
      })
  )

  it.virtual("counts an attempt in doubt into a target in beta, as nobody knows its bill", () =>
    Effect.gen(function* () {
      yield* script(Fault.cutConnection({ when: "after" }))
      const budget = yield* Budget.make(100)
      const sum = yield* Stream.run(
        TranslateStream.translate(Stream.make("abc"), { targetLang: "de-CH", budget }),
        Outcome.tally
      )
      expect(sum).toMatchObject({ translated: 1, characters: 0, ambiguousCharacters: 3 })
      expect(yield* budget.state).toEqual({ cap: 100, spent: 3, reserved: 0 })
    }).pipe(hasty, Effect.provide(served()))
  )

  it.effect.each([[-5], [2.5], [1e308], [2 ** 53], [Number.NaN]])(
    "counts the characters of texts where the service says that it has billed %d for each, and tells so once",
    ([billedCharacters]) =>
      Effect.gen(function* () {
        const budget = yield* Budget.make(1000)
        const told: Array<unknown> = []
        const { out } = yield* drain(
          TranslateStream.translate(Stream.fromIterable(numbered(2000)), { ...de, budget, concurrency: 1 })
        ).pipe(
          Effect.provideService(Translator.Translator, {
            translate: (texts) =>
              Effect.succeed({
                ...answerOf(texts),
                translations: Arr.map(texts as Arr.NonEmptyReadonlyArray<string>, (text) => ({
                  text: german(text),
                  billedCharacters: billedCharacters!
                }))
              })
          }),
          Effect.provide(
            Logger.replace(
              Logger.defaultLogger,
              Logger.make(({ message }) => void told.push(message))
            )
          )
        )
        const translated = out.filter(({ _tag }) => _tag === "Translated")
        const { spent } = yield* budget.state
        expect(spent).toBeLessThanOrEqual(1000)
        expect(spent).toBe(charactersOf(translated.map(({ source }) => source)))
        expect(translated[0]!.cost.characters).toBe(2)
        expect(told).toHaveLength(1)
      })
  )

  it.effect("may be given as a number, for one stream", () =>
    Effect.gen(function* () {
      const options = { ...de, budget: 5 }
      for (const _ of [1, 2]) {
        const { exit, out } = yield* drain(
          TranslateStream.translate(chunked(["abc", "defg"], 1), { ...options, maxTexts: 1 })
        )
        expect(causes(out)).toEqual(["Translated", "BudgetExceeded"])
        expect(failsWith(exit)).toMatchObject({ cap: 5, used: 3, needed: 4 })
      }
    }).pipe(fake().provide)
  )

  it.effect.each([[-1], [Number.NaN], [1.5]])(
    "is refused before anything is pulled if it is the number %d",
    ([budget]) =>
      Effect.gen(function* () {
        const source = counted(10, String)
        const { exit } = yield* drain(TranslateStream.translate(source.stream, { ...de, budget: budget! }))
        expect(failsWith(exit)).toMatchObject({ _tag: "InvalidRequest", violations: [{ field: "budget" }] })
        expect(source.state.pulled).toBe(0)
      }).pipe(fake().provide)
  )

  it.virtual("is settled by the service's bill: nothing, for a target in beta", () =>
    Effect.gen(function* () {
      const budget = yield* Budget.make(250)
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.fromIterable(numbered(1000)), {
          targetLang: "de-CH",
          budget,
          concurrency: 1
        })
      )
      expect(new Set(tags(outcomes))).toEqual(new Set(["Translated"]))
      expect(yield* budget.state).toEqual({ cap: 250, spent: 0, reserved: 0 })
    }).pipe(Effect.provide(served()))
  )

  it.virtual("gets back the characters of refused texts, however they were refused", () =>
    Effect.gen(function* () {
      yield* script(
        Fault.times(Fault.status(503), 2),
        Fault.times(Fault.status(429), 2),
        Fault.status(413),
        Fault.poison("t77")
      )
      const texts = numbered(300)
      const cap = charactersOf(texts)
      const budget = yield* Budget.make(cap)
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.fromIterable(texts), { ...de, budget, concurrency: 16 })
      )
      expect(causes(outcomes)).toEqual(texts.map((text) => (text === "t77" ? "BadRequest" : "Translated")))
      expect(yield* budget.state).toEqual({ cap, spent: cap - 3, reserved: 0 })
      expect((yield* meter).characters).toBe(cap - 3)
    }).pipe(hasty, Effect.provide(served()))
  )

  it.virtual("holds the possible cost of an attempt in doubt, and its repetition besides", () =>
    Effect.gen(function* () {
      yield* script(Fault.times(Fault.cutConnection({ when: "after" }), 2))
      const budget = yield* Budget.make(15)
      const outcomes = yield* collect(TranslateStream.translate(Stream.make("hello"), { ...de, budget }))
      expect(outcomes).toMatchObject([
        { _tag: "Translated", cost: { characters: 5, ambiguousCharacters: 10 } }
      ])
      expect(yield* budget.state).toEqual({ cap: 15, spent: 15, reserved: 0 })
      expect((yield* meter).characters).toBe(15)
    }).pipe(hasty, Effect.provide(served()))
  )

  it.virtual("without room for a repetition leaves the text Failed with the error before", () =>
    Effect.gen(function* () {
      yield* script(Fault.cutConnection({ when: "after" }))
      const budget = yield* Budget.make(9)
      const { exit, out } = yield* drain(TranslateStream.translate(Stream.make("hello"), { ...de, budget }))
      expect(exit._tag).toBe("Success")
      expect(causes(out)).toEqual(["TransportError"])
      expect(out[0]!.cost).toEqual({ characters: 0, ambiguousCharacters: 5 })
      expect(yield* budget.state).toEqual({ cap: 9, spent: 5, reserved: 0 })
      expect(yield* meter).toMatchObject({ characters: 5, requests: 1 })
    }).pipe(hasty, Effect.provide(served()))
  )

  it.virtual("lets no call in a back-off be sent once it is used up, and gets back its characters", () =>
    Effect.gen(function* () {
      yield* script(Fault.status(503).pipe(Fault.where(({ texts }) => texts.includes("t50."))))
      const texts = Array.from({ length: 1000 }, (_, index) => `t${index}`.padEnd(4, "."))
      const budget = yield* Budget.make(1000)
      const { exit, out } = yield* drain(
        TranslateStream.translate(Stream.fromIterable(texts), { ...de, budget, concurrency: 2 })
      ).pipe(
        Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ schedule: retries(5, "1 hour") }))
      )
      expect(failsWith(exit)).toMatchObject({ _tag: "BudgetExceeded", used: 1000 })
      expect(causes(out).slice(50, 100)).toEqual(numbered(50).map(() => "ServerError"))
      expect(yield* budget.state).toEqual({ cap: 1000, spent: 800, reserved: 0 })
      expect((yield* meter).characters).toBe(800)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("gets back the characters of calls that wait for their turn when the job ends", () =>
    Effect.gen(function* () {
      yield* script(Fault.slow("30 millis"), Fault.status(456))
      const budget = yield* Budget.make(100_000)
      const { exit } = yield* drain(
        TranslateStream.translate(Stream.fromIterable(numbered(2000)), { ...de, budget, concurrency: 16 })
      )
      expect(failsWith(exit)).toMatchObject({ _tag: "QuotaExceeded" })
      const { reserved, spent } = yield* budget.state
      expect(reserved).toBe(0)
      expect(spent).toBe((yield* meter).characters)
    }).pipe(Effect.provide(served({ client: { limit: ConcurrencyLimit.makeFixed(1) } })))
  )

  it.virtual("is not touched by equal texts that are sent once, nor by blank ones", () =>
    Effect.gen(function* () {
      const budget = yield* Budget.make(5)
      const texts = Array.from({ length: 5000 }, (_, index) => (index % 2 === 0 ? "hello" : " "))
      const outcomes = yield* collect(
        TranslateStream.translate(chunked(texts, 100), { ...de, budget, dedupe: true })
      )
      expect(outcomes.filter(Outcome.isFailed)).toEqual([])
      expect((yield* meter).characters).toBe(5)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("counts the marks of placeholders, and a text that is asked for again twice", () =>
    Effect.gen(function* () {
      yield* script(Fault.mistranslate(() => "lost"))
      const sent = 'Hello <x id="1">{name}</x>'
      const text = "Hello {name}"
      const cap = charactersOf([sent, sent])
      const budget = yield* Budget.make(cap)
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.make(text), {
          ...de,
          budget,
          placeholders: {},
          verify: {}
        })
      )
      expect(outcomes).toMatchObject([{ _tag: "Translated", value: "[de] Héllö {name}" }])
      expect((yield* budget.state).spent).toBe(cap)
      expect((yield* meter).characters).toBe(cap)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("of several jobs is one: together they stay within it", () =>
    Effect.gen(function* () {
      const budget = yield* Budget.make(5000)
      const job = (targetLang: string) =>
        drain(
          TranslateStream.translate(counted(10_000, () => "abcd", 50).stream, {
            targetLang,
            budget,
            concurrency: 8
          })
        )
      const jobs = yield* Effect.all([job("de"), job("fr"), job("es")], { concurrency: 3 })
      for (const { exit } of jobs) expect(failsWith(exit)).toMatchObject({ _tag: "BudgetExceeded" })
      const paid = jobs.flatMap(({ out }) => out.filter(({ _tag }) => _tag === "Translated"))
      expect(4 * paid.length).toBe(5000)
      expect((yield* meter).characters).toBe(5000)
      expect(yield* budget.state).toEqual({ cap: 5000, spent: 5000, reserved: 0 })
    }).pipe(Effect.provide(served({ latency: "2 millis" })))
  )
})

describe("never over the cap", () => {
  const seeds = runs(100, 5)
  const often = (fault: Fault.Fault, probability: number) =>
    fault.pipe(Fault.probability(probability), Fault.times(endless))

  const letters = ["a", "é", "世", "🌍", "\ud800", "{x}", "&", " b"]

  const randomText = Effect.gen(function* () {
    const letter = letters[yield* Random.nextIntBetween(0, letters.length)]!
    const size = yield* Random.nextIntBetween(1, (yield* Random.next) < 0.03 ? 3000 : 40)
    return letter.repeat(size)
  })

  /** Faults of every kind, in doubt too; and a cap that some runs reach and some don't. */
  const run = Effect.gen(function* () {
    const texts = yield* Effect.replicateEffect(randomText, yield* Random.nextIntBetween(100, 1200))
    const cap = Math.floor(charactersOf(texts) * (yield* Random.nextRange(0.1, 1.6)))
    const budget = yield* Budget.make(cap)
    const rate = (yield* Random.next) * 0.08
    yield* script(
      often(Fault.cutConnection({ when: "after" }), rate),
      often(Fault.cutConnection({ when: "before" }), rate),
      often(Fault.cutConnection({ when: "mid-body" }), rate),
      often(Fault.status(500, { when: "after" }), rate),
      often(Fault.status(502), rate),
      often(Fault.status(503), rate),
      often(Fault.status(429), rate),
      often(Fault.status(400), rate / 4),
      often(Fault.status(413), rate / 4),
      often(Fault.shortAnswer, rate),
      often(Fault.longAnswer, rate),
      often(Fault.garbage, rate),
      often(
        Fault.mistranslate(() => ""),
        rate
      ),
      often(Fault.slow("2 millis", { when: "after" }), 0.1)
    )
    const { exit, out } = yield* drain(
      TranslateStream.translate(chunked(texts, yield* Random.nextIntBetween(1, 300)), {
        ...de,
        budget,
        concurrency: 16,
        dedupe: (yield* Random.next) < 0.3,
        placeholders: (yield* Random.next) < 0.3 ? {} : undefined,
        verify: (yield* Random.next) < 0.3 ? {} : undefined
      })
    ).pipe(
      Effect.provideService(
        RetryPolicy.RetryPolicy,
        RetryPolicy.make({ schedule: retries(3), ambiguousBudget: 1000 })
      )
    )
    const sum = yield* tally(out)
    return { cap, exit, out, sum, texts, state: yield* budget.state, billed: (yield* meter).characters }
  })

  it(`under concurrency 16 and faults of every kind, in ${seeds} seeds`, async () => {
    const seen = { exceeded: 0, finished: 0, ambiguous: 0 }
    for (let seed = 0; seed < seeds; seed++) {
      const { billed, cap, exit, out, state, sum, texts } = await Effect.runPromise(
        run.pipe(Effect.provide(served()), Effect.withRandom(Random.make(seed)), (job) =>
          virtualClock.run(job)
        )
      )
      const what = `seed ${seed}`
      expect(billed, what).toBeLessThanOrEqual(cap)
      expect(state.reserved, what).toBe(0)
      expect(state.spent, what).toBeLessThanOrEqual(cap)
      expect(state.spent, what).toBe(sum.characters + sum.ambiguousCharacters)
      expect(billed, what).toBeLessThanOrEqual(state.spent)
      expect(billed, what).toBeGreaterThanOrEqual(sum.characters)
      expect(sum.in, what).toBe(sum.translated + sum.cached + sum.skipped + sum.failed)
      if (exit._tag === "Failure") {
        expect(failsWith(exit), what).toMatchObject({ _tag: "BudgetExceeded", cap })
        seen.exceeded++
      } else {
        expect(
          out.map(({ source }) => source),
          what
        ).toEqual(texts)
        seen.finished++
      }
      if (sum.ambiguousCharacters > 0) seen.ambiguous++
    }
    expect(seen.exceeded).toBeGreaterThan(seeds / 10)
    expect(seen.finished).toBeGreaterThan(seeds / 10)
    expect(seen.ambiguous).toBeGreaterThan(seeds / 2)
  })
})
