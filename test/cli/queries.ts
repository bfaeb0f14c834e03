/** Queries on the command line, and what they read. */
import * as Effect from "effect/Effect"
import { inDuckDb } from "../support/duckDb.js"
import { folderOf } from "./process.js"

/** The command line of a query. */
export const query = (sql: string, ...more: ReadonlyArray<string>) => [
  ...["translate", "--query", sql, "--key", "id", "--column", "title"],
  ...["--output", "translations", "--to", "de,fr", ...more]
]

export const fromParquet = (...more: ReadonlyArray<string>) =>
  query("SELECT id, title FROM '*.parquet' WHERE id < 100", "--database", "out.duckdb", ...more)

/** A folder with rows in Parquet: two titles are blank or missing. */
export const shop = Effect.gen(function* () {
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
