/** The job that a plan is. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Formats from "../../format/Formats.js"
import * as JobSource from "../../job/JobSource.js"
import type * as Budget from "../../stream/Budget.js"
import type * as TranslateStream from "../../stream/TranslateStream.js"
import { Usage } from "../failure.js"
import * as checksOption from "./checksOption.js"
import * as errorText from "./errorText.js"
import * as glossaries from "./glossaryOption.js"
import * as queryOption from "./queryOption.js"
import type * as sourceFiles from "./sourceFiles.js"
import * as pipe from "./standardInput.js"
import { isPipe, type Plan, type SharedPlan } from "./translateOptions.js"

type Parameters = NonNullable<TranslateStream.Options["extraParameters"]>

/** So many files at once: they are small as a rule. */
const sourceConcurrency = 4

/** The format that is named, and what finds one. */
const formatOf = ({ columns, fields, format, outputColumn }: SharedPlan) => {
  const formats = Formats.make({ columns, outputColumn, select: fields })
  const detect: JobSource.Detect = (file) => Formats.detect(file, formats)
  const named = format === undefined ? Effect.succeed(undefined) : Formats.byName(format, formats)
  return Effect.map(named, (named) => ({ named, detect }))
}

/** Files, standard input, or rows. */
type Source = JobSource.JobSource<
  | JobSource.ErrorOf<ReturnType<typeof JobSource.file> | ReturnType<typeof pipe.make> | queryOption.Source>
  | errorText.Told,
  JobSource.ContextOf<ReturnType<typeof JobSource.file>>
>

/** The files of a plan, and where their translations are. */
export const filesOf = (plan: SharedPlan, { outputOf, sources }: sourceFiles.Inputs) =>
  Effect.map(formatOf(plan), ({ detect, named }) =>
    sources.map(
      (source): JobSource.FileOptions => ({
        path: source.address ?? source.path,
        format: named ?? detect,
        output: outputOf(source),
        existing: plan.existing,
        failed: plan.failed,
        removed: plan.removed
      })
    )
  )

/** The value of `--parameter`: JSON, or else a text. */
const valueOf = (given: string) =>
  Option.getOrElse(Option.liftThrowable(JSON.parse)(given), () => given) as Parameters[string]

/** What `--parameter` says; the last word on a name counts. */
const parametersOf = (given: ReadonlyArray<string>): Parameters | undefined =>
  given.length === 0
    ? undefined
    : Object.fromEntries(
        given.map((each) => {
          const at = each.indexOf("=")
          return [each.slice(0, at), valueOf(each.slice(at + 1))]
        })
      )

/** How the texts of a plan are translated. */
export const optionsOf = ({
  context,
  formality,
  from,
  model,
  parameters,
  style,
  translationMemory,
  translationMemoryThreshold
}: SharedPlan) => ({
  sourceLang: from,
  styleId: style,
  translationMemoryId: translationMemory,
  translationMemoryThreshold,
  formality,
  modelType: model,
  context,
  extraParameters: parametersOf(parameters)
})

/** The job of a plan, without what listens to it. */
export const make = (
  plan: Plan,
  inputs: sourceFiles.Inputs,
  budget: Budget.Service | undefined,
  hasStore: boolean
) =>
  Effect.gen(function* () {
    const { named } = yield* formatOf(plan)
    const { concurrency, failed, limit, maxFailed, partial } = plan
    if (isPipe(plan) && named?.columnar !== undefined) {
      return yield* new Usage({
        message: `A file of the format ${named.name} is read at any place, which standard input is not: name the file.`
      })
    }
    const inWords = errorText.ofSource(inputs)
    const all: ReadonlyArray<Source> =
      plan.query !== undefined
        ? [inWords(yield* queryOption.make(plan))]
        : isPipe(plan) && named !== undefined
          ? [inWords(pipe.make(named, failed === "empty" ? failed : undefined))]
          : (yield* filesOf(plan, inputs)).map((file) => inWords(JobSource.file(file)))
    return {
      ...(yield* glossaries.make(plan)),
      ...optionsOf(plan),
      sources: all,
      targets: plan.targets,
      budget,
      pricePerMillion: plan.price,
      limit,
      refresh: plan.refresh,
      retryFailed: plan.retryFailed,
      verify: yield* checksOption.make(plan),
      partial,
      maxFailedShare: maxFailed,
      concurrency,
      sourceConcurrency,
      // To remember texts without a store takes 3 µs of CPU a text, as much as to read and write it.
      dedupe: hasStore ? undefined : false
    }
  })

export type Job = Effect.Effect.Success<ReturnType<typeof make>>
