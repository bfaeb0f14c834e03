/** Failed units as JSON Lines, as a source, and with a person's corrections. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { FailedUnits, RetryPolicy, type TranslateStream, TranslationStore } from "effect-translate"
import { Emulator, Fault } from "effect-translate/emulator"
import { Json } from "effect-translate/formats"
import { JobSource, TranslationJob } from "effect-translate/jobs"
import { collect } from "../stream/support.js"
import { withRoomFor } from "../support/disk.js"
import { retries } from "../support/retries.js"
import { filesIn, folderWith, sourceIn, textIn } from "./fileSources.js"
import { billed, many, rowsOf, script, table, withService } from "./jobs.js"
import { file, text } from "./support.js"

const unit: FailedUnits.FailedUnit = {
  source: "menu.json",
  key: "a.b",
  targetLang: "de",
  text: "line\nbreak \u2028 \ud800",
  reason: "BadRequest",
  message: "400",
  ambiguousCharacters: 3
}

const units = [
  unit,
  { ...unit, key: "c", line: 7, sourceLang: "en", correction: "C" },
  {
    source: "menu.json",
    key: "",
    line: 9,
    targetLang: "fr",
    reason: "FormatError",
    message: "bad",
    ambiguousCharacters: 0
  }
]

const failing = (rows: Parameters<typeof table>[0], targets: ReadonlyArray<string> = ["de"]) =>
  Effect.gen(function* () {
    yield* script(Fault.poison("psn"))
    const failed: Array<FailedUnits.FailedUnit> = []
    yield* TranslationJob.run({
      sources: [table(rows).source],
      targets,
      onFailed: (unit) => Effect.sync(() => failed.push(unit))
    })
    yield* Effect.flatMap(Emulator.Emulator, ({ clear }) => clear)
    return failed
  })

describe("FailedUnits", () => {
  it.effect("are one JSON object a line, and read as they were written", () =>
    Effect.gen(function* () {
      const written = yield* text(FailedUnits.encode(Stream.fromIterable(units)))
      expect(written.split("\n")).toHaveLength(4)
      expect(yield* collect(FailedUnits.decode()(file(`\n${written}\n`)))).toEqual(units)
    })
  )

  it.effect("an error of reading names the file and the line, and no text", () =>
    Effect.gen(function* () {
      const line = (yield* text(FailedUnits.encode(Stream.succeed(unit)))).trim()
      const read = (lines: string) => Effect.flip(collect(FailedUnits.decode("failed.jsonl")(file(lines))))
      const cut = yield* read(`${line}\n\n${line.slice(0, -9)}\n`)
      expect(cut).toMatchObject({ _tag: "FailedUnitsError", file: "failed.jsonl", line: 3 })
      expect(cut.message).toContain("failed.jsonl, line 3 is no failed unit")
      expect(cut.message).not.toContain("break")
      const wrong = yield* read(line.replace('"BadRequest"', "4711"))
      expect(wrong.message).toBe("failed.jsonl, line 1 is no failed unit: reason must be string")
      const bytes = yield* Effect.flip(
        collect(FailedUnits.decode("failed.jsonl")(Stream.make(Uint8Array.of(10, 255, 254, 10))))
      )
      expect(bytes).toMatchObject({ _tag: "FailedUnitsError", line: 2 })
    })
  )

  it.effect("as a source are translated each into its own language, and the job that failed finds them", () =>
    Effect.gen(function* () {
      const rows = rowsOf("b1", "psn", "b3")
      const failed = yield* failing(rows, ["de", "fr"])
      expect(failed).toHaveLength(2)
      const before = yield* billed
      const report = yield* TranslationJob.run({
        sources: [JobSource.failedUnits({ units: Stream.fromIterable(failed.slice(0, 1)) })],
        targets: ["de", "fr"]
      })
      expect(report.outputs.map(({ source, state, tally }) => [source, state, tally.in])).toEqual([
        ["failed units", "written", 1],
        ["failed units", "written", 0]
      ])
      expect((yield* billed) - before).toBe("psn".length)
      const again = table(rows)
      yield* TranslationJob.run({ sources: [again.source], targets: ["de"] })
      expect(again.translations("de")).toEqual(["[de] b1", "[de] psñ", "[de] b3"])
      expect((yield* billed) - before).toBe("psn".length)
    }).pipe(withService())
  )

  it.effect("that fail once more keep their source and key", () =>
    Effect.gen(function* () {
      const failed = yield* failing(rowsOf("b1", "psn"))
      yield* script(Fault.poison("psn"))
      const still: Array<FailedUnits.FailedUnit> = []
      yield* TranslationJob.run({
        sources: [JobSource.failedUnits({ units: Stream.fromIterable(failed) })],
        targets: ["de"],
        onFailed: (unit) => Effect.sync(() => still.push(unit))
      })
      expect(still).toMatchObject([{ source: "table", key: "2", text: "psn", reason: "BadRequest" }])
    }).pipe(withService())
  )

  it.effect("are sent with the options of the sources that they come from", () =>
    Effect.gen(function* () {
      const source = (rows: Parameters<typeof table>[0]) => ({
        ...table(rows).source,
        optionsFrom: (options: TranslateStream.Options) => Effect.succeed({ ...options, context: "menu" })
      })
      const failed = yield* failing(rowsOf("psn"))
      yield* TranslationJob.run({
        sources: [JobSource.failedUnits({ units: Stream.fromIterable(failed), of: [source([])] })],
        targets: ["de"]
      })
      const before = yield* billed
      yield* TranslationJob.run({
        sources: [table(rowsOf("psn")).source],
        targets: ["de"],
        options: { context: "menu" }
      })
      expect(yield* billed).toBe(before)
    }).pipe(withService())
  )

  it.scoped("are written to a file, which is removed once nothing fails any more", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const path = `${folder}/failed.jsonl`
      const run = FailedUnits.toFile(path, (onFailed) =>
        TranslationJob.run({ sources: [table(rowsOf("b1", "psn")).source], targets: ["de"], onFailed })
      )
      yield* script(Fault.poison("psn"))
      yield* run
      expect(yield* fs.readDirectory(folder)).toEqual(["failed.jsonl"])
      const read = FailedUnits.decode(path)(fs.stream(path))
      expect(yield* collect(read)).toMatchObject([{ source: "table", key: "2", text: "psn" }])
      yield* Effect.flatMap(Emulator.Emulator, ({ clear }) => clear)
      const interrupted = yield* Effect.exit(FailedUnits.toFile(path, () => Effect.interrupt))
      expect(Exit.isInterrupted(interrupted)).toBe(true)
      expect(yield* fs.readDirectory(folder)).toEqual(["failed.jsonl"])
      const retried = yield* FailedUnits.toFile(path, (onFailed) =>
        TranslationJob.run({ sources: [JobSource.failedUnits({ units: read })], targets: ["de"], onFailed })
      )
      expect(retried.end.state).toBe("complete")
      expect(yield* fs.readDirectory(folder)).toEqual([])
    }).pipe(withService(), Effect.provide(NodeContext.layer))
  )

  it.scoped("of an earlier job stay in the file as far as a job keeps them", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({})
      const path = `${folder}/failed.jsonl`
      yield* FailedUnits.toFile(path, (onFailed) => Effect.forEach(units, onFailed, { discard: true }))
      const keep = (exit: Exit.Exit<string, unknown>) => (unit: FailedUnits.FailedUnit) =>
        Exit.isSuccess(exit) && unit.key !== exit.value
      yield* FailedUnits.toFile(path, (onFailed) => Effect.as(onFailed({ ...unit, key: "new" }), "c"), {
        keep
      })
      const keys = (lines: string) =>
        lines
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line).key)
      expect(keys(textIn(folder, "failed.jsonl"))).toEqual(["new", "a.b", ""])
      yield* FailedUnits.toFile(path, () => Effect.succeed(""), { keep })
      expect(keys(textIn(folder, "failed.jsonl"))).toEqual(["new", "a.b"])
      yield* FailedUnits.toFile(path, () => Effect.succeed(""))
      expect(filesIn(folder)).toEqual([])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("may be written by two processes at once: the file is that of the last one, and whole", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({})
      const path = `${folder}/failed.jsonl`
      const bothWrite = yield* Effect.makeLatch()
      const write = (onFailed: (unit: FailedUnits.FailedUnit) => Effect.Effect<void, unknown>) =>
        Effect.zipRight(onFailed(unit), Effect.zipRight(bothWrite.await, onFailed(unit)))
      const second = FailedUnits.toFile(path, (onFailed) => Effect.zipRight(bothWrite.open, write(onFailed)))
      yield* Effect.all([FailedUnits.toFile(path, write), second], { concurrency: 2 })
      expect(filesIn(folder)).toEqual(["failed.jsonl"])
      expect(textIn(folder, "failed.jsonl").trim().split("\n")).toHaveLength(2)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("that the disk has no room for leave the file of the job before as it is", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* folderWith({})
      const path = `${folder}/failed.jsonl`
      yield* FailedUnits.toFile(path, (onFailed) => onFailed(unit))
      const before = textIn(folder, "failed.jsonl")
      const large = Array.from({ length: 30 }, (_, index) => ({ ...unit, text: `${index}`.repeat(10_000) }))
      const full = <A, E>(
        use: (onFailed: (unit: FailedUnits.FailedUnit) => Effect.Effect<void, unknown>) => Effect.Effect<A, E>
      ) =>
        Effect.provideService(
          Effect.flip(FailedUnits.toFile(path, use)),
          FileSystem.FileSystem,
          withRoomFor(fs, { left: 200_000 })
        )
      const all = full((onFailed) => Effect.forEach(large, (unit) => Effect.ignore(onFailed(unit))))
      expect(yield* all).toMatchObject({ description: "ENOSPC: no space left on device" })
      expect(textIn(folder, "failed.jsonl")).toBe(before)
      const failing = full((onFailed) =>
        Effect.zipRight(Effect.forEach(large.slice(0, 25), onFailed), Effect.fail("job"))
      )
      expect(yield* failing).toMatchObject({ description: "ENOSPC: no space left on device" })
      const ended = full((onFailed) =>
        Effect.zipRight(
          Effect.forEach(large, (unit) => Effect.ignore(onFailed(unit))),
          Effect.fail("job")
        )
      )
      expect(yield* ended).toBe("job")
      expect(textIn(folder, "failed.jsonl")).toBe(before)
      expect(filesIn(folder)).toEqual(["failed.jsonl"])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("of a file are sent with the syntax that its format protects, so that the file finds them", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.json": '{ "a": "psn {name}", "b": "hmm {name}" }' })
      const source = sourceIn(folder, "a.json", { format: Json.format })
      yield* script(Fault.poison("psn"))
      const failed: Array<FailedUnits.FailedUnit> = []
      yield* TranslationJob.run({
        sources: [source],
        targets: ["de"],
        onFailed: (unit) => Effect.sync(() => failed.push(unit))
      })
      expect(failed).toMatchObject([{ source: source.name, key: "a", line: 1, text: "psn {name}" }])
      yield* Effect.flatMap(Emulator.Emulator, ({ clear }) => clear)
      yield* TranslationJob.run({
        sources: [JobSource.failedUnits({ units: Stream.fromIterable(failed), of: [source] })],
        targets: ["de"]
      })
      const before = yield* billed
      const report = yield* TranslationJob.run({ sources: [source], targets: ["de"] })
      expect(yield* billed).toBe(before)
      expect(report.end.state).toBe("complete")
      expect(textIn(folder, "de/a.json")).toContain('"[de] psñ {name}"')
    }).pipe(withService(), Effect.provide(NodeContext.layer))
  )

  it.effect("are forecast, and a pilot takes some of them", () =>
    Effect.gen(function* () {
      const failed = yield* failing(many(5, "psn"))
      const job = {
        sources: [JobSource.failedUnits({ units: Stream.fromIterable(failed) })],
        targets: ["de", "fr"],
        limit: 2
      }
      expect(yield* TranslationJob.forecast(job)).toMatchObject({ texts: 2, characters: 8 })
      const before = yield* billed
      yield* TranslationJob.run(job)
      expect((yield* billed) - before).toBe(8)
    }).pipe(withService())
  )

  it.effect("give a person's corrections to the store, which the job that failed then writes unbilled", () =>
    Effect.gen(function* () {
      const failed = yield* failing(rowsOf("psn", "psn2"))
      const corrected = failed.map((unit) => (unit.text === "psn" ? { ...unit, correction: "Gift" } : unit))
      const store = yield* TranslationStore.TranslationStore
      yield* Stream.runForEachChunk(FailedUnits.corrections(Stream.fromIterable(corrected)), store.correct)
      yield* script(Fault.poison("psn"))
      const again = table(rowsOf("psn", "psn2"))
      yield* TranslationJob.run({ sources: [again.source], targets: ["de"] })
      expect(again.translations("de")).toEqual(["Gift"])
      expect(yield* billed).toBe(0)
    }).pipe(withService())
  )

  it.effect("are asked for again as a source, though the service has failed with them before", () =>
    Effect.gen(function* () {
      yield* script(Fault.where(Fault.times(Fault.status(500), 5), ({ texts }) => texts.includes("b7")))
      const failed: Array<FailedUnits.FailedUnit> = []
      const job = {
        sources: [table(many(20, "b")).source],
        targets: ["de"],
        onFailed: (unit: FailedUnits.FailedUnit) => Effect.sync(() => failed.push(unit))
      }
      yield* TranslationJob.run(job)
      yield* TranslationJob.run({ ...job, sources: [table(many(20, "b")).source] })
      expect(failed.map(({ reason, text }) => [text, reason])).toEqual([
        ["b7", "ServerError"],
        ["b7", "FailedBefore"]
      ])
      yield* TestClock.adjust("1 millis")
      const before = yield* billed
      yield* TranslationJob.run({
        sources: [JobSource.failedUnits({ units: Stream.fromIterable(failed.slice(0, 1)) })],
        targets: ["de"]
      })
      expect((yield* billed) - before).toBe(2)
      const { targets } = yield* TranslationJob.run({ ...job, sources: [table(many(20, "b")).source] })
      expect(targets[0]).toMatchObject({ cached: 20, failed: 0 })
    }).pipe(
      Effect.provideService(
        RetryPolicy.RetryPolicy,
        RetryPolicy.make({ schedule: retries(5, 0), ambiguousBudget: 100 })
      ),
      withService()
    )
  )
})
