/**
 * What is sent again, when, and how often.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as TranslateError from "./TranslateError.js"

/**
 * What is sent again, when, and how often.
 *
 * @since 0.1.0
 * @category models
 */
export interface Policy {
  /** How often a call is sent at most, the first time included. @default 6 */
  readonly maxAttempts: number
  /** The pause before the first repetition; it doubles each time. @default 500 millis */
  readonly initialDelay: Duration.DurationInput
  /** The longest pause of the back-off. @default 30 seconds */
  readonly maxDelay: Duration.DurationInput
  /** The longest `Retry-After` that is waited for; a longer one fails at once. @default 5 minutes */
  readonly maxRetryAfter: Duration.DurationInput
  /** Ambiguous translations that a client may send again before any succeeded. @default 10 */
  readonly ambiguousBudget: number
  /** What each success adds to that budget. @default 0.1 */
  readonly ambiguousBudgetPerSuccess: number
  /** The time-out of an attempt without a payload. @default 30 seconds */
  readonly timeout: Duration.DurationInput
  /** What each thousand characters of the payload add to the time-out. @default 1 second */
  readonly timeoutPerThousandCharacters: Duration.DurationInput
}

const defaultPolicy: Policy = {
  maxAttempts: 6,
  initialDelay: "500 millis",
  maxDelay: "30 seconds",
  maxRetryAfter: "5 minutes",
  ambiguousBudget: 10,
  ambiguousBudgetPerSuccess: 0.1,
  timeout: "30 seconds",
  timeoutPerThousandCharacters: "1 second"
}

/**
 * The policy of the calls below; provide another one around a call, a stream or a layer.
 *
 * @since 0.1.0
 * @category tags
 */
export class RetryPolicy extends Context.Reference<RetryPolicy>()("effect-translate/RetryPolicy", {
  defaultValue: () => defaultPolicy
}) {}

/**
 * The default policy with some changes.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (changes: Partial<Policy>): Policy => ({ ...defaultPolicy, ...changes })

/**
 * The policy that sends nothing again.
 *
 * @since 0.1.0
 * @category constructors
 */
export const none: Policy = make({ maxAttempts: 1 })

/**
 * The time-out of an attempt: it grows with the payload, and with each attempt.
 *
 * @since 0.1.0
 * @category combinators
 */
export const timeoutFor = (policy: Policy, characters: number, attempt: number): Duration.Duration =>
  Duration.millis(
    (Duration.toMillis(policy.timeout) +
      (Duration.toMillis(policy.timeoutPerThousandCharacters) * characters) / 1000) *
      attempt
  )

/**
 * The pause after a failed attempt: max(back-off with jitter, `Retry-After`).
 *
 * @since 0.1.0
 * @category combinators
 */
export const delayAfter = (
  policy: Policy,
  error: TranslateError.TranslateError,
  attempt: number
): Effect.Effect<Duration.Duration> =>
  Effect.map(Random.next, (random) => {
    const ceiling = Math.min(
      Duration.toMillis(policy.initialDelay) * 2 ** (attempt - 1),
      Duration.toMillis(policy.maxDelay)
    )
    return Duration.max(Duration.millis(ceiling * (0.5 + random / 2)), TranslateError.retryAfter(error))
  })
