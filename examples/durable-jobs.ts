/**
 * How do three machines share a job, and go on when one of them dies? The machines are processes here; the database and the
 * service are started too.
 */
import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { NodeContext, NodeHttpClient } from "@effect/platform-node"
import { Config, Console, Effect, Layer, Redacted, Stream } from "effect"
import { Emulator } from "effect-translate/emulator"
import { NodeProgram } from "effect-translate/node"
import { FileCorpus, JobControl } from "effect-translate/workflow"
import { PgWorker } from "effect-translate/workflow/postgres"
import { postgres } from "./internal/postgres.js"

/** What each machine runs, under a supervisor such as systemd or Kubernetes. */
const worker = Layer.unwrapEffect(
  Effect.map(Config.redacted("DATABASE_URL"), (url) =>
    PgWorker.layer({ url, kinds: [FileCorpus.kind], concurrency: 4 })
  )
).pipe(Layer.provide([NodeHttpClient.layerUndici, NodeContext.layer]))

const startWorker = (env: Record<string, string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const program = fileURLToPath(import.meta.url)
      return spawn(process.execPath, [...process.execArgv, program, "worker"], {
        env: { ...process.env, ...env },
        stdio: "inherit"
      })
    }),
    (machine) => Effect.sync(() => machine.kill("SIGKILL"))
  )

const job = Effect.map(
  FileCorpus.reference({
    files: [{ path: "products.csv", output: "products.{lang}.csv" }],
    columns: ["title"]
  }),
  (corpus) => ({ id: "catalogue", corpus, targets: ["de", "fr"] as const })
)

const titles = Array.from({ length: 5_000 }, (_, number) => `${number},Mug number ${number}`)

const program = Effect.gen(function* () {
  writeFileSync("products.csv", ["sku,title", ...titles].join("\n"))
  const { meter, url: service } = yield* Emulator.Emulator
  const server = yield* Effect.acquireRelease(postgres, ({ stop }) => stop)
  const database = yield* server.database
  const machine = startWorker({
    DATABASE_URL: Redacted.value(database),
    LANGUAGE_SERVICE_URL: service,
    LANGUAGE_SERVICE_KEY: Emulator.defaultKey
  })
  const [first] = yield* Effect.all([machine, machine, machine])

  const ended = yield* Effect.gen(function* () {
    const control = yield* JobControl.JobControl
    yield* control.submit(yield* job)
    let isKilled = false
    return yield* control.watch("catalogue").pipe(
      Stream.tap(({ progress, state }) =>
        Console.log(`${state}: ${progress.texts} of ${progress.totalTexts ?? "?"} texts`)
      ),
      Stream.tap(({ progress }) =>
        progress.texts < 2000 || isKilled
          ? Effect.void
          : Effect.sync(() => {
              isKilled = first.kill("SIGKILL")
              console.log("a machine has died")
            })
      ),
      Stream.runLast,
      Effect.flatten
    )
  }).pipe(Effect.provide(PgWorker.layerControl({ url: database })))

  yield* Console.log(
    `${ended.state}: ${ended.progress.outputs} files; ${ended.characters.least} characters are accounted for, ${(yield* meter).characters} were billed`
  )
}).pipe(
  Effect.scoped,
  Effect.provide(Emulator.layerNode({ latency: "50 millis" }).pipe(Layer.provideMerge(NodeContext.layer)))
)

if (process.argv[2] === "worker") NodeProgram.runMain(Layer.launch(worker))
else NodeProgram.runMain(program)
