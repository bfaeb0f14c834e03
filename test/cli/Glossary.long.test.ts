import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emulator, folderOf, processTimeout, run } from "./process.js"

const files = {
  "terms.en-de.csv": "mug,Becher\ntea,Tee\n",
  "en_fr.tsv": "mug\ttasse\n",
  "all.csv": "mug,Humpen,en,de\nmug,tasse,en,fr\n",
  "en-it.csv": "mug,\n"
}

describe("glossary", () => {
  it.scopedLive(
    "makes a glossary equal to files, shows, exports and deletes it",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf(files)
        const call = (...args: ReadonlyArray<string>) => run(["glossary", ...args], { folder, env })
        const both = ["sync", "Shop", "terms.en-de.csv", "en_fr.tsv", "--json"]

        const planned = yield* call(...both, "--dry-run")
        expect(JSON.parse(planned.stdout)).toMatchObject({ type: "result", created: true, writes: 1 })
        const done = yield* call(...both)
        const { glossaryId } = JSON.parse(done.stdout)
        expect(done).toMatchObject({ code: 0, stderr: "" })

        const changed = yield* call("sync", "Shop", "all.csv", "--dictionary", "en:de")
        expect(changed.stderr).toBe("all.csv: left out 1 row in languages other than en:de.\n")
        expect(changed.stdout).toMatch(/^en:de +changed +0 +1 +1$/m)
        expect(changed.stdout).toMatch(/^en:fr +as it was +0 +0 +0$/m)

        const list = yield* call("list")
        expect(list.stdout).toMatch(
          new RegExp(`^${glossaryId} +Shop +en:de en:fr +\\d{4}-\\d\\d-\\d\\d$`, "m")
        )
        const show = yield* call("show", glossaryId)
        expect(show.stdout).toMatch(/^en:de +1$/m)

        const tsv = yield* call("export", "Shop", "--dictionary", "en:fr", "--format", "tsv", "--quiet")
        expect(tsv.stdout).toBe("mug\ttasse\n")
        yield* call("export", "Shop", "--out", "terms/")
        expect(readdirSync(`${folder}/terms`).toSorted()).toEqual(["en-de.csv", "en-fr.csv"])
        expect(readFileSync(`${folder}/terms/en-de.csv`, "utf8")).toBe("mug,Humpen\n")

        const pruned = yield* call("sync", "Shop", "terms/en-de.csv", "--delete")
        expect(pruned.stdout).toMatch(/^en:fr +deleted/m)
        const deleted = yield* call("delete", "Shop", "--yes")
        expect(deleted).toEqual({ code: 0, stderr: "", stdout: "Deleted Shop.\n" })
        expect((yield* call("list")).stderr).toBe("There are no glossaries.\n")
      }),
    processTimeout
  )

  it.scopedLive(
    "reports mistakes in a glossary or a file",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf(files)
        yield* run(["glossary", "sync", "Shop", "terms.en-de.csv"], { folder, env })
        const wrong = [
          [["show", "Nope"], "There is no glossary Nope"],
          [["sync", "Shop", "all.csv"], "all.csv: say its languages"],
          [["sync", "Shop", "en-it.csv"], "Line 1: the target is empty"],
          [["sync", "Shop", "no.en-de.csv"], "no.en-de.csv can't be read: it is not there."],
          [["delete", "Shop"], "Delete Shop for good? Say so by --yes"]
        ] as const
        yield* Effect.forEach(
          wrong,
          ([args, words]) =>
            Effect.map(run(["glossary", ...args], { folder, env }), (result) => {
              expect({ args, code: result.code, stdout: result.stdout }).toEqual({
                args,
                code: 2,
                stdout: ""
              })
              expect(result.stderr).toContain(words)
            }),
          { concurrency: 2 }
        )
      }),
    processTimeout
  )
})
