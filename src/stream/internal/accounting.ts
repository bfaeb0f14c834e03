import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { constVoid, identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Budget from "../Budget.js"
import type { StreamError } from "../Outcome.js"
import type * as Progress from "../Progress.js"
import type * as ProgressObserver from "../ProgressObserver.js"
import * as Cost from "./cost.js"

type Sent = Exit.Exit<Cost.Answer, StreamError>

/**
 * Sends texts, accounts for them, and hands over the result. A sender asks `mayRepeat` before a request that may have been
 * billed is sent again.
 */
export type Accounted = (
  texts: ReadonlyArray<string>,
  send: (mayRepeat: Effect.Effect<boolean>) => Effect.Effect<Cost.Answer, StreamError>,
  onEnd: (exit: Sent, cost: Cost.BatchCost) => void
) => Effect.Effect<void>

export interface Options {
  readonly budget: Budget.Service | undefined
  readonly observer: ProgressObserver.Observer | undefined
  /** The languages that spans name; none if nobody collects spans. */
  readonly traced: Progress.Languages | undefined
}

const noProgress: ProgressObserver.Batch = { repeated: constVoid, ended: constVoid }

const unlimited: Budget.Service = {
  reserve: () => Effect.succeed(true),
  settle: () => Effect.void,
  state: Effect.succeed({ cap: Number.POSITIVE_INFINITY, spent: 0, reserved: 0 })
}

/** A span for a batch: counts and languages, never a text. */
const withSpan =
  ({ sourceLang, targetLang }: Progress.Languages, texts: number, characters: number) =>
  <A, E, R>(send: Effect.Effect<A, E, R>) =>
    Effect.withSpan(send, "effect-translate.batch", {
      attributes: {
        "translate.texts": texts,
        "translate.characters": characters,
        ...(sourceLang === undefined ? {} : { "translate.source_lang": sourceLang }),
        ...(targetLang === undefined ? {} : { "translate.target_lang": targetLang })
      }
    })

/** The number of times that a batch was sent, and the tag of its error. */
const outcomeOf = (exit: Sent): readonly [attempts: number, tag?: string] => {
  if (Exit.isSuccess(exit)) return [exit.value.attempts]
  const error = Option.getOrUndefined(Cause.failureOption(exit.cause))
  if (error === undefined) return [0, "Interrupted"]
  return ["attempts" in error ? error.attempts : 0, error._tag]
}

/**
 * Reserves characters of the budget before a batch is sent, and again before an attempt that may have been billed is
 * repeated; settles them when the batch has ended. Tells the progress, and records a span. A batch that is interrupted
 * stays reserved and in flight, since it may be billed. So does one that can't be settled: the budget counts it all the same.
 */
export const make = ({ budget = unlimited, observer, traced }: Options): Accounted => {
  const ofEnded = (
    texts: ReadonlyArray<string>,
    exit: Sent,
    told: ProgressObserver.Batch
  ): Cost.BatchCost => {
    const cost = Cost.of(texts, exit)
    const { ambiguousCharacters, characters } = cost
    const [attempts, tag] = outcomeOf(exit)
    told.ended(attempts, { characters, ambiguousCharacters }, tag)
    return cost
  }
  if (budget === unlimited && traced === undefined) {
    if (observer === undefined) {
      return (texts, send, onEnd) =>
        Effect.map(Effect.exit(send(Effect.succeed(true))), (exit) => onEnd(exit, Cost.of(texts, exit)))
    }
    return (texts, send, onEnd) =>
      Effect.suspend(() => {
        const told = observer.sent(texts.length, Cost.charactersOf(texts))
        const mayRepeat = Effect.sync(() => {
          told.repeated()
          return true
        })
        return Effect.map(Effect.exit(send(mayRepeat)), (exit) => onEnd(exit, ofEnded(texts, exit, told)))
      })
  }
  return (texts, send, onEnd) => {
    const size = Cost.charactersOf(texts)
    let reserved = 0
    let isBegun = false
    const reserve = Effect.map(budget.reserve(size), (isHeld) => {
      if (isHeld) reserved += size
      return isHeld
    })
    const fail = (error: Effect.Effect<never, StreamError>) =>
      Effect.map(Effect.exit(error), (exit) => onEnd(exit, Cost.of(texts, exit)))
    const refuse = fail(Budget.exceeded(budget, size))
    const proceed = Effect.suspend(() => {
      isBegun = true
      const told = observer?.sent(texts.length, size) ?? noProgress
      const mayRepeat = Effect.tap(
        Effect.orElseSucceed(reserve, () => false),
        (isHeld) => (isHeld ? Effect.sync(told.repeated) : Effect.void)
      )
      const ended = (exit: Sent) => {
        const cost = ofEnded(texts, exit, told)
        const { ambiguousCharacters, characters } = cost
        const annotated =
          traced === undefined
            ? Effect.void
            : Effect.annotateCurrentSpan({
                "translate.requests": outcomeOf(exit)[0],
                "translate.billed_characters": characters
              })
        // Settled before the outcomes can be taken: a reader of the last of them ends this fiber.
        const settled = Effect.ignore(budget.settle(reserved, characters + ambiguousCharacters))
        return Effect.zipRight(annotated, settled).pipe(
          Effect.map(() => onEnd(exit, cost)),
          Effect.uninterruptible
        )
      }
      return send(mayRepeat).pipe(
        Effect.exit,
        Effect.flatMap(ended),
        traced === undefined ? identity : withSpan(traced, texts.length, size)
      )
    })
    const unbegun = Effect.suspend(() => (isBegun ? Effect.void : Effect.ignore(budget.settle(reserved, 0))))
    return Effect.uninterruptibleMask((restore) =>
      Effect.matchEffect(reserve, {
        onFailure: (error) => fail(Effect.fail(error)),
        onSuccess: (isHeld) => (isHeld ? Effect.onInterrupt(restore(proceed), () => unbegun) : refuse)
      })
    )
  }
}
