/** What a job tells of each text: its key, its line, its translation, and what became of it. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Csv, type FailedUnits } from "effect-translate"
import { Fault } from "effect-translate/emulator"
import { JsonLines, Po } from "effect-translate/formats"
import { JobSource, TranslationJob } from "effect-translate/jobs"
import { keyed } from "../support/keyedFormat.js"
import { folderWith, sourceIn } from "./fileSources.js"
import { rowsOf, SinkError, script, table, withService } from "./jobs.js"

type Told = readonly [
  key: string,
  line: number | undefined,
  text: string | undefined,
  translation: string | undefined,
  state: string
]

/** Runs a job into German, and keeps what it tells. */
const toldOf = <E, R>(source: JobSource.JobSource<E, R>, options: Partial<TranslationJob.Options> = {}) => {
  const units: Array<JobSource.UnitOutcome> = []
  return TranslationJob.run({
    sources: [source],
    targets: ["de"],
    ...options,
    onUnits: (found) => Effect.sync(() => units.push(...found))
  }).pipe(
    Effect.map((report) => {
      const [target] = report.targets
      for (const state of ["translated", "cached", "skipped", "failed"] as const) {
        expect(units.filter((unit) => unit.state === state)).toHaveLength(target![state])
      }
      return {
        units,
        told: units.map(
          ({ key, line, state, text, translation }): Told => [key, line, text, translation, state]
        )
      }
    })
  )
}

const inFolder = Effect.provide(NodeContext.layer)

describe("a job tells of units", () => {
  it.effect("of rows, by their keys and fields", () =>
    Effect.gen(function* () {
      yield* script(Fault.poison("psn"))
      const rows = [
        { id: 1, title: "b1", body: "b2" },
        { id: 2, title: "b3", body: null },
        { id: 3, title: "psn", body: " " }
      ]
      const make = (extra: typeof rows) =>
        JobSource.rows({
          name: "rows",
          rows: Stream.fromIterable([...rows, ...extra]),
          key: ({ id }) => String(id),
          fields: ["title", "body"],
          write: () => (outcomes) => Stream.runDrain(outcomes)
        })
      const { told, units } = yield* toldOf(make([]))
      expect(told).toEqual([
        ["1.title", undefined, "b1", "[de] b1", "translated"],
        ["1.body", undefined, "b2", "[de] b2", "translated"],
        ["2.title", undefined, "b3", "[de] b3", "translated"],
        ["2.body", undefined, undefined, undefined, "skipped"],
        ["3.title", undefined, "psn", "psn", "failed"],
        ["3.body", undefined, " ", " ", "skipped"]
      ])
      expect(units[4]).toMatchObject({ source: "rows", targetLang: "de", error: { _tag: "BadRequest" } })
      expect("error" in units[0]!).toBe(false)
      const again = yield* toldOf(make([{ id: 4, title: "b9", body: "b1" }]))
      expect(again.told.filter(([, , , , state]) => state === "translated" || state === "cached")).toEqual([
        ["1.title", undefined, "b1", "[de] b1", "cached"],
        ["1.body", undefined, "b2", "[de] b2", "cached"],
        ["2.title", undefined, "b3", "[de] b3", "cached"],
        ["4.title", undefined, "b9", "[de] b9", "translated"],
        ["4.body", undefined, "b1", "[de] b1", "cached"]
      ])
    }).pipe(withService())
  )

  it.effect("of rows whose texts a function finds, by their places", () =>
    Effect.gen(function* () {
      const source = JobSource.rowsWith({
        name: "rows",
        rows: Stream.make({ id: "x", tags: ["b1", "b2"] }, { id: "y", tags: ["b3"] }),
        key: ({ id }) => id,
        texts: ({ tags }) => tags,
        replace: (row, tags) => ({ ...row, tags }),
        write: () => (outcomes) => Stream.runDrain(outcomes)
      })
      expect((yield* toldOf(source)).told.map(([key, , , translation]) => [key, translation])).toEqual([
        ["x.0", "[de] b1"],
        ["x.1", "[de] b2"],
        ["y", "[de] b3"]
      ])
    }).pipe(withService())
  )

  it.effect("of files that stream, with their lines, also of those that can't be read", () =>
    Effect.gen(function* () {
      yield* script(Fault.poison("psn"))
      const folder = yield* folderWith({
        "a.csv": "t,u\nb1,1\npsn,2\n",
        "b.jsonl": '{"t":"b2"}\nno json\n'
      })
      const ofCsv = sourceIn(folder, "a.csv", { format: Csv.make({ columns: ["t"] }), failed: "empty" })
      const { told } = yield* toldOf(ofCsv)
      expect(told).toEqual([
        ["1:t", 2, "b1", "[de] b1", "translated"],
        ["2:t", 3, "psn", "", "failed"]
      ])
      const lines = sourceIn(folder, "b.jsonl", {
        format: JsonLines.make({ select: ["t"], onBadLine: "skip" })
      })
      expect((yield* toldOf(lines)).told).toEqual([
        ["1:t", 1, "b2", "[de] b2", "translated"],
        ["2", 2, undefined, undefined, "failed"]
      ])
    }).pipe(Effect.scoped, inFolder, withService())
  )

  it.effect("of files that are updated, with the translations of their outputs", () =>
    Effect.gen(function* () {
      yield* script(Fault.poison("psn"))
      const folder = yield* folderWith({
        "a.keyed": "a = b1\nb = b2\nc = psn\nd = b4\n",
        "de.keyed": "a = Von Hand\nold = Alt\n"
      })
      const source = sourceIn(folder, "a.keyed", { format: keyed, output: () => `${folder}/de.keyed` })
      const { told } = yield* toldOf(source, { limit: 2, partial: true })
      expect(told.map(([key, , ...rest]) => [key, ...rest])).toEqual([
        ["a", "b1", "Von Hand", "skipped"],
        ["old", undefined, "Alt", "skipped"],
        ["b", "b2", "[de] b2", "translated"],
        ["c", "psn", "psn", "failed"],
        ["d", "b4", "b4", "skipped"]
      ])
    }).pipe(Effect.scoped, inFolder, withService())
  )

  it.effect("of files that hold both languages", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({
        "a.po": 'msgid "b1"\nmsgstr "Von Hand"\n\nmsgid "b2"\nmsgstr ""\n'
      })
      const { told } = yield* toldOf(sourceIn(folder, "a.po", { format: Po.format }))
      expect(told.map(([, line, ...rest]) => [line, ...rest])).toEqual([
        [1, "b1", "Von Hand", "skipped"],
        [4, "b2", "[de] b2", "translated"]
      ])
    }).pipe(Effect.scoped, inFolder, withService())
  )

  it.effect("before it hands over the failed ones of the same group, and ends with an error of that", () =>
    Effect.gen(function* () {
      yield* script(Fault.poison("psn"))
      const order: Array<string> = []
      const job = {
        sources: [table(rowsOf("psn")).source],
        targets: ["de"],
        onUnits: ([unit]: ReadonlyArray<JobSource.UnitOutcome>) =>
          Effect.sync(() => order.push(`${unit?.state}`)),
        onFailed: ({ key }: FailedUnits.FailedUnit) => Effect.sync(() => order.push(key))
      }
      yield* TranslationJob.run(job)
      expect(order).toEqual(["failed", "1"])
      const failing = { ...job, onUnits: () => Effect.fail(new SinkError("full")) }
      expect(yield* Effect.flip(TranslationJob.run(failing))).toBeInstanceOf(SinkError)
    }).pipe(withService())
  )
})
