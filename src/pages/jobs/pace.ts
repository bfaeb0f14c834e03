/** The speed of jobs, by the samples of the last minute, and the time for the rest. */
import { count, span } from "../shared/figures.js"
import type { Status } from "./api.js"

/** The milliseconds whose samples give the speed of a job, and those after which it is first shown. */
const [recent, soonest] = [60_000, 3000]

interface Sample {
  readonly at: number
  readonly texts: number
  readonly generation: number
}

const samples = new Map<string, Array<Sample>>()

/** Takes note of how far jobs are. */
export const take = (jobs: ReadonlyArray<Status>): void => {
  const at = performance.now()
  for (const { generation, id, progress, state } of jobs) {
    const known = samples.get(id)
    if (state !== "running") samples.delete(id)
    else if (known?.[0]?.generation === generation) known.push({ at, texts: progress.texts, generation })
    else samples.set(id, [{ at, texts: progress.texts, generation }])
  }
  for (const [id, known] of samples) {
    while (known.length > 0 && known[0]!.at < at - recent) known.shift()
    if (known.length === 0) samples.delete(id)
  }
}

/** Texts a second; `undefined` of a job that does not run, or was seen for a moment only. */
export const perSecond = ({ id }: Status): number | undefined => {
  const known = samples.get(id) ?? []
  const [first, last] = [known[0], known.at(-1)]
  return first === undefined || last === undefined || last.at - first.at < soonest
    ? undefined
    : (1000 * (last.texts - first.texts)) / (last.at - first.at)
}

/** About how many milliseconds are left; `undefined` if nobody can tell. */
export const left = (job: Status): number | undefined => {
  const { texts, totalTexts } = job.progress
  const pace = perSecond(job)
  return pace === undefined || pace === 0 || totalTexts === undefined
    ? undefined
    : (1000 * (totalTexts - texts)) / pace
}

export const rate = (texts: number): string =>
  texts < 10 ? texts.toLocaleString("en", { maximumFractionDigits: 1 }) : count(Math.round(texts))

/** "1,200 texts a second, about 5 min left" */
export const told = (job: Status): ReadonlyArray<string> => {
  const [pace, rest] = [perSecond(job), left(job)]
  return [
    ...(pace === undefined ? [] : [`${rate(pace)} texts a second`]),
    ...(rest === undefined ? [] : [`about ${span(rest)} left`])
  ]
}
