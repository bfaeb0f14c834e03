/** How much more two workers do than one, where the service takes 100 ms for a request. */
import { setTimeout } from "node:timers/promises"
import type * as Arr from "effect/Array"
import type { Server as Service } from "../processes.js"
import { figuresOf } from "../processFigures.js"
import type { Server } from "./server.js"
import * as workers from "./workers.js"

export interface Rate {
  /** Requests of a second. */
  readonly perSecond: number
  /** Seconds of the processor in a second. */
  readonly cpu: number
}

export interface Options {
  readonly server: Server
  readonly service: Service
  readonly folder: string
  readonly files: Arr.NonEmptyReadonlyArray<string>
  readonly concurrency: number
  readonly seconds: number
}

/** V8 compiles most of what runs in the first half minute. */
export const warmUp = 40

/** Requests that so many workers send while they are all busy. */
export const rateOf = async (
  count: number,
  { concurrency, files, folder, seconds, server, service }: Options
): Promise<Rate> => {
  const database = await server.database()
  const cluster = await workers.start({ database, service: service.url, folder, count, concurrency })
  const cpu = () => cluster.pids.reduce((sum, pid) => sum + (figuresOf(pid)?.cpuSeconds ?? 0), 0)
  await service.meter()
  await cluster.submit("scaling", files, "scaling")
  while ((await service.meter()).requests === 0) await setTimeout(200)
  await setTimeout(warmUp * 1000)
  const start = performance.now()
  const before = cpu()
  await service.meter()
  await setTimeout(seconds * 1000)
  const { requests } = await service.meter()
  const elapsed = (performance.now() - start) / 1000
  const used = cpu() - before
  const state = await cluster.state("scaling")
  await cluster.end("SIGKILL")
  await server.drop(database)
  if (state !== "running") throw new Error(`The job was ${state} before it was measured: take more texts`)
  return { perSecond: requests / elapsed, cpu: used / elapsed }
}
