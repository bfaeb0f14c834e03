/**
 * `npm start`: translates a file into several languages, and pays for nothing twice. The service is an emulator on this machine,
 * reached over HTTP like the real one, unless the environment names the real one. `npm start -- --help` says what it takes.
 */
import { Command } from "@effect/cli"
import { FileSystem, Path } from "@effect/platform"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Effect, Ref } from "effect"
import { Progress, TranslationStore } from "effect-translate"
import { FailedUnits, FileSource, type JobReport, TranslationJob } from "effect-translate/files"
import { SqlTranslationStore } from "effect-translate/sql"
import { Failure, print } from "./internal/failure.js"
import * as Options from "./internal/options.js"
import * as ProgressBar from "./internal/progressBar.js"
import * as Report from "./internal/report.js"
import * as Service from "./internal/service.js"
import * as Signals from "./internal/signals.js"

// npm runs scripts in the folder of the package, and says here where the user is.
process.chdir(process.env.INIT_CWD ?? ".")

const translate = (options: Options.Options) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { join, parse } = yield* Path.Path
    const { ext, name } = parse(options.file)
    const stateFolder = join(options.out, ".effect-translate")
    const failed = join(options.out, `${name}.failed.jsonl`)

    const source = FileSource.make({
      path: options.file,
      format: yield* Options.formatOf(options),
      output: (language) => join(options.out, `${name}.${language}${ext}`),
      stateFolder
    })
    const job = { sources: [source], targets: options.languages }

    // Reads the file before there is a store, so that a mistake in it costs nothing and leaves nothing behind.
    const { texts } = yield* Effect.provide(TranslationJob.forecast(job), TranslationStore.layerMemory())
    if (texts === 0) return yield* new Failure({ message: `${options.file} has no texts.` })
    yield* fs.makeDirectory(stateFolder, { recursive: true })
    yield* Report.begin(options.file, texts, options.languages)

    const progress = yield* Progress.make({ total: texts })
    const report = yield* Ref.make<JobReport.JobReport | undefined>(undefined)
    const { end } = yield* FailedUnits.toFile(failed, (onFailed) =>
      TranslationJob.run({ ...job, progress, onFailed, onEnd: (ended) => Ref.set(report, ended) })
    ).pipe(
      Effect.provide(
        SqlTranslationStore.layerLibsql({ file: options.store ?? join(stateFolder, "store.db") })
      ),
      Effect.catchTag("OutputAltered", ({ output }) =>
        Effect.fail(
          new Failure({
            message: `${output} was written by somebody else: move it away, or choose another folder with --out.`
          })
        )
      ),
      ProgressBar.show(progress),
      Effect.ensuring(Effect.flatMap(Ref.get(report), Report.end)) // also if it fails or is broken off
    )
    if (end.state !== "complete") {
      return yield* new Failure({
        message: `Not everything is translated. Texts that failed, and why: ${failed}`
      })
    }
  })

const command = Command.make("npm start --", Options.options, translate).pipe(
  Command.withDescription("Translates a file, and goes on where it was broken off."),
  Command.provide(Service.layer)
)

Command.run(command, { name: "effect-translate", version: "example" })(process.argv).pipe(
  Effect.tapErrorCause(print),
  Effect.provide([NodeContext.layer, Options.quietHelp]),
  Signals.handlesHangUp,
  NodeRuntime.runMain({ disableErrorReporting: true, teardown: Signals.exitCode })
)
