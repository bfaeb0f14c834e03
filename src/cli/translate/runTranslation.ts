/** One run of a plan: the plan in words, the job, and its summary. */
import { existsSync } from "node:fs"
import type { PlatformError } from "@effect/platform/Error"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Str from "effect/String"
import * as LanguageSupport from "../../client/LanguageSupport.js"
import * as RetryPolicy from "../../client/RetryPolicy.js"
import * as JobReport from "../../job/JobReport.js"
import * as TranslationJob from "../../job/TranslationJob.js"
import type * as Budget from "../../stream/Budget.js"
import type { FailedUnit } from "../../stream/FailedUnits.js"
import * as Progress from "../../stream/Progress.js"
import * as leftOuts from "../discovery/leftOut.js"
import { type Described, Incomplete, usage, withBill } from "../failure.js"
import { Interrupts } from "../interrupts.js"
import { Output } from "../output.js"
import type { ReportUnwritable } from "../report/reportFile.js"
import { Settings } from "../settings/settings.js"
import * as stateFolders from "../stateFolder.js"
import * as stores from "../storeOption.js"
import * as prompt from "../terminal/prompt.js"
import { show } from "../terminal/showProgress.js"
import * as text from "../textTable.js"
import * as acceptedUnits from "./acceptedUnits.js"
import * as authors from "./authorSummary.js"
import * as chosen from "./chosenSummary.js"
import * as words from "./errorText.js"
import * as failedUnits from "./failedUnitsOption.js"
import * as failOnOption from "./failOnOption.js"
import * as jsonEvents from "./jsonEvents.js"
import * as reportOption from "./reportOption.js"
import type { Inputs } from "./sourceFiles.js"
import * as summary from "./summary.js"
import { isPipe, type Plan } from "./translateOptions.js"
import * as translationJob from "./translationJob.js"

/** The retries of the first request, which shows that the service is there: nobody waits long for one that is not. */
const patience = {
  schedule: Schedule.recurs(2).pipe(Schedule.addDelay(() => "500 millis")),
  timeout: "10 seconds"
} as const

const storePatience = Schedule.spaced("500 millis").pipe(Schedule.upTo("3 seconds"))

const impatiently = RetryPolicy.withRetryPolicy(patience)

const nameOf = ({ sources }: Inputs): string =>
  sources.length === 1 ? sources[0]!.path : text.plural(sources.length, "file")

const forecastOf = ({ layer }: stores.Found, job: translationJob.Job) =>
  Effect.provide(impatiently(TranslationJob.forecast(job)), layer)

/** The estimate of a job, once its store was found to be there. */
const estimateOf = ({ layer }: stores.Found, job: translationJob.Job) =>
  Effect.zipRight(Effect.scoped(Layer.build(layer)), impatiently(TranslationJob.estimate(job)))

/** Warns of a budget that does not suffice. The whole sources and the store are asked only if they may make the difference. */
const warningOf = (
  asItIs: stores.Found,
  job: translationJob.Job,
  { characters }: TranslationJob.JobEstimate
) =>
  Effect.gen(function* () {
    const state = yield* job.options.budget?.state ?? Effect.succeed(undefined)
    const isOverBudget = state !== undefined && characters > state.cap - state.spent - state.reserved
    const forecast = isOverBudget ? yield* forecastOf(asItIs, job) : undefined
    return forecast?.budget?.suffices === false ? summary.ofBudget(forecast) : undefined
  })

/** Warns of each source but the first that can't be read, if none can be: the first one's error ends the job. */
const namingAll = <A, E extends Described, R>(job: translationJob.Job, self: Effect.Effect<A, E, R>) =>
  Effect.tapError(self, (error) =>
    Effect.gen(function* () {
      for (const source of job.sources) {
        const other = yield* Effect.flip(TranslationJob.estimate({ ...job, sources: [source] }))
        // By itself it may lack the settings of others.
        if (other.message !== error.message && other._tag !== "InvalidJob") yield* Output.warn(other)
      }
    }).pipe(
      Effect.ignore,
      Effect.when(() => job.sources.length > 1 && error._tag !== "InvalidJob")
    )
  )

/** Checks that the service takes the languages of a pipe: it can be read once, so its content is not known before. */
const checkOf = ({ from, languages: [targetLang] }: Plan) =>
  Effect.flatMap(LanguageSupport.current, ({ check }) =>
    impatiently(check({ targetLang: targetLang!, sourceLang: from }))
  )

/** Fails if a file that the run also writes is a source or an output: one would replace the other. */
const checkFiles = ({ failedUnits, report, store, languages }: Plan, { outputOf, sources }: Inputs) =>
  Effect.gen(function* () {
    const { resolve } = yield* Path.Path
    const taken = new Map<string, string>()
    for (const source of sources) {
      for (const target of languages) taken.set(resolve(outputOf(source)(target)), `the output of ${target}`)
      taken.set(resolve(source.path), "a source")
    }
    for (const [flag, file] of Object.entries({ report, "failed-units": failedUnits, store })) {
      const what = file === undefined ? undefined : taken.get(resolve(file))
      if (what !== undefined) {
        return yield* usage(`--${flag} ${file} is ${what} as well: name another file.`)
      }
    }
  })

/** Prints the plan before the job begins. */
const begin = (plan: Plan, inputs: Inputs, estimate: TranslationJob.JobEstimate, store: string) =>
  Effect.gen(function* () {
    const { outputOf, sources } = inputs
    const files = sources.map((source) => ({
      source: source.path,
      outputs: [...new Set(plan.languages.map(outputOf(source)))]
    }))
    // The output of a query is a table of a file that is open by now.
    const there = files.flatMap(({ outputs, source }) =>
      outputs.filter((output) => plan.query === undefined && output !== source && existsSync(output))
    ).length
    yield* Output.event({ type: "begin", targets: plan.languages, sources: files, store })
    yield* Output.event({ type: "estimate", ...estimate })
    yield* Output.detail(`The store is ${store}.`)
    const named = nameOf(inputs)
    const { characters, isExact, texts } = estimate
    yield* Output.note(
      `Translating ${named} into ${plan.languages.join(", ")}: ${text.estimated(texts, "text", isExact)}, ${text.estimated(characters, "character", isExact)}.`
    )
    if (texts === 0 && isExact && plan.query === undefined)
      yield* Output.note(`${named}: no text was found. Check --format.`)
    if (there > 0) {
      const exist = `${text.plural(there, "output")} ${there === 1 ? "exists" : "exist"}`
      yield* Output.note(
        plan.existing === "overwrite"
          ? `${exist}: written anew.`
          : `${exist}: only new and changed texts are translated.`
      )
    }
  })

/** True if a pilot is as it should be: its outputs are not whole, as was asked. */
const isPilot = ({ limit }: Plan, { outputs, targets }: JobReport.JobReport): boolean =>
  limit !== undefined &&
  !JobReport.hasUnmatchedChoices(outputs) &&
  targets.every(({ failed }) => failed === 0) &&
  outputs.every(({ state }) => state !== "failed" && state !== "unfinished")

const encode = Schema.encodeSync(JobReport.JobReport)

/** True if a job was ended before its first text: its error says all. */
const isRefused = ({ end, targets }: JobReport.JobReport): boolean =>
  end.state === "failed" && targets.every((target) => target.in === 0)

/** Prints the result of a job; of one that was refused only the parts that its error lacks. */
const tell = (options: summary.Options) =>
  Effect.gen(function* () {
    const { report } = options
    yield* Output.result(
      { ...encode(report), leftOut: leftOuts.counts(options.leftOut) },
      isRefused(report) ? summary.ofRefused(report) : summary.ofReport(options)
    )
  })

/** Not all was done. Where a store of objects was away, the same again goes on. */
const incomplete = (message: string, errors: ReadonlyArray<JobReport.Reason | undefined>) =>
  errors.some((error) => error?.tag === "StorageUnavailable")
    ? new words.CommandError("StorageUnavailable", message)
    : new Incomplete({ message })

/** The error of a pipe that can't be read, told like the error of a file. */
const ofUnread = (plan: Plan, { outputs: [output] }: JobReport.JobReport) =>
  isPipe(plan) && output?.error?.tag === "Usage" ? usage(output.error.message) : undefined

/** The error that ends a command after its whole job. */
const judge = (plan: Plan, report: JobReport.JobReport) => {
  if (report.end.state === "complete" || isPilot(plan, report)) return Effect.void
  const failed = report.targets.reduce((sum, target) => sum + target.failed, 0)
  const open = report.outputs.filter(({ state }) => state !== "written" && state !== "unchanged").length
  const found = text.present(
    failed > 0 && `${text.plural(failed, "text")} failed`,
    open > 0 && `${text.plural(open, "output")} not whole`,
    JobReport.hasUnmatchedChoices(report.outputs) && "chosen values are no texts, or nowhere"
  )
  const errors = report.outputs.map(({ error }) => error)
  return Effect.fail(
    ofUnread(plan, report) ?? incomplete(`Not everything is translated: ${found.join(", ")}.`, errors)
  )
}

const runOnce = (
  plan: Plan,
  inputs: Inputs,
  budget: Budget.Service | undefined,
  ended: Ref.Ref<JobReport.JobReport | undefined>
) =>
  Effect.gen(function* () {
    const output = yield* Output
    const { graceful } = yield* Interrupts
    const { dirname, join, normalize } = yield* Path.Path
    const { root, stateFolder } = yield* Settings
    yield* failOnOption.check(plan.failOn)
    const asItIs = yield* stores.openAsItIs(plan.store, { schedule: storePatience })
    const job = yield* translationJob.make(plan, inputs, budget, asItIs.keeps)
    yield* checkFiles(plan, inputs)
    yield* leftOuts.tell(inputs.leftOut)
    const page = yield* reportOption.make(plan, job)
    if (plan.dryRun) {
      const forecast = yield* namingAll(job, forecastOf(asItIs, job))
      yield* output.result(
        { ...forecast, leftOut: leftOuts.counts(inputs.leftOut) },
        text.lines(summary.ofForecast(forecast, plan.price), leftOuts.line(inputs.leftOut))
      )
      const errors = forecast.failures.map(({ error }) => error)
      const found = text.present(
        errors.length > 0 && `${text.plural(errors.length, "file")} can't be translated`,
        forecast.unmatched.some(({ unread }) => unread !== undefined) && "records can't be read",
        (JobReport.hasNoTexts(forecast.unmatched) || chosen.missingIn(forecast).length > 0) &&
          "chosen values are no texts, or nowhere"
      )
      if (found.length === 0) return
      return yield* Effect.fail(incomplete(`${Str.capitalize(found.join(", "))}.`, errors))
    }
    const estimate = isPipe(plan)
      ? yield* Effect.as(checkOf(plan), undefined)
      : yield* namingAll(job, estimateOf(asItIs, job))
    const warning = estimate && (yield* warningOf(asItIs, job, estimate))
    const store = yield* stores.open(plan.store)
    if (estimate === undefined)
      yield* output.event({ type: "begin", targets: plan.languages, store: store.name })
    else {
      yield* begin(plan, inputs, estimate, store.name)
      if (warning !== undefined) yield* output.note(warning)
      if (plan.retryFlagged) yield* output.note(summary.ofRepetition(yield* forecastOf(asItIs, job)))
      const others = authors.ofOtherChoices(estimate.targets)
      const notes = [...others, ...authors.ofOtherTerms(estimate.targets)]
      yield* Effect.forEach(notes, output.note, { discard: true })
      if (others.length > 0 && prompt.hasTerminal()) yield* prompt.confirm("Go on?", { yes: false })
    }
    const named =
      isPipe(plan) || plan.query !== undefined ? identity<string> : yield* failedUnits.namedFrom(root)
    // A pipe that stores nothing leaves nothing behind.
    const file =
      plan.failedUnits ?? (isPipe(plan) && !store.keeps ? undefined : join(store.folder, "failed.jsonl"))
    if (file !== undefined && dirname(file) === normalize(stateFolder)) yield* stateFolders.make
    const totals =
      estimate && Object.fromEntries(estimate.targets.map((target) => [target.targetLang, target.in]))
    const progress = yield* Progress.make({
      totals,
      isEstimate: estimate?.isExact === false,
      pricePerMillion: plan.price
    })
    const reasons = summary.makeReasons()
    const known = {
      estimate,
      limit: plan.limit,
      keeps: store.keeps,
      failedUnits: file,
      leftOut: inputs.leftOut
    }
    const list =
      (type: string, write: (unit: FailedUnit) => Effect.Effect<void>) =>
      (unit: FailedUnit): Effect.Effect<void, PlatformError | ReportUnwritable> =>
        Effect.sync(() => reasons.add(unit)).pipe(
          Effect.zipRight(output.event({ type, ...unit })),
          Effect.zipRight(write(unit))
        )
    const translate = (requested: Effect.Effect<void>) =>
      Effect.gen(function* () {
        const corrections = file === undefined ? 0 : yield* failedUnits.takeCorrections(file, store.keeps)
        if (corrections > 0)
          yield* output.note(`${text.plural(corrections, "correction")} of ${file} stored.`)
        const accepted = file === undefined ? 0 : yield* acceptedUnits.count(file)
        if (accepted > 0) yield* output.note(`${text.plural(accepted, "text")} of ${file} accepted.`)
        return yield* failedUnits.toFile(file, named, (onFailed) =>
          TranslationJob.run({
            ...job,
            sources: job.sources.map(jsonEvents.ofOutputs(output)),
            progress,
            haltWhen: requested,
            onFailed: list("failedUnit", onFailed),
            onFlagged: list("flaggedUnit", onFailed),
            onUnits: page?.onUnits,
            onEnd: (report) =>
              Effect.zipRight(
                Ref.set(ended, report),
                page === undefined || isRefused(report)
                  ? Effect.void
                  : page.write(report, summary.nextStep({ ...known, report }))
              )
          })
        )
      })
    const summarise = Effect.flatMap(Ref.get(ended), (report) =>
      report === undefined ? Effect.void : tell({ ...known, report, reasons })
    )
    const report = yield* graceful((requested) =>
      translate(requested).pipe(jsonEvents.ofProgress(output, progress, requested), show(progress, requested))
    ).pipe(Effect.provide(store.layer), page?.sampling(progress) ?? identity, Effect.ensuring(summarise))
    yield* judge(plan, report)
    yield* Effect.provide(failOnOption.judge(plan, inputs), asItIs.layer)
  }).pipe(Effect.scoped, Effect.mapError(words.describe(inputs)))

/** Runs a plan. An error that ends a job tells the billed characters. */
export const run = (plan: Plan, inputs: Inputs, budget: Budget.Service | undefined) =>
  Effect.flatMap(Ref.make<JobReport.JobReport | undefined>(undefined), (ended) =>
    Effect.catchAll(runOnce(plan, inputs, budget, ended), (error) =>
      Effect.flatMap(Ref.get(ended), (report) =>
        Effect.fail(report === undefined ? error : withBill(error, summary.billOf(report)))
      )
    )
  )
