/**
 * The repetition of requests: which, after which pause, and how often.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Function from "effect/Function"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as monotonic from "../internal/monotonic.js"
import { type Retries, RetryBackoff } from "../internal/retryBackoff.js"
import { type CallError, retryAfter } from "./TranslateError.js"

/**
 * The repetition of requests: which, after which pause, and how often.
 *
 * @since 0.1.0
 * @category models
 */
export interface Policy {
  /** When a call is sent again; its input is the error. Once it ends, that error is the answer. */
  readonly schedule: Schedule.Schedule<unknown, CallError>
  /** The longest `Retry-After` that is waited for; a longer one fails at once. */
  readonly maxRetryAfter: Duration.Duration
  /** Ambiguous translations that a client may send again before any succeeded. */
  readonly ambiguousBudget: number
  /** The repetitions that each success adds to that budget. */
  readonly ambiguousBudgetPerSuccess: number
  /** The time-out of an attempt without a payload. */
  readonly timeout: Duration.Duration
  /** The time-out that each thousand characters of the payload add. */
  readonly timeoutPerThousandCharacters: Duration.Duration
}

/**
 * Options of {@link make}.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /**
   * When a call is sent again, and how often; its input is the error. A `Retry-After` wins over a shorter pause.
   * @default defaultSchedule
   */
  readonly schedule?: Schedule.Schedule<unknown, CallError> | undefined
  /** The longest `Retry-After` that is waited for; a longer one fails at once. @default 5 minutes */
  readonly maxRetryAfter?: Duration.DurationInput | undefined
  /** Ambiguous translations that a client may send again before any succeeded. @default 10 */
  readonly ambiguousBudget?: number | undefined
  /** The repetitions that each success adds to that budget. @default 0.1 */
  readonly ambiguousBudgetPerSuccess?: number | undefined
  /** The time-out of an attempt without a payload. @default 30 seconds */
  readonly timeout?: Duration.DurationInput | undefined
  /** The time-out that each thousand characters of the payload add. @default 1 second */
  readonly timeoutPerThousandCharacters?: Duration.DurationInput | undefined
}

/**
 * Pauses that double from 500 milliseconds to 30 seconds, with up to half of each taken off by chance. It has no end.
 *
 * @since 0.1.0
 * @category constants
 */
export const backoff: Schedule.Schedule<unknown> = Schedule.exponential("500 millis").pipe(
  Schedule.union(Schedule.spaced("30 seconds")),
  Schedule.jitteredWith({ min: 0.5, max: 1 })
)

/**
 * Five repetitions with the pauses of {@link backoff}.
 *
 * @since 0.1.0
 * @category constants
 */
export const defaultSchedule: Schedule.Schedule<unknown> = Schedule.intersect(backoff, Schedule.recurs(5))

/**
 * A policy from the defaults and some changes.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}): Policy => ({
  schedule: options.schedule ?? defaultSchedule,
  maxRetryAfter: Duration.decode(options.maxRetryAfter ?? "5 minutes"),
  ambiguousBudget: options.ambiguousBudget ?? 10,
  ambiguousBudgetPerSuccess: options.ambiguousBudgetPerSuccess ?? 0.1,
  timeout: Duration.decode(options.timeout ?? "30 seconds"),
  timeoutPerThousandCharacters: Duration.decode(options.timeoutPerThousandCharacters ?? "1 second")
})

/**
 * The policy of calls: {@link withRetryPolicy} changes it.
 *
 * @since 0.1.0
 * @category tags
 */
export class RetryPolicy extends Context.Reference<RetryPolicy>()("effect-translate/RetryPolicy", {
  defaultValue: () => make()
}) {}

/**
 * The policy that sends nothing again.
 *
 * @since 0.1.0
 * @category constructors
 */
export const none: Policy = /* #__PURE__ */ make({ schedule: Schedule.stop })

/**
 * Runs calls, also those of streams, with some values of the current policy changed.
 *
 * @since 0.1.0
 * @category combinators
 */
export const withRetryPolicy: {
  /** Runs calls, also those of streams, with some values of the current policy changed. */
  (values: Options): <A, E, R>(calls: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Runs calls, also those of streams, with some values of the current policy changed. */
  <A, E, R>(calls: Effect.Effect<A, E, R>, values: Options): Effect.Effect<A, E, R>
} = /* #__PURE__ */ Function.dual(
  2,
  <A, E, R>(calls: Effect.Effect<A, E, R>, values: Options): Effect.Effect<A, E, R> =>
    Effect.flatMap(RetryPolicy, (policy) =>
      Effect.provideService(calls, RetryPolicy, make({ ...policy, ...values }))
    )
)

/**
 * The pause before another attempt in milliseconds: the schedule's, or `Retry-After` if it is longer. None if the
 * schedule has ended, or `Retry-After` is too long.
 *
 * @internal
 */
export const nextPause: (
  policy: Pick<Policy, "maxRetryAfter" | "schedule">,
  retries: Retries,
  error: CallError
) => Effect.Effect<Option.Option<number>> = ({ maxRetryAfter, schedule }, retries, error) => {
  const asked = retryAfter(error)
  if (Duration.greaterThan(asked, maxRetryAfter)) return Effect.succeedNone
  retries.backoff ??= new RetryBackoff(schedule as Schedule.Schedule<unknown, unknown>)
  const { backoff: own } = retries
  return Effect.flatMap(monotonic.millis, (now) =>
    Effect.map(
      own.next(now, error, asked),
      Option.map((at) => at - now)
    )
  )
}
