/**
 * Durable jobs of worker processes, a PostgreSQL and a service: all of them real. The same in large, and ten times in a row:
 * `npx tsx scripts/durable.ts chaos 10` and `faults 10`.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isCampaign, runs } from "../support/long.js"
import * as disturb from "./chaos/disturb.js"
import * as faults from "./chaos/faults.js"
import * as jobs from "./chaos/jobs.js"
import { type Processes, patience, prepare } from "./chaos/processes.js"
import * as stops from "./chaos/stops.js"
import * as takeover from "./chaos/takeover.js"

let processes: Processes
let undisturbed: jobs.Undisturbed

beforeAll(async () => {
  processes = await prepare()
  undisturbed = await jobs.undisturbed(processes, { texts: 3000, files: 6 })
})

afterAll(() => processes?.remove())

const concurrency = 4

/** The most requests in flight of a worker: a step sends one for each language. */
const mostInFlight = concurrency * jobs.targets.length

describe("a job of three workers", () => {
  it.each(Array.from({ length: runs(2, 1) }, (_, index) => index + 1))(
    "writes the bytes of one process whatever befalls it, and pays twice for texts in flight at most: run %s",
    async () => {
      const { different, doubts, events, excess, status } = await disturb.run(processes, undisturbed, {
        concurrency,
        latency: 500,
        withinSeconds: patience
      })
      const what = JSON.stringify({ events, doubts, excess })
      expect(status, what).toMatchObject({ state: "done" })
      expect(different, what).toEqual([])
      expect(
        status.targets.reduce((sum, { cached, translated }) => sum + cached + translated, 0),
        what
      ).toBe(undisturbed.texts)
      expect(excess, what).toBeGreaterThanOrEqual(0)
      expect(excess, what).toBeLessThanOrEqual(doubts.characters)
      // Those of the killed worker, and those of all four when the database went away.
      expect(doubts.requests, what).toBeLessThanOrEqual(5 * mostInFlight)
    }
  )

  it("has the shards of a killed worker on others, which send the same texts again", async () => {
    // When that is sent depends on what else waits for its turn there.
    const { gaps, moved } = await takeover.run(processes, undisturbed, { latency: 1000 })
    // On a machine that does nothing else.
    expect(moved).toBeLessThan(isCampaign ? 15 : Number.POSITIVE_INFINITY)
    expect(gaps).not.toEqual([])
  })
})

describe("a job of three workers under supervisors", () => {
  it("is done without a hand though workers are killed every five seconds and PostgreSQL stops", async () => {
    const found = await faults.run(processes, undisturbed, {
      plan: [
        { what: "kills", seconds: runs(15, 6) },
        { what: "stop", seconds: 2 }
      ],
      random: faults.randomOf(1),
      concurrency: 2,
      latency: 2000,
      undisturbedSeconds: 0,
      patienceSeconds: 20,
      withinSeconds: patience
    })
    expect(found, JSON.stringify(found)).toMatchObject({ status: { state: "done" }, different: [] })
    expect(found.happened.map(({ what }) => what)).toContain("kill -9, every 5 s")
    expect(faults.holds(found), JSON.stringify(found)).toBe(true)
  })
})

describe("a job of two workers", () => {
  it("goes on by itself when the period of its quota ends, though its workers were started again", async () => {
    const { doubts, excess, outputs, status, waiting, whileWaiting } = await stops.quota(
      processes,
      undisturbed,
      { periods: 1.6, periodMillis: runs(15_000, 8000) }
    )
    expect(waiting.waiting?.reason).toBe("quota")
    expect(status.state).toBe("done")
    expect(whileWaiting).toBe(0)
    expect(outputs).toEqual(undisturbed.outputs)
    // What was just being refused when its worker was killed is in doubt.
    expect(excess).toBeLessThanOrEqual(doubts.reduce((sum, { characters }) => sum + characters, 0))
  })

  it("sends nothing once it was paused or cancelled while busy, and records sent texts", async () => {
    const { afterCancel, afterPause, billed, cancelled, doubts, outputs, paused, recorded } =
      await stops.told(processes, undisturbed)
    expect({ afterCancel, afterPause }).toEqual({ afterCancel: 0, afterPause: 0 })
    expect([paused.state, cancelled.state]).toEqual(["paused", "cancelled"])
    expect(recorded).toBe(billed)
    expect({ doubts, outputs }).toEqual({ doubts: [], outputs: [] })
  })
})
