/** Values of JSON that others hand in. */
import { hasControls } from "../../internal/controlCharacters.js"

/** The depth to which they may be nested: functions that walk them later use the stack. */
const deepest = 64

/** Values with their names at each depth, from the outside in; none that is too deep. */
const levelsOf = (value: unknown): ReadonlyArray<ReadonlyArray<unknown>> => {
  const levels: Array<ReadonlyArray<unknown>> = []
  let level = [value]
  while (level.length > 0 && levels.length <= deepest) {
    levels.push(level)
    level = level.flatMap((value) =>
      typeof value === "object" && value !== null ? Object.entries(value).flat() : []
    )
  }
  return levels
}

/** Says that a value is nested too deep. */
export const nestingProblem = (value: unknown): string | undefined =>
  levelsOf(value).length > deepest ? `is nested deeper than ${deepest} levels` : undefined

/** The part of a value that can't be stored. */
export const problemOf = (value: unknown): string | undefined =>
  nestingProblem(value) ??
  (levelsOf(value).some((level) => level.some((value) => typeof value === "string" && hasControls(value)))
    ? "holds a control character: leave it out"
    : undefined)
