import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { constFalse } from "effect/Function"

/** A bulk operator, as its calls see it. They take part in the circuit of their client. */
export interface Operator {
  /** Asked before a request that may have been billed is sent again. */
  readonly mayRepeat: Effect.Effect<boolean>
  /**
   * Asked once a request that the service has failed with may be repeated, unless the service is taken to be down, with the number of its
   * attempts. If it says `true`, the call fails with its error, and its texts are sent in other requests.
   */
  readonly divide: (attempts: number) => boolean
  /** Returns `true` if the service has failed with the same texts in an earlier call: another failure says nothing new of it. */
  readonly isSuspected: () => boolean
  /**
   * Runs while a call that has failed waits for another attempt: if that was no fault of its own, its place may be given
   * to another call meanwhile. The wait tells whether no other call is sent until this one has ended; else a place has to
   * be free again.
   */
  readonly parked: <E>(wait: Effect.Effect<boolean, E>, isOutage: boolean) => Effect.Effect<void, E>
  /**
   * Told the tag of the error that calls wait for since the circuit has opened, and each time it is known when the next one is sent, in
   * milliseconds of the clock; nothing once it is closed. The circuit knows an operator by this function.
   */
  readonly onOutage: (error: string | undefined, retryAt?: number) => void
}

/** The operator whose calls these are. @default none: each call is by itself, and takes no part in the circuit */
export class BulkCalls extends Context.Reference<BulkCalls>()("effect-translate/internal/BulkCalls", {
  defaultValue: (): Operator | undefined => undefined
}) {}

/** An operator that leaves its calls to the circuit. */
export const plain = (): Operator => ({
  mayRepeat: Effect.succeed(true),
  divide: constFalse,
  isSuspected: constFalse,
  parked: Effect.asVoid,
  onOutage: () => {}
})
