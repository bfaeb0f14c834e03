/** What is told of a job: before it, what it takes; after it, what was done, what it has cost, and what to do next. */
import * as DateTime from "effect/DateTime"
import type * as FailedUnits from "../../job/FailedUnits.js"
import type * as JobReport from "../../job/JobReport.js"
import type * as TranslationJob from "../../job/TranslationJob.js"
import * as text from "../textTable.js"

/** How many files and reasons are named one by one. */
const most = 20

const sumOf = <A>(all: ReadonlyArray<A>, of: (one: A) => number): number =>
  all.reduce((sum, one) => sum + of(one), 0)

/** A cost, in whatever currency. */
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
  of: (rows) => sumOf(rows, of),
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

/** What a job takes. */
export const ofForecast = (forecast: TranslationJob.JobForecast, price: number | undefined): string => {
  const { budget, targets } = forecast
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
              money((sumOf(rows, ({ characters }) => characters) * price) / 1_000_000)
          }
        ])
  ]
  return [table(targets, columns), ...(budget === undefined ? [] : [ofBudget(forecast)])].join("\n")
}

/** Whether the budget suffices. */
export const ofBudget = ({ budget, characters }: TranslationJob.JobForecast): string => {
  if (budget === undefined) return ""
  return budget.suffices
    ? `The budget of ${text.plural(budget.left, "character")} suffices.`
    : `The budget of ${text.plural(budget.left, "character")} does not suffice: ${text.count(characters - budget.left)} more are needed.`
}

const columns: ReadonlyArray<Column<JobReport.Target>> = [
  column("texts", (target) => target.in),
  column("new", ({ translated }) => translated),
  column("stored", ({ cached }) => cached),
  column("kept", ({ skipped }) => skipped, true),
  column("failed", ({ failed }) => failed),
  column("requests", ({ requests }) => requests),
  column("retries", ({ retries }) => retries, true),
  column("billed", ({ characters }) => characters.least),
  column("maybe billed", ({ characters }) => characters.most - characters.least, true)
]

const costs: ReadonlyArray<Column<JobReport.Target>> = [
  { head: "cost", of: (rows) => money(sumOf(rows, ({ cost }) => cost?.least ?? 0)) },
  {
    head: "maybe more",
    of: (rows) => money(sumOf(rows, ({ cost }) => (cost?.most ?? 0) - (cost?.least ?? 0))),
    isOptional: true
  }
]

/** The first ones, and how many there are besides. */
const first = (lines: ReadonlyArray<string>, noun: string): ReadonlyArray<string> =>
  lines.length <= most
    ? lines
    : [...lines.slice(0, most), `and ${text.plural(lines.length - most, `more ${noun}`)}`]

const nameOf = ({ output, source, targetLang }: JobReport.Output): string =>
  output ?? `${source} into ${targetLang}`

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
  const unchanged = report.outputs.length - told.length
  return [
    ...first(
      told.map((output) =>
        output.error === undefined || output.error.tag === ending?.tag
          ? `${nameOf(output)}: ${states[output.error === undefined ? output.state : "unfinished"]}`
          : `${nameOf(output)}: ${output.error.message}`
      ),
      "output"
    ),
    ...(unchanged === 0 ? [] : [`${text.plural(unchanged, "output")} unchanged`])
  ]
}

/** The texts that failed, by their reasons: how many, and what the first one's error says. */
export const makeReasons = () => {
  const found = new Map<string, { count: number; readonly message: string }>()
  return {
    add: ({ message, reason }: FailedUnits.FailedUnit): void => {
      const known = found.get(reason)
      if (known === undefined) found.set(reason, { count: 1, message })
      else known.count++
    },
    /** Of what has ended the job its error tells. */
    lines: (ending: string | undefined): ReadonlyArray<string> =>
      [...found]
        .filter(([reason]) => reason !== ending)
        .map(([reason, { count, message }]) => `${text.plural(count, "text")} failed (${reason}): ${message}`)
  }
}

export type Reasons = ReturnType<typeof makeReasons>

const ofStale = (outputs: ReadonlyArray<JobReport.Output>): ReadonlyArray<string> => {
  const stale = outputs.flatMap((output) => output.stale.map(({ key }) => `${nameOf(output)}: ${key}`))
  return stale.length === 0
    ? []
    : [
        `${text.plural(stale.length, "translation")} of a person are older than their sources. Mend them in the outputs, or have them translated with --existing overwrite:`,
        ...first(
          stale.map((line) => `  ${line}`),
          "translation"
        )
      ]
}

const ofDoubt = ({ inDoubt }: JobReport.JobReport): ReadonlyArray<string> =>
  (inDoubt?.everything ?? []).map(
    ({ characters, requests, why }) =>
      `May be paid twice: ${text.plural(characters, "character")} of ${text.plural(requests, "request")}, as ${why}.`
  )

/** What was billed, as far as it is known. */
export const billed = ({ targets }: JobReport.JobReport): string => {
  const least = sumOf(targets, ({ characters }) => characters.least)
  const more = sumOf(targets, ({ characters }) => characters.most) - least
  if (least + more === 0) return "Nothing was billed."
  const known = `${text.plural(least, "character")} ${least === 1 ? "was" : "were"} billed`
  return more === 0 ? `${known}.` : `${known}, and up to ${text.count(more)} more may have been.`
}

/** What to do about texts that failed. */
const mend = (failedUnits: string): string =>
  `They are listed in ${failedUnits}: fill in "correction" there, or mend the cause, and run the same again.`

const next = (report: JobReport.JobReport, toSend: number | undefined): string => {
  switch (report.end.state) {
    case "complete":
      return `Everything is translated. ${billed(report)}`
    case "incomplete":
      return billed(report)
    default: {
      const left = Math.max(0, (toSend ?? 0) - sumOf(report.targets, ({ translated }) => translated))
      const rest =
        toSend === undefined ? "" : `${text.plural(left, "text")} ${left === 1 ? "is" : "are"} left: `
      const kept = toSend === undefined ? "What" : "what"
      return `${billed(report)} ${rest}${kept} is translated is stored, and not paid for again.`
    }
  }
}

/** What a summary is made of. */
export interface Options {
  readonly report: JobReport.JobReport
  /** Texts that were neither paid for nor equal to others before the job, if that is known. */
  readonly toSend: number | undefined
  readonly reasons: Reasons
  /** Where the texts that failed are listed. */
  readonly failedUnits: string
}

/** What is to be done after a job, for its page. */
export const nextStep = ({ failedUnits, report, toSend }: Omit<Options, "reasons">): string => {
  const failed = sumOf(report.targets, (target) => target.failed)
  const told = report.end.state === "complete" ? billed(report) : next(report, toSend)
  return failed === 0 ? told : `${text.plural(failed, "text")} failed. ${mend(failedUnits)} ${told}`
}

/** What a job has done. */
export const ofReport = ({ failedUnits, reasons, report, toSend }: Options): string => {
  const { outputs, targets } = report
  const took = DateTime.distance(report.startedAt, report.endedAt)
  const hasCost = targets.some(({ cost }) => cost !== undefined)
  const seconds: Column<JobReport.Target> = {
    head: "seconds",
    of: (rows) => Number((Math.min(took, Math.max(...rows.map((row) => row.took))) / 1000).toFixed(1))
  }
  const failed = reasons.lines(report.end.error?.tag)
  const sections: ReadonlyArray<ReadonlyArray<string>> = [
    [table(targets, [...columns, ...(hasCost ? costs : []), seconds])],
    ofOutputs(report),
    failed.length === 0 ? [] : [...failed, mend(failedUnits)],
    [...ofStale(outputs), ...ofDoubt(report)],
    [next(report, toSend)]
  ]
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")
}
