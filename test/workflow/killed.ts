/** Processes of a test, which are killed at its end: workers and emulators, each from a bundle of its own. */
import { type ChildProcess, fork } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Meter } from "effect-translate/emulator"
import { afterAll, beforeAll, expect } from "vitest"
import { bundle, root } from "../examples/process.js"

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const messageOf = <A>(child: ChildProcess, ask?: string): Promise<A> =>
  new Promise((resolve) => {
    child.once("message", (message) => resolve(message as A))
    if (ask !== undefined) child.send(ask)
  })

/** The programs `worker.ts` and `emulator.ts` of a folder beside this file. */
export const programs = (name: string) => {
  const folder = mkdtempSync(`${tmpdir()}/${name}-`)
  const children = new Set<ChildProcess>()

  beforeAll(async () => {
    for (const program of ["worker", "emulator"]) {
      await Effect.runPromise(
        bundle(`${root}/test/workflow/${name}/${program}.ts`, `${folder}/${program}.mjs`)
      )
    }
  })

  afterAll(() => {
    for (const child of children) child.kill("SIGKILL")
    rmSync(folder, { recursive: true, force: true })
  })

  const start = (program: string, args: ReadonlyArray<string>, env: Record<string, string> = {}) => {
    const child = fork(`${folder}/${program}.mjs`, args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "inherit", "ipc"],
      execArgv: []
    })
    let stdout = ""
    child.stdout?.on("data", (part) => {
      stdout += part
    })
    children.add(child)
    const ended = new Promise<string>((resolve) => {
      child.once("close", () => {
        children.delete(child)
        resolve(stdout)
      })
    })
    return { child, ended }
  }

  /** A folder of a test, and an emulator for it. */
  const prepare = async (test: string, ...args: ReadonlyArray<string>) => {
    const own = `${folder}/${test}`
    for (const part of ["in", "out"]) mkdirSync(`${own}/${part}`, { recursive: true })
    const emulator = start("emulator", args).child
    const { url } = await messageOf<{ readonly url: string }>(emulator)
    const env = { LANGUAGE_SERVICE_URL: url, LANGUAGE_SERVICE_KEY: "emulator-key" }
    const meter = async () => (await messageOf<{ readonly meter: Meter.Meter }>(emulator, "meter")).meter
    return {
      folder: own,
      meter,
      work: (...args: ReadonlyArray<string>) => start("worker", [own, ...args], env),
      /** A worker among others that share a database. */
      workWith: (database: Redacted.Redacted, ...args: ReadonlyArray<string>) =>
        start("worker", [own, ...args], { ...env, DATABASE_URL: Redacted.value(database) }),
      /** Waits until the emulator tells that. */
      until: async (condition: (meter: Meter.Meter) => boolean) => {
        while (!condition(await meter())) await pause(10)
      }
    }
  }
  return { prepare }
}

type Worker = ReturnType<Awaited<ReturnType<ReturnType<typeof programs>["prepare"]>>["work"]>

/** What a worker prints at its end. The engine may log something beside it. */
export const resultsOf = async (worker: Worker) => {
  const stdout = await worker.ended
  const line = stdout.split("\n").find((line) => line.startsWith("{"))
  expect(line, stdout).toBeDefined()
  return JSON.parse(line!)
}

export const kill = async ({ child, ended }: Worker, signal: "SIGKILL" | "SIGTERM" = "SIGKILL") => {
  child.kill(signal)
  await ended
}
