/** Workers of durable jobs as users run them, and the control of their jobs. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { setTimeout } from "node:timers/promises"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import { type CorpusJob, FileCorpus, JobControl } from "effect-translate/workflow"
import { PgWorker } from "effect-translate/workflow/postgres"
import { cli, environment } from "../programs.js"

export interface Options {
  readonly database: string
  readonly service: string
  readonly folder: string
  readonly count: number
  /** Requests that a worker has in flight at once. */
  readonly concurrency: number
}

export interface Cluster {
  readonly pids: ReadonlyArray<number>
  /** Submits a job that translates these files of the folder into another folder of it. */
  readonly submit: (id: string, files: Arr.NonEmptyReadonlyArray<string>, into: string) => Promise<void>
  readonly state: (id: string) => Promise<CorpusJob.State>
  readonly end: (signal: "SIGTERM" | "SIGKILL") => Promise<void>
}

/** Starts workers, and waits until they have come to rest. */
export const start = async ({ concurrency, count, database, folder, service }: Options): Promise<Cluster> => {
  const runtime = ManagedRuntime.make(PgWorker.layerControl({ url: Redacted.make(database) }))
  const control = <A, E>(ask: (control: JobControl.Service) => Effect.Effect<A, E>) =>
    runtime.runPromise(Effect.flatMap(JobControl.JobControl, ask))
  const children: Array<ChildProcess> = []
  for (let worker = 0; worker < count; worker++) {
    const child = spawn(
      process.execPath,
      [cli, "worker", "--jobs", database, "--concurrency", String(concurrency), "--quiet"],
      { cwd: folder, env: environment(service), stdio: ["ignore", "ignore", "inherit"] }
    )
    children.push(child)
  }
  const isThere = async () => {
    const workers = await control(({ workers }) => workers)
    return workers.filter(({ state }) => state === "running").length === count
  }
  while (!(await isThere())) {
    const gone = children.find(({ exitCode }) => exitCode !== null)
    if (gone !== undefined) throw new Error(`A worker has ended with ${gone.exitCode} before it began`)
    await setTimeout(200)
  }
  // Shards move for a while.
  await setTimeout(5000)
  return {
    pids: children.map(({ pid }) => pid!),
    submit: async (id, files, into) => {
      const corpus = await Effect.runPromise(
        Effect.provide(
          FileCorpus.reference({
            files: Arr.map(files, (file) => ({
              path: `${folder}/${file}`,
              output: `${folder}/${into}/${file}`
            })),
            columns: ["text"],
            stateFolder: `${folder}/state`
          }),
          NodeContext.layer
        )
      )
      await control(({ submit }) => submit({ id, corpus, targets: ["de"] }))
    },
    state: async (id) => (await control(({ status }) => status(id))).state,
    end: async (signal) => {
      await Promise.all(
        children.map(async (child) => {
          if (child.exitCode !== null) return
          const ended = once(child, "exit")
          child.kill(signal)
          await ended
        })
      )
      await runtime.dispose()
    }
  }
}
