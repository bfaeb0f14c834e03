/** The job that a plan is. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as JobSource from "../../job/JobSource.js"
import * as TranslationJob from "../../job/TranslationJob.js"
import * as Address from "../../storage/Address.js"
import type * as Budget from "../../stream/Budget.js"
import { usage } from "../failure.js"
import { Settings } from "../settings/settings.js"
import * as checksOption from "./checksOption.js"
import * as errorText from "./errorText.js"
import * as formatOptions from "./formatOptions.js"
import * as glossaries from "./glossaryOption.js"
import * as queryOption from "./queryOption.js"
import type * as sourceFiles from "./sourceFiles.js"
import * as pipe from "./standardInput.js"
import * as syntaxOption from "./syntaxOption.js"
import { isPipe, type Plan, type SharedPlan } from "./translateOptions.js"

/** The number of files translated at once: they are small as a rule. */
const sourceConcurrency = 4

/** Files, standard input, or rows. */
type Source = JobSource.JobSource<
  | JobSource.ErrorOf<ReturnType<typeof JobSource.file> | ReturnType<typeof pipe.make> | queryOption.Source>
  | errorText.CommandError,
  JobSource.ContextOf<ReturnType<typeof JobSource.file>>
>

/** The files of a plan, and where their translations are. */
export const filesOf = (plan: SharedPlan, { outputOf, sources }: sourceFiles.Inputs) =>
  Effect.map(
    Effect.all([formatOptions.formatOf(plan), Settings]),
    ([{ detect, named }, { root, stateFolder }]) =>
      sources.map(
        (source): JobSource.FileOptions => ({
          path: source.address ?? source.path,
          format: named ?? detect,
          output: outputOf(source),
          existing: plan.existing,
          failed: plan.failed,
          mark: plan.mark,
          maxFileBytes: plan.maxFileBytes,
          removed: plan.removed,
          stateFolder,
          stateRoot: root
        })
      )
  )

/** Fails if a flag names an option of formats that no file has. */
const checkFlags = (plan: SharedPlan, inputs: sourceFiles.Inputs) =>
  Effect.gen(function* () {
    const { named } = yield* formatOptions.formatOf(plan)
    const files = (yield* filesOf(plan, inputs)).map((file) => ({
      path: Address.shown(file.path),
      format: Effect.option(JobSource.formatOf(file))
    }))
    const pipe = { path: "standard input", format: Effect.succeed(Option.fromNullable(named)) }
    yield* formatOptions.check(plan, isPipe(plan) ? [pipe] : files)
  })

/** Fails if a field or a column that was chosen is in no file, as far as that is known before a file is read to its end. */
export const checkChosen = (plan: SharedPlan, inputs: sourceFiles.Inputs) =>
  Effect.flatMap(filesOf(plan, inputs), (files) =>
    TranslationJob.checkSelections({
      sources: files.map((file) => ({ selection: JobSource.selectionOf(file) }))
    }).pipe(Effect.mapError(errorText.describe(inputs)), Effect.zipLeft(checkFlags(plan, inputs)))
  )

/** The job of a plan, without its listeners. */
export const make = (
  plan: Plan,
  inputs: sourceFiles.Inputs,
  budget: Budget.Service | undefined,
  hasStore: boolean
) =>
  Effect.gen(function* () {
    const { named } = yield* formatOptions.formatOf(plan)
    const { concurrency, failed, limit, maxFailed, partial } = plan
    if (isPipe(plan) && named?.columnar !== undefined) {
      return yield* usage(
        `A file of the format ${named.name} is read at any place, which standard input is not: name the file.`
      )
    }
    yield* checkFlags(plan, inputs)
    const inWords = errorText.ofSource(inputs)
    const all: ReadonlyArray<Source> =
      plan.query !== undefined
        ? [inWords(yield* queryOption.make(plan))]
        : isPipe(plan) && named !== undefined
          ? [inWords(pipe.make(named, failed === "previous" ? undefined : failed, plan.maxFileBytes))]
          : (yield* filesOf(plan, inputs)).map((file) => inWords(JobSource.file(file)))
    const { files, glossaryId } = yield* glossaries.make(plan)
    return {
      sources: all,
      targets: plan.targets,
      options: {
        ...plan.options,
        ...(glossaryId === undefined ? {} : { glossaryId }),
        budget,
        concurrency,
        syntax: yield* syntaxOption.make(plan),
        // To remember texts without a store takes 3 µs of CPU a text, as much as to read and write it.
        dedupe: hasStore ? undefined : false
      },
      glossary: files && (yield* glossaries.ofProject(files, plan.dryRun)),
      pricePerMillion: plan.price,
      limit,
      refresh: plan.refresh,
      retryFailed: plan.retryFailed,
      retryFlagged: plan.retryFlagged,
      verify: { ...(yield* checksOption.make(plan)), checksKnown: plan.mark === "flagged" },
      partial,
      maxFailedShare: maxFailed,
      sourceConcurrency
    }
  })

export type Job = Effect.Effect.Success<ReturnType<typeof make>>
