/** How much goes into a request, and how long it waits for more: `maxTexts`, `maxBytes` and `linger`. */
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { TranslateClient, type TranslateError, TranslateStream, WriteStream } from "effect-translate"
import { bodyBytes, chunked, counted, de, drain, failsWith, fake, numbered, still, until } from "./support.js"

/** What a translator was given, in numbers of texts. */
const sizes = ({ calls }: ReturnType<typeof fake>) => calls.map(({ length }) => length)

/** Lets fibers and the end of the turn go on, as the test clock moves neither. */
const settled = (translator: ReturnType<typeof fake>) => still(() => translator.state.completed)

/** Texts that come one by one, when a test says. */
const fed = (options: TranslateStream.Options) =>
  Effect.gen(function* () {
    const queue = yield* Queue.unbounded<string>()
    const translator = fake()
    const source = Stream.fromQueue(queue)
    const fiber = yield* Stream.runDrain(TranslateStream.translate(source, options)).pipe(
      translator.provide,
      Effect.fork
    )
    const give = (...texts: ReadonlyArray<string>) =>
      Effect.zipRight(queue.offerAll(texts), settled(translator))
    const pass = (time: `${number} millis`) => Effect.zipRight(TestClock.adjust(time), settled(translator))
    const end = Effect.zipRight(Queue.shutdown(queue), Fiber.await(fiber))
    return { end, give, pass, translator }
  })

describe("maxTexts", () => {
  it.effect("is the most texts of a request", () =>
    Effect.gen(function* () {
      const translator = fake()
      const texts = Stream.fromIterable(numbered(25))
      yield* Stream.runDrain(TranslateStream.translate(texts, { ...de, maxTexts: 10 })).pipe(
        translator.provide
      )
      expect(sizes(translator)).toEqual([10, 10, 5])
    })
  )

  it.effect.each([[0], [51], [2.5]])("is refused before anything is pulled if it is %d", ([maxTexts]) =>
    Effect.gen(function* () {
      const source = counted(10, String)
      const { exit } = yield* drain(
        TranslateStream.translate(source.stream, { ...de, maxTexts: maxTexts! })
      ).pipe(fake().provide)
      const error = failsWith(exit) as TranslateError.InvalidRequest
      expect(error._tag).toBe("InvalidRequest")
      expect(error.violations[0]?.field).toBe("maxTexts")
      expect(source.state.pulled).toBe(0)
    })
  )
})

describe("maxBytes", () => {
  it.effect("is the most bytes of a body", () =>
    Effect.gen(function* () {
      const translator = fake()
      const maxBytes = bodyBytes(["x".repeat(100), "x".repeat(100)])
      const texts = Stream.fromIterable(Array.from({ length: 5 }, () => "x".repeat(100)))
      yield* Stream.runDrain(TranslateStream.translate(texts, { ...de, maxBytes })).pipe(translator.provide)
      expect(sizes(translator)).toEqual([2, 2, 1])
    })
  )

  it.effect("lets a text that takes more by itself go alone and whole", () =>
    Effect.gen(function* () {
      const translator = fake()
      const texts = Stream.make("a", "x".repeat(5000), "b", "c")
      yield* Stream.runDrain(TranslateStream.translate(texts, { ...de, maxBytes: 1000 })).pipe(
        translator.provide
      )
      expect(translator.calls).toEqual([["a"], ["x".repeat(5000)], ["b", "c"]])
    })
  )

  it.effect.each([[0], [131_073]])("is refused before anything is pulled if it is %d", ([maxBytes]) =>
    Effect.gen(function* () {
      const source = counted(10, String)
      const { exit } = yield* drain(
        TranslateStream.translate(source.stream, { ...de, maxBytes: maxBytes! })
      ).pipe(fake().provide)
      expect((failsWith(exit) as TranslateError.InvalidRequest).violations[0]?.field).toBe("maxBytes")
      expect(source.state.pulled).toBe(0)
    })
  )
})

describe("without linger", () => {
  it.scoped("a text is sent as soon as the source has no more, if nothing is in flight", () =>
    Effect.gen(function* () {
      const { give, translator } = yield* fed(de)
      yield* give("a", "b")
      yield* give("c")
      expect(translator.calls).toEqual([["a", "b"], ["c"]])
    })
  )
})

describe("linger", () => {
  it.scoped("is how long a batch waits for more, from its first text", () =>
    Effect.gen(function* () {
      const { give, pass, translator } = yield* fed({ ...de, linger: "100 millis" })
      yield* give("a")
      yield* pass("60 millis")
      yield* give("b")
      yield* pass("39 millis")
      expect(translator.calls).toEqual([])
      yield* pass("1 millis")
      expect(translator.calls).toEqual([["a", "b"]])
    })
  )

  it.scoped("begins anew with each batch", () =>
    Effect.gen(function* () {
      const { give, pass, translator } = yield* fed({ ...de, linger: "100 millis", maxTexts: 2 })
      yield* give("a")
      yield* pass("50 millis")
      yield* give("b", "c")
      expect(translator.calls).toEqual([["a", "b"]])
      yield* pass("99 millis")
      expect(translator.calls).toEqual([["a", "b"]])
      yield* pass("1 millis")
      expect(translator.calls).toEqual([["a", "b"], ["c"]])
    })
  )

  it.scoped("does not hold back the last elements of the source", () =>
    Effect.gen(function* () {
      const { end, give, translator } = yield* fed({ ...de, linger: "1 hour" })
      yield* give("a")
      yield* end
      expect(translator.calls).toEqual([["a"]])
    })
  )

  it.scoped("of nothing sends each text when it comes, whatever is in flight", () =>
    Effect.gen(function* () {
      const queue = yield* Queue.unbounded<string>()
      const translator = fake((_, call) => (call === 1 ? Effect.never : Effect.void))
      yield* Stream.runDrain(TranslateStream.translate(Stream.fromQueue(queue), { ...de, linger: 0 })).pipe(
        translator.provide,
        Effect.forkScoped
      )
      for (const text of ["a", "b", "c"]) {
        yield* queue.offer(text)
        yield* until(() => translator.calls.length > 0)
        yield* still(() => translator.calls.length)
      }
      expect(translator.calls).toEqual([["a"], ["b"], ["c"]])
    })
  )

  it.scoped("lets a batch fill up while all requests are in flight", () =>
    Effect.gen(function* () {
      const queue = yield* Queue.unbounded<string>()
      const translator = fake(() => Effect.sleep("1 second"))
      yield* Stream.runDrain(
        TranslateStream.translate(Stream.fromQueue(queue), { ...de, linger: "10 millis", concurrency: 1 })
      ).pipe(translator.provide, Effect.forkScoped)
      const give = (text: string) =>
        Effect.zipRight(
          queue.offer(text),
          Effect.zipRight(
            still(() => translator.calls.length),
            Effect.zipRight(
              TestClock.adjust("20 millis"),
              still(() => translator.calls.length)
            )
          )
        )
      for (const text of ["a", "b", "c", "d"]) yield* give(text)
      expect(translator.calls).toEqual([["a"]])
      yield* TestClock.adjust("1 second")
      yield* still(() => translator.calls.length)
      expect(translator.calls).toEqual([["a"], ["b", "c", "d"]])
    })
  )

  it.scoped("of a source that is slow for long makes requests of the texts of that time", () =>
    Effect.gen(function* () {
      const translator = fake()
      const texts = Stream.fromIterable(numbered(12)).pipe(Stream.schedule(Schedule.spaced("1 second")))
      const fiber = yield* Stream.runCollect(
        TranslateStream.translate(texts, { ...de, linger: "3500 millis" })
      ).pipe(translator.provide, Effect.fork)
      for (let second = 0; second < 30; second++) {
        yield* TestClock.adjust("500 millis")
        yield* still(() => translator.state.completed)
      }
      expect(sizes(translator)).toEqual([4, 4, 4])
      expect(Chunk.size(yield* Fiber.join(fiber))).toBe(12)
    })
  )
})

describe("text improvement", () => {
  const improving = () => {
    const calls: Array<ReadonlyArray<string>> = []
    const client = {
      write: {
        correct: ({ text }: { readonly text: ReadonlyArray<string> }) =>
          Effect.sync(() => {
            calls.push(text)
            return { improvements: text.map((text) => ({ text })), attempts: 1, ambiguousAttempts: 0 }
          })
      }
    } as unknown as TranslateClient.Service
    return { calls, provide: Effect.provideService(TranslateClient.TranslateClient, client) }
  }

  it.effect("takes maxTexts and maxBytes", () =>
    Effect.gen(function* () {
      const client = improving()
      const run = (options: WriteStream.CorrectOptions) =>
        Stream.runDrain(WriteStream.correct(chunked(numbered(5), 5), options))
      yield* run({ maxTexts: 2 }).pipe(client.provide)
      expect(client.calls).toEqual([["t0", "t1"], ["t2", "t3"], ["t4"]])
      const { exit } = yield* drain(WriteStream.correct(Stream.make("a"), { maxBytes: 10_241 })).pipe(
        client.provide
      )
      expect((failsWith(exit) as TranslateError.InvalidRequest).violations[0]?.field).toBe("maxBytes")
    })
  )

  it.scoped("takes linger", () =>
    Effect.gen(function* () {
      const client = improving()
      const queue = yield* Queue.unbounded<string>()
      yield* Stream.runDrain(WriteStream.correct(Stream.fromQueue(queue), { linger: "1 second" })).pipe(
        client.provide,
        Effect.forkScoped
      )
      yield* queue.offer("a")
      yield* still(() => client.calls.length)
      yield* TestClock.adjust("999 millis")
      expect(yield* still(() => client.calls.length)).toBe(0)
      yield* TestClock.adjust("1 millis")
      expect(yield* still(() => client.calls.length)).toBe(1)
    })
  )
})
