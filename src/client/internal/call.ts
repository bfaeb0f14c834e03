import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as RetryPolicy from "../RetryPolicy.js"
import type * as Throttle from "../Throttle.js"
import * as TranslateError from "../TranslateError.js"

/** What is known of the call that a fiber makes: one for all its attempts. */
export interface Call {
  readonly policy: RetryPolicy.Policy
  readonly method: string
  /** The endpoint's path until the request is made, then the request's own. */
  path: string
  attempts: number
  ambiguousAttempts: number
  /** Hands the permit of the gate back: done once the headers are there. */
  release: Effect.Effect<void>
  /** Status and trace id of the last answer. */
  status: number
  traceId: string | undefined
}

export class CurrentCall extends Context.Tag("effect-translate/internal/CurrentCall")<CurrentCall, Call>() {}

/** The fields that every error shares; an ambiguous attempt counts itself. */
export const fields = (call: Call, delivery: TranslateError.Delivery) => ({
  method: call.method,
  path: call.path,
  delivery,
  attempts: call.attempts,
  ambiguousAttempts: call.ambiguousAttempts + (delivery === "ambiguous" ? 1 : 0)
})

/**
 * What may be sent again when the service may have carried it out: reads freely, translations within the budget,
 * creations never.
 */
export type Repetition = "free" | "budgeted" | "never"

/** Ambiguous repetitions and successes of one client. */
interface Budget {
  repeated: number
  succeeded: number
}

const mayRepeat = (policy: RetryPolicy.Policy, budget: Budget, repetition: Repetition): boolean => {
  if (repetition !== "budgeted") return repetition === "free"
  if (budget.repeated >= policy.ambiguousBudget + policy.ambiguousBudgetPerSuccess * budget.succeeded)
    return false
  budget.repeated++
  return true
}

const isWorthAnother = (
  call: Call,
  budget: Budget,
  repetition: Repetition,
  error: TranslateError.TranslateError
): boolean =>
  TranslateError.isRetryable(error) &&
  call.attempts < call.policy.maxAttempts &&
  Duration.lessThanOrEqualTo(TranslateError.retryAfter(error), call.policy.maxRetryAfter) &&
  (error.delivery !== "ambiguous" || mayRepeat(call.policy, budget, repetition))

/** A call's value, with how often it was sent and how many of these attempts were ambiguous. */
export interface Delivered<A> {
  readonly value: A
  readonly attempts: number
  readonly ambiguousAttempts: number
}

/** Makes calls: attempts until one succeeds or another is not worth it. */
export const make =
  (throttle: Throttle.Service, budget: Budget = { repeated: 0, succeeded: 0 }) =>
  <A>(
    options: {
      readonly endpoint: { readonly method: string; readonly path: string }
      readonly repetition: Repetition
      /** The size of the payload in characters. */
      readonly size: number
    },
    attempt: (call: Call) => Effect.Effect<A, TranslateError.TranslateError, CurrentCall>
  ): Effect.Effect<Delivered<A>, TranslateError.TranslateError> =>
    Effect.flatMap(RetryPolicy.RetryPolicy, (policy) => {
      const call: Call = {
        policy,
        method: options.endpoint.method,
        path: options.endpoint.path,
        attempts: 0,
        ambiguousAttempts: 0,
        release: Effect.void,
        status: 0,
        traceId: undefined
      }
      const once = Effect.provideService(attempt(call), CurrentCall, call)
      const inTime = throttle.withPermit((release) => {
        call.release = release
        const after = RetryPolicy.timeoutFor(policy, options.size, call.attempts)
        return Effect.timeoutFail(once, {
          duration: after,
          onTimeout: () => new TranslateError.TimedOut({ ...fields(call, "ambiguous"), after })
        })
      })
      const loop: Effect.Effect<Delivered<A>, TranslateError.TranslateError> = Effect.suspend(() => {
        call.attempts++
        return Effect.matchEffect(inTime, {
          onSuccess: (value) => {
            budget.succeeded++
            return Effect.succeed({
              value,
              attempts: call.attempts,
              ambiguousAttempts: call.ambiguousAttempts
            })
          },
          onFailure: (error) => {
            if (!isWorthAnother(call, budget, options.repetition, error)) return Effect.fail(error)
            if (error.delivery === "ambiguous") call.ambiguousAttempts++
            return Effect.flatMap(RetryPolicy.delayAfter(policy, error, call.attempts), (delay) =>
              Effect.zipRight(Effect.sleep(delay), loop)
            )
          }
        })
      })
      return loop
    })
