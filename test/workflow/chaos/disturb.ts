/** A job of three workers, to which everything happens that must not matter. */
import * as jobs from "./jobs.js"
import { type Processes, pause, until, type Worker } from "./processes.js"

export interface Disturbance extends jobs.Difference {
  /** What happened, when, and what was in flight then. */
  readonly events: ReadonlyArray<{
    readonly what: string
    /** The share of the requests of an undisturbed job that had come. */
    readonly at: number
    /** Requests that the service had taken from those that it happened to, and not answered. */
    readonly inFlight: number
    readonly characters: number
  }>
  readonly requests: number
  readonly status: Awaited<ReturnType<jobs.Job["status"]>>
  /** How the processes of each worker ended. */
  readonly ends: ReadonlyArray<ReadonlyArray<string>>
  readonly seconds: number
  readonly output: string
}

export interface Options {
  /** Batches that a worker translates at once. */
  readonly concurrency: number
  /** Milliseconds of a request. */
  readonly latency: number
  /** How long PostgreSQL is away. @default 3000 */
  readonly outageMillis?: number
  /** The job has ended by then. */
  readonly withinSeconds: number
}

const anyOf = <A>(values: ReadonlyArray<A>): A => values[Math.floor(Math.random() * values.length)]!

const shuffled = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> =>
  values
    .map((value) => ({ value, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value)

export const run = async (
  processes: Processes,
  undisturbed: jobs.Undisturbed,
  { concurrency, latency, outageMillis = 3000, withinSeconds }: Options
): Promise<Disturbance> => {
  const service = await processes.service({ latency })
  const job = await jobs.make(processes, undisturbed)
  const start = Date.now()
  await job.submit()
  const newWorker = () => processes.worker({ database: job.database, url: service.url, concurrency })
  const workers: Array<Worker> = [newWorker(), newWorker(), newWorker()]
  const left = new Set<Worker>()
  /** One that runs, and that nothing has happened to. */
  const chosen = () => anyOf(workers.filter((worker) => !left.has(worker) && worker.pid() !== undefined))
  const events: Array<Disturbance["events"][number]> = []

  const note = async (what: string, those?: ReadonlyArray<Worker>) => {
    const pids = those?.flatMap((worker) => worker.pid() ?? [])
    const { characters, requests } = await jobs.inFlight(service, pids)
    const at = (await service.meter()).requests / undisturbed.requests
    events.push({ what, at: Math.round(at * 100) / 100, inFlight: requests, characters })
  }

  const happenings = {
    kill: async () => {
      const worker = chosen()
      left.add(worker)
      // Its supervisor starts it again, or its machine is gone.
      const isGone = Math.random() < 0.5
      await note(`kill -9${isGone ? " for good" : ""}`, [worker])
      worker.kill("SIGKILL", isGone)
    },
    terminate: async () => {
      const worker = chosen()
      left.add(worker)
      await note("SIGTERM", [worker])
      worker.kill("SIGTERM", true)
    },
    outage: async () => {
      await note("PostgreSQL stops")
      await processes.stopPostgres()
      await pause(outageMillis)
      await processes.startPostgres()
    },
    join: async () => {
      await note("a worker joins", [])
      workers.push(newWorker())
    }
  }

  const moments = Object.keys(happenings)
    .map(() => 0.02 + Math.random() * 0.83)
    .sort((a, b) => a - b)
  const order = shuffled(Object.values(happenings))
  let output = ""
  try {
    for (const [index, moment] of moments.entries()) {
      await until(
        `${Math.round(moment * 100)} % of the requests`,
        withinSeconds,
        async () => (await service.meter()).requests >= moment * undisturbed.requests,
        20
      )
      await pause(Math.random() * latency)
      await order[index]!()
    }
    const status = await job.untilState(["done", "failed", "cancelled"], withinSeconds)
    const seconds = Math.round((Date.now() - start) / 1000)
    for (const worker of workers) worker.kill("SIGTERM", true)
    await Promise.all(workers.map((worker) => worker.ended()))
    const { characters, requests } = await service.meter()
    return {
      events,
      ...(await job.difference(undisturbed, characters)),
      requests,
      status,
      ends: workers.map(({ ends }) => ends),
      seconds,
      output
    }
  } catch (cause) {
    output = workers.map((worker) => worker.output().slice(-3000)).join("\n----\n")
    const status = await job.status().catch(String)
    throw new Error(
      `${String(cause)}; happened: ${JSON.stringify(events)}; ends: ${JSON.stringify(workers.map(({ ends }) => ends))}; status: ${JSON.stringify(status)}\n${output}`,
      { cause }
    )
  } finally {
    for (const worker of workers) worker.kill("SIGKILL", true)
    service.stop()
    await job.close()
  }
}
