/**
 * What is sent again, when, and how often.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { retryAfter, type TranslateError } from "./TranslateError.js"

/**
 * What is sent again, when, and how often.
 *
 * @since 0.1.0
 * @category models
 */
export interface Policy {
  /** How often a call is sent at most, the first time included. */
  readonly maxAttempts: number
  /** The pause before the first repetition; it doubles each time. */
  readonly initialDelay: Duration.Duration
  /** The longest pause of the back-off. */
  readonly maxDelay: Duration.Duration
  /** The longest `Retry-After` that is waited for; a longer one fails at once. */
  readonly maxRetryAfter: Duration.Duration
  /** Ambiguous translations that a client may send again before any succeeded. */
  readonly ambiguousBudget: number
  /** What each success adds to that budget. */
  readonly ambiguousBudgetPerSuccess: number
  /** The time-out of an attempt without a payload. */
  readonly timeout: Duration.Duration
  /** What each thousand characters of the payload add to the time-out. */
  readonly timeoutPerThousandCharacters: Duration.Duration
}

/**
 * What {@link make} takes.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** How often a call is sent at most, the first time included. @default 6 */
  readonly maxAttempts?: number | undefined
  /** The pause before the first repetition; it doubles each time. @default 500 millis */
  readonly initialDelay?: Duration.DurationInput | undefined
  /** The longest pause of the back-off. @default 30 seconds */
  readonly maxDelay?: Duration.DurationInput | undefined
  /** The longest `Retry-After` that is waited for; a longer one fails at once. @default 5 minutes */
  readonly maxRetryAfter?: Duration.DurationInput | undefined
  /** Ambiguous translations that a client may send again before any succeeded. @default 10 */
  readonly ambiguousBudget?: number | undefined
  /** What each success adds to that budget. @default 0.1 */
  readonly ambiguousBudgetPerSuccess?: number | undefined
  /** The time-out of an attempt without a payload. @default 30 seconds */
  readonly timeout?: Duration.DurationInput | undefined
  /** What each thousand characters of the payload add to the time-out. @default 1 second */
  readonly timeoutPerThousandCharacters?: Duration.DurationInput | undefined
}

/**
 * A policy from the defaults and some changes.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}): Policy => ({
  maxAttempts: options.maxAttempts ?? 6,
  initialDelay: Duration.decode(options.initialDelay ?? "500 millis"),
  maxDelay: Duration.decode(options.maxDelay ?? "30 seconds"),
  maxRetryAfter: Duration.decode(options.maxRetryAfter ?? "5 minutes"),
  ambiguousBudget: options.ambiguousBudget ?? 10,
  ambiguousBudgetPerSuccess: options.ambiguousBudgetPerSuccess ?? 0.1,
  timeout: Duration.decode(options.timeout ?? "30 seconds"),
  timeoutPerThousandCharacters: Duration.decode(options.timeoutPerThousandCharacters ?? "1 second")
})

/**
 * The policy of calls. Provide another one to a call, a stream or a layer.
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
export const none: Policy = make({ maxAttempts: 1 })

/**
 * Runs calls with some values of the current policy changed.
 *
 * @since 0.1.0
 * @category combinators
 */
export const adjusted =
  (values: Partial<Policy>) =>
  <A, E, R>(calls: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(RetryPolicy, (policy) =>
      Effect.provideService(calls, RetryPolicy, { ...policy, ...values })
    )

/**
 * The time-out of an attempt: it grows with the payload, and with each attempt.
 *
 * @internal
 */
export const timeoutFor = (policy: Policy, characters: number, attempt: number): Duration.Duration =>
  Duration.millis(
    Math.ceil(
      (Duration.toMillis(policy.timeout) +
        (Duration.toMillis(policy.timeoutPerThousandCharacters) * characters) / 1000) *
        attempt
    )
  )

/**
 * The pause after a failed attempt: the back-off with jitter, or `Retry-After` if it is longer.
 *
 * @internal
 */
export const delayAfter = (
  policy: Policy,
  error: TranslateError,
  attempt: number
): Effect.Effect<Duration.Duration> =>
  Effect.map(Random.next, (random) => {
    const ceiling = Math.min(
      Duration.toMillis(policy.initialDelay) * 2 ** (attempt - 1),
      Duration.toMillis(policy.maxDelay)
    )
    return Duration.max(Duration.millis(ceiling * (0.5 + random / 2)), retryAfter(error))
  })
