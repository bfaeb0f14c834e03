/** Processes of a test, which are killed at its end: workers and emulators, of a folder beside this file. */
import { type ChildProcess, fork } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import * as Redacted from "effect/Redacted"
import type { Meter } from "effect-translate/emulator"
import { afterAll, expect } from "vitest"
import { bundleOf } from "../support/bundles.js"

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const messageOf = <A>(child: ChildProcess, ask?: string): Promise<A> =>
  new Promise((resolve) => {
    child.once("message", (message) => resolve(message as A))
    if (ask !== undefined) child.send(ask)
  })

/** The programs `worker.ts` and `emulator.ts` of a folder beside this file. */
export const programs = (name: "activities" | "documents") => {
  const folder = mkdtempSync(`${tmpdir()}/${name}-`)
  const children = new Set<ChildProcess>()

  afterAll(() => {
    for (const child of children) child.kill("SIGKILL")
    rmSync(folder, { recursive: true, force: true })
  })

  const start = (file: string, args: ReadonlyArray<string>, env: Record<string, string> = {}) => {
    const child = fork(file, args, {
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
    const [service, worker] = await Promise.all([
      bundleOf(`workflow/${name}/emulator`),
      bundleOf(`workflow/${name}/worker`)
    ])
    const emulator = start(service, args).child
    const { url } = await messageOf<{ readonly url: string }>(emulator)
    const env = { LANGUAGE_SERVICE_URL: url, LANGUAGE_SERVICE_KEY: "emulator-key" }
    const meter = async () => (await messageOf<{ readonly meter: Meter.Meter }>(emulator, "meter")).meter
    return {
      folder: own,
      meter,
      work: (...args: ReadonlyArray<string>) => start(worker, [own, ...args], env),
      /** A worker among others that share a database. */
      workWith: (database: Redacted.Redacted, ...args: ReadonlyArray<string>) =>
        start(worker, [own, ...args], { ...env, DATABASE_URL: Redacted.value(database) }),
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
