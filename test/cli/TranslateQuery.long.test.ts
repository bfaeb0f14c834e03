/** `translate --query`: rows of files by DuckDB, and of DuckDB and SQLite files, into a table. */
import { spawn } from "node:child_process"
import { cpSync, readdirSync, readFileSync } from "node:fs"
import { DuckDBInstance } from "@duckdb/node-api"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import Database from "libsql"
import { cliBundle } from "../../scripts/cliBundle.js"
import { root } from "../examples/process.js"
import { inDuckDb } from "../support/duckDb.js"
import { emulator, folderOf, inherited, processTimeout, run } from "./process.js"

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

const query = (sql: string, ...more: ReadonlyArray<string>) => [
  ...["translate", "--query", sql, "--key", "id", "--column", "title"],
  ...["--output", "translations", "--to", "de,fr", ...more]
]

const fromParquet = (...more: ReadonlyArray<string>) =>
  query("SELECT id, title FROM 'shop/*.parquet' WHERE id < 100", "--database", "out.duckdb", ...more)

/** A folder with rows in Parquet: some titles are blank or missing, and one is there twice. */
const shop = Effect.gen(function* () {
  const folder = yield* folderOf()
  yield* inDuckDb(
    ":memory:",
    `SET threads = 1`,
    `CREATE TABLE rows AS SELECT range AS id, CASE range WHEN 3 THEN NULL WHEN 4 THEN ' ' ELSE 'Mug ' || range END AS title FROM range(110)`,
    `COPY (SELECT * FROM rows WHERE id < 60) TO '${folder}/a.parquet'`,
    `COPY (SELECT * FROM rows WHERE id >= 60) TO '${folder}/b.parquet'`
  )
  return folder
})

describe("translate --query", () => {
  it.scopedLive(
    "translates Parquet files into a table of DuckDB, and with the second run only what is new or has changed",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* shop
        const args = fromParquet().map((arg) => arg.replace("shop/", ""))

        const dry = yield* run([...args, "--dry-run"], { folder, env })
        expect(dry).toMatchObject({ code: 0, stdout: expect.stringMatching(/^all +200 /m) })
        expect(readdirSync(folder).toSorted()).toEqual(["a.parquet", "b.parquet"])

        const first = yield* run(args, { folder, env })
        expect(first.code, first.stderr).toBe(0)
        expect(first.stderr).toContain("Translating the query into de, fr: 200 texts")
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

  it.scopedLive(
    "says in a line what is wrong, without a value of a row",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderOf({ "notes.txt": "neither of the two databases" })
        yield* inDuckDb(`${folder}/data.duckdb`, "CREATE TABLE t AS SELECT 1 AS id, 'secret' AS title")
        const refused = (sql: string, ...more: ReadonlyArray<string>) =>
          Effect.map(
            run(query(sql, ...(more.length > 0 ? more : ["--database", "data.duckdb"])), { folder, env }),
            ({ code, stderr }) => [code, stderr.trimEnd()] as const
          )
        expect(yield* refused("SELEC 1")).toEqual([
          2,
          `the query can't be used: Parser Error: syntax error at or near "1".`
        ])
        const cast = yield* refused("SELECT id, CAST(CAST(title AS INT) AS TEXT) AS title FROM t")
        expect(cast).toEqual([2, expect.stringContaining("Conversion Error")])
        expect(cast[1]).not.toContain("secret")
        expect(yield* refused("SELECT id, title FROM t", "--database", "new.db")).toEqual([
          2,
          expect.stringContaining("let its name end in .duckdb or .sqlite")
        ])
        expect(yield* refused("SELECT id, title FROM t", "--database", "notes.txt")).toEqual([
          2,
          expect.stringContaining("no file of DuckDB, and none of SQLite")
        ])
        expect(yield* refused("SELECT id, title FROM t", "--database", "data.duckdb", "--out", "x")).toEqual([
          2,
          expect.stringContaining("--out is for files")
        ])
        expect(
          yield* refused("SELECT id, title FROM t", "--database", "data.duckdb", "--store", "data.duckdb")
        ).toEqual([2, expect.stringContaining("--store data.duckdb is the output")])
        expect(yield* billed).toBe(0)
      }),
    processTimeout
  )

  it.scopedLive(
    "ends with 5 while another process has the file of DuckDB open",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* shop
        const args = fromParquet().map((arg) => arg.replace("shop/", ""))
        const result = yield* Effect.acquireUseRelease(
          Effect.promise(() => DuckDBInstance.create(`${folder}/out.duckdb`)),
          () => run(args, { folder, env }),
          (instance) => Effect.sync(() => instance.closeSync())
        )
        expect(result).toMatchObject({
          code: 5,
          stderr: expect.stringContaining("another process has the file open")
        })
        expect((yield* run(args, { folder, env })).code).toBe(0)
      }),
    processTimeout
  )

  it.scopedLive(
    "says how to install DuckDB where it is missing",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf()
        const bundle = yield* Effect.promise(cliBundle)
        cpSync(bundle, `${folder}/cli`, { recursive: true })
        const stderr = yield* Effect.async<string>((resume) => {
          const child = spawn(
            process.execPath,
            [`${folder}/cli/main.js`, ...fromParquet("--store", "none", "--dry-run")],
            { cwd: folder, env: { ...inherited, ...env } }
          )
          let printed = ""
          child.stderr.on("data", (bytes: Buffer) => {
            printed += bytes.toString()
          })
          child.on("close", () => resume(Effect.succeed(printed)))
        })
        const manifest = JSON.parse(readFileSync(`${root}/package.json`, "utf8"))
        expect(stderr).toContain(
          `npm install @duckdb/node-api@${manifest.devDependencies["@duckdb/node-api"]}`
        )
      }),
    processTimeout
  )
})
