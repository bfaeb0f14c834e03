/** Interruption, as the service sees it: not a byte is sent after it, and what was delivered stays. */
import * as Net from "node:net"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { Budget, type Outcome, RetryPolicy, TranslateStream } from "effect-translate"
import { layerOver } from "../support/client.js"
import * as recording from "../support/recordingServer.js"
import { retries } from "../support/retries.js"
import { counted, de, mark, numbered, until } from "./support.js"

/** A recording server, and a translator that sends to it. */
const recorded = Layer.provideMerge(
  Layer.unwrapEffect(
    Effect.map(recording.RecordingServer, ({ url }) =>
      layerOver({ url }).pipe(Layer.provide(NodeHttpClient.layerUndici), Layer.orDie)
    )
  ),
  recording.layer
)

const marked = (texts: ReadonlyArray<string>): recording.Scripted => ({
  body: {
    translations: texts.map((text) => ({
      text: mark(text),
      detected_source_language: "EN",
      billed_characters: text.length
    }))
  }
})

const hang: recording.Scripted = { cut: "hang" }

const repeat = (times: number, answer: recording.Scripted) => Array.from({ length: times }, () => answer)

const texts = numbered(2000)

/** A job in a fiber, and what it has delivered so far. */
const start = (options: Partial<TranslateStream.Options> = {}) =>
  Effect.gen(function* () {
    const out: Array<Outcome.Outcome<string>> = []
    const source = counted(1_000_000, (index) => `t${index}`, 100)
    const fiber = yield* TranslateStream.translate(source.stream, { ...de, ...options }).pipe(
      Stream.runForEach((outcome) => Effect.sync(() => out.push(outcome))),
      Effect.fork
    )
    return { fiber, out, source: source.state }
  })

/** Lets sockets be read. */
const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

const last = "GET /last HTTP/1.1\r\nhost: service\r\n\r\n"

/** Interrupts, and sends the service something by itself: nothing but that comes. */
const interruptAndWatch = (
  fiber: Fiber.RuntimeFiber<unknown, unknown>,
  then: Effect.Effect<void> = Effect.void
) =>
  Effect.gen(function* () {
    const server = yield* recording.RecordingServer
    const bytes = yield* server.bytesRead
    const { length } = yield* server.requests
    yield* Fiber.interrupt(fiber)
    yield* then
    const socket = Net.connect(Number(new URL(server.url).port), "127.0.0.1", () => socket.write(last))
    expect((yield* server.request(length)).path).toBe("/last")
    socket.destroy()
    // What came at the same time has been read.
    yield* turn
    expect(yield* server.bytesRead).toBe(bytes + last.length)
    expect(yield* server.requests).toHaveLength(length + 1)
  })

describe("interruption", () => {
  it.live("closes the sockets: the service gets not a byte after it, and delivered texts stay", () =>
    Effect.gen(function* () {
      const server = yield* recording.RecordingServer
      yield* server.answer(marked(texts.slice(0, 50)), ...repeat(20, hang))
      const { fiber, out, source } = yield* start()
      const inFlight = yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], server.request)
      yield* until(() => out.length === 50)
      yield* interruptAndWatch(fiber)
      yield* Effect.forEach(inFlight, ({ closed }) => closed)
      expect(out.map(({ value }) => value)).toEqual(texts.slice(0, 50).map(mark))
      expect(source.closed).toBe(1)
    }).pipe(Effect.provide(recorded))
  )

  it.live("in the middle of an answer closes the socket too", () =>
    Effect.gen(function* () {
      const server = yield* recording.RecordingServer
      yield* server.answer(
        marked(texts.slice(0, 50)),
        { ...marked(texts.slice(50, 100)), cut: "hang-body" },
        hang
      )
      const { fiber, out } = yield* start({ concurrency: 2 })
      const inFlight = yield* Effect.forEach([1, 2], server.request)
      yield* until(() => out.length === 50)
      yield* interruptAndWatch(fiber)
      yield* Effect.forEach(inFlight, ({ closed }) => closed)
      expect(out).toHaveLength(50)
    }).pipe(Effect.provide(recorded))
  )

  it.live("before any answer came sends nothing more", () =>
    Effect.gen(function* () {
      const server = yield* recording.RecordingServer
      yield* server.answer(hang)
      const { fiber, out } = yield* start()
      yield* server.request(0)
      yield* interruptAndWatch(fiber)
      expect(out).toEqual([])
    }).pipe(Effect.provide(recorded))
  )

  it.effect("in a back-off sends nothing again", () =>
    Effect.gen(function* () {
      const server = yield* recording.RecordingServer
      yield* server.answer(marked(texts.slice(0, 50)), ...repeat(8, { status: 429 }))
      const { fiber, out } = yield* start()
      yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], server.request)
      yield* until(() => out.length === 50)
      // Once all answers are there; the repetitions would be sent after 200 to 400 milliseconds.
      const waiting = Effect.map(TestClock.sleeps(), (times) => Chunk.filter(times, (at) => at <= 400).length)
      yield* Effect.repeat(Effect.zipRight(turn, waiting), { until: (count) => count >= 8 })
      yield* interruptAndWatch(fiber, TestClock.adjust("1 hour"))
    }).pipe(
      Effect.provideService(
        RetryPolicy.RetryPolicy,
        RetryPolicy.make({ schedule: retries(5, "400 millis") })
      ),
      Effect.provide(recorded)
    )
  )

  it.live("while a bad text is looked for ends the search", () =>
    Effect.gen(function* () {
      const server = yield* recording.RecordingServer
      yield* server.answer(marked(texts.slice(0, 50)), { status: 400 }, { status: 400 }, hang)
      const { fiber, out } = yield* start({ concurrency: 1 })

      const last = yield* server.request(3)
      yield* until(() => out.length === 50)
      expect(JSON.parse(last.text).text).toEqual(texts.slice(50, 63))
      yield* interruptAndWatch(fiber)
      expect(out).toHaveLength(50)
    }).pipe(Effect.provide(recorded))
  )

  it.live("leaves texts in flight on its budget: they may be billed", () =>
    Effect.gen(function* () {
      const server = yield* recording.RecordingServer
      yield* server.answer(marked(texts.slice(0, 50)), hang, hang)
      const budget = yield* Budget.make(10_000)
      const { fiber, out } = yield* start({ concurrency: 2, budget })
      yield* server.request(2)
      yield* until(() => out.length === 50)
      yield* interruptAndWatch(fiber)
      expect(yield* budget.state).toEqual({ cap: 10_000, spent: 140, reserved: 350 })
    }).pipe(Effect.provide(recorded))
  )
})
