/** The job of the options of `job submit`. */
import { basename, parse } from "node:path"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as OutputPath from "../../format/OutputPath.js"
import * as GlossarySync from "../../glossary/GlossarySync.js"
import * as VersionedGlossary from "../../glossary/VersionedGlossary.js"
import { hash } from "../../internal/hash.js"
import * as CorpusJob from "../../workflow/CorpusJob.js"
import * as FileCorpus from "../../workflow/FileCorpus.js"
import type { SubmitInput } from "../declarations/jobs.js"
import { type Described, Usage, usage } from "../failure.js"
import { isFolder } from "../namedFiles.js"
import * as optionFlags from "../optionFlags.js"
import * as service from "../serviceClient.js"
import { Settings } from "../settings/settings.js"
import * as checksOption from "../translate/checksOption.js"
import * as glossaries from "../translate/glossaryOption.js"
import * as remoteFiles from "../translate/remoteFiles.js"
import * as sourceFiles from "../translate/sourceFiles.js"
import * as syntaxOption from "../translate/syntaxOption.js"
import * as translateOptions from "../translate/translateOptions.js"
import * as translationJob from "../translate/translationJob.js"
import type { Kind } from "./jobKinds.js"
import type { Place } from "./jobsDatabase.js"
import type { Found } from "./tableCorpus.js"
import * as tableCorpus from "./tableCorpus.js"

const given = <A extends object>(fields: A): A =>
  Record.filter(fields as Record.ReadonlyRecord<string, unknown>, (value) => value !== undefined) as A

/** The flags and settings of `translate` that a job has too. */
const planOf = (input: SubmitInput) =>
  Effect.gen(function* () {
    const { translate } = yield* Settings
    // A table takes the place of files, also of those of the settings.
    const files = input.table === undefined ? input.files : [input.table]
    const plan = yield* translateOptions.make({ ...input, files }, translate)
    return translateOptions.isPipe(plan)
      ? yield* usage("Standard input can't be a job, as workers do not have it: name files.")
      : plan
  })

const invalid = Effect.mapError(({ message }: { readonly message: string }) => new Usage({ message }))

const filesOf = (
  plan: translateOptions.SharedPlan
): Effect.Effect<Found, Described, Settings | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const inputs = yield* sourceFiles.make(plan)
    const { leftOut, sources } = inputs
    const { root, stateFolder } = yield* Settings
    yield* translationJob.checkChosen(plan, inputs)
    const [first, ...others] = sources.map((source) => ({
      path: source.address ?? source.path,
      output: OutputPath.patternOf({ ...plan, isFolder }, source)
    }))
    const options: FileCorpus.Options = given({
      files: [first!, ...others] as const,
      format: plan.format,
      columns: plan.columns.length === 0 ? undefined : plan.columns,
      key: plan.keys.length === 0 ? undefined : plan.keys,
      outputColumn: plan.outputColumn,
      select: plan.fields,
      onBadLine: plan.onBadLine,
      encoding: plan.encoding,
      plurals: plan.plurals,
      maxFileBytes: plan.maxFileBytes,
      existing: plan.existing,
      failed: plan.failed,
      mark: plan.mark,
      removed: plan.removed,
      stateFolder,
      stateRoot: root
    })
    const named = yield* invalid(FileCorpus.reference(options))
    const pinned = yield* invalid(FileCorpus.pinned(options))
    return {
      named,
      corpus: yield* invalid(FileCorpus.reference(pinned)),
      revision: yield* invalid(FileCorpus.revision(pinned)),
      word: parse(basename(first!.path)).name,
      leftOut
    }
  })

/** The glossary of a job: of files, one is made now. */
const glossaryOf = (plan: translateOptions.SharedPlan) =>
  Effect.gen(function* () {
    const { files, glossaryId } = yield* glossaries.make(plan)
    if (files === undefined) return glossaryId
    const bases = new Set(files.dictionaries.map(({ targetLang }) => LanguageCode.base(targetLang)))
    const lacking = plan.languages.filter((target) => !bases.has(LanguageCode.base(target)))
    if (lacking.length > 0) {
      return yield* usage(
        `${plan.glossary} has no terms for ${lacking.join(", ")}: submit a job of its own, without --glossary, for the others.`
      )
    }
    const glossary = yield* glossaries.ofProject(files, false)
    const report = yield* GlossarySync.sync({ ...glossary, lease: VersionedGlossary.lease }).pipe(
      Effect.provide(service.client)
    )
    return report.glossaryId
  })

const decode = Schema.validate(CorpusJob.CorpusJob)

const checked = (job: object) =>
  Effect.mapError(decode(job), (error) => {
    const [issue] = ParseResult.ArrayFormatter.formatErrorSync(error)
    const name = String(issue?.path.findLast((part) => typeof part === "string") ?? "")
    return usage(`${optionFlags.ofDurableJob[name] ?? name}: ${issue?.message ?? "it can't be used"}.`)
  })

/** A name that the same command gives again. */
const nameOf = ({ corpus, named = corpus, word }: Found, rest: object): string => {
  const letters = word.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "")
  return `${(letters === "" ? "job" : letters).slice(0, 40)}-${hash(JSON.stringify([named, rest])).slice(0, 8)}`
}

/** The job of a command line, and the files that are not in it. */
export const make = (input: SubmitInput, place: Place, kinds: ReadonlyArray<Kind>) =>
  Effect.gen(function* () {
    const plan = yield* planOf(input)
    return yield* remoteFiles.provided(plan)(ofPlan(plan, input, place, kinds))
  })

const ofPlan = (
  plan: translateOptions.PlanOf<SubmitInput>,
  input: SubmitInput,
  place: Place,
  kinds: ReadonlyArray<Kind>
) =>
  Effect.gen(function* () {
    const { output, table, where } = input
    if (table === undefined && (output !== undefined || where !== undefined)) {
      return yield* usage("--where and --output are for --table: name the table, or leave them out.")
    }
    const found = yield* table === undefined
      ? filesOf(plan)
      : tableCorpus.make(table, input, plan, place, kinds)
    const targets = plan.targets
    const options = given({
      ...plan.options,
      glossaryId: (yield* glossaryOf(plan)) ?? plan.options.glossaryId
    })
    const { policies } = yield* checksOption.make(plan)
    const checks = Record.isEmptyReadonlyRecord(policies) ? undefined : policies
    const syntax = yield* syntaxOption.make(plan)
    const shown = syntax && { ...syntax, protect: syntax.protect?.map(String) }
    const job = yield* checked(
      given({
        id: input.id ?? nameOf(found, given({ targets, options, checks, syntax: shown })),
        corpus: found.corpus,
        targets,
        options: Object.keys(options).length === 0 ? undefined : options,
        checks,
        syntax,
        revision: input.revision ?? found.revision,
        budget: plan.budget,
        budgetName: input.budgetName,
        pricePerMillion: plan.price,
        retryFailedBefore: input.retryFailed ? yield* DateTime.now : undefined,
        batchTexts: input.batch
      })
    )
    return { job, leftOut: found.leftOut ?? [] }
  })
