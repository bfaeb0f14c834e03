/** One run of a plan: what is to be done, the job, and its summary. */
import { existsSync } from "node:fs"
import type { PlatformError } from "@effect/platform/Error"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Ref from "effect/Ref"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as LanguageSupport from "../../client/LanguageSupport.js"
import * as RetryPolicy from "../../client/RetryPolicy.js"
import * as JobReport from "../../job/JobReport.js"
import * as TranslationJob from "../../job/TranslationJob.js"
import type * as Budget from "../../stream/Budget.js"
import * as Progress from "../../stream/Progress.js"
import { Incomplete, Usage } from "../failure.js"
import { Output } from "../output.js"
import type { ReportUnwritable } from "../report/reportFile.js"
import * as stores from "../storeOption.js"
import { show } from "../terminal/showProgress.js"
import * as text from "../textTable.js"
import * as words from "./errorText.js"
import * as failedUnits from "./failedUnitsFile.js"
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

const forecastOf = (plan: Plan, job: translationJob.Job) =>
  Effect.flatMap(stores.openAsItIs(plan.store, { schedule: storePatience }), ({ layer }) =>
    Effect.provide(impatiently(TranslationJob.forecast(job)), layer)
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
const begin = (plan: Plan, inputs: Inputs, forecast: TranslationJob.JobForecast, store: string) =>
  Effect.gen(function* () {
    const { detail, event, note } = yield* Output
    const { outputOf, sources } = inputs
    const files = sources.map((source) => ({
      source: source.path,
      outputs: plan.targets.map(outputOf(source))
    }))
    const there = sources.flatMap((source) =>
      plan.targets.map(outputOf(source)).filter((output) => output !== source.path && existsSync(output))
    ).length
    yield* event({ type: "begin", targets: plan.targets, sources: files, store })
    yield* event({ type: "forecast", ...forecast })
    for (const path of inputs.leftOut) yield* detail(`${path} is a translation: left out.`)
    yield* detail(`The store is ${store}.`)
    const [first] = sources
    const named = sources.length === 1 ? first!.path : text.plural(sources.length, "file")
    const paid = forecast.targets.reduce((sum, target) => sum + target.paid, 0)
    yield* note(
      `Translating ${named} into ${plan.targets.join(", ")}: ${text.plural(forecast.texts, "text")}${paid === 0 ? "" : `, ${text.count(paid)} of them paid for already`}; ${text.plural(forecast.characters, "character")} to send.`
    )
    if (forecast.texts === 0)
      yield* note(`${named}: no text was found. Check --field, --column and --format.`)
    if (there > 0) {
      yield* note(
        plan.existing === "overwrite"
          ? `${text.plural(there, "output")} there already: written anew.`
          : `${text.plural(there, "output")} there already: only what is new or has changed is translated, and what persons have written stays.`
      )
    }
    if (forecast.budget?.suffices === false) yield* note(summary.ofBudget(forecast))
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

/** Prints what a job has done; nothing of one that was refused. */
const tell = (options: summary.Options) =>
  Effect.gen(function* () {
    const { result } = yield* Output
    const { report } = options
    yield* result(encode(report), isRefused(report) ? "" : summary.ofReport(options))
  })

/** What ends a command that has run its job to the end. */
const judge = (plan: Plan, report: JobReport.JobReport) => {
  if (report.end.state === "complete" || isPilot(plan, report)) return Effect.void
  const failed = report.targets.reduce((sum, target) => sum + target.failed, 0)
  const open = report.outputs.filter(({ state }) => state !== "written" && state !== "unchanged").length
  const found = [
    ...(failed === 0 ? [] : [`${text.plural(failed, "text")} failed`]),
    ...(open === 0 ? [] : [`${text.plural(open, "output")} not whole`])
  ].join(", ")
  return new Incomplete({ message: `Not everything is translated: ${found}.` })
}

/** What a run is told from outside. */
export interface Options {
  readonly budget: Budget.Service | undefined
  /** Ends once the job is to stop in good order. */
  readonly requested: Effect.Effect<void>
}

/** Runs a plan. */
export const run = (plan: Plan, inputs: Inputs, { budget, requested }: Options) =>
  Effect.gen(function* () {
    const output = yield* Output
    const { join } = yield* Path.Path
    const job = yield* translationJob.make(plan, inputs, budget)
    yield* checkFiles(plan, inputs)
    const page = yield* reportOption.make(plan, job)
    if (plan.dryRun) {
      const forecast = yield* forecastOf(plan, job)
      return yield* output.result(forecast, summary.ofForecast(forecast, plan.price))
    }
    const forecast = isPipe(plan) ? yield* Effect.as(checkOf(plan), undefined) : yield* forecastOf(plan, job)
    const store = yield* stores.open(plan.store)
    if (forecast === undefined)
      yield* output.event({ type: "begin", targets: plan.targets, store: store.name })
    else yield* begin(plan, inputs, forecast, store.name)
    const file = plan.failedUnits ?? join(store.folder, "failed.jsonl")
    const totals =
      forecast && Object.fromEntries(forecast.targets.map((target) => [target.targetLang, target.in]))
    const progress = yield* Progress.make({ totals, pricePerMillion: plan.price })
    const ended = yield* Ref.make<JobReport.JobReport | undefined>(undefined)
    const reasons = summary.makeReasons()
    const toSend = forecast?.targets.reduce((sum, { translated }) => sum + translated, 0)
    const translate = Effect.gen(function* () {
      const corrections = yield* failedUnits.takeCorrections(file)
      if (corrections > 0) yield* output.note(`${text.plural(corrections, "correction")} of ${file} stored.`)
      return yield* failedUnits.toFile(file, (onFailed) =>
        TranslationJob.run({
          ...job,
          sources: job.sources.map(jsonEvents.ofOutputs(output)),
          progress,
          haltWhen: requested,
          onFailed: (unit): Effect.Effect<void, PlatformError | ReportUnwritable> =>
            Effect.sync(() => reasons.add(unit)).pipe(
              Effect.zipRight(output.event({ type: "failedUnit", ...unit })),
              Effect.zipRight(onFailed(unit))
            ),
          onUnits: page?.onUnits,
          onEnd: (report) =>
            Effect.zipRight(
              Ref.set(ended, report),
              page === undefined || isRefused(report)
                ? Effect.void
                : page.write(report, summary.nextStep({ report, toSend, failedUnits: file }))
            )
        })
      )
    })
    const summarise = Effect.flatMap(Ref.get(ended), (report) =>
      report === undefined ? Effect.void : tell({ report, toSend, reasons, failedUnits: file })
    )
    const report = yield* translate.pipe(
      Effect.provide(store.layer),
      jsonEvents.ofProgress(output, progress, requested),
      show(progress, requested),
      page?.sampling(progress) ?? identity,
      Effect.ensuring(summarise)
    )
    yield* judge(plan, report)
  }).pipe(Effect.scoped, Effect.mapError(words.describe(inputs)))
