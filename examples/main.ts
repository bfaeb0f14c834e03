/**
 * `npm start`: translates a file into several languages, from disk to disk. The service is an emulator on this machine, reached
 * over HTTP like the real one. `npm start -- --help` says what it takes.
 */
import { Command } from "@effect/cli"
import { FileSystem } from "@effect/platform"
import { NodeContext, NodeHttpClient, NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer, Redacted, Stream } from "effect"
import { Auth, ConcurrencyLimit, TranslateClient, Translator } from "effect-translate"
import { Emulator } from "effect-translate/emulator"
import { FileTranslation } from "effect-translate/files"
import * as Failure from "./internal/failure.js"
import * as Job from "./internal/job.js"
import * as Ledger from "./internal/ledger.js"
import * as Options from "./internal/options.js"
import * as Progress from "./internal/progress.js"
import * as Signals from "./internal/signals.js"
import * as Table from "./internal/table.js"

/** One language: the file through the service into a draft, which gets its name once it is whole. */
const translateInto = (language: string, job: Job.Job, progress: Progress.Progress) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const ledger = yield* Ledger.open(language, progress)
    const draft = yield* fs.makeTempFileScoped({ directory: job.folder })
    yield* fs.stream(job.file).pipe(
      FileTranslation.translate({
        format: job.format,
        file: job.name,
        targetLang: language,
        onOutcome: ledger.record // what became of each part, and what it cost
      }),
      Stream.run(fs.sink(draft)),
      Effect.updateService(Translator.Translator, ledger.counting)
    )
    yield* fs.rename(draft, job.target(language))
    return yield* ledger.close
  }).pipe(Effect.scoped)

const translate = (options: Options.Options) =>
  Effect.gen(function* () {
    const job = yield* Job.make(options)
    yield* Console.log(Job.describe(job))
    const totals = yield* Effect.flatMap(Progress.make(job.texts * job.languages.length), (progress) =>
      Effect.forEach(job.languages, (language) => translateInto(language, job, progress))
    ).pipe(Effect.scoped)
    const emulator = yield* Emulator.Emulator
    yield* Console.log(Table.make(job, totals, yield* emulator.meter))
    yield* Ledger.failOnFailures(totals)
  })

/** All that a program for the real service does otherwise: there, `Translator.layerConfig` is the whole of it. */
const services = ({ latency }: Options.Options) =>
  Translator.layer.pipe(
    Layer.provide(TranslateClient.layer),
    Layer.provide([
      Emulator.layerRegion,
      Auth.layer({ key: Redacted.make(Emulator.defaultKey) }),
      ConcurrencyLimit.layerAdaptive()
    ]),
    Layer.provide(NodeHttpClient.layerUndici),
    Layer.provideMerge(Emulator.layerNode({ latency }))
  )

const command = Command.make("npm start --", Options.options, translate).pipe(
  Command.withDescription("Translates a file, with an emulator of the service."),
  Command.provide(services)
)

Command.run(command, { name: "effect-translate", version: "example" })(process.argv).pipe(
  Effect.tapErrorCause(Failure.print),
  Effect.provide([NodeContext.layer, Options.quietHelp]),
  Signals.handlesHangUp,
  NodeRuntime.runMain({ disableErrorReporting: true, teardown: Signals.exitCode })
)
