/** How much of what a service allows workers use together. */

import * as jobs from "./jobs.js"
import type { Entry } from "./log.js"
import { type Processes, patience, pause, until } from "./processes.js"

export interface Rate {
  /** The share of what the service allowed that was served, from the first request to the end. */
  readonly use: number
  /** The same after 30 seconds. */
  readonly laterUse: number
  /** The largest share of refused requests in any 10 seconds, after the first 30. */
  readonly refused: number
  /** Served and refused requests of each second. */
  readonly seconds: ReadonlyArray<readonly [served: number, refused: number]>
  /** Requests that each worker has sent. */
  readonly workers: ReadonlyArray<number>
  /** What workers have warned of. */
  readonly warnings: ReadonlyArray<string>
}

const countsOf = (log: ReadonlyArray<Entry>, from: number, to: number) => {
  const those = log.filter(({ arrived }) => arrived >= from && arrived < to)
  const served = those.filter(({ status }) => status === 200).length
  return { served, refused: those.length - served }
}

/** A service that takes so many requests each second, and three workers. */
export const limited = async (
  processes: Processes,
  undisturbed: Pick<jobs.Undisturbed, "folder" | "names">,
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number }
): Promise<Rate> => {
  return jobs.withWorkers(
    processes,
    undisturbed,
    { service: { latency: 100, requestsPerSecond: perSecond }, count: 3 },
    async ({ job, service, workers }) => {
      await job.submit()
      await until("A request is sent", patience, async () => (await service.meter()).requests > 0)
      await pause(seconds * 1000)
      const log = await service.log()
      const start = Math.min(...log.map(({ arrived }) => arrived))
      const end = start + seconds * 1000
      const later = start + Math.min(30, seconds / 2) * 1000
      const windows: Array<number> = []
      for (let from = later; from + 10_000 <= end; from += 500) {
        const { refused, served } = countsOf(log, from, from + 10_000)
        windows.push(refused / Math.max(1, refused + served))
      }
      const useOf = (from: number) => countsOf(log, from, end).served / ((perSecond * (end - from)) / 1000)
      return {
        use: useOf(start),
        laterUse: useOf(later),
        refused: Math.max(0, ...windows),
        seconds: Array.from({ length: seconds }, (_, second) => {
          const { refused, served } = countsOf(log, start + second * 1000, start + (second + 1) * 1000)
          return [served, refused] as const
        }),
        warnings: workers.flatMap((worker) => worker.output().match(/^.*(?:ERROR|WARN).*$/gm) ?? []),
        workers: workers.map(
          ({ pids }) => log.filter(({ status, worker }) => status === 200 && pids.includes(worker)).length
        )
      }
    }
  )
}
