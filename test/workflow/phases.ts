/** Both phases of a durable job in one process: slices fill the store, then each source is translated as a whole. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { TranslationJob } from "effect-translate/jobs"
import type { Corpus } from "effect-translate/workflow"
import { billed } from "../job/jobs.js"

export const run = <E, R>(corpus: Corpus.Corpus<E, R>, targets: ReadonlyArray<string>, texts: number) =>
  Effect.gen(function* () {
    const jobOf = (source: Corpus.Source<E, R>["source"]) =>
      TranslationJob.run({ sources: [source], targets })
    let slices = 0
    let planned = 0
    let looked = 0
    for (const source of corpus.sources) {
      const found = yield* Stream.runCollect(source.slices?.(() => texts) ?? Stream.empty)
      for (const { reference, texts } of Chunk.toReadonlyArray(found)) {
        slices++
        planned += texts
        const report = yield* jobOf(source.slice!(JSON.parse(JSON.stringify(reference))))
        looked += report.targets[0]!.in
      }
    }
    const filled = yield* billed
    const reports = yield* Effect.forEach(corpus.sources, ({ source }) => jobOf(source))
    return { slices, planned, looked, filled, reports, all: yield* billed }
  })
