/** Runs of `faults.ts` in a row, and what they come to. */
import * as faults from "./faults.js"
import * as jobs from "./jobs.js"
import type { Processes } from "./processes.js"

export interface Options {
  readonly runs: number
  /** Of the first run; each has one more. */
  readonly seed: number
  readonly texts: number
  readonly latency: number
}

interface Step {
  readonly kind: string
  readonly seconds: number
}

const summaryOf = (name: string, steps: ReadonlyArray<Step>): string => {
  const sorted = steps.map(({ seconds }) => seconds).sort((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)]
  return `${name}: ${sorted.length} steps that were struck went on, ${median} s after (median), ${sorted.at(-1)} s at most`
}

const toldOf = (seconds: faults.Happened["seconds"]): string =>
  seconds.length === 0
    ? "nothing was under way there"
    : `steps that it struck went on after ${seconds.map((each) => (each === undefined ? "– (nothing was left)" : `${each} s`)).join(", ")}`

const percent = (share: number) => `${Math.round(share * 100)} %`

export const run = async (
  processes: Processes,
  { latency, runs, seed: firstSeed, texts }: Options,
  say: (line: unknown) => void
) => {
  const undisturbed = await jobs.undisturbed(processes, { texts, files: 8 })
  say({ characters: undisturbed.characters, requests: undisturbed.requests })
  const steps: Array<Step> = []
  const shares: Array<number> = []
  let held = 0
  for (let run = 1; run <= runs; run++) {
    const seed = firstSeed + run - 1
    const random = faults.randomOf(seed)
    try {
      const found = await faults.run(processes, undisturbed, {
        plan: faults.planOf(random),
        random,
        concurrency: 4,
        latency,
        undisturbedSeconds: 20,
        patienceSeconds: 40,
        withinSeconds: 900
      })
      const { happened, rates, status, ...rest } = found
      for (const { kind, seconds, share, what } of happened) {
        const known = seconds.filter((each) => each !== undefined)
        steps.push(...known.map((seconds) => ({ kind, seconds })))
        say(`run ${run}, at ${percent(share)}: ${what}; ${toldOf(seconds)}`)
      }
      const share = rates.kills === undefined ? undefined : rates.kills / rates.undisturbed
      if (share !== undefined) shares.push(share)
      const holds = faults.holds(found)
      if (holds) held++
      say({ run, seed, holds, state: status.state, rates, share, ...rest })
    } catch (error) {
      say(`run ${run}, seed ${seed}: ${String(error)}`)
    }
  }
  say(`${held} of ${runs} runs held`)
  if (held < runs) process.exitCode = 1
  for (const kind of new Set(steps.map(({ kind }) => kind))) {
    say(
      summaryOf(
        kind,
        steps.filter((step) => step.kind === kind)
      )
    )
  }
  if (steps.length > 0) say(summaryOf("all", steps))
  if (shares.length > 0)
    say(`with kills every 5 s, of the undisturbed throughput: ${shares.map(percent).join(", ")}`)
}
