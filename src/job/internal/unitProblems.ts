/** The faults of units in outputs: by their status, and by checks of their translations. */
import * as Effect from "effect/Effect"
import type * as Format from "../../format/Format.js"
import * as Address from "../../storage/Address.js"
import type { StoreError } from "../../store/StoreError.js"
import type * as Check from "../../text/Check.js"
import type * as acceptance from "./acceptance.js"
import type * as findings from "./findings.js"
import type * as outputInspection from "./outputInspection.js"
import type * as OutputCheck from "./outputProblem.js"
import type * as unitStatus from "./unitStatus.js"

/** A file, and its output in a language. */
export interface Place extends outputInspection.Place {
  readonly options: OutputCheck.Options
  readonly judge: findings.Judge
  /** Leaves out the findings that somebody has accepted. */
  readonly filter: acceptance.Filter
}

export const problem = <A extends Partial<OutputCheck.Problem>>(
  { file, found: { output } }: Place,
  more: A
) => ({
  source: Address.shown(file.path),
  output: output.name,
  targetLang: output.targetLang,
  ...more
})

/** The faults of a unit, with the findings in its translation. */
const ofUnit = (
  place: Place,
  { isMarked = false, line, status, translation, unit }: unitStatus.Inspected,
  { findings, unasked }: Check.Verdict
): ReadonlyArray<OutputCheck.Problem> => {
  const isWithout = translation === undefined || status === "missing" || status === "failed"
  const isBlank = unit.text.trim() === ""
  if (isBlank && isWithout) return []
  const at = problem(place, { key: unit.key, line: unit.line, outputLine: line })
  const problems: Array<OutputCheck.Problem> =
    status === "current" ? [] : [{ ...at, kind: status === "changed" ? "stale" : status }]
  if (isWithout || isBlank) return problems
  const found = place.filter(findings, unit.text, translation)
  if (isMarked && status === "current" && found.length === 0) problems.push({ ...at, kind: "marked" })
  return [
    ...problems,
    ...found.map((finding) => ({ ...at, kind: "flagged" as const, finding })),
    ...unasked.map((unasked) => ({ ...at, kind: "unasked" as const, unasked }))
  ]
}

/** A unit of a part, and its translation. */
export type Looked = readonly [unitStatus.Inspected, Format.Part]

/** The faults of units. Those that have no translation are not checked. */
export const find = (
  place: Place,
  units: ReadonlyArray<Looked>
): Effect.Effect<ReadonlyArray<OutputCheck.Problem>, StoreError> =>
  Effect.map(
    place.judge(
      units.map(([{ status, translation, unit }, part]) =>
        status === "missing" || status === "failed" ? undefined : [unit, translation, part]
      )
    ),
    (verdicts) => units.flatMap(([one], index) => ofUnit(place, one, verdicts[index]!))
  )
