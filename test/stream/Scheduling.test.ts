/** When things happen: order, concurrency, back-pressure, fatal failures, defects, interruption, scopes. */
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as Supervisor from "effect/Supervisor"
import { Outcome, type TranslateError, TranslateStream, type Translator } from "effect-translate"
import { Fault } from "effect-translate/emulator"
import {
  afterFirst,
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
  provide,
  quotaExceeded,
  randomTurns,
  script,
  served,
  still,
  tags,
  unauthorized,
  unavailable,
  until,
  values
} from "./support.js"

/** Waits a little, and not always as long. */
const someTime = Effect.suspend(() => Effect.sleep(Math.random() * 4))

const endless = Number.POSITIVE_INFINITY

const diesWith = (exit: Exit.Exit<unknown, unknown>): unknown =>
  exit._tag === "Failure" ? Chunk.toReadonlyArray(Cause.defects(exit.cause))[0] : exit

describe("the order", () => {
  it.virtual.each([[1], [2], [5], [8], [16]])(
    "is kept under random latencies at concurrency %i",
    ([concurrency]) =>
      Effect.gen(function* () {
        const texts = numbered(1500)
        const outcomes = yield* collect(
          TranslateStream.translate(Stream.fromIterable(texts), { ...de, concurrency })
        )
        expect(outcomes.map(({ source }) => source)).toEqual(texts)
        expect(values(outcomes)).toEqual(texts.map(mark))
      }).pipe(fake(() => someTime).provide)
  )

  it.virtual("is kept over HTTP, where requests are repeated", () =>
    Effect.gen(function* () {
      yield* script(
        Fault.times(Fault.probability(Fault.slow("5 millis"), 0.3), endless),
        Fault.times(Fault.probability(Fault.status(503), 0.15), endless)
      )
      const texts = numbered(1000)
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(texts), de))
      expect(values(outcomes)).toEqual(texts.map(german))
    }).pipe(hasty, Effect.provide(served()))
  )

  it.virtual("of a stage that is unordered is that of the answers; nothing is lost, nothing repeated", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const translator = fake((_, call) => (call === 1 ? Deferred.await(gate) : Effect.void))
      const seen: Array<string> = []
      yield* TranslateStream.translate(chunked(numbered(200), 50), { ...de, unordered: true }).pipe(
        Stream.runForEach(({ source }) => {
          seen.push(source)
          return seen.length === 150 ? Deferred.succeed(gate, undefined) : Effect.void
        }),
        translator.provide
      )
      expect(seen.slice(150)).toEqual(numbered(200).slice(50, 100))
      expect([...seen].sort()).toEqual([...numbered(200)].sort())
    })
  )

  it.virtual("of a stage that is ordered holds back elements behind a slow request", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const translator = fake((_, call) => (call === 1 ? Deferred.await(gate) : Effect.void))
      const seen: Array<string> = []
      const fiber = yield* TranslateStream.translate(chunked(numbered(200), 50), de).pipe(
        Stream.runForEach(({ source }) => Effect.sync(() => seen.push(source))),
        translator.provide,
        Effect.fork
      )
      yield* until(() => translator.state.completed === 3)
      expect(yield* still(() => seen.length)).toBe(50)
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(fiber)
      expect(seen).toEqual(numbered(200))
    })
  )
})

describe("the concurrency", () => {
  it.virtual.each([[1], [3], [16]])("of %i requests is reached and never exceeded", ([concurrency]) =>
    Effect.gen(function* () {
      const translator = fake(() => someTime)
      yield* TranslateStream.translate(counted(5000, String, 64).stream, {
        ...de,
        concurrency: concurrency!
      }).pipe(Stream.runDrain, translator.provide)
      expect(translator.state.maxInFlight).toBe(concurrency)
      expect(translator.calls).toHaveLength(100)
    })
  )

  it.virtual("is 8 unless told otherwise", () =>
    Effect.gen(function* () {
      const translator = fake(afterFirst(() => Effect.never))
      const fiber = yield* TranslateStream.translate(counted(5000, String).stream, de).pipe(
        Stream.runDrain,
        translator.provide,
        Effect.fork
      )
      yield* until(() => translator.state.inFlight === 8)
      expect(yield* still(() => translator.state.inFlight)).toBe(8)
      yield* Fiber.interrupt(fiber)
    })
  )

  it.virtual.each([[0], [-1], [Number.NaN], [1.5], [Number.POSITIVE_INFINITY]])(
    "of %d is refused with InvalidRequest before anything is pulled",
    ([concurrency]) =>
      Effect.gen(function* () {
        const source = counted(1, String)
        const { exit } = yield* drain(TranslateStream.translate(source.stream, { ...de, concurrency }))
        expect(failsWith(exit)).toMatchObject({ _tag: "InvalidRequest" })
        expect(source.state.opened).toBe(0)
      }).pipe(fake().provide)
  )

  it.virtual("is 1 until a request has succeeded", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const translator = fake((_, call) =>
        call === 0 ? Effect.fail(unavailable) : call === 1 ? Deferred.await(gate) : Effect.never
      )
      const source = counted(5000, String, 1000)
      const fiber = yield* TranslateStream.translate(source.stream, de).pipe(
        Stream.runDrain,
        translator.provide,
        Effect.fork
      )
      yield* until(() => translator.calls.length === 2)
      expect(yield* still(() => translator.calls.length)).toBe(2)
      expect(translator.state.maxInFlight).toBe(1)
      yield* Deferred.succeed(gate, undefined)
      yield* until(() => translator.state.inFlight === 8)
      yield* Fiber.interrupt(fiber)
    })
  )

  it.virtual("is seen by the service", () =>
    Effect.gen(function* () {
      const texts = numbered(600)
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.fromIterable(texts), { ...de, concurrency: 3 })
      )
      expect(values(outcomes)).toEqual(texts.map(german))
      expect((yield* meter).maxConcurrent).toBe(3)
    }).pipe(Effect.provide(served({ latency: "40 millis" })))
  )
})

describe("sources", () => {
  it.virtual.each([[1], [7], [50], [4096], [100_000]])("of chunks of %i elements are translated", ([size]) =>
    Effect.gen(function* () {
      const texts = numbered(10_000)
      const outcomes = yield* collect(TranslateStream.translate(chunked(texts, size!), de))
      expect(values(outcomes)).toEqual(texts.map(mark))
    }).pipe(fake(() => randomTurns(5)).provide)
  )

  it.virtual("that come from a queue are translated until it ends", () =>
    Effect.gen(function* () {
      const queue = yield* Queue.unbounded<string>()
      const fiber = yield* Stream.fromQueue(queue, { maxChunkSize: 16 }).pipe(
        TranslateStream.translate(de),
        Stream.take(200),
        collect,
        Effect.fork
      )
      for (const text of numbered(200)) {
        yield* Queue.offer(queue, text)
        yield* Effect.yieldNow()
      }
      expect(values(yield* Fiber.join(fiber))).toEqual(numbered(200).map(mark))
    }).pipe(fake(() => randomTurns(5)).provide)
  )

  it.virtual("that wait for the outcome of their last text before they yield another get it", () =>
    Effect.gen(function* () {
      const queue = yield* Queue.unbounded<string>()
      yield* Queue.offer(queue, "a")
      const answered = yield* Deferred.make<string>()
      const fiber = yield* Stream.fromQueue(queue).pipe(
        TranslateStream.translate(de),
        Stream.runForEach(({ value }) => Deferred.succeed(answered, value)),
        Effect.fork
      )
      expect(yield* Deferred.await(answered)).toBe("<a>")
      yield* Fiber.interrupt(fiber)
    }).pipe(fake().provide)
  )

  it.virtual("that wait for the outcome of their last text get it from a single worker too", () =>
    Effect.gen(function* () {
      const next = yield* Queue.unbounded<string>()
      yield* Queue.offer(next, "a")
      const outcomes = yield* Stream.fromQueue(next).pipe(
        TranslateStream.translate({ ...de, concurrency: 1 }),
        Stream.tap(() => Queue.offer(next, "b")),
        Stream.take(2),
        collect,
        fake().provide
      )
      expect(values(outcomes)).toEqual(["a", "b"].map(mark))
    })
  )

  it.virtual("that end late send the last texts then", () =>
    Effect.gen(function* () {
      const queue = yield* Queue.unbounded<string>()
      const fiber = yield* Stream.fromQueue(queue).pipe(TranslateStream.translate(de), collect, Effect.fork)
      yield* Queue.offerAll(queue, numbered(70))
      yield* Effect.sleep(5)
      yield* Queue.shutdown(queue)
      expect(values(yield* Fiber.join(fiber))).toEqual(numbered(70).map(mark))
    }).pipe(fake().provide)
  )
})

describe("back-pressure", () => {
  const elements = 1_000_000

  /** Takes the first chunk of outcomes and then nothing more. */
  const pulledBehind = (source: ReturnType<typeof counted<string>>, options: TranslateStream.Options) =>
    Effect.scoped(
      Effect.gen(function* () {
        const pull = yield* Stream.toPull(TranslateStream.translate(source.stream, options))
        yield* pull
        return yield* still(() => source.state.pulled)
      })
    )

  it.virtual("stops the pulling when the consumer stops", () =>
    Effect.gen(function* () {
      for (const chunkSize of [1, 100]) {
        const pulled = yield* pulledBehind(counted(elements, String, chunkSize), { ...de, concurrency: 2 })
        expect(pulled).toBeGreaterThan(0)
        expect(pulled).toBeLessThan(1500)
      }
    }).pipe(fake().provide)
  )

  it.virtual("stops the pulling when an unordered consumer stops", () =>
    Effect.gen(function* () {
      const options = { ...de, concurrency: 2, unordered: true }
      expect(yield* pulledBehind(counted(elements, String), options)).toBeLessThan(1500)
    }).pipe(fake().provide)
  )

  it.virtual.each([
    ["no answer comes", () => Effect.never, 50],
    ["no answer comes any more", afterFirst(() => Effect.never), 150]
  ] as const)("stops the pulling when %s", ([_, work, sent]) =>
    Effect.gen(function* () {
      const source = counted(elements, String)
      const fiber = yield* Effect.fork(
        Stream.runDrain(TranslateStream.translate(source.stream, { ...de, concurrency: 2 }))
      )
      const pulled = yield* still(() => source.state.pulled)
      expect(pulled).toBeGreaterThanOrEqual(sent)
      expect(pulled).toBeLessThan(1500)
      yield* Fiber.interrupt(fiber)
    }).pipe(fake(work).provide)
  )

  it.virtual("counts characters too: pages stop the pulling sooner than words", () =>
    Effect.gen(function* () {
      const page = "x".repeat(20_000)
      const source = counted(10_000, () => page)
      const pulled = yield* pulledBehind(source, { ...de, concurrency: 2 })
      expect(pulled).toBeLessThan(100)
    }).pipe(fake().provide)
  )

  it.virtual("holds over a source of blank texts", () =>
    Effect.gen(function* () {
      expect(
        yield* pulledBehind(
          counted(elements, () => " "),
          { ...de, concurrency: 2 }
        )
      ).toBeLessThan(50_000)
    }).pipe(fake().provide)
  )

  it.virtual("holds over blank texts behind a text without an answer", () =>
    Effect.gen(function* () {
      const texts = (index: number) => (index < 50 ? "a" : "")
      const source = counted(elements, texts, 10)
      const fiber = yield* Effect.fork(
        Stream.runDrain(TranslateStream.translate(source.stream, { ...de, concurrency: 2 }))
      )
      expect(yield* still(() => source.state.pulled)).toBeLessThan(50_000)
      yield* Fiber.interrupt(fiber)
    }).pipe(fake(() => Effect.never).provide)
  )

  it.virtual("sends a single text although 100,000 blank texts follow that fill no request", () =>
    Effect.gen(function* () {
      const translator = fake()
      const source = counted(100_001, (index) => (index === 0 ? "a" : ""), 256)
      const { sent, tally } = yield* TranslateStream.translate(source.stream, { ...de, concurrency: 1 }).pipe(
        Stream.run(Outcome.tally),
        Effect.map((tally) => ({ tally, sent: translator.calls })),
        translator.provide
      )
      expect(tally).toMatchObject({ in: 100_001, translated: 1, skipped: 100_000 })
      expect(sent).toEqual([["a"]])
    })
  )

  it.virtual("is no deadlock for rows larger than the bound of waiting ones", () =>
    Effect.gen(function* () {
      const row = numbered(3000)
      const outcomes = yield* Stream.make(row, ["a"], row).pipe(
        TranslateStream.translateWith({
          ...de,
          concurrency: 1,
          texts: (row) => row,
          replace: (_, texts) => texts.length
        }),
        collect
      )
      expect(values(outcomes)).toEqual([3000, 1, 3000])
    }).pipe(fake().provide)
  )

  it.virtual("lets the requests behind a slow one go on", () =>
    Effect.gen(function* () {
      const translator = fake((_, call) => (call === 1 ? Effect.never : Effect.void))
      const fiber = yield* TranslateStream.translate(counted(elements, String).stream, {
        ...de,
        concurrency: 4
      }).pipe(Stream.runDrain, translator.provide, Effect.fork)
      expect(yield* still(() => translator.state.completed)).toBeGreaterThanOrEqual(4)
      yield* Fiber.interrupt(fiber)
    })
  )
})

describe("taking only the first elements", () => {
  it.virtual("ends at once, interrupts requests in flight, and closes the source", () =>
    Effect.gen(function* () {
      const translator = fake((_, call) => (call === 0 ? Effect.void : Effect.never))
      const source = counted(1_000_000, String)
      const outcomes = yield* TranslateStream.translate(source.stream, { ...de, concurrency: 4 }).pipe(
        Stream.take(10),
        collect,
        translator.provide
      )
      expect(values(outcomes)).toEqual(Array.from({ length: 10 }, (_, index) => mark(String(index))))
      expect(translator.state.inFlight).toBe(0)
      expect(translator.state.interrupted).toBe(translator.calls.length - 1)
      expect(source.state.closed).toBe(1)
      expect(source.state.pulled).toBeLessThan(2500)
      const { pulled } = source.state
      expect(yield* still(() => source.state.pulled)).toBe(pulled)
    })
  )

  it.virtual("sends nothing more, as the service sees it", () =>
    Effect.gen(function* () {
      const outcomes = yield* TranslateStream.translate(Stream.fromIterable(numbered(100_000)), {
        ...de,
        concurrency: 2
      }).pipe(Stream.take(60), collect)
      expect(outcomes).toHaveLength(60)
      // What had left before may still arrive. After each pause sockets are read, however long it takes.
      yield* Effect.repeatN(Effect.sleep(10), 9)
      const { requests } = yield* meter
      expect(requests).toBeLessThan(20)
      yield* Effect.sleep(50)
      expect((yield* meter).requests).toBe(requests)
    }).pipe(Effect.provide(served({ latency: "2 millis" })))
  )

  it.effect("of none pulls and sends nothing", () =>
    Effect.gen(function* () {
      const translator = fake()
      const source = counted(100, String)
      yield* TranslateStream.translate(source.stream, de).pipe(Stream.take(0), collect, translator.provide)
      expect(source.state.pulled).toBe(0)
      expect(translator.calls).toEqual([])
    })
  )
})

describe("interruption", () => {
  it.virtual("interrupts the requests and closes the source", () =>
    Effect.gen(function* () {
      const translator = fake(afterFirst(() => Effect.never))
      const source = counted(1_000_000, String)
      const fiber = yield* TranslateStream.translate(source.stream, { ...de, concurrency: 3 }).pipe(
        Stream.runDrain,
        translator.provide,
        Effect.fork
      )
      yield* until(() => translator.state.inFlight === 3)
      const exit = yield* Fiber.interrupt(fiber)
      expect(exit._tag === "Failure" && Cause.isInterruptedOnly(exit.cause)).toBe(true)
      expect(translator.state).toMatchObject({ inFlight: 0, interrupted: 3 })
      expect(source.state).toMatchObject({ opened: 1, closed: 1 })
    })
  )

  it.virtual("reaches a source that never yields", () =>
    Effect.gen(function* () {
      let closed = false
      const source = Stream.ensuring(
        Stream.never as Stream.Stream<string>,
        Effect.sync(() => {
          closed = true
        })
      )
      const fiber = yield* Effect.fork(Stream.runDrain(TranslateStream.translate(source, de)))
      yield* Effect.sleep(2)
      yield* Fiber.interrupt(fiber)
      expect(closed).toBe(true)
    }).pipe(fake().provide)
  )

  it.virtual("leaves an ordered prefix of outcomes", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const fiber = yield* TranslateStream.translate(counted(1_000_000, String, 32).stream, de).pipe(
        Stream.runForEach(({ source }) => Effect.sync(() => seen.push(source))),
        Effect.fork
      )
      yield* until(() => seen.length > 500)
      yield* Fiber.interrupt(fiber)
      expect(seen).toEqual(Array.from(seen, (_, index) => String(index)))
    }).pipe(fake(() => someTime).provide)
  )
})

describe("a fatal failure", () => {
  const fatal = [
    ["401 or 403", unauthorized],
    ["456", quotaExceeded]
  ] as const

  it.virtual.each(fatal)(
    "of %s lets requests in flight end, sends nothing more, and then fails the stream",
    ([_, error]) =>
      Effect.gen(function* () {
        const first = yield* Deferred.make<void>()
        const gate = yield* Deferred.make<void>()
        const translator = fake(
          afterFirst((_, call) =>
            call === 1 ? Effect.zipRight(Deferred.await(first), Effect.fail(error)) : Deferred.await(gate)
          )
        )
        const source = counted(1_000_000, (index) => `t${index}`, 10)
        const fiber = yield* TranslateStream.translate(source.stream, { ...de, concurrency: 4 }).pipe(
          drain,
          translator.provide,
          Effect.fork
        )
        yield* until(() => translator.state.inFlight === 4)
        yield* Deferred.succeed(first, undefined)
        yield* until(() => translator.state.inFlight === 3)
        const pulled = yield* still(() => source.state.pulled)
        yield* Deferred.succeed(gate, undefined)
        const { exit, out } = yield* Fiber.join(fiber)
        expect(failsWith(exit)).toBe(error)
        expect(translator.calls).toHaveLength(5)
        expect(translator.state).toMatchObject({ interrupted: 0, completed: 4 })
        expect(source.state).toMatchObject({ pulled, closed: 1 })
        expect(out.map(({ source }) => source)).toEqual(numbered(pulled))
        expect(causes(out)).toEqual(
          numbered(pulled).map((_, index) =>
            index < 50 || (index >= 100 && index < 250) ? "Translated" : error._tag
          )
        )
      })
  )

  it.virtual("gives the rest of a pulled chunk its outcomes, however long it is", () =>
    Effect.gen(function* () {
      const translator = fake(() => Effect.fail(quotaExceeded))
      const source = counted(50_000, String, 4096)
      const { exit, out } = yield* TranslateStream.translate(source.stream, { ...de, concurrency: 1 }).pipe(
        drain,
        translator.provide
      )
      expect(failsWith(exit)).toBe(quotaExceeded)
      expect(translator.calls).toHaveLength(1)
      expect(source.state.pulled % 4096).toBe(0)
      expect(out).toHaveLength(source.state.pulled)
      expect(new Set(causes(out))).toEqual(new Set(["QuotaExceeded"]))
    })
  )

  it.virtual("ends a stream whose source is blocked in a pull", () =>
    Effect.gen(function* () {
      let closed = false
      const source = Stream.fromIterable(numbered(60)).pipe(
        Stream.concat(Stream.never),
        Stream.ensuring(
          Effect.sync(() => {
            closed = true
          })
        )
      )
      const { exit, out } = yield* drain(TranslateStream.translate(source, de))
      expect(failsWith(exit)).toBe(unauthorized)
      expect(causes(out)).toEqual(numbered(60).map(() => "Unauthorized"))
      expect(closed).toBe(true)
    }).pipe(fake(() => Effect.fail(unauthorized)).provide)
  )

  it.virtual(
    "ends a stream whose source is blocked in a pull only when its requests in flight have ended",
    () =>
      Effect.gen(function* () {
        const first = yield* Deferred.make<void>()
        const gate = yield* Deferred.make<void>()
        const translator = fake(
          afterFirst((_, call) =>
            call === 1
              ? Effect.zipRight(Deferred.await(first), Effect.fail(quotaExceeded))
              : Deferred.await(gate)
          )
        )
        const source = Stream.concat(chunked(numbered(210), 210), Stream.never)
        const fiber = yield* TranslateStream.translate(source, { ...de, concurrency: 4 }).pipe(
          drain,
          translator.provide,
          Effect.fork
        )
        yield* until(() => translator.state.inFlight === 3)
        yield* Effect.sleep(5)
        yield* Deferred.succeed(first, undefined)
        yield* Effect.sleep(20)
        yield* Deferred.succeed(gate, undefined)
        const { exit, out } = yield* Fiber.join(fiber)
        expect(failsWith(exit)).toBe(quotaExceeded)
        expect(translator.state).toMatchObject({ interrupted: 0, completed: 3 })
        expect(causes(out)).toEqual(
          numbered(210).map((_, index) =>
            index < 50 || (index >= 100 && index < 200) ? "Translated" : "QuotaExceeded"
          )
        )
      })
  )

  it.virtual("reported by several requests is the first one's", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const translator = fake(
        afterFirst((_, call) =>
          call === 2
            ? Effect.fail(quotaExceeded)
            : Effect.zipRight(Deferred.await(gate), Effect.fail(unauthorized))
        )
      )
      const fiber = yield* TranslateStream.translate(Stream.fromIterable(numbered(200)), {
        ...de,
        concurrency: 2
      }).pipe(drain, translator.provide, Effect.fork)
      yield* until(() => translator.calls.length === 3)
      yield* Deferred.succeed(gate, undefined)
      const { exit, out } = yield* Fiber.join(fiber)
      expect(failsWith(exit)).toBe(quotaExceeded)
      expect(causes(out)).toEqual(
        numbered(200).map((_, index) =>
          index < 50 ? "Translated" : index < 100 ? "Unauthorized" : "QuotaExceeded"
        )
      )
      expect(translator.calls).toHaveLength(3)
    })
  )

  it.virtual("in an unordered stage gives everything pulled its outcome too", () =>
    Effect.gen(function* () {
      const source = counted(1_000_000, String, 10)
      const { exit, out } = yield* drain(TranslateStream.translate(source.stream, { ...de, unordered: true }))
      expect(failsWith(exit)).toBe(quotaExceeded)
      expect(out).toHaveLength(source.state.pulled)
      expect(new Set(out.map(({ source }) => source)).size).toBe(out.length)
    }).pipe(fake((_, call) => (call === 3 ? Effect.fail(quotaExceeded) : someTime)).provide)
  )

  it.virtual("fails the rows whose other texts were paid for, with their cost in their value", () =>
    Effect.gen(function* () {
      const rows = Array.from({ length: 34 }, (_, index) => ({
        a: `a${index}`,
        b: `b${index}`,
        c: `c${index}`
      }))
      const { out } = yield* drain(
        TranslateStream.translateFields(Stream.fromIterable(rows), ["a", "b", "c"], { ...de, concurrency: 1 })
      )
      expect(out).toHaveLength(34)
      expect(out[16]).toMatchObject({
        value: { a: "<a16>", b: "<b16>", c: "c16" },
        failures: [{ field: "c", error: { _tag: "QuotaExceeded" } }]
      })
    }).pipe(fake((_, call) => (call === 1 ? Effect.fail(quotaExceeded) : Effect.void)).provide)
  )

  it.virtual("of a quota is not paid beyond it, as the service's meter shows", () =>
    Effect.gen(function* () {
      const { exit, out } = yield* drain(
        TranslateStream.translate(counted(100_000, () => "abcd", 16).stream, { ...de, concurrency: 4 })
      )
      expect(failsWith(exit)).toMatchObject({ _tag: "QuotaExceeded", status: 456 })
      const paid = out.filter(({ _tag }) => _tag === "Translated")
      // What had left before may still arrive.
      yield* Effect.repeatN(Effect.sleep(10), 4)
      const { characters, requests, statuses } = yield* meter
      expect(paid).toHaveLength(500)
      expect(characters).toBe(charactersOf(paid.map(({ source }) => source)))
      expect(statuses[200]).toBe(10)
      expect(requests).toBeLessThanOrEqual(14)
      yield* Effect.sleep(10)
      expect((yield* meter).requests).toBe(requests)
    }).pipe(Effect.provide(served({ characterLimit: 2000 })))
  )

  it.virtual.each([[401], [403]])("of status %i stops the stream over HTTP", ([status]) =>
    Effect.gen(function* () {
      yield* script(Fault.times(Fault.status(status!), endless))
      const source = counted(100_000, String, 16)
      const { exit, out } = yield* drain(TranslateStream.translate(source.stream, { ...de, concurrency: 2 }))
      expect(failsWith(exit)).toMatchObject({ _tag: "Unauthorized", status: status! })
      expect(out).toHaveLength(source.state.pulled)
      expect(yield* meter).toMatchObject({ characters: 0 })
      expect((yield* meter).requests).toBeLessThanOrEqual(2)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("none: other failures of requests do not stop the stream", () =>
    Effect.gen(function* () {
      const outcomes = yield* collect(TranslateStream.translate(counted(1000, String, 16).stream, de))
      expect(causes(outcomes)).toEqual(Array.from({ length: 1000 }, () => "ServerError"))
    }).pipe(fake(() => Effect.fail(unavailable)).provide)
  )
})

describe("a source that fails", () => {
  it.virtual("gives pulled elements their outcomes, then its own error", () =>
    Effect.gen(function* () {
      const source = Stream.concat(chunked(numbered(120), 7), Stream.fail("broken" as const))
      const { exit, out } = yield* drain(TranslateStream.translate(source, de))
      expect(values(out)).toEqual(numbered(120).map(mark))
      expect(failsWith(exit)).toBe("broken")
    }).pipe(fake(() => someTime).provide)
  )

  it.virtual("at once fails the stream at once", () =>
    Effect.gen(function* () {
      const { exit, out } = yield* drain(TranslateStream.translate(Stream.fail("broken" as const), de))
      expect(out).toEqual([])
      expect(failsWith(exit)).toBe("broken")
    }).pipe(fake().provide)
  )

  it.virtual("gives a fatal failure of a pulled element precedence", () =>
    Effect.gen(function* () {
      const source = Stream.concat(chunked(numbered(60), 7), Stream.fail("broken" as const))
      const { exit, out } = yield* drain(TranslateStream.translate(source, de))
      expect(out).toHaveLength(60)
      expect(failsWith(exit)).toBe(quotaExceeded)
    }).pipe(fake(afterFirst(() => Effect.fail(quotaExceeded))).provide)
  )
})

describe("a defect", () => {
  const broken = new Error("broken")
  const boom = (): never => {
    throw broken
  }
  const texts = Stream.fromIterable(numbered(120))
  const replace = {
    ...de,
    texts: (text: string) => [text],
    replace: (_: string, [text]: ReadonlyArray<string>) => text
  }

  it.virtual.each([
    ["of the source", Stream.concat(texts, Stream.die(broken)).pipe(TranslateStream.translate(de))],
    ["of a source that throws", Stream.map(texts, boom).pipe(TranslateStream.translate(de))],
    ["of `texts`", TranslateStream.translateWith(texts, { ...replace, texts: boom })],
    ["of `replace`", TranslateStream.translateWith(texts, { ...replace, replace: boom })]
  ] as ReadonlyArray<
    readonly [string, Stream.Stream<unknown, TranslateError.TranslateError, Translator.Translator>]
  >)("%s is a defect of the stream", ([_, stream]) =>
    Effect.gen(function* () {
      const { exit } = yield* drain(stream)
      expect(diesWith(exit)).toBe(broken)
    }).pipe(fake().provide)
  )

  it.virtual("of the translator is a defect of the stream, and ends all else in flight", () =>
    Effect.gen(function* () {
      const translator = fake(afterFirst((_, call) => (call === 2 ? Effect.die(broken) : Effect.never)))
      const source = counted(10_000, String)
      const { exit } = yield* drain(TranslateStream.translate(source.stream, de)).pipe(translator.provide)
      expect(diesWith(exit)).toBe(broken)
      expect(translator.state.inFlight).toBe(0)
      expect(source.state.closed).toBe(1)
    })
  )

  it.virtual("of a translator that throws instead of returning an effect is one of the stream, no hang", () =>
    Effect.gen(function* () {
      const { exit } = yield* drain(TranslateStream.translate(Stream.make("a"), de))
      expect(diesWith(exit)).toBe(broken)
    }).pipe(provide({ translate: boom }))
  )

  it.virtual("of a request does not swallow the outcomes that were complete and paid for", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const translator = fake((_, call) =>
        call === 1
          ? Effect.zipRight(Deferred.await(gate), Effect.die(broken))
          : Deferred.succeed(gate, undefined)
      )
      const { exit, out } = yield* drain(
        TranslateStream.translate(chunked(numbered(100), 100), { ...de, concurrency: 2 })
      ).pipe(translator.provide)
      expect(values(out)).toEqual(numbered(50).map(mark))
      expect(diesWith(exit)).toBe(broken)
    })
  )

  it.virtual("of the source leaves pulled elements their outcomes", () =>
    Effect.gen(function* () {
      const source = Stream.concat(texts, Stream.die(broken))
      const { out } = yield* drain(TranslateStream.translate(source, de))
      expect(values(out)).toEqual(numbered(120).map(mark))
    }).pipe(fake().provide)
  )
})

describe("a stage", () => {
  it.virtual("runs anew each time it is used", () =>
    Effect.gen(function* () {
      const stage = TranslateStream.translate(de)
      const stream = stage(Stream.fromIterable(numbered(120)))
      const first = yield* collect(stream)
      const second = yield* collect(stream)
      const third = yield* collect(stage(Stream.make("x")))
      expect(values(second)).toEqual(values(first))
      expect(values(third)).toEqual(["<x>"])
    }).pipe(fake().provide)
  )

  it.virtual("runs beside another, each with its own requests", () =>
    Effect.gen(function* () {
      const stage = (targetLang: string, size: number) =>
        collect(TranslateStream.translate(chunked(numbered(500), size), { targetLang }))
      const [german, french] = yield* Effect.all([stage("de", 3), stage("fr", 200)], { concurrency: 2 })
      expect(values(german)).toEqual(numbered(500).map((text) => `[de] ${text}`))
      expect(values(french)).toEqual(numbered(500).map((text) => `[fr] ${text}`))
      expect(yield* meter).toMatchObject({ requests: 20, texts: 1000 })
    }).pipe(Effect.provide(served()))
  )

  it.virtual("follows another", () =>
    Effect.gen(function* () {
      const out = yield* chunked(numbered(120), 7).pipe(
        TranslateStream.translate(de),
        Outcome.orFail,
        TranslateStream.translate(de),
        collect
      )
      expect(values(out)).toEqual(numbered(120).map((text) => mark(mark(text))))
    }).pipe(fake(() => randomTurns(5)).provide)
  )

  it.virtual("inside flatMap closes before the next one opens, and leaves no fiber behind", () =>
    Effect.gen(function* () {
      const supervisor = yield* Supervisor.track
      const events: Array<string> = []
      const inner = (id: number) =>
        Stream.acquireRelease(
          Effect.sync(() => events.push(`open ${id}`)),
          () => Effect.sync(() => events.push(`close ${id}`))
        ).pipe(
          Stream.flatMap(() => Stream.fromIterable(numbered(60))),
          TranslateStream.translate(de)
        )
      const out = yield* Stream.range(0, 1).pipe(
        Stream.flatMap(inner),
        Stream.concat(Stream.fromIterableEffect(collect(Stream.take(inner(2), 3)))),
        collect,
        Effect.supervised(supervisor)
      )
      expect(out).toHaveLength(123)
      expect(events).toEqual(["open 0", "close 0", "open 1", "close 1", "open 2", "close 2"])
      yield* Effect.yieldNow()
      expect(yield* supervisor.value).toHaveLength(0)
    }).pipe(fake().provide)
  )

  it.virtual("is closed when the stream ends, before the program goes on", () =>
    Effect.gen(function* () {
      const source = counted(100, String)
      const outcomes = yield* collect(TranslateStream.translate(source.stream, de))
      expect(tags(outcomes)).toHaveLength(100)
      expect(source.state).toEqual({ pulled: 100, opened: 1, closed: 1 })
    }).pipe(fake().provide)
  )
})
