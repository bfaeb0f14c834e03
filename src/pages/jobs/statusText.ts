/** Jobs in words and figures. */
import { count, plural } from "../shared/dom.js"
import type { Status } from "./api.js"

export const states: Readonly<Record<string, string>> = {
  submitted: "Submitted",
  running: "Running",
  paused: "Paused",
  waiting: "Waiting",
  cancelling: "Cancelling",
  done: "Done",
  failed: "Failed",
  cancelled: "Cancelled"
}

export const isEnded = ({ state }: Status): boolean =>
  state === "done" || state === "failed" || state === "cancelled"

interface Range {
  readonly least: number
  readonly most: number
}

export const money = (value: number): string =>
  value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: value < 0.1 ? 4 : 2 })

export const range = ({ least, most }: Range, show: (value: number) => string): string =>
  least === most ? show(least) : `${show(least)} to ${show(most)}`

export const time = (iso: string): string =>
  new Date(iso).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" })

/** "1 min 5 s" */
export const span = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  const parts = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"]
  ] as const
  const told = parts.filter(([value]) => value > 0).slice(0, 2)
  return told.length === 0 ? "0 s" : told.map(([value, unit]) => `${value} ${unit}`).join(" ")
}

/** "1,200 of 4,000 texts, 0 of 8 outputs" */
export const done = ({ progress }: Status): string => {
  const { outputs, texts, totalOutputs, totalTexts } = progress
  const of = (value: number, total: number | undefined, noun: string) =>
    total === undefined ? plural(value, noun) : `${count(value)} of ${plural(total, noun)}`
  return totalTexts === 0
    ? of(outputs, totalOutputs, "output")
    : `${of(texts, totalTexts, "text")}, ${of(outputs, totalOutputs, "output")}`
}

/** What holds a job up, or has ended it. */
export const reason = ({ error, state, waiting }: Status): string | undefined => {
  if (state === "waiting" && waiting !== undefined) {
    const why = waiting.reason === "quota" ? "The quota is used up" : "The service is down"
    return `${why}: the job goes on by itself at ${time(waiting.until)}, or when it is resumed.`
  }
  return error === undefined ? undefined : `${error.tag}: ${error.message}`
}

/** "de, fr", or how many there are. */
export const languages = ({ job }: Status): string =>
  job.targets.length > 8 ? plural(job.targets.length, "language") : job.targets.join(", ")
