/** What takes too long ends, in the time of the TestClock: one fiber watches the time-outs of all requests. */
import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import * as fc from "fast-check"
import * as Timeouts from "../../src/client/internal/calling/timeouts.js"
import { runs } from "../support/long.js"

/** Each step starts a time-out or stops one that was started, and then time passes. */
const steps = fc.array(
  fc.oneof(
    fc.record({ start: fc.integer({ min: 1, max: 50 }), pass: fc.integer({ min: 0, max: 20 }) }),
    fc.record({ stop: fc.nat(), pass: fc.integer({ min: 0, max: 20 }) })
  ),
  { maxLength: 40 }
)

describe("time-outs", () => {
  it("expire each at its time unless stopped before, in whatever order they are started and stopped", () =>
    fc.assert(
      fc.asyncProperty(steps, (steps) =>
        Effect.gen(function* () {
          const timeouts = yield* Timeouts.make
          const expired = new Map<number, number>()
          const expected = new Map<number, number>()
          const started: Array<{ readonly at: number; readonly stop: () => void }> = []
          let now = 0
          for (const step of steps) {
            if ("start" in step) {
              const id = started.length
              const at = now + step.start
              const expire = Effect.map(TestClock.currentTimeMillis, (time) => expired.set(id, time))
              started.push({ at, stop: yield* timeouts.start(step.start, Effect.asVoid(expire)) })
              expected.set(id, at)
            } else if (started.length > 0) {
              const id = step.stop % started.length
              started[id]!.stop()
              if (started[id]!.at > now) expected.delete(id)
            }
            now += step.pass
            yield* TestClock.adjust(step.pass)
          }
          yield* TestClock.adjust(100)
          expect(new Map([...expired].sort())).toEqual(new Map([...expected].sort()))
        }).pipe(Effect.scoped, Effect.provide(TestContext.TestContext), Effect.runPromise)
      ),
      { numRuns: runs(60) }
    ))

  it.live("leave what has come while the process was frozen a second to be read, and no more", () =>
    Effect.gen(function* () {
      const freeze = Effect.sync(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300))
      const timeouts = yield* Timeouts.make
      const ends = yield* Deferred.make<void>()
      let isExpired = false
      const stop = yield* timeouts.start(
        20,
        Effect.sync(() => {
          isExpired = true
        })
      )
      yield* timeouts.start(20, Effect.asVoid(Deferred.succeed(ends, undefined)))
      yield* freeze
      yield* Effect.sleep("100 millis")
      stop()
      yield* Deferred.await(ends)
      expect(isExpired).toBe(false)
    }).pipe(Effect.scoped)
  )

  it.live("do not follow a clock that is set back", () =>
    Effect.gen(function* () {
      let setBack = 0
      const live = Clock.make()
      const clock: Clock.Clock = {
        [Clock.ClockTypeId]: Clock.ClockTypeId,
        sleep: (duration) => live.sleep(duration),
        unsafeCurrentTimeMillis: () => Date.now() - setBack,
        currentTimeMillis: Effect.sync(() => Date.now() - setBack),
        unsafeCurrentTimeNanos: () => live.unsafeCurrentTimeNanos(),
        currentTimeNanos: live.currentTimeNanos
      }
      const expired = yield* Effect.gen(function* () {
        const timeouts = yield* Timeouts.make
        const ends = yield* Deferred.make<void>()
        // The fiber that watches has planned the second one when the clock is set back, and looks at it after the first.
        yield* timeouts.start(20, Effect.void)
        yield* timeouts.start(60, Effect.asVoid(Deferred.succeed(ends, undefined)))
        setBack = 3_600_000
        return yield* Effect.timeoutOption(Deferred.await(ends), "20 seconds")
      }).pipe(Effect.scoped, Effect.withClock(clock))
      expect(Option.isSome(expired)).toBe(true)
    })
  )
})
