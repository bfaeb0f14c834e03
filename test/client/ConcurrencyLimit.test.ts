/** The concurrency limit, as a client sees it. How calls use permits is in `RetryPolicy.test.ts`. */

import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { ConcurrencyLimit, TranslateClient } from "effect-translate"
import { adaptive } from "../../src/client/internal/pacing/adaptiveLimit.js"
import { hallo, hello, key, once, translate, translations, usage } from "../support/client.js"
import { EventLoop, limited } from "../support/eventLoop.js"
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
    }).pipe(Effect.provide(scripted(slowly, { limit: ConcurrencyLimit.makeFixed(3) })))
  )

  it.effect("is one limit for all endpoints of a client", () =>
    Effect.gen(function* () {
      const both = yield* Effect.fork(Effect.all([translate(hello), usage], { concurrency: 2 }))
      yield* TestClock.adjust("1 second")
      expect(yield* count).toBe(1)
      yield* Fiber.interrupt(both)
    }).pipe(Effect.provide(scripted(["hang"], { limit: ConcurrencyLimit.makeFixed(1) })))
  )
})

describe("layerUnlimited", () => {
  it.effect("lets all attempts through at once", () =>
    Effect.gen(function* () {
      expect(yield* wave(60)).toEqual([60, 60, 60])
    }).pipe(Effect.provide(scripted(slowly, { limit: ConcurrencyLimit.makeUnlimited })))
  )
})

describe("layerAdaptive", () => {
  it.effect("starts with 8 attempts at once, and lets one more through for each that is accepted", () =>
    Effect.gen(function* () {
      expect(yield* wave(40)).toEqual([8, 24, 40])
    }).pipe(Effect.provide(scripted(slowly, { limit: ConcurrencyLimit.makeAdaptive() })))
  )
})

/**
 * A service that serves so many requests at once, each in 100 milliseconds, and asks to wait a second for any more; and
 * 64 callers that send to it without pause. What was served and refused in each of these seconds.
 */
const overload = (
  seconds: number,
  options: {
    readonly initial?: number
    readonly capacity: (second: number) => number
    readonly refusedAnyway?: number
  }
) => {
  const loop = new EventLoop()
  const { end, limiter, take } = limited(loop, adaptive(options.initial ?? 8))
  const served = new Array<number>(seconds).fill(0)
  const refused = new Array<number>(seconds).fill(0)
  let busy = 0
  let requests = 0
  const attempt = () =>
    take((permit) => {
      const second = Math.floor(loop.now / 1000)
      const isUnlucky = ++requests % Math.round(1 / (options.refusedAnyway ?? 0)) === 0
      if (busy >= options.capacity(second) || isUnlucky) {
        refused[second]!++
        end(permit, "refused", isUnlucky ? undefined : Duration.seconds(1))
        loop.after(1000, attempt)
      } else {
        busy++
        loop.after(100, () => {
          busy--
          served[second]!++
          end(permit, "accepted")
          loop.after(0, attempt)
        })
      }
    })
  for (let caller = 0; caller < 64; caller++) loop.after(0, attempt)
  loop.run(seconds * 1000 - 1)
  const sum = (counts: ReadonlyArray<number>) => counts.reduce((all, count) => all + count, 0)
  return { served: sum(served), refused: sum(refused), perSecond: served, state: limiter.state }
}

describe("the adaptive limit", () => {
  for (const initial of [1, 8, 64]) {
    it(`started at ${initial} it finds that 6 are served at once, and serves 90 % of the possible number`, () => {
      const { refused, served, state } = overload(120, { initial, capacity: () => 6 })
      expect(state.ceiling).toBe(6)
      expect(served).toBeGreaterThan(0.9 * 120 * 60)
      expect(refused).toBeLessThan(64 + 0.03 * served)
    })
  }

  it("finds the new limit when the service takes fewer, and when it takes more again", () => {
    const { perSecond, state } = overload(240, {
      capacity: (second) => (second < 60 || second >= 120 ? 12 : 4)
    })
    const between = (from: number, to: number) =>
      perSecond.slice(from, to).reduce((all, count) => all + count, 0) / (to - from)
    expect(between(30, 60)).toBeGreaterThan(0.9 * 120)
    expect(between(90, 120)).toBeGreaterThan(0.9 * 40)
    expect(between(200, 240)).toBeGreaterThan(0.9 * 120)
    expect(state.ceiling).toBe(12)
  })

  it("is not driven down by refusals that do not depend on the number in flight", () => {
    const { perSecond } = overload(60, { capacity: () => 64, refusedAnyway: 0.01 })
    expect(perSecond.slice(30).reduce((all, count) => all + count, 0) / 30).toBeGreaterThan(120)
  })

  it.effect("tells its state each time that the limit, the ceiling or the pause changes", () =>
    Effect.gen(function* () {
      const concurrencyLimit = yield* ConcurrencyLimit.ConcurrencyLimit
      const seen = yield* Effect.fork(Stream.runCollect(Stream.take(concurrencyLimit.changes, 4)))
      yield* Effect.repeatN(Effect.yieldNow(), 20)
      const [first, second] = yield* Effect.all([concurrencyLimit.take, concurrencyLimit.take])
      yield* second.accepted
      const third = yield* concurrencyLimit.take
      yield* first.refused(Duration.seconds(1))
      yield* third.accepted
      yield* TestClock.adjust("1 second")
      const states = Array.from(yield* Fiber.join(seen))
      expect(
        states.map(({ ceiling, limit, paused, refused }) => ({ ceiling, limit, paused, refused }))
      ).toEqual([
        { limit: 2, ceiling: undefined, paused: false, refused: 0 },
        { limit: 3, ceiling: undefined, paused: false, refused: 0 },
        { limit: 2, ceiling: undefined, paused: true, refused: 1 },
        { limit: 1, ceiling: 1, paused: true, refused: 1 }
      ])
    }).pipe(Effect.provide(ConcurrencyLimit.layerAdaptive({ initial: 2 })))
  )

  for (const [status, grown] of [
    [400, 3],
    [456, 3],
    [500, 2]
  ] as const) {
    it.effect(
      `${grown === 3 ? "grows" : "stays as it is"} when a request that filled it is answered with ${status}`,
      () =>
        Effect.gen(function* () {
          const concurrencyLimit = yield* ConcurrencyLimit.makeAdaptive({ initial: 2 })
          const layer = scripted([{ status }], {
            limit: Effect.succeed(concurrencyLimit)
          })
          const held = yield* concurrencyLimit.take
          yield* Effect.ignore(once(translate(hello))).pipe(Effect.provide(layer))
          yield* held.release
          expect((yield* concurrencyLimit.state).limit).toBe(grown)
        }).pipe(Effect.scoped)
    )
  }

  it.effect("loses no permit to an interruption, at whatever moment it comes", () =>
    Effect.gen(function* () {
      const concurrencyLimit = yield* ConcurrencyLimit.ConcurrencyLimit
      for (let round = 0; round < 50; round++) {
        const held = yield* concurrencyLimit.take
        const waiting = yield* Effect.fork(concurrencyLimit.take)
        yield* Effect.yieldNow()
        yield* Effect.all([held.accepted, Fiber.interrupt(waiting)], { concurrency: 2 })
        const exit = yield* Fiber.await(waiting)
        if (exit._tag === "Success") yield* exit.value.release
      }
      expect((yield* concurrencyLimit.state).inUse).toBe(0)
    }).pipe(Effect.provide(ConcurrencyLimit.layerFixed(1)))
  )
})

describe("a concurrency limit", () => {
  it.live("lets in a caller that came while a permit was handed back, whenever the fibers take turns", () =>
    Effect.gen(function* () {
      const concurrencyLimit = yield* ConcurrencyLimit.ConcurrencyLimit
      for (let operations = 20; operations <= 40; operations++) {
        for (let turns = 0; turns <= 6; turns++) {
          const held = yield* concurrencyLimit.take
          const next = yield* Effect.fork(Effect.withMaxOpsBeforeYield(concurrencyLimit.take, operations))
          yield* Effect.repeatN(Effect.yieldNow(), turns)
          yield* held.accepted
          const permit = yield* Effect.timeoutOption(Fiber.join(next), "20 seconds")
          expect(permit._tag, `a turn after ${operations} operations, handed back after ${turns}`).toBe(
            "Some"
          )
          if (permit._tag === "Some") yield* permit.value.release
        }
      }
    }).pipe(Effect.provide(ConcurrencyLimit.layerFixed(1)))
  )
})

describe("TranslateClient.layerConfig()", () => {
  const configured = (entries: (url: string) => Record<string, string>) =>
    Layer.provideMerge(
      Layer.unwrapEffect(
        Effect.map(recording.RecordingServer, ({ url }) =>
          TranslateClient.layerConfig().pipe(
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
