/** Jobs over files, done by one worker of this process on a libsql file, with an emulator. */
import { readFileSync } from "node:fs"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { type TranslateClient, TranslationStore } from "effect-translate"
import { Emulator } from "effect-translate/emulator"
import { Formats } from "effect-translate/formats"
import { JobSource, TranslationJob } from "effect-translate/jobs"
import { LibsqlTranslationStore } from "effect-translate/libsql"
import {
  type Cluster,
  type Corpus,
  CorpusJob,
  FileCorpus,
  JobControl,
  LibsqlCluster,
  Worker,
  type WorkerEvent
} from "effect-translate/workflow"
import { folderWith } from "../job/fileSources.js"
import { emulated } from "../support/emulator.js"

export const targets = ["de", "fr"] as const

/** A table of so many products, every tenth of them equal to the one before. */
export const products = (count: number): string =>
  [
    "id,title",
    ...Array.from({ length: count }, (_, n) => `${n},"product ${n % 10 === 9 ? n - 1 : n}, new"`)
  ].join("\n")

/** What a test has of a worker. */
export interface Bench {
  readonly folder: string
  readonly events: ReadonlyArray<WorkerEvent.WorkerEvent>
  /** A job over a file of the folder. */
  readonly jobOver: (
    file: string,
    options?: Partial<CorpusJob.CorpusJob>
  ) => Effect.Effect<CorpusJob.CorpusJob>
  /** The worker: it runs until the scope closes. */
  readonly worker: Layer.Layer<
    JobControl.JobControl | TranslationStore.TranslationStore | SqlClient.SqlClient
  >
  readonly output: (targetLang: string, file: string) => string
}

export interface Options extends Partial<Omit<Worker.Options, "kinds">> {
  readonly kinds?: ReadonlyArray<Corpus.Kind<FileCorpus.Error, FileCorpus.Context>> | undefined
  readonly files?: Readonly<Record<string, string>> | undefined
  /** That of another worker. @default a new one */
  readonly folder?: string | undefined
  /** The engine. @default one of the file `jobs.db` in the folder */
  readonly cluster?: Layer.Layer<Cluster.Provided, unknown> | undefined
}

/** A folder with files, and a worker for it. */
export const bench = ({
  cluster,
  files = { "products.csv": products(500) },
  folder: given,
  kinds = [FileCorpus.kind],
  ...options
}: Options = {}) =>
  Effect.gen(function* () {
    const folder = given ?? (yield* folderWith(files))
    const context = yield* Effect.context<
      FileSystem.FileSystem | Path.Path | TranslateClient.Provided | Emulator.Emulator
    >()
    const events: Array<WorkerEvent.WorkerEvent> = []
    const service = LibsqlTranslationStore.layer({ file: `${folder}/store.db` })
    const engine: Layer.Layer<Cluster.Provided, unknown> =
      cluster ?? LibsqlCluster.layer({ file: `${folder}/jobs.db` })
    const worker = Worker.layer({
      kinds,
      concurrency: 4,
      onEvent: (event: WorkerEvent.WorkerEvent) => Effect.sync(() => void events.push(event)),
      ...options
    }).pipe(
      Layer.provideMerge(JobControl.layer),
      Layer.provideMerge(service),
      Layer.provideMerge(engine),
      Layer.provide(Layer.succeedContext(context)),
      Layer.orDie
    )
    return {
      folder,
      events,
      worker,
      jobOver: (file: string, more?: Partial<CorpusJob.CorpusJob>) =>
        Effect.map(
          FileCorpus.reference({
            files: [{ path: `${folder}/${file}`, output: `${folder}/{lang}/${file}` }],
            columns: ["title"],
            stateFolder: `${folder}/.state`
          }),
          (corpus) => ({ id: "catalogue", corpus, targets, ...more })
        ).pipe(Effect.orDie, Effect.provide(context)),
      output: (targetLang: string, file: string) => readFileSync(`${folder}/${targetLang}/${file}`, "utf8")
    } satisfies Bench
  })

/** Submits a job, and waits for its end. */
export const done = (job: CorpusJob.CorpusJob) =>
  Effect.gen(function* () {
    const control = yield* JobControl.JobControl
    yield* control.submit(job)
    return yield* ended(job.id)
  })

/** Waits for a state of a job. */
export const until = (id: string, isReached: (status: CorpusJob.Status) => boolean) =>
  Effect.flatMap(JobControl.JobControl, ({ watch }) =>
    watch(id, { interval: "50 millis" }).pipe(
      Stream.takeUntil(isReached),
      Stream.runLast,
      Effect.flatMap((last) => Effect.orDie(last))
    )
  )

export const ended = (id: string) => until(id, CorpusJob.isEnded)

/** What a `TranslationJob` makes of a file, in a folder of its own, and what it is billed. */
export const reference = (folder: string, file: string) =>
  Effect.gen(function* () {
    const before = yield* billed
    yield* TranslationJob.run({
      sources: [
        JobSource.file({
          path: `${folder}/${file}`,
          format: (file) => Formats.detect(file, Formats.make({ columns: ["title"] })),
          output: `${folder}/reference/{lang}/${file}`,
          stateFolder: `${folder}/.reference`
        })
      ],
      targets
    }).pipe(Effect.provide(TranslationStore.layerMemory()))
    return {
      characters: (yield* billed) - before,
      output: (targetLang: string) => readFileSync(`${folder}/reference/${targetLang}/${file}`, "utf8")
    }
  })

export const billed = Effect.flatMap(Emulator.Emulator, ({ meter }) =>
  Effect.map(meter, ({ characters }) => characters)
)

export const requests = Effect.flatMap(Emulator.Emulator, ({ meter }) =>
  Effect.map(meter, ({ requests }) => requests)
)

/** Provides an emulator, and the platform. */
export const withEmulator =
  (options: Emulator.Options = {}) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.provide(
      self,
      Layer.provideMerge(
        emulated({ ...options, client: { circuit: Worker.circuit } }),
        Layer.merge(NodeContext.layer, NodeHttpClient.layerUndici)
      )
    )
