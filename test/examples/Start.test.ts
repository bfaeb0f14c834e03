import { readdirSync, readFileSync } from "node:fs"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { PseudoTranslation } from "effect-translate/emulator"
import Papa from "papaparse"
import * as programs from "../support/programs.js"
import { sharedLayer } from "../support/sharedLayer.js"
import { bundled, processTimeout, root, runNpm, start } from "./process.js"

type Row = Record<string, string>

const main = `${root}/examples/main.ts`

const read = (path: string, delimiter = ","): ReadonlyArray<Row> => {
  const { data, errors } = Papa.parse<Row>(readFileSync(path, "utf8"), {
    header: true,
    delimiter,
    skipEmptyLines: true
  })
  expect(errors).toEqual([])
  return data
}

const translated = (rows: ReadonlyArray<Row>, language: string, ...columns: ReadonlyArray<string>) =>
  rows.map((row) => ({
    ...row,
    ...Object.fromEntries(
      columns.map((column) => [column, PseudoTranslation.translate(row[column]!, language)])
    )
  }))

/** The cells of a row of the table, by its headings. */
const tableRow = (stdout: string, name: string) => {
  const words = (line: string) => line.trim().split(/\s{2,}/)
  const lines = stdout.split("\n")
  const headings = words(lines.find((line) => /^\s*to\s/.test(line))!)
  const cells = words(lines.find((line) => line.trim().startsWith(`${name} `))!)
  return Object.fromEntries(headings.map((heading, index) => [heading, cells[index]!.replaceAll(",", "")]))
}

/** A folder with the given files. */
const folderOf = (files: Record<string, string | Uint8Array> = {}) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.tap(fs.makeTempDirectoryScoped(), (folder) =>
      Effect.forEach(Object.entries(files), ([name, content]) =>
        fs.writeFile(
          `${folder}/${name}`,
          typeof content === "string" ? new TextEncoder().encode(content) : content
        )
      )
    )
  )

const test = sharedLayer(Layer.provideMerge(programs.layer([main]), NodeContext.layer), processTimeout)

/** The program, as `npm start` runs it with arguments. */
const run = (folder: string, ...args: ReadonlyArray<string>) =>
  Effect.flatMap(programs.Programs, (programs) => programs.run({ folder }, main, ...args))

/** The program in a process of its own. */
const startMain = (folder: string, ...args: ReadonlyArray<string>) =>
  Effect.flatMap(programs.Programs, ({ bundleOf }) => start(bundled(bundleOf(main), ...args), { folder }))

describe("npm start", () => {
  test("translates the bundled text into three languages and accounts for it", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf()
      const { code, stderr, stdout } = yield* runNpm({ folder }, "start")
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      const source = read(`${root}/examples/data/udhr.en.csv`)
      for (const language of ["de", "fr", "ja"]) {
        expect(read(`${folder}/out/udhr.en.${language}.csv`)).toEqual(translated(source, language, "text"))
      }
      expect(readdirSync(`${folder}/out`)).toHaveLength(3)
      const characters = source.reduce((sum, { text }) => sum + Array.from(text!).length, 0)
      expect(tableRow(stdout, "all")).toMatchObject({
        texts: `${source.length * 3}`,
        unique: `${new Set(source.map(({ text }) => text)).size}`,
        requests: `${Math.ceil(source.length / 50) * 3}`,
        retries: "0",
        characters: `${characters * 3}`,
        failed: "0"
      })
      expect(tableRow(stdout, "ja")).toMatchObject({
        texts: `${source.length}`,
        characters: `${characters}`
      })
      // A bar is for terminals.
      expect(stdout).not.toMatch(/\x1b|\[-|\[=/)
    }))

  test("translates columns of a user's own file and keeps the others", () =>
    Effect.gen(function* () {
      const content = 'sku;title;body;price\nA;Mug;"Holds coffee;\nand ""tea"" 😀";3,50\nB;;Mug;2\n'
      const folder = yield* folderOf({ "my products.csv": content })
      const columns = ["--column", "title", "--column", "body"]
      const others = ["--to", "de,PT-br", "--out", "a/b", "--latency", "0"]
      const { code, stdout } = yield* run(folder, "my products.csv", ...columns, ...others)
      expect(code).toBe(0)
      const source = read(`${folder}/my products.csv`, ";")
      for (const language of ["de", "pt-BR"]) {
        expect(read(`${folder}/a/b/my products.${language}.csv`, ";")).toEqual(
          translated(source, language, "title", "body")
        )
      }
      expect(tableRow(stdout, "pt-BR")).toMatchObject({
        texts: "3",
        unique: "2",
        characters: `${Array.from('MugHolds coffee;\nand "tea" 😀').length}`,
        failed: "0"
      })
    }))

  test("translates files of other formats, known by their names and contents", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({
        "en.yml": "en:\n  files:\n    one: a file\n    other: many files\n",
        "talk.srt": "1\n00:00:01,000 --> 00:00:02,000\nHello\n"
      })
      const rails = yield* run(folder, "en.yml", "--to", "pl", "--latency", "0")
      expect(rails.stderr).toBe("")
      expect(readFileSync(`${folder}/out/en.pl.yml`, "utf8")).toMatch(
        /^pl:\n {2}files:\n {4}one: .*\n {4}few: .*\n {4}many: /
      )
      const named = yield* run(folder, "talk.srt", "--format", "lines", "--to", "de", "--latency", "0")
      expect(named.code).toBe(0)
      expect(readFileSync(`${folder}/out/talk.de.srt`, "utf8")).toContain("[de] Héllö")
    }))

  test("translates a text that is too large for one request in parts, and loses nothing of it", () =>
    Effect.gen(function* () {
      const long = "x".repeat(140_000)
      const folder = yield* folderOf({ "my.csv": `text\nok\n${long}\nlast\n` })
      const { code, stderr, stdout } = yield* run(folder, "my.csv", "--to", "de")
      expect(stderr).toBe("")
      expect(code).toBe(0)
      expect(tableRow(stdout, "de")).toMatchObject({ texts: "3", failed: "0", characters: "140006" })
      const texts = read(`${folder}/out/my.de.csv`).map(({ text }) => text)
      expect([texts[0], texts[2]]).toEqual(["[de] ök", "[de] låst"])
      expect(texts[1]?.replaceAll("[de] ", "")).toBe(long)
    }))

  test("says what it takes", () =>
    Effect.gen(function* () {
      const { code, stdout } = yield* run(root, "--help")
      expect(code).toBe(0)
      for (const option of ["file", "--column", "--field", "--format", "--to", "--out"]) {
        expect(stdout).toContain(option)
      }
    }))

  test("exits when its work is done: no time-out of a request and no idle connection keeps it", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({ "my.csv": "text\nHello\n" })
      const child = yield* startMain(folder, "my.csv", "--to", "de")
      // The time-out of a request is 30 seconds; all of this takes about one.
      const code = yield* Effect.raceFirst(
        Effect.zipRight(Stream.runDrain(child.stdout), child.exitCode),
        Effect.as(Effect.delay(child.kill("SIGKILL"), "20 seconds"), "killed after 20 seconds" as const)
      )
      expect(code).toBe(0)
      expect(readdirSync(`${folder}/out`)).toEqual(["my.de.csv"])
    }))

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    test(`leaves nothing behind on ${signal}, and does not end with 0`, () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const folder = yield* folderOf({ "my.csv": "text\nHello\n" })
        const child = yield* startMain(folder, "my.csv", "--latency", "20000")
        yield* fs.readDirectory(`${folder}/out`).pipe(
          Effect.filterOrFail((names) => names.length > 0),
          Effect.retry(Schedule.spaced("50 millis"))
        )
        yield* Effect.forkScoped(child.kill(signal))
        expect(yield* child.exitCode).toBe(130)
        expect(readdirSync(`${folder}/out`)).toEqual([])
      }))
  }
})

const files = {
  "my.csv": "sku,title\nA,Mug\n",
  "open.csv": 'sku,text\nA,Mug\nB,"Cup\nC,Pot\n',
  "ragged.csv": "sku,text\nA,Mug,3\n",
  "latin1.csv": Uint8Array.from([..."text\n\u00fcber\n"].map((char) => char.charCodeAt(0))),
  "empty.csv": "",
  "header.csv": "text\n",
  "my.bin": "Hello",
  "my.json": '{"title": "Mug"\n'
}

const refused: ReadonlyArray<readonly [what: string, args: ReadonlyArray<string>, message: RegExp]> = [
  ["a missing file", ["none.csv"], /^There is no file none\.csv\.$/],
  ["a folder", ["."], / is not a file\.$/],
  ["a missing column", ["my.csv"], /^my\.csv, line 1: the header has no column "text", but "sku", "title": /],
  ["a misspelt column", ["my.csv", "--column", "titel"], /no column "titel", but "sku", "title"/],
  ["a quote that is never closed", ["open.csv"], /^open\.csv, line 3: .*never closed/],
  ["a row with too many fields", ["ragged.csv"], /^ragged\.csv, line 2: .*3 fields/],
  ["bytes that are no UTF-8", ["latin1.csv"], /^latin1\.csv, line 2: .*UTF-8/],
  ["an empty file", ["empty.csv"], /^empty\.csv, line 1: .*no header/],
  ["a file without rows", ["header.csv"], /^header\.csv has no texts/],
  ["a file of no known format", ["my.bin"], /^my\.bin: no format has its ending: choose one by name/],
  [
    "a format that does not exist",
    ["my.bin", "--format", "word"],
    /^There is no format "word": choose one of /
  ],
  ["a file that is cut", ["my.json"], /^my\.json, line \d+, column \d+: /],
  ["an unknown option", ["my.csv", "--colour", "red"], /^--colour is no option/],
  ["an option without its value", ["my.csv", "--to"], /value.*--to/],
  ["two files", ["my.csv", "open.csv"], /^one file at a time: my\.csv open\.csv$/],
  [
    "a bad language code",
    ["my.csv", "--column", "title", "--to", "de,german"],
    /^"german" is no language code/
  ],
  [
    "an output folder that is a file",
    ["my.csv", "--column", "title", "--out", "open.csv"],
    /^The folder open\.csv cannot be written/
  ]
]

describe("npm start refuses", () => {
  for (const [what, args, message] of refused) {
    test(what, () =>
      Effect.gen(function* () {
        const folder = yield* folderOf(files)
        const { code, stderr, stdout } = yield* run(folder, ...args)
        expect(stderr.trim()).toMatch(message)
        expect(stderr.trim().split("\n").length).toBeLessThanOrEqual(2)
        expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
        expect(readdirSync(folder).sort()).toEqual(Object.keys(files).sort())
      })
    )
  }
})
