import * as Outcome from "../../stream/Outcome.js"
import type { PartOutcome } from "../FileTranslation.js"
import type { Observed, UnitFailure } from "../JobSource.js"

const failureOf = (
  { source }: PartOutcome,
  { error, field }: Outcome.Failure<{ readonly _tag: string; readonly message: string }>
): UnitFailure => {
  const unit = source.units.find(({ key }) => key === field)
  return {
    key: `${field}`,
    line: unit?.line ?? source.problem?.line,
    text: unit?.text,
    error: { _tag: error._tag, message: error.message }
  }
}

/** What a job is told of a part. */
export const observed = (outcome: PartOutcome): Observed => ({
  texts: outcome.texts,
  cost: outcome.cost,
  failures: Outcome.isFailed(outcome) ? outcome.failures.map((failure) => failureOf(outcome, failure)) : []
})
