import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type { HttpApiEndpoint } from "@effect/platform/HttpApiEndpoint"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import {
  CallHooks,
  type Circuit as CircuitHooks,
  type Hooks,
  type Retries
} from "../../../internal/callHooks.js"
import * as CircuitBreaker from "../../CircuitBreaker.js"
import type * as ConcurrencyLimit from "../../ConcurrencyLimit.js"
import * as CustomTag from "../../CustomTag.js"
import * as RetryPolicy from "../../RetryPolicy.js"
import type { TranslateError } from "../../TranslateError.js"
import { Circuit } from "../pacing/circuit.js"
import * as waitForPermit from "../pacing/waitForPermit.js"
import * as redact from "../redacting/redact.js"
import { busyStatuses } from "./errorTable.js"
import * as responseErrors from "./responseErrors.js"
import { nextPause } from "./sendAgain.js"
import * as Timeouts from "./timeouts.js"
import type { Quotable } from "./uploads.js"

/** One call of an endpoint: what its attempts share. */
export class Call<I = unknown> implements Retries {
  attempts = 0
  ambiguousAttempts = 0
  /** The permit of this attempt: handed back once the headers are there. */
  permit: ConcurrencyLimit.Permit | undefined = undefined
  /** The last response. Its headers are read only for an error, since reading them copies them. */
  response: HttpClientResponse.HttpClientResponse | undefined = undefined
  backoff: Retries["backoff"] = undefined
  lastError: unknown = undefined
  /** During which row of failures of the circuit the call failed first. */
  failedIn: number | undefined = undefined
  /** The document of the call, which messages of the service must not repeat. */
  document: Quotable | undefined = undefined
  /** The path of the endpoint, and once a request is made, that of the request. */
  path: string
  readonly policy: RetryPolicy.Policy
  readonly breaker: CircuitBreaker.Policy
  readonly hooks: Hooks
  /** How the call takes part in the circuit; it does not under a policy that never opens one. */
  readonly circuit: CircuitHooks | undefined
  readonly customTag: CustomTag.Tag | undefined

  constructor(
    readonly settings: Settings,
    readonly context: Context.Context<never>,
    /** Dropped at the end: closures of Effect keep the call alive until V8's next full collection. */
    public input: I | undefined
  ) {
    this.path = settings.endpoint.path
    this.policy = Context.get(context, RetryPolicy.RetryPolicy)
    this.breaker = Context.get(context, CircuitBreaker.CircuitBreaker)
    this.hooks = Context.get(context, CallHooks)
    this.hooks.begun?.()
    this.circuit = this.breaker.failures === Number.POSITIVE_INFINITY ? undefined : this.hooks.circuit
    this.customTag = Context.get(context, CustomTag.CustomTag)
  }

  get method(): string {
    return this.settings.endpoint.method
  }

  /** Whether the last response is an error. */
  get isRejected(): boolean {
    const { status = 200 } = this.response ?? {}
    return status < 200 || status >= 300
  }

  /** Whether the service refuses one request too many by a status. */
  isBusy(status: number): boolean {
    return (this.settings.busy ?? busyStatuses).includes(status)
  }
}

export class CurrentCall extends Context.Tag("effect-translate/internal/CurrentCall")<CurrentCall, Call>() {}

/**
 * Whether a request that the service may have carried out is sent again: reads always, translations within the budget
 * of the policy, creations never.
 */
export type Resend = "always" | "budgeted" | "never"

export interface Endpoint extends Pick<HttpApiEndpoint.AnyWithProps, "method" | "path" | "annotations"> {}

export interface Checks<I, A> {
  /** The size of the payload in characters: the time-out grows with it. */
  readonly size?: ((input: I) => number) | undefined
  /** How many items the answer must hold, and how many it holds. */
  readonly expect?: ((input: I, value: A) => readonly [expected: number, received: number]) | undefined
}

interface Settings {
  readonly endpoint: Endpoint
  readonly resend: Resend
  /** The statuses by which the endpoint refuses one request too many. No other rejection is sent again. */
  readonly busy?: ReadonlyArray<number> | undefined
  /** Every attempt has the same time-out, where else it grows from one to the next. */
  readonly isTimeoutFixed?: boolean | undefined
  /** The most bytes that a body may hold. */
  readonly bodyLimit?: number | undefined
}

export interface Definition<I, A> extends Settings, Checks<I, A> {
  /** Sends the request once and reads the answer. The scope closes if that fails or times out, and cuts the connection. */
  readonly send: (input: I, call: Call) => Effect.Effect<A, unknown, CurrentCall | Scope.Scope>
}

/** The value of a call, how often it was sent, and how many of these attempts were ambiguous. */
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
  readonly timeouts: Timeouts.Timeouts
  readonly circuit: Circuit
  /** Ambiguous attempts that were repeated, and successes. */
  readonly budget: { repeated: number; succeeded: number }
}

export type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** A redirect would carry the key elsewhere. Of the transports only fetch follows them. */
const noRedirects = { redirect: "manual" } as const

const reportFailure = (
  circuit: Circuit,
  call: Call,
  cause: Cause.Cause<TranslateError>
): Effect.Effect<void> => {
  if (call.circuit === undefined) return Effect.void
  return Option.match(Cause.failureOption(cause), {
    onNone: () => Effect.sync(() => circuit.left(call)),
    onSome: (error) => circuit.failed(call, error)
  })
}

/** Sends a request once. Runs uninterruptibly, except for what it restores. */
const attempt = <I, A>(
  { circuit, timeouts }: Shared,
  { expect, isTimeoutFixed, send, size }: Definition<I, A>,
  call: Call<I>,
  restore: Restore
): Effect.Effect<Exit.Exit<A, TranslateError>> =>
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
    const result = (exit: Exit.Exit<A, unknown>): Exit.Exit<A, TranslateError> => {
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
      Effect.flatMap(Effect.exit(restore(sent)), (sentExit): Effect.Effect<Exit.Exit<A, TranslateError>> => {
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
    const { maySend } = call.hooks
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
    return Effect.flatMap(nextPause(shared, definition.resend, call, error), (pause) => {
      if (Option.isNone(pause)) {
        call.input = undefined
        return Effect.fail(error)
      }
      if (error.delivery === "ambiguous") call.ambiguousAttempts++
      return attempts(shared, definition, call, { error, pause: pause.value })
    })
  })
}

/** How the calls of a client are made. */
export const make = (concurrencyLimit: ConcurrencyLimit.Service) =>
  Effect.map(Effect.all([Timeouts.make, Effect.scope]), ([timeouts, scope]) => {
    const budget = { repeated: 0, succeeded: 0 }
    const shared: Shared = { concurrencyLimit, timeouts, circuit: new Circuit(scope), budget }
    return <I, A>(definition: Definition<I, A>) =>
      (input: I): Effect.Effect<Delivered<A>, TranslateError> =>
        Effect.withFiberRuntime<Delivered<A>, TranslateError>((fiber) => {
          const context = fiber.getFiberRef(FiberRef.currentContext)
          const delivered = attempts(shared, definition, new Call<I>(definition, context, input))
          return fiber.getFiberRef(FiberRef.currentTracerEnabled)
            ? redact.withoutHiddenHeaders(delivered)
            : delivered
        })
  })
