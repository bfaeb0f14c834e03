/**
 * Plans a large CSV file as a job does, and reads some of its slices, in a process of its own, so that its memory can be measured:
 * `fileCorpusSubject.ts file slices`. It prints what that took as JSON.
 */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Translator } from "effect-translate"
import { FileCorpus } from "effect-translate/workflow"
import { peakMiB } from "../support/peakMemory.js"

export interface Result {
  readonly slices: number
  readonly texts: number
  readonly planSeconds: number
  /** Of the CPU, so that other work of the machine does not count. */
  readonly planCpuSeconds: number
  readonly read: number
  readonly readSeconds: number
  readonly peakRssMiB: number
}

const [path = "", most = "1000"] = process.argv.slice(2)

const translator = Translator.Translator.of({
  translate: (texts: ReadonlyArray<string>) =>
    Effect.succeed({
      translations: texts.map((text) => ({ text })),
      attempts: 1,
      ambiguousAttempts: 0
    })
} as never)

const program = Effect.gen(function* () {
  const { reference } = yield* FileCorpus.reference({
    files: [{ path, output: `${path}.{lang}` }],
    columns: ["title"]
  })
  const { sources } = yield* FileCorpus.kind.open(reference)
  const { slice, slices } = sources[0]!
  const begin = Date.now()
  const cpu = process.cpuUsage()
  let count = 0
  let texts = 0
  const kept: Array<unknown> = []
  yield* Stream.runForEach(
    slices!(() => 50),
    (slice) =>
      Effect.sync(() => {
        if (count++ < Number(most)) kept.push(slice.reference)
        texts += slice.texts
      })
  )
  const planned = Date.now()
  const used = process.cpuUsage(cpu)
  let read = 0
  yield* Effect.forEach(kept, (reference) =>
    slice!(reference).translate([
      {
        options: { targetLang: "de" },
        partial: false,
        observe: (outcomes) =>
          Effect.sync(() => {
            for (const { texts } of outcomes) read += texts.translated
          })
      }
    ])
  )
  yield* Console.log(
    JSON.stringify({
      slices: count,
      texts,
      planSeconds: (planned - begin) / 1000,
      planCpuSeconds: (used.user + used.system) / 1e6,
      read,
      readSeconds: (Date.now() - planned) / 1000,
      peakRssMiB: peakMiB()
    } satisfies Result)
  )
}).pipe(Effect.provideService(Translator.Translator, translator), Effect.provide(NodeContext.layer))

NodeRuntime.runMain(program)
