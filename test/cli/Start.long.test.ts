/** What a command loads and keeps, apart from its work. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emulator, folderOf, processTimeout, runAlone } from "./process.js"

/** Writes down which packages a command has loaded at last. */
const told = `process.on("exit", () => {
  const { basename } = require("node:path")
  const files = Object.keys(require.cache).map((file) => basename(file)).filter((file) => file.endsWith(".cjs") && !["told.cjs", "program.cjs"].includes(file))
  require("node:fs").writeFileSync("loaded.json", JSON.stringify(files.sort()))
})`

const files = {
  "en.json": '{"hello":"Hello","bye":"Good bye"}',
  "rows.csv": "text\nHello\n",
  "page.html": "<p>Hello</p>",
  "guide.md": "Hello",
  "texts.yaml": "hello: Hello\n",
  "strings.xml": '<resources><string name="hello">Hello</string></resources>'
}

const packages: Readonly<Record<string, ReadonlyArray<string>>> = {
  "en.json": [],
  "e*.json": ["glob.cjs"],
  "rows.csv": ["papaparse.cjs"],
  "page.html": ["html.cjs"],
  "guide.md": ["markdown.cjs"],
  "texts.yaml": ["yaml.cjs"],
  "strings.xml": ["saxes.cjs"]
}

describe("a command that starts", () => {
  it.scopedLive(
    "loads the parser of the format that its file has, and no other",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf({ ...files, "told.cjs": told })
        for (const [file, expected] of Object.entries(packages)) {
          const words = [
            "translate",
            file,
            "--to",
            "de",
            ...(file === "rows.csv" ? ["--column", "text"] : [])
          ]
          const at = { folder, env: { ...env, NODE_OPTIONS: "--require ./told.cjs" } }
          expect(yield* runAlone(words, at)).toMatchObject({ code: 0 })
          expect([file, JSON.parse(readFileSync(`${folder}/loaded.json`, "utf8"))]).toEqual([file, expected])
        }
      }),
    processTimeout
  )

  it.scopedLive(
    "keeps its compiled code for its user only once it has succeeded, and then uses it",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf()
        const caching = { folder, env: { XDG_CACHE_HOME: `${folder}/cache` } }
        expect(yield* runAlone(["nonsense"], caching)).toMatchObject({ code: 2 })
        expect(existsSync(`${folder}/cache`)).toBe(false)
        expect(yield* runAlone(["--help"], caching)).toMatchObject({ code: 0 })
        const kept = `${folder}/cache/effect-translate/help`
        const { ino, mode, size } = statSync(kept)
        expect(mode & 0o777).toBe(0o600)
        expect(size).toBeGreaterThan(100_000)
        expect(yield* runAlone(["translate", "--help"], caching)).toMatchObject({ code: 0 })
        expect(statSync(kept).ino).toBe(ino)
        expect(readdirSync(`${folder}/cache/effect-translate`)).toEqual(["help"])
      }),
    processTimeout
  )

  it.scopedLive(
    "compiles anew where the kept code is damaged",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf()
        const caching = { folder, env: { XDG_CACHE_HOME: `${folder}/cache` } }
        const first = yield* runAlone(["--help"], caching)
        const kept = `${folder}/cache/effect-translate/help`
        const damaged = readFileSync(kept).fill(0x5a, 100_000, 100_064)
        writeFileSync(kept, damaged)
        expect(yield* runAlone(["--help"], caching)).toEqual(first)
        expect(readFileSync(kept).equals(damaged)).toBe(false)
      }),
    processTimeout
  )

  it.scopedLive(
    "does without, and without a word, where that folder can't be made, none is named, or the environment turns it off",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf()
        writeFileSync(`${folder}/file`, "")
        for (const env of [
          { XDG_CACHE_HOME: `${folder}/file` },
          { XDG_CACHE_HOME: "", HOME: "", LOCALAPPDATA: "" },
          { XDG_CACHE_HOME: `${folder}/cache`, NODE_DISABLE_COMPILE_CACHE: "1" }
        ]) {
          expect(yield* runAlone(["--help"], { folder, env })).toMatchObject({ code: 0, stderr: "" })
          expect(readdirSync(folder)).toEqual(["file"])
        }
      }),
    processTimeout
  )
})
