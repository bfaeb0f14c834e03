import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { postgres } from "../support/postgres.js"
import { folderOf, processTimeout, run } from "./process.js"

const translated = `source,translation,sourceLang,targetLang,at,endpoint,service,account,settings
Mug,Becher,en,de,2020-01-01T00:00:00.000Z,POST /v2/translate,https://host,1,{}
Cup,Tasse,en,de,2030-01-01T00:00:00.000Z,POST /v2/translate,https://host,1,{}
`

const corrected = "source,translation\nMug,Humpen\n"

const lines = (text: string) => text.trimEnd().split("\n")

describe("memory", () => {
  it.scopedLive(
    "imports, counts, exports and prunes what a store holds",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf({ "old.csv": translated, "corrected.csv": corrected })
        const imported = yield* run(["memory", "import", "old.csv"], { folder })
        expect(imported).toEqual({
          code: 0,
          stderr: "",
          stdout: "0 corrections and 2 translations of the machine read into .effect-translate/store.db.\n"
        })
        const more = yield* run(
          ["memory", "import", "-", "--format", "csv", "--from", "en", "--to", "de", "--json"],
          { folder, stdin: corrected }
        )
        expect(JSON.parse(more.stdout)).toEqual({
          type: "result",
          store: ".effect-translate/store.db",
          corrections: 1,
          entries: 0
        })

        const stats = yield* run(["memory", "stats"], { folder })
        expect(stats.code).toBe(0)
        expect(stats.stdout).toContain("2 translations of the machine, 17 bytes; 1 correction.")
        expect(stats.stdout).toMatch(/^en +de +2$/m)

        const exported = yield* run(["memory", "export", "all.tmx", "--quiet"], { folder })
        expect(exported.stderr).toBe("")
        expect(readFileSync(`${folder}/all.tmx`, "utf8")).toContain("<seg>Humpen</seg>")
        const piped = yield* run(["memory", "export", "--format", "jsonl", "--corrections"], { folder })
        expect(lines(piped.stdout).map((line) => JSON.parse(line))).toMatchObject([
          { source: "Mug", translation: "Humpen", sourceLang: "en", targetLang: "de" }
        ])

        const unasked = yield* run(["memory", "prune", "--older-than", "30d"], { folder })
        expect({ code: unasked.code, stdout: unasked.stdout }).toEqual({ code: 2, stdout: "" })
        expect(unasked.stderr).toContain("--yes")
        const pruned = yield* run(["memory", "prune", "--max-size", "10B", "--yes", "--json"], { folder })
        expect(JSON.parse(pruned.stdout)).toMatchObject({ type: "result", removed: 1 })
      }),
    processTimeout
  )

  it.scopedLive(
    "uses a database of PostgreSQL, whose password it does not print",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf({ "old.csv": translated })
        const url = Redacted.value(yield* Effect.flatMap(postgres, ({ database }) => database))
        const call = (...args: ReadonlyArray<string>) =>
          run(["memory", ...args, "--store", url, "--verbose"], { folder })
        const imported = yield* call("import", "old.csv")
        expect(imported).toMatchObject({ code: 0, stderr: "" })
        const stats = yield* call("stats")
        expect(stats.stdout).toMatch(/^Store: PostgreSQL\n2 translations of the machine/)
        expect(imported.stdout + stats.stdout).not.toContain(new URL(url).password)
      }),
    processTimeout
  )

  it.scopedLive(
    "says in a line what is wrong with a store, a file or an option",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf({ "corrected.csv": corrected, "no-store.db": "text".repeat(1000) })
        const wrong = [
          [["stats"], 2, "There is no store .effect-translate/store.db"],
          [["stats", "--store", "no-store.db"], 2, "no-store.db is damaged, or it is no store"],
          [["stats", "--store", "postgres://me:secret@localhost:1/db"], 5, "localhost:1/db can't be used"],
          [["import", "missing.csv"], 2, "missing.csv can't be read: it is not there."],
          [["import", "corrected.csv"], 2, "--to"],
          [["export", "nowhere/all.csv"], 1, "nowhere/all.csv can't be written: it is not there."],
          [["prune", "--older-than", "soon"], 2, "such as 90d"]
        ] as const
        yield* Effect.forEach(
          wrong,
          ([args, code, words]) =>
            Effect.map(run(["memory", ...args], { folder }), (result) => {
              expect({ args, code: result.code, stdout: result.stdout }).toEqual({ args, code, stdout: "" })
              expect(lines(result.stderr)).toHaveLength(1)
              expect(result.stderr).toContain(words)
              expect(result.stderr).not.toContain("secret")
            }),
          { concurrency: 2 }
        )
      }),
    processTimeout
  )
})
