/** One run of a plan: what is to be done, the job, and its summary. */
import { existsSync } from "node:fs"
import type { PlatformError } from "@effect/platform/Error"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as LanguageSupport from "../../client/LanguageSupport.js"
import * as RetryPolicy from "../../client/RetryPolicy.js"
import type { FailedUnit } from "../../job/FailedUnits.js"
import * as JobReport from "../../job/JobReport.js"
import * as TranslationJob from "../../job/TranslationJob.js"
import type * as Budget from "../../stream/Budget.js"
import * as Progress from "../../stream/Progress.js"
import { type Described, Incomplete, Usage } from "../failure.js"
import { Interrupts } from "../interrupts.js"
import { Output } from "../output.js"
import type { ReportUnwritable } from "../report/reportFile.js"
import * as stores from "../storeOption.js"
import { show } from "../terminal/showProgress.js"
import * as text from "../textTable.js"
import * as words from "./errorText.js"
import * as failedUnits from "./failedUnitsOption.js"
import * as jsonEvents from "./jsonEvents.js"
import * as reportOption from "./reportOption.js"
import type { Inputs } from "./sourceFiles.js"
import * as summary from "./summary.js"
import { isPipe, type Plan } from "./translateOptions.js"
import * as translationJob from "./translationJob.js"

/** What is asked first tells whether there is a service at all: nobody is kept waiting for one that is not there. */
const patience = {
  schedule: Schedule.recurs(2).pipe(Schedule.addDelay(() => "500 millis")),
  timeout: "10 seconds"
} as const

const storePatience = Schedule.spaced("500 millis").pipe(Schedule.upTo("3 seconds"))

const impatiently = RetryPolicy.adjusted(RetryPolicy.make(patience))

const nameOf = ({ sources }: Inputs): string =>
  sources.length === 1 ? sources[0]!.path : text.plural(sources.length, "file")

const forecastOf = ({ layer }: stores.Found, job: translationJob.Job) =>
  Effect.provide(impatiently(TranslationJob.forecast(job)), layer)

/** What a job takes, once its store was found to be there. */
const estimateOf = ({ layer }: stores.Found, job: translationJob.Job) =>
  Effect.zipRight(Effect.scoped(Layer.build(layer)), impatiently(TranslationJob.estimate(job)))

/** Warns of a budget that does not suffice. The whole sources and the store are asked only if they may make the difference. */
const warningOf = (
  asItIs: stores.Found,
  job: translationJob.Job,
  { characters }: TranslationJob.JobEstimate
) =>
  Effect.gen(function* () {
    const state = yield* job.budget?.state ?? Effect.succeed(undefined)
    const isOverBudget = state !== undefined && characters > state.cap - state.spent - state.reserved
    const forecast = isOverBudget ? yield* forecastOf(asItIs, job) : undefined
    return forecast?.budget?.suffices === false ? summary.ofBudget(forecast) : undefined
  })

/** Warns of each source but the first that can't be read, if none can be: the first one's error ends the job. */
const namingAll = <A, E extends Described, R>(job: translationJob.Job, self: Effect.Effect<A, E, R>) =>
  Effect.tapError(self, (error) =>
    Effect.gen(function* () {
      const { warn } = yield* Output
      for (const source of job.sources) {
        const other = yield* Effect.flip(TranslationJob.estimate({ ...job, sources: [source] }))
        if (other.message !== error.message) yield* warn(other)
      }
    }).pipe(
      Effect.ignore,
      Effect.when(() => job.sources.length > 1)
    )
  )

/** A pipe can be read once: what it holds is not known before, but whether the service takes the languages is. */
const checkOf = ({ targets: [targetLang], from }: Plan) =>
  Effect.flatMap(LanguageSupport.current, ({ check }) =>
    impatiently(check({ targetLang: targetLang!, sourceLang: from }))
  )

/** Whether a file that the run writes besides is also a source or an output: one would replace the other. */
const checkFiles = ({ failedUnits, report, store, targets }: Plan, { outputOf, sources }: Inputs) =>
  Effect.gen(function* () {
    const { resolve } = yield* Path.Path
    const taken = new Map<string, string>()
    for (const source of sources) {
      for (const target of targets) taken.set(resolve(outputOf(source)(target)), `the output of ${target}`)
      taken.set(resolve(source.path), "a source")
    }
    for (const [flag, file] of Object.entries({ report, "failed-units": failedUnits, store })) {
      const what = file === undefined ? undefined : taken.get(resolve(file))
      if (what !== undefined) {
        return yield* new Usage({ message: `--${flag} ${file} is ${what} as well: name another file.` })
      }
    }
  })

/** What is to be done, before it is done. */
const begin = (plan: Plan, inputs: Inputs, estimate: TranslationJob.JobEstimate, store: string) =>
  Effect.gen(function* () {
    const { detail, event, note } = yield* Output
    const { outputOf, sources } = inputs
    const files = sources.map((source) => ({
      source: source.path,
      outputs: [...new Set(plan.targets.map(outputOf(source)))]
    }))
    // The output of a query is a table of a file that is open by now.
    const there = files.flatMap(({ outputs, source }) =>
      outputs.filter((output) => plan.query === undefined && output !== source && existsSync(output))
    ).length
    yield* event({ type: "begin", targets: plan.targets, sources: files, store })
    yield* event({ type: "estimate", ...estimate })
    for (const path of inputs.leftOut) yield* detail(`${path} is a translation: left out.`)
    yield* detail(`The store is ${store}.`)
    const named = nameOf(inputs)
    const { characters, isExact, texts } = estimate
    yield* note(
      `Translating ${named} into ${plan.targets.join(", ")}: ${text.estimated(texts, "text", isExact)}, ${text.estimated(characters, "character", isExact)}.`
    )
    if (texts === 0 && isExact && plan.query === undefined)
      yield* note(`${named}: no text was found. Check --format.`)
    if (there > 0) {
      yield* note(
        plan.existing === "overwrite"
          ? `${text.plural(there, "output")} there already: written anew.`
          : `${text.plural(there, "output")} there already: only what is new or has changed, or was made with other options, is translated, and what persons have written stays.`
      )
    }
  })

/** Whether there is nothing to complain of after a pilot: its outputs are not whole, as was asked. */
const isPilot = ({ limit }: Plan, { outputs, targets }: JobReport.JobReport): boolean =>
  limit !== undefined &&
  targets.every(({ failed }) => failed === 0) &&
  outputs.every(({ state }) => state !== "failed" && state !== "unfinished")

const encode = Schema.encodeSync(JobReport.JobReport)

/** Whether a job was ended before its first text: its error says all. */
const isRefused = ({ end, targets }: JobReport.JobReport): boolean =>
  end.state === "failed" && targets.every((target) => target.in === 0)

/** Prints what a job has done; of one that was refused only what its error does not say. */
const tell = (options: summary.Options) =>
  Effect.gen(function* () {
    const { result } = yield* Output
    const { report } = options
    yield* result(encode(report), isRefused(report) ? summary.ofRefused(report) : summary.ofReport(options))
  })

/** Not all was done. Where a store of objects was away, the same again goes on. */
const incomplete = (message: string, errors: ReadonlyArray<JobReport.Reason | undefined>) =>
  errors.some((error) => error?.tag === "StorageUnavailable")
    ? new words.Told("StorageUnavailable", message)
    : new Incomplete({ message })

/** What ends a command that has run its job to the end. */
const judge = (plan: Plan, report: JobReport.JobReport) => {
  if (report.end.state === "complete" || isPilot(plan, report)) return Effect.void
  const failed = report.targets.reduce((sum, target) => sum + target.failed, 0)
  const open = report.outputs.filter(({ state }) => state !== "written" && state !== "unchanged").length
  const found = [
    ...(failed === 0 ? [] : [`${text.plural(failed, "text")} failed`]),
    ...(open === 0 ? [] : [`${text.plural(open, "output")} not whole`])
  ].join(", ")
  const errors = report.outputs.map(({ error }) => error)
  return Effect.fail(incomplete(`Not everything is translated: ${found}.`, errors))
}

/** Runs a plan. */
export const run = (plan: Plan, inputs: Inputs, budget: Budget.Service | undefined) =>
  Effect.gen(function* () {
    const output = yield* Output
    const { graceful } = yield* Interrupts
    const { join } = yield* Path.Path
    const asItIs = yield* stores.openAsItIs(plan.store, { schedule: storePatience })
    const job = yield* translationJob.make(plan, inputs, budget, asItIs.keeps)
    yield* checkFiles(plan, inputs)
    const page = yield* reportOption.make(plan, job)
    if (plan.dryRun) {
      const forecast = yield* namingAll(job, forecastOf(asItIs, job))
      yield* output.result(forecast, summary.ofForecast(forecast, plan.price))
      const errors = forecast.failures.map(({ error }) => error)
      if (errors.length === 0) return
      return yield* Effect.fail(
        incomplete(`${text.plural(errors.length, "file")} can't be translated.`, errors)
      )
    }
    const estimate = isPipe(plan)
      ? yield* Effect.as(checkOf(plan), undefined)
      : yield* namingAll(job, estimateOf(asItIs, job))
    const warning = estimate && (yield* warningOf(asItIs, job, estimate))
    const store = yield* stores.open(plan.store)
    if (estimate === undefined)
      yield* output.event({ type: "begin", targets: plan.targets, store: store.name })
    else {
      yield* begin(plan, inputs, estimate, store.name)
      if (warning !== undefined) yield* output.note(warning)
    }
    const file = plan.failedUnits ?? join(store.folder, "failed.jsonl")
    const totals =
      estimate && Object.fromEntries(estimate.targets.map((target) => [target.targetLang, target.in]))
    const progress = yield* Progress.make({
      totals,
      isEstimate: estimate?.isExact === false,
      pricePerMillion: plan.price
    })
    const ended = yield* Ref.make<JobReport.JobReport | undefined>(undefined)
    const reasons = summary.makeReasons()
    const known = { estimate, keeps: store.keeps, failedUnits: file }
    const list =
      (type: string, write: (unit: FailedUnit) => Effect.Effect<void>) =>
      (unit: FailedUnit): Effect.Effect<void, PlatformError | ReportUnwritable> =>
        Effect.sync(() => reasons.add(unit)).pipe(
          Effect.zipRight(output.event({ type, ...unit })),
          Effect.zipRight(write(unit))
        )
    const translate = (requested: Effect.Effect<void>) =>
      Effect.gen(function* () {
        const corrections = yield* failedUnits.takeCorrections(file, store.keeps)
        if (corrections > 0)
          yield* output.note(`${text.plural(corrections, "correction")} of ${file} stored.`)
        return yield* failedUnits.toFile(file, (onFailed) =>
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
  }).pipe(Effect.scoped, Effect.mapError(words.describe(inputs)))
