import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as TranslateError from "../../client/TranslateError.js"
import { CallHooks } from "../../internal/callHooks.js"
import * as Budget from "../Budget.js"
import type { Answer } from "./answer.js"
import { billed, charactersOf } from "./observing.js"

/** Sends texts within a budget. An attempt of unknown fate stays spent; its repetition is reserved on top. */
export const within = (
  budget: Budget.Service,
  texts: ReadonlyArray<string>,
  send: Effect.Effect<Answer, TranslateError.TranslateError>
): Effect.Effect<Answer, TranslateError.TranslateError | Budget.BudgetExceeded> => {
  const size = charactersOf(texts)
  let reserved = 0
  const reserve = Effect.map(budget.reserve(size), (isHeld) => {
    if (isHeld) reserved += size
    return isHeld
  })
  const exceeded = Effect.flatMap(budget.state, ({ cap, reserved, spent }) =>
    Effect.fail(new Budget.BudgetExceeded({ cap, used: spent + reserved, needed: size }))
  )
  const sent = Effect.flatMap(CallHooks, (hooks) =>
    Effect.provideService(send, CallHooks, { ...hooks, mayRepeat: reserve })
  ).pipe(
    Effect.tap((answer) => budget.settle(reserved, billed(texts, answer) + answer.ambiguousAttempts * size)),
    Effect.tapError((error) => budget.settle(reserved, error.ambiguousAttempts * size)),
    // Halted before it was ever sent. What is interrupted in flight stays held: it may be billed.
    Effect.tapErrorCause((cause) =>
      Cause.isInterruptedOnly(cause) ? budget.settle(reserved, 0) : Effect.void
    )
  )
  return Effect.if(reserve, { onTrue: () => sent, onFalse: () => exceeded })
}
