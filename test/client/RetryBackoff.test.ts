/** When something is tried again, and how that is waited for, in the time of the TestClock. */
import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"
import { RetryPolicy } from "effect-translate"
import { RetryBackoff, sleepUntil, unlessHalted } from "../../src/internal/retryBackoff.js"
import { retries } from "../support/retries.js"

describe("the next try", () => {
  it.effect(
    "is the time of the schedule, but not before the time that was asked for; none once the schedule has ended",
    () =>
      Effect.gen(function* () {
        const backoff = new RetryBackoff(retries(3, "10 seconds"))
        const next = (now: number, asked?: Duration.DurationInput) =>
          Effect.map(
            backoff.next(now, undefined, asked === undefined ? undefined : Duration.decode(asked)),
            Option.getOrUndefined
          )
        expect(yield* next(1000)).toBe(11_000)
        expect(yield* next(20_000, "1 second")).toBe(30_000)
        expect(yield* next(40_000, "1 minute")).toBe(100_000)
        expect(yield* next(50_000)).toBeUndefined()
      })
  )
})

describe("a sleep until a time", () => {
  const endOf = (sleep: Effect.Effect<void>) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(Effect.zipRight(sleep, Clock.currentTimeMillis))
      yield* TestClock.adjust("40 days")
      return yield* Fiber.join(fiber)
    })

  it.effect("ends then", () =>
    Effect.gen(function* () {
      expect(yield* endOf(sleepUntil(5000))).toBe(5000)
    })
  )

  it.effect("ends then, also if that is further away than timers reach", () =>
    Effect.gen(function* () {
      const month = Duration.toMillis("30 days")
      expect(yield* endOf(sleepUntil(month + 5))).toBe(month + 5)
    })
  )

  it.effect("ends at once if the time has come", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("1 second")
      yield* sleepUntil(1000)
      yield* sleepUntil(0)
      expect(yield* Clock.currentTimeMillis).toBe(1000)
    })
  )

  it.effect("takes no longer than it may", () =>
    Effect.gen(function* () {
      const days = (count: number) => Duration.toMillis(Duration.days(count))
      expect(yield* endOf(sleepUntil(days(30), days(2.5)))).toBe(days(2.5))
    })
  )

  it.effect("takes no longer if the clock is set back meanwhile", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(sleepUntil(Duration.toMillis("36 hours")))
      yield* TestClock.adjust("1 hour")
      yield* TestClock.setTime(0)
      yield* TestClock.adjust("36 hours")
      expect(Option.isSome(yield* Fiber.poll(fiber))).toBe(true)
    })
  )
})

describe("the wait", () => {
  it.effect("is given up once all is halted, and there is something else instead", () =>
    Effect.gen(function* () {
      const halted = yield* Deferred.make<void>()
      const waiting = unlessHalted(Deferred.await(halted), Effect.never, Effect.succeed("given up"))
      const fiber = yield* Effect.fork(waiting)
      yield* Effect.yieldNow()
      yield* Deferred.succeed(halted, undefined)
      expect(yield* Fiber.join(fiber)).toBe("given up")
    })
  )

  it.effect("ends with its result if nothing is halted", () =>
    Effect.gen(function* () {
      expect(yield* unlessHalted(Effect.never, Effect.succeed("come"), Effect.die("halted"))).toBe("come")
    })
  )

  it.effect("goes on if it does not wait any more", () =>
    Effect.gen(function* () {
      const slow = Effect.delay(Effect.succeed("come"), "1 second")
      const fiber = yield* Effect.fork(unlessHalted(Effect.void, slow, Effect.die("halted"), () => false))
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(fiber)).toBe("come")
    })
  )
})

describe("the policy", () => {
  it("has the defaults that its documentation names", () => {
    const { schedule, ...others } = RetryPolicy.make()
    expect(schedule).toBe(RetryPolicy.defaultSchedule)
    expect(others).toEqual({
      maxRetryAfter: Duration.minutes(5),
      ambiguousBudget: 10,
      ambiguousBudgetPerSuccess: 0.1,
      timeout: Duration.seconds(30),
      timeoutPerThousandCharacters: Duration.seconds(1)
    })
  })

  it("takes every option, zeros included", () => {
    const given = {
      schedule: RetryPolicy.backoff,
      maxRetryAfter: Duration.minutes(1),
      ambiguousBudget: 0,
      ambiguousBudgetPerSuccess: 0,
      timeout: Duration.seconds(3),
      timeoutPerThousandCharacters: Duration.zero
    }
    expect(RetryPolicy.make(given)).toEqual(given)
  })

  it.effect("can be changed in parts around calls", () =>
    Effect.gen(function* () {
      const adjusted = yield* RetryPolicy.RetryPolicy.pipe(
        RetryPolicy.withRetryPolicy({ ambiguousBudget: 3 })
      )
      expect(adjusted).toEqual({ ...RetryPolicy.make(), ambiguousBudget: 3 })
    })
  )
})
