/** Corrections in outputs of rows on the command line. */
import { readFileSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { emulator, folderOf, processTimeout, run, start } from "./process.js"

const args = ["translate", "products.csv", "--from", "en", "--to", "de", "--column", "title"]

describe("a correction in an output of rows", () => {
  it.scopedLive(
    "is read by --key, counted, kept and never paid for, with rows that were inserted",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderOf({ "products.csv": "sku,title\nA,Mug\nB,Cup\n" })
        const output = `${folder}/products.de.csv`
        const read = () => readFileSync(output, "utf8")
        yield* run(args, { folder, env })
        writeFileSync(output, read().replace(/B,.*/, "B,Tasse"))
        writeFileSync(`${folder}/products.csv`, "sku,title\nC,Bowl\nA,Mug\nB,Cup\n")
        const before = yield* billed
        const refused = yield* run(args, { folder, env })
        expect(refused).toMatchObject({
          code: 2,
          stderr: expect.stringContaining("name the columns that tell rows apart as --key")
        })
        const bySku = [...args, "--key", "sku"]
        const dry = yield* run([...bySku, "--dry-run"], { folder, env })
        expect(dry.code).toBe(0)
        const done = yield* run(bySku, { folder, env })
        expect(done.stdout).toContain("1 correction read from products.de.csv.")
        expect(read()).toBe("sku,title\nC,[de] Böwl\nA,[de] Mûg\nB,Tasse\n")
        expect((yield* billed) - before).toBe(4)
        const again = yield* run(bySku, { folder, env })
        expect(again.stdout).not.toContain("correction")
        expect(again.stdout).toContain("1 output unchanged")
        const exported = yield* run(["memory", "export", "memory.csv"], { folder, env })
        expect(exported.code).toBe(0)
        expect(readFileSync(`${folder}/memory.csv`, "utf8")).toMatch(/Cup,Tasse/)
        const check = yield* run(["check", ...args.slice(1)], { folder, env })
        expect([check.code, check.stdout]).toEqual([0, expect.not.stringContaining("Tasse")])
      }),
    processTimeout
  )

  it.scopedLive(
    "is refused without a store, and left as it is",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf({ "products.csv": "sku,title\nA,Mug\nB,Cup\n" })
        const output = `${folder}/products.de.csv`
        yield* run(args, { folder, env })
        writeFileSync(output, readFileSync(output, "utf8").replace(/B,.*/, "B,Tasse"))
        const refused = yield* run([...args, "--store", "none"], { folder, env })
        expect(refused).toMatchObject({
          code: 2,
          stderr: expect.stringContaining("the store knows none of its translations")
        })
        expect(readFileSync(output, "utf8")).toContain("B,Tasse")
      }),
    processTimeout
  )

  it.scopedLive(
    "survives kill -9 while the output is made anew",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator({ latency: 20 })
        const rows = (count: number) =>
          `sku,title\n${Array.from({ length: count }, (_, row) => `${row},Mug number ${row}`).join("\n")}\n`
        const folder = yield* folderOf({ "products.csv": rows(1000) })
        const bySku = [...args, "--key", "sku"]
        yield* run(bySku, { folder, env })
        const output = `${folder}/products.de.csv`
        writeFileSync(output, readFileSync(output, "utf8").replace(/^7,.*$/m, "7,Siebte Tasse"))
        writeFileSync(`${folder}/products.csv`, rows(4000))
        const before = yield* billed
        const running = yield* start(bySku, { folder, env })
        const isHalf = Effect.repeat(billed, {
          schedule: Schedule.spaced("5 millis"),
          until: (characters) => characters > before + 10_000
        })
        yield* Effect.raceFirst(isHalf, running.ended)
        yield* running.kill("SIGKILL")
        yield* running.ended
        expect(readFileSync(output, "utf8")).toContain("7,Siebte Tasse")
        const done = yield* run(bySku, { folder, env })
        expect(done.code).toBe(0)
        const lines = readFileSync(output, "utf8").trimEnd().split("\n")
        expect([lines.length, lines[8]]).toEqual([4001, "7,Siebte Tasse"])
        expect((yield* run(bySku, { folder, env })).stdout).toContain("1 output unchanged")
      }),
    processTimeout
  )
})
