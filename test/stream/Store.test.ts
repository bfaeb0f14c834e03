/** What a stream asks of a store of translations, and what it tells it. The streams are real ones, the store is not. */
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import {
  Budget,
  type Outcome,
  Progress,
  type TranslateError,
  TranslateStream,
  type TranslationStore
} from "effect-translate"
import { IcuMessage } from "effect-translate/icu"
import { StoreError } from "effect-translate/store"
import { SendGate } from "../../src/internal/sendGate.js"
import type * as StoreBackend from "../../src/store/StoreBackend.js"
import {
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
  inDoubt,
  mark,
  numbered,
  quotaExceeded,
  still,
  tags,
  unavailable,
  until,
  values
} from "./support.js"

const translationOf = (text: string) => ({ text: `[stored] ${text}` })

interface Work extends Partial<Pick<TranslationStore.Session, "pollInterval" | "lookUp" | "record">> {
  /** Before texts are claimed. */
  readonly claim?: (texts: ReadonlyArray<string>) => Effect.Effect<void, StoreError.StoreError>
  /** Whether a text is granted by a claim. */
  readonly grants?: (text: string, claim: number) => boolean
  readonly maySend?: (ambiguousAttempts: number) => Effect.Effect<boolean, StoreError.StoreError>
}

/** Knows what a test says, does what a test wants, and keeps what it was asked and told. */
const storeOf = (
  known: (text: string, lookUp: number) => TranslationStore.Result["translation"] = () => undefined,
  work: Work = {}
) => {
  const lookUps: Array<ReadonlyArray<string>> = []
  const claims: Array<ReadonlyArray<string>> = []
  const asked: Array<number> = []
  const ended: Array<StoreBackend.Ending> = []
  const records: Array<ReadonlyArray<TranslationStore.Result>> = []
  const session: TranslationStore.Session = {
    pollInterval: work.pollInterval ?? Duration.millis(1),
    lookUp: (texts) =>
      Effect.suspend(() => {
        const lookUp = lookUps.push(texts) - 1
        return work.lookUp?.(texts) ?? Effect.succeed(texts.map((text) => known(text, lookUp)))
      }),
    claim: (texts) =>
      Effect.suspend(() => {
        const claim = claims.push(texts) - 1
        return Effect.as(work.claim?.(texts) ?? Effect.void, {
          granted: texts.map((text) => work.grants?.(text, claim) ?? true),
          maySend: (ambiguousAttempts) =>
            Effect.suspend(() => {
              asked.push(ambiguousAttempts)
              return work.maySend?.(ambiguousAttempts) ?? Effect.succeed(true)
            }),
          ended: (ending) => ended.push(ending)
        } satisfies TranslationStore.Claim)
      }),
    record: (results) =>
      Effect.suspend(() => {
        records.push(results)
        return work.record?.(results) ?? Effect.void
      })
  }
  const store = { open: () => Effect.succeed(session) } as unknown as TranslationStore.Service
  return { lookUps, claims, asked, ended, records, de: { ...de, store } }
}

/** What was recorded: each text with its translation. */
const recorded = (records: ReadonlyArray<ReadonlyArray<TranslationStore.Result>>) =>
  records.flat().map(({ text, translation }) => [text, translation?.text])

const storeFailure = new StoreError.StoreUnavailable({ store: "test.db", code: "SQLITE_BUSY" })

const costs = (outcomes: ReadonlyArray<Outcome.Outcome<unknown, unknown>>) =>
  outcomes.map(({ cost }) => cost.characters)

describe("looking up", () => {
  it.virtual("is asked once for each chunk that is pulled", () =>
    Effect.gen(function* () {
      const store = storeOf()
      const translator = fake()
      const texts = numbered(250)
      const outcomes = yield* collect(TranslateStream.translate(chunked(texts, 100), store.de)).pipe(
        translator.provide
      )
      expect(values(outcomes)).toEqual(texts.map(mark))
      expect(store.lookUps).toEqual([texts.slice(0, 100), texts.slice(100, 200), texts.slice(200)])
      expect(translator.calls).toHaveLength(5)
    })
  )

  it.virtual("of a chunk that is larger than the window is asked for as much as fits", () =>
    Effect.gen(function* () {
      const store = storeOf()
      const texts = numbered(500)
      yield* collect(TranslateStream.translate(chunked(texts, 500), { ...store.de, concurrency: 1 })).pipe(
        fake().provide
      )
      expect(store.lookUps[0]).toEqual(texts.slice(0, 200))
      expect(store.lookUps.flat()).toEqual(texts)
    })
  )

  it.virtual("is asked for no blank texts", () =>
    Effect.gen(function* () {
      const store = storeOf()
      const outcomes = yield* collect(
        TranslateStream.translate(chunked(["", "a", " ", "\n"], 2), store.de)
      ).pipe(fake().provide)
      expect(tags(outcomes)).toEqual(["Skipped", "Translated", "Skipped", "Skipped"])
      expect(store.lookUps).toEqual([["a"]])
    })
  )

  it.virtual("that finds a text makes it Cached: it costs nothing, and is neither sent nor recorded", () =>
    Effect.gen(function* () {
      const store = storeOf((text) => (text === "b" ? undefined : translationOf(text)))
      const translator = fake()
      const outcomes = yield* collect(TranslateStream.translate(Stream.make("a", "b", "c"), store.de)).pipe(
        translator.provide
      )
      expect(tags(outcomes)).toEqual(["Cached", "Translated", "Cached"])
      expect(values(outcomes)).toEqual(["[stored] a", "<b>", "[stored] c"])
      expect(costs(outcomes)).toEqual([0, 1, 0])
      expect(translator.calls).toEqual([["b"]])
      expect(recorded(store.records)).toEqual([["b", "<b>"]])
    })
  )

  it.virtual("that finds all of the texts leaves nothing to be sent", () =>
    Effect.gen(function* () {
      const store = storeOf(translationOf)
      const translator = fake()
      const outcomes = yield* collect(TranslateStream.translate(chunked(numbered(300), 70), store.de)).pipe(
        translator.provide
      )
      expect(values(outcomes)).toEqual(numbered(300).map((text) => translationOf(text).text))
      expect(translator.calls).toEqual([])
      expect([store.claims, store.records]).toEqual([[], []])
    })
  )

  it.virtual("is not asked for a text that is on its way: equal texts wait for it", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const store = storeOf()
      const translator = fake(() => Deferred.await(gate))
      const texts = ["a", "b", "a", "a", "b"]
      const fiber = yield* collect(TranslateStream.translate(chunked(texts, 2), store.de)).pipe(
        translator.provide,
        Effect.fork
      )
      yield* until(() => translator.calls.length === 1)
      yield* Deferred.succeed(gate, undefined)
      const outcomes = yield* Fiber.join(fiber)
      expect(values(outcomes)).toEqual(texts.map(mark))
      expect(tags(outcomes)).toEqual(["Translated", "Translated", "Cached", "Cached", "Cached"])
      expect(store.lookUps).toEqual([["a", "b"]])
      expect(translator.calls).toEqual([["a", "b"]])
    })
  )

  it.virtual("that fails ends the stream with its error, and paid texts still leave", () =>
    Effect.gen(function* () {
      const store = storeOf(undefined, {
        lookUp: (texts) =>
          texts.includes("t60") ? Effect.fail(storeFailure) : Effect.succeed(texts.map(() => undefined))
      })
      const texts = numbered(90)
      const { exit, out } = yield* drain(TranslateStream.translate(chunked(texts, 30), store.de)).pipe(
        fake().provide
      )
      expect(failsWith(exit)).toBe(storeFailure)
      expect(causes(out)).toEqual(texts.map((_, index) => (index < 50 ? "Translated" : "StoreUnavailable")))
      expect(costs(out).slice(50)).toEqual(Array(40).fill(0))
    })
  )

  it.virtual("that dies ends the stream", () =>
    Effect.gen(function* () {
      const store = storeOf(undefined, { lookUp: () => Effect.die("defect") })
      const { exit } = yield* drain(TranslateStream.translate(Stream.make("a"), store.de)).pipe(
        fake().provide
      )
      expect(exit).toMatchObject({ cause: { _tag: "Die", defect: "defect" } })
    })
  )
})

describe("a text that is denied", () => {
  /** Denied so many times. */
  const deniedFor = (times: number, text: string, known?: { readonly text: string }) => {
    let left = times
    return storeOf((asked) => (asked === text && left <= 0 ? known : undefined), {
      grants: (asked) => asked !== text || left-- <= 0
    })
  }

  it.virtual("is looked up until it is known, and is Cached then", () =>
    Effect.gen(function* () {
      const store = deniedFor(1, "a", translationOf("a"))
      const translator = fake()
      const outcomes = yield* collect(TranslateStream.translate(Stream.make("a", "b", "a"), store.de)).pipe(
        translator.provide
      )
      expect(values(outcomes)).toEqual(["[stored] a", "<b>", "[stored] a"])
      expect(tags(outcomes)).toEqual(["Cached", "Translated", "Cached"])
      expect(store.lookUps).toEqual([["a", "b"], ["a"]])
      expect(translator.calls).toEqual([["b"]])
    })
  )

  it.virtual("is claimed again while it is unknown, and sent once whoever has it gives up", () =>
    Effect.gen(function* () {
      const store = deniedFor(3, "a")
      const translator = fake()
      const outcomes = yield* collect(TranslateStream.translate(Stream.make("a", "b", "a"), store.de)).pipe(
        translator.provide
      )
      expect(tags(outcomes)).toEqual(["Translated", "Translated", "Cached"])
      expect(translator.calls).toEqual([["b"], ["a"]])
      expect(store.claims).toEqual([["a", "b"], ["a"], ["a"], ["a"]])
      expect(recorded(store.records)).toEqual([
        ["b", "<b>"],
        ["a", "<a>"]
      ])
    })
  )

  it.effect("is asked for again no sooner than the store says, by the clock", () =>
    Effect.gen(function* () {
      const store = storeOf(undefined, { grants: () => false, pollInterval: Duration.hours(1) })
      const fiber = yield* Stream.runDrain(TranslateStream.translate(Stream.make("a"), store.de)).pipe(
        fake().provide,
        Effect.fork
      )
      for (let hours = 1; hours <= 3; hours++) {
        yield* until(() => store.claims.length === hours)
        expect(yield* still(() => store.lookUps.length + store.claims.length)).toBe(2 * hours)
        yield* TestClock.adjust("1 hour")
      }
      yield* Fiber.interrupt(fiber)
    })
  )

  it.virtual("is in no request, and costs nothing", () =>
    Effect.gen(function* () {
      const store = storeOf((text, lookUp) => (lookUp > 0 ? translationOf(text) : undefined), {
        grants: (text) => !text.includes("denied")
      })
      const progress = yield* Progress.make()
      const budget = yield* Budget.make(5)
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.make("denied 1", "ab", "denied 2", "cde"), {
          ...store.de,
          budget,
          progress
        })
      ).pipe(fake().provide)
      expect(tags(outcomes)).toEqual(["Cached", "Translated", "Cached", "Translated"])
      expect(costs(outcomes)).toEqual([0, 2, 0, 3])
      expect(yield* budget.state).toMatchObject({ spent: 5, reserved: 0 })
      expect(yield* progress.state).toMatchObject({ characters: 5, requests: 1, inFlight: { texts: 0 } })
    })
  )

  it.virtual.each([
    ["the source goes on", Stream.never],
    ["the source has ended", Stream.empty]
  ] as const)("holds back no text that may be sent while %s", ([_, rest]) =>
    Effect.gen(function* () {
      const store = storeOf(undefined, { grants: (text) => text !== "a" })
      const translator = fake()
      const fiber = yield* Stream.make("a", "b").pipe(
        Stream.concat(rest),
        TranslateStream.translate(store.de),
        Stream.runDrain,
        translator.provide,
        Effect.fork
      )
      yield* until(() => translator.state.completed === 1 && store.lookUps.length > 5)
      expect(translator.calls).toEqual([["b"]])
      yield* Fiber.interrupt(fiber)
    })
  )

  it.virtual("holds back no outcome in an unordered stream", () =>
    Effect.gen(function* () {
      const store = storeOf(undefined, { grants: (text) => text !== "a" })
      const outcomes = yield* Stream.make("a", "b").pipe(
        TranslateStream.translate({ ...store.de, unordered: true }),
        Stream.take(1),
        collect,
        fake().provide
      )
      expect(values(outcomes)).toEqual(["<b>"])
    })
  )

  it.effect("lingers with others once it may be sent", () =>
    Effect.gen(function* () {
      const store = storeOf(undefined, {
        grants: (text, claim) => text !== "a" || claim > 0,
        pollInterval: Duration.seconds(1)
      })
      const translator = fake()
      const fiber = yield* Stream.make("a", "b").pipe(
        Stream.concat(Stream.never),
        TranslateStream.translate({ ...store.de, linger: "10 seconds" }),
        Stream.runDrain,
        translator.provide,
        Effect.fork
      )
      const sent: Array<number> = []
      for (const seconds of [10, 1, 9, 1]) {
        yield* still(() => store.lookUps.length + store.claims.length)
        yield* TestClock.adjust(Duration.seconds(seconds))
        sent.push(yield* still(() => translator.calls.length))
      }
      expect(sent).toEqual([1, 1, 1, 2])
      expect(translator.calls).toEqual([["b"], ["a"]])
      yield* Fiber.interrupt(fiber)
    })
  )

  it.virtual("is not asked for any more once the stream is interrupted", () =>
    Effect.gen(function* () {
      const store = storeOf(undefined, { grants: () => false })
      const fiber = yield* Stream.runDrain(TranslateStream.translate(Stream.make("a"), store.de)).pipe(
        fake().provide,
        Effect.fork
      )
      yield* until(() => store.lookUps.length > 3)
      yield* Fiber.interrupt(fiber)
      const asked = store.lookUps.length
      expect(yield* still(() => store.lookUps.length)).toBe(asked)
    })
  )

  it.virtual("fails with the others if looking it up again fails, and that ends the stream", () =>
    Effect.gen(function* () {
      const store = storeOf(undefined, {
        grants: (text) => text !== "a",
        lookUp: (texts) =>
          texts.includes("b") ? Effect.succeed(texts.map(() => undefined)) : Effect.fail(storeFailure)
      })
      const { exit, out } = yield* drain(
        TranslateStream.translate(Stream.make("a", "b", "a"), store.de)
      ).pipe(fake().provide)
      expect(failsWith(exit)).toBe(storeFailure)
      expect(causes(out)).toEqual(["StoreUnavailable", "Translated", "StoreUnavailable"])
    })
  )

  it.virtual("fails if the stream ends by another failure", () =>
    Effect.gen(function* () {
      const store = storeOf(undefined, { grants: (text) => text !== "a" })
      const { exit, out } = yield* drain(TranslateStream.translate(Stream.make("a", "b"), store.de)).pipe(
        fake(() => Effect.fail(quotaExceeded)).provide
      )
      expect(failsWith(exit)).toBe(quotaExceeded)
      expect(causes(out)).toEqual(["QuotaExceeded", "QuotaExceeded"])
    })
  )

  it.virtual("leaves with its failure, though the only worker is in a pull when the stream ends", () =>
    Effect.gen(function* () {
      const failed = yield* Effect.makeLatch()
      const store = storeOf(undefined, {
        grants: () => false,
        lookUp: (texts) =>
          store.lookUps.length === 1
            ? Effect.succeed(texts.map(() => undefined))
            : Effect.zipRight(failed.open, Effect.fail(storeFailure)),
        record: () => Effect.sleep("100 millis")
      })
      const late = failed.await.pipe(
        Effect.zipRight(Effect.sleep("50 millis")),
        Effect.as("b"),
        Effect.uninterruptible
      )
      const source = Stream.concat(Stream.make("a"), Stream.fromEffect(late))
      const { exit, out } = yield* drain(
        TranslateStream.translate(source, { ...store.de, concurrency: 1 })
      ).pipe(fake().provide)
      expect(failsWith(exit)).toBe(storeFailure)
      expect(causes(out)).toEqual(["StoreUnavailable"])
      expect(store.records).toHaveLength(1)
    })
  )

  it.virtual("ends the stream if looking it up again dies", () =>
    Effect.gen(function* () {
      const store = storeOf(undefined, {
        grants: () => false,
        lookUp: (texts) =>
          store.lookUps.length === 1 ? Effect.succeed(texts.map(() => undefined)) : Effect.die("defect")
      })
      const ended = yield* drain(TranslateStream.translate(Stream.make("a", "b"), store.de)).pipe(
        fake().provide,
        Effect.timeoutOption("20 seconds")
      )
      expect(ended).toMatchObject({ _tag: "Some", value: { exit: { cause: { _tag: "Die" } } } })
    })
  )

  it.virtual("delays the end of a stream by no poll once it has failed", () =>
    Effect.gen(function* () {
      const store = storeOf(undefined, {
        grants: (text) => text !== "a",
        pollInterval: Duration.hours(1)
      })
      const ended = yield* drain(TranslateStream.translate(Stream.make("a", "b"), store.de)).pipe(
        fake(() => Effect.fail(quotaExceeded)).provide,
        Effect.timeoutOption("20 seconds")
      )
      expect(ended).toMatchObject({ _tag: "Some", value: { out: [{ _tag: "Failed" }, { _tag: "Failed" }] } })
    })
  )
})

describe("a claim", () => {
  it.virtual("is made once for each request, before it is sent", () =>
    Effect.gen(function* () {
      const calls = { claimed: 0, sent: 0 }
      const store = storeOf(undefined, { claim: () => Effect.sync(() => calls.claimed++) })
      const translator = fake(() =>
        Effect.sync(() => expect(++calls.sent).toBeLessThanOrEqual(calls.claimed))
      )
      yield* collect(TranslateStream.translate(chunked(numbered(500), 60), store.de)).pipe(translator.provide)
      expect(store.claims).toHaveLength(10)
      expect([...store.claims].sort()).toEqual([...translator.calls].sort())
    })
  )

  it.virtual("is made again for the halves of a request that was refused", () =>
    Effect.gen(function* () {
      const store = storeOf()
      const translator = fake((texts) => (texts.includes("bad") ? Effect.fail(badRequest) : Effect.void))
      yield* collect(
        TranslateStream.translate(Stream.make("a", "bad", "c"), { ...store.de, concurrency: 1 })
      ).pipe(translator.provide)
      expect(store.claims).toEqual([["a", "bad", "c"], ["a", "bad"], ["a"], ["bad"], ["c"]])
      expect(store.ended).toEqual(["rejected", "rejected", "answered", "rejected", "answered"])
      expect(translator.calls).toEqual(store.claims)
    })
  )

  it.virtual("is for the texts of the source, each once, and not for their segments", () =>
    Effect.gen(function* () {
      const store = storeOf()
      const translator = fake()
      const text = "{n, plural, one {One cup} other {# cups}}"
      yield* collect(
        TranslateStream.translate(Stream.make("Hi {name}", text), {
          ...store.de,
          placeholders: { messageFormat: IcuMessage.format }
        })
      ).pipe(translator.provide)
      expect(store.claims).toEqual([["Hi {name}", text]])
      expect(translator.calls[0]).toHaveLength(3)
      expect(store.records.flat().map(({ text }) => text)).toEqual(["Hi {name}", text])
    })
  )

  it.virtual("that is denied to a part of a text drops its other parts, in flight or not", () =>
    Effect.gen(function* () {
      const giant = "世界。".repeat(30_000)
      const store = storeOf((text, lookUp) => (lookUp > 0 ? translationOf(text) : undefined), {
        grants: (text, claim) => text !== giant || claim === 0
      })
      const translator = fake()
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.make(giant, "b", giant), { ...store.de, concurrency: 3 })
      ).pipe(translator.provide)
      expect(tags(outcomes)).toEqual(["Cached", "Translated", "Cached"])
      expect(outcomes[0]!.value).toBe(translationOf(giant).text)
      expect(costs(outcomes)).toEqual([charactersOf(translator.calls[0]!), 1, 0])
      expect(translator.calls.flat().filter((text) => text !== "b")).toHaveLength(1)
      expect(store.lookUps.slice(1)).toEqual([[giant]])
    })
  )

  it.virtual("that fails ends the stream with its error, and the request is not sent", () =>
    Effect.gen(function* () {
      const store = storeOf(undefined, {
        claim: (texts) => (texts.includes("t50") ? Effect.fail(storeFailure) : Effect.void)
      })
      const translator = fake()
      const texts = numbered(120)
      const { exit, out } = yield* drain(
        TranslateStream.translate(chunked(texts, 120), { ...store.de, concurrency: 1 })
      ).pipe(translator.provide)
      expect(failsWith(exit)).toBe(storeFailure)
      expect(causes(out)).toEqual(texts.map((_, index) => (index < 50 ? "Translated" : "StoreUnavailable")))
      expect(costs(out).slice(50)).toEqual(Array(70).fill(0))
      expect(translator.calls).toEqual([texts.slice(0, 50)])
    })
  )

  it.virtual.each([
    ["answered", Effect.void],
    ["rejected", Effect.fail(badRequest)],
    ["rejected", Effect.fail(unavailable)],
    ["rejected", Effect.fail(quotaExceeded)],
    ["unknown", Effect.fail(inDoubt)]
  ] as const)("is told that its request was %s: %o", ([ending, answer]) =>
    Effect.gen(function* () {
      const store = storeOf()
      yield* drain(TranslateStream.translate(Stream.make("a"), store.de)).pipe(fake(() => answer).provide)
      expect(store.ended).toEqual([ending])
    })
  )

  it.virtual("is told that its request was rejected if the budget did not allow it", () =>
    Effect.gen(function* () {
      const store = storeOf()
      yield* drain(TranslateStream.translate(Stream.make("abc"), { ...store.de, budget: 2 })).pipe(
        fake().provide
      )
      expect(store.ended).toEqual(["rejected"])
    })
  )

  it.virtual.each([
    ["that asks before it sends tells nothing: the session knows what was sent", true, []],
    ["of its own makes it unknown: nobody asked before it was sent", false, ["unknown"]]
  ] as const)("whose stream is interrupted, with a translator %s", ([_, asks, ended]) =>
    Effect.gen(function* () {
      const store = storeOf()
      const translator = fake(() =>
        Effect.flatMap(SendGate, (open) => {
          if (asks) open!()
          return Effect.never
        })
      )
      const fiber = yield* Stream.runDrain(TranslateStream.translate(Stream.make("a"), store.de)).pipe(
        translator.provide,
        Effect.fork
      )
      yield* until(() => translator.calls.length === 1)
      yield* Fiber.interrupt(fiber)
      expect(store.ended).toEqual(ended)
      expect(store.records).toEqual([])
    })
  )
})

describe("before each attempt", () => {
  /** A translator that asks as a client does, and fails in doubt so many times first. */
  const asking = (failures: number) => {
    let attempts = 0
    return fake(() =>
      Effect.flatMap(SendGate, (open) => {
        const maySend = open!()
        const attempt = (ambiguousAttempts: number): Effect.Effect<void, TranslateError.CallError> =>
          Effect.flatMap(maySend(ambiguousAttempts), (isAllowed) => {
            if (!isAllowed) return ambiguousAttempts === 0 ? Effect.interrupt : Effect.fail(inDoubt)
            return ++attempts <= failures ? attempt(ambiguousAttempts + 1) : Effect.void
          })
        return attempt(0)
      })
    )
  }

  it.virtual("the store is asked, and told how many were in doubt", () =>
    Effect.gen(function* () {
      const store = storeOf()
      yield* collect(TranslateStream.translate(Stream.make("a"), store.de)).pipe(asking(2).provide)
      expect(store.asked).toEqual([0, 1, 2])
      expect(store.ended).toEqual(["answered"])
    })
  )

  it.virtual.each([
    ["never", 0, "rejected", 0],
    ["once", 1, "unknown", 1]
  ] as const)("a lost claim sends the texts back to be looked up: sent %s", ([_, failures, ending, doubt]) =>
    Effect.gen(function* () {
      const store = storeOf((text, lookUp) => (lookUp > 0 ? translationOf(text) : undefined), {
        maySend: (ambiguousAttempts) => Effect.succeed(ambiguousAttempts < failures)
      })
      const budget = yield* Budget.make(100)
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.make("a", "b"), { ...store.de, budget })
      ).pipe(asking(failures).provide)
      expect(values(outcomes)).toEqual(["[stored] a", "[stored] b"])
      expect(outcomes.map(({ cost }) => cost)).toEqual(
        Array(2).fill({ characters: 0, ambiguousCharacters: doubt })
      )
      expect(store.ended).toEqual([ending])
      expect(store.lookUps).toEqual([
        ["a", "b"],
        ["a", "b"]
      ])
      expect(yield* budget.state).toMatchObject({ reserved: 0, spent: 2 * doubt })
    })
  )

  it.virtual("a store that fails ends the stream with its error", () =>
    Effect.gen(function* () {
      const store = storeOf(undefined, { maySend: () => Effect.fail(storeFailure) })
      const { exit, out } = yield* drain(TranslateStream.translate(Stream.make("a", "b"), store.de)).pipe(
        asking(0).provide
      )
      expect(failsWith(exit)).toBe(storeFailure)
      expect(causes(out)).toEqual(["StoreUnavailable", "StoreUnavailable"])
      expect(store.ended).toEqual(["rejected"])
    })
  )

  it.virtual("a store that dies ends the stream", () =>
    Effect.gen(function* () {
      const store = storeOf(undefined, { maySend: () => Effect.die("defect") })
      const { exit } = yield* drain(TranslateStream.translate(Stream.make("a"), store.de)).pipe(
        asking(0).provide
      )
      expect(exit).toMatchObject({ cause: { _tag: "Die", defect: "defect" } })
      expect(store.ended).toEqual([])
    })
  )
})

describe("recording", () => {
  it.virtual("is told of each text once, with its translation or its failure", () =>
    Effect.gen(function* () {
      const store = storeOf()
      const translator = fake((texts) => (texts.includes("bad") ? Effect.fail(badRequest) : Effect.void))
      yield* collect(TranslateStream.translate(Stream.make("a", "bad", "a", "", "c"), store.de)).pipe(
        translator.provide
      )
      expect(recorded(store.records).toSorted()).toEqual([
        ["a", "<a>"],
        ["bad", undefined],
        ["c", "<c>"]
      ])
    })
  )

  it.virtual("ends before the outcomes can be taken", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const store = storeOf(undefined, { record: () => Deferred.await(gate) })
      const translator = fake((texts) => (texts.includes("t0") ? Effect.void : Effect.fail(unavailable)))
      const seen: Array<Outcome.Outcome<string>> = []
      const fiber = yield* chunked(numbered(100), 100).pipe(
        TranslateStream.translate({ ...store.de, unordered: true }),
        Stream.runForEach((outcome) => Effect.sync(() => seen.push(outcome))),
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
    })
  )

  it.virtual("comes to its end in a stream that is interrupted: answered texts are not paid for again", () =>
    Effect.gen(function* () {
      const stored: Array<string> = []
      const store = storeOf(undefined, {
        record: (results) =>
          Effect.delay(
            Effect.sync(() => stored.push(...results.map(({ text }) => text))),
            "20 millis"
          )
      })
      const fiber = yield* Stream.runDrain(TranslateStream.translate(Stream.make("a"), store.de)).pipe(
        fake().provide,
        Effect.fork
      )
      yield* until(() => store.records.length === 1)
      yield* Fiber.interrupt(fiber)
      expect(stored).toEqual(["a"])
    })
  )

  it.virtual("is told of texts that the end of the stream leaves unsent", () =>
    Effect.gen(function* () {
      const store = storeOf()
      yield* drain(TranslateStream.translate(chunked(numbered(70), 70), store.de)).pipe(
        fake(() => Effect.fail(quotaExceeded)).provide
      )
      expect(recorded(store.records).toSorted()).toEqual(
        numbered(70)
          .map((text) => [text, undefined])
          .toSorted()
      )
    })
  )

  it.virtual(
    "that fails ends the stream with its error, and nothing that is not stored leaves as translated",
    () =>
      Effect.gen(function* () {
        const store = storeOf(undefined, {
          record: () => (store.records.length > 1 ? Effect.fail(storeFailure) : Effect.void)
        })
        const translator = fake()
        const { exit, out } = yield* drain(
          TranslateStream.translate(chunked(numbered(180), 180), { ...store.de, concurrency: 1 })
        ).pipe(translator.provide)
        expect(failsWith(exit)).toBe(storeFailure)
        expect(causes(out)).toEqual([...Array(50).fill("Translated"), ...Array(130).fill("StoreUnavailable")])
        expect(costs(out).slice(50)).toEqual(
          out.slice(50).map(({ source }, index) => (index < 50 ? source.length : 0))
        )
      })
  )
})

describe("a store that can't be opened", () => {
  it.virtual("fails the stream before anything is pulled", () =>
    Effect.gen(function* () {
      const store = { open: () => Effect.fail(storeFailure) } as unknown as TranslationStore.Service
      const source = counted(1, String)
      const { exit } = yield* drain(TranslateStream.translate(source.stream, { ...de, store })).pipe(
        fake().provide
      )
      expect(failsWith(exit)).toBe(storeFailure)
      expect(source.state.pulled).toBe(0)
    })
  )
})

describe("a store whose own fibers are interrupted", () => {
  it.virtual.each([
    ["looking up", { lookUp: () => Effect.interrupt }],
    ["claiming", { claim: () => Effect.interrupt }],
    ["recording", { record: () => Effect.interrupt }]
  ] as const)("while %s ends the stream", ([_, work]) =>
    Effect.gen(function* () {
      const store = storeOf(undefined, work)
      const ended = yield* drain(TranslateStream.translate(Stream.make("a"), store.de)).pipe(
        fake().provide,
        Effect.timeoutOption("20 seconds")
      )
      expect(ended).toMatchObject({ _tag: "Some", value: { exit: { _tag: "Failure" } } })
    })
  )
})
