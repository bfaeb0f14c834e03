/** The summary of a job: before it, its forecast; after it, its result, its cost, and the next step. */
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Str from "effect/String"
import * as JobReport from "../../job/JobReport.js"
import type * as TranslationJob from "../../job/TranslationJob.js"
import type * as FailedUnits from "../../stream/FailedUnits.js"
import type * as Outcome from "../../stream/Outcome.js"
import type * as Verification from "../../stream/Verification.js"
import * as leftOuts from "../discovery/leftOut.js"
import * as text from "../textTable.js"
import * as authors from "./authorSummary.js"
import * as chosen from "./chosenSummary.js"

const { most, nameOf } = chosen

/** A cost, in any currency. */
const money = (amount: number): number => Number(amount.toFixed(amount < 1 ? 4 : 2))

interface Column<A> {
  readonly head: string
  /** Of one language, or of all. */
  readonly of: (rows: ReadonlyArray<A>) => number
  /** Left out if it is 0 everywhere. */
  readonly isOptional?: boolean
}

const column = <A>(head: string, of: (row: A) => number, isOptional = false): Column<A> => ({
  head,
  of: (rows) => text.sumOf(rows, of),
  isOptional
})

const table = <A extends { readonly targetLang: string }>(
  targets: ReadonlyArray<A>,
  columns: ReadonlyArray<Column<A>>
): string => {
  const shown = columns.filter(({ isOptional, of }) => isOptional !== true || of(targets) > 0)
  const row = (name: string, rows: ReadonlyArray<A>) => [name, ...shown.map(({ of }) => of(rows))]
  return text.table(
    ["to", ...shown.map(({ head }) => head)],
    [
      ...targets.map((target) => row(target.targetLang, [target])),
      ...(targets.length > 1 ? [row("all", targets)] : [])
    ]
  )
}

/** The message of an error, with its source in front unless it names the source itself. */
const withName = ({ message }: JobReport.Reason, source: string, name = source): string =>
  message.startsWith(source) ? message : `${name}: ${message}`

/** Each file that can't be read, and why. */
export const ofFailures = (failures: TranslationJob.JobForecast["failures"]): ReadonlyArray<string> =>
  failures.map(({ error, source }) => withName(error, source))

/** The forecast of a job. */
export const ofForecast = (forecast: TranslationJob.JobForecast, price: number | undefined): string => {
  const { budget, isExact, targets } = forecast
  const columns: ReadonlyArray<Column<TranslationJob.TargetForecast>> = [
    column("texts", (target) => target.in),
    column("paid for", ({ paid }) => paid),
    column("equal to others", ({ cached, paid }) => cached - paid),
    column("kept", ({ skipped }) => skipped, true),
    column("can't be sent", ({ failed }) => failed, true),
    column("to send", ({ translated }) => translated),
    column("requests", ({ requests }) => requests),
    column("characters", ({ characters }) => characters),
    ...(price === undefined
      ? []
      : [
          {
            head: "cost",
            of: (rows: ReadonlyArray<TranslationJob.TargetForecast>) =>
              money((text.sumOf(rows, ({ characters }) => characters) * price) / 1_000_000)
          }
        ])
  ]
  return text.lines(
    table(targets, columns),
    !isExact && "At most: equal texts were remembered up to four million.",
    budget !== undefined && ofBudget(forecast),
    authors.ofForecast(targets),
    chosen.ofUnread(forecast.unmatched),
    chosen.ofSelection(forecast.unmatched, chosen.missingIn(forecast)),
    ofFailures(forecast.failures)
  )
}

/** The line that compares the budget with the forecast. */
export const ofBudget = ({ budget, characters }: TranslationJob.JobForecast): string => {
  if (budget === undefined) return ""
  return budget.suffices
    ? `The budget of ${text.plural(budget.left, "character")} suffices.`
    : `The budget of ${text.plural(budget.left, "character")} does not suffice: it lacks ${text.plural(characters - budget.left, "character")}.`
}

/** Tells of the texts that are sent once more, as they look wrong. */
export const ofRepetition = ({ characters, targets }: TranslationJob.JobForecast): string => {
  const texts = text.sumOf(targets, ({ translated }) => translated)
  return texts === 0
    ? "No text looks wrong: none is asked for once more."
    : `With those that look wrong, ${text.plural(texts, "text")} ${texts === 1 ? "is" : "are"} sent: ${text.plural(characters, "character")}.`
}

const columns = (isPilot: boolean): ReadonlyArray<Column<JobReport.Target>> => [
  column("texts", (target) => target.in),
  column("new", ({ translated }) => translated),
  column("stored", ({ cached }) => cached),
  column(isPilot ? "not sent" : "kept", ({ skipped }) => skipped, true),
  column("failed", ({ failed }) => failed),
  column("look wrong", ({ flagged = 0 }) => flagged, true),
  column("requests", ({ requests }) => requests),
  column("retries", ({ retries }) => retries, true),
  column("billed", ({ characters }) => characters.least),
  column("maybe billed", ({ characters }) => characters.most - characters.least, true)
]

const costs: ReadonlyArray<Column<JobReport.Target>> = [
  { head: "cost", of: (rows) => money(text.sumOf(rows, ({ cost }) => cost?.least ?? 0)) },
  {
    head: "maybe more",
    of: (rows) => money(text.sumOf(rows, ({ cost }) => (cost?.most ?? 0) - (cost?.least ?? 0))),
    isOptional: true
  }
]

/** The first ones, and the number of the others. */
const first = (lines: ReadonlyArray<string>, noun: string): ReadonlyArray<string> =>
  lines.length <= most
    ? lines
    : [...lines.slice(0, most), `and ${text.plural(lines.length - most, `more ${noun}`)}`]

const states: Readonly<Record<JobReport.Output["state"], string>> = {
  written: "written",
  unchanged: "unchanged",
  partial: "written in part",
  withheld: "not written, as it is not whole",
  failed: "failed",
  unfinished: "not finished"
}

/** Each output that is new or not as it should be; those that were right already are counted. */
const ofOutputs = (report: JobReport.JobReport) => {
  const { error: ending } = report.end
  const told = report.outputs.filter(({ state }) => state !== "unchanged")
  // Several languages may be in one output.
  const unchanged = new Set(
    report.outputs.filter(({ state }) => state === "unchanged").map((output) => nameOf(output))
  ).size
  const lines = told.map((output) =>
    output.error === undefined || output.error.tag === ending?.tag
      ? `${nameOf(output)}: ${states[output.error === undefined ? output.state : "unfinished"]}`
      : withName(output.error, output.source, nameOf(output))
  )
  return text.present(
    first(Arr.dedupe(lines), "output"),
    unchanged > 0 && `${text.plural(unchanged, "output")} unchanged`
  )
}

/** The tag of the error of a text whose translation checks have refused. */
const refusedBy: Verification.TranslationRefused["_tag"] = "TranslationRefused"

/** Counts by name: the number of occurrences, and the message of the first one. */
const makeCounts = () => {
  const counts = new Map<string, { count: number; readonly message: string }>()
  return {
    counts,
    add: (name: string, message: string): void => {
      const known = counts.get(name)
      if (known === undefined) counts.set(name, { count: 1, message })
      else known.count++
    }
  }
}

/** The texts that failed by their reasons, those that checks have refused by these, and the findings in those that look wrong by their checks. */
export const makeReasons = () => {
  const failed = makeCounts()
  const refused = makeCounts()
  const flagged = makeCounts()
  /** The lines of a reason: of texts that checks have refused with each check. */
  const ofReason = (reason: string, { count, message }: { count: number; readonly message: string }) => {
    const checks = reason === refusedBy ? [...refused.counts] : []
    const by = checks.map(([check, { count }]) => `by ${check}: ${text.count(count)}`).join(", ")
    const why = checks.length > 1 ? `refused ${by}` : (checks[0]?.[0] ?? reason)
    const texts = `${text.plural(count, "text")} failed (${why}):`
    return checks.length > 1
      ? [texts, ...checks.map(([, { message }]) => `  ${message}`)]
      : [`${texts} ${message}`]
  }
  return {
    add: ({ checks = [], findings = [], message, reason }: FailedUnits.FailedUnit): void => {
      if (findings.length === 0) failed.add(reason, message)
      for (const check of checks) refused.add(check, message)
      for (const { check, explanation } of findings) flagged.add(check, explanation)
    },
    /** The faults of translations that were kept. */
    findings: (): ReadonlyArray<string> =>
      [...flagged.counts].map(
        ([check, { count, message }]) => `  ${text.count(count)} × ${check}: ${message}`
      ),
    /** The lines of all reasons but the one that has ended the job, whose error tells it. */
    lines: (ending: string | undefined): ReadonlyArray<string> =>
      [...failed.counts]
        .filter(([reason]) => reason !== ending)
        .flatMap(([reason, counts]) => ofReason(reason, counts))
  }
}

export type Reasons = ReturnType<typeof makeReasons>

/** The attempts in doubt of the ledger. A run that has sent nothing adds nothing to it. */
const ofDoubt = ({ inDoubt, targets }: JobReport.JobReport): ReadonlyArray<string> =>
  inDoubt === undefined ||
  (inDoubt.sinceStart.length === 0 && targets.every(({ requests }) => requests === 0))
    ? []
    : inDoubt.everything.map(
        ({ characters, requests, why }) =>
          `May be paid twice: ${text.plural(characters, "character")} of ${text.plural(requests, "request")}, of all runs with this store, as ${why}.`
      )

/** Why other sources of a refused job can't be translated than the one whose error has ended it. */
export const ofRefused = ({ end, outputs }: JobReport.JobReport): string =>
  Arr.dedupe(
    outputs.flatMap((output) =>
      output.error === undefined || output.error.message === end.error?.message
        ? []
        : [withName(output.error, output.source, nameOf(output))]
    )
  ).join("\n")

/** The characters that were billed, as far as that is known. */
export const billOf = ({
  targets
}: JobReport.JobReport): { readonly least: number; readonly most: number } => ({
  least: text.sumOf(targets, ({ characters }) => characters.least),
  most: text.sumOf(targets, ({ characters }) => characters.most)
})

/** The bill. */
export const billed = (report: JobReport.JobReport): string => {
  const { least, most } = billOf(report)
  const more = most - least
  if (least + more === 0) return "Nothing was billed."
  const known = `${text.plural(least, "character")} ${least === 1 ? "was" : "were"} billed`
  return more === 0 ? `${known}.` : `${known}, and up to ${text.count(more)} more may have been.`
}

/** Texts that were left as they are, though they hold letters. */
const ofOnlyPlaceholders = (outputs: ReadonlyArray<JobReport.Output>): ReadonlyArray<string> => {
  const left = text.sumOf(outputs, ({ onlyPlaceholders }) => onlyPlaceholders?.texts ?? 0)
  const named = outputs.flatMap((output) =>
    (output.onlyPlaceholders?.keys ?? []).map((key) => `${nameOf(output)}: ${key}`)
  )
  return chosen.listed(
    `${text.plural(left, "text")} left as ${left === 1 ? "it is" : "they are"}, nothing but placeholders, tags or arguments:`,
    left,
    named,
    "text"
  )
}

const extents: Readonly<Record<ReturnType<typeof JobReport.extent>, string>> = {
  everything: "Everything is translated",
  others: "All other texts are translated",
  nothing: "There was no text to translate"
}

/** The number of translations that look wrong; nothing if there are none. */
const lookWrong = ({ targets }: JobReport.JobReport): string | undefined => {
  const flagged = text.sumOf(targets, ({ flagged = 0 }) => flagged)
  return flagged === 0
    ? undefined
    : `${text.plural(flagged, "text")} ${flagged === 1 ? "looks" : "look"} wrong`
}

/** Where translations that look wrong are listed. */
const ofFlagged = ({
  failedUnits,
  keeps,
  report
}: Pick<Options, "failedUnits" | "keeps" | "report">): string => {
  const wrong = lookWrong(report)
  if (wrong === undefined) return ""
  return failedUnits === undefined
    ? `${wrong}: --failed-units lists them in a file.`
    : `${wrong}: see ${failedUnits}, where ${keeps ? `"correction" may be filled in, or ` : ""}"accepted": true if it is right.`
}

/** The advice about texts that failed. */
const mend = ({ failedUnits, keeps }: Pick<Options, "failedUnits" | "keeps">): string =>
  failedUnits === undefined
    ? "--failed-units lists them in a file: mend the cause, and run the same again."
    : `They are listed in ${failedUnits}: ${keeps ? `fill in "correction" there, or ` : ""}mend the cause, and run the same again.`

const next = ({
  estimate,
  keeps,
  leftOut,
  limit,
  report
}: Pick<Options, "estimate" | "keeps" | "leftOut" | "limit" | "report">): string => {
  switch (report.end.state) {
    case "complete": {
      const extent = JobReport.extent(report)
      const isAll = extent !== "everything" || leftOuts.line(leftOut) === undefined
      const done = isAll ? extents[extent] : "All files are translated but those left out"
      return `${text.present(done, lookWrong(report)).join(", and ")}. ${billed(report)}`
    }
    case "incomplete":
      return limit === undefined
        ? billed(report)
        : `${billed(report)} This was a pilot of ${text.plural(limit, "text")} a file: without --limit the rest is translated.`
    default: {
      const withTranslation = ({ cached, translated }: Outcome.Texts) => translated + cached
      const all = text.sumOf(estimate?.targets ?? [], withTranslation)
      const left = Math.max(0, all - text.sumOf(report.targets, withTranslation))
      const rest =
        estimate === undefined
          ? ""
          : `${Str.capitalize(text.estimated(left, "text", estimate.isExact))} ${left === 1 ? "is" : "are"} left: `
      const kept =
        report.end.error?.tag === "StoreReplaced"
          ? `what this run has translated (${text.plural(
              text.sumOf(report.targets, ({ characters }) => characters.least),
              "character"
            )}) is not in the store that is there now, and is paid for again unless its file is put back`
          : keeps
            ? JobReport.isOfStore(report.end.error)
              ? "stored translations are not paid for again, but answers that the store could not take are"
              : "finished translations are stored and not paid for again"
            : "nothing of it is stored"
      return `${billed(report)} ${rest}${rest === "" ? Str.capitalize(kept) : kept}.`
    }
  }
}

/** The parts of a summary. */
export interface Options {
  readonly report: JobReport.JobReport
  /** The estimate of the job before it, if there was one. */
  readonly estimate: TranslationJob.JobEstimate | undefined
  /** The number of texts of each file that a pilot translates. */
  readonly limit?: number | undefined
  /** True if there is a store that keeps translations. */
  readonly keeps: boolean
  readonly reasons: Reasons
  /** Where the texts that failed are listed; nowhere, of a pipe that stores nothing. */
  readonly failedUnits: string | undefined
  /** Files that are no sources of the job. */
  readonly leftOut: ReadonlyArray<leftOuts.LeftOut>
}

/** The next step after a job, for its page. */
export const nextStep = (options: Omit<Options, "reasons">): string => {
  const { report } = options
  const failed = text.sumOf(report.targets, (target) => target.failed)
  return text
    .present(
      failed > 0 && `${text.plural(failed, "text")} failed. ${mend(options)}`,
      ofFlagged(options) || undefined,
      leftOuts.line(options.leftOut),
      next(options)
    )
    .join(" ")
}

/** The result of a job. */
export const ofReport = (options: Options): string => {
  const { reasons, report } = options
  const { outputs, targets } = report
  const took = DateTime.distance(report.startedAt, report.endedAt)
  const hasCost = targets.some(({ cost }) => cost !== undefined)
  const seconds: Column<JobReport.Target> = {
    head: "seconds",
    of: (rows) => Number((Math.min(took, Math.max(...rows.map((row) => row.took))) / 1000).toFixed(1))
  }
  const failed = reasons.lines(report.end.error?.tag)
  const flagged = ofFlagged(options)
  const sections: ReadonlyArray<ReadonlyArray<string>> = [
    [table(targets, [...columns(options.limit !== undefined), ...(hasCost ? costs : []), seconds])],
    ofOutputs(report),
    failed.length === 0 ? [] : [...failed, mend(options)],
    flagged === "" ? [] : [flagged, ...reasons.findings()],
    chosen.ofUnread(outputs),
    chosen.ofDropped(outputs),
    chosen.ofSelection(outputs, JobReport.unmatchedChoices(outputs)),
    text.present(ofOnlyPlaceholders(outputs), authors.ofReport(outputs), ofDoubt(report)),
    text.present(leftOuts.line(options.leftOut), next(options))
  ]
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")
}
