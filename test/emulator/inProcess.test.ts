import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { Emulator, Fault, PseudoTranslation } from "effect-translate/emulator"
import { once, translate as translateByClient } from "../support/client.js"
import { clientOf } from "../support/emulator.js"
import { runs } from "../support/long.js"
import { hello, meter, script, send, translate, usage } from "./support.js"

const inProcess = Emulator.layerHttpClient

describe("in process", () => {
  it.effect("the same answers come without a socket", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.all([
        hello(),
        usage(),
        send("{"),
        hello({ headers: { authorization: "none" } }),
        hello({ path: "/unknown" })
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 403, 404])
      expect(answers[0].json.translations[0].text).toBe(PseudoTranslation.translate("Hello", "de"))
      expect(answers[1].json.character_count).toBe(5)
      expect(answers.every(({ headers }) => headers["x-trace-id"] !== undefined)).toBe(true)
      expect(yield* meter).toMatchObject({ requests: 5, characters: 5 })
    }).pipe(Effect.provide(inProcess()))
  )

  it.effect("a streamed body arrives whole", () =>
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const body = new TextEncoder().encode(JSON.stringify({ text: ["Hello"], target_lang: "de" }))
      const response = yield* HttpClientRequest.post("https://any.host/v2/translate").pipe(
        HttpClientRequest.setHeader("authorization", `Service-Auth-Key ${Emulator.defaultKey}`),
        HttpClientRequest.bodyStream(Stream.make(body.subarray(0, 9), body.subarray(9)), {
          contentType: "application/json"
        }),
        client.execute
      )
      expect(response.status).toBe(200)
      expect((yield* meter).bytesReceived).toBe(body.length)
    }).pipe(Effect.provide(inProcess()))
  )

  it.effect.each([
    ["before", 0],
    ["after", 5]
  ] as const)("a connection cut %s the work fails as a transport does", ([when, characters]) =>
    Effect.gen(function* () {
      yield* script(Fault.cutConnection({ when }))
      const error = yield* Effect.flip(hello())
      expect(error).toMatchObject({ _tag: "RequestError", reason: "Transport" })
      expect(yield* meter).toMatchObject({ characters, statuses: {} })
    }).pipe(Effect.provide(inProcess()))
  )

  it.effect("a connection cut amid the body fails when the body is read", () =>
    Effect.gen(function* () {
      yield* script(Fault.cutConnection({ when: "mid-body" }))
      const error = yield* Effect.flip(hello())
      expect(error).toMatchObject({ _tag: "ResponseError", reason: "Decode" })
      expect((yield* meter).characters).toBe(5)
    }).pipe(Effect.provide(inProcess()))
  )

  it.effect("waiting follows the client's clock", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(hello())
      yield* TestClock.adjust("59 seconds")
      expect((yield* meter).texts).toBe(0)
      yield* TestClock.adjust("1 seconds")
      expect((yield* Fiber.join(fiber)).status).toBe(200)
    }).pipe(Effect.provide(inProcess({ latency: "1 minute" })))
  )

  it.effect("an answer pauses amid its body", () =>
    Effect.gen(function* () {
      yield* script(Fault.slow("1 minute", { when: "mid-body" }))
      const fiber = yield* Effect.fork(hello())
      yield* TestClock.adjust("1 minute")
      expect((yield* Fiber.join(fiber)).json.translations).toHaveLength(1)
    }).pipe(Effect.provide(inProcess()))
  )

  it.effect("a client that is interrupted meanwhile is not billed", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(hello())
      yield* TestClock.adjust("30 seconds")
      yield* Fiber.interrupt(fiber)
      yield* TestClock.adjust("1 minute")
      expect(yield* meter).toMatchObject({ requests: 1, texts: 0, characters: 0 })
      const next = yield* Effect.fork(hello())
      yield* TestClock.adjust("1 minute")
      expect((yield* Fiber.join(next)).status).toBe(200)
    }).pipe(Effect.provide(inProcess({ latency: "1 minute", maxConcurrent: 1 })))
  )

  it.effect("a first request that is interrupted at any moment leaves the next one its answer", () =>
    Effect.forEach(
      Array.from({ length: runs(60, 20) }, (_, index) => (index * 60) / runs(60, 20)),
      (turns) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.fork(hello())
          yield* Effect.repeatN(Effect.yieldNow(), turns)
          yield* Fiber.interrupt(fiber)
          expect((yield* hello()).status).toBe(200)
        }).pipe(Effect.provide(inProcess()))
    )
  )

  it.effect.each(["before", "after", "mid-body"] as const)(
    "a client does not wait for ever: slow %s",
    (when) =>
      Effect.gen(function* () {
        yield* script(Fault.slow("1 day", { when }))
        const fiber = yield* Effect.fork(
          Effect.flip(translateByClient({ text: ["Hello"], targetLang: "de" }))
        )
        yield* TestClock.adjust("1 minute")
        expect((yield* Fiber.join(fiber))._tag).toBe("TimedOut")
        yield* TestClock.adjust("2 days")
        expect((yield* meter).texts).toBe(when === "before" ? 0 : 1)
      }).pipe(once, Effect.provide(Layer.provideMerge(clientOf(), inProcess())))
  )

  it.effect("a new month starts with nothing used", () =>
    Effect.gen(function* () {
      const first = yield* hello()
      const over = yield* translate({ text: ["x"], target_lang: "de" })
      yield* TestClock.setTime(Date.UTC(1970, 1, 1))
      const next = yield* hello()
      expect([first, over, next].map(({ status }) => status)).toEqual([200, 456, 200])
      expect((yield* usage()).json).toMatchObject({
        character_count: 5,
        start_time: "1970-02-01T00:00:00.000Z",
        end_time: "1970-03-01T00:00:00.000Z"
      })
      expect((yield* meter).characters).toBe(10)
    }).pipe(Effect.provide(inProcess({ characterLimit: 5 })))
  )

  it.effect("chance follows Effect's Random", () => {
    const draws = Effect.gen(function* () {
      yield* script(Fault.status(500).pipe(Fault.times(99), Fault.probability(0.5)))
      return (yield* Effect.replicateEffect(hello(), 20)).map(({ status }) => status)
    }).pipe(Effect.provide(inProcess()), (self) =>
      Effect.suspend(() => Effect.withRandom(self, Random.make("seed")))
    )
    return Effect.gen(function* () {
      const first = yield* draws
      expect(new Set(first)).toEqual(new Set([200, 500]))
      expect(yield* draws).toEqual(first)
    })
  })
})
