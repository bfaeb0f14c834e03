/** `translate --query`: rows of files by DuckDB, and of DuckDB and SQLite files, into a table. */
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import Database from "libsql"
import { inDuckDb } from "../support/duckDb.js"
import { emulator, folderOf, processTimeout, run } from "./process.js"
import { fromParquet, query, shop } from "./queries.js"

const inSqlite = (
  file: string,
  statements: string,
  query: string
): ReadonlyArray<Record<string, unknown>> => {
  const database = new Database(file)
  database.exec(statements)
  const rows = database.prepare(query).all([]) as Array<Record<string, unknown>>
  database.close()
  return rows
}

describe("translate --query", () => {
  it.scopedLive(
    "translates Parquet files into a table of DuckDB, and with the second run only new and changed rows",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* shop
        const args = fromParquet()

        const dry = yield* run([...args, "--dry-run"], { folder, env })
        expect(dry).toMatchObject({ code: 0, stdout: expect.stringMatching(/^all +200 /m) })
        expect(readdirSync(folder).toSorted()).toEqual(["a.parquet", "b.parquet"])

        const first = yield* run(args, { folder, env })
        expect(first.code, first.stderr).toBe(0)
        expect(first.stderr).toContain("Translating the query into de, fr: 200 texts")
        expect(first.stderr).not.toContain("there already")
        const read = inDuckDb(`${folder}/out.duckdb`, "FROM translations ORDER BY lang, id")
        const rows = yield* read
        expect(rows).toHaveLength(200)
        expect(rows.slice(2, 5)).toMatchObject([
          { id: "2", lang: "de", title: "[de] Mûg 2" },
          { id: "3", lang: "de", title: null },
          { id: "4", lang: "de", title: " " }
        ])
        const paid = yield* billed

        const again = yield* run([...args, "--store", "none"], { folder, env })
        expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("2 outputs unchanged") })
        expect(yield* billed).toBe(paid)

        yield* inDuckDb(
          ":memory:",
          `COPY (SELECT 7 AS id, 'Cup' AS title UNION ALL SELECT 99, 'Pot') TO '${folder}/c.parquet'`
        )
        const changed = args.map((arg) =>
          arg.replace("id < 100", "id NOT IN (7, 99) OR filename LIKE '%c.parquet'")
        )
        const files = changed.map((arg) =>
          arg.replace("'*.parquet'", "read_parquet('*.parquet', filename = true)")
        )
        expect((yield* run([...files, "--store", "none"], { folder, env })).code).toBe(0)
        expect((yield* billed) - paid).toBe(2 * ("Cup".length + "Pot".length + 10 * "Mug 100".length))
        expect((yield* read).filter(({ id }) => id === "7")).toMatchObject([
          { title: "[de] Çûp" },
          { title: "[fr] Çûp" }
        ])
      }),
    processTimeout
  )

  it.scopedLive(
    "translates a table of a file of SQLite, whose journal mode stays as it was",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderOf()
        const file = `${folder}/shop.db`
        inSqlite(
          file,
          "CREATE TABLE products (id TEXT PRIMARY KEY, title TEXT); INSERT INTO products VALUES ('a', 'Mug'), ('b', NULL), ('c', 'Cup')",
          "SELECT 1"
        )
        const args = query("SELECT * FROM products", "--database", "shop.db")
        const result = yield* run(args, { folder, env })
        expect(result.code, result.stderr).toBe(0)
        const read = () => inSqlite(file, "", "SELECT id, lang, title FROM translations ORDER BY lang, id")
        expect(read().map((row) => Object.values(row).join())).toEqual([
          ..."a,de,[de] Mûg b,de, c,de,[de] Çûp".split(/ (?=[bc],)/),
          ..."a,fr,[fr] Mûg b,fr, c,fr,[fr] Çûp".split(/ (?=[bc],)/)
        ])
        expect(
          inSqlite(file, "UPDATE products SET title = 'Pot' WHERE id = 'b'", "PRAGMA journal_mode")
        ).toEqual([{ journal_mode: "delete" }])
        const paid = yield* billed
        expect((yield* run(args, { folder, env })).code).toBe(0)
        expect((yield* billed) - paid).toBe(6)
        expect(read()[1]).toMatchObject({ id: "b", title: "[de] Pöt" })
      }),
    processTimeout
  )

  it.scopedLive(
    "reads a file that is attached, and does not touch it",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf()
        const shop = `${folder}/shop.duckdb`
        yield* inDuckDb(shop, "CREATE TABLE products AS SELECT 1 AS id, 'Mug' AS title")
        const before = readFileSync(shop)
        const args = query(
          "SELECT * FROM shop.products;",
          "--database",
          "out.duckdb",
          "--attach",
          "shop.duckdb"
        )
        const result = yield* run(args, { folder, env })
        expect(result.code, result.stderr).toBe(0)
        expect(readFileSync(shop).equals(before)).toBe(true)
        expect(
          yield* inDuckDb(`${folder}/out.duckdb`, "SELECT title FROM translations ORDER BY lang")
        ).toEqual([{ title: "[de] Mûg" }, { title: "[fr] Mûg" }])
      }),
    processTimeout
  )
})
