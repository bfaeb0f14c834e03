/** Ten kinds of bad answers: what durable jobs do with them by the checks that are built in. */
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Check } from "effect-translate/checks"
import { Emulator, Fault } from "effect-translate/emulator"
import { type CorpusJob, JobControl } from "effect-translate/workflow"
import { answers } from "../job/badAnswers.js"
import { script } from "../job/jobs.js"
import { bench, billed, done, withEmulator } from "./jobs.js"

const file = ["id,title", ...Object.keys(answers).map((text, id) => `${id},"${text}"`)].join("\n")

/** Runs a job, and another one over the same texts, on the same store. */
const run = (checks?: CorpusJob.CorpusJob["checks"]) =>
  Effect.gen(function* () {
    yield* script(Fault.mistranslate((source) => answers[source] ?? source).pipe(Fault.times(999)))
    const { jobOver, output, worker } = yield* bench({ files: { "texts.csv": file } })
    const options: Partial<CorpusJob.CorpusJob> = { targets: ["de"], options: { sourceLang: "en" }, checks }
    return yield* Effect.gen(function* () {
      const first = yield* done(yield* jobOver("texts.csv", options))
      const { failures } = yield* JobControl.JobControl
      const failed = Array.from(yield* Stream.runCollect(failures("catalogue")))
      const cost = yield* billed
      const again = yield* done(yield* jobOver("texts.csv", { ...options, id: "again" }))
      expect(yield* billed).toBe(cost)
      return { first: first.targets[0], again: again.targets[0], failed, output: output("de", "texts.csv") }
    }).pipe(Effect.provide(worker))
  })

describe("ten kinds of bad answers to a durable job", () => {
  it.scopedLive(
    "end as two that have failed and eight that look wrong; the failed ones are not paid again",
    () =>
      Effect.gen(function* () {
        const { again, failed, first, output } = yield* run()
        expect(first).toMatchObject({ translated: 8, failed: 2, flagged: 8 })
        expect(failed.map(({ tag }) => tag)).toEqual(["TranslationRefused", "TranslationRefused"])
        expect(again).toMatchObject({ cached: 8, failed: 2 })
        expect(output).toContain("Good morning to all of you.")
        expect(output).toContain("Der Vertrag endet 2062.")
      }).pipe(withEmulator())
  )

  it.scopedLive(
    "are asked for once more by a job that is submitted again with a time before which failures do not count",
    () =>
      Effect.gen(function* () {
        yield* script(Fault.mistranslate((source) => answers[source] ?? source).pipe(Fault.times(999)))
        const { jobOver, worker } = yield* bench({ files: { "texts.csv": file } })
        const options: Partial<CorpusJob.CorpusJob> = { targets: ["de"], options: { sourceLang: "en" } }
        yield* Effect.gen(function* () {
          yield* done(yield* jobOver("texts.csv", options))
          yield* Effect.flatMap(Emulator.Emulator, ({ clear }) => clear)
          const again = yield* jobOver("texts.csv", { ...options, retryFailedBefore: yield* DateTime.now })
          const cost = yield* billed
          expect((yield* done(again)).targets[0]).toMatchObject({ cached: 8, translated: 2, failed: 0 })
          const paid = yield* billed
          expect(paid).toBeGreaterThan(cost)
          expect(yield* done(again)).toMatchObject({ generation: 2 })
          expect(yield* billed).toBe(paid)
        }).pipe(Effect.provide(worker))
      }).pipe(withEmulator())
  )

  it.scopedLive("end as ten that have failed, where each check fails them", () =>
    Effect.gen(function* () {
      const { again, first } = yield* run(
        Object.fromEntries(Check.defaults.map(({ name }) => [name, "fail" as const]))
      )
      expect(first).toMatchObject({ translated: 0, failed: 10 })
      expect(again).toMatchObject({ cached: 0, failed: 10 })
    }).pipe(withEmulator())
  )
})
