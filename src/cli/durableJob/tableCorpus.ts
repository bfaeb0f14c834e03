/** The corpus of `job submit` for a table. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import type * as LanguageCode from "../../api/LanguageCode.js"
import * as Corpus from "../../workflow/Corpus.js"
import type * as CorpusJob from "../../workflow/CorpusJob.js"
import type { JobControlError } from "../../workflow/JobControlError.js"
import * as TableCorpus from "../../workflow/TableCorpus.js"
import type { SubmitInput } from "../declarations/jobs.js"
import type { LeftOut } from "../discovery/leftOut.js"
import { Usage, usage } from "../failure.js"
import type { SharedPlan } from "../translate/translateOptions.js"
import type { Kind } from "./jobKinds.js"
import type { Place } from "./jobsDatabase.js"
import * as jobsDrivers from "./jobsDrivers.js"

/** The corpus of a job: a reference, its revision, and a word for the job's name. */
export interface Found {
  readonly corpus: CorpusJob.Reference
  readonly revision: string | undefined
  readonly word: string
  /** The value that tells the job from others, if that is not the corpus. */
  readonly named?: unknown
  readonly leftOut?: ReadonlyArray<LeftOut> | undefined
}

const ofFiles = ["out", "format", "removed", "failed"] as const

/** The problem of the flags; none if they are right. */
const problemOf = (input: SubmitInput, columns: ReadonlyArray<string>): string | undefined => {
  const wrong = ofFiles.find((name) => input[name] !== undefined)
  if (input.files.length > 0) return "Name files, or a table with --table: a job has one of both."
  if (wrong !== undefined) return `--${wrong} is for files: leave it out with --table.`
  if (input.keys.length === 0) return "Which column tells the rows of the table apart? Name it with --key."
  if (columns.length === 0) return "Which columns are translated? Name them with --column."
  return input.output === undefined
    ? "Where do translations go? Name a table with --output, or columns by a pattern such as '{column}_{lang}'."
    : undefined
}

/** The rows of a table. Of jobs that are reached over HTTP the table is not seen from here, so one worker writes all of it. */
export const make = (
  table: string,
  input: SubmitInput,
  plan: SharedPlan,
  place: Place,
  kinds: ReadonlyArray<Kind>
): Effect.Effect<Found, Usage | JobControlError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const problem = problemOf(input, plan.columns)
    if (problem !== undefined) return yield* usage(problem)
    const output = input.output!
    const [key, ...keys] = input.keys
    const [column, ...columns] = plan.columns
    const options: TableCorpus.Options = {
      table,
      key: [key!, ...keys],
      columns: [column!, ...columns],
      ...(input.where === undefined ? {} : { where: input.where }),
      ...(plan.existing === undefined ? {} : { existing: plan.existing }),
      output: output.includes("{lang}") ? { columns: output } : { table: output }
    }
    if (place.kind === "http") {
      return { corpus: { kind: TableCorpus.name, reference: options }, revision: undefined, word: table }
    }
    const targets = plan.languages as ReadonlyArray<LanguageCode.TargetLanguage>
    return yield* Effect.gen(function* () {
      // Before anything is made.
      yield* Effect.flatMap(Corpus.kindOf(kinds, TableCorpus.name), ({ check }) => check(options))
      yield* TableCorpus.makeOutput(options, targets)
      return {
        corpus: yield* TableCorpus.reference(options),
        revision: input.revision ?? (yield* TableCorpus.revision(options)),
        word: table,
        // Rows that are added move the ranges of the reference.
        named: options
      }
    }).pipe(
      Effect.catchTags({
        InvalidReference: ({ message }) => new Usage({ message }),
        TableUnusable: ({ message }) => new Usage({ message }),
        RowUnusable: ({ message }) => new Usage({ message })
      }),
      Effect.provide(jobsDrivers.layer(place))
    )
  })
