import { existsSync, readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { capability } from "../support/capabilities.js"
import * as disks from "../support/disk.js"
import { emulator, folderOf, processTimeout, run, start } from "./process.js"

const mounts = capability("mounts")

describe("translate", () => {
  it.scopedLive(
    "goes on after kill -9, and after SIGTERM, which ends it with 130",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator({ latency: 100 })
        const rows = Array.from({ length: 2000 }, (_, index) => `${index},Product ${index}`)
        const folder = yield* folderOf({ "big.csv": `id,title\n${rows.join("\n")}\n` })
        const args = ["translate", "big.csv", "--to", "de", "--column", "title"]
        const begun = (more: number) => Effect.repeat(billed, { until: (count) => count >= more })

        const killed = yield* start(args, { folder, env })
        yield* begun(1000)
        yield* killed.kill("SIGKILL")
        yield* killed.ended

        const before = yield* billed
        const stopped = yield* start(args, { folder, env })
        yield* begun(before + 500)
        yield* stopped.kill("SIGTERM")
        const { code, stderr, stdout } = yield* stopped.ended
        expect(code).toBe(130)
        expect(stderr).toContain("Stopped: finished translations are stored. Run the same again to go on.")
        expect(stdout).toMatch(/May be paid twice: [\d,]+ characters/)
        expect(existsSync(`${folder}/big.de.csv`)).toBe(false)

        const last = yield* run(args, { folder, env })
        expect(last.code).toBe(0)
        expect(readFileSync(`${folder}/big.de.csv`, "utf8").trimEnd().split("\n")).toHaveLength(2001)
        expect(readdirSync(folder).filter((name) => name.endsWith(".draft"))).toEqual([])
        const once = rows.reduce((sum, row) => sum + row.length - row.indexOf(",") - 1, 0)
        // What was in flight when it was killed, at most.
        expect(yield* billed).toBeLessThanOrEqual(once + 8 * 50 * 12)
      }),
    processTimeout
  )

  it.scopedLive.skipIf(mounts.isMissing)(
    `says that a disk is full, ends with 1, and leaves no temporary file${mounts.why}`,
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const rows = Array.from({ length: 3000 }, (_, index) => `${index},Product number ${index}`)
        const folder = yield* folderOf({ "big.csv": `id,title\n${rows.join("\n")}\n` })
        const { path: disk } = yield* Effect.acquireRelease(
          Effect.sync(() => disks.make("64k")),
          ({ remove }) => Effect.sync(remove)
        )
        const args = ["translate", "big.csv", "--to", "de", "--column", "title", "--out", `${disk}/`]
        const { code, stderr, stdout } = yield* run(args, { folder, env })
        expect(code).toBe(1)
        expect(stdout).toContain("ENOSPC")
        expect(stderr).toContain("Not everything is translated: 1 output not whole.")
        expect(readdirSync(disk)).toEqual([])

        const elsewhere = yield* run([...args.slice(0, -2)], { folder, env })
        expect(elsewhere.code).toBe(0)
        expect(elsewhere.stdout).toContain("Nothing was billed.")
      }),
    processTimeout
  )

  it.scopedLive(
    "takes files without any item, whatever field is chosen",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf({ "a.jsonl": "" })
        const { code } = yield* run(["translate", "a.jsonl", "--to", "de", "--field", "title"], {
          folder,
          env
        })
        expect(code).toBe(0)
        expect(readFileSync(`${folder}/a.de.jsonl`, "utf8")).toBe("")
      }),
    processTimeout
  )

  it.scopedLive(
    "says by its flag that no field is chosen, and that a misspelt field finds no text, which writes nothing; small costs have four digits",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf({ "a.jsonl": '{"title":"A shoe"}\n' })
        const args = ["translate", "a.jsonl", "--to", "de", "--price", "20"]
        const none = yield* run(args, { folder, env })
        expect(none).toMatchObject({ code: 2, stdout: "" })
        expect(none.stderr).toContain("no field is chosen: name some in --field, such as title.")
        const misspelt = yield* run([...args, "--field", "titel"], { folder, env })
        expect(misspelt).toMatchObject({ code: 2, stdout: "" })
        expect(misspelt.stderr).toContain("a.jsonl: no text is at titel, but at title: correct --field.")
        expect(existsSync(`${folder}/a.de.jsonl`)).toBe(false)
        const right = yield* run([...args, "--field", "title"], { folder, env })
        expect(right.stdout).toMatch(/^de +1 +1 +0 +0 +1 +6 +0\.0001 /m)
      }),
    processTimeout
  )

  it.scopedLive(
    "takes policies of checks, and names the checks if one is misspelt",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf({ "a.csv": "title\nMug\n" })
        const args = ["translate", "a.csv", "--to", "de", "--column", "title"]
        const wrong = yield* run([...args, "--check", "nothing=fail"], { folder, env })
        expect(wrong).toMatchObject({ code: 2 })
        expect(wrong.stderr).toContain(
          '--check nothing=fail: no check has the name "nothing". There are all, empty'
        )
        const good = yield* run([...args, "--check", "all=flag", "--check", "empty=fail"], { folder, env })
        expect(good.code).toBe(0)
      }),
    processTimeout
  )
})
