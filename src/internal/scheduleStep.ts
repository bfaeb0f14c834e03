import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Schedule from "effect/Schedule"
import * as ScheduleDecision from "effect/ScheduleDecision"
import * as ScheduleIntervals from "effect/ScheduleIntervals"

export interface Step {
  readonly state: unknown
  /** When to go on, in milliseconds of the clock. */
  readonly at: number
}

/** One step of a schedule, none once it has ended. `Schedule.driver` sleeps by itself, where something else may come first. */
export const next = <In, R>(
  schedule: Schedule.Schedule<unknown, In, R>,
  now: number,
  input: In,
  state: unknown
): Effect.Effect<Option.Option<Step>, never, R> =>
  Effect.map(schedule.step(now, input, state), ([state, , decision]) =>
    ScheduleDecision.isDone(decision)
      ? Option.none()
      : Option.some({ state, at: ScheduleIntervals.start(decision.intervals) })
  )
