import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import * as Scope from "effect/Scope"
import { CallHooks, type Hooks } from "../../internal/callHooks.js"
import type * as ConcurrencyLimit from "../ConcurrencyLimit.js"
import * as RetryPolicy from "../RetryPolicy.js"
import * as TranslateError from "../TranslateError.js"
import * as Deadlines from "./deadlines.js"

/** What is known of the call that a fiber makes: one for all its attempts. */
export class Call<I = unknown> {
  attempts = 0
  ambiguousAttempts = 0
  /** The permit of this attempt: handed back once the headers are there. */
  permit: ConcurrencyLimit.Permit | undefined = undefined
  /** The last answer; its headers are read only for an error, since reading them copies them. */
  response: HttpClientResponse.HttpClientResponse | undefined = undefined
  /** What is sent instead of the request that the contract makes. */
  amend: ((request: HttpClientRequest.HttpClientRequest) => HttpClientRequest.HttpClientRequest) | undefined =
    undefined

  constructor(
    readonly policy: RetryPolicy.Policy,
    readonly hooks: Hooks,
    readonly method: string,
    /** The endpoint's path until the request is made, then the request's own. */
    public path: string,
    /** The statuses by which this endpoint refuses one request too many. */
    readonly busy: ReadonlyArray<number>,
    /** The size of the payload in characters: it stretches the time-out. */
    readonly size: number,
    /** What is asked for, until it is answered: closures of Effect keep the call alive until V8's next full collection. */
    public input: I | undefined
  ) {}
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
  { ambiguousBudget, ambiguousBudgetPerSuccess }: RetryPolicy.Policy,
  { mayRepeat = Effect.succeed(true) }: Hooks,
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
    ? mayRepeat(call.policy, call.hooks, budget, repetition)
    : Effect.succeed(isWorth)
}

/** A call's value, with how often it was sent and how many of these attempts were ambiguous. */
export class Delivered<A> {
  constructor(
    readonly value: A,
    readonly attempts: number,
    readonly ambiguousAttempts: number
  ) {}
}

/** What all calls of a client share. */
export interface Shared {
  readonly concurrencyLimit: ConcurrencyLimit.Service
  readonly deadlines: Deadlines.Deadlines
  readonly budget: Budget
}

export const makeShared = (
  concurrencyLimit: ConcurrencyLimit.Service
): Effect.Effect<Shared, never, Scope.Scope> =>
  Effect.map(Deadlines.make, (deadlines) => ({
    concurrencyLimit,
    deadlines,
    budget: { repeated: 0, succeeded: 0 }
  }))

/** The statuses by which the service refuses one request too many. */
const busy = [429, 503, 529]

/** What all calls of an endpoint share. */
export interface Definition<I, A> {
  readonly endpoint: { readonly method: string; readonly path: string }
  readonly repetition: Repetition
  /** The statuses by which the endpoint refuses one request too many; no other rejection is sent again. */
  readonly busy?: ReadonlyArray<number> | undefined
  /** The size of the payload in characters. */
  readonly size?: ((input: I) => number) | undefined
  /** Sends the request once and reads the answer. The scope closes if it fails or takes too long, and cuts the connection. */
  readonly send: (input: I) => Effect.Effect<A, unknown, CurrentCall | Scope.Scope>
  /** What `send` fails with, as the caller sees it. */
  readonly failure: (call: Call, error: unknown) => TranslateError.TranslateError
  /** What is wrong with an answer. */
  readonly check?: ((call: Call, input: I, value: A) => TranslateError.TranslateError | undefined) | undefined
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

const attempt = <I, A>(
  shared: Shared,
  definition: Definition<I, A>,
  call: Call<I>
): Effect.Effect<A, TranslateError.TranslateError> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(shared.concurrencyLimit.take, (permit) =>
      Effect.flatMap(Scope.make(), (scope) =>
        Effect.contextWithEffect((outer: Context.Context<never>) => {
          const after = RetryPolicy.timeoutFor(call.policy, call.size, call.attempts)
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
          const sent = restore(
            Effect.suspend(() => definition.send(call.input as I)) as Effect.Effect<A, unknown>
          )
          const failed = (failure: Cause.Cause<TranslateError.TranslateError>) =>
            leave.pipe(
              Effect.zipRight(permit.release),
              Effect.zipRight(close),
              Effect.zipRight(Effect.failCause(failure))
            )
          return Effect.flatMap(shared.deadlines.start(Duration.toMillis(after), expire), (stop) =>
            Effect.flatMap(Effect.exit(Effect.zipRight(enter, sent)), (exit) => {
              stop()
              if (Exit.isSuccess(exit)) {
                const wrong = definition.check?.(call, call.input as I, exit.value)
                return wrong === undefined ? Effect.as(leave, exit.value) : failed(Cause.fail(wrong))
              }
              return failed(
                timedOut
                  ? Cause.fail(new TranslateError.TimedOut({ ...fields(call, "ambiguous"), after }))
                  : Cause.map(exit.cause, (error) => definition.failure(call, error))
              )
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

/** Makes calls: attempts until one succeeds or another is not worth it. */
export const make =
  <I, A>(shared: Shared, definition: Definition<I, A>) =>
  (input: I): Effect.Effect<Delivered<A>, TranslateError.TranslateError> =>
    Effect.contextWithEffect((context: Context.Context<never>) => {
      const policy = Context.get(context, RetryPolicy.RetryPolicy)
      const hooks = Context.get(context, CallHooks)
      const { method, path } = definition.endpoint
      const size = definition.size?.(input) ?? 0
      const call = new Call(
        policy,
        hooks,
        method,
        path,
        definition.busy ?? busy,
        size,
        input as I | undefined
      )
      let last: TranslateError.TranslateError | undefined
      const again = (error: TranslateError.TranslateError) =>
        Effect.flatMap(isWorthAnother(call, shared.budget, definition.repetition, error), (isWorth) => {
          if (!isWorth) return Effect.fail(error)
          if (error.delivery === "ambiguous") call.ambiguousAttempts++
          last = error
          return Effect.flatMap(RetryPolicy.delayAfter(policy, error, call.attempts), (delay) =>
            Effect.flatMap(sleep(delay, hooks.halted), (isHalted) => (isHalted ? Effect.fail(error) : loop))
          )
        })
      const loop: Effect.Effect<Delivered<A>, TranslateError.TranslateError> = Effect.suspend(() => {
        call.attempts++
        return Effect.flatMap(Effect.exit(attempt(shared, definition, call)), (exit) => {
          if (Exit.isSuccess(exit)) {
            shared.budget.succeeded++
            call.input = undefined
            return Effect.succeed(new Delivered(exit.value, call.attempts, call.ambiguousAttempts))
          }
          return Either.match(Cause.failureOrCause(exit.cause), {
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
