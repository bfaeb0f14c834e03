/** Workers as users run them where no service manager does: `effect-translate worker --supervised`. */
import { type ChildProcess, spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { Emulator } from "effect-translate/emulator"
import { commandOf, descendantsOf } from "../../../bench/processFigures.js"
import { cliBundle } from "../../../scripts/cliBundle.js"
import { type Processes, patience, until } from "./processes.js"

export interface Options {
  readonly database: string
  readonly url: string
  /** Requests that a worker has in flight at once. */
  readonly concurrency: number
}

export interface Supervised {
  /** The process of the worker, if one runs. */
  readonly worker: () => number | undefined
  /** Kills the supervisor alone, and starts another one in its place, as a service manager would. */
  readonly killSupervisor: () => void
  /** Tells the supervisor to end, and how all of them have ended. One that ends before it is told to is not started again. */
  readonly end: () => Promise<ReadonlyArray<string>>
  /** Kills all that is left, even of supervisors that were killed. */
  readonly remove: () => void
  readonly output: () => string
}

/** One that has ended has no words, though its parent may not know yet. */
export const isAlive = (pid: number): boolean => commandOf(pid)[0] !== ""

export const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended.
  }
}

/** Each request tells which process has sent it. */
const named = `require("node:diagnostics_channel").subscribe("undici:request:create", ({ request }) =>
  request.addHeader("x-worker", String(process.pid)))`

/** The command line, as it is installed. */
export const prepare = async ({ folder }: Processes) => {
  const cli = `${await cliBundle()}/main.js`
  const hook = `${folder}/named.cjs`
  writeFileSync(hook, named)
  return ({ concurrency, database, url }: Options): Supervised => {
    const ends: Array<string> = []
    const known = new Set<number>()
    let output = ""
    let isKilled = false
    const launch = (): ChildProcess => {
      const child = spawn(
        process.execPath,
        [cli, "worker", "--supervised", "--jobs", database, "--concurrency", String(concurrency)],
        {
          cwd: folder,
          env: {
            ...process.env,
            NODE_OPTIONS: `--require ${hook}`,
            LANGUAGE_SERVICE_URL: url,
            LANGUAGE_SERVICE_KEY: Emulator.defaultKey
          },
          stdio: ["ignore", "pipe", "pipe"]
        }
      )
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on("data", (part) => {
          output += part
        })
      }
      child.once("exit", (code, signal) => {
        ends.push(signal ?? String(code))
        if (isKilled) supervisor = launch()
        isKilled = false
      })
      return child
    }
    let supervisor = launch()
    const worker = () => {
      const pid = descendantsOf(supervisor.pid!).find((pid) => {
        const words = commandOf(pid)
        return words.includes(cli) && !words.includes("--supervised")
      })
      if (pid !== undefined) known.add(pid)
      return pid
    }
    return {
      worker,
      killSupervisor: () => {
        worker()
        isKilled = true
        supervisor.kill("SIGKILL")
      },
      end: async () => {
        worker()
        supervisor.kill("SIGTERM")
        await until(
          "The supervisor ends",
          patience,
          () => supervisor.exitCode !== null || supervisor.signalCode !== null
        )
        return ends
      },
      remove: () => {
        isKilled = false
        worker()
        supervisor.kill("SIGKILL")
        for (const pid of known) if (commandOf(pid).includes(cli)) signal(pid, "SIGKILL")
      },
      output: () => output
    }
  }
}
