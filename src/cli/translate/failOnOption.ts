/** The option `--fail-on`: the problems of outputs that end a command with an exit code of its own. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as OutputCheck from "../../job/OutputCheck.js"
import { checkNames } from "../../job/TranslationJob.js"
import { didYouMean } from "../commandLine/suggestion.js"
import { problemKinds } from "../declarations/outputs.js"
import { ProblemsFound, type Usage, usage } from "../failure.js"
import * as text from "../textTable.js"
import * as outputProblems from "./outputProblems.js"
import type { Inputs } from "./sourceFiles.js"
import type { SharedPlan } from "./translateOptions.js"

const names = [...problemKinds, "strict", ...checkNames]

/** Fails with the first name that is no kind of problem and no check. */
export const check = (failOn: ReadonlyArray<string>): Effect.Effect<void, Usage> => {
  const unknown = failOn.find((name) => !names.includes(name))
  return unknown === undefined
    ? Effect.void
    : Effect.fail(
        usage(
          `--fail-on ${unknown}: no kind of problem and no check has that name.${
            didYouMean(unknown, names) || ` There are ${names.join(", ")}.`
          }`
        )
      )
}

/** The numbers of problems of each kind, in words. */
export const wordsOf = (counts: ReadonlyMap<OutputCheck.Kind, number>): string =>
  problemKinds
    .flatMap((kind) => {
      const count = counts.get(kind) ?? 0
      return count === 0 ? [] : [`${text.count(count)} ${kind}`]
    })
    .join(", ")

/** Fails if the outputs of a run have problems that the option names. */
export const judge = (plan: SharedPlan & { readonly failOn: ReadonlyArray<string> }, inputs: Inputs) =>
  Effect.gen(function* () {
    if (plan.failOn.length === 0) return
    const counts = new Map<OutputCheck.Kind, number>()
    yield* Stream.runForEach(yield* outputProblems.find(plan, inputs), (problem) =>
      Effect.sync(() => {
        if (!OutputCheck.isAmong(problem, plan.failOn)) return
        counts.set(problem.kind, (counts.get(problem.kind) ?? 0) + 1)
      })
    )
    if (counts.size === 0) return
    yield* new ProblemsFound({
      message: `The translations have problems that --fail-on names: ${wordsOf(counts)}. effect-translate check tells where.`
    })
  })
