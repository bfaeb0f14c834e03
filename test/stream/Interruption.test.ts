/** Interruption, as the service sees it: not a byte is sent after it, and what was delivered stays. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Budget, type Outcome, RetryPolicy, TranslateStream, Translator } from "effect-translate"
import { layerOver } from "../support/client.js"
import * as recording from "../support/recordingServer.js"
import { retries } from "../support/retries.js"
import { counted, de, mark, numbered, until } from "./support.js"

/** A recording server, and a translator that sends to it. */
const recorded = Layer.provideMerge(
  Layer.unwrapEffect(
    Effect.map(recording.RecordingServer, ({ url }) =>
      Translator.layer.pipe(
        Layer.provide(layerOver({ url })),
        Layer.provide(NodeHttpClient.layerUndici),
        Layer.orDie
      )
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

/** Interrupts, and watches the service for a while: nothing comes any more. */
const interruptAndWatch = (fiber: Fiber.RuntimeFiber<unknown, unknown>, milliseconds = 100) =>
  Effect.gen(function* () {
    const server = yield* recording.RecordingServer
    const bytes = yield* server.bytesRead
    const { length } = yield* server.requests
    yield* Fiber.interrupt(fiber)
    yield* Effect.sleep(milliseconds)
    expect(yield* server.bytesRead).toBe(bytes)
    expect(yield* server.requests).toHaveLength(length)
  })

describe("interruption", () => {
  it.live("closes the sockets: the service gets not a byte after it, and what was delivered stays", () =>
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
      expect(yield* server.requests).toHaveLength(1)
      expect(out).toEqual([])
    }).pipe(Effect.provide(recorded))
  )

  it.live("in a back-off sends nothing again", () =>
    Effect.gen(function* () {
      const server = yield* recording.RecordingServer
      yield* server.answer(marked(texts.slice(0, 50)), ...repeat(8, { status: 429 }))
      const { fiber, out } = yield* start()
      yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], server.request)
      yield* until(() => out.length === 50)
      // The answers are there; the repetitions would be sent after 200 to 400 milliseconds.
      yield* Effect.sleep(30)
      yield* interruptAndWatch(fiber, 450)
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

  it.live("leaves what was in flight on its budget: it may be billed", () =>
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
