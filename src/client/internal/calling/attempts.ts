import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import { isCollecting } from "../../../internal/tracing.js"
import type * as CircuitBreaker from "../../CircuitBreaker.js"
import type * as ConcurrencyLimit from "../../ConcurrencyLimit.js"
import { asCall, type CallError, type TranslateError } from "../../TranslateError.js"
import { Circuit } from "../pacing/circuit.js"
import * as waitForPermit from "../pacing/waitForPermit.js"
import * as redact from "../redacting/redact.js"
import { Call, CurrentCall, type Definition } from "./call.js"
import * as callSpan from "./callSpan.js"
import * as responseErrors from "./responseErrors.js"
import { type Budgeted, nextPause } from "./sendAgain.js"
import * as Timeouts from "./timeouts.js"

/** The value of a call, how often it was sent, and how many of these attempts were ambiguous. */
export class Delivered<A> {
  constructor(
    readonly value: A,
    readonly attempts: number,
    readonly ambiguousAttempts: number
  ) {}
}

/** The shared state of all calls of a client. */
interface Shared extends waitForPermit.Pacing, Budgeted {
  readonly timeouts: Timeouts.Timeouts
}

/** A redirect would carry the key elsewhere. Of the transports only fetch follows them. */
const noRedirects = { redirect: "manual" } as const

const reportFailure = (circuit: Circuit, call: Call, cause: Cause.Cause<CallError>): Effect.Effect<void> => {
  if (call.circuit === undefined) return Effect.void
  return Option.match(Cause.failureOption(cause), {
    onNone: () => Effect.sync(() => circuit.left(call)),
    onSome: (error) => circuit.failed(call, error)
  })
}

/** Sends a request once. Runs uninterruptibly, except for the restored regions. */
const attempt = <I, A>(
  { circuit, timeouts }: Shared,
  { expect, isTimeoutFixed, send, size }: Definition<I, A>,
  call: Call<I>,
  restore: waitForPermit.Restore
): Effect.Effect<Exit.Exit<A, CallError>> =>
  Effect.flatMap(Scope.make(), (scope) => {
    // Read anew each time: closures of Effect would keep the texts alive after the call has let go of them.
    const input = () => call.input as I
    const attempt = isTimeoutFixed === true ? 1 : call.attempts
    const after = Timeouts.ofAttempt(call.policy, size?.(input()) ?? 0, attempt)
    const close = Scope.close(scope, Exit.void)
    let isTimedOut = false
    call.response = undefined
    const expire = Effect.suspend(() => {
      isTimedOut = true
      return close
    })
    // One copy of the map, where `Context.add` makes one for each service.
    const context = Context.unsafeMake(
      new Map<string, unknown>(call.context.unsafeMap)
        .set(CurrentCall.key, call)
        .set(Scope.Scope.key, scope)
        .set(FetchHttpClient.RequestInit.key, noRedirects)
    ) as Context.Context<never>
    const sent = Effect.locally(
      Effect.suspend(() => send(input(), call)) as Effect.Effect<A, unknown>,
      FiberRef.currentContext,
      context
    )
    const result = (exit: Exit.Exit<A, unknown>): Exit.Exit<A, CallError> => {
      if (Exit.isFailure(exit)) {
        // The status of an error decides, though its body did not come in time.
        const isAnswered = call.isRejected && Option.isSome(Cause.failureOption(exit.cause))
        return isTimedOut && !isAnswered
          ? Exit.fail(responseErrors.timedOut(call, after))
          : Exit.mapError(exit, (error) => responseErrors.requestError(call, error))
      }
      const [expected, received] = expect?.(input(), exit.value) ?? [0, 0]
      return expected === received
        ? Exit.succeed(exit.value)
        : Exit.fail(responseErrors.mismatched(call, expected, received))
    }
    return Effect.flatMap(timeouts.start(Duration.toMillis(after), expire), (stop) =>
      Effect.flatMap(Effect.exit(restore(sent)), (sentExit): Effect.Effect<Exit.Exit<A, CallError>> => {
        stop()
        const exit = result(sentExit)
        if (Exit.isSuccess(exit)) {
          if (call.circuit !== undefined) circuit.answered()
          return Effect.succeed(exit)
        }
        const ended = Effect.zipRight(call.permit!.release, close)
        return Effect.as(Effect.zipRight(ended, reportFailure(circuit, call, exit.cause)), exit)
      })
    )
  })

/** Sends a request until it succeeds, or until another attempt is not worth it. */
const attempts = <I, A>(
  shared: Shared,
  definition: Definition<I, A>,
  call: Call<I>,
  last?: waitForPermit.Failure
): Effect.Effect<Delivered<A>, TranslateError> => {
  const attempted = Effect.uninterruptibleMask((restore) => {
    const { maySend } = call
    const sendNow = (permit: ConcurrencyLimit.Permit) => {
      call.permit = permit
      call.attempts++
      return attempt(shared, definition, call, restore)
    }
    const send =
      maySend === undefined
        ? sendNow
        : (permit: ConcurrencyLimit.Permit) =>
            Effect.flatMap(waitForPermit.askToSend(shared, call, last, maySend, permit, restore), sendNow)
    const wait = () => Effect.flatMap(waitForPermit.wait(shared, call, last, restore), send)
    const mustWait = last !== undefined || (call.circuit !== undefined && shared.circuit.isTroubled)
    return mustWait
      ? wait()
      : Effect.flatMap(shared.concurrencyLimit.takeIfAvailable, Option.match({ onNone: wait, onSome: send }))
  })
  return Effect.flatMap(attempted, (exit): Effect.Effect<Delivered<A>, TranslateError> => {
    if (Exit.isSuccess(exit)) {
      shared.budget.succeeded++
      call.input = undefined
      return Effect.succeed(new Delivered(exit.value, call.attempts, call.ambiguousAttempts))
    }
    const error = Option.getOrUndefined(Cause.failureOption(exit.cause))
    if (error === undefined) return Effect.failCause(exit.cause)
    const retries = last?.retries ?? {}
    return Effect.flatMap(nextPause(shared, definition.resend, call, error, retries), (pause) => {
      if (Option.isNone(pause)) {
        call.input = undefined
        return Effect.fail(error)
      }
      if (error.delivery === "ambiguous") call.ambiguousAttempts++
      return attempts(shared, definition, call, { error, pause: pause.value, retries })
    })
  })
}

/** Makes the calls of a client. */
export const make = (concurrencyLimit: ConcurrencyLimit.Service, breaker: CircuitBreaker.Policy) =>
  Effect.map(Effect.all([Timeouts.make, Effect.scope]), ([timeouts, scope]) => {
    const budget = { repeated: 0, succeeded: 0 }
    const shared: Shared = { concurrencyLimit, timeouts, circuit: new Circuit(scope, breaker), budget }
    return <I, A>(definition: Definition<I, A>) =>
      (input: I): Effect.Effect<Delivered<A>, CallError> =>
        Effect.withFiberRuntime<Delivered<A>, CallError>((fiber) => {
          const hasSpans = fiber.getFiberRef(FiberRef.currentTracerEnabled)
          const delivered =
            hasSpans && isCollecting(Context.unsafeGet(fiber.currentDefaultServices, Tracer.Tracer))
              ? callSpan.withSpan(definition, input, breaker, (call) => attempts(shared, definition, call))
              : attempts(
                  shared,
                  definition,
                  new Call<I>(definition, fiber.getFiberRef(FiberRef.currentContext), input, breaker)
                )
          return asCall<Delivered<A>>(hasSpans ? redact.withoutHiddenHeaders(delivered) : delivered)
        })
  })
