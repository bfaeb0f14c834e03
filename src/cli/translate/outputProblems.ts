/** Finds the problems of the outputs of a plan, as they are. */
import * as Effect from "effect/Effect"
import * as OutputCheck from "../../job/OutputCheck.js"
import * as TranslationStore from "../../store/TranslationStore.js"
import { wouldFind } from "../findFiles.js"
import * as checksOption from "./checksOption.js"
import * as glossaries from "./glossaryOption.js"
import type { Inputs } from "./sourceFiles.js"
import type { SharedPlan } from "./translateOptions.js"
import * as translationJob from "./translationJob.js"

/** The problems, as they are found. */
export const find = (plan: SharedPlan, inputs: Inputs) =>
  Effect.gen(function* () {
    return OutputCheck.run({
      options: plan.options,
      files: yield* translationJob.filesOf(plan, inputs),
      targets: plan.targets,
      store: yield* TranslationStore.TranslationStore,
      checks: yield* checksOption.asked(plan),
      terms: yield* glossaries.termsOf(plan),
      isSource: wouldFind(plan.files)
    })
  })
