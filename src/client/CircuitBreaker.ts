/**
 * Pauses bulk operators while the service is down: they stop sending, try one request at a time, and go on once one is
 * answered.
 *
 * @since 0.1.0
 */
import * as Schedule from "effect/Schedule"
import type { CallError } from "./TranslateError.js"

/**
 * When the circuit opens, and how long it may stay open: the option `circuit` of the layers of clients.
 *
 * Each client has one circuit, which all its streams and batches of documents share. It opens once `failures` calls in a row
 * have failed for reasons that say nothing of their texts: no connection, a cut one, a time-out, a 5xx but 529, an answer
 * that can't be decoded. Two are enough if they time out. While it is open one request at a time is sent as a probe, and not
 * the one that failed last if there is another. The first answer closes it. When the schedule ends, every call that waits
 * fails with `Outage`, which ends its stream.
 *
 * Calls that no bulk operator makes take no part.
 *
 * @since 0.1.0
 * @category models
 */
export interface Policy {
  /**
   * The number of calls that fail one after another before the circuit opens. An attempt that was not sent, or was
   * refused with a 503, counts each time, and so does one without an answer as long as the client has had none; of
   * others only the first of each call does, since its texts may be the cause, and none of a call whose texts have
   * failed in an earlier one.
   */
  readonly failures: number
  /**
   * When to probe; its input is the last error. `Retry-After` wins over a shorter pause; one that is longer than
   * `RetryPolicy` waits for ends the schedule.
   */
  readonly schedule: Schedule.Schedule<unknown, CallError>
  /** When to probe as long as the client has had no answer at all: the address may be wrong. */
  readonly startSchedule: Schedule.Schedule<unknown, CallError>
}

/**
 * Options of {@link make}.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The number of calls that fail one after another before the circuit opens. @default 6 */
  readonly failures?: number | undefined
  /** When to probe; its input is the last error. @default defaultSchedule */
  readonly schedule?: Schedule.Schedule<unknown, CallError> | undefined
  /** When to probe as long as the client has had no answer at all. @default defaultStartSchedule */
  readonly startSchedule?: Schedule.Schedule<unknown, CallError> | undefined
}

const growing = Schedule.exponential("1 second").pipe(Schedule.union(Schedule.spaced("30 seconds")))

/**
 * Probes after pauses that double from 1 to 30 seconds, for 5 minutes. Then waiting calls fail with `Outage`.
 *
 * @since 0.1.0
 * @category constants
 */
export const defaultSchedule: Schedule.Schedule<unknown> = Schedule.upTo(growing, "5 minutes")

/**
 * After pauses that double from 1 second, for 7 seconds.
 *
 * @since 0.1.0
 * @category constants
 */
export const defaultStartSchedule: Schedule.Schedule<unknown> = Schedule.upTo(growing, "7 seconds")

/**
 * A policy from the defaults and some changes.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}): Policy => ({
  failures: options.failures ?? 6,
  schedule: options.schedule ?? defaultSchedule,
  startSchedule: options.startSchedule ?? defaultStartSchedule
})

/**
 * The policy under which calls take no part in the circuit: each fails by itself.
 *
 * @since 0.1.0
 * @category constructors
 */
export const none: Policy = make({ failures: Number.POSITIVE_INFINITY })
