/** The gate, as a client sees it. What it does with permits is told in `RetryPolicy.test.ts`. */

import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { Throttle, TranslateClient } from "effect-translate"
import { hallo, hello, key, translate, translations, usage } from "../support/client.js"
import * as recording from "../support/recordingServer.js"
import { count, type Step, scripted } from "../support/scriptedClient.js"

/** Calls that take 10 seconds each, all started at once: how many were sent after 5, 15 and 25 seconds. */
const wave = (calls: number) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(
      Effect.replicateEffect(translate(hello), calls, { concurrency: "unbounded", discard: true })
    )
    const sent: Array<number> = []
    yield* TestClock.adjust("5 seconds")
    for (let i = 0; i < 3; i++) {
      sent.push(yield* count)
      yield* TestClock.adjust("10 seconds")
    }
    yield* TestClock.adjust("10 minutes")
    yield* Fiber.join(fiber)
    return sent
  })

const slowly: ReadonlyArray<Step> = Array.from({ length: 100 }, () => ({
  ...translations("Hallo"),
  after: "10 seconds"
}))

describe("layerFixed", () => {
  it.effect("lets so many attempts through at once", () =>
    Effect.gen(function* () {
      expect(yield* wave(8)).toEqual([3, 6, 8])
    }).pipe(Effect.provide(scripted(slowly, { throttle: Throttle.layerFixed(3) })))
  )

  it.effect("is one gate for all endpoints of a client", () =>
    Effect.gen(function* () {
      const both = yield* Effect.fork(Effect.all([translate(hello), usage], { concurrency: 2 }))
      yield* TestClock.adjust("1 second")
      expect(yield* count).toBe(1)
      yield* Fiber.interrupt(both)
    }).pipe(Effect.provide(scripted(["hang"], { throttle: Throttle.layerFixed(1) })))
  )
})

describe("layerUnlimited", () => {
  it.effect("lets all attempts through at once", () =>
    Effect.gen(function* () {
      expect(yield* wave(60)).toEqual([60, 60, 60])
    }).pipe(Effect.provide(scripted(slowly, { throttle: Throttle.layerUnlimited })))
  )
})

describe("layerAdaptive", () => {
  it.effect("starts with 8 attempts at once, and lets one more through for each that is accepted", () =>
    Effect.gen(function* () {
      expect(yield* wave(40)).toEqual([8, 24, 40])
    }).pipe(Effect.provide(scripted(slowly, { throttle: Throttle.layerAdaptive() })))
  )
})

describe("TranslateClient.layerConfig", () => {
  const configured = (entries: (url: string) => Record<string, string>) =>
    Layer.provideMerge(
      Layer.unwrapEffect(
        Effect.map(recording.RecordingServer, ({ url }) =>
          TranslateClient.layerConfig.pipe(
            Layer.provide(NodeHttpClient.layerUndici),
            Layer.provide(
              Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(entries(url)))))
            )
          )
        )
      ),
      recording.layer
    )

  it.effect("reads LANGUAGE_SERVICE_URL and LANGUAGE_SERVICE_KEY, and needs nothing else", () =>
    Effect.gen(function* () {
      yield* recording.answer(hallo)
      yield* translate(hello)
      const request = yield* recording.onlyRequest
      expect(request.path).toBe("/gateway/v2/translate")
      expect(request.headers.authorization).toBe(`Service-Auth-Key ${key}`)
    }).pipe(
      Effect.provide(
        configured((url) => ({ LANGUAGE_SERVICE_URL: `${url}/gateway/`, LANGUAGE_SERVICE_KEY: key }))
      )
    )
  )

  it.effect("reads LANGUAGE_SERVICE_SCHEME", () =>
    Effect.gen(function* () {
      yield* recording.answer(hallo)
      yield* translate(hello)
      expect((yield* recording.onlyRequest).headers.authorization).toBe(`Other ${key}`)
    }).pipe(
      Effect.provide(
        configured((url) => ({
          LANGUAGE_SERVICE_URL: url,
          LANGUAGE_SERVICE_KEY: key,
          LANGUAGE_SERVICE_SCHEME: "Other"
        }))
      )
    )
  )
})
