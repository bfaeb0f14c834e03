/** A worker is killed, and stays so: how long until others go on with its shards. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as jobs from "./jobs.js"
import { type Processes, patience, pause, until } from "./processes.js"

export interface Takeover {
  /** Seconds until others held all of its shards. */
  readonly moved: number
  /** Batches that were in flight at the kill, and how long after it somebody else sent each, in seconds. */
  readonly gaps: ReadonlyArray<number>
  /** The longest time in which nobody sent anything. */
  readonly silence: number
}

export const run = async (
  processes: Processes,
  undisturbed: jobs.Undisturbed,
  { latency }: { readonly latency: number }
): Promise<Takeover> => {
  const worker = { concurrency: 4 }
  return jobs.withWorkers(
    processes,
    undisturbed,
    { service: { latency, bare: true, isNumbered: true }, count: 3, worker },
    async ({ allSend, job, service, workers }) => {
      await job.submit()
      await allSend()
      /** Shards that are held. */
      const held = () =>
        job.run(
          Effect.flatMap(SqlClient.SqlClient, (sql) =>
            Effect.map(
              sql<{ count: number }>`SELECT count(*)::int AS count FROM cluster_locks
              WHERE acquired_at > now() - INTERVAL '6 seconds'`,
              (rows) => rows[0]!.count
            )
          )
        )
      const shards = await until("All shards are held", patience, async () => {
        const count = await held()
        await pause(1500)
        return count > 0 && count === (await held()) ? count : undefined
      })
      const victim = workers[1]!
      const pid = victim.pid()!
      const isTheirs = ({ worker }: { readonly worker: number }) => worker === pid
      await until(
        "The worker has requests in flight",
        patience,
        async () => (await service.meter()).open.some(isTheirs),
        5
      )
      const killedAt = Date.now()
      victim.kill("SIGKILL", true)
      await victim.ended()
      const at = Date.now()
      const moved = until(
        "The shards of the killed worker are held",
        patience,
        async () => (await held()) >= shards
      ).then(() => (Date.now() - at) / 1000)
      const batchesOf = async () => {
        const [log, { open }] = await Promise.all([service.log(), service.meter()])
        return [...log, ...open]
      }
      // Of what has ended since then it did not get the answer.
      const lost = (await batchesOf()).filter(
        (entry) => isTheirs(entry) && (!("ended" in entry) || Number(entry.ended) > killedAt)
      )
      const lostTexts = lost.map(({ first, lang }) => ({ first, lang }))
      const gaps = await until("The batches of the killed worker are sent by others", patience, async () => {
        const later = (await batchesOf()).filter((entry) => entry.worker !== pid && entry.arrived >= at)
        const found = lostTexts.map(
          ({ first, lang }) =>
            later.find((entry) => entry.lang === lang && entry.numbers?.includes(first) === true)?.arrived
        )
        return lostTexts.length > 0 && found.every((arrived) => arrived !== undefined)
          ? found.map((arrived) => (arrived! - at) / 1000)
          : undefined
      })
      const arrivals = (await batchesOf())
        .map(({ arrived }) => arrived)
        .filter((arrived) => arrived >= at)
        .sort((a, b) => a - b)
      const silence =
        Math.max(...arrivals.map((arrived, index) => arrived - (arrivals[index - 1] ?? at))) / 1000
      return { moved: await moved, gaps, silence }
    }
  )
}
