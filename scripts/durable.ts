/**
 * Measures durable jobs with real processes, a real PostgreSQL and an emulator: `npx tsx scripts/durable.ts chaos 10`, `faults 10`, `takeover`,
 * `rate`, `quota`, `told`, `million`. The figures are in `docs/internals/durable-engine.md`.
 */

import * as campaign from "../test/workflow/chaos/campaign.js"
import * as corpus from "../test/workflow/chaos/corpus.js"
import { run as disturb } from "../test/workflow/chaos/disturb.js"
import * as jobs from "../test/workflow/chaos/jobs.js"
import * as million from "../test/workflow/chaos/million.js"
import { prepare } from "../test/workflow/chaos/processes.js"
import * as rates from "../test/workflow/chaos/rates.js"
import * as stops from "../test/workflow/chaos/stops.js"
import * as takeover from "../test/workflow/chaos/takeover.js"

const [what = "", ...rest] = process.argv.slice(2)
const given = rest.map(Number)
const processes = await prepare()
const say = (line: unknown) => console.log(typeof line === "string" ? line : JSON.stringify(line))

/** Files for a job that is not compared with another one. */
const written = (shape: corpus.Shape) => {
  const folder = `${processes.folder}/files-${shape.texts}`
  return { folder, names: corpus.write(folder, shape).names }
}

const measures: Readonly<Record<string, () => Promise<unknown>>> = {
  chaos: async () => {
    const [runs = 10, texts = 40_000, latency = 100] = given
    const undisturbed = await jobs.undisturbed(processes, { texts, files: 8 })
    say({ characters: undisturbed.characters, requests: undisturbed.requests })
    let held = 0
    for (let run = 1; run <= runs; run++) {
      try {
        const {
          output: _,
          status,
          ...found
        } = await disturb(processes, undisturbed, {
          concurrency: 4,
          latency,
          withinSeconds: 400
        })
        const holds =
          status.state === "done" &&
          found.different.length === 0 &&
          found.excess >= 0 &&
          found.excess <= found.doubts.characters
        if (holds) held++
        say({ run, holds, state: status.state, ...found })
      } catch (error) {
        say(`run ${run}: ${String(error)}`)
      }
    }
    say(`${held} of ${runs} runs held`)
    if (held < runs) process.exitCode = 1
  },
  faults: async () => {
    const [runs = 10, seed = 1, texts = 40_000, latency = 1000] = given
    await campaign.run(processes, { runs, seed, texts, latency }, say)
  },
  takeover: async () => {
    const undisturbed = await jobs.undisturbed(processes, { texts: given[1] ?? 40_000, files: 4 })
    for (let run = 0; run < (given[0] ?? 3); run++) {
      say(await takeover.run(processes, undisturbed, { latency: 250 }))
    }
  },
  rate: async () => {
    const [seconds = 90, perSecond = 20] = given
    const files = written({ texts: seconds * perSecond * 40, files: 4 })
    say(await rates.limited(processes, files, { perSecond, seconds }))
  },
  quota: async () => {
    const undisturbed = await jobs.undisturbed(processes, { texts: 4000, files: 4 })
    const { outputs, status, waiting, ...found } = await stops.quota(processes, undisturbed, {
      periods: 2.5,
      periodMillis: 20_000
    })
    say({
      state: status.state,
      waiting: waiting.waiting,
      ...found,
      isSame: [...undisturbed.outputs].every(([name, text]) => outputs.get(name) === text)
    })
  },
  told: async () => {
    const undisturbed = await jobs.undisturbed(processes, { texts: 20_000, files: 4 })
    const { cancelled, paused, ...found } = await stops.told(processes, undisturbed)
    say({ states: [paused.state, cancelled.state], ...found })
  },
  million: async () => {
    const [texts = 1_000_000, workers = 2, latency = 10, concurrency = 8, files = 10] = given
    await million.run(processes, { texts, files, workers, latency, concurrency }, (line) =>
      say(`${new Date().toISOString()} ${line}`)
    )
  }
}

try {
  await measures[what]?.()
} finally {
  processes.remove()
}
process.exit()
