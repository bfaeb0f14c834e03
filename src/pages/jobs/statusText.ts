/** Jobs in words and figures. */
import { count, plural } from "../shared/figures.js"
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

export const time = (iso: string): string =>
  new Date(iso).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" })

/** "1,200 of 4,000 texts, 0 of 8 outputs" */
export const done = ({ progress }: Status): string => {
  const { outputs, texts, totalOutputs, totalTexts } = progress
  const of = (value: number, total: number | undefined, noun: string) =>
    total === undefined ? plural(value, noun) : `${count(value)} of ${plural(total, noun)}`
  return totalTexts === 0
    ? of(outputs, totalOutputs, "output")
    : `${of(texts, totalTexts, "text")}, ${of(outputs, totalOutputs, "output")}`
}

/** The reason for which a job waits, or has ended. */
export const reason = ({ error, state, waiting }: Status): string | undefined => {
  if (state === "waiting" && waiting !== undefined) {
    const why = waiting.reason === "quota" ? "The quota is used up" : "The service is down"
    return `${why}: the job goes on by itself at ${time(waiting.until)}, or when it is resumed.`
  }
  return error === undefined ? undefined : `${error.tag}: ${error.message}`
}

/** "de, fr", or how many there are. */
export const languages = ({ targets }: Status): string =>
  targets.length > 8
    ? plural(targets.length, "language")
    : targets.map(({ targetLang }) => targetLang).join(", ")
