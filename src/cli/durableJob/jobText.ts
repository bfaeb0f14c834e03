/** Durable jobs in words. */

import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as jobProgress from "../../pages/shared/jobProgress.js"
import * as CorpusJob from "../../workflow/CorpusJob.js"
import * as optionFlags from "../optionFlags.js"
import * as text from "../textTable.js"

/** A time as a person reads it, in the time zone of this machine. */
export const timeOf = (time: DateTime.Utc): string => {
  const date = DateTime.toDate(time)
  const two = (figure: number) => String(figure).padStart(2, "0")
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** Why a job waits. */
export const reasons = { quota: "the quota is used up", outage: "the service is down" } as const

/** The state in a few words, with the reason of a job that waits. */
export const stateOf = ({ error, state, waiting }: CorpusJob.Status): string => {
  if (state === "waiting" && waiting !== undefined) {
    return `waiting until ${timeOf(waiting.until)}: ${reasons[waiting.reason]}`
  }
  return state === "failed" && error !== undefined ? `failed (${error.tag})` : state
}

const partOf = (done: number, total: number | undefined, noun: string): string =>
  total === undefined ? text.plural(done, noun) : `${text.count(done)} of ${text.plural(total, noun)}`

const percentOf = (status: CorpusJob.Status): string => {
  const share = jobProgress.share(status)
  return share === undefined ? "" : `${Math.floor(100 * share)} %`
}

/** The billed characters: a figure, or a range where some of them are not known. */
const range = (figures: { readonly least: number; readonly most: number }): string =>
  figures.least === figures.most
    ? text.count(figures.least)
    : `${text.count(figures.least)} to ${text.count(figures.most)}`

const progressOf = ({ progress }: CorpusJob.Status): string =>
  text
    .present(
      progress.totalTexts !== 0 && partOf(progress.texts, progress.totalTexts, "text"),
      partOf(progress.outputs, progress.totalOutputs, "output")
    )
    .join(", ")

/** The time that a job has run, or ran. */
const took = ({ endedAt, startedAt }: CorpusJob.Status): string | undefined => {
  if (startedAt === undefined || endedAt === undefined) return undefined
  const seconds = Math.round(Duration.toSeconds(DateTime.distanceDuration(startedAt, endedAt)))
  return seconds === 0 ? "less than 1s" : Duration.format(Duration.seconds(seconds))
}

/** A job in one line: its state, its progress, and the billed characters. */
export const lineOf = (status: CorpusJob.Status): string => {
  const failed = jobProgress.failedTexts(status)
  return text
    .present(
      `${status.id}: ${stateOf(status)}`,
      !CorpusJob.isEnded(status) && (percentOf(status) || undefined),
      progressOf(status),
      `${range(status.characters)} characters billed`,
      failed > 0 && `${text.plural(failed, "text")} failed`
    )
    .join(", ")
}

/** A job with all that is known of it. */
export const ofStatus = (status: CorpusJob.Status): string => {
  const { cost, endedAt, error, generation, id, job, startedAt, submittedAt, targets } = status
  const time = took(status)
  const isFlagged = jobProgress.flaggedTexts(status) > 0
  const rows = targets.map((target) => [
    target.targetLang,
    target.translated + target.cached + target.skipped + target.failed,
    target.translated,
    target.cached,
    target.skipped,
    target.failed,
    ...(isFlagged ? [target.flagged ?? 0] : [])
  ])
  return text.lines(
    `${id}: ${stateOf(status)}${generation === 1 ? "" : `, generation ${generation}`}`,
    error !== undefined && optionFlags.named(error.message, optionFlags.ofJob),
    `${job.corpus.kind} into ${targets.map(({ targetLang }) => targetLang).join(", ")}`,
    `Done: ${progressOf(status)}${percentOf(status) === "" ? "" : ` (${percentOf(status)})`}`,
    `Billed: ${range(status.characters)} characters${cost === undefined ? "" : `, cost ${range(cost)}`}${job.budget === undefined ? "" : `, of a budget of ${text.count(job.budget)}`}`,
    `Submitted: ${timeOf(submittedAt)}${startedAt === undefined ? "" : `, begun ${timeOf(startedAt)}`}${endedAt === undefined ? "" : `, ended ${timeOf(endedAt)}`}${time === undefined ? "" : ` after ${time}`}`,
    rows.length > 0 && [
      "",
      text.table(
        ["to", "texts", "new", "stored", "kept", "failed", ...(isFlagged ? ["look wrong"] : [])],
        rows
      )
    ]
  )
}

/** Several jobs. */
export const ofList = (all: ReadonlyArray<CorpusJob.Status>): string =>
  text.table(
    ["job", "state", "done", "failed", "billed", "submitted"],
    all.map((status) => [
      status.id,
      stateOf(status),
      percentOf(status),
      jobProgress.failedTexts(status),
      status.characters.least,
      timeOf(status.submittedAt)
    ])
  )

/** The machines that translate. */
export const ofWorkers = (all: ReadonlyArray<CorpusJob.Worker>): string =>
  text.table(
    ["worker", "state", "in flight", "version", "since", "seen"],
    all.map(({ address, inFlight, seenAt, startedAt, state, version }) => [
      address,
      state,
      inFlight,
      version,
      timeOf(startedAt),
      timeOf(seenAt)
    ])
  )

/** Texts that were not translated. */
export const ofFailures = (all: ReadonlyArray<CorpusJob.Failure>): string =>
  all
    .map(
      ({ key, line, message, source, tag, targetLang }) =>
        `${source}${line === undefined ? "" : `:${line}`} ${key} into ${targetLang}: ${tag}: ${message}`
    )
    .join("\n")
