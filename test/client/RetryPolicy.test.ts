/** What is sent again, when, and how often: over a scripted transport, in the time of the TestClock. */
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import * as TestClock from "effect/TestClock"
import { ConcurrencyLimit, RetryPolicy, TranslateError } from "effect-translate"
import * as timeouts from "../../src/client/internal/calling/timeouts.js"
import { quotaExceeded } from "../stream/support.js"
import { hallo, hello, served, translate, translations, usage } from "../support/client.js"
import * as recording from "../support/recordingServer.js"
import { retries } from "../support/retries.js"
import { count, type Step, scripted, sentAt, Transport } from "../support/scriptedClient.js"
import * as virtualClock from "../support/virtualClock.js"

const withPolicy = (options: RetryPolicy.Options) =>
  Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make(options))

/** The outcome of an effect, however long it sleeps. */
const outcome = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(Effect.either(effect))
    yield* TestClock.adjust("2 hours")
    return yield* Fiber.join(fiber)
  })

const failed = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.flatMap(outcome(effect), Effect.flip)

const succeeded = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(outcome(effect), (either) => either)

/** Pauses between requests, in milliseconds. */
const pauses = Effect.map(sentAt, (times) => times.slice(1).map((time, index) => time - times[index]!))

const repeat = (times: number, step: Step): ReadonlyArray<Step> => Array.from({ length: times }, () => step)

describe("a translation", () => {
  for (const [what, step] of [
    ["429", { status: 429 }],
    ["503", { status: 503 }],
    ["529", { status: 529 }],
    ["425", { status: 425 }],
    ["408, which is ambiguous", { status: 408 }],
    ["500, which is ambiguous", { status: 500 }],
    ["502, which is ambiguous", { status: 502 }],
    ["504, which is ambiguous", { status: 504 }],
    ["a connection that never stood", { fails: "ECONNREFUSED" }],
    ["a connection that was cut, which is ambiguous", { fails: "ECONNRESET" }],
    ["an answer that can't be decoded, which is ambiguous", { body: [] }],
    ["an answer with too many items, which is ambiguous", translations("Hallo", "Welt")],
    ["no answer in time, which is ambiguous", "hang"],
    ["no whole answer in time, which is ambiguous", "hang-body"]
  ] as const) {
    it.effect(`is sent again after ${what}, and tells the attempts`, () =>
      Effect.gen(function* () {
        const result = yield* succeeded(translate(hello))
        expect(result).toEqual({
          translations: [{ text: "Hallo", detectedSourceLanguage: "en" }],
          attempts: 2,
          ambiguousAttempts: what.includes("ambiguous") ? 1 : 0
        })
        expect(yield* count).toBe(2)
      }).pipe(Effect.provide(scripted([step])))
    )
  }

  for (const status of [302, 400, 401, 403, 404, 413, 414, 415, 418, 422, 456]) {
    it.effect(`is never sent again after ${status}`, () =>
      Effect.gen(function* () {
        const error = yield* failed(translate(hello))
        expect(error).toMatchObject({ status, attempts: 1, ambiguousAttempts: 0, delivery: "rejected" })
        expect(yield* count).toBe(1)
      }).pipe(Effect.provide(scripted([{ status, headers: { "retry-after": "1" } }])))
    )
  }

  for (const code of ["CERT_HAS_EXPIRED", "DEPTH_ZERO_SELF_SIGNED_CERT", "ERR_TLS_CERT_ALTNAME_INVALID"]) {
    it.effect(`is never sent again after a certificate that is refused (${code})`, () =>
      Effect.gen(function* () {
        const error = yield* failed(translate(hello))
        expect(error).toMatchObject({ _tag: "TransportError", delivery: "not-sent", attempts: 1 })
        expect(yield* count).toBe(1)
      }).pipe(Effect.provide(scripted(repeat(6, { fails: code }))))
    )
  }

  it.effect("is not sent at all, nor again, if it breaks a rule", () =>
    Effect.gen(function* () {
      const error = yield* failed(translate({ text: [], targetLang: "de" }))
      expect(error._tag).toBe("InvalidRequest")
      expect(yield* count).toBe(0)
    }).pipe(Effect.provide(scripted([])))
  )

  it.effect("counts attempts and ambiguous ones apart, in the result", () =>
    Effect.gen(function* () {
      const { ambiguousAttempts, attempts } = yield* succeeded(translate(hello))
      expect({ attempts, ambiguousAttempts }).toEqual({ attempts: 5, ambiguousAttempts: 2 })
    }).pipe(
      Effect.provide(scripted([{ status: 429 }, { status: 500 }, { fails: "ECONNREFUSED" }, { body: {} }]))
    )
  )

  it.effect("counts attempts and ambiguous ones apart, in the error", () =>
    Effect.gen(function* () {
      const error = yield* failed(translate(hello))
      expect(error).toMatchObject({ _tag: "BadRequest", attempts: 4, ambiguousAttempts: 2 })
      expect(error.message).toContain("attempt 4")
    }).pipe(Effect.provide(scripted([{ status: 504 }, { status: 503 }, { fails: "EPIPE" }, { status: 400 }])))
  )
})

describe("the schedule", () => {
  it.effect("repeats five times", () =>
    Effect.gen(function* () {
      const error = yield* failed(translate(hello))
      expect(error).toMatchObject({ _tag: "RateLimited", attempts: 6 })
      expect(yield* count).toBe(6)
    }).pipe(Effect.provide(scripted(repeat(20, { status: 429 }))))
  )

  it.effect("can be changed around a call", () =>
    Effect.gen(function* () {
      const error = yield* failed(translate(hello).pipe(withPolicy({ schedule: retries(2) })))
      expect(error.attempts).toBe(3)
      expect(yield* count).toBe(3)
    }).pipe(Effect.provide(scripted(repeat(20, { status: 503 }))))
  )

  it.effect("repeats nothing in the policy `none`", () =>
    Effect.gen(function* () {
      const call = Effect.provideService(translate(hello), RetryPolicy.RetryPolicy, RetryPolicy.none)
      expect((yield* failed(call)).attempts).toBe(1)
      expect(yield* count).toBe(1)
    }).pipe(Effect.provide(scripted([{ status: 503 }])))
  )
})

describe("the pause", () => {
  it.effect("doubles from half a second, with up to half of it taken off by chance", () =>
    Effect.gen(function* () {
      yield* failed(translate(hello))
      const all = yield* pauses
      expect(all).toHaveLength(5)
      all.forEach((pause, index) => {
        const ceiling = 500 * 2 ** index
        expect(pause).toBeGreaterThanOrEqual(ceiling / 2)
        expect(pause).toBeLessThanOrEqual(ceiling)
      })
    }).pipe(Effect.provide(scripted(repeat(6, { status: 429 }))))
  )

  it.effect("is as long as the schedule says, though somebody sets the clock", () => {
    let setTo = 0
    const policy = RetryPolicy.make({ schedule: Schedule.upTo(Schedule.spaced("10 seconds"), "1 minute") })
    return virtualClock.run(
      Effect.gen(function* () {
        const refused = {}
        const pauses: Array<number> = []
        for (const hours of [0, 2, -2]) {
          setTo = hours * 3_600_000
          const pause = Option.getOrThrow(yield* RetryPolicy.nextPause(policy, refused, quotaExceeded))
          pauses.push(pause)
          yield* Effect.sleep(pause)
        }
        expect(pauses).toEqual([10_000, 10_000, 10_000])
      }),
      { setTo: () => setTo }
    )
  })

  it.effect("is drawn from Effect's Random", () =>
    Effect.gen(function* () {
      yield* failed(translate(hello)).pipe(Effect.withRandom(Random.make("seed")))
      const first = yield* pauses
      expect(new Set(first.map((pause, index) => pause / 2 ** index)).size).toBeGreaterThan(1)
    }).pipe(Effect.provide(scripted(repeat(6, { status: 429 }))))
  )

  it.effect("grows to 30 seconds and no further", () =>
    Effect.gen(function* () {
      yield* failed(
        translate(hello).pipe(
          withPolicy({ schedule: Schedule.intersect(RetryPolicy.backoff, Schedule.recurs(11)) })
        )
      )
      const all = yield* pauses
      expect(all).toHaveLength(11)
      for (const pause of all) expect(pause).toBeLessThanOrEqual(30_000)
      for (const pause of all.slice(7)) expect(pause).toBeGreaterThanOrEqual(15_000)
    }).pipe(Effect.provide(scripted(repeat(12, { status: 429 }))))
  )

  it.effect("is Retry-After where that is longer, in seconds", () =>
    Effect.gen(function* () {
      yield* succeeded(translate(hello))
      expect(yield* pauses).toEqual([7000, 60_000])
    }).pipe(
      Effect.provide(
        scripted([
          { status: 429, headers: { "retry-after": "7" } },
          { status: 503, headers: { "retry-after": "60" } }
        ])
      )
    )
  )

  it.effect("is Retry-After where that is longer, as an HTTP date", () =>
    Effect.gen(function* () {
      yield* succeeded(translate(hello))
      expect(yield* sentAt).toEqual([0, 90_000])
    }).pipe(
      Effect.provide(scripted([{ status: 503, headers: { "retry-after": "Thu, 01 Jan 1970 00:01:30 GMT" } }]))
    )
  )

  it.effect("is the back-off where that is longer than Retry-After", () =>
    Effect.gen(function* () {
      yield* succeeded(translate(hello))
      const [pause] = yield* pauses
      expect(pause).toBeGreaterThanOrEqual(250)
      expect(pause).toBeLessThanOrEqual(500)
    }).pipe(Effect.provide(scripted([{ status: 429, headers: { "retry-after": "0" } }])))
  )

  it.effect("is not made for a Retry-After beyond maxRetryAfter: the call fails at once with it", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(translate(hello))
      expect(error).toMatchObject({ _tag: "RateLimited", attempts: 1 })
      expect(Duration.toSeconds(TranslateError.retryAfter(error))).toBe(301)
      expect(yield* sentAt).toEqual([0])
    }).pipe(Effect.provide(scripted([{ status: 429, headers: { "retry-after": "301" } }])))
  )

  it.effect("is made for a Retry-After of exactly maxRetryAfter", () =>
    Effect.gen(function* () {
      yield* succeeded(translate(hello))
      expect(yield* sentAt).toEqual([0, 300_000])
    }).pipe(Effect.provide(scripted([{ status: 429, headers: { "retry-after": "300" } }])))
  )
})

describe("the budget for ambiguous translations", () => {
  /** Without a pause: these tests are about how often. */
  const atOnce = withPolicy({ schedule: retries(5) })
  const alwaysAmbiguous = repeat(500, { status: 500 })

  it.effect("is 10 for all calls of a client before any succeeded", () =>
    Effect.gen(function* () {
      const errors = yield* outcome(
        Effect.all(Array.from({ length: 5 }, () => Effect.flip(atOnce(translate(hello)))))
      )
      // 5 calls of at most 6 attempts would be 30: of the 25 repetitions, 10 are allowed.
      expect(yield* count).toBe(15)
      const attempts = Either.getOrThrow(errors).map((error) => error.attempts)
      expect(attempts).toEqual([6, 6, 1, 1, 1])
    }).pipe(Effect.provide(scripted(alwaysAmbiguous)))
  )

  it.effect("is shared by calls that run at the same time", () =>
    Effect.gen(function* () {
      yield* outcome(
        Effect.all(
          Array.from({ length: 8 }, () => Effect.flip(atOnce(translate(hello)))),
          { concurrency: "unbounded" }
        )
      )
      expect(yield* count).toBe(18)
    }).pipe(Effect.provide(scripted(alwaysAmbiguous)))
  )

  it.effect("grows by 10 % of the calls that have succeeded", () =>
    Effect.gen(function* () {
      yield* succeeded(Effect.replicateEffect(translate(hello), 30, { discard: true }))
      yield* outcome(Effect.replicateEffect(Effect.flip(atOnce(translate(hello))), 5, { discard: true }))
      // 30 successes, then 5 calls with 10 + 3 repetitions among them.
      expect(yield* count).toBe(30 + 5 + 13)
    }).pipe(Effect.provide(scripted([...repeat(30, translations("Hallo")), ...alwaysAmbiguous])))
  )

  it.effect("is not used by rejections and unsent requests", () =>
    Effect.gen(function* () {
      yield* outcome(Effect.replicateEffect(Effect.flip(atOnce(translate(hello))), 4, { discard: true }))
      expect(yield* count).toBe(24)
    }).pipe(
      Effect.provide(
        scripted([
          ...repeat(12, { status: 429 }),
          ...repeat(6, { status: 503 }),
          ...repeat(6, { fails: "ENOTFOUND" })
        ])
      )
    )
  )

  it.effect("of zero sends no ambiguous translation again", () =>
    Effect.gen(function* () {
      const error = yield* failed(
        translate(hello).pipe(withPolicy({ ambiguousBudget: 0, schedule: retries(5) }))
      )
      expect(error).toMatchObject({ attempts: 1, ambiguousAttempts: 1, delivery: "ambiguous" })
      expect(yield* count).toBe(1)
    }).pipe(Effect.provide(scripted(alwaysAmbiguous)))
  )

  it.effect("does not bind reads: usage is asked again freely", () =>
    Effect.gen(function* () {
      yield* outcome(Effect.replicateEffect(Effect.flip(atOnce(usage)), 5, { discard: true }))
      expect(yield* count).toBe(30)
    }).pipe(Effect.provide(scripted(alwaysAmbiguous)))
  )

  it.effect("is not used up by reads", () =>
    Effect.gen(function* () {
      yield* outcome(Effect.replicateEffect(Effect.flip(atOnce(usage)), 5, { discard: true }))
      const error = yield* failed(atOnce(translate(hello)))
      expect(error.attempts).toBe(6)
    }).pipe(Effect.provide(scripted(alwaysAmbiguous)))
  )
})

describe("the time-out", () => {
  it("is 30 seconds, and a second more for each thousand characters, times the attempt", () => {
    const policy = RetryPolicy.make({})
    const seconds = (characters: number, attempt: number) =>
      Duration.toSeconds(timeouts.ofAttempt(policy, characters, attempt))
    expect(seconds(0, 1)).toBe(30)
    expect(seconds(1000, 1)).toBe(31)
    expect(seconds(100_000, 1)).toBe(130)
    expect(seconds(0, 3)).toBe(90)
    expect(seconds(1500, 2)).toBe(63)
  })

  it.effect("of the first attempt ends it, aborts it, and gives the second one twice as long", () =>
    Effect.gen(function* () {
      const request = { text: ["a".repeat(5000), "b".repeat(5000)], targetLang: "de" } as const
      const error = yield* failed(translate(request).pipe(withPolicy({ schedule: retries(1) })))
      expect(error).toMatchObject({ _tag: "TimedOut", attempts: 2, ambiguousAttempts: 2 })
      expect(error._tag === "TimedOut" && Duration.toSeconds(error.after)).toBe(80)
      expect(yield* sentAt).toEqual([0, 40_000])
      expect((yield* Transport).aborted()).toBe(2)
    }).pipe(Effect.provide(scripted(["hang", "hang"])))
  )

  it.effect("does not end a call that is answered just in time", () =>
    Effect.gen(function* () {
      const result = yield* succeeded(translate(hello))
      expect(result.attempts).toBe(1)
    }).pipe(Effect.provide(scripted([{ ...translations("Hallo"), after: "29 seconds" }])))
  )

  it.effect("of one call leaves the others alone", () =>
    Effect.gen(function* () {
      const [slow, quick] = yield* succeeded(
        Effect.all(
          [
            translate(hello).pipe(withPolicy({ timeout: "90 seconds" })),
            Effect.flip(translate(hello).pipe(withPolicy({ timeout: "1 second", schedule: retries(0) })))
          ],
          { concurrency: 2 }
        )
      )
      expect(slow.attempts).toBe(1)
      expect(quick._tag).toBe("TimedOut")
    }).pipe(Effect.provide(scripted([{ ...translations("Hallo"), after: "60 seconds" }, "hang"])))
  )

  it.effect("holds for every call of a client, one after the other", () =>
    Effect.gen(function* () {
      const call = Effect.flip(
        translate(hello).pipe(withPolicy({ schedule: retries(0), timeout: "10 seconds" }))
      )
      const errors = yield* succeeded(Effect.all([call, call, call]))
      expect(errors.map(({ _tag }) => _tag)).toEqual(["TimedOut", "TimedOut", "TimedOut"])
      const times = yield* sentAt
      expect(times.map((time) => Math.round(time / 1000))).toEqual([0, 10, 20])
    }).pipe(Effect.provide(scripted(["hang", "hang", "hang"])))
  )

  it.effect("does not count the wait for a permit", () =>
    Effect.gen(function* () {
      const results = yield* succeeded(
        Effect.all([translate(hello), translate(hello), translate(hello)], { concurrency: 3 })
      )
      expect(results.map(({ attempts }) => attempts)).toEqual([1, 1, 1])
      expect(yield* sentAt).toEqual([0, 20_000, 40_000])
    }).pipe(
      Effect.provide(
        scripted(repeat(3, { ...translations("Hallo"), after: "20 seconds" }), {
          limit: ConcurrencyLimit.makeFixed(1)
        })
      )
    )
  )
})

describe("the permit of an attempt", () => {
  const oneAtATime = { limit: ConcurrencyLimit.makeFixed(1) }

  it.effect("is given back during a back-off", () =>
    Effect.gen(function* () {
      const patient = RetryPolicy.make({ schedule: retries(5, "1 minute") })
      const first = yield* Effect.fork(
        Effect.provideService(translate(hello), RetryPolicy.RetryPolicy, patient)
      )
      yield* TestClock.adjust("1 second")
      // The first call waits for its next attempt; the second one goes through meanwhile.
      const second = yield* translate(hello)
      expect(second.attempts).toBe(1)
      expect(yield* sentAt).toEqual([0, 1000])
      yield* TestClock.adjust("2 minutes")
      expect((yield* Fiber.join(first)).attempts).toBe(2)
    }).pipe(Effect.provide(scripted([{ status: 503 }], oneAtATime)))
  )

  for (const [name, limit] of [
    ["fixed", ConcurrencyLimit.makeFixed(8)],
    ["unlimited", ConcurrencyLimit.makeUnlimited],
    ["adaptive", ConcurrencyLimit.makeAdaptive()]
  ] as const) {
    it.effect(`is given to nobody while a Retry-After lasts, not only to who got it (${name})`, () =>
      Effect.gen(function* () {
        const first = yield* Effect.fork(translate(hello))
        yield* TestClock.adjust("1 second")
        const second = yield* Effect.fork(translate(hello))
        yield* TestClock.adjust("58 seconds")
        expect(yield* sentAt).toEqual([0])
        yield* TestClock.adjust("2 seconds")
        expect((yield* Fiber.join(first)).attempts).toBe(2)
        expect((yield* Fiber.join(second)).attempts).toBe(1)
        expect(yield* sentAt).toEqual([0, 60_000, 60_000])
      }).pipe(Effect.provide(scripted([{ status: 429, headers: { "retry-after": "60" } }], { limit })))
    )
  }

  it.effect("is not held back by a Retry-After that no call waits for", () =>
    Effect.gen(function* () {
      expect((yield* Effect.flip(translate(hello)))._tag).toBe("RateLimited")
      expect((yield* translate(hello)).attempts).toBe(1)
      expect(yield* sentAt).toEqual([0, 0])
    }).pipe(Effect.provide(scripted([{ status: 429, headers: { "retry-after": "86400" } }], oneAtATime)))
  )

  for (const status of [400, 456, 500]) {
    it.effect(`is held back by no Retry-After of ${status}, which is not about one request too many`, () =>
      Effect.gen(function* () {
        yield* Effect.flip(Effect.provideService(translate(hello), RetryPolicy.RetryPolicy, RetryPolicy.none))
        const second = yield* Effect.fork(translate(hello))
        yield* TestClock.adjust("1 second")
        expect(yield* sentAt).toEqual([0, 0])
        yield* Fiber.join(second)
      }).pipe(Effect.provide(scripted([{ status, headers: { "retry-after": "60" } }], oneAtATime)))
    )
  }

  it.effect("is given back when the headers are there", () =>
    Effect.gen(function* () {
      const first = yield* Effect.fork(translate(hello))
      yield* TestClock.adjust("1 second")
      const second = yield* translate(hello)
      expect(second.attempts).toBe(1)
      expect(first.unsafePoll()).toBeNull()
      yield* Fiber.interrupt(first)
    }).pipe(Effect.provide(scripted(["hang-body"], oneAtATime)))
  )

  it.effect("is held until then", () =>
    Effect.gen(function* () {
      const first = yield* Effect.fork(translate(hello))
      const second = yield* Effect.fork(translate(hello))
      yield* TestClock.adjust("10 seconds")
      expect(yield* count).toBe(1)
      yield* Fiber.interrupt(first)
      expect((yield* Fiber.join(second)).attempts).toBe(1)
    }).pipe(Effect.provide(scripted(["hang"], oneAtATime)))
  )

  for (const [how, step] of [
    ["fails", { fails: "ECONNRESET" }],
    ["is answered with an error", { status: 400 }],
    ["is never answered in time", "hang"]
  ] as const) {
    it.effect(`is given back when an attempt ${how}`, () =>
      Effect.gen(function* () {
        yield* failed(translate(hello).pipe(withPolicy({ schedule: retries(0) })))
        expect((yield* succeeded(translate(hello))).attempts).toBe(1)
      }).pipe(Effect.provide(scripted([step], oneAtATime)))
    )
  }

  it.effect("is given back when an attempt is interrupted", () =>
    Effect.gen(function* () {
      for (let i = 0; i < 3; i++) {
        const fiber = yield* Effect.fork(translate(hello))
        yield* TestClock.adjust("1 second")
        yield* Fiber.interrupt(fiber)
      }
      expect((yield* succeeded(translate(hello))).attempts).toBe(1)
    }).pipe(Effect.provide(scripted(["hang", "hang-body", "hang"], oneAtATime)))
  )

  it.effect("is not taken by a call that is interrupted while it waits for one", () =>
    Effect.gen(function* () {
      const first = yield* Effect.fork(translate(hello))
      const waiting = yield* Effect.fork(translate(hello))
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(first)
      expect((yield* succeeded(translate(hello))).attempts).toBe(1)
      expect(yield* count).toBe(2)
    }).pipe(Effect.provide(scripted(["hang"], oneAtATime)))
  )
})

describe("interruption", () => {
  it.effect("during a back-off sends nothing more", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(translate(hello))
      yield* TestClock.adjust("100 millis")
      yield* Fiber.interrupt(fiber)
      yield* TestClock.adjust("1 hour")
      expect(yield* count).toBe(1)
    }).pipe(Effect.provide(scripted([{ status: 503 }])))
  )

  it.effect("aborts the request in flight", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(translate(hello))
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(fiber)
      expect((yield* Transport).aborted()).toBe(1)
    }).pipe(Effect.provide(scripted(["hang"])))
  )

  for (const cut of ["hang", "hang-body"] as const) {
    it.live(`reaches the socket (${cut}): the service sees the connection close, and no further bytes`, () =>
      Effect.gen(function* () {
        const server = yield* recording.RecordingServer
        yield* server.answer({ ...hallo, cut })
        const fiber = yield* Effect.fork(translate(hello))
        const request = yield* server.request(0)
        const bytes = yield* server.bytesRead
        yield* Fiber.interrupt(fiber)
        yield* request.closed
        expect(yield* server.bytesRead).toBe(bytes)
        expect(yield* server.requests).toHaveLength(1)
      }).pipe(Effect.provide(served()))
    )
  }

  it.live("leaves the client fit for the next call", () =>
    Effect.gen(function* () {
      const server = yield* recording.RecordingServer
      yield* server.answer({ cut: "hang" }, hallo)
      const fiber = yield* Effect.fork(translate(hello))
      yield* server.request(0)
      yield* Fiber.interrupt(fiber)
      const result = yield* translate(hello)
      expect(result.attempts).toBe(1)
    }).pipe(Effect.provide(served()))
  )

  it.live("of the scope of a client's layer does not wait for deadlines", () =>
    // A client whose layer would wait for its time-outs would keep this test, and every program, for 30 seconds.
    Effect.gen(function* () {
      yield* recording.answer(hallo)
      yield* translate(hello)
    }).pipe(Effect.provide(served()), Effect.timeout("10 seconds"))
  )
})
