/** `job` as processes, on a file of jobs that no worker has. */
import { existsSync, readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folderOf, processTimeout, run, type Settings } from "./process.js"

/** The objects of `--json`. */
const objects = (stdout: string): ReadonlyArray<Record<string, unknown> & { readonly type: string }> =>
  stdout
    .trimEnd()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

/** Runs a command that is done, and gives its one object. */
const result = (args: ReadonlyArray<string>, settings: Settings) =>
  Effect.map(run(["job", ...args, "--json"], settings), ({ code, stderr, stdout }) => {
    expect(stderr, args.join(" ")).toBe("")
    expect(code, args.join(" ")).toBe(0)
    const [first, ...others] = objects(stdout)
    expect(others).toEqual([])
    expect(first?.type).toBe("result")
    return first!
  })

const products = { "products.csv": "id,title\n1,Mug\n2,Cup\n" }
const submit = ["submit", "products.csv", "--to", "de,fr", "--column", "title", "--id", "products"]

describe("job", () => {
  it.scopedLive(
    "submits, lists, pauses, resumes, cancels and purges a job, with and without a worker",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf(products)
        const at = { folder }
        const first = yield* run(["job", ...submit], at)
        expect(first.code).toBe(0)
        expect(first.stdout).toMatch(/^products: submitted, /)
        expect(first.stderr).toContain("No worker runs yet: effect-translate worker starts one.")
        expect(readFileSync(`${folder}/.effect-translate/.gitignore`, "utf8")).toContain("jobs.db*")

        const again = yield* result(submit, at)
        expect(again).toMatchObject({ id: "products", generation: 1, state: "submitted" })
        expect(again.job).toMatchObject({ targets: ["de", "fr"], revision: expect.any(String) })

        expect(yield* result(["list"], at)).toMatchObject({ jobs: [{ id: "products" }] })
        expect((yield* run(["job", "list"], at)).stdout).toMatch(/^products +submitted /m)
        expect(yield* result(["status", "products"], at)).toMatchObject({ id: "products" })
        expect((yield* run(["job", "status", "products"], at)).stdout).toContain("files into de, fr")
        expect(yield* result(["failures", "products"], at)).toMatchObject({ failures: 0 })
        expect(yield* result(["workers"], at)).toMatchObject({ workers: [] })

        expect(yield* result(["pause", "products"], at)).toMatchObject({ state: "paused" })
        expect(yield* result(["resume", "products"], at)).toMatchObject({ state: "submitted" })
        const cancelled = yield* result(["cancel", "products"], at)
        expect(cancelled.state).toMatch(/^cancell(ed|ing)$/)

        const asked = yield* run(["job", "purge"], at)
        expect(asked.code).toBe(2)
        expect(asked.stderr).toContain("Say so by --yes")
        expect(yield* result(["purge", "--older-than", "30d", "--yes"], at)).toMatchObject({ purged: 0 })
      }),
    processTimeout
  )

  it.scopedLive(
    "reports the mistake in one line, with an exit code of its own",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf({
          ...products,
          "text.db": "This is no database, but a text of some length."
        })
        const at = { folder }
        const cases: ReadonlyArray<readonly [ReadonlyArray<string>, number, RegExp]> = [
          [["list"], 2, /^There are no jobs in \.effect-translate\/jobs\.db: /],
          [["submit", "nothing.csv", "--to", "de"], 2, /^nothing\.csv is not there/],
          [[...submit, "--jobs", "mysql://a/b"], 2, /^--jobs is no address that is known/],
          [["list", "--jobs", "text.db"], 2, /can't be used \(SQLITE_NOTADB\)/],
          [["list", "--jobs", "postgres://user:s3cret@127.0.0.1:1/d"], 5, /can't be used \(ECONNREFUSED\)/],
          [["list", "--jobs", "http://127.0.0.1:1"], 2, /^There is no key for the control of jobs/],
          [["purge", "--older-than", "soon", "--yes"], 2, /^--older-than soon: give a number/]
        ]
        for (const [args, code, message] of cases) {
          const told = yield* run(["job", ...args], at)
          expect(told.stderr, args.join(" ")).toMatch(message)
          expect(told.stderr.trimEnd().split("\n"), args.join(" ")).toHaveLength(1)
          expect(told.stderr, args.join(" ")).not.toContain("s3cret")
          expect(told.code, args.join(" ")).toBe(code)
        }
        expect(existsSync(`${folder}/.effect-translate`)).toBe(false)

        yield* run(["job", ...submit], at)
        const unknown = yield* run(["job", "status", "other", "--json"], at)
        expect(unknown.code).toBe(2)
        expect(objects(unknown.stdout)).toEqual([
          { type: "error", code: 2, tag: "JobNotFound", message: expect.stringContaining('"other"') }
        ])
        const other = yield* run(
          ["job", "submit", "products.csv", "--to", "ja", "--column", "title", "--id", "products"],
          at
        )
        expect(other.code).toBe(2)
        expect(other.stderr).toMatch(/has not ended, and says something else/)
        const key = { EFFECT_TRANSLATE_JOBS_KEY: "k".repeat(20) }
        expect((yield* run(["job", "list", "--jobs", "http://127.0.0.1:1"], { folder, env: key })).code).toBe(
          5
        )
      }),
    processTimeout
  )
})
