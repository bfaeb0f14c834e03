import type * as Duration from "effect/Duration"
import * as Schedule from "effect/Schedule"
import { CircuitBreaker } from "effect-translate"

/** So many repetitions, with the same pause before each. */
export const retries = (times: number, pause: Duration.DurationInput = 0): Schedule.Schedule<unknown> =>
  Schedule.intersect(Schedule.spaced(pause), Schedule.recurs(times))

/** A circuit that opens after so many failures, and is probed as a schedule says. */
export const probing = (schedule: Schedule.Schedule<unknown>, failures?: number): CircuitBreaker.Policy =>
  CircuitBreaker.make({ schedule, startSchedule: schedule, failures })

/** Probes at once, and long enough for any outage of a test. */
export const quickProbes = probing(retries(1000, "1 millis"))
