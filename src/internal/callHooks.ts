import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { RetryBackoff } from "./retryBackoff.js"

/** How a bulk operator takes part in the circuit breaker of its client. */
export interface Circuit {
  /** Whether the service has failed with the same texts in an earlier call: that it fails again says nothing new of it. */
  readonly isSuspected?: (() => boolean) | undefined
  /**
   * Calls fail with `Outage` while the circuit is open, instead of waiting for the service; one that comes when a probe is
   * due is the probe. @default false
   */
  readonly failFast?: boolean | undefined
  /** Once this completes, calls that wait while the circuit is open fail with `Outage`. @default never */
  readonly leave?: Effect.Effect<void> | undefined
  /**
   * Runs while a call that has failed waits for another attempt: if that was no fault of its own, its place may be given
   * to another call meanwhile. The wait tells whether no other call is sent until this one has ended; else a place has to
   * be free again.
   */
  readonly parked?:
    | (<E>(wait: Effect.Effect<boolean, E>, isOutage: boolean) => Effect.Effect<void, E>)
    | undefined
  /**
   * Told the tag of the error that calls wait for since the circuit has opened, and each time it is known when the next one is sent, in
   * milliseconds of the clock; nothing once it is closed.
   */
  readonly onOutage?: ((error: string | undefined, retryAt?: number) => void) | undefined
}

/** Told when the request of a call waits, for its turn or for the quota: until then the service has not taken it. */
export interface Waiting {
  readonly begin: Effect.Effect<void>
  /** Runs before the request is sent. If it dies, nothing is sent. */
  readonly end: Effect.Effect<void>
}

/** How far calls are in the schedule by which they are sent again. */
export interface Retries {
  /** `undefined` before the first repetition. */
  backoff: RetryBackoff<unknown> | undefined
  /** The last error that the schedule was to decide about. */
  lastError: unknown
}

/** What callers of calls, such as a stream, add to each of them. */
export interface Hooks {
  /** Asked before a request that may have been billed is sent again. @default it is sent */
  readonly mayRepeat?: Effect.Effect<boolean> | undefined
  /**
   * Asked once a request that the service has failed with may be repeated, unless the service is taken to be down, with the number of its
   * attempts. If it says `true`, the call fails with its error, and its texts are sent in other requests. @default it is repeated
   */
  readonly divide?: ((attempts: number) => boolean) | undefined
  /** Told that a call has begun, which asks `maySend` before it sends anything. */
  readonly begun?: (() => void) | undefined
  /**
   * Asked just before each attempt, with the number of attempts before it that may have been billed. If it says `false`, the
   * attempt is not sent: the call fails with its last error, or is interrupted if it was never sent. @default it is sent
   */
  readonly maySend?: ((ambiguousAttempts: number) => Effect.Effect<boolean>) | undefined
  /**
   * Once this completes, a call that waits for its turn or in a back-off is not sent any more: it fails with its last
   * error, or is interrupted if it was never sent. @default never
   */
  readonly halted?: Effect.Effect<void> | undefined
  /** For calls that are one attempt after another at the same thing. @default each call has its own */
  readonly retries?: Retries | undefined
  /** For calls that are never sent again after an attempt in doubt. @default told nothing */
  readonly waiting?: Waiting | undefined
  /** @default the call takes no part in the circuit breaker */
  readonly circuit?: Circuit | undefined
}

/** The hooks of the calls below. Whoever makes many calls provides them; whoever wraps a call extends them. */
export class CallHooks extends Context.Reference<CallHooks>()("effect-translate/internal/CallHooks", {
  defaultValue: (): Hooks => ({})
}) {}

const both = (first: Hooks["maySend"], second: Hooks["maySend"]): Hooks["maySend"] =>
  first && second
    ? (attempts) =>
        Effect.if(second(attempts), { onTrue: () => first(attempts), onFalse: () => Effect.succeed(false) })
    : (first ?? second)

/**
 * A call with more hooks. An attempt is sent if the hooks that are there allow it too, and what halts them halts the call. Of all other
 * hooks the new one holds. A call that takes no part in a circuit still takes none.
 */
export const extend = <A, E, R>(call: Effect.Effect<A, E, R>, more: Hooks): Effect.Effect<A, E, R> =>
  Effect.flatMap(CallHooks, (hooks) => {
    const { circuit, halted, maySend } = hooks
    return Effect.provideService(call, CallHooks, {
      ...hooks,
      ...more,
      maySend: both(maySend, more.maySend),
      halted: halted && more.halted ? Effect.raceFirst(halted, more.halted) : (more.halted ?? halted),
      circuit: circuit && { ...circuit, ...more.circuit }
    })
  })
