import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Auth from "./src/client/Auth.js"
import * as ConcurrencyLimit from "./src/client/ConcurrencyLimit.js"
import * as Region from "./src/client/Region.js"
import * as TranslateClient from "./src/client/TranslateClient.js"
import * as Translator from "./src/stream/Translator.js"
import * as TranslationStore from "./src/store/TranslationStore.js"
import * as FileSource from "./src/job/FileSource.js"
import * as TranslationJob from "./src/job/TranslationJob.js"
import * as JsonLines from "./src/format/JsonLines.js"
import * as Output from "./src/cli/output.js"
import * as interrupts from "./src/cli/interrupts.js"
import { show } from "./src/cli/terminal/progress.js"

const [file, to] = process.argv.slice(2)
const { service, signal } = interrupts.make(() => fiber.unsafeInterruptAsFork(fiber.id()), () => process.exit(130))
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => signal(performance.now()))
const program = Effect.gen(function* () {
  const job = { sources: [FileSource.make({ path: file!, format: JsonLines.make({ select: ["t"] } as any), output: "out/{lang}.jsonl" })], targets: to!.split(","), pricePerMillion: 20 } as any
  const progress = process.env.NO_TOTAL ? yield* (yield* Effect.promise(() => import("./src/stream/Progress.js"))).make({}) : yield* TranslationJob.makeProgress(job)
  const { graceful } = yield* interrupts.Interrupts
  const report: any = yield* graceful((requested) => show(progress, requested)(TranslationJob.run({ ...job, progress, onFailed: () => Effect.flatMap(Output.Output, ({ note }) => note("A text has failed.")) }) as any) as any)
  yield* Effect.sync(() => console.log(report.end))
})
const limited = TranslateClient.layer.pipe(Layer.provideMerge(ConcurrencyLimit.layerAdaptive()), Layer.provide([Region.layerConfig(), Auth.layerConfig()]), Layer.provide(NodeHttpClient.layerUndici))
const fiber = Effect.runFork(program.pipe(
  Effect.provide([Layer.provideMerge(Translator.layer, limited), TranslationStore.layerMemory(), NodeContext.layer, Layer.succeed(Output.Output, Output.make({ json: false, quiet: false, verbose: false })), Layer.succeed(interrupts.Interrupts, service)])
) as Effect.Effect<unknown, unknown>)
fiber.addObserver((exit) => { if (Exit.isFailure(exit)) console.error(Cause.pretty(exit.cause)); process.exit(0) })
