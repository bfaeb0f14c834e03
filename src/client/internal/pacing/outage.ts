import type * as Cause from "effect/Cause"
import type * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import type { Circuit as CircuitHooks, Retries } from "../../../internal/callHooks.js"
import type * as CircuitBreaker from "../../CircuitBreaker.js"
import * as TranslateError from "../../TranslateError.js"
import type { Call } from "../calling/call.js"

/** The circuit is open. */
export interface Outage extends Retries {
  readonly schedule: CircuitBreaker.Policy["schedule"]
  /** Milliseconds of the clock. */
  readonly since: number
  /** Those that were told of it, by `onOutage`: policies make hooks of their own around it. */
  readonly toldOf: Map<unknown, CircuitHooks>
  error: TranslateError.TranslateError
  failures: number
  /** When the next probe is due, in milliseconds of the clock; `undefined` until the schedule has said. */
  probeAt: number | undefined
  /** Whether the pause before the next probe is over. */
  isProbeDue: boolean
}

/** A call that waits for its turn. */
export interface Waiter {
  readonly call: Call
  readonly hooks: CircuitHooks
  readonly last: TranslateError.TranslateError | undefined
  readonly turn: Deferred.Deferred<boolean, TranslateError.Outage>
  /** Whether the pause of its own is over. */
  isReady: boolean
  /** The tag of the error that it waits for since the circuit has opened. */
  outage: string | undefined
}

/** An outage that was given up, and the row of failures that it was. */
export interface GivenUp {
  readonly outage: Outage
  readonly epoch: number
  /** What the schedule died of. */
  readonly defect?: Cause.Cause<never> | undefined
}

/** Whether an attempt failed for a reason that says nothing of its texts. */
export const isOutage = (call: Call, error: TranslateError.TranslateError): boolean => {
  switch (error._tag) {
    case "TransportError":
    case "ProxyRefused":
      return error.isRetryable
    case "TimedOut":
    case "UndecodableResponse":
      return true
    case "ServerError":
      return error.delivery === "ambiguous" || (error.status === 503 && call.isBusy(error.status))
    default:
      return false
  }
}

/** Whether nothing came for some time, if only to the request for a connection. */
export const isTimeout = (error: TranslateError.TranslateError): boolean =>
  error._tag === "TimedOut" || (error._tag === "TransportError" && /TIMEOUT|TIMEDOUT/.test(error.reason))

/** What a call fails with that does not wait for the end of an outage. */
export const errorOf = (
  call: Call,
  last: TranslateError.TranslateError | undefined,
  { error, failures, since }: Outage,
  now: number
) =>
  new TranslateError.Outage({
    method: call.method,
    path: call.path,
    delivery: last?.delivery ?? "not-sent",
    attempts: call.attempts,
    ambiguousAttempts: last?.ambiguousAttempts ?? 0,
    lastError: TranslateError.describeCause(error),
    failures,
    lasted: Duration.millis(now - since)
  })
