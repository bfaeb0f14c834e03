/** Programs that are run to their end as processes of their own. */
import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export interface Run {
  /** Microseconds. */
  readonly cpu: number
  /** MiB. */
  readonly peak: number
}

export interface RunOptions {
  readonly execArgv?: ReadonlyArray<string>
  readonly onStart?: (pid: number) => void
}

const told = `process.on("exit", () => {
  const { existsSync, readFileSync, writeSync } = require("node:fs")
  const { maxRSS, systemCPUTime, userCPUTime } = process.resourceUsage()
  // Where there is no better figure, maxRSS: that is no less than what the parent had when it started the process.
  const status = "/proc/self/status"
  const peak = existsSync(status) ? /VmHWM:\\s*(\\d+) kB/.exec(readFileSync(status, "utf8"))[1] : maxRSS
  writeSync(3, JSON.stringify({ cpu: userCPUTime + systemCPUTime, peak: peak / 1024 }))
})`

/** The command line of the package. */
export const cli = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url))

/** What a program is told of the service. */
export const environment = (service: string): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_OPTIONS: "",
  LANGUAGE_SERVICE_URL: service,
  LANGUAGE_SERVICE_KEY: "bench"
})

/** Runs programs in a folder, with a service. */
export const runner = (folder: string, service: string) => {
  const tells = join(folder, "told.cjs")
  writeFileSync(tells, told)
  return (program: ReadonlyArray<string>, { execArgv = [], onStart }: RunOptions = {}): Promise<Run> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [...execArgv, "--require", tells, ...program], {
        cwd: folder,
        env: environment(service),
        stdio: ["ignore", "ignore", "pipe", "pipe"]
      })
      onStart?.(child.pid!)
      let figures = ""
      let errors = ""
      child.stdio[3]!.on("data", (data) => (figures += data))
      child.stderr!.on("data", (data) => (errors += data))
      child.on("close", (code) =>
        code === 0
          ? resolve(JSON.parse(figures))
          : reject(new Error(`${program.join(" ")}: ${errors.slice(-2000)}`))
      )
    })
}
