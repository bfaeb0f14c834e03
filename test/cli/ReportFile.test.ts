import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as samples from "../../src/cli/report/progressSamples.js"
import * as report from "../../src/cli/report/reportFile.js"
import type * as JobSource from "../../src/job/JobSource.js"
import { withRoomFor } from "../support/disk.js"
import { folderOf } from "./process.js"
import { dataOf, jobReport } from "./reportPages.js"

const unit = (key: string, state: JobSource.UnitOutcome["state"] = "translated"): JobSource.UnitOutcome => ({
  source: "app.json",
  key,
  targetLang: "de",
  text: "One",
  translation: "Eins",
  state
})

describe("the file of a report", () => {
  it.scoped("has its name once it is whole, and replaces an older report", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf()
      const path = `${folder}/r.html`
      for (const key of ["first", "second"]) {
        yield* Effect.scoped(
          Effect.gen(function* () {
            const made = yield* report.make(path)
            yield* made.onUnits([unit(key)])
            expect(readdirSync(folder).filter((name) => name.endsWith(".draft"))).toHaveLength(1)
            yield* made.write(jobReport({ units: [unit(key)] }))
          })
        )
        expect(readdirSync(folder)).toEqual(["r.html"])
        expect(readFileSync(path, "utf8")).toContain(`"${key}"`)
      }
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("leaves nothing behind if it is not written", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf()
      yield* Effect.scoped(
        Effect.flatMap(report.make(`${folder}/r.html`), ({ onUnits }) => onUnits([unit("a")]))
      )
      expect(readdirSync(folder)).toEqual([])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped(
    "says at once that it can't be written: no folder, a folder of its name, another file that it would replace",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf({ "en.json": "{}", "a file": "" })
        const refused = (path: string) => Effect.flip(Effect.scoped(report.make(`${folder}/${path}`)))
        expect(yield* refused("none/r.html")).toMatchObject({
          _tag: "Usage",
          message: `The report can't be written to ${folder}/none/r.html: its folder does not exist. Name another file with --report.`
        })
        expect((yield* refused("")).message).toContain("it is a folder")
        expect((yield* refused("en.json/r.html")).message).toContain("can't be written")
        expect((yield* refused("en.json")).message).toContain("is no report: it is not overwritten")
        expect(readFileSync(`${folder}/en.json`, "utf8")).toBe("{}")
        writeFileSync(`${folder}/empty.html`, "")
        yield* Effect.scoped(report.make(`${folder}/empty.html`))
      }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("does not end a job if the disk is full, and says that it is not written", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf()
      const fs = yield* FileSystem.FileSystem
      const room = { left: 400_000 }
      const small = withRoomFor(fs, room)
      const error = yield* Effect.gen(function* () {
        const made = yield* report.make(`${folder}/r.html`)
        for (let group = 0; group < 20; group++) {
          yield* made.onUnits(Array.from({ length: 500 }, (_, index) => unit(`${index} ${"x".repeat(100)}`)))
        }
        return yield* Effect.flip(made.write(jobReport({ units: [unit("a")] })))
      }).pipe(Effect.scoped, Effect.provideService(FileSystem.FileSystem, small))
      expect(error.message).toBe(
        `The report ${folder}/r.html is not written: ENOSPC: no space left on device.`
      )
      expect(readdirSync(folder)).toEqual([])
      room.left = 10
      const early = yield* report
        .make(`${folder}/r.html`)
        .pipe(Effect.scoped, Effect.provideService(FileSystem.FileSystem, small), Effect.flip)
      expect(early).toMatchObject({ _tag: "Usage" })
      expect(early.message).toContain("no space left")
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("has room for 100,000 texts, and as many failed ones: it counts those beyond", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf()
      const made = yield* report.make(`${folder}/r.html`)
      const units = Array.from({ length: 1000 }, (_, index) => unit(`${index}`))
      for (let group = 0; group < 101; group++) yield* made.onUnits(units)
      yield* made.onUnits([unit("last", "failed")])
      yield* made.write(jobReport({ units: [unit("a")] }))
      expect(dataOf(`${folder}/r.html`).omitted).toBe(1000)
      expect(readFileSync(`${folder}/r.html`, "utf8")).toContain('"last"')
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it("keeps at most 1,024 samples and the last, at even distances, however long a job takes", () => {
    const sampleAt = (at: number) => ({ at, done: at * 10, refused: 0, limit: 8, inUse: 8 })
    const seen = samples.make()
    for (let at = 0; at < 100_000; at++) seen.add(sampleAt(at))
    const all = seen.endingWith(sampleAt(100_000)).map(({ at }) => at)
    expect(all.length).toBeGreaterThan(500)
    expect(all.length).toBeLessThanOrEqual(1025)
    expect(new Set(all.slice(1, -1).map((at, index) => at - all[index]!)).size).toBe(1)
    expect(all.at(-1)).toBe(100_000)
  })

  it("has the last sample in place of one that was just taken", () => {
    const sampleAt = (at: number) => ({ at, done: at, refused: 0, limit: 8, inUse: 8 })
    const seen = samples.make()
    for (const at of [0, 1, 2]) seen.add(sampleAt(at))
    expect(seen.endingWith(sampleAt(2.2)).map(({ at }) => at)).toEqual([0, 1, 2.2])
    expect(seen.endingWith(sampleAt(2.9)).map(({ at }) => at)).toEqual([0, 1, 2, 2.9])
  })
})
