/** The progress of a job that runs, in words. */
import * as Duration from "effect/Duration"
import type * as ConcurrencyLimit from "../../client/ConcurrencyLimit.js"
import type * as Progress from "../../stream/Progress.js"
import * as text from "../textTable.js"

const about = (value: number, unit: string): string =>
  `about ${value === 1 ? (unit === "hour" ? "an" : "a") : value} ${unit}${value === 1 ? "" : "s"} left`

/** "about 3 minutes left". */
export const timeLeft = (duration: Duration.Duration): string => {
  const seconds = Duration.toSeconds(duration)
  if (seconds < 10) return "a few seconds left"
  if (seconds < 50) return about(Math.ceil(seconds / 10) * 10, "second")
  if (seconds < 59.5 * 60) return about(Math.round(seconds / 60), "minute")
  if (seconds < 47.5 * 3600) return about(Math.round(seconds / 3600), "hour")
  return about(Math.round(seconds / 86_400), "day")
}

/** "12 a second", or a minute if that is less than one. */
const rate = (perSecond: number): string =>
  perSecond >= 1 ? `${text.count(Math.round(perSecond))} a second` : `${Math.ceil(perSecond * 60)} a minute`

/** "4 of 10 texts", "4 texts". */
export const done = ({ done, total }: Pick<Progress.State, "done" | "total">): string =>
  total === undefined ? text.plural(done, "text") : `${text.count(done)} of ${text.plural(total, "text")}`

/** The texts that have failed, if any. */
export const failures = ({ failed }: Pick<Progress.State, "failed">): ReadonlyArray<string> =>
  failed > 0 ? [`${text.count(failed)} failed`] : []

/** The progress, and the speed. */
export const pace = (state: Progress.State): ReadonlyArray<string> =>
  text.present(
    done(state),
    failures(state),
    state.rate > 0 && state.done !== state.total && rate(state.rate),
    state.timeLeft !== undefined && state.done !== state.total && timeLeft(state.timeLeft)
  )

/** The cost so far. */
export const bill = ({ ambiguousCharacters, characters, cost }: Progress.State): ReadonlyArray<string> => [
  `${text.plural(characters, "character")} billed`,
  ...(ambiguousCharacters > 0 ? [`${text.count(ambiguousCharacters)} in doubt`] : []),
  ...(cost === undefined ? [] : [`cost ${cost.least.toFixed(2)}`])
]

/** The requests in flight, and the limit. */
export const requests = (
  { retries }: Progress.State,
  { inUse, limit }: ConcurrencyLimit.State
): ReadonlyArray<string> => [
  `${text.plural(inUse, "request")} in flight`,
  ...(Number.isFinite(limit) ? [`limit ${text.count(limit)}`] : []),
  ...(retries > 0 ? [text.count(retries) + (retries === 1 ? " retry" : " retries")] : [])
]

const outages: Readonly<Record<string, string>> = {
  TransportError: "The service cannot be reached",
  ProxyRefused: "The proxy lets nothing through to the service",
  TimedOut: "The service does not answer in time",
  ServerError: "The service answers with errors"
}

/** The cause for which all requests wait, if they do. */
export const trouble = (
  { nextTry, outage }: Pick<Progress.State, "nextTry" | "outage">,
  { paused }: Pick<ConcurrencyLimit.State, "paused">
): string | undefined => {
  if (outage === undefined) return paused ? "The service asks to wait." : undefined
  const what = outages[outage] ?? "The service does not answer as it should"
  if (nextTry === undefined) return `${what}: waiting.`
  const seconds = Math.ceil(Duration.toSeconds(nextTry))
  return `${what}: ${seconds === 0 ? "trying again." : `waiting, next try in ${text.plural(seconds, "second")}.`}`
}

/** The message of the first Ctrl-C. */
export const halting = "Finishing requests in flight. Press Ctrl-C again to stop now."
