/** Fields, columns and records of files on the command line. */
import { existsSync, readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emulator, folderOf, processTimeout, run } from "./process.js"

const languages = ["--from", "en", "--to", "de"]

describe("translate", () => {
  it.scopedLive(
    "ends with 2 and the names there are if a field or a column is in no file, before anything is sent, and check too",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderOf({ "a.json": '{"a":"Mug","b":"Cup"}', "b.csv": "t,u\nMug,Cup\n" })
        const fields = ["a.json", "b.csv", ...languages, "--column", "t", "--field", "a"]
        for (const command of ["translate", "check"]) {
          const { code, stderr, stdout } = yield* run([command, ...fields, "--field", "bb"], { folder, env })
          expect([command, code, stdout]).toEqual([command, 2, ""])
          expect(stderr).toContain("--field has bb, which no source has, but a, b")
          const column = yield* run([command, ...fields, "--column", "v"], { folder, env })
          expect(column.code).toBe(2)
          expect(column.stderr).toContain('--column has v, which no source has, but "t", "u"')
        }
        expect([yield* billed, existsSync(`${folder}/a.de.json`)]).toEqual([0, false])
        const both = yield* run(["translate", ...fields, "--field", "b"], { folder, env })
        expect(both).toMatchObject({ code: 0, stdout: expect.stringContaining("is translated") })
      }),
    processTimeout
  )

  it.scopedLive(
    "ends with 2 if a flag is for files of other formats than those there are, before anything is sent",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderOf({ "a.json": '{"a":"Mug"}', "a.csv": "t\nMug\n", "a.md": "Mug\n" })
        const cases = [
          ["a.json", "--column", "t", "a.json is json: choose its texts with --field"],
          ["a.csv", "--field", "t", "a.csv is csv: choose its texts with --column"],
          ["a.md", "--field", "t", "a.md is markdown: leave it out"],
          ["a.json", "--key", "t", "a.json is json: leave it out"]
        ] as const
        for (const [file, flag, value, told] of cases) {
          const { code, stderr } = yield* run(["translate", file, ...languages, flag, value], { folder, env })
          expect([file, flag, code]).toEqual([file, flag, 2])
          expect(stderr).toContain(told)
        }
        expect(yield* billed).toBe(0)
      }),
    processTimeout
  )

  it.scopedLive(
    "tells of JSON Lines at the end with 1: a field that is nowhere, values that are no texts, and those that are missing",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf({ "a.jsonl": '{"a":"Mug"}\n{"a":5}\n{"b":"Cup"}\n' })
        const args = ["translate", "a.jsonl", ...languages, "--field", "a", "--field", "bb"]
        for (const more of [["--dry-run"], [], []]) {
          const { code, stdout } = yield* run([...args, ...more], { folder, env })
          expect(code).toBe(1)
          expect(stdout).toContain("1 chosen value left as it is, since it is no text:\n  a.jsonl: 2:a")
          expect(stdout).toContain("chosen values missing or null: skipped.")
          expect(stdout).toContain("No file has bb, but a, b: correct --field.")
          expect(stdout).not.toContain("is translated.")
        }
        const checked = yield* run(["check", ...args.slice(1)], { folder, env })
        expect(checked.code).toBe(6)
        const lines = [
          'key "2:a": it is no text: make it one',
          "a.jsonl: no file has bb, but a, b: correct --field."
        ]
        for (const line of lines) expect(checked.stdout).toContain(line)
        expect(checked.stdout).not.toContain("a.jsonl: a.jsonl")
      }),
    processTimeout
  )

  it.scopedLive(
    "goes on behind bad lines if that is asked, lists them, and leaves them out with --failed drop",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf({ "a.jsonl": '{"a":"Mug"}\n{"a":"Cup"\n{"a":"Pot"}\n' })
        const args = ["translate", "a.jsonl", ...languages, "--field", "a"]
        const failed = yield* run(args, { folder, env })
        expect(failed.code).not.toBe(0)
        const message =
          "a.jsonl, line 2, column 11: the line ends where a comma or a closing bracket is missing"
        expect(failed.stdout + failed.stderr).toContain(message)
        const forecast = yield* run([...args, "--on-bad-line", "skip", "--dry-run"], { folder, env })
        expect([forecast.code, forecast.stderr]).toEqual([
          1,
          expect.stringContaining("Records can't be read.")
        ])
        expect(forecast.stdout).toContain(`1 record could not be read:\n  ${message}`)
        const skipped = yield* run([...args, "--on-bad-line", "skip"], { folder, env })
        expect(skipped.code).toBe(1)
        expect(skipped.stdout).toContain(`1 record could not be read:\n  ${message}`)
        expect(readFileSync(`${folder}/a.de.jsonl`, "utf8")).toContain('{"a":"Cup"\n')
        const dropped = yield* run([...args, "--on-bad-line", "skip", "--failed", "drop", "--json"], {
          folder,
          env
        })
        const printed = dropped.stdout.trimEnd().split("\n")
        const report = printed.map((line) => JSON.parse(line)).find(({ type }) => type === "result")
        expect(report.outputs[0]).toMatchObject({ dropped: 1, unread: { records: 1 } })
        expect(readFileSync(`${folder}/a.de.jsonl`, "utf8").split("\n")).toHaveLength(3)
      }),
    processTimeout
  )
})
