/** What takes too long ends, in the time of the TestClock: one fiber watches the time-outs of all requests. */
import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import * as fc from "fast-check"
import * as Timeouts from "../../src/client/internal/calling/timeouts.js"
import { runs } from "../support/long.js"
import * as virtualClock from "../support/virtualClock.js"

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

  it.virtual("leave bytes that have come while the process was frozen a second to be read, and no more", () =>
    Effect.gen(function* () {
      const clock = yield* Effect.clock
      // Nobody wakes before 320.
      const sleep = (duration: Duration.Duration) =>
        clock.sleep(Duration.max(duration, Duration.millis(320 - clock.unsafeCurrentTimeMillis())))
      const expired: Array<string> = []
      const expire = (name: string) => Effect.sync(() => void expired.push(name))
      const stop = yield* Effect.gen(function* () {
        const timeouts = yield* Timeouts.make
        const stop = yield* timeouts.start(20, expire("answered"))
        yield* timeouts.start(20, expire("unanswered"))
        return stop
      }).pipe(Effect.withClock(Object.assign(Object.create(clock), { sleep })))
      yield* Effect.sleep("1319 millis")
      stop()
      expect(expired).toEqual([])
      yield* Effect.sleep("2 millis")
      expect(expired).toEqual(["unanswered"])
    })
  )

  it.effect("do not follow a clock that is set back", () => {
    let setTo = 0
    return Effect.gen(function* () {
      const timeouts = yield* Timeouts.make
      const ends = yield* Deferred.make<void>()
      // The fiber that watches has planned the second one when the clock is set back, and looks at it after the first.
      yield* timeouts.start(20, Effect.void)
      yield* timeouts.start(60, Effect.asVoid(Deferred.succeed(ends, undefined)))
      setTo = -3_600_000
      yield* Deferred.await(ends)
      expect(Number(yield* Clock.currentTimeNanos) / 1e6).toBe(60)
    }).pipe(Effect.scoped, (watching) => virtualClock.run(watching, { setTo: () => setTo }))
  })
})
