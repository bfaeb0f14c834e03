/** What a job tells of itself: the state, how often it is told, events, metrics, and what spans hold. */

import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"
import * as Random from "effect/Random"
import * as Runtime from "effect/Runtime"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { Outcome, Progress, TranslateStream, WriteStream } from "effect-translate"
import { type Emulator, Fault } from "effect-translate/emulator"
import { observe } from "../../src/stream/ProgressObserver.js"
import { emulatedInProcess } from "../support/emulator.js"
import { runs } from "../support/long.js"
import { recordingTracer } from "../support/recordingTracer.js"
import {
  answerOf,
  chunked,
  collect,
  de,
  fake,
  hasty,
  meter,
  numbered,
  provide,
  quotaExceeded,
  served,
  still,
  until
} from "./support.js"

const nothing = { characters: 0, ambiguousCharacters: 0 }

const billed = (characters: number) => ({ characters, ambiguousCharacters: 0 })

const outcome = (texts: Partial<Outcome.Texts>): Outcome.Outcome<string> => ({
  _tag: "Translated",
  source: "",
  value: "",
  translations: [],
  cost: nothing,
  texts: { translated: 0, cached: 0, skipped: 0, failed: 0, ...texts }
})

const emitted = (count: number) => [outcome({ translated: count })]

const german = { targetLang: "de" }

describe("the state", () => {
  it.effect("is zero at first", () =>
    Effect.gen(function* () {
      const { state } = yield* Progress.make()
      expect(yield* state).toEqual({
        translated: 0,
        cached: 0,
        skipped: 0,
        failed: 0,
        done: 0,
        total: undefined,
        requests: 0,
        retries: 0,
        refusals: {},
        characters: 0,
        ambiguousCharacters: 0,
        inFlight: { texts: 0, characters: 0 },
        targets: [],
        outage: undefined,
        nextTry: undefined,
        cost: undefined,
        rate: 0,
        timeLeft: undefined
      })
    })
  )

  it.effect("holds texts in flight, repetitions of unknown fate included", () =>
    Effect.gen(function* () {
      const { [observe]: begin, state } = yield* Progress.make({ pricePerMillion: 20 })
      const observer = begin(german)
      const first = observer.sent(2, 1000)
      const second = observer.sent(3, 500)
      first.repeated()
      expect(yield* state).toMatchObject({
        inFlight: { texts: 5, characters: 2500 },
        requests: 0,
        cost: { least: 0, most: 0.05 }
      })
      first.ended(2, { characters: 1000, ambiguousCharacters: 1000 })
      expect(yield* state).toMatchObject({
        inFlight: { texts: 3, characters: 500 },
        requests: 2,
        characters: 1000,
        ambiguousCharacters: 1000,
        cost: { least: 0.02, most: 0.05 }
      })
      second.ended(1, nothing, "BadRequest")
      expect(yield* state).toMatchObject({
        inFlight: { texts: 0, characters: 0 },
        requests: 3,
        cost: { least: 0.02, most: 0.04 }
      })
    })
  )

  it.effect("counts texts by outcome, of all streams together", () =>
    Effect.gen(function* () {
      const { [observe]: begin, state } = yield* Progress.make({ total: 100 })
      begin(german).emitted([outcome({ translated: 3, skipped: 1 }), outcome({ cached: 2 })])
      begin({ targetLang: "fr" }).emitted([outcome({ failed: 1, translated: 1 })])
      expect(yield* state).toMatchObject({
        done: 8,
        translated: 4,
        cached: 2,
        skipped: 1,
        failed: 1,
        total: 100
      })
    })
  )

  it.effect("tells no total, and no time that is left, once an estimate has proved too small", () =>
    Effect.gen(function* () {
      const { [observe]: begin, state } = yield* Progress.make({ totals: { de: 2, fr: 2 }, isEstimate: true })
      const german = begin({ targetLang: "de" })
      const french = begin({ targetLang: "fr" })
      german.emitted(emitted(1))
      yield* TestClock.adjust("1 second")
      german.emitted(emitted(1))
      expect(yield* state).toMatchObject({ total: 4, targets: [{ total: 2 }, { total: 2 }] })
      expect((yield* state).timeLeft).toBeDefined()
      german.emitted(emitted(1))
      expect(yield* state).toMatchObject({ total: 4, targets: [{ total: undefined }, { total: 2 }] })
      french.emitted(emitted(2))
      expect(yield* state).toMatchObject({ total: undefined, timeLeft: undefined })
    })
  )

  it.effect("tells the same of each language, in the order of the totals", () =>
    Effect.gen(function* () {
      const { [observe]: begin, state } = yield* Progress.make({ totals: { FR: 10, "pt-br": 5 } })
      const french = begin({ targetLang: "fr" })
      begin({ targetLang: "ja" }).emitted(emitted(1))
      begin({ targetLang: "pt-BR" }).emitted([outcome({ translated: 3, failed: 1 })])
      french.sent(2, 30).ended(3, billed(30))
      french.emitted(emitted(2))
      french.sent(1, 7).ended(2, { characters: 0, ambiguousCharacters: 7 }, "TimedOut")
      french.sent(1, 9).ended(0, nothing, "Interrupted")
      french.sent(4, 40)
      // Another stream into the same language.
      begin({ sourceLang: "en", targetLang: "fr" }).emitted([outcome({ cached: 1 })])
      const { targets, ...all } = yield* state
      expect(targets).toMatchObject([
        {
          targetLang: "fr",
          total: 10,
          done: 3,
          translated: 2,
          cached: 1,
          requests: 5,
          retries: 3,
          refusals: { TimedOut: 1 },
          characters: 30,
          ambiguousCharacters: 7,
          inFlight: { texts: 4, characters: 40 }
        },
        { targetLang: "pt-BR", total: 5, done: 4, translated: 3, failed: 1, requests: 0, refusals: {} },
        { targetLang: "ja", total: undefined, done: 1 }
      ])
      expect(all).toMatchObject({
        total: 15,
        done: 8,
        translated: 6,
        cached: 1,
        failed: 1,
        requests: 5,
        retries: 3,
        refusals: { TimedOut: 1 },
        characters: 30,
        inFlight: { texts: 4, characters: 40 }
      })
    })
  )

  it.effect("tells when the service is tried again, while it does not answer", () =>
    Effect.gen(function* () {
      const { [observe]: begin, state } = yield* Progress.make()
      const observer = begin(german)
      observer.outage("TransportError")
      expect(yield* state).toMatchObject({ outage: "TransportError", nextTry: undefined })
      observer.outage("TransportError", 8000)
      yield* TestClock.adjust("5 seconds")
      expect(yield* state).toMatchObject({ nextTry: Duration.seconds(3) })
      yield* TestClock.adjust("5 seconds")
      expect(yield* state).toMatchObject({ nextTry: Duration.zero })
      observer.outage(undefined)
      expect(yield* state).toMatchObject({ outage: undefined, nextTry: undefined })
    })
  )

  it.effect("tells the rate of the last ten seconds, and the time left", () =>
    Effect.gen(function* () {
      const { [observe]: begin, state } = yield* Progress.make({ total: 1000 })
      const observer = begin(german)
      observer.sent(1, 1)
      for (let second = 0; second < 10; second++) {
        yield* TestClock.adjust("1 second")
        observer.emitted(emitted(50))
      }
      expect(yield* state).toMatchObject({ done: 500, rate: 50, timeLeft: Duration.seconds(10) })
      for (let second = 0; second < 10; second++) {
        yield* TestClock.adjust("1 second")
        observer.emitted(emitted(10))
      }
      expect(yield* state).toMatchObject({ done: 600, rate: 10, timeLeft: Duration.seconds(40) })
    })
  )

  it.effect("tells no time left while nothing moves, and zero once all is done", () =>
    Effect.gen(function* () {
      const { [observe]: begin, state } = yield* Progress.make({ total: 10 })
      const observer = begin(german)
      observer.sent(10, 100)
      yield* TestClock.adjust("2 seconds")
      observer.emitted(emitted(4))
      expect(yield* state).toMatchObject({ rate: 2, timeLeft: Duration.seconds(3) })
      yield* TestClock.adjust("1 minute")
      expect(yield* state).toMatchObject({ rate: 0, timeLeft: undefined })
      observer.emitted(emitted(8))
      yield* TestClock.adjust("1 second")
      expect(yield* state).toMatchObject({ done: 12, timeLeft: Duration.zero })
    })
  )
})

/** What `changes` has told so far. */
const watched = (progress: Progress.Progress) =>
  Effect.gen(function* () {
    const told: Array<number> = []
    yield* Effect.forkScoped(
      Stream.runForEach(progress.changes, ({ done }) => Effect.sync(() => told.push(done)))
    )
    yield* TestClock.adjust(0)
    return told
  })

describe("changes", () => {
  it.scoped("tell the state at once, then at most every 100 milliseconds, and always the last one", () =>
    Effect.gen(function* () {
      const progress = yield* Progress.make()
      const observer = progress[observe](german)
      const told = yield* watched(progress)
      expect(told).toEqual([0])
      for (let i = 0; i < 100; i++) {
        for (let j = 0; j < 10; j++) observer.emitted(emitted(1))
        yield* TestClock.adjust("10 millis")
      }
      expect(told.length).toBeGreaterThanOrEqual(10)
      expect(told.length).toBeLessThanOrEqual(11)
      yield* TestClock.adjust("100 millis")
      expect(told.at(-1)).toBe(1000)
      const { length } = told
      yield* TestClock.adjust("1 minute")
      expect(told).toHaveLength(length)
      observer.emitted(emitted(1))
      yield* TestClock.adjust(0)
      expect(told.at(-1)).toBe(1001)
    })
  )

  it.scoped("are told to every reader", () =>
    Effect.gen(function* () {
      const progress = yield* Progress.make()
      const readers = [yield* watched(progress), yield* watched(progress)]
      yield* TestClock.adjust("1 second")
      progress[observe](german).emitted(emitted(1))
      yield* TestClock.adjust(0)
      expect(readers).toEqual([
        [0, 1],
        [0, 1]
      ])
    })
  )
})

describe("watch", () => {
  /** It makes progress after 50 milliseconds, and is seen after 60. */
  const run = (self: Effect.Effect<unknown, unknown>) =>
    Effect.gen(function* () {
      const progress = yield* Progress.make()
      const told: Array<number> = []
      const work = Effect.zipRight(
        Effect.sleep("50 millis"),
        Effect.sync(() => progress[observe](german).emitted(emitted(7)))
      )
      const fiber = yield* Effect.zipRight(work, self).pipe(
        Progress.watch(progress, ({ done }) => Effect.sync(() => told.push(done))),
        Effect.fork
      )
      yield* TestClock.adjust("60 millis")
      return { fiber, told }
    })

  it.effect("hands over the last state of an effect that has succeeded", () =>
    Effect.gen(function* () {
      const { fiber, told } = yield* run(Effect.succeed("done"))
      expect(told).toEqual([0, 7])
      expect(yield* Fiber.join(fiber)).toBe("done")
    })
  )

  it.effect("hands over the last state of an effect that has failed", () =>
    Effect.gen(function* () {
      const { fiber, told } = yield* run(Effect.fail("broken"))
      expect(told).toEqual([0, 7])
      expect(yield* Effect.flip(Fiber.join(fiber))).toBe("broken")
    })
  )

  it.effect("hands over the last state of an effect that was interrupted", () =>
    Effect.gen(function* () {
      const { fiber, told } = yield* run(Effect.never)
      expect(told).toEqual([0])
      expect(Exit.isInterrupted(yield* Fiber.interrupt(fiber))).toBe(true)
      expect(told).toEqual([0, 7])
    })
  )
})

describe("events", () => {
  it.scoped("tell the events, with counts and languages", () =>
    Effect.gen(function* () {
      const progress = yield* Progress.make()
      const fiber = yield* Effect.fork(collect(Stream.take(progress.events, 5)))
      yield* TestClock.adjust(0)
      const languages = { sourceLang: "en", targetLang: "de" }
      const observer = progress[observe](languages)
      observer.sent(2, 10).ended(1, billed(10))
      observer.sent(1, 5).ended(3, { characters: 0, ambiguousCharacters: 5 }, "TimedOut")
      observer.emitted([...emitted(2), outcome({ failed: 1 })])
      expect(yield* Fiber.join(fiber)).toEqual([
        { _tag: "Sent", ...languages, texts: 2, characters: 10 },
        { _tag: "Answered", ...languages, texts: 2, requests: 1, characters: 10, ambiguousCharacters: 0 },
        { _tag: "Sent", ...languages, texts: 1, characters: 5 },
        {
          _tag: "Failed",
          ...languages,
          texts: 1,
          requests: 3,
          characters: 0,
          ambiguousCharacters: 5,
          error: "TimedOut"
        },
        { _tag: "Emitted", ...languages, texts: { translated: 2, cached: 0, skipped: 0, failed: 1 } }
      ])
    })
  )

  it.scoped("tell of an outage once, whenever the next try is put off", () =>
    Effect.gen(function* () {
      const progress = yield* Progress.make()
      const fiber = yield* Effect.fork(collect(Stream.take(progress.events, 3)))
      yield* TestClock.adjust(0)
      const observer = progress[observe](german)
      observer.outage("TransportError")
      observer.outage("TransportError", 1000)
      observer.outage("ServerError", 3000)
      observer.outage(undefined)
      observer.outage("TimedOut")
      expect(yield* Fiber.join(fiber)).toEqual([
        { _tag: "OutageBegan", ...german, error: "TransportError" },
        { _tag: "OutageEnded", ...german },
        { _tag: "OutageBegan", ...german, error: "TimedOut" }
      ])
    })
  )

  it.scoped("are lost to a reader that is too slow, the oldest first", () =>
    Effect.gen(function* () {
      const progress = yield* Progress.make()
      const observer = progress[observe](german)
      const busy = yield* Effect.makeLatch()
      const reader = yield* Effect.fork(
        progress.events.pipe(
          Stream.mapEffect((event) => Effect.as(busy.await, event)),
          Stream.take(1025),
          collect
        )
      )
      yield* TestClock.adjust(0)
      observer.sent(1, 1)
      yield* TestClock.adjust(0)
      for (let i = 2; i <= 3000; i++) observer.sent(i, i)
      yield* busy.open
      const seen = (yield* Fiber.join(reader)).map((event) => ("texts" in event ? event.texts : event))
      expect(seen).toEqual([1, ...Array.from({ length: 1024 }, (_, index) => 1977 + index)])
    })
  )
})

const counterOf = (counter: Metric.Metric.Counter<number>, targetLang: string, outcome?: string) => {
  const tagged = Metric.tagged(counter, "target_lang", targetLang)
  return Effect.map(
    Metric.value(outcome === undefined ? tagged : Metric.tagged(tagged, "outcome", outcome)),
    ({ count }) => count
  )
}

describe("metrics", () => {
  it.effect("count texts by outcome, requests and characters, by target", () =>
    Effect.gen(function* () {
      const { [observe]: begin } = yield* Progress.make()
      const observer = begin({ targetLang: "nb" })
      const batch = observer.sent(5, 50)
      expect(yield* counterOf(Progress.requests, "nb")).toBe(0)
      batch.ended(2, { characters: 50, ambiguousCharacters: 50 })
      observer.emitted([outcome({ translated: 3 }), outcome({ failed: 2 })])
      expect(yield* counterOf(Progress.requests, "nb")).toBe(2)
      expect(yield* counterOf(Progress.characters, "nb")).toBe(50)
      expect(yield* counterOf(Progress.ambiguousCharacters, "nb")).toBe(50)
      expect(yield* counterOf(Progress.texts, "nb", "translated")).toBe(3)
      expect(yield* counterOf(Progress.texts, "nb", "failed")).toBe(2)
      expect(yield* counterOf(Progress.texts, "nb", "cached")).toBe(0)
    })
  )
})

describe("spans", () => {
  it.virtual("are one for each batch, with counts and languages, never a text", () =>
    Effect.gen(function* () {
      const { spans, tracer } = recordingTracer()
      yield* Stream.make("s3cret one", "s3cret two").pipe(
        TranslateStream.translate({ targetLang: "DE", sourceLang: "en", context: "s3cret context" }),
        Stream.runDrain,
        Effect.withTracer(tracer)
      )
      const [batch, ...others] = spans.filter(({ name }) => name === "effect-translate.batch")
      expect(others).toEqual([])
      expect(Object.fromEntries(batch!.attributes)).toEqual({
        "translate.texts": 2,
        "translate.characters": 20,
        "translate.source_lang": "en",
        "translate.target_lang": "de",
        "translate.requests": 1,
        "translate.billed_characters": 20
      })
      expect(JSON.stringify(spans.map(({ attributes }) => [...attributes]))).not.toContain("s3cret")
    }).pipe(Effect.provide(served()))
  )
})

const run = (texts: ReadonlyArray<string>, options: TranslateStream.Options) =>
  chunked(texts, 30).pipe(TranslateStream.translate(options), Stream.run(Outcome.tally))

describe("a stream", () => {
  it.virtual("tells the languages in canonical casing, and nothing else of its options", () =>
    Effect.gen(function* () {
      const progress = yield* Progress.make()
      const events = yield* Effect.fork(collect(Stream.take(progress.events, 3)))
      yield* Effect.yieldNow()
      yield* run(["a", " "], { targetLang: "PT-br", context: "s3cret", progress })
      const languages = { targetLang: "pt-BR" }
      expect(yield* Fiber.join(events)).toEqual([
        { _tag: "Sent", ...languages, texts: 1, characters: 1 },
        { _tag: "Answered", ...languages, texts: 1, requests: 1, characters: 1, ambiguousCharacters: 0 },
        { _tag: "Emitted", ...languages, texts: { translated: 1, cached: 0, skipped: 1, failed: 0 } }
      ])
    }).pipe(fake().provide)
  )

  it.virtual("counts an answer that does not fit as ambiguous", () =>
    Effect.gen(function* () {
      const progress = yield* Progress.make()
      const tally = yield* run(["abc", "de"], { ...de, progress })
      expect(tally).toMatchObject({ failed: 2, characters: 0, ambiguousCharacters: 10 })
      expect(yield* progress.state).toMatchObject({
        failed: 2,
        characters: 0,
        ambiguousCharacters: 10,
        inFlight: { texts: 0, characters: 0 }
      })
    }).pipe(provide({ translate: () => Effect.succeed(answerOf(["abc"], 1)) }))
  )

  it.virtual("leaves nothing in flight when it fails", () =>
    Effect.gen(function* () {
      const progress = yield* Progress.make()
      yield* Effect.exit(run(numbered(500), { ...de, progress }))
      expect(yield* progress.state).toMatchObject({
        done: 60,
        failed: 60,
        characters: 0,
        inFlight: { texts: 0, characters: 0 }
      })
    }).pipe(fake(() => Effect.fail(quotaExceeded)).provide)
  )

  it.virtual("keeps in the state the texts in flight when it is interrupted", () =>
    Effect.gen(function* () {
      const progress = yield* Progress.make()
      const translator = fake((_, call) => (call === 0 ? Effect.void : Effect.never))
      const fiber = yield* Effect.fork(
        translator.provide(run(numbered(500), { ...de, concurrency: 3, progress }))
      )
      yield* until(() => translator.state.inFlight === 3)
      yield* Fiber.interrupt(fiber)
      expect(yield* progress.state).toMatchObject({
        characters: 10 * 2 + 40 * 3,
        inFlight: { texts: 150, characters: 50 * 3 + 100 * 4 }
      })
    })
  )

  it.virtual("tells of improvements too", () =>
    Effect.gen(function* () {
      const progress = yield* Progress.make()
      yield* Stream.runDrain(WriteStream.rephrase(Stream.make("One text.", "Two."), { progress }))
      expect(yield* progress.state).toMatchObject({ done: 2, translated: 2, requests: 1, characters: 13 })
    }).pipe(Effect.provide(emulatedInProcess()))
  )
})

const faults = [
  Fault.status(500, { when: "after" }),
  Fault.status(503),
  Fault.cutConnection({ when: "after" }),
  Fault.garbage,
  Fault.status(429)
].map((fault) => Fault.times(Fault.probability(fault, 0.15), Number.POSITIVE_INFINITY))

const texts = Array.from({ length: 700 }, (_, index) => (index % 9 === 0 ? " " : `text ${index}`))

describe("with faults of every kind", () => {
  it.virtual("a job ends with the figures of its outcomes and the service's meter", () =>
    Effect.gen(function* () {
      const progress = yield* Progress.make({ total: texts.length })
      const tally = yield* hasty(run(texts, { ...de, dedupe: true, progress }))
      const { requests } = yield* meter
      const state = yield* progress.state
      const { in: done, ...sums } = tally
      expect(state).toMatchObject({ ...sums, done, inFlight: { texts: 0, characters: 0 } })
      expect(state.requests).toBe(requests)
      expect(sums.ambiguousCharacters).toBeGreaterThan(0)
    }).pipe(
      Effect.withRandom(Random.make(1)),
      Effect.provide(served({ faults: [Fault.status(500, { when: "after" }), ...faults] }))
    )
  )

  /** Answers that come after they were billed, so that there are some on the way whenever a job is interrupted. */
  const late = Fault.times(Fault.slow("20 millis", { when: "after" }), Number.POSITIVE_INFINITY)

  /** What was billed to a job that is interrupted after so many events, and what it tells. */
  const interrupted = (events: number) =>
    Effect.gen(function* () {
      const runtime = yield* Effect.runtime<Emulator.Emulator>()
      const progress = yield* Progress.make()
      const reader = yield* Effect.fork(Stream.runDrain(Stream.take(progress.events, events)))
      yield* Effect.yieldNow()
      const fiber = yield* Effect.fork(hasty(run(texts, { ...de, concurrency: 4, progress })))
      yield* Effect.raceFirst(Fiber.await(reader), Fiber.await(fiber))
      yield* Fiber.interrupt(fiber)
      yield* Fiber.interrupt(reader)
      const billed = yield* still(() => Runtime.runSync(runtime)(meter).characters)
      return { billed, ...(yield* progress.state) }
    }).pipe(Effect.provide(served({ faults: [...faults, late] })))

  it.virtual("a job that is interrupted was billed for nothing that it does not tell of", () =>
    Effect.gen(function* () {
      const ended = yield* Effect.forEach(
        Array.from({ length: runs(24, 8) }, (_, index) => 2 * index + 1),
        interrupted
      )
      for (const { ambiguousCharacters, billed, characters, inFlight } of ended) {
        expect(characters).toBeLessThanOrEqual(billed)
        expect(billed).toBeLessThanOrEqual(characters + ambiguousCharacters + inFlight.characters)
      }
      expect(ended.some(({ billed, characters }) => billed > characters)).toBe(true)
      expect(ended.some(({ inFlight }) => inFlight.characters > 0)).toBe(true)
    }).pipe(Effect.withRandom(Random.make(1)))
  )
})
