/** What a stream asks of a store of translations, and what it tells it. The streams are real ones, the store is not. */
import { describe, expect, it, vi } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { type Outcome, TranslateStream } from "effect-translate"
import * as Store from "../../src/stream/internal/translationStore.js"
import {
  badRequest,
  causes,
  chunked,
  collect,
  de,
  drain,
  failsWith,
  fake,
  mark,
  numbered,
  quotaExceeded,
  randomTurns,
  soon,
  still,
  tags,
  unavailable,
  until,
  values
} from "./support.js"

/** Runs streams with a store. The public options can't name one yet, so what makes the store of a stream is replaced. */
const withStore =
  (store: Store.Store) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.acquireUseRelease(
      Effect.sync(() => vi.spyOn(Store, "fromOptions").mockReturnValue(store)),
      () => self,
      (spy) => Effect.sync(() => spy.mockRestore())
    )

const translationOf = (text: string) => ({ text: `[stored] ${text}` })

/** Knows what a test says, does what a test wants before each call, and keeps what it was asked and told. */
const storeOf = (
  known: (text: string, lookUp: number) => Store.Known = () => "unknown",
  work: Partial<Store.Store> = {}
) => {
  const lookUps: Array<ReadonlyArray<string>> = []
  const sent: Array<ReadonlyArray<string>> = []
  const records: Array<ReadonlyArray<Store.Recorded>> = []
  const store: Store.Store = {
    pollInterval: work.pollInterval ?? "1 millis",
    lookUp: (texts) =>
      Effect.suspend(() => {
        const lookUp = lookUps.push(texts) - 1
        return work.lookUp?.(texts) ?? Effect.succeed(texts.map((text) => known(text, lookUp)))
      }),
    aboutToSend: (texts) =>
      Effect.suspend(() => {
        sent.push(texts)
        return work.aboutToSend?.(texts) ?? Effect.void
      }),
    record: (results) =>
      Effect.suspend(() => {
        records.push(results)
        return work.record?.(results) ?? Effect.void
      })
  }
  return { lookUps, sent, records, provide: withStore(store) }
}

/** What was recorded: each text with its translation, or the tag of its error. */
const recorded = (
  records: ReadonlyArray<ReadonlyArray<Store.Recorded>>
): ReadonlyArray<readonly [string, string]> =>
  records
    .flat()
    .map(({ error, text, translation }) => [text, error === undefined ? translation.text : error._tag])

const costs = (outcomes: ReadonlyArray<Outcome.Outcome<unknown, unknown>>) =>
  outcomes.map(({ cost }) => cost.characters)

describe("looking up", () => {
  it.live("is asked once for each chunk that is pulled", () =>
    Effect.gen(function* () {
      const store = storeOf()
      const translator = fake()
      const texts = numbered(250)
      const outcomes = yield* collect(TranslateStream.translate(chunked(texts, 100), de)).pipe(
        store.provide,
        translator.provide,
        soon
      )
      expect(values(outcomes)).toEqual(texts.map(mark))
      expect(store.lookUps).toEqual([texts.slice(0, 100), texts.slice(100, 200), texts.slice(200)])
      expect(translator.calls).toHaveLength(5)
    })
  )

  it.live("of a chunk that is larger than the window is asked for as much as fits", () =>
    Effect.gen(function* () {
      const store = storeOf()
      const texts = numbered(500)
      yield* collect(TranslateStream.translate(chunked(texts, 500), { ...de, concurrency: 1 })).pipe(
        store.provide,
        fake().provide,
        soon
      )
      expect(store.lookUps[0]).toEqual(texts.slice(0, 200))
      expect(store.lookUps.flat()).toEqual(texts)
    })
  )

  it.live("is asked for no blanks", () =>
    Effect.gen(function* () {
      const store = storeOf()
      const outcomes = yield* collect(TranslateStream.translate(chunked(["", "a", " ", "\n"], 2), de)).pipe(
        store.provide,
        fake().provide,
        soon
      )
      expect(tags(outcomes)).toEqual(["Skipped", "Translated", "Skipped", "Skipped"])
      expect(store.lookUps).toEqual([["a"]])
    })
  )

  it.live("that finds a text makes it Cached: it costs nothing, and is neither sent nor recorded", () =>
    Effect.gen(function* () {
      const store = storeOf((text) => (text === "b" ? "unknown" : translationOf(text)))
      const translator = fake()
      const outcomes = yield* collect(TranslateStream.translate(Stream.make("a", "b", "c"), de)).pipe(
        store.provide,
        translator.provide,
        soon
      )
      expect(tags(outcomes)).toEqual(["Cached", "Translated", "Cached"])
      expect(values(outcomes)).toEqual(["[stored] a", "<b>", "[stored] c"])
      expect(costs(outcomes)).toEqual([0, 1, 0])
      expect(translator.calls).toEqual([["b"]])
      expect(recorded(store.records)).toEqual([["b", "<b>"]])
    })
  )

  it.live("that finds all of the texts leaves nothing to be sent", () =>
    Effect.gen(function* () {
      const store = storeOf(translationOf)
      const translator = fake()
      const outcomes = yield* collect(TranslateStream.translate(chunked(numbered(300), 70), de)).pipe(
        store.provide,
        translator.provide,
        soon
      )
      expect(values(outcomes)).toEqual(numbered(300).map((text) => translationOf(text).text))
      expect(translator.calls).toEqual([])
      expect([store.sent, store.records]).toEqual([[], []])
    })
  )

  it.live("is not asked for a text that is on its way: equal texts wait for it", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const store = storeOf()
      const translator = fake(() => Deferred.await(gate))
      const texts = ["a", "b", "a", "a", "b"]
      const fiber = yield* collect(TranslateStream.translate(chunked(texts, 2), de)).pipe(
        store.provide,
        translator.provide,
        Effect.fork
      )
      yield* until(() => translator.calls.length === 1)
      yield* Deferred.succeed(gate, undefined)
      const outcomes = yield* soon(Fiber.join(fiber))
      expect(values(outcomes)).toEqual(texts.map(mark))
      expect(tags(outcomes)).toEqual(["Translated", "Translated", "Cached", "Cached", "Cached"])
      expect(store.lookUps).toEqual([["a", "b"]])
      expect(translator.calls).toEqual([["a", "b"]])
    })
  )

  it.live("that fails ends the stream with its error, and what was paid for still leaves", () =>
    Effect.gen(function* () {
      const store = storeOf(undefined, {
        lookUp: (texts) =>
          texts.includes("t60")
            ? Effect.fail(unavailable)
            : Effect.succeed(texts.map(() => "unknown" as const))
      })
      const texts = numbered(90)
      const { exit, out } = yield* drain(TranslateStream.translate(chunked(texts, 30), de)).pipe(
        store.provide,
        fake().provide,
        soon
      )
      expect(failsWith(exit)).toBe(unavailable)
      expect(causes(out)).toEqual(texts.map((_, index) => (index < 50 ? "Translated" : "ServerError")))
      expect(costs(out).slice(50)).toEqual(Array(40).fill(0))
    })
  )

  it.live("that dies ends the stream", () =>
    Effect.gen(function* () {
      const store = storeOf(undefined, { lookUp: () => Effect.die("defect") })
      const { exit } = yield* drain(TranslateStream.translate(Stream.make("a"), de)).pipe(
        store.provide,
        fake().provide,
        soon
      )
      expect(exit).toMatchObject({ cause: { _tag: "Die", defect: "defect" } })
    })
  )
})

describe("a text that is pending", () => {
  /** Pending for some look-ups of it, and then what is given. */
  const pendingFor = (times: number, text: string, then: Store.Known) => {
    let left = times
    return (asked: string): Store.Known => (asked !== text ? "unknown" : left-- > 0 ? "pending" : then)
  }

  it.live("is asked for again until it is known, and is Cached then", () =>
    Effect.gen(function* () {
      const store = storeOf(pendingFor(3, "a", translationOf("a")))
      const translator = fake()
      const outcomes = yield* collect(TranslateStream.translate(Stream.make("a", "b", "a"), de)).pipe(
        store.provide,
        translator.provide,
        soon
      )
      expect(values(outcomes)).toEqual(["[stored] a", "<b>", "[stored] a"])
      expect(tags(outcomes)).toEqual(["Cached", "Translated", "Cached"])
      expect(store.lookUps).toEqual([["a", "b"], ["a"], ["a"], ["a"]])
      expect(translator.calls).toEqual([["b"]])
    })
  )

  it.live("is sent once it is unknown, since whoever translated it gave up", () =>
    Effect.gen(function* () {
      const store = storeOf(pendingFor(2, "a", "unknown"))
      const translator = fake()
      const outcomes = yield* collect(TranslateStream.translate(Stream.make("a", "b", "a"), de)).pipe(
        store.provide,
        translator.provide,
        soon
      )
      expect(tags(outcomes)).toEqual(["Translated", "Translated", "Cached"])
      expect(translator.calls.flat().toSorted()).toEqual(["a", "b"])
    })
  )

  it.live("is asked for again no sooner than the store says", () =>
    Effect.gen(function* () {
      const store = storeOf(() => "pending", { pollInterval: "1 hour" })
      const fiber = yield* Stream.runDrain(TranslateStream.translate(Stream.make("a"), de)).pipe(
        store.provide,
        fake().provide,
        Effect.fork
      )
      yield* until(() => store.lookUps.length === 1)
      expect(yield* still(() => store.lookUps.length)).toBe(1)
      yield* Fiber.interrupt(fiber)
    }).pipe(soon)
  )

  it.live.each([
    ["the source goes on", Stream.never],
    ["the source has ended", Stream.empty]
  ] as const)("holds back no text that is to be sent while %s", ([_, rest]) =>
    Effect.gen(function* () {
      const store = storeOf((text) => (text === "a" ? "pending" : "unknown"))
      const translator = fake()
      const fiber = yield* Stream.make("a", "b").pipe(
        Stream.concat(rest),
        TranslateStream.translate(de),
        Stream.runDrain,
        store.provide,
        translator.provide,
        Effect.fork
      )
      yield* until(() => translator.state.completed === 1 && store.lookUps.length > 5)
      expect(translator.calls).toEqual([["b"]])
      yield* Fiber.interrupt(fiber)
    }).pipe(soon)
  )

  it.live("holds back no outcome in an unordered stream", () =>
    Effect.gen(function* () {
      const store = storeOf((text) => (text === "a" ? "pending" : "unknown"))
      const outcomes = yield* Stream.make("a", "b").pipe(
        TranslateStream.translate({ ...de, unordered: true }),
        Stream.take(1),
        collect,
        store.provide,
        fake().provide,
        soon
      )
      expect(values(outcomes)).toEqual(["<b>"])
    })
  )

  it.live("is not asked for any more once the stream is interrupted", () =>
    Effect.gen(function* () {
      const store = storeOf(() => "pending")
      const fiber = yield* Stream.runDrain(TranslateStream.translate(Stream.make("a"), de)).pipe(
        store.provide,
        fake().provide,
        Effect.fork
      )
      yield* until(() => store.lookUps.length > 3)
      yield* Fiber.interrupt(fiber)
      const asked = store.lookUps.length
      expect(yield* still(() => store.lookUps.length)).toBe(asked)
    }).pipe(soon)
  )

  it.live("fails with the others if looking it up again fails, and that ends the stream", () =>
    Effect.gen(function* () {
      const store = storeOf(undefined, {
        lookUp: (texts) =>
          texts.includes("b")
            ? Effect.succeed(texts.map((text) => (text === "a" ? "pending" : "unknown")))
            : Effect.fail(unavailable)
      })
      const { exit, out } = yield* drain(TranslateStream.translate(Stream.make("a", "b", "a"), de)).pipe(
        store.provide,
        fake().provide,
        soon
      )
      expect(failsWith(exit)).toBe(unavailable)
      expect(causes(out)).toEqual(["ServerError", "Translated", "ServerError"])
    })
  )

  it.live("fails if the stream ends by another failure", () =>
    Effect.gen(function* () {
      const store = storeOf((text) => (text === "a" ? "pending" : "unknown"))
      const { exit, out } = yield* drain(TranslateStream.translate(Stream.make("a", "b"), de)).pipe(
        store.provide,
        fake(() => Effect.fail(quotaExceeded)).provide,
        soon
      )
      expect(failsWith(exit)).toBe(quotaExceeded)
      expect(causes(out)).toEqual(["QuotaExceeded", "QuotaExceeded"])
    })
  )

  it.live("leaves with its failure, though the only worker is in a pull when the stream ends", () =>
    Effect.gen(function* () {
      const store = storeOf(undefined, {
        lookUp: (texts) =>
          store.lookUps.length === 1 ? Effect.succeed(texts.map(() => "pending")) : Effect.fail(unavailable),
        record: () => Effect.sleep("100 millis")
      })
      const late = Effect.uninterruptible(Effect.as(Effect.sleep("50 millis"), "b"))
      const source = Stream.concat(Stream.make("a"), Stream.fromEffect(late))
      const { exit, out } = yield* drain(TranslateStream.translate(source, { ...de, concurrency: 1 })).pipe(
        store.provide,
        fake().provide,
        soon
      )
      expect(failsWith(exit)).toBe(unavailable)
      expect(causes(out)).toEqual(["ServerError"])
      expect(store.records).toHaveLength(1)
    })
  )

  it.live("ends the stream if looking it up again dies", () =>
    Effect.gen(function* () {
      const store = storeOf(undefined, {
        lookUp: (texts) =>
          texts.length === 2 ? Effect.succeed(["pending", "unknown"]) : Effect.die("defect")
      })
      const ended = yield* drain(TranslateStream.translate(Stream.make("a", "b"), de)).pipe(
        store.provide,
        fake().provide,
        Effect.timeoutOption("1 second")
      )
      expect(ended).toMatchObject({ _tag: "Some", value: { exit: { cause: { _tag: "Die" } } } })
    })
  )

  it.live("delays the end of a stream by no poll once it has failed", () =>
    Effect.gen(function* () {
      const store = storeOf((text) => (text === "a" ? "pending" : "unknown"), { pollInterval: "1 hour" })
      const ended = yield* drain(TranslateStream.translate(Stream.make("a", "b"), de)).pipe(
        store.provide,
        fake(() => Effect.fail(quotaExceeded)).provide,
        Effect.timeoutOption("1 second")
      )
      expect(ended).toMatchObject({ _tag: "Some", value: { out: [{ _tag: "Failed" }, { _tag: "Failed" }] } })
    })
  )
})

describe("about to send", () => {
  it.live("is told once for each request, before it is sent", () =>
    Effect.gen(function* () {
      const calls = { told: 0, sent: 0 }
      const store = storeOf(undefined, { aboutToSend: () => Effect.sync(() => calls.told++) })
      const translator = fake(() => Effect.sync(() => expect(++calls.sent).toBeLessThanOrEqual(calls.told)))
      yield* collect(TranslateStream.translate(chunked(numbered(500), 60), de)).pipe(
        store.provide,
        translator.provide,
        soon
      )
      expect(store.sent).toHaveLength(10)
      expect([...store.sent].sort()).toEqual([...translator.calls].sort())
    })
  )

  it.live("is told again for the halves of a request that was refused", () =>
    Effect.gen(function* () {
      const store = storeOf()
      const translator = fake((texts) => (texts.includes("bad") ? Effect.fail(badRequest) : Effect.void))
      yield* collect(TranslateStream.translate(Stream.make("a", "bad", "c"), { ...de, concurrency: 1 })).pipe(
        store.provide,
        translator.provide,
        soon
      )
      expect(store.sent).toEqual([["a", "bad", "c"], ["a", "bad"], ["a"], ["bad"], ["c"]])
      expect(translator.calls).toEqual(store.sent)
    })
  )

  it.live("is told the texts of the source, not what is sent of them", () =>
    Effect.gen(function* () {
      const store = storeOf()
      const translator = fake()
      yield* collect(TranslateStream.translate(Stream.make("Hi {name}"), { ...de, placeholders: {} })).pipe(
        store.provide,
        translator.provide,
        soon
      )
      expect(store.sent).toEqual([["Hi {name}"]])
      expect(translator.calls).toEqual([['Hi <x id="1">{name}</x>']])
      expect(store.records.flat().map(({ text }) => text)).toEqual(["Hi {name}"])
    })
  )

  it.live("that fails ends the stream with its error, and the request is not sent", () =>
    Effect.gen(function* () {
      const store = storeOf(undefined, {
        aboutToSend: (texts) => (texts.includes("t50") ? Effect.fail(unavailable) : Effect.void)
      })
      const translator = fake()
      const texts = numbered(120)
      const { exit, out } = yield* drain(
        TranslateStream.translate(chunked(texts, 120), { ...de, concurrency: 1 })
      ).pipe(store.provide, translator.provide, soon)
      expect(failsWith(exit)).toBe(unavailable)
      expect(causes(out)).toEqual(texts.map((_, index) => (index < 50 ? "Translated" : "ServerError")))
      expect(costs(out).slice(50)).toEqual(Array(70).fill(0))
      expect(translator.calls).toEqual([texts.slice(0, 50)])
    })
  )
})

describe("recording", () => {
  it.live("is told of each text once, whether it was translated or has failed", () =>
    Effect.gen(function* () {
      const store = storeOf()
      const translator = fake((texts) => (texts.includes("bad") ? Effect.fail(badRequest) : Effect.void))
      yield* collect(TranslateStream.translate(Stream.make("a", "bad", "a", "", "c"), de)).pipe(
        store.provide,
        translator.provide,
        soon
      )
      expect(recorded(store.records).toSorted()).toEqual([
        ["a", "<a>"],
        ["bad", "BadRequest"],
        ["c", "<c>"]
      ])
    })
  )

  it.live("ends before the outcomes can be taken", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const store = storeOf(undefined, { record: () => Deferred.await(gate) })
      const translator = fake((texts) => (texts.includes("t0") ? Effect.void : Effect.fail(unavailable)))
      const seen: Array<Outcome.Outcome<string>> = []
      const fiber = yield* chunked(numbered(100), 100).pipe(
        TranslateStream.translate({ ...de, unordered: true }),
        Stream.runForEach((outcome) => Effect.sync(() => seen.push(outcome))),
        store.provide,
        translator.provide,
        Effect.fork
      )
      yield* until(() => store.records.length === 2)
      expect(yield* still(() => seen.length)).toBe(0)
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(fiber)
      expect(causes(seen).toSorted()).toEqual([
        ...Array(50).fill("ServerError"),
        ...Array(50).fill("Translated")
      ])
    }).pipe(soon)
  )

  it.live("is told of texts that the end of the stream leaves unsent", () =>
    Effect.gen(function* () {
      const store = storeOf()
      yield* drain(TranslateStream.translate(chunked(numbered(70), 70), de)).pipe(
        store.provide,
        fake(() => Effect.fail(quotaExceeded)).provide,
        soon
      )
      expect(recorded(store.records).toSorted()).toEqual(
        numbered(70)
          .map((text) => [text, "QuotaExceeded"])
          .toSorted()
      )
    })
  )

  it.live("that fails ends the stream with its error, and what was paid for still leaves", () =>
    Effect.gen(function* () {
      const store = storeOf(undefined, { record: () => Effect.fail(unavailable) })
      const translator = fake()
      const { exit, out } = yield* drain(
        TranslateStream.translate(chunked(numbered(80), 80), { ...de, concurrency: 1 })
      ).pipe(store.provide, translator.provide, soon)
      expect(failsWith(exit)).toBe(unavailable)
      expect(causes(out).slice(0, 50)).toEqual(Array(50).fill("Translated"))
      expect(out).toHaveLength(80)
    })
  )

  it.live("is all that another stream needs to find the texts", () =>
    Effect.gen(function* () {
      const known = new Map<string, Store.Known>()
      const store = storeOf((text) => known.get(text) ?? "unknown", {
        record: (results) =>
          Effect.sync(() => {
            for (const { text, translation } of results)
              if (translation !== undefined) known.set(text, translation)
          })
      })
      const translator = fake((_, call) => (call === 1 ? Effect.fail(unavailable) : Effect.void))
      const run = () => collect(TranslateStream.translate(chunked(numbered(100), 100), de))
      const first = yield* run().pipe(store.provide, translator.provide, soon)
      const second = yield* run().pipe(store.provide, translator.provide, soon)
      expect(causes(first)).toEqual([...Array(50).fill("Translated"), ...Array(50).fill("ServerError")])
      expect(tags(second)).toEqual([...Array(50).fill("Cached"), ...Array(50).fill("Translated")])
      expect(values(second)).toEqual(numbered(100).map(mark))
    })
  )
})

describe("a store whose own fibers are interrupted", () => {
  it.live.each([
    ["looking up", { lookUp: () => Effect.interrupt }],
    ["about to send", { aboutToSend: () => Effect.interrupt }],
    ["recording", { record: () => Effect.interrupt }]
  ] as const)("while %s ends the stream", ([_, work]) =>
    Effect.gen(function* () {
      const ended = yield* drain(TranslateStream.translate(Stream.make("a"), de)).pipe(
        storeOf(undefined, work).provide,
        fake().provide,
        Effect.timeoutOption("1 second")
      )
      expect(ended).toMatchObject({ _tag: "Some", value: { exit: { _tag: "Failure" } } })
    })
  )
})

describe("two streams that run at the same time with one store", () => {
  it.live("send each text once between them, and neither waits for ever", () =>
    Effect.gen(function* () {
      const known = new Map<string, Store.Known>()
      const store = storeOf(
        (text) => {
          const found = known.get(text)
          if (found === undefined) known.set(text, "pending")
          return found ?? "unknown"
        },
        {
          record: (results) =>
            Effect.sync(() => {
              for (const { text, translation } of results) {
                if (translation !== undefined) known.set(text, translation)
                else known.delete(text)
              }
            })
        }
      )
      const texts = numbered(700)
      const translator = fake((_, call) =>
        Effect.zipRight(randomTurns(20), call % 5 === 4 ? Effect.fail(unavailable) : Effect.void)
      )
      const [ahead, back] = yield* Effect.all(
        [texts, texts.toReversed()].map((texts) =>
          collect(TranslateStream.translate(chunked(texts, 33), { ...de, concurrency: 3 }))
        ),
        { concurrency: 2 }
      ).pipe(store.provide, translator.provide, soon)
      for (const outcomes of [ahead!, back!]) {
        expect(outcomes).toHaveLength(700)
        for (const { _tag, source, value } of outcomes)
          expect(value).toBe(_tag === "Failed" ? source : mark(source))
      }
      const translated = [...ahead!, ...back!].filter(({ _tag }) => _tag === "Translated")
      expect(new Set(translated.map(({ source }) => source)).size).toBe(translated.length)
    })
  )
})
