/** What a command loads and keeps, apart from its work. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import * as module from "node:module"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emulator, folderOf, processTimeout, runAlone } from "./process.js"

/** Writes down which packages a command has loaded at last. */
const told = `process.on("exit", () => {
  const { basename } = require("node:path")
  const files = Object.keys(require.cache).map((file) => basename(file)).filter((file) => file.endsWith(".cjs") && file !== "told.cjs")
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
    "keeps compiled code in the user's own folder, where Node can",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf()
        expect(
          yield* runAlone(["--help"], { folder, env: { XDG_CACHE_HOME: `${folder}/cache` } })
        ).toMatchObject({
          code: 0
        })
        const kept = `${folder}/cache/effect-translate`
        expect(existsSync(kept) ? readdirSync(kept).length : 0).toBe("enableCompileCache" in module ? 1 : 0)
      }),
    processTimeout
  )

  it.scopedLive(
    "does without, and without a word, where that folder can't be made, or none is named",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf()
        writeFileSync(`${folder}/file`, "")
        for (const env of [
          { XDG_CACHE_HOME: `${folder}/file` },
          { XDG_CACHE_HOME: "", HOME: "", LOCALAPPDATA: "" }
        ]) {
          expect(yield* runAlone(["--version"], { folder, env })).toMatchObject({ code: 0, stderr: "" })
          expect(readdirSync(folder)).toEqual(["file"])
        }
      }),
    processTimeout
  )
})
