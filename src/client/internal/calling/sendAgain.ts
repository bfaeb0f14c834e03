import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Retries } from "../../../internal/retryBackoff.js"
import * as RetryPolicy from "../../RetryPolicy.js"
import type { CallError } from "../../TranslateError.js"
import type { Circuit } from "../pacing/circuit.js"
import type { Call, Resend } from "./call.js"
import { tooEarly } from "./errorTable.js"

export interface Budgeted {
  readonly circuit: Circuit
  /** Ambiguous attempts that were repeated, and successes. */
  readonly budget: { repeated: number; succeeded: number }
}

const isRepeatable = (
  { policy: { ambiguousBudget, ambiguousBudgetPerSuccess }, operator }: Call,
  { budget }: Budgeted,
  resend: Resend
): Effect.Effect<boolean> => {
  if (resend !== "budgeted") return Effect.succeed(resend === "always")
  if (budget.repeated >= ambiguousBudget + ambiguousBudgetPerSuccess * budget.succeeded)
    return Effect.succeed(false)
  return Effect.map(operator?.mayRepeat ?? Effect.succeed(true), (isAllowed) => {
    if (isAllowed) budget.repeated++
    return isAllowed
  })
}

/** The pause before another attempt; none if another one is not worth it. */
export const nextPause = (
  shared: Budgeted,
  resend: Resend,
  call: Call,
  error: CallError,
  retries: Retries
): Effect.Effect<Option.Option<number>> => {
  const isFinal =
    "status" in error &&
    error.delivery === "rejected" &&
    error.status !== tooEarly &&
    !call.isBusy(error.status)
  if (isFinal || !error.isRetryable || error.isFatal) return Effect.succeedNone
  const isHeld = call.circuit !== undefined && shared.circuit.holds(call, error)
  const next = isHeld ? Effect.succeedSome(0) : RetryPolicy.nextPause(call.policy, retries, error)
  if (error.delivery !== "ambiguous") return next
  const isDivided = () =>
    error._tag === "ServerError" && !isHeld && call.circuit?.divide(call.attempts) === true
  return Effect.flatMap(next, (millis) =>
    Option.isNone(millis)
      ? Effect.succeedNone
      : Effect.map(isRepeatable(call, shared, resend), (isAllowed) =>
          isAllowed && !isDivided() ? millis : Option.none()
        )
  )
}
