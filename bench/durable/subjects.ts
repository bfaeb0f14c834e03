/** The queue by hand, durable jobs and a plain job, over the same files: each in processes of its own, with a database of its own. */
import { once } from "node:events"
import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import type * as Arr from "effect/Array"
import { type Server as Service, start as startProgram } from "../processes.js"
import { connectionsTo, figuresOf } from "../processFigures.js"
import { cli, environment, runner } from "../programs.js"
import type { Counts, Server } from "./server.js"
import * as workers from "./workers.js"

export interface Figures {
  readonly seconds: number
  /** Seconds of the processor: of the process that translates, and of PostgreSQL. */
  readonly cpuSeconds: number
  readonly serverSeconds: number
  /** The most connections to PostgreSQL that a process had. */
  readonly connections: number
  /** The most memory that a process had, in MB. */
  readonly peak: number
  /** Of the whole run, from the start of the process. */
  readonly counts: Counts
}

export interface Measured {
  readonly name: string
  readonly figures: Figures
}

export interface Setting {
  readonly server: Server
  readonly service: Service
  readonly folder: string
  readonly files: Arr.NonEmptyReadonlyArray<string>
  /** A file of one text. */
  readonly one: string
  /** Fails if not all translations are there. */
  readonly check: (outputOf: (file: string) => string) => Promise<void>
}

export const concurrency = 8

const megabytes = (mebibytes: number) => (mebibytes * 1024 * 1024) / 1e6

/** What some work takes of a process and of PostgreSQL. */
const observe = async (
  { server }: Setting,
  pid: () => number,
  work: () => Promise<unknown>
): Promise<Omit<Figures, "counts">> => {
  const cpuOf = () => figuresOf(pid())?.cpuSeconds ?? 0
  let connections = 0
  let peak = 0
  const look = () => {
    connections = Math.max(connections, connectionsTo(pid(), server.port))
    peak = Math.max(peak, figuresOf(pid())?.peakMiB ?? 0)
  }
  const before = await server.cpuSeconds()
  const cpuBefore = cpuOf()
  const timer = setInterval(look, 200)
  const start = performance.now()
  await work()
  const seconds = (performance.now() - start) / 1000
  clearInterval(timer)
  look()
  const cpuSeconds = cpuOf() - cpuBefore
  return {
    seconds,
    cpuSeconds,
    serverSeconds: (await server.cpuSeconds()) - before,
    connections,
    peak: megabytes(peak)
  }
}

const asked = (before: Counts, after: Counts): Counts => ({
  commits: after.commits - before.commits,
  statements:
    after.statements === undefined || before.statements === undefined
      ? undefined
      : after.statements - before.statements
})

const translated = (file: string) => file.replace(/(\.[^.]+)$/, ".de$1")

/** The import is told by itself. */
export const queue = async (setting: Setting): Promise<ReadonlyArray<Measured>> => {
  const { check, files, folder, server, service } = setting
  const database = await server.database()
  const before = await server.counts(database)
  const child = startProgram(
    "./durable/queue.js",
    [database, "de", ...files.map((file) => join(folder, file))],
    {
      env: environment(service.url)
    }
  )
  const ended = async (part: string) => {
    const [told] = await Promise.race([
      once(child, "message"),
      once(child, "exit").then(([code]) => {
        throw new Error(`The queue has ended with ${code}`)
      })
    ])
    if (told !== part) throw new Error(`The queue has ended ${told} in place of ${part}`)
  }
  const goOn = () => child.send("go on")
  const part = (...names: ReadonlyArray<string>) =>
    observe(
      setting,
      () => child.pid!,
      async () => {
        for (const name of names) {
          goOn()
          await ended(name)
        }
      }
    )
  await ended("start")
  const read = await part("import")
  const done = await part("translation", "output")
  const exit = once(child, "exit")
  goOn()
  await exit
  const counts = asked(before, await server.counts(database))
  await check(translated)
  for (const file of files) rmSync(join(folder, translated(file)))
  await server.drop(database)
  return [
    { name: "queue by hand, its import", figures: { ...read, counts } },
    { name: "queue by hand", figures: { ...done, counts } }
  ]
}

/** New texts, then the same again: each with a worker that was just started. */
export const durable = async (setting: Setting): Promise<ReadonlyArray<Measured>> => {
  const { check, files, folder, server, service } = setting
  const database = await server.database()
  const job = async (id: string): Promise<Figures> => {
    const before = await server.counts(database)
    const cluster = await workers.start({ database, service: service.url, folder, count: 1, concurrency })
    mkdirSync(join(folder, id), { recursive: true })
    const figures = await observe(
      setting,
      () => cluster.pids[0]!,
      async () => {
        await cluster.submit(id, files, id)
        for (;;) {
          const state = await cluster.state(id)
          if (state === "done") return
          if (state === "failed") throw new Error(`The job ${id} has failed`)
          await setTimeout(200)
        }
      }
    )
    await cluster.end("SIGTERM")
    const counts = asked(before, await server.counts(database))
    await check((file) => join(id, file))
    rmSync(join(folder, id), { recursive: true })
    return { ...figures, counts }
  }
  const first = await job("new")
  await service.meter()
  const second = await job("stored")
  const { texts } = await service.meter()
  if (texts > 0) throw new Error(`${texts} texts were sent again`)
  await server.drop(database)
  return [
    { name: "durable job", figures: first },
    { name: "durable job, all stored", figures: second }
  ]
}

/** What the process takes by itself is taken off: that of a job of one text. */
export const plain = async (setting: Setting): Promise<ReadonlyArray<Measured>> => {
  const { check, files, folder, one, server, service } = setting
  const run = runner(folder, service.url)
  const job = async (files: ReadonlyArray<string>) => {
    const database = await server.database()
    const before = await server.counts(database)
    let pid = 0
    let cpu = 0
    const figures = await observe(
      setting,
      () => pid,
      async () => {
        const ran = await run(
          [
            ...[cli, "translate", ...files, "--to", "de", "--column", "text", "--existing", "overwrite"],
            ...["--store", database]
          ],
          {
            onStart: (started) => {
              pid = started
            }
          }
        )
        cpu = ran.cpu / 1e6
      }
    )
    const counts = asked(before, await server.counts(database))
    await server.drop(database)
    return { ...figures, cpuSeconds: cpu, counts }
  }
  const alone = await job([one])
  const all = await job(files)
  await check(translated)
  for (const file of [one, ...files]) rmSync(join(folder, translated(file)))
  return [
    {
      name: "plain job",
      figures: {
        ...all,
        cpuSeconds: all.cpuSeconds - alone.cpuSeconds,
        serverSeconds: all.serverSeconds - alone.serverSeconds
      }
    }
  ]
}
