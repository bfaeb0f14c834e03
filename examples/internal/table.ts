/** The table at the end. */
import Table from "cli-table3"
import { Number as Num } from "effect"
import type { Meter } from "effect-translate/emulator"
import type { Job } from "./job.js"
import type { Totals } from "./ledger.js"

import { count, plural } from "./words.js"

const sum = (totals: ReadonlyArray<Totals>, pick: (totals: Totals) => number) => Num.sumAll(totals.map(pick))

const headings = [
  "to",
  "texts",
  "unique",
  "requests",
  "retries",
  "characters\nbilled",
  "failed",
  "seconds",
  "texts/s"
]

/** No frame, one line below the headings. */
const style = {
  colAligns: headings.map((_, index): "left" | "right" => (index === 0 ? "left" : "right")),
  style: { head: [], border: [], compact: true, "padding-left": 1, "padding-right": 1 },
  chars: {
    top: "",
    "top-mid": "",
    "top-left": "",
    "top-right": "",
    bottom: "",
    "bottom-mid": "",
    "bottom-left": "",
    "bottom-right": "",
    left: "",
    "left-mid": "",
    mid: "─",
    "mid-mid": "",
    right: "",
    "right-mid": "",
    middle: ""
  }
}

export const make = (job: Job, totals: ReadonlyArray<Totals>, meter: Meter.Meter): string => {
  const unique = job.unique === undefined ? "> 1,000,000" : count(job.unique)
  const row = (name: string, rows: ReadonlyArray<Totals>) => {
    const texts = sum(rows, ({ tally }) => tally.in)
    const seconds = sum(rows, ({ seconds }) => seconds)
    return [
      name,
      count(texts),
      unique,
      count(sum(rows, ({ requests }) => requests)),
      count(sum(rows, ({ retries }) => retries)),
      count(sum(rows, ({ tally }) => tally.characters)),
      count(sum(rows, ({ tally }) => tally.failed)),
      seconds.toFixed(2),
      count(Math.round(texts / seconds))
    ]
  }
  const table = new Table({ ...style, head: headings })
  for (const one of totals) table.push(row(one.language, [one]))
  table.push(row("all", totals))
  const files = totals.map(({ language }) => `  ${job.shown(job.target(language))}`)
  return `
${table.toString()}

The service's own meter: ${plural(meter.requests, "request")}, ${plural(meter.characters, "character")} billed.
Written:
${files.join("\n")}`
}
