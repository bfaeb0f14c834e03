/** A job that is killed at random moments, and started again until it has ended. */
import { type ChildProcess, fork } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import type { Meter } from "effect-translate/emulator"
import Database from "libsql"
import { bundleOf } from "../../support/bundles.js"
import { text } from "./texts.js"

export const languages = ["de", "fr", "ja"] as const

export const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const isLocked = (store: string): boolean => {
  if (store.startsWith("postgres:")) return false
  const database = new Database(store, { timeout: 0 })
  try {
    database.exec("BEGIN IMMEDIATE; ROLLBACK")
    return false
  } catch {
    return true
  } finally {
    database.close()
  }
}

type Env = Readonly<Record<string, string>>

/** What a process of the job differs in from the others. */
export interface Difference {
  readonly env?: Env
  /** Whether its lease and the time-outs of its requests are short. @default false */
  readonly isImpatient?: boolean
}

export interface Place {
  /** Words before the command of each process. */
  readonly within?: ReadonlyArray<string>
  /** Where the folders of jobs are. @default that of temporary files */
  readonly disk?: string
}

/** Programs of this test, and what is to be removed after it. */
export const prepare = async ({ disk = tmpdir(), within = [] }: Place = {}) => {
  const folder = mkdtempSync(`${disk}/crash-`)
  const children = new Set<ChildProcess>()
  const [program, service] = await Promise.all([
    bundleOf("sql/crash/program"),
    bundleOf("sql/crash/emulator")
  ])

  const start = (file: string, args: ReadonlyArray<string> = [], env: Env = {}) => {
    const [execPath, ...execArgv] = [...within, process.execPath]
    const child = fork(file, args, {
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
    const ended = new Promise<{ code: number | null; signal: string | null; output: string }>((resolve) =>
      child.once("close", (code, signal) => {
        children.delete(child)
        resolve({ code, signal, output })
      })
    )
    return { child, ended }
  }

  const messageOf = <A>(child: ChildProcess, question?: string): Promise<A> =>
    new Promise((resolve) => {
      child.once("message", (message) => resolve(message as A))
      if (question !== undefined) child.send(question)
    })

  const emulator = start(service).child
  const { url } = await messageOf<{ readonly url: string }>(emulator)
  const meter = async () => (await messageOf<{ readonly meter: Meter.Meter }>(emulator, "meter")).meter

  let jobs = 0
  const makeJob = (texts: number) => {
    const home = `${folder}/${++jobs}`
    mkdirSync(`${home}/out`, { recursive: true })
    const rows = Array.from({ length: texts }, (_, row) => `${row},"${text(row)}"`)
    writeFileSync(`${home}/texts.csv`, `id,text\n${rows.join("\n")}\n`)
    return home
  }

  const outputs = (home: string) =>
    languages.map((language) => readFileSync(`${home}/out/texts.${language}.csv`, "utf8"))

  const run = (home: string, store: string, { env, isImpatient = false }: Difference = {}) => {
    const started = start(program, [home, store, url, ...(isImpatient ? ["impatient"] : [])], env)
    let hasEnded = false
    void started.ended.then(() => {
      hasEnded = true
    })
    return {
      ...started,
      /** Ends once so many requests more have been sent, by any process, or this one has ended. */
      sent: async (requests: number) => {
        const enough = (await meter()).requests + requests
        while (!hasEnded && (await meter()).requests < enough) await pause(3)
      },
      /** Ends as a job does that has nothing to complain of. */
      done: async () => {
        const { code, output, signal } = await started.ended
        if (code !== 0) throw new Error(`The job ended with ${signal ?? code}: ${output}`)
      }
    }
  }

  const finish = (home: string, store: string, difference?: Difference) => run(home, store, difference).done()

  /** A process that has sent so many requests. */
  const startedUntil = async (home: string, store: string, requests: number, difference?: Difference) => {
    const started = run(home, store, difference)
    await started.sent(requests)
    return started
  }

  return {
    folder,
    meter,
    makeJob,
    outputs,
    /** Drafts that were left in the folders of a job. */
    remaining: (home: string) =>
      readdirSync(home, { recursive: true, encoding: "utf8" }).filter((file) => /tmp|draft|part/i.test(file)),
    run,
    finish,
    /** Kills a job so many times, each time when it has sent some more requests, and then lets it end. */
    kill: async (home: string, store: string, kills: number, requests: number) => {
      const moments: Array<string> = []
      for (let kill = 0; kill < kills; kill++) {
        const more = 1 + Math.floor((Math.random() * requests * 0.8) / kills)
        const { child, ended } = await startedUntil(home, store, more)
        const moment = Math.round(Math.random() * 100)
        moments.push(`${more} requests and ${moment} ms`)
        await pause(moment)
        child.kill("SIGKILL")
        await ended
      }
      await finish(home, store)
      return `killed after ${moments.join(", ")}`
    },
    /** Stops a process in the middle, until others have done what they do meanwhile, and lets it go on. */
    freeze: async (
      home: string,
      store: string,
      requests: number,
      meanwhile: () => Promise<unknown>,
      difference?: Difference
    ) => {
      const { child, done } = await startedUntil(home, store, requests, difference)
      child.kill("SIGSTOP")
      // One that is stopped within a transaction keeps the lock of its file: nobody can go on then.
      while (isLocked(store)) {
        child.kill("SIGCONT")
        await pause(Math.random() * 20)
        child.kill("SIGSTOP")
        await pause(20)
      }
      await meanwhile()
      child.kill("SIGCONT")
      await done()
      return "frozen"
    },
    remove: () => {
      for (const child of children) child.kill("SIGKILL")
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

export type Prepared = Awaited<ReturnType<typeof prepare>>
