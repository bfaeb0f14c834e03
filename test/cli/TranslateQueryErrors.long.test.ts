/** What `translate --query` says where it can't begin. */
import { readFileSync } from "node:fs"
import { DuckDBInstance } from "@duckdb/node-api"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { root } from "../examples/process.js"
import { inDuckDb } from "../support/duckDb.js"
import { emulator, folderOf, processTimeout, run, runAlone, withoutPackages } from "./process.js"
import { fromParquet, query, shop } from "./queries.js"

describe("translate --query", () => {
  it.scopedLive(
    "reports the mistake in one line, without a value of a row",
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
        const args = fromParquet()
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
        const program = yield* withoutPackages
        const { stderr } = yield* runAlone(fromParquet("--store", "none", "--dry-run"), {
          folder,
          env,
          program
        })
        const manifest = JSON.parse(readFileSync(`${root}/package.json`, "utf8"))
        expect(stderr).toContain(
          `npm install @duckdb/node-api@${manifest.devDependencies["@duckdb/node-api"]}`
        )
      }),
    processTimeout
  )
})
