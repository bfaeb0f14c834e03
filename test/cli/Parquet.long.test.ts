/** Parquet files by the command line, in processes that are killed. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { asked, fromDuckDb } from "../support/parquet.js"
import { emulator, folderOf, processTimeout, run, start } from "./process.js"

const count = 2500

const query = `select i as id, 'Product ' || i as title, (i / 3)::decimal(38, 4) as price from (select range as i from range(${count}))`

/** A folder with a Parquet file of two row groups. */
const folderWithRows = Effect.gen(function* () {
  const folder = yield* folderOf()
  writeFileSync(`${folder}/a.parquet`, yield* fromDuckDb(query, ", row_group_size 2048"))
  return folder
})

describe("translate", () => {
  it.scopedLive(
    "goes on with a Parquet file after kill -9, and leaves nothing half under its name",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator({ latency: 100 })
        const folder = yield* folderWithRows
        const args = ["translate", "a.parquet", "--to", "de,fr", "--column", "title"]
        const killed = yield* start(args, { folder, env })
        yield* Effect.repeat(billed, { until: (characters) => characters >= 5000 })
        yield* killed.kill("SIGKILL")
        yield* killed.ended
        expect(existsSync(`${folder}/a.translated.parquet`)).toBe(false)

        const { code, stdout } = yield* run(args, { folder, env })
        expect(code).toBe(0)
        expect(stdout).toContain("a.translated.parquet: written")
        expect(readdirSync(folder).filter((name) => name.endsWith(".draft"))).toEqual([])
        const source = readFileSync(`${folder}/a.parquet`)
        const output = readFileSync(`${folder}/a.translated.parquet`)
        const rows =
          "select md5(string_agg(t::varchar, '|' order by id)) as rows from (select id, title, price from {file}) t"
        expect(yield* asked(output, rows)).toEqual(yield* asked(source, rows))
        const translated = `select count(*)::integer as rows, count(distinct title_de)::integer as de, count(distinct title_fr)::integer as fr, bool_and(starts_with(title_de, '[de] ') and starts_with(title_fr, '[fr] ')) as alright from {file}`
        expect(yield* asked(output, translated)).toEqual([
          { rows: count, de: count, fr: count, alright: true }
        ])
        const once = Array.from({ length: count }, (_, index) => `Product ${index}`.length * 2)
        const paid = yield* billed
        // What was in flight when it was killed, at most: in each language eight requests of 50 texts.
        expect(paid).toBeLessThanOrEqual(once.reduce((sum, length) => sum + length, 0) + 2 * 8 * 50 * 12)

        const again = yield* run(args, { folder, env })
        expect(again.stdout).toContain("1 output unchanged")
        expect(yield* billed).toBe(paid)
      }),
    processTimeout
  )

  it.scopedLive(
    "names new columns as it is told, and check finds mistakes in them",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf()
        writeFileSync(`${folder}/a.parquet`, yield* fromDuckDb("select '12 mugs' as title"))
        const args = [
          "a.parquet",
          "--to",
          "pt-BR",
          "--column",
          "title",
          "--output-column",
          "{column} ({lang})"
        ]
        const twice = ["translate", "a.parquet", "--to", "de", "--column", "title", "--column", "title"]
        const counted = yield* run([...twice, "--output-column", "new_{lang}", "--dry-run"], { folder, env })
        expect(counted).toMatchObject({ code: 0, stdout: expect.stringMatching(/^de +1 /m) })
        expect((yield* run(["translate", ...args], { folder, env })).code).toBe(0)
        const output = readFileSync(`${folder}/a.translated.parquet`)
        expect(yield* asked(output, "select * from {file}")).toEqual([
          { title: "12 mugs", "title (pt_BR)": "[pt-BR] 12 mûgs" }
        ])
        expect((yield* run(["check", ...args], { folder })).code).toBe(0)
        const other = yield* run(["check", ...args.slice(0, -2)], { folder })
        expect(other.code).toBe(6)
        expect(other.stdout.trim().split("\n")).toEqual([
          expect.stringMatching(
            /it has no column "title_pt_BR", but "title", "title \(pt_BR\)": .*--output-column/
          )
        ])
        const altered = "select '12 mugs' as title, '13 canecas' as \"title (pt_BR)\""
        writeFileSync(`${folder}/a.translated.parquet`, yield* fromDuckDb(altered))
        const { code, stdout } = yield* run(["check", ...args], { folder })
        expect(code).toBe(6)
        expect(stdout).toContain(
          "a.translated.parquet:1 1:title (pt-BR): The translation does not hold all numbers, decimals, percentages or dates of the source."
        )
      }),
    processTimeout
  )

  it.scopedLive(
    "reports mistakes in a Parquet file before it sends anything",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderWithRows
        const told = (...args: ReadonlyArray<string>) =>
          Effect.map(run(["translate", ...args, "--to", "de,fr"], { folder, env }), ({ code, stderr }) => [
            code,
            stderr.trim().split("\n").at(-1)
          ])
        expect(yield* told("a.parquet")).toEqual([
          2,
          'a.parquet: no column is chosen: give --column some of "title".'
        ])
        expect(yield* told("a.parquet", "--column", "price")).toEqual([
          2,
          'a.parquet: the column "price" is not of texts, one in a row: choose some of "title".'
        ])
        expect(yield* told("a.parquet", "--column", "title", "--output-column", "new")).toEqual([
          2,
          '--output-column: the pattern of columns lacks {lang}: "{column}_{lang}", say.'
        ])
        expect(yield* told("a.parquet", "--column", "title", "--out", "a.parquet")).toEqual([
          2,
          "a.parquet is the source, and would be overwritten by its translation into de: give another --out, or leave that language out of --to."
        ])
        const pipe = yield* run(
          ["translate", "-", "--format", "parquet", "--column", "title", "--to", "de"],
          {
            folder,
            env
          }
        )
        expect([pipe.code, pipe.stderr.trim()]).toEqual([
          2,
          "A file of the format parquet is read at any place, which standard input is not: name the file."
        ])
        expect(yield* billed).toBe(0)
        expect(readdirSync(folder).filter((name) => name.endsWith(".parquet"))).toEqual(["a.parquet"])
      }),
    processTimeout
  )
})
