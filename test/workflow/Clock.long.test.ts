/** Durable jobs whose workers have a clock that somebody sets, or that differs from that of others, with a service that takes so many requests a second. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runs } from "../support/long.js"
import * as wallClock from "../support/wallClock.js"
import * as jobs from "./chaos/jobs.js"
import { type Processes, patience, prepare, until } from "./chaos/processes.js"

describe("a job of two workers", () => {
  let processes: Processes
  let undisturbed: jobs.Undisturbed

  beforeAll(async () => {
    processes = await prepare()
    undisturbed = await jobs.undisturbed(processes, { texts: runs(3000, 1500), files: 4 })
  })

  afterAll(() => processes?.remove())

  it("is done in its time though one has a clock that is an hour ahead, and that of the other is set forward by two hours and back by four, and pays twice at most for requests that the ledger names", async () => {
    const clocks = [0, 1].map((hours) => wallClock.make(`${processes.folder}/clock-${hours}`, hours))
    const found = await jobs.withWorkers(
      processes,
      undisturbed,
      { service: { latency: 300, requestsPerSecond: 8 }, count: 0, worker: { concurrency: 4 } },
      async ({ allSend, job, newWorker, service }) => {
        for (const { env } of clocks) newWorker({}, { env })
        await job.submit({ budget: 2 * undisturbed.characters })
        await allSend()
        const start = (await service.meter()).requests
        for (const [index, hours] of [2, -2, 0].entries()) {
          const enough = start + ((undisturbed.requests - start) * (index + 1)) / 4
          await until(`${enough} requests`, patience, async () => (await service.meter()).served >= enough)
          clocks[0]!.set(hours)
        }
        const status = await job.untilState(["done", "failed", "cancelled"])
        const { characters } = await service.meter()
        return { status, ...(await job.difference(undisturbed, characters)) }
      }
    )
    const { different, doubts, excess, status } = found
    const what = JSON.stringify({ doubts, excess, status })
    expect(status, what).toMatchObject({ state: "done" })
    expect(different, what).toEqual([])
    expect(excess, what).toBeGreaterThanOrEqual(0)
    expect(excess, what).toBeLessThanOrEqual(doubts.characters)
  })
})
