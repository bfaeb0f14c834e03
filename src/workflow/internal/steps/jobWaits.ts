import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Schedule from "effect/Schedule"
import type * as Usage from "../../../api/Usage.js"
import { RetryBackoff } from "../../../internal/retryBackoff.js"
import type { Waiting } from "../../CorpusJob.js"

/** The pauses of jobs that wait. */
export interface Pauses {
  /** Once the quota is used up, and the end of its period is not known or has passed. */
  readonly quotaSchedule: Schedule.Schedule<unknown>
  /** While the service is down. */
  readonly outageSchedule: Schedule.Schedule<unknown>
  /** Asked when the period of the quota ends. */
  readonly usage: Effect.Effect<Usage.Usage, unknown>
}

/** When the nth pause in a row of a schedule ends; none if the schedule has ended before. A job may wait on one machine, and then on another. */
const endOf = (
  schedule: Schedule.Schedule<unknown>,
  times: number,
  now: number
): Effect.Effect<Option.Option<number>> =>
  Effect.gen(function* () {
    const backoff = new RetryBackoff(schedule)
    let at = now
    let before = now
    for (let time = 0; time < times; time++) {
      const next = yield* backoff.next(at, undefined)
      if (Option.isNone(next)) return next
      before = at
      at = next.value
    }
    return Option.some(now + at - before)
  })

/** The reason and the end of the nth wait in a row; none if the job has waited often enough. */
export const next = (
  { outageSchedule, quotaSchedule, usage }: Pauses,
  reason: Waiting["reason"],
  times: number,
  now: DateTime.Utc
): Effect.Effect<Option.Option<Waiting>> =>
  Effect.gen(function* () {
    const period =
      reason === "quota" && times === 1
        ? Option.flatMapNullable(yield* Effect.option(usage), ({ endTime }) => endTime)
        : Option.none()
    if (Option.isSome(period) && DateTime.greaterThan(period.value, now)) {
      return Option.some({ reason, until: period.value })
    }
    const end = yield* endOf(reason === "quota" ? quotaSchedule : outageSchedule, times, now.epochMillis)
    return Option.map(end, (millis) => ({ reason, until: DateTime.unsafeMake(millis) }))
  })
