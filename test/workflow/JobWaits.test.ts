/** How long a job waits. */
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as TestClock from "effect/TestClock"
import type { Usage } from "../../src/api/Usage.js"
import * as jobWaits from "../../src/workflow/internal/steps/jobWaits.js"

const pauses: jobWaits.Pauses = {
  quotaSchedule: Schedule.spaced("15 minutes"),
  outageSchedule: Schedule.exponential("15 seconds").pipe(Schedule.union(Schedule.spaced("5 minutes"))),
  usage: Effect.fail("unknown")
}

const usageUntil = (millis: number): Effect.Effect<Usage> =>
  Effect.succeed({ endTime: DateTime.unsafeMake(millis) } as Usage)

const until = (
  reason: "quota" | "outage",
  times: number,
  more: Partial<jobWaits.Pauses> = {}
): Effect.Effect<number | undefined> =>
  DateTime.now.pipe(
    Effect.flatMap((now) => jobWaits.next({ ...pauses, ...more }, reason, times, now)),
    Effect.map((waiting) => (Option.isSome(waiting) ? waiting.value.until.epochMillis : undefined))
  )

describe("the wait of a job", () => {
  it.effect("ends with the period of the quota, if the service tells when that is", () =>
    Effect.gen(function* () {
      expect(yield* until("quota", 1, { usage: usageUntil(3_600_000) })).toBe(3_600_000)
    })
  )

  it.effect("ends as the schedule says once the period was waited for, has passed, or is not known", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("1 hour")
      const now = 3_600_000
      const quarter = 15 * 60_000
      expect(yield* until("quota", 1)).toBe(now + quarter)
      expect(yield* until("quota", 2, { usage: usageUntil(now * 2) })).toBe(now + quarter)
      expect(yield* until("quota", 1, { usage: usageUntil(now - 1) })).toBe(now + quarter)
    })
  )

  it.effect("grows with each time in a row, wherever the last one was", () =>
    Effect.gen(function* () {
      const waited = yield* Effect.forEach([1, 2, 3, 6, 20], (times) => until("outage", times))
      expect(waited).toEqual([15_000, 30_000, 60_000, 300_000, 300_000])
    })
  )

  it.effect("is none once the schedule has ended", () =>
    Effect.gen(function* () {
      const outageSchedule = Schedule.recurs(2)
      expect(yield* until("outage", 2, { outageSchedule })).toBeDefined()
      expect(yield* until("outage", 3, { outageSchedule })).toBeUndefined()
    })
  )
})
