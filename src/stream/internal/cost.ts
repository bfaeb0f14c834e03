import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Text from "../../api/Text.js"
import type * as Outcome from "../Outcome.js"
import type { Row } from "./element.js"

/** The answer of a stream's endpoint to a batch: as many translations as texts. */
export interface Answer {
  readonly translations: ReadonlyArray<Text.Translation>
  readonly attempts: number
  readonly ambiguousAttempts: number
}

/** The cost of a batch: computed once, for rows, the budget, the progress and spans. */
export interface BatchCost extends Outcome.Cost {
  /** The billed characters of each text; empty if the batch was not answered. */
  readonly billed: ReadonlyArray<number>
  /** Further attempts that may have been billed. */
  readonly ambiguousAttempts: number
}

/** The cost of a batch that was not sent. */
export const none: BatchCost = { billed: [], characters: 0, ambiguousAttempts: 0, ambiguousCharacters: 0 }

export const charactersOf = (texts: ReadonlyArray<string>): number => {
  let sum = 0
  for (const text of texts) sum += Text.characters(text)
  return sum
}

const ambiguousAttemptsOf = (exit: Exit.Exit<Answer, Outcome.StreamError>): number => {
  if (Exit.isSuccess(exit)) return exit.value.ambiguousAttempts
  const error = Option.getOrUndefined(Cause.failureOption(exit.cause))
  return error !== undefined && "ambiguousAttempts" in error ? error.ambiguousAttempts : 0
}

/** The cost of a batch that was answered or has failed. */
export const of = (texts: ReadonlyArray<string>, exit: Exit.Exit<Answer, Outcome.StreamError>): BatchCost => {
  const billed = Exit.isSuccess(exit)
    ? exit.value.translations.map(
        ({ billedCharacters }, index) => billedCharacters ?? Text.characters(texts[index]!)
      )
    : []
  const ambiguousAttempts = ambiguousAttemptsOf(exit)
  return {
    billed,
    characters: billed.reduce((sum, characters) => sum + characters, 0),
    ambiguousAttempts,
    ambiguousCharacters: ambiguousAttempts === 0 ? 0 : ambiguousAttempts * charactersOf(texts)
  }
}

/** Adds the cost of a text to its row. */
export const charge = (row: Row<unknown>, cost: BatchCost, index: number, text: string): void => {
  row.characters += cost.billed[index] ?? 0
  if (cost.ambiguousAttempts > 0) {
    row.ambiguousCharacters += cost.ambiguousAttempts * Text.characters(text)
  }
}
