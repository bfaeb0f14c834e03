/** How much of what a service allows workers use together. */

import * as jobs from "./jobs.js"
import type { Entry } from "./log.js"
import { type Processes, pause, until } from "./processes.js"

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
      await until("A request is sent", 60, async () => (await service.meter()).requests > 0)
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

const warmUp = 40_000

/** Requests of each second that so many workers send to a service that takes 100 ms for each, while they are all busy. */
export const unlimited = async (
  processes: Processes,
  undisturbed: Pick<jobs.Undisturbed, "folder" | "names">,
  {
    batchTexts,
    concurrency,
    seconds,
    workers: count
  }: {
    readonly workers: number
    readonly concurrency: number
    readonly seconds: number
    readonly batchTexts?: number
  }
): Promise<{ readonly perSecond: number; readonly cpu: number }> => {
  return jobs.withWorkers(
    processes,
    undisturbed,
    { service: { latency: 100, bare: true }, count, worker: { concurrency } },
    async ({ allSend, job, service, workers }) => {
      await until("The workers are there", 60, async () => {
        const all = await job.control(({ workers }) => workers)
        return all.filter(({ state }) => state === "running").length === count
      })
      // Shards have come to rest on them by then.
      await pause(5000)
      await job.submit({ targets: ["de"], ...(batchTexts === undefined ? {} : { batchTexts }) })
      await allSend()
      // V8 compiles most of what runs in the first half minute: a step takes twice as long then.
      await pause(warmUp)
      const cpu = () => workers.reduce((sum, { cpuSeconds }) => sum + cpuSeconds(), 0)
      const before = { meter: await service.meter(), cpu: cpu() }
      await pause(seconds * 1000)
      const after = { meter: await service.meter(), cpu: cpu() }
      const elapsed = (after.meter.now - before.meter.now) / 1000
      const { state } = await job.status()
      if (state !== "running") throw new Error(`The job was ${state} before it was measured`)
      return {
        perSecond: (after.meter.requests - before.meter.requests) / elapsed,
        cpu: (after.cpu - before.cpu) / elapsed
      }
    }
  )
}
