import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { Halted } from "../../../internal/halted.js"
import type { Retries } from "../../../internal/retryBackoff.js"
import type { MaySend } from "../../../internal/sendGate.js"
import { UploadWaiting } from "../../../internal/uploadWaiting.js"
import type * as ConcurrencyLimit from "../../ConcurrencyLimit.js"
import type { CallError, TranslateError } from "../../TranslateError.js"
import type { Call } from "../calling/call.js"
import type { Circuit } from "./circuit.js"
import { isOutage } from "./outage.js"

/** The limit and the circuit that attempts of a client wait for. */
export interface Pacing {
  readonly concurrencyLimit: ConcurrencyLimit.Service
  readonly circuit: Circuit
}

export type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Waits for a permit until `halted` completes. A permit that is given at that moment is handed back. */
const permitUntil = <E>(
  halted: Effect.Effect<void>,
  take: Effect.Effect<ConcurrencyLimit.Permit, E>,
  restore: Restore
): Effect.Effect<Option.Option<ConcurrencyLimit.Permit>, E> =>
  Effect.suspend(() => {
    let permit: ConcurrencyLimit.Permit | undefined
    const taken = Effect.map(take, (given) => {
      permit = given
      return true
    })
    const race = Effect.raceFirst(
      Effect.uninterruptible(taken),
      Effect.as(Effect.interruptible(halted), false)
    )
    return Effect.flatMap(Effect.exit(restore(race)), (exit) =>
      Exit.isSuccess(exit) && exit.value
        ? Effect.succeed(Option.fromNullable(permit))
        : Effect.zipRight(permit?.release ?? Effect.void, Effect.as(exit, Option.none()))
    )
  })

/** A failed attempt, the pause after it in milliseconds, and the progress of its call in the schedule. */
export interface Failure {
  readonly error: CallError
  readonly retries: Retries
  readonly pause: number
}

/** Waits for the back-off after an error, and for the call's turn if the service seems to be down. */
const waitForTurn = (
  { circuit }: Pacing,
  call: Call,
  last: Failure | undefined,
  restore: Restore
): Effect.Effect<unknown, TranslateError> => {
  const operator = call.circuit
  const { error, pause = 0 } = last ?? {}
  if (operator === undefined) return restore(Effect.sleep(pause))
  const turn = restore(circuit.turn(call, operator, pause, error))
  return error === undefined ? turn : operator.parked(turn, isOutage(call, error))
}

/**
 * Waits for the call's turn, and for a permit. If the call is halted meanwhile, it fails with its last error, or is
 * interrupted if there is none.
 */
export const wait = (
  shared: Pacing,
  call: Call,
  last: Failure | undefined,
  restore: Restore
): Effect.Effect<ConcurrencyLimit.Permit, TranslateError> => {
  const halted = Context.get(call.context, Halted)
  const take = (
    restore: Restore,
    last: Failure | undefined
  ): Effect.Effect<ConcurrencyLimit.Permit, TranslateError> =>
    Effect.flatMap(
      Effect.zipRight(waitForTurn(shared, call, last, restore), shared.concurrencyLimit.take),
      (permit) =>
        call.circuit !== undefined && shared.circuit.holdsBack(call)
          ? Effect.zipRight(permit.release, take(restore, last && { ...last, pause: 0 }))
          : Effect.succeed(permit)
    )
  const left = Effect.sync(() => shared.circuit.left(call))
  const permit =
    halted === undefined
      ? take(restore, last)
      : Effect.flatMap(permitUntil(halted, take(Effect.interruptible, last), restore), (permit) => {
          if (Option.isSome(permit)) return Effect.succeed(permit.value)
          return last === undefined ? Effect.interrupt : Effect.fail(last.error)
        })
  return Effect.onError(Effect.zipRight(Context.get(call.context, UploadWaiting), permit), () => left)
}

/** Asks `maySend`, once a call has its permit. If not, it ends with its last error, or is interrupted if there is none. */
export const askToSend = (
  { circuit }: Pacing,
  call: Call,
  last: Failure | undefined,
  maySend: MaySend,
  permit: ConcurrencyLimit.Permit,
  restore: Restore
): Effect.Effect<ConcurrencyLimit.Permit, TranslateError> =>
  Effect.flatMap(
    restore(maySend(call.ambiguousAttempts)),
    (isAllowed): Effect.Effect<ConcurrencyLimit.Permit, TranslateError> => {
      if (isAllowed) return Effect.succeed(permit)
      return last === undefined ? Effect.interrupt : Effect.fail(last.error)
    }
  ).pipe(
    Effect.onError(() =>
      Effect.zipRight(
        permit.release,
        Effect.sync(() => circuit.left(call))
      )
    )
  )
