import { existsSync, readdirSync, readFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { Emulator, Fault, PseudoTranslation } from "effect-translate/emulator"
import Papa from "papaparse"
import { folderOf } from "../cli/process.js"
import { sharedLayer } from "../support/sharedLayer.js"
import { bundled, processTimeout, root, runNpm, serviceEnv, start } from "./process.js"

type Row = Record<string, string>

const read = (path: string): ReadonlyArray<Row> => {
  const { data, errors } = Papa.parse<Row>(readFileSync(path, "utf8"), {
    header: true,
    delimiter: ",",
    skipEmptyLines: true
  })
  expect(errors).toEqual([])
  return data
}

const test = sharedLayer(
  Layer.provideMerge(Emulator.layerNode({ latency: "50 millis" }), NodeContext.layer),
  processTimeout
)

describe("npm start", () => {
  test("translates the bundled text into three languages, and pays nothing the second time", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf()
      const { code, stderr, stdout } = yield* runNpm({ folder }, "start")
      expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("billed") })
      const source = read(`${root}/examples/data/udhr.en.csv`)
      for (const language of ["de", "fr", "ja"]) {
        expect(read(`${folder}/out/udhr.${language}.csv`)).toEqual(
          source.map((row) => ({ ...row, text: PseudoTranslation.translate(row.text!, language) }))
        )
      }
      const characters = source.reduce((sum, { text }) => sum + Array.from(text!).length, 0) * 3
      const billed = `${characters.toLocaleString("en")} characters`
      expect(stdout).toContain(`Everything is translated. ${billed} were billed.`)
      expect(stderr).toContain(`The emulator's own meter: ${source.length * 3} texts, ${billed} billed.`)

      // Texts and keys stay out of version control.
      expect(readFileSync(`${folder}/.effect-translate/.gitignore`, "utf8")).toContain("store.db*")

      const second = yield* runNpm({ folder }, "start")
      expect(second.code).toBe(0)
      expect(second.stdout).toContain("Everything is translated. Nothing was billed.")
      expect(second.stderr).toContain("The emulator's own meter: 0 texts, 0 characters billed.")
    }))

  test("is the command line: it takes its arguments, and ends with its exit code", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({ "my.csv": "title\nMug\n" })
      const done = yield* runNpm({ folder }, "start -- translate my.csv --column title --to de")
      expect(done.code).toBe(0)
      expect(read(`${folder}/my.de.csv`)).toEqual([{ title: "[de] Mûg" }])
      const { code, stderr } = yield* runNpm({ folder }, "start -- translate none.csv --to de")
      expect(code).toBe(2)
      expect(stderr).toContain("none.csv is not there")
    }))

  test("uses the service that the environment names, and leaves nothing half done when it is interrupted", () =>
    Effect.gen(function* () {
      const rows = Array.from({ length: 3000 }, (_, index) => `Mug ${index}\n`)
      const folder = yield* folderOf({ "my.csv": `title\n${rows.join("")}` })
      const emulator = yield* Emulator.Emulator
      let isSent = false
      const slow = Fault.where(Fault.slow("1 second"), ({ texts }) => {
        isSent ||= texts.length > 0
        return texts.length > 0
      })
      yield* emulator.script(Fault.times(slow, Number.POSITIVE_INFINITY))
      const args = ["translate", "my.csv", "--column", "title", "--to", "de,fr"]
      // What npm does: it relays signals or not, by its version.
      const env = {
        ...(yield* serviceEnv),
        NODE_OPTIONS: `--import ${root}/node_modules/tsx/dist/loader.mjs`
      }
      const child = yield* start(bundled(`${root}/scripts/start.ts`, ...args), { folder, env })
      const printed = yield* Effect.fork(Stream.mkString(Stream.decodeText(child.stderr)))
      yield* Effect.repeat(
        Effect.sync(() => isSent),
        { until: (isSent) => isSent, schedule: Schedule.spaced("50 millis") }
      )
      yield* Effect.forkScoped(child.kill("SIGINT"))
      expect(yield* child.exitCode).toBe(130)
      yield* emulator.clear
      expect(yield* printed).not.toContain("an emulator on this machine")
      expect(readdirSync(folder).filter((name) => name.endsWith(".draft"))).toEqual([])
      expect(existsSync(`${folder}/.effect-translate/store.db`)).toBe(true)
    }))
})
