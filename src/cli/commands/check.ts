import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as OutputPath from "../../format/OutputPath.js"
import * as OutputCheck from "../../job/OutputCheck.js"
import type { Actions } from "../command.js"
import type { check } from "../declarations/outputs.js"
import * as leftOuts from "../discovery/leftOut.js"
import { ProblemsFound, usage } from "../failure.js"
import * as optionFlags from "../optionFlags.js"
import { Output } from "../output.js"
import { Settings } from "../settings/settings.js"
import * as stores from "../storeOption.js"
import * as text from "../textTable.js"
import * as failOnOption from "../translate/failOnOption.js"
import * as outputProblems from "../translate/outputProblems.js"
import * as remoteFiles from "../translate/remoteFiles.js"
import * as sourceFiles from "../translate/sourceFiles.js"
import * as translateOptions from "../translate/translateOptions.js"
import * as translationJob from "../translate/translationJob.js"

const words: Readonly<Record<OutputCheck.Kind, string>> = {
  missing: "not translated",
  failed: "not translated, the source's text is in its place",
  stale: "the translation of an earlier text",
  unknown: "no record tells who has written it",
  orphaned: "the source has no such text: --removed drop leaves it out of the output",
  otherOptions: "translated with other options than now",
  otherTerms: "translated with other terms of the glossary than now",
  flagged: "looks wrong",
  unasked: "a check has not looked at it",
  marked: "its file says that it is to be looked at",
  unreadable: "can't be read"
}

/** Problems that are told once for each output, with the number of their texts. */
const ofOutput: { readonly [Kind in OutputCheck.Kind]?: (output: string) => string } = {
  otherOptions: (output) => `${output}: {texts} translated with other options than now`,
  otherTerms: (output) => `${output}: {texts} translated with other terms of the glossary than now`,
  unknown: (output) =>
    `${output}: {texts} without a record of who has written it: effect-translate accept ${output} takes them as a person's`
}

const at = (path: string, line: number | undefined) => (line === undefined ? path : `${path}:${line}`)

/** A problem in a line: the place to mend it, the unit, and the problem. */
const lineOf = (problem: OutputCheck.Problem) => {
  const { error, finding, key, kind, line, output, outputLine, record, source, targetLang } = problem
  if (record !== undefined) {
    return `${output}: its source ${source} is not there any more: bring it back, move ${output} where it has gone, or delete ${output} and its record ${record}`
  }
  const place = outputLine === undefined ? at(source, line) : at(output, outputLine)
  // One such output has all languages.
  const language = OutputPath.isOfColumns(output) && targetLang !== undefined ? ` (${targetLang})` : ""
  const unit = key === undefined ? language : ` ${key}${language}`
  const into = outputLine === undefined && output !== source ? ` (${output})` : ""
  const said = error && optionFlags.named(error.message, optionFlags.ofJob)
  // An error of a file begins with its place.
  if (said?.startsWith(source) === true) return `${said}${into}`
  return `${place}${unit}: ${finding?.explanation ?? said ?? words[kind]}${into}`
}

/** Prints the problems of a plan's outputs as they are found. */
const found = (plan: translateOptions.SharedPlan, failOn: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const inputs = yield* sourceFiles.make(plan)
    yield* leftOuts.tell(inputs.leftOut)
    yield* translationJob.checkChosen(plan, inputs)
    const counts = new Map<OutputCheck.Kind, number>()
    const byOutput = new Map<string, number>()
    const lines: Array<string> = []
    let failing = 0
    const problems = yield* outputProblems.find(plan, inputs)
    yield* problems.pipe(
      Stream.runForEach((problem) => {
        counts.set(problem.kind, (counts.get(problem.kind) ?? 0) + 1)
        if (failOn.length === 0 || OutputCheck.isAmong(problem, failOn)) failing++
        const said = problem.key === undefined ? undefined : ofOutput[problem.kind]?.(problem.output)
        if (said === undefined) lines.push(lineOf(problem))
        else byOutput.set(said, (byOutput.get(said) ?? 0) + 1)
        const { error, ...rest } = problem
        const told = error && { tag: error._tag, message: error.message }
        return Output.event({ type: "problem", ...rest, error: told })
      })
    )
    for (const [said, count] of byOutput) lines.push(said.replace("{texts}", text.plural(count, "text")))
    return {
      counts,
      failing,
      lines,
      outputs: inputs.sources.length * plan.targets.length,
      leftOut: inputs.leftOut
    }
  })

export const actions: Actions<typeof check> = (input) =>
  Effect.gen(function* () {
    const { translate } = yield* Settings
    const plan = yield* translateOptions.make(input, translate)
    if (translateOptions.isPipe(plan)) {
      return yield* usage("check looks at files that are there: name them.")
    }
    yield* failOnOption.check(input.failOn)
    const store = yield* stores.openAsItIs(plan.store)
    const { counts, failing, leftOut, lines, outputs } = yield* found(plan, input.failOn).pipe(
      Effect.provide(store.layer),
      remoteFiles.provided(plan)
    )
    yield* Output.result(
      { outputs, problems: Object.fromEntries(counts), leftOut: leftOuts.counts(leftOut) },
      lines.join("\n")
    )
    const wrong = failOnOption.wordsOf(counts) || "nothing is wrong"
    const message = text
      .present(`${text.plural(outputs, "output")}: ${wrong}.`, leftOuts.line(leftOut))
      .join(" ")
    if (failing > 0) return yield* new ProblemsFound({ message })
    yield* (yield* Output).note(message)
  })
