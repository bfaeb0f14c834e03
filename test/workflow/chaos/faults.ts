/**
 * A job of three workers under supervisors, to which faults happen one after the other: how long until what each has struck goes on, and
 * that nobody needs to help.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as jobs from "./jobs.js"
import type { Entry } from "./log.js"
import { type Processes, patience, pause, until } from "./processes.js"
import * as recovery from "./recovery.js"
import * as supervised from "./supervised.js"

export type Planned =
  /** PostgreSQL is away for so many seconds. */
  | { readonly what: "stop"; readonly seconds: number }
  /** A worker is stopped, and goes on after so many seconds. */
  | { readonly what: "freeze"; readonly seconds: number }
  /** All connections to the database are ended. */
  | { readonly what: "terminate" }
  /** For so many seconds, one of the workers is killed every five. */
  | { readonly what: "kills"; readonly seconds: number }
  /** A supervisor is killed. */
  | { readonly what: "supervisor" }

export interface Happened extends recovery.Fault {
  readonly kind: Planned["what"]
  /** The share of the requests of an undisturbed job that had come. */
  readonly share: number
  /** Seconds until each step that it struck was gone on with. */
  readonly seconds: ReadonlyArray<number | undefined>
}

export interface Found extends jobs.Difference {
  readonly happened: ReadonlyArray<Happened>
  /** What was planned, and did not happen as the job had ended. */
  readonly skipped: ReadonlyArray<string>
  /** Texts of each second before anything happened, and, where workers were killed again and again, meanwhile. */
  readonly rates: { readonly undisturbed: number; readonly kills: number | undefined }
  /** Seconds that workers have outlived their supervisors. */
  readonly orphans: ReadonlyArray<number>
  readonly status: Awaited<ReturnType<jobs.Job["status"]>>
  /** How the supervisors have ended. */
  readonly ends: ReadonlyArray<ReadonlyArray<string>>
  readonly seconds: number
}

export const holds = ({ different, doubts, excess, status }: Found): boolean =>
  status.state === "done" && different.length === 0 && excess >= 0 && excess <= doubts.characters

/** The same numbers from 0 to 1 for the same seed. */
export const randomOf = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Random = ReturnType<typeof randomOf>

const anyOf = <A>(random: Random, values: ReadonlyArray<A>): A | undefined =>
  values[Math.floor(random() * values.length)]

/** Three of the five. */
export const planOf = (random: Random): ReadonlyArray<Planned> => {
  const all: ReadonlyArray<Planned> = [
    { what: "stop", seconds: 1 + Math.round(random() * 29) },
    { what: "freeze", seconds: 60 },
    { what: "terminate" },
    { what: "kills", seconds: 60 },
    { what: "supervisor" }
  ]
  return all
    .map((planned) => ({ planned, at: random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, 3)
    .map(({ planned }) => planned)
}

export interface Options {
  readonly plan: ReadonlyArray<Planned>
  readonly random: Random
  /** Requests that a worker has in flight at once. */
  readonly concurrency: number
  /** Milliseconds of a request. */
  readonly latency: number
  /** For how many seconds all work before anything happens. */
  readonly undisturbedSeconds: number
  /** How long a fault is waited for until all that it has struck goes on. */
  readonly patienceSeconds: number
  /** The job has ended by then. */
  readonly withinSeconds: number
}

const betweenKills = 5000

const ended = ["done", "failed", "cancelled"] as const

export const run = async (
  processes: Processes,
  undisturbed: jobs.Undisturbed,
  { concurrency, latency, patienceSeconds, plan, random, undisturbedSeconds, withinSeconds }: Options
): Promise<Found> => {
  const service = await processes.service({ latency, isNumbered: true })
  const job = await jobs.make(processes, undisturbed)
  const newWorker = await supervised.prepare(processes)
  const start = Date.now()
  await job.submit()
  const workers = [1, 2, 3].map(() => newWorker({ database: job.database, url: service.url, concurrency }))
  const faults: Array<Omit<Happened, "seconds">> = []
  const skipped: Array<string> = []
  const orphans: Array<Promise<number>> = []
  const log: Array<Entry> = []
  let kills: { readonly from: number; readonly to: number } | undefined

  const refresh = async () => void log.push(...(await service.log(log.length)))
  const hasEnded = async () => {
    const status = await job.status().catch(() => undefined)
    return status !== undefined && ended.some((state) => state === status.state)
  }
  const running = () => workers.flatMap((worker) => worker.worker() ?? [])

  /** What it strikes can go on once it has acted. */
  const happens = async (
    fault: Omit<Happened, "at" | "from" | "share" | "seconds">,
    act: () => unknown
  ): Promise<recovery.Fault> => {
    const share = (await service.meter()).requests / undisturbed.requests
    const at = Date.now()
    await act()
    const happened = { ...fault, at, from: Date.now(), share: Math.round(share * 100) / 100 }
    faults.push(happened)
    return happened
  }

  /** Until all goes on that it has struck, or for so long as one can wait for that. */
  const goesOn = async (fault: recovery.Fault) => {
    const end = fault.from + patienceSeconds * 1000
    do {
      // What was under way has ended by then.
      await pause(latency + 500)
      await refresh()
      if (recovery.secondsOf(log, fault).every((seconds) => seconds !== undefined)) return
    } while (Date.now() < end && !(await hasEnded()))
  }

  const makeHappen = async (planned: Planned): Promise<recovery.Fault | undefined> => {
    const kind = planned.what
    switch (planned.what) {
      case "stop":
        return happens({ kind, what: `PostgreSQL is away for ${planned.seconds} s` }, async () => {
          await processes.stopPostgres()
          await pause(planned.seconds * 1000)
          await processes.startPostgres()
        })
      case "terminate":
        return happens({ kind, what: "pg_terminate_backend of all" }, () =>
          job.run(
            Effect.flatMap(
              SqlClient.SqlClient,
              (sql) =>
                sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()`
            )
          )
        )
      case "freeze": {
        const pid = anyOf(random, running())
        if (pid === undefined) return undefined
        const thawedAt = Date.now() + planned.seconds * 1000
        const fault = await happens(
          { kind, what: `SIGSTOP for ${planned.seconds} s`, pids: [pid], thawedAt },
          () => supervised.signal(pid, "SIGSTOP")
        )
        await pause(thawedAt - Date.now())
        supervised.signal(pid, "SIGCONT")
        return fault
      }
      case "kills": {
        const from = Date.now()
        const end = from + planned.seconds * 1000
        let last: recovery.Fault | undefined
        for (let at = from; at < end && !(await hasEnded()); at += betweenKills) {
          const pid = anyOf(random, running())
          if (pid !== undefined) {
            last = await happens({ kind, what: "kill -9, every 5 s", pids: [pid] }, () =>
              supervised.signal(pid, "SIGKILL")
            )
          }
          await pause(at + betweenKills - Date.now())
        }
        await refresh()
        const to = (await hasEnded()) ? Math.max(...log.map(({ ended }) => ended)) : Date.now()
        kills = { from, to }
        return last
      }
      case "supervisor": {
        const worker = anyOf(random, workers)!
        const pid = worker.worker()
        if (pid === undefined) return undefined
        return happens({ kind, what: "SIGKILL of a supervisor", pids: [pid] }, () => {
          worker.killSupervisor()
          const at = Date.now()
          const lives = until("The worker ends", withinSeconds, () => !supervised.isAlive(pid), 100)
          orphans.push(
            lives.then(
              () => (Date.now() - at) / 1000,
              () => withinSeconds
            )
          )
        })
      }
    }
  }

  try {
    await until("All workers have sent requests", patience, async () => {
      await refresh()
      const pids = running()
      return pids.length === 3 && pids.every((pid) => log.some(({ worker }) => worker === pid))
    })
    const steadyAt = Date.now()
    await pause(undisturbedSeconds * 1000)
    const firstAt = Date.now()
    for (const planned of plan) {
      if (await hasEnded()) {
        skipped.push(planned.what)
        continue
      }
      const fault = await makeHappen(planned)
      if (fault !== undefined) await goesOn(fault)
      await pause(2000 + random() * 4000)
    }
    const status = await job.untilState(ended, withinSeconds)
    const seconds = Math.round((Date.now() - start) / 1000)
    const ends = await Promise.all(workers.map((worker) => worker.end()))
    for (const worker of workers) worker.remove()
    await refresh()
    const { characters } = await service.meter()
    return {
      happened: faults.map((fault) => ({ ...fault, seconds: recovery.secondsOf(log, fault) })),
      skipped,
      rates: {
        undisturbed: recovery.rateOf(log, steadyAt, firstAt),
        kills: kills === undefined ? undefined : recovery.rateOf(log, kills.from, kills.to)
      },
      orphans: await Promise.all(orphans),
      ...(await job.difference(undisturbed, characters)),
      status,
      ends,
      seconds
    }
  } catch (cause) {
    const status = await job.status().catch(String)
    const outputs = workers.map((worker) => worker.output().slice(-3000)).join("\n----\n")
    throw new Error(
      `${String(cause)}; happened: ${JSON.stringify(faults)}; status: ${JSON.stringify(status)}\n${outputs}`,
      { cause }
    )
  } finally {
    for (const worker of workers) worker.remove()
    service.stop()
    await job.close()
  }
}
