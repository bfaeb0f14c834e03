import type * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import type * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { Operator } from "../../../internal/bulkCalls.js"
import type { Retries } from "../../../internal/retryBackoff.js"
import type * as CircuitBreaker from "../../CircuitBreaker.js"
import * as TranslateError from "../../TranslateError.js"
import type { Call } from "../calling/call.js"

/** The ends of waiting for a call that another client may answer during an outage. */
export interface Leaving {
  /** It fails with `Outage` while the circuit is open, instead of waiting; one that comes when a probe is due is the probe. */
  readonly atOnce: boolean
  /** Once this completes, it fails with `Outage` if the circuit is open. @default never */
  readonly when: Effect.Effect<void> | undefined
}

/** The ends of waiting for the calls of a policy with several clients. @default the end of the outage alone */
export class OutageLeaving extends Context.Reference<OutageLeaving>()(
  "effect-translate/internal/OutageLeaving",
  { defaultValue: (): Leaving => ({ atOnce: false, when: undefined }) }
) {}

/** The circuit is open. */
export interface Outage extends Retries {
  readonly schedule: CircuitBreaker.Policy["schedule"]
  /** Milliseconds of the clock. */
  readonly since: number
  /** The operators that were told of it. */
  readonly told: Set<Operator["onOutage"]>
  error: TranslateError.CallError
  failures: number
  /** When the next probe is due, in milliseconds of the clock; `undefined` until the schedule has said. */
  probeAt: number | undefined
  /** True if the pause before the next probe is over. */
  isProbeDue: boolean
}

/** A call that waits for its turn. */
export interface Waiter {
  readonly call: Call
  readonly onOutage: Operator["onOutage"]
  readonly leaving: Leaving
  readonly last: TranslateError.CallError | undefined
  readonly turn: Deferred.Deferred<boolean, TranslateError.Outage>
  /** True if the pause of its own is over. */
  isReady: boolean
  /** The tag of the error that it waits for since the circuit has opened. */
  outage: string | undefined
}

/** An outage that was given up, and the row of failures that it was. */
export interface GivenUp {
  readonly outage: Outage
  readonly epoch: number
  /** The defect of the schedule. */
  readonly defect?: Cause.Cause<never> | undefined
}

/** True if an attempt failed for a reason that says nothing of its texts. */
export const isOutage = (call: Call, error: TranslateError.CallError): boolean => {
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

/** True if nothing came for some time, if only to the request for a connection. */
export const isTimeout = (error: TranslateError.CallError): boolean =>
  error._tag === "TimedOut" || (error._tag === "TransportError" && /TIMEOUT|TIMEDOUT/.test(error.reason))

/** The tag of an error, with its status or the transport's name for it. */
const describeCause = (error: TranslateError.CallError): string => {
  if (error._tag === "TransportError") return `TransportError (${error.reason})`
  return "status" in error ? `${error._tag} (status ${error.status})` : error._tag
}

/** The error of a call that does not wait for the end of an outage. */
export const errorOf = (
  call: Call,
  last: TranslateError.CallError | undefined,
  { error, failures, since }: Outage,
  now: number
) =>
  new TranslateError.Outage({
    method: call.method,
    path: call.path,
    delivery: last?.delivery ?? "not-sent",
    attempts: call.attempts,
    ambiguousAttempts: last?.ambiguousAttempts ?? 0,
    lastError: describeCause(error),
    failures,
    lasted: Duration.millis(now - since)
  })
