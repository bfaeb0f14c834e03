import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Schedule from "effect/Schedule"
import * as ScheduleDecision from "effect/ScheduleDecision"
import * as ScheduleIntervals from "effect/ScheduleIntervals"

/**
 * Times the repetitions of failed work by a schedule, one failure after another. `Schedule.driver` sleeps by itself,
 * where something else may come first: an answer to another call, the end of a quota's period, or that nobody waits any
 * more.
 */
export class RetryBackoff<In, R = never> {
  private state: unknown

  constructor(private readonly schedule: Schedule.Schedule<unknown, In, R>) {
    this.state = schedule.initial
  }

  /** The time of the next try, in milliseconds of the clock, but not before the service's own delay; none once the schedule has ended. */
  next(
    now: number,
    input: In,
    asked: Duration.Duration = Duration.zero
  ): Effect.Effect<Option.Option<number>, never, R> {
    return Effect.map(this.schedule.step(now, input, this.state), ([state, , decision]) => {
      if (ScheduleDecision.isDone(decision)) return Option.none()
      this.state = state
      return Option.some(
        Math.max(ScheduleIntervals.start(decision.intervals), now + Duration.toMillis(asked))
      )
    })
  }
}

/** Timers of JavaScript can't wait for a month. */
const longestSleep = Duration.toMillis("1 day")

/** Waits until a time in milliseconds of the clock, however far away it is; but no longer than that is now, if somebody sets the clock. */
export const sleepUntil = (at: number, most = Number.POSITIVE_INFINITY): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const left = Math.min(at - now, most)
    const next = Math.min(left, longestSleep)
    return left <= 0 ? Effect.void : Effect.zipRight(Effect.sleep(next), sleepUntil(at, left - next))
  })

/** Waits, unless `halted` completes first: then `otherwise` is the result, if it is still waited for. */
export const unlessHalted = <A, E, E2>(
  halted: Effect.Effect<void>,
  waiting: Effect.Effect<A, E>,
  otherwise: Effect.Effect<A, E2>,
  isWaiting = () => true
): Effect.Effect<A, E | E2> =>
  Effect.raceFirst(
    Effect.flatMap(halted, () => (isWaiting() ? otherwise : Effect.never)),
    waiting
  )

/** The progress of a call in its schedule. */
export interface Retries {
  /** `undefined` before the first repetition. */
  backoff?: RetryBackoff<unknown> | undefined
}
