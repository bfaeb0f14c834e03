import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type * as HttpBody from "@effect/platform/HttpBody"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import * as Scope from "effect/Scope"
import * as RetryPolicy from "../RetryPolicy.js"
import type * as Throttle from "../Throttle.js"
import * as TranslateError from "../TranslateError.js"
import * as Deadlines from "./deadlines.js"

/** What is known of the call that a fiber makes: one for all its attempts. */
export interface Call {
  readonly policy: RetryPolicy.Policy
  readonly method: string
  /** The statuses by which this endpoint refuses one request too many. */
  readonly busy: ReadonlyArray<number>
  /** The endpoint's path until the request is made, then the request's own. */
  path: string
  attempts: number
  ambiguousAttempts: number
  /** The permit of this attempt: handed back once the headers are there. */
  permit: Throttle.Permit | undefined
  /** The last answer; its headers are read only for an error, since reading them copies them. */
  response: HttpClientResponse.HttpClientResponse | undefined
  /** What is sent instead of the body that the contract makes. */
  body: HttpBody.HttpBody | undefined
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

const mayRepeat = (
  { ambiguousBudget, ambiguousBudgetPerSuccess, mayRepeat = Effect.succeed(true) }: RetryPolicy.Policy,
  budget: Budget,
  repetition: Repetition
): Effect.Effect<boolean> => {
  if (repetition !== "budgeted") return Effect.succeed(repetition === "free")
  if (budget.repeated >= ambiguousBudget + ambiguousBudgetPerSuccess * budget.succeeded)
    return Effect.succeed(false)
  budget.repeated++
  return mayRepeat
}

const isWorthAnother = (
  call: Call,
  budget: Budget,
  repetition: Repetition,
  error: TranslateError.TranslateError
): Effect.Effect<boolean> => {
  const isFinal = "status" in error && error.delivery === "rejected" && !call.busy.includes(error.status)
  const isWorth =
    !isFinal &&
    TranslateError.isRetryable(error) &&
    call.attempts < call.policy.maxAttempts &&
    Duration.lessThanOrEqualTo(TranslateError.retryAfter(error), call.policy.maxRetryAfter)
  return isWorth && error.delivery === "ambiguous"
    ? mayRepeat(call.policy, budget, repetition)
    : Effect.succeed(isWorth)
}

/** A call's value, with how often it was sent and how many of these attempts were ambiguous. */
export interface Delivered<A> {
  readonly value: A
  readonly attempts: number
  readonly ambiguousAttempts: number
}

/** What all calls of a client share. */
export interface Shared {
  readonly throttle: Throttle.Service
  readonly deadlines: Deadlines.Deadlines
  readonly budget: Budget
}

export const makeShared = (throttle: Throttle.Service): Effect.Effect<Shared, never, Scope.Scope> =>
  Effect.map(Deadlines.make, (deadlines) => ({ throttle, deadlines, budget: { repeated: 0, succeeded: 0 } }))

/** The statuses by which the service refuses one request too many. */
const busy = [429, 503, 529]

export interface Options<A> {
  readonly endpoint: { readonly method: string; readonly path: string }
  readonly repetition: Repetition
  /** The size of the payload in characters. */
  readonly size: number
  /** The statuses by which the endpoint refuses one request too many; no other rejection is sent again. */
  readonly busy?: ReadonlyArray<number> | undefined
  /** Sends the request once and reads the answer. The scope closes if it fails or takes too long, and cuts the connection. */
  readonly attempt: (call: Call) => Effect.Effect<A, TranslateError.TranslateError, CurrentCall | Scope.Scope>
}

/** A redirect would carry the key elsewhere; of the transports only fetch follows them. */
const noRedirects = { redirect: "manual" } as const

/** One copy of the map instead of one for each service. */
const contextOf = (outer: Context.Context<never>, call: Call, scope: Scope.Scope): Context.Context<never> =>
  Context.unsafeMake(
    new Map<string, unknown>(outer.unsafeMap)
      .set(CurrentCall.key, call)
      .set(Scope.Scope.key, scope)
      .set(FetchHttpClient.RequestInit.key, noRedirects)
  )

const attempt = <A>(
  shared: Shared,
  options: Options<A>,
  call: Call
): Effect.Effect<A, TranslateError.TranslateError> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(shared.throttle.take, (permit) =>
      Effect.flatMap(Scope.make(), (scope) =>
        Effect.contextWithEffect((outer: Context.Context<never>) => {
          const after = RetryPolicy.timeoutFor(call.policy, options.size, call.attempts)
          const close = Scope.close(scope, Exit.void)
          let timedOut = false
          const expire = Effect.suspend(() => {
            timedOut = true
            return close
          })
          call.permit = permit
          // Where nothing interrupts, two steps do what `Effect.provide` takes fifteen for.
          const enter = FiberRef.set(FiberRef.currentContext, contextOf(outer, call, scope))
          const leave = FiberRef.set(FiberRef.currentContext, outer)
          const sent = restore(options.attempt(call) as Effect.Effect<A, TranslateError.TranslateError>)
          return Effect.flatMap(shared.deadlines.start(Duration.toMillis(after), expire), (stop) =>
            Effect.matchCauseEffect(Effect.zipRight(enter, sent), {
              onSuccess: (value) => {
                stop()
                return Effect.as(leave, value)
              },
              onFailure: (cause) => {
                stop()
                const failure = timedOut
                  ? Effect.fail(new TranslateError.TimedOut({ ...fields(call, "ambiguous"), after }))
                  : Effect.failCause(cause)
                return leave.pipe(
                  Effect.zipRight(permit.release),
                  Effect.zipRight(close),
                  Effect.zipRight(failure)
                )
              }
            })
          )
        })
      )
    )
  )

/** Whether the back-off was cut short. */
const sleep = (delay: Duration.Duration, halted: Effect.Effect<void> | undefined): Effect.Effect<boolean> => {
  const slept = Effect.as(Effect.sleep(delay), false)
  return halted === undefined ? slept : Effect.raceFirst(slept, Effect.as(halted, true))
}

/** Makes a call: attempts until one succeeds or another is not worth it. */
export const make = <A>(
  shared: Shared,
  options: Options<A>
): Effect.Effect<Delivered<A>, TranslateError.TranslateError> =>
  Effect.flatMap(RetryPolicy.RetryPolicy, (policy) => {
    const call: Call = {
      policy,
      method: options.endpoint.method,
      busy: options.busy ?? busy,
      path: options.endpoint.path,
      attempts: 0,
      ambiguousAttempts: 0,
      permit: undefined,
      response: undefined,
      body: undefined
    }
    let last: TranslateError.TranslateError | undefined
    const again = (error: TranslateError.TranslateError) =>
      Effect.flatMap(isWorthAnother(call, shared.budget, options.repetition, error), (isWorth) => {
        if (!isWorth) return Effect.fail(error)
        if (error.delivery === "ambiguous") call.ambiguousAttempts++
        last = error
        return Effect.flatMap(RetryPolicy.delayAfter(policy, error, call.attempts), (delay) =>
          Effect.flatMap(sleep(delay, policy.halted), (isHalted) => (isHalted ? Effect.fail(error) : loop))
        )
      })
    const loop: Effect.Effect<Delivered<A>, TranslateError.TranslateError> = Effect.suspend(() => {
      call.attempts++
      return Effect.matchCauseEffect(attempt(shared, options, call), {
        onSuccess: (value) => {
          shared.budget.succeeded++
          return Effect.succeed({ value, attempts: call.attempts, ambiguousAttempts: call.ambiguousAttempts })
        },
        onFailure: (cause) =>
          Either.match(Cause.failureOrCause(cause), {
            onLeft: again,
            // Halted while it waited for its turn.
            onRight: (cause) =>
              last !== undefined && Cause.isInterruptedOnly(cause)
                ? Effect.fail(last)
                : Effect.failCause(cause)
          })
      })
    })
    return loop
  })
