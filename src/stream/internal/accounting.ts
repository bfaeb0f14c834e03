import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import { CallHooks } from "../../internal/callHooks.js"
import * as Budget from "../Budget.js"
import type { StreamError } from "../Outcome.js"
import type * as Progress from "../Progress.js"
import * as Cost from "./cost.js"

type Sent = Exit.Exit<Cost.Answer, StreamError>

/** Sends texts, accounts for them, and hands over what came of it. */
export type Accounted = (
  texts: ReadonlyArray<string>,
  send: Effect.Effect<Cost.Answer, StreamError>,
  onEnd: (exit: Sent, cost: Cost.BatchCost) => void
) => Effect.Effect<void>

export interface Options {
  readonly budget: Budget.Service | undefined
  readonly observer: Progress.Observer | undefined
  /** The languages that spans name; none if nobody collects spans. */
  readonly traced: Progress.Languages | undefined
}

/** A span for a batch: counts and languages, never a text. */
const withSpan =
  ({ sourceLang, targetLang }: Progress.Languages, texts: ReadonlyArray<string>) =>
  <A, E, R>(send: Effect.Effect<A, E, R>) =>
    Effect.withSpan(send, "effect-translate.batch", {
      attributes: {
        "translate.texts": texts.length,
        "translate.characters": Cost.charactersOf(texts),
        ...(sourceLang === undefined ? {} : { "translate.source_lang": sourceLang }),
        ...(targetLang === undefined ? {} : { "translate.target_lang": targetLang })
      }
    })

const annotate = (exit: Sent, cost: Cost.BatchCost): Effect.Effect<void> =>
  Exit.isSuccess(exit)
    ? Effect.annotateCurrentSpan({
        "translate.requests": exit.value.attempts,
        "translate.billed_characters": cost.characters
      })
    : Effect.void

/** What the budget holds for one batch. */
const reservation = (budget: Budget.Service | undefined, size: number) => {
  let reserved = 0
  return {
    /** Holds the characters of one attempt, if they fit. */
    reserve:
      budget === undefined
        ? Effect.succeed(true)
        : Effect.map(budget.reserve(size), (isHeld) => {
            if (isHeld) reserved += size
            return isHeld
          }),
    settle: (cost: Cost.BatchCost) =>
      budget === undefined
        ? Effect.void
        : budget.settle(reserved, cost.characters + cost.ambiguousCharacters),
    exceeded:
      budget === undefined
        ? Effect.never
        : Effect.map(
            budget.state,
            ({ cap, reserved, spent }) =>
              new Budget.BudgetExceeded({ cap, used: spent + reserved, needed: size })
          )
  }
}

const tagOf = (exit: Sent): string | undefined =>
  Exit.isSuccess(exit)
    ? undefined
    : Option.match(Cause.failureOption(exit.cause), {
        onNone: () => "Interrupted",
        onSome: ({ _tag }) => _tag
      })

const attemptsOf = (exit: Sent): number => {
  if (Exit.isSuccess(exit)) return exit.value.attempts
  const error = Option.getOrUndefined(Cause.failureOption(exit.cause))
  return error !== undefined && "attempts" in error ? error.attempts : 0
}

/**
 * Reserves characters of the budget before a batch is sent, and again before an attempt that may have been billed is
 * repeated; settles them when the batch has ended. Tells the progress, and records a span. A batch that is interrupted
 * stays reserved and in flight, since it may be billed.
 */
export const make = ({ budget, observer, traced }: Options): Accounted => {
  if (budget === undefined && observer === undefined && traced === undefined) {
    return (texts, send, onEnd) => Effect.map(Effect.exit(send), (exit) => onEnd(exit, Cost.of(texts, exit)))
  }
  return (texts, send, onEnd) => {
    const size = Cost.charactersOf(texts)
    const { exceeded, reserve, settle } = reservation(budget, size)
    const refuse = Effect.map(exceeded, (error) => {
      const exit = Exit.fail(error)
      onEnd(exit, Cost.of(texts, exit))
    })
    const proceed = Effect.flatMap(CallHooks, (hooks) => {
      const told = observer?.sent(texts.length, size)
      const mayRepeat = Effect.tap(reserve, (isHeld) =>
        isHeld && told !== undefined ? Effect.sync(told.repeated) : Effect.void
      )
      const ended = (exit: Sent) => {
        const cost = Cost.of(texts, exit)
        const { ambiguousCharacters, characters } = cost
        told?.ended(attemptsOf(exit), { characters, ambiguousCharacters }, tagOf(exit))
        onEnd(exit, cost)
        return Effect.zipRight(annotate(exit, cost), settle(cost))
      }
      return Effect.provideService(send, CallHooks, { ...hooks, mayRepeat }).pipe(
        Effect.exit,
        Effect.flatMap(ended),
        traced === undefined ? identity : withSpan(traced, texts)
      )
    })
    return Effect.if(reserve, { onTrue: () => proceed, onFalse: () => refuse })
  }
}
