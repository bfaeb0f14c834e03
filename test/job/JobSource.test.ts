/** Rows as a source of a job: keys of failures, and what a sink sees of errors. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { FailedUnits, Outcome, Translator } from "effect-translate"
import { Fault } from "effect-translate/emulator"
import { JobSource, TranslationJob } from "effect-translate/jobs"
import { collect } from "../stream/support.js"
import { many, rowsOf, SinkError, script, table, withService } from "./jobs.js"

const rows = [
  { id: "x", title: "psn1", body: "b1" },
  { id: "y", title: "b2", body: "psn2" }
]

const failuresOf = <E>(source: JobSource.JobSource<E, Translator.Translator>) =>
  Effect.gen(function* () {
    yield* script(Fault.poison("psn"))
    const units: Array<FailedUnits.FailedUnit> = []
    yield* TranslationJob.run({
      sources: [source],
      targets: ["de"],
      onFailed: (unit) => Effect.sync(() => units.push(unit))
    })
    return units.map(({ key, text }) => [key, text])
  })

const common = {
  name: "table",
  rows: Stream.fromIterable(rows),
  key: ({ id }: (typeof rows)[number]) => id,
  write: () => (outcomes: Stream.Stream<unknown, JobSource.RowsError>) => Stream.runDrain(outcomes)
}

describe("JobSource.rows", () => {
  it.effect("name a failure by the key of its row, and by its field if there are several", () =>
    Effect.gen(function* () {
      expect(yield* failuresOf(JobSource.rows({ ...common, fields: ["title", "body"] }))).toEqual([
        ["x.title", "psn1"],
        ["y.body", "psn2"]
      ])
      expect(yield* failuresOf(JobSource.rows({ ...common, fields: ["title"] }))).toEqual([["x", "psn1"]])
    }).pipe(withService())
  )

  it.effect("of functions name a failure by the position of its text", () =>
    Effect.gen(function* () {
      const source = JobSource.rowsWith({
        ...common,
        texts: ({ body, title }) => [title, body],
        replace: (row, [title, body]) => ({ ...row, title, body })
      })
      expect(yield* failuresOf(source)).toEqual([
        ["x.0", "psn1"],
        ["y.1", "psn2"]
      ])
    }).pipe(withService())
  )

  it.effect("give outcomes with their keys, in the order of the rows", () =>
    Effect.gen(function* () {
      const seen: Array<readonly [string, Outcome.Outcome<unknown>["_tag"], string]> = []
      const source = JobSource.rowsWith({
        ...common,
        texts: ({ title }) => [title],
        replace: (_, [title]) => title!,
        write: (targetLang) => (outcomes) =>
          Stream.runForEach(outcomes, ({ _tag, key, value }) =>
            Effect.sync(() => seen.push([key, _tag, `${targetLang} ${value}`]))
          )
      })
      yield* TranslationJob.run({ sources: [source], targets: ["de"] })
      expect(seen).toEqual([
        ["x", "Translated", "de [de] psñ1"],
        ["y", "Translated", "de [de] b2"]
      ])
    }).pipe(withService())
  )

  it.effect(
    "end a sink with the error that ended the stream, and a sink that hides it has written nothing whole",
    () =>
      Effect.gen(function* () {
        yield* script(Fault.status(400).pipe(Fault.on("POST", "/v2/translate"), Fault.times(99)))
        let seen: JobSource.RowsError | undefined
        const source = JobSource.rows({
          ...common,
          fields: ["title"],
          write: () => (outcomes) =>
            outcomes.pipe(
              Stream.runDrain,
              Effect.catchAll((error) =>
                Effect.sync(() => {
                  seen = error
                })
              )
            )
        })
        const error = yield* Effect.flip(
          TranslationJob.run({ sources: [source], targets: ["de"], options: { budget: 0 } })
        )
        expect(seen!._tag).toBe("BudgetExceeded")
        expect(error).toBe(seen)
      }).pipe(withService())
  )

  it.effect("are partial if their sink takes some of them only", () =>
    Effect.gen(function* () {
      const source = JobSource.rows({
        ...common,
        fields: ["title"],
        write: () => (outcomes) => collect(Stream.take(outcomes, 1))
      })
      const report = yield* TranslationJob.run({ sources: [source], targets: ["de"] })
      expect(report.outputs[0]!.state).toBe("partial")
    }).pipe(withService())
  )

  it.effect("that can't be read to their end are translated up to there", () =>
    Effect.gen(function* () {
      const good: Array<string> = []
      const source = JobSource.rows({
        ...common,
        rows: Stream.concat(common.rows, Stream.fail(new SinkError("gone"))),
        fields: ["body"],
        write: () => (outcomes) =>
          Stream.runForEach(outcomes, ({ value }) => Effect.sync(() => good.push(value.body)))
      })
      const report = yield* TranslationJob.run({ sources: [source], targets: ["de"] })
      expect(good).toEqual(["[de] b1", "[de] psñ2"])
      expect(report.outputs[0]).toMatchObject({ state: "failed", error: { tag: "SinkError" } })
    }).pipe(withService())
  )

  it.effect("of several sources end with JobStopped once the job has ended", () =>
    Effect.gen(function* () {
      yield* script(Fault.poison("psn"))
      let stopped: unknown
      const { source } = table(many(2000), { name: "long" })
      const long: typeof source = {
        ...source,
        translate: (translations) =>
          Effect.tap(source.translate(translations), ([result]) =>
            Effect.sync(() => {
              stopped = result
            })
          )
      }
      const exit = yield* Effect.flip(
        TranslationJob.run({
          sources: [long, table(rowsOf("psn"), { name: "short" }).source],
          targets: ["de"],
          options: { concurrency: 1, maxTexts: 5 },
          sourceConcurrency: 2,
          onFailed: () => Effect.fail("full" as const)
        })
      )
      expect(exit).toBe("full")
      expect(stopped).toMatchObject({ left: { _tag: "JobStopped" } })
    }).pipe(withService())
  )
})
