import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Meter } from "effect-translate/emulator"
import { tsImport } from "tsx/esm/api"

export const median = (numbers: ReadonlyArray<number>): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!

export const start = (
  script: string,
  args: ReadonlyArray<string>,
  options: { execArgv?: Array<string>; env?: NodeJS.ProcessEnv } = {}
) =>
  fork(fileURLToPath(new URL(script, import.meta.url)), args, {
    execArgv: options.execArgv ?? [],
    env: { ...process.env, ...options.env }
  })

export const firstMessage = <A>(child: ChildProcess): Promise<A> =>
  new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(message as A))
    child.once("exit", (code) => reject(new Error(`the process ended with code ${code} before it answered`)))
  })

export interface Server {
  readonly url: string
  /** Requests and texts since the last call. */
  readonly meter: () => Promise<{ readonly requests: number; readonly texts: number }>
  readonly stop: () => void
}

export const startServer = async (env: NodeJS.ProcessEnv = {}): Promise<Server> => {
  const child = start("./server.js", [], { env })
  const url = await firstMessage<string>(child)
  return {
    url,
    meter: async () => (await fetch(`${url}/meter`)).json() as Promise<{ requests: number; texts: number }>,
    stop: () => child.disconnect()
  }
}

export interface Emulator {
  readonly url: string
  readonly meter: () => Promise<Meter.Meter>
  readonly stop: () => void
}

/** The emulator of the package, for what depends on latency. */
export const startEmulator = async (maxConcurrent = Number.POSITIVE_INFINITY): Promise<Emulator> => {
  const child = start("./emulator.js", [], { env: { MAX_CONCURRENT: String(maxConcurrent) } })
  const url = await firstMessage<string>(child)
  return {
    url,
    meter: () => {
      const meter = firstMessage<Meter.Meter>(child)
      child.send("meter")
      return meter
    },
    stop: () => child.kill()
  }
}

export interface Measurement {
  readonly characters: number
  readonly seconds: number
  /** Of the whole process. */
  readonly cpuMicros: number
  readonly peakRssMiB: number
}

export const measure = (
  subject: string,
  url: string,
  language: string,
  count: number,
  concurrency: number,
  options: {
    readonly execArgv?: Array<string>
    readonly env?: NodeJS.ProcessEnv
    /** How many texts are sent before the clock starts. @default 5000 */
    readonly warmUp?: number
  } = {}
): Promise<Measurement> =>
  firstMessage(
    start(
      "./subject.js",
      [subject, url, language, ...[count, concurrency, options.warmUp ?? 5000].map(String)],
      options
    )
  )

/** Makes databases in a server of PostgreSQL without fsync, as the tests have; `undefined` if it does not start here. */
export const databases = async (): Promise<(() => Promise<string>) | undefined> => {
  try {
    const { postgres } = (await tsImport("../test/support/postgres.ts", import.meta.url)) as {
      postgres: Effect.Effect<{ readonly database: Effect.Effect<Redacted.Redacted> }>
    }
    const { database } = await Effect.runPromise(postgres)
    return async () => Redacted.value(await Effect.runPromise(database))
  } catch (error) {
    console.log(`PostgreSQL does not start here: ${error}`)
    return undefined
  }
}
