import { readdirSync, readFileSync, statSync } from "node:fs"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { Emulator, Fault, PseudoTranslation } from "effect-translate/emulator"
import Papa from "papaparse"
import * as programs from "../support/programs.js"
import { sharedLayer } from "../support/sharedLayer.js"
import { bundled, processTimeout, root, runNpm, serviceEnv, start } from "./process.js"

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
  const words = (line: string) => line.trim().split(/\s+/)
  const lines = stdout.split("\n")
  const headings = words(lines.find((line) => /^to\s/.test(line))!)
  const cells = words(lines.find((line) => line.startsWith(`${name} `))!)
  return Object.fromEntries(headings.map((heading, index) => [heading, cells[index]!.replaceAll(",", "")]))
}

const csvOf = (texts: ReadonlyArray<string>) => `text\n${texts.map((text) => `${text}\n`).join("")}`

/** What a run has left, but for its store and the like. */
const outputsIn = (folder: string) =>
  readdirSync(`${folder}/out`).filter((name) => name !== ".effect-translate")

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

const test = sharedLayer(
  Layer.merge(programs.layer([main]), Emulator.layerNode({ latency: "50 millis" })).pipe(
    Layer.provideMerge(NodeContext.layer)
  ),
  processTimeout
)

const runWith = (env: Record<string, string>, folder: string, ...args: ReadonlyArray<string>) =>
  Effect.flatMap(programs.Programs, (programs) => programs.run({ folder, env }, main, ...args))

/** The program, as `npm start` runs it with arguments. */
const run = (folder: string, ...args: ReadonlyArray<string>) => runWith({}, folder, ...args)

/** The same with a service of its own process, as a real one is. */
const runReal = (folder: string, ...args: ReadonlyArray<string>) =>
  Effect.flatMap(serviceEnv, (env) => runWith(env, folder, ...args))

/** The program in a process of its own. */
const startMain = (folder: string, args: ReadonlyArray<string>, env: Record<string, string> = {}) =>
  Effect.flatMap(programs.Programs, ({ bundleOf }) =>
    start(bundled(bundleOf(main), ...args), { folder, env })
  )

const billed = Effect.flatMap(Emulator.Emulator, ({ meter }) =>
  Effect.map(meter, ({ characters }) => characters)
)

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
      expect(outputsIn(folder)).toHaveLength(3)
      const characters = source.reduce((sum, { text }) => sum + Array.from(text!).length, 0)
      expect(tableRow(stdout, "all")).toMatchObject({
        texts: `${source.length * 3}`,
        new: `${source.length * 3}`,
        requests: `${Math.ceil(source.length / 50) * 3}`,
        retries: "0",
        billed: `${characters * 3}`,
        failed: "0"
      })
      expect(tableRow(stdout, "ja")).toMatchObject({
        texts: `${source.length}`,
        billed: `${characters}`
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
        new: "2",
        store: "1",
        billed: `${Array.from('MugHolds coffee;\nand "tea" 😀').length}`,
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
      expect(tableRow(stdout, "de")).toMatchObject({ texts: "3", failed: "0", billed: "140006" })
      const texts = read(`${folder}/out/my.de.csv`).map(({ text }) => text)
      expect([texts[0], texts[2]]).toEqual(["[de] ök", "[de] låst"])
      expect(texts[1]?.replaceAll("[de] ", "")).toBe(long)
    }))

  test("says what it takes", () =>
    Effect.gen(function* () {
      const { code, stdout } = yield* run(root, "--help")
      expect(code).toBe(0)
      for (const option of ["file", "--column", "--field", "--format", "--to", "--out", "--store"]) {
        expect(stdout).toContain(option)
      }
    }))

  test("exits when its work is done: no time-out of a request and no idle connection keeps it", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({ "my.csv": "text\nHello\n" })
      const child = yield* startMain(folder, ["my.csv", "--to", "de"])
      // The time-out of a request is 30 seconds; all of this takes about one.
      const code = yield* Effect.raceFirst(
        Effect.zipRight(Stream.runDrain(child.stdout), child.exitCode),
        Effect.as(Effect.delay(child.kill("SIGKILL"), "20 seconds"), "killed after 20 seconds" as const)
      )
      expect(code).toBe(0)
      expect(outputsIn(folder)).toEqual(["my.de.csv"])
    }))

  test("pays nothing the second time, and leaves the files alone", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({ "my.csv": csvOf(["Mug", "Cup"]) })
      const args = ["my.csv", "--to", "de,fr", "--latency", "0"]
      const first = yield* run(folder, ...args)
      expect(first.stdout).toContain("From the store: 0 of 4 texts.\n")
      expect(first.stdout).toMatch(/the same again bills nothing\. 12 characters were billed\.\n$/)
      const { mtimeMs } = statSync(`${folder}/out/my.de.csv`)
      const second = yield* run(folder, ...args)
      expect(second.code).toBe(0)
      expect(second.stdout).toContain("own meter: 0 texts, 0 characters billed.\n")
      expect(second.stdout).toContain("out/my.de.csv: unchanged\n")
      expect(second.stdout).toContain("From the store: 4 of 4 texts.\n")
      expect(second.stdout).toMatch(/Nothing was billed\.\n$/)
      expect(statSync(`${folder}/out/my.de.csv`).mtimeMs).toBe(mtimeMs)
    }))

  test("pays for edited rows only, also from a store elsewhere", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* folderOf({ "my.csv": csvOf(["Mug", "Cup", "Pot"]) })
      const args = ["my.csv", "--to", "de", "--latency", "0", "--store", "paid.db"]
      yield* run(folder, ...args)
      yield* fs.writeFileString(`${folder}/my.csv`, csvOf(["Mug", "Kettle", "Pot"]))
      const { stdout } = yield* run(folder, ...args)
      expect(tableRow(stdout, "de")).toMatchObject({ texts: "3", new: "1", store: "2", billed: "6" })
      expect(read(`${folder}/out/my.de.csv`)).toEqual(translated(read(`${folder}/my.csv`), "de", "text"))
      expect(readdirSync(folder)).toContain("paid.db")
    }))

  test("goes on after a kill: what is billed besides is named", () =>
    Effect.gen(function* () {
      const texts = Array.from({ length: 3000 }, (_, index) => `Mug number ${index}`)
      const folder = yield* folderOf({ "my.csv": csvOf(texts) })
      const { meter } = yield* Emulator.Emulator
      const args = ["my.csv", "--to", "de,fr"]
      const before = yield* meter
      const child = yield* startMain(folder, args, yield* serviceEnv)
      yield* meter.pipe(
        Effect.repeat({
          until: ({ characters }) => characters > before.characters + 20_000,
          schedule: Schedule.spaced("10 millis")
        })
      )
      yield* child.kill("SIGKILL")
      const { code, stderr, stdout } = yield* runReal(folder, ...args)
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      const source = read(`${folder}/my.csv`)
      for (const language of ["de", "fr"]) {
        expect(read(`${folder}/out/my.${language}.csv`)).toEqual(translated(source, language, "text"))
      }
      expect(outputsIn(folder).sort()).toEqual(["my.de.csv", "my.fr.csv"])
      expect(Number(/From the store: ([\d,]+) of/.exec(stdout)?.[1]?.replace(",", ""))).toBeGreaterThan(0)
      const named = Array.from(stdout.matchAll(/may be paid twice: ([\d,]+) characters/g), ([, characters]) =>
        Number(characters!.replace(",", ""))
      ).reduce((sum, characters) => sum + characters, 0)
      const undisturbed = 2 * texts.join("").length
      const paid = (yield* billed) - before.characters
      expect(paid).toBeGreaterThanOrEqual(undisturbed)
      expect(paid).toBeLessThanOrEqual(undisturbed + named)
    }))

  test("uses the service that the environment names, and says so", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({ "my.csv": csvOf(["Mug"]) })
      const { url } = yield* Emulator.Emulator
      const before = yield* billed
      const { code, stderr, stdout } = yield* runReal(folder, "my.csv", "--to", "de")
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      expect(stdout).toContain(`\nThe service is ${url}.\n`)
      expect(stdout).not.toContain("emulator")
      expect((yield* billed) - before).toBe(3)
    }))

  test("refuses half of the settings of a service", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({ "my.csv": csvOf(["Mug"]) })
      const env = { LANGUAGE_SERVICE_URL: "http://127.0.0.1:9" }
      expect(yield* runWith(env, folder, "my.csv")).toEqual({
        code: 1,
        stdout: "",
        stderr:
          "LANGUAGE_SERVICE_KEY is not set: set LANGUAGE_SERVICE_URL and LANGUAGE_SERVICE_KEY for the real service, or neither for an emulator.\n"
      })
      expect(readdirSync(folder)).toEqual(["my.csv"])
    }))

  test("names the file of texts that failed, and translates them the next time", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({ "my.csv": csvOf(["Mug", "POISON", "Cup"]) })
      const emulator = yield* Emulator.Emulator
      yield* emulator.script(Fault.poison("POISON"))
      const first = yield* runReal(folder, "my.csv", "--to", "de")
      yield* emulator.clear
      expect(first.code).toBe(1)
      expect(first.stderr).toBe(
        "Not everything is translated. Texts that failed, and why: out/my.failed.jsonl\n"
      )
      expect(JSON.parse(readFileSync(`${folder}/out/my.failed.jsonl`, "utf8"))).toMatchObject({
        source: "my.csv",
        text: "POISON",
        targetLang: "de",
        reason: "BadRequest"
      })
      const second = yield* runReal(folder, "my.csv", "--to", "de")
      expect(second.code).toBe(0)
      expect(tableRow(second.stdout, "de")).toMatchObject({ new: "1", store: "2", billed: "6" })
      expect(outputsIn(folder)).toEqual(["my.de.csv"])
    }))

  test("leaves a file alone that it has not written", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* folderOf({ "my.csv": csvOf(["Mug"]) })
      yield* fs.makeDirectory(`${folder}/out`)
      yield* fs.writeFileString(`${folder}/out/my.de.csv`, "mine")
      const { code, stderr } = yield* run(folder, "my.csv", "--to", "de")
      expect(code).toBe(1)
      expect(stderr).toMatch(/^out\/my\.de\.csv was written by somebody else: move it away/)
      expect(readFileSync(`${folder}/out/my.de.csv`, "utf8")).toBe("mine")
    }))

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    test(`leaves nothing behind on ${signal}, and does not end with 0`, () =>
      Effect.gen(function* () {
        const folder = yield* folderOf({ "my.csv": "text\nHello\n" })
        const emulator = yield* Emulator.Emulator
        let isSent = false
        const slow = Fault.where(Fault.slow("1 minute"), ({ texts }) => {
          isSent ||= texts.length > 0
          return texts.length > 0
        })
        yield* emulator.script(Fault.times(slow, Number.POSITIVE_INFINITY))
        const child = yield* startMain(folder, ["my.csv"], yield* serviceEnv)
        const printed = yield* Effect.fork(Stream.mkString(Stream.decodeText(child.stdout)))
        yield* Effect.repeat(
          Effect.sync(() => isSent),
          { until: (isSent) => isSent, schedule: Schedule.spaced("50 millis") }
        )
        yield* Effect.forkScoped(child.kill(signal))
        expect(yield* child.exitCode).toBe(130)
        yield* emulator.clear
        expect(outputsIn(folder)).toEqual([])
        expect(yield* printed).toMatch(/\nRun the same again: 3 texts are left, .*\n$/)
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
  ["a missing file", ["none.csv"], /^none\.csv can't be read .*no such file/],
  ["a folder", ["."], /^\. can't be read .*no regular file/],
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
    /^Expected path 'open\.csv' to be a directory/
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
