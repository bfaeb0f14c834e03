/**
 * The verdicts of checks that ask somebody.
 *
 * @internal
 */
import * as Effect from "effect/Effect"
import type { Check, Question, Verdict, Verdicts } from "./internal/checks/check.js"

/** The verdicts of all of these checks that ask somebody on translations, in their order. */
export const judge = <E>(
  checks: ReadonlyArray<Check>,
  questions: ReadonlyArray<Question>,
  known: Verdicts<E> | undefined
): Effect.Effect<ReadonlyArray<Verdict>, E> =>
  Effect.map(
    Effect.forEach(
      checks.flatMap(({ asking }) => asking ?? []),
      ({ judge }) => judge(questions, known),
      { concurrency: "unbounded" }
    ),
    (all) =>
      questions.map((_, index) => ({
        findings: all.flatMap((verdicts) => verdicts[index]!.findings),
        unasked: all.flatMap((verdicts) => verdicts[index]!.unasked)
      }))
  )
