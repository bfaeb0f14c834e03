import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
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
          ({ found }) =>
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
      const { found } = yield* findFiles([folder], wanted)
      expect(found.map(({ folder }) => folder)).toEqual(["", "sub/deep"])
    }).pipe(Effect.scoped)
  )

  it.effect("and folders that are passed by are named, with the reason", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf(
        "a.txt",
        "logo.png",
        ".draft.txt",
        ".github/b.txt",
        "package.json",
        "node_modules/c/d.txt",
        "vendor/old.txt",
        ".effect-translate/store.db",
        "deep/.git/e.txt"
      )
      symlinkSync("gone.txt", `${folder}/broken.txt`)
      symlinkSync(".", `${folder}/round`)
      symlinkSync("a.txt", `${folder}/other.txt`)
      const leftOut = (...files: ReadonlyArray<string>) =>
        Effect.map(
          findFiles(
            files.map((file) => file.replace(/^(!?)/, `$1${folder}/`)),
            wanted
          ),
          ({ leftOut }) => leftOut.map(({ path, reason }) => `${path.slice(folder.length + 1)} ${reason}`)
        )
      expect(yield* leftOut("", "!vendor")).toEqual([
        ".draft.txt hidden",
        ".github/ hidden",
        "broken.txt brokenLink",
        "logo.png unknownEnding",
        "node_modules/ packages",
        "other.txt sameFile",
        "package.json toolFile",
        "vendor/ excluded"
      ])
      expect(yield* leftOut("*.txt")).toEqual([
        ".draft.txt hidden",
        "broken.txt brokenLink",
        "other.txt sameFile"
      ])
      expect(yield* leftOut(".github/*.txt", ".draft.txt")).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.effect("in folders that git ignores are left out, by the name of the folder", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf(
        ".git/HEAD",
        "a.txt",
        "dist/b.txt",
        "docs/build/c.txt",
        "docs/keep/d.txt",
        "docs/dist.txt"
      )
      writeFileSync(`${folder}/.gitignore`, "# built\ndist/\nkeep\na.txt\n")
      writeFileSync(`${folder}/docs/.gitignore`, "/build\n!keep\n")
      const find = (name: string) =>
        Effect.map(findFiles([`${folder}${name}`], wanted), ({ found, leftOut }) => [
          ...found.map(({ path }) => path.slice(folder.length + 1)),
          ...leftOut.map(({ path, reason }) => `${path.slice(folder.length + 1)} ${reason}`)
        ])
      const outer = yield* find("")
      expect(outer).toEqual([
        "a.txt",
        "docs/dist.txt",
        "docs/keep/d.txt",
        ".gitignore hidden",
        "dist/ gitIgnored",
        "docs/.gitignore hidden",
        "docs/build/ gitIgnored"
      ])
      expect(yield* find("/docs")).toEqual(outer.filter((line) => line.startsWith("docs/")))
      expect(yield* find("/dist")).toEqual(["dist/b.txt"])
      expect(yield* find("/dist/*.txt")).toEqual(["dist/b.txt"])
    }).pipe(Effect.scoped)
  )

  it.effect("are left out by an exclusion also where they are named, in whatever way", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf("a.txt", "b.txt", "sub/c.txt", "[id].txt")
      const left = (named: string, exclusion: string) =>
        Effect.map(
          findFiles([`${folder}/${named}`, `${folder}/b.txt`, `!${folder}/${exclusion}`], wanted),
          ({ found }) => found.map(({ path }) => path.slice(folder.length + 1))
        )
      for (const [named, exclusion] of [
        ["a.txt", "a.txt"],
        ["./a.txt", "sub/../a.txt"],
        ["a.txt", "a*"],
        ["a.txt", "{a,c}.txt"],
        ["a.txt", "A.TXT"],
        ["sub/c.txt", "sub"],
        ["sub/c.txt", "sub/"],
        ["sub/c.txt", "sub/**"],
        ["sub", "sub/**"],
        ["sub/c.txt", "**/c.txt"],
        ["[id].txt", "[id].txt"]
      ] as const) {
        expect(yield* Effect.orElseSucceed(left(named, exclusion), () => ["b.txt"])).toEqual(["b.txt"])
      }
      const { message } = yield* Effect.flip(findFiles([`${folder}/a.txt`, `!${folder}/*`], wanted))
      expect(message).toBe(
        `No file is left of ${folder}/a.txt: 1 left out: 1 excluded by ! (${folder}/a.txt).`
      )
    }).pipe(Effect.scoped)
  )

  it.effect("are missed in a sentence with advice", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf("b.csv")
      const say = (...files: ReadonlyArray<string>) =>
        Effect.map(Effect.flip(findFiles(files, wanted)), ({ message }) => message)
      expect(yield* say(folder)).toBe(
        `${folder} holds no text. 1 left out: 1 of an unknown ending (.csv). A file that is named itself is taken.`
      )
      expect(yield* say(`${folder}/*.md`)).toBe(`No file matches ${folder}/*.md.`)
      symlinkSync("gone.txt", `${folder}/broken.txt`)
      expect(yield* say(`${folder}/broken.txt`)).toBe(
        `${folder}/broken.txt is a link that leads nowhere: mend it, or leave it out.`
      )
      expect(yield* say("gone.txt")).toBe(
        "gone.txt is not there: check its name, and the folder that you are in."
      )
      expect(yield* say("!a.txt")).toBe("Name files too: patterns with ! only leave some out.")
    }).pipe(Effect.scoped)
  )
})
