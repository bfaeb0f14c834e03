/** The job that a plan is. */
import * as Effect from "effect/Effect"
import * as Formats from "../../format/Formats.js"
import * as JobSource from "../../job/JobSource.js"
import type * as Budget from "../../stream/Budget.js"
import * as glossaries from "./glossaryOption.js"
import type * as sourceFiles from "./sourceFiles.js"
import * as pipe from "./standardInput.js"
import { isPipe, type Plan } from "./translateOptions.js"

/** So many files at once: they are small as a rule. */
const sourceConcurrency = 4

/** The format that is named, and what finds one. */
const formatOf = ({ columns, fields, format }: Plan) => {
  const formats = Formats.make({ columns, select: fields })
  const detect: JobSource.Detect = (file) => Formats.detect(file, formats)
  const named = format === undefined ? Effect.succeed(undefined) : Formats.byName(format, formats)
  return Effect.map(named, (named) => ({ named, detect }))
}

/** Files, or standard input. */
type Source = JobSource.JobSource<
  JobSource.ErrorOf<ReturnType<typeof JobSource.file> | ReturnType<typeof pipe.make>>,
  JobSource.ContextOf<ReturnType<typeof JobSource.file>>
>

/** The job of a plan, without what listens to it. */
export const make = (
  plan: Plan,
  { outputOf, sources }: sourceFiles.Inputs,
  budget: Budget.Service | undefined
) =>
  Effect.gen(function* () {
    const { detect, named } = yield* formatOf(plan)
    const { concurrency, context, existing, failed, formality, from, limit, maxFailed, model, partial } = plan
    const files = sources.map((source) =>
      JobSource.file({
        path: source.path,
        format: named ?? detect,
        output: outputOf(source),
        existing,
        failed,
        removed: plan.removed
      })
    )
    const all: ReadonlyArray<Source> =
      isPipe(plan) && named !== undefined
        ? [pipe.make(named, failed === "empty" ? failed : undefined)]
        : files
    return {
      ...(yield* glossaries.make(plan)),
      sources: all,
      targets: plan.targets,
      sourceLang: from,
      styleId: plan.style,
      formality,
      modelType: model,
      context,
      budget,
      pricePerMillion: plan.price,
      limit,
      refresh: plan.refresh,
      partial,
      maxFailedShare: maxFailed,
      concurrency,
      sourceConcurrency
    }
  })

export type Job = Effect.Effect.Success<ReturnType<typeof make>>
