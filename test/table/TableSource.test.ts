/** Rows of a query as the source of a job: of a file of SQLite that belongs to another program. */
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { LibsqlClient } from "effect-translate/libsql"
import { TableSource } from "effect-translate/tables"
import { run } from "../job/fileSources.js"
import { marking } from "../job/support.js"
import { temporaryFile } from "../support/databases.js"
import { sharedLayer } from "../support/sharedLayer.js"
import { suite } from "./tableSources.js"

const foreignFile = Layer.unwrapScoped(
  Effect.map(temporaryFile, (filename) => LibsqlClient.layer({ filename, keepSettings: true }))
)

suite({ name: "a file of SQLite", layer: foreignFile })

const titles = (query: string, key: TableSource.Options["key"]): TableSource.Options => ({
  query,
  key,
  columns: ["title"],
  output: "titles"
})

describe("rows of a file of SQLite", () => {
  const test = sharedLayer(Layer.orDie(foreignFile))

  test("are refused if a text is not UTF-8", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE notes (id INTEGER, title TEXT)`
      yield* sql`INSERT INTO notes VALUES (1, CAST(x'FF41' AS TEXT))`
      const broken = TableSource.make(titles("SELECT * FROM notes", ["id"]))
      expect(yield* Effect.flip(run(broken))).toMatchObject({ problem: "not a text", column: "title" })
    }).pipe(marking().provide))

  test("are read without a lock of the file, and leave no temporary table", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE many (id INTEGER, title TEXT)`
      yield* sql`INSERT INTO many ${sql.insert(Array.from({ length: 2000 }, (_, id) => ({ id, title: `Mug ${id}` })))}`
      const { provide, sent } = marking()
      yield* provide(run(TableSource.make({ ...titles("SELECT * FROM many", ["id"]), output: "many_out" })))
      expect(sent()).toHaveLength(2000)
      expect(yield* sql`SELECT name FROM sqlite_temp_schema`).toEqual([])
      expect(yield* sql`PRAGMA journal_mode`).toEqual([{ journal_mode: "delete" }])
    }))
})
