import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import * as Effect from "effect/Effect"
import { parquetMetadata } from "hyparquet"
import { describe, expect, it } from "vitest"
import { folder, prepare } from "../../scripts/formatCorpus.js"
import { textsOf, translated } from "../support/parquet.js"
import { check, refused, unread } from "./parquetCorpus.js"

const missing = await prepare(["parquet"])
for (const source of missing) console.warn(`The corpus goes without ${source}`)

const root = join(folder, "parquet")

const bytesOf = (file: string) => new Uint8Array(readFileSync(join(root, file)))

const found = (existsSync(root) ? readdirSync(root, { recursive: true, withFileTypes: true }) : [])
  .filter((entry) => entry.isFile())
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  .sort()

/** Some files are in two packages. */
const files = [
  ...new Map(found.map((file) => [Buffer.from(bytesOf(file)).toString("base64"), file])).values()
]

const refusalOf = (file: string) => refused.find(([end]) => file.endsWith(end))

describe("a Parquet file of others", () => {
  const sound = files.filter((file) => refusalOf(file) === undefined)

  it.each(sound)("gets translations, and keeps its columns as other readers read them: %s", async (file) => {
    const { faults, readers } = await Effect.runPromise(check(bytesOf(file)))
    expect(faults).toStrictEqual([])
    expect(readers.length > 0).toBe(!unread.some((end) => file.endsWith(end)))
  })

  it.each(files.filter((file) => !sound.includes(file)))("is refused, and told why: %s", async (file) => {
    const [, column, message] = refusalOf(file)!
    const error = await Effect.runPromise(Effect.flip(translated(bytesOf(file), [column], ["de"])))
    expect(error.message).toContain(message)
  })

  it("of Arrow 2 is read, though it says of compressed pages that they are not", async ({ skip }) => {
    const file = files.find((file) => file.endsWith("parquet/ARROW-17100.parquet"))
    if (file === undefined) return skip("its package could not be had")
    const texts = await Effect.runPromise(textsOf(bytesOf(file), ["col2"]))
    expect(texts.map(([, text]) => text)).toStrictEqual(["a", "b", "c", "d", "e"])
  })

  it("is one of 100 and more that get translations, by seven programs and more", ({ skip }) => {
    if (missing.length > 0) skip(`without ${missing.join("; ")}`)
    const counts: Record<string, number> = {}
    for (const file of sound) {
      const { created_by = "" } = parquetMetadata(bytesOf(file).slice().buffer)
      const writer = /^[\w-]*/.exec(created_by)![0]
      counts[writer] = (counts[writer] ?? 0) + 1
    }
    console.log(`parquet: ${sound.length} translated, ${files.length - sound.length} refused`, counts)
    expect(sound.length).toBeGreaterThanOrEqual(100)
    const programs = [
      "impala",
      "parquet-mr",
      "parquet-cpp",
      "parquet-cpp-arrow",
      "parquet-rs",
      "Polars",
      "HVR"
    ]
    expect(Object.keys(counts)).toEqual(expect.arrayContaining(programs))
  })
})
