/** Compressed files as sources and outputs of jobs. */
import { readFileSync, writeFileSync } from "node:fs"
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Formats } from "effect-translate/formats"
import { JobSource, OutputCheck, TranslationJob } from "effect-translate/jobs"
import { filesIn, folderWith } from "./fileSources.js"
import { billed, withService } from "./jobs.js"

const formats = Formats.make({ columns: ["title"] })

const source = (folder: string, path: string, output: string): JobSource.FileOptions => ({
  path: `${folder}/${path}`,
  output: `${folder}/${output}` as JobSource.FileOptions["output"] & string,
  format: (file) => Formats.detect(file, formats),
  stateFolder: `${folder}/.state`
})

const job = (options: JobSource.FileOptions) => ({
  sources: [JobSource.file(options)],
  targets: ["de"],
  options: { sourceLang: "en" }
})

const csv = (count: number) =>
  ["id,title", ...Array.from({ length: count }, (_, index) => `${index},Mug ${index}`), ""].join("\n")

describe("a compressed file", () => {
  it.scoped("is translated into one, and paid for once", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({})
      writeFileSync(`${folder}/a.csv.gz`, gzipSync(csv(3)))
      const options = source(folder, "a.csv.gz", "{lang}.csv.gz")
      const forecast = yield* TranslationJob.forecast(job(options))
      expect(forecast).toMatchObject({ texts: 3, characters: 15 })
      expect((yield* TranslationJob.run(job(options))).end.state).toBe("complete")
      expect(gunzipSync(readFileSync(`${folder}/de.csv.gz`)).toString()).toBe(
        "id,title\n0,[de] Mûg 0\n1,[de] Mûg 1\n2,[de] Mûg 2\n"
      )
      const again = yield* TranslationJob.run(job(options))
      expect(again.outputs).toMatchObject([{ state: "unchanged" }])
      expect(yield* billed).toBe(15)
      const problems = yield* Stream.runCollect(
        OutputCheck.run({ files: [options], targets: ["de"], options: { sourceLang: "en" } })
      )
      expect(Array.from(problems)).toEqual([])
      expect(filesIn(folder)).toEqual(["a.csv.gz", "de.csv.gz"])
    }).pipe(withService(), Effect.provide(NodeContext.layer))
  )

  it.scoped("may become one that is not, or is compressed in another way", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({})
      writeFileSync(`${folder}/a.csv.gz`, gzipSync(csv(1)))
      yield* TranslationJob.run(job(source(folder, "a.csv.gz", "{lang}.csv")))
      expect(readFileSync(`${folder}/de.csv`, "utf8")).toBe("id,title\n0,[de] Mûg 0\n")
      yield* TranslationJob.run(job(source(folder, "a.csv.gz", "{lang}.csv.br")))
      expect(brotliDecompressSync(readFileSync(`${folder}/de.csv.br`)).toString()).toContain("[de] Mûg 0")
    }).pipe(withService(), Effect.provide(NodeContext.layer))
  )

  it.scoped("that is large is estimated from its beginning", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({})
      writeFileSync(`${folder}/a.csv.gz`, gzipSync(csv(120_000)))
      const estimate = yield* TranslationJob.estimate(job(source(folder, "a.csv.gz", "{lang}.csv.gz")))
      expect(estimate.isExact).toBe(false)
      expect(estimate.texts).toBeGreaterThan(90_000)
      expect(estimate.texts).toBeLessThan(150_000)
    }).pipe(withService(), Effect.provide(NodeContext.layer))
  )

  it.scoped("that is cut, or of a format that is read as a whole, is refused, and nothing is written", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({})
      const bytes = gzipSync(csv(300))
      writeFileSync(`${folder}/cut.csv.gz`, bytes.subarray(0, bytes.length - 10))
      writeFileSync(`${folder}/a.json.gz`, gzipSync('{"a":"Mug"}'))
      writeFileSync(`${folder}/b.json`, '{"a":"Mug"}')
      const run = (path: string, output: string) =>
        Effect.map(TranslationJob.run(job(source(folder, path, output))), ({ end, outputs }) => [
          end.state,
          outputs[0]!.state,
          outputs[0]!.error
        ])
      expect(yield* run("cut.csv.gz", "{lang}.csv.gz")).toMatchObject([
        "incomplete",
        "failed",
        { tag: "SourceUnreadable", message: expect.stringContaining("it is not gzip, or not whole") }
      ])
      const refused = { message: expect.stringContaining("of the format json is") }
      expect(yield* Effect.flip(run("a.json.gz", "{lang}.json"))).toMatchObject(refused)
      expect(yield* Effect.flip(run("b.json", "{lang}.json.gz"))).toMatchObject(refused)
      expect(filesIn(folder)).toEqual(["a.json.gz", "b.json", "cut.csv.gz"])
    }).pipe(withService(), Effect.provide(NodeContext.layer))
  )
})
