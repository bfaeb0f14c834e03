/** Jobs of a folder of files: submitted, watched, and compared with what one process writes. */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { NodeContext } from "@effect/platform-node"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Arr from "effect/Array"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { TranslationStore } from "effect-translate"
import { PgClient, PgTranslationStore } from "effect-translate/postgres"
import { type CorpusJob, FileCorpus, JobControl } from "effect-translate/workflow"
import * as corpus from "./corpus.js"
import type { ServiceOptions } from "./log.js"
import {
  type Place,
  type Processes,
  patience,
  type Service,
  until,
  type Worker,
  type WorkerOptions
} from "./processes.js"

export const targets = ["de", "fr"] as const

/** What one process writes, and what it is billed. */
export interface Undisturbed {
  readonly shape: corpus.Shape
  readonly folder: string
  readonly names: Arr.NonEmptyReadonlyArray<string>
  /** Texts of the files, counted once for each language. */
  readonly texts: number
  readonly outputs: ReadonlyMap<string, string>
  readonly characters: number
  readonly requests: number
}

/** The files below a folder, by their names. */
const filesOf = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    (existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [])
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`)
      .sort()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")])
  )

/** In what a job differs from what one process writes, and is billed. */
export interface Difference {
  /** Files whose bytes are not those of one process. */
  readonly different: ReadonlyArray<string>
  /** Characters that were billed beyond those of one process. */
  readonly excess: number
  /** Of requests that nobody knows the end of. */
  readonly doubts: { readonly requests: number; readonly characters: number }
}

let folders = 0

export const undisturbed = async (processes: Processes, shape: corpus.Shape): Promise<Undisturbed> => {
  const folder = `${processes.folder}/undisturbed-${++folders}`
  const { count, names } = corpus.write(folder, shape)
  const service = await processes.service()
  await processes.reference({ folder, names, targets, url: service.url })
  const { characters, requests } = await service.meter()
  service.stop()
  return {
    shape,
    folder,
    names,
    texts: count * targets.length,
    outputs: filesOf(`${folder}/out`),
    characters,
    requests
  }
}

/** A job of files that the workers of a database translate. */
export const make = async (
  processes: Processes,
  { folder: from, names }: Pick<Undisturbed, "folder" | "names">
) => {
  const folder = `${processes.folder}/job-${++folders}`
  for (const name of names) cpSync(`${from}/${name}`, `${folder}/${name}`)
  const database = await processes.database()
  const address = Redacted.make(database)
  const runtime = ManagedRuntime.make(
    Layer.mergeAll(JobControl.layer, PgTranslationStore.layer({ url: address })).pipe(
      Layer.provideMerge(PgClient.layer({ url: address, maxConnections: 2 })),
      Layer.provide(NodeContext.layer)
    )
  )
  const run = <A, E>(
    effect: Effect.Effect<
      A,
      E,
      JobControl.JobControl | TranslationStore.TranslationStore | SqlClient.SqlClient
    >
  ): Promise<A> => runtime.runPromise(effect)
  const control = <A, E>(ask: (control: JobControl.Service) => Effect.Effect<A, E>): Promise<A> =>
    run(Effect.flatMap(JobControl.JobControl, ask))
  const id = "chaos"
  const status = () => control((jobs) => jobs.status(id))
  const doubts = () =>
    run(
      Stream.unwrap(Effect.map(TranslationStore.TranslationStore, ({ attempts }) => attempts)).pipe(
        Stream.filter(({ state }) => state !== "answered" && state !== "rejected"),
        Stream.runCollect,
        Effect.map(Chunk.toReadonlyArray)
      )
    )
  const submit = (
    names: Arr.NonEmptyReadonlyArray<string>,
    out: string,
    options: Partial<CorpusJob.CorpusJob> & { readonly id: string }
  ) =>
    run(
      Effect.gen(function* () {
        const corpus = yield* FileCorpus.reference({
          files: Arr.map(names, (name) => ({
            path: `${folder}/${name}`,
            output: `${folder}/${out}/{lang}/${name}`
          })),
          columns: ["text"],
          select: ["text"],
          stateFolder: `${folder}/state`
        })
        const { submit } = yield* JobControl.JobControl
        return yield* submit({ targets, corpus, batchTexts: 250, ...options })
      }).pipe(Effect.provide(NodeContext.layer))
    )
  return {
    id,
    folder,
    database,
    run,
    control,
    submit: (options: Partial<CorpusJob.CorpusJob> = {}) => submit(names, "out", { id, ...options }),
    /** Another job of one text, to its end. */
    another: async (id: string) => {
      writeFileSync(`${folder}/${id}.csv`, `id,text\n1,"Another ${id}"\n`)
      await submit([`${id}.csv`], "another", { id })
      await until("The other job is done", patience, async () => {
        const { state } = await control((jobs) => jobs.status(id))
        return state === "done"
      })
    },
    status,
    /** Waits for a state; the database may be away meanwhile. */
    untilState: (states: ReadonlyArray<CorpusJob.State>, seconds = patience) =>
      until(
        `The job is ${states.join(" or ")}`,
        seconds,
        async () => {
          const now = await status().catch(() => undefined)
          return now !== undefined && states.includes(now.state) ? now : undefined
        },
        200
      ),
    outputs: () => filesOf(`${folder}/out`),
    /** Requests of the ledger of which nobody knows whether they were billed. */
    doubts,
    /** What has become of it, once it has ended. */
    difference: async (undisturbed: Undisturbed, billed: number): Promise<Difference> => {
      const [outputs, unknown] = [filesOf(`${folder}/out`), await doubts()]
      return {
        different: [...new Set([...undisturbed.outputs.keys(), ...outputs.keys()])].filter(
          (file) => undisturbed.outputs.get(file) !== outputs.get(file)
        ),
        excess: billed - undisturbed.characters,
        doubts: {
          requests: unknown.length,
          characters: unknown.reduce((sum, { characters }) => sum + characters, 0)
        }
      }
    },
    close: () => runtime.dispose()
  }
}

export type Job = Awaited<ReturnType<typeof make>>

/** Requests of some workers that are under way, and their characters. */
export const inFlight = async (service: Service, workers?: ReadonlyArray<number>) => {
  const { open } = await service.meter()
  const theirs = open.filter(({ worker }) => workers === undefined || workers.includes(worker))
  return { requests: theirs.length, characters: theirs.reduce((sum, { characters }) => sum + characters, 0) }
}

/** What a service, a job of these files and some workers make of each other. All of them end with it; what it fails with tells of them. */
export const withWorkers = async <A>(
  processes: Processes,
  files: Pick<Undisturbed, "folder" | "names">,
  {
    count,
    service: options,
    worker: given
  }: {
    readonly service: ServiceOptions
    readonly count: number
    readonly worker?: Partial<WorkerOptions>
  },
  use: (cluster: {
    readonly service: Service
    readonly job: Job
    readonly workers: ReadonlyArray<Worker>
    readonly newWorker: (options?: Partial<WorkerOptions>, place?: Place) => Worker
    /** Waits until each worker has sent a request. */
    readonly allSend: () => Promise<unknown>
  }) => Promise<A>
): Promise<A> => {
  const service = await processes.service(options)
  const job = await make(processes, files)
  const workers: Array<Worker> = []
  const newWorker = (options?: Partial<WorkerOptions>, place?: Place) => {
    const worker = processes.worker({ database: job.database, url: service.url, ...given, ...options }, place)
    workers.push(worker)
    return worker
  }
  for (let worker = 0; worker < count; worker++) newWorker()
  const allSend = () =>
    until("All workers have sent requests", patience, async () => {
      const [log, { open }] = await Promise.all([service.log(), service.meter()])
      const senders = new Set([...log, ...open].map(({ worker }) => worker))
      return workers.every((worker) => senders.has(worker.pid() ?? -1))
    })
  try {
    return await use({ service, job, workers, newWorker, allSend })
  } catch (cause) {
    const status = await job.status().catch(String)
    const { open, ...meter } = await service.meter()
    const ends = workers.map(({ ends }) => ends)
    const outputs = workers.map((worker) => worker.output().slice(-3000)).join("\n----\n")
    throw new Error(
      `${String(cause)}\n${JSON.stringify({ ends, status, meter, open: open.length })}\n${outputs}`,
      { cause }
    )
  } finally {
    for (const worker of workers) worker.kill("SIGKILL", true)
    service.stop()
    await job.close()
  }
}
