/** Durable jobs whose worker loses the network to its database: what it sends gets lost, and nobody tells either of them. */
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { capability } from "../support/capabilities.js"
import { runs } from "../support/long.js"
import * as networks from "../support/network.js"
import * as jobs from "./chaos/jobs.js"
import { type Processes, patience, pause, prepare, until } from "./chaos/processes.js"

/** A worker in a network of its own, which reaches the service and other workers over a link that is never cut. */
const place = () => {
  const network = networks.make()
  return { network, toDatabase: network.link(), toOthers: network.link() }
}

const namespaces = capability("networks")

describe.skipIf(namespaces.isMissing)(`a worker that is cut off from PostgreSQL${namespaces.why}`, () => {
  let alone: ReturnType<typeof place>
  let beside: ReturnType<typeof place>
  let processes: Processes
  let undisturbed: jobs.Undisturbed

  beforeAll(async () => {
    alone = place()
    beside = place()
    const server = await networks.postgresAt(alone.toDatabase, beside.toDatabase)
    processes = await prepare(Effect.succeed(server))
    undisturbed = await jobs.undisturbed(processes, { texts: 1500, files: 4 })
  })

  afterAll(() => {
    processes?.remove()
    for (const { network } of [alone, beside]) network?.remove()
  })

  /** A job in the middle of which a worker is cut off for so long, and what becomes of it. */
  const run = (
    { network, toDatabase, toOthers }: ReturnType<typeof place>,
    {
      latency,
      others,
      seconds
    }: { readonly latency: number; readonly others: number; readonly seconds: number }
  ) =>
    jobs.withWorkers(
      processes,
      undisturbed,
      {
        service: { latency, host: toOthers.here },
        count: others,
        worker: { address: toOthers.here, concurrency: 2 }
      },
      async ({ allSend, job, newWorker, service }) => {
        const cutOff = newWorker(
          { database: job.database.replace("127.0.0.1", toDatabase.here), address: toOthers.there },
          { within: network.within }
        )
        await job.submit()
        await allSend()
        await until("It is busy", patience, async () => {
          const { open } = await service.meter()
          return open.some(({ worker }) => worker === cutOff.pid())
        })
        toDatabase.cut()
        await pause(seconds * 1000)
        toDatabase.heal()
        const healedAt = Date.now()
        const status = await job.untilState(["done", "failed", "cancelled"])
        const again = (await service.log())
          .filter(({ arrived, worker }) => arrived > healedAt && cutOff.pids.includes(worker))
          .map(({ arrived }) => (arrived - healedAt) / 1000)
        const { characters } = await service.meter()
        return {
          status,
          ends: cutOff.ends,
          /** Seconds until the worker sent something again. */
          again: again[0],
          ...(await job.difference(undisturbed, characters))
        }
      }
    )

  const holds = (found: Awaited<ReturnType<typeof run>>) => {
    const { again, different, doubts, ends, excess, status } = found
    const what = JSON.stringify({ again, doubts, ends, excess })
    expect(status, what).toMatchObject({ state: "done" })
    expect(different, what).toEqual([])
    expect(excess, what).toBeGreaterThanOrEqual(0)
    expect(excess, what).toBeLessThanOrEqual(doubts.characters)
  }

  it.concurrent("for a while goes on by itself, and pays twice at most for requests that the ledger names", async () => {
    holds(await run(alone, { latency: 500, others: 0, seconds: runs(40, 12) }))
  })

  it.concurrent("for longer than its leases is replaced by another one, and pays twice at most for requests that the ledger names", async () => {
    holds(await run(beside, { latency: 2500, others: 1, seconds: runs(30, 20) }))
  })
})
