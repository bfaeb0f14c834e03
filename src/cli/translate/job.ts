/** The job that a plan is. */
import * as Effect from "effect/Effect"
import * as Formats from "../../format/Formats.js"
import * as FileSource from "../../job/FileSource.js"
import type * as Budget from "../../stream/Budget.js"
import * as glossaries from "./glossaries.js"
import type * as inputs from "./inputs.js"
import type { Plan } from "./plan.js"

/** So many files at once: they are small as a rule. */
const sourceConcurrency = 4

const formatOf = ({ columns, fields, format }: Plan) => {
  const formats = Formats.make({ columns, select: fields })
  const detect: FileSource.Detect = (file) => Formats.detect(file, formats)
  return format === undefined ? Effect.succeed(detect) : Formats.byName(format, formats)
}

/** The job of a plan, without what listens to it. */
export const make = (plan: Plan, { outputOf, sources }: inputs.Inputs, budget: Budget.Service | undefined) =>
  Effect.gen(function* () {
    const format = yield* formatOf(plan)
    const { concurrency, context, existing, failed, formality, from, limit, maxFailed, model, partial } = plan
    return {
      ...(yield* glossaries.make(plan)),
      sources: sources.map((source) =>
        FileSource.make({
          path: source.path,
          format,
          output: outputOf(source),
          existing,
          failed,
          removed: plan.removed
        })
      ),
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
