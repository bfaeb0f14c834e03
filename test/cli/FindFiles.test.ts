import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { relative } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { findFiles } from "../../src/cli/findFiles.js"

const wanted = { endings: [".txt"], nothingIn: (folder: string) => `${folder} holds no text.` }

const folderOf = (...files: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const folder = mkdtempSync(`${tmpdir()}/find-`)
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
    for (const file of files) {
      mkdirSync(`${folder}/${file}`.replace(/\/[^/]*$/, ""), { recursive: true })
      writeFileSync(`${folder}/${file}`, "")
    }
    return folder
  })

describe("files of a command line", () => {
  it.effect("are found by their names, by folders and by patterns, in any casing", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf("a.txt", "b.csv", "sub/C.TXT", "node_modules/d.txt")
      const find = (...files: ReadonlyArray<string>) =>
        Effect.map(
          findFiles(
            files.map((file) => file.replace(/^(!?)/, `$1${folder}/`)),
            wanted
          ),
          (found) =>
            found.map(({ isNamed, path }) => `${relative(folder, path)}${isNamed ? " named" : ""}`).toSorted()
        )
      expect(yield* find("")).toEqual(["a.txt", "sub/C.TXT"])
      expect(yield* find("", "b.csv", "sub/../a.txt")).toEqual(["a.txt named", "b.csv named", "sub/C.TXT"])
      expect(yield* find("*.CSV", "**/*.txt", "!sub/**")).toEqual(["a.txt", "b.csv"])
    }).pipe(Effect.scoped)
  )

  it.effect("have the folder that is below the one that was named", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf("a.txt", "sub/deep/c.txt")
      const found = yield* findFiles([folder], wanted)
      expect(found.map(({ folder }) => folder)).toEqual(["", "sub/deep"])
    }).pipe(Effect.scoped)
  )

  it.effect("are missed in a sentence that says what to do", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf("b.csv")
      const say = (...files: ReadonlyArray<string>) =>
        Effect.map(Effect.flip(findFiles(files, wanted)), ({ message }) => message)
      expect(yield* say(folder)).toBe(`${folder} holds no text.`)
      expect(yield* say(`${folder}/*.md`)).toBe(`No file matches ${folder}/*.md.`)
      expect(yield* say("gone.txt")).toBe(
        "gone.txt is not there: check its name, and the folder that you are in."
      )
      expect(yield* say("!a.txt")).toBe("Name files too: what begins with ! only leaves some out.")
    }).pipe(Effect.scoped)
  )
})
