import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { Hooks } from "../../../internal/callHooks.js"
import type * as ConcurrencyLimit from "../../ConcurrencyLimit.js"
import type { TranslateError } from "../../TranslateError.js"
import type { Call, Restore, Shared } from "../calling/call.js"
import { isOutage } from "./outage.js"

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

/** A failed attempt, and the pause after it in milliseconds. */
export interface Failure {
  readonly error: TranslateError
  readonly pause: number
}

/** Waits for the back-off after an error, and for the call's turn if the service seems to be down. */
const waitForTurn = (
  { circuit }: Shared,
  call: Call,
  last: Failure | undefined,
  restore: Restore
): Effect.Effect<unknown, TranslateError> => {
  const hooks = call.circuit
  const { error, pause = 0 } = last ?? {}
  if (hooks === undefined) return restore(Effect.sleep(pause))
  const turn = restore(circuit.turn(call, hooks, pause, error))
  return error === undefined || hooks.parked === undefined ? turn : hooks.parked(turn, isOutage(call, error))
}

/**
 * Waits for the call's turn, and for a permit. If the call is halted meanwhile, it fails with its last error, or is
 * interrupted if there is none.
 */
export const wait = (
  shared: Shared,
  call: Call,
  last: Failure | undefined,
  restore: Restore
): Effect.Effect<ConcurrencyLimit.Permit, TranslateError> => {
  const { halted, waiting } = call.hooks
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
  const told =
    waiting === undefined
      ? permit
      : Effect.tap(Effect.zipRight(waiting.begin, permit), (permit) =>
          Effect.onError(waiting.end, () => permit.release)
        )
  return Effect.onError(told, () => left)
}

/** Asks whether a call may be sent, once it has its permit. If not, it ends with its last error, or is interrupted if there is none. */
export const askToSend = (
  { circuit }: Shared,
  call: Call,
  last: Failure | undefined,
  maySend: NonNullable<Hooks["maySend"]>,
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
