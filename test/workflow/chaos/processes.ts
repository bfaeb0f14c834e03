/** The processes of these tests: a service, workers under supervisors, jobs of one process, and a PostgreSQL server. */
import { type ChildProcess, fork } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { figuresOf } from "../../../bench/processFigures.js"
import { bundleOf } from "../../support/bundles.js"
import { runsTimeout } from "../../support/long.js"
import { type Postgres, postgres } from "../../support/postgres.js"
import type { Entry, Meter, ServiceOptions } from "./log.js"

export const pause = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

/** How many seconds a test waits for what it looks at: half of what it may take, so that it tells what did not come. */
export const patience = runsTimeout / 2000

/** Asks until the answer is there, or fails with what is told. */
export const until = async <A>(
  what: string,
  seconds: number,
  ask: () => Promise<A | undefined | false> | A | undefined | false,
  everyMillis = 50
): Promise<A> => {
  const end = Date.now() + seconds * 1000
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (Date.now() > end) throw new Error(`${what} did not happen within ${seconds} seconds`)
    await pause(everyMillis)
  }
}

/** What the program `worker.ts` takes. */
export interface WorkerOptions {
  readonly database: string
  readonly url: string
  /** Batches at once. @default that of the library */
  readonly concurrency?: number
  /** Where other workers reach it. @default 127.0.0.1 */
  readonly address?: string
  /** How often the locks of shards are refreshed, in milliseconds. @default that of the library */
  readonly refreshMillis?: number
}

export interface Service {
  readonly url: string
  readonly meter: () => Promise<Meter>
  /** Requests that have ended, from a place in the log on. */
  readonly log: (from?: number) => Promise<ReadonlyArray<Entry>>
  readonly stop: () => void
}

/** A worker, and the supervisor that starts it again when it ends otherwise than well. */
export interface Worker {
  /** The process that runs, if one does. */
  readonly pid: () => number | undefined
  /** All processes that it was so far. */
  readonly pids: ReadonlyArray<number>
  /** How its processes have ended. */
  readonly ends: ReadonlyArray<string>
  readonly output: () => string
  /** Sends a signal. `forGood` tells the supervisor to leave it. */
  readonly kill: (signal: NodeJS.Signals, forGood?: boolean) => void
  /** Ends with the process that runs now. */
  readonly ended: () => Promise<void>
  /** Starts it again, where it was left for good. */
  readonly start: () => void
  /** The most memory that any of its processes has had, in MiB. */
  readonly peakMiB: () => number
  /** Seconds of the processor that all of its processes have used. */
  readonly cpuSeconds: () => number
}

/** In what a process differs from others. */
export interface Place {
  /** Words before its command, such as those that put it into a network of its own. */
  readonly within?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
}

export const prepare = async (server: Effect.Effect<Postgres> = postgres) => {
  const folder = mkdtempSync(`${tmpdir()}/chaos-`)
  const children = new Set<ChildProcess>()
  const [reference, service, worker] = await Promise.all([
    bundleOf("workflow/chaos/reference"),
    bundleOf("workflow/chaos/service"),
    bundleOf("workflow/chaos/worker")
  ])
  const files = { reference, service, worker }

  const start = (program: keyof typeof files, options: unknown, { env, within = [] }: Place = {}) => {
    // Without the arguments of a script that starts this.
    const [execPath, ...execArgv] = [...within, process.execPath]
    const child = fork(files[program], [JSON.stringify(options)], {
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      execPath,
      execArgv,
      env: { ...process.env, ...env }
    })
    children.add(child)
    let output = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (part) => {
        output += part
      })
    }
    const ended = new Promise<string>((resolve) =>
      child.once("close", (code, signal) => {
        children.delete(child)
        resolve(signal ?? String(code))
      })
    )
    return { child, ended, output: () => output }
  }

  const newService = async (options: ServiceOptions = {}): Promise<Service> => {
    const { child, ended, output } = start("service", options)
    const url = await Promise.race([
      new Promise<string>((resolve) =>
        child.once("message", (message) => resolve((message as { readonly url: string }).url))
      ),
      ended.then((how) => Promise.reject(new Error(`The service ended with ${how}: ${output()}`)))
    ])
    const get = async (path: string) => (await fetch(`${url}${path}`)).json()
    return {
      url,
      meter: () => get("/meter"),
      log: (from = 0) => get(`/log?from=${from}`),
      stop: () => child.kill("SIGKILL")
    }
  }

  const newWorker = (options: WorkerOptions, place?: Place): Worker => {
    const pids: Array<number> = []
    const ends: Array<string> = []
    const peaks = new Map<number, number>()
    const used = new Map<number, number>()
    let outputs = ""
    let running: ReturnType<typeof start> | undefined
    let isLeft = false
    const measure = () => {
      const pid = running?.child.pid
      const figures = pid === undefined ? undefined : figuresOf(pid)
      if (pid === undefined || figures === undefined) return
      peaks.set(pid, Math.round(figures.peakMiB))
      used.set(pid, figures.cpuSeconds)
    }
    const timer = setInterval(measure, 500)
    timer.unref()
    const launch = () => {
      const started = start(
        "worker",
        {
          ...(process.env.REFRESH === undefined ? {} : { refreshMillis: Number(process.env.REFRESH) }),
          ...options
        },
        place
      )
      running = started
      pids.push(started.child.pid!)
      void started.ended.then(async (how) => {
        ends.push(how)
        outputs += `${started.output()}\n[ended: ${how}]\n`
        running = undefined
        if (isLeft || how === "0") return
        // As a supervisor does.
        await pause(1000)
        if (!isLeft) launch()
      })
    }
    launch()
    return {
      pid: () => running?.child.pid,
      pids,
      ends,
      output: () => outputs + (running?.output() ?? ""),
      kill: (signal, forGood = false) => {
        measure()
        if (forGood) isLeft = true
        running?.child.kill(signal)
      },
      ended: async () => {
        await running?.ended
      },
      start: () => {
        isLeft = false
        if (running === undefined) launch()
      },
      peakMiB: () => {
        measure()
        return Math.max(0, ...peaks.values())
      },
      cpuSeconds: () => {
        measure()
        return [...used.values()].reduce((sum, seconds) => sum + seconds, 0)
      }
    }
  }

  return {
    folder,
    service: newService,
    worker: newWorker,
    /** An ordinary job, to its end. */
    reference: async (options: unknown) => {
      const { ended, output } = start("reference", options)
      const how = await ended
      if (how !== "0") throw new Error(`The job of one process ended with ${how}: ${output()}`)
    },
    /** The address of a new database. */
    database: () =>
      Effect.runPromise(
        Effect.map(
          Effect.flatMap(server, ({ database }) => database),
          Redacted.value
        )
      ),
    stopPostgres: () => Effect.runPromise(Effect.flatMap(server, ({ stop }) => stop)),
    startPostgres: () => Effect.runPromise(Effect.flatMap(server, ({ start }) => start)),
    remove: () => {
      for (const child of children) child.kill("SIGKILL")
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

export type Processes = Awaited<ReturnType<typeof prepare>>
