/** Rows of a query as the source of a job: of PostgreSQL and DuckDB. */
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { DuckDbClient } from "effect-translate/duckdb"
import { TableSource } from "effect-translate/tables"
import { run } from "../job/fileSources.js"
import { marking } from "../job/support.js"
import { postgresServer, temporaryFile } from "../support/databases.js"
import { sharedLayer } from "../support/sharedLayer.js"
import { suite } from "./tableSources.js"

const duckDb = Layer.unwrapScoped(Effect.map(temporaryFile, (filename) => DuckDbClient.layer({ filename })))

suite(postgresServer)
suite({ name: "DuckDB", layer: duckDb })

const titles = (query: string, key: TableSource.Options["key"]): TableSource.Options => ({
  query,
  key,
  columns: ["title"],
  output: "titles"
})

describe("rows of DuckDB", () => {
  const test = sharedLayer(Layer.orDie(duckDb))

  test("may have keys of several types, which the output has too, and are written in the order of the query", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE events AS SELECT
        md5(range::VARCHAR)::UUID AS id, DATE '2026-01-01' + range::INT AS day, (9007199254740993 + range)::BIGINT AS big,
        TIMESTAMP '2026-01-01 00:00:00.123456' AS made, (range / 10)::DECIMAL(9, 3) AS price, range % 2 = 0 AS even, 'Mug ' || range AS title
        FROM range(2500)`
      const source = TableSource.make(titles("FROM events", ["id", "day", "big", "made", "price", "even"]))
      yield* run(source)
      expect(sent()).toEqual(Array.from({ length: 2500 }, (_, index) => `Mug ${index}`))
      const types = yield* sql`SELECT column_name, column_type FROM (DESCRIBE titles)`.values
      expect(types.map((type) => type.join(" "))).toEqual([
        "id UUID",
        "day DATE",
        "big BIGINT",
        "made TIMESTAMP",
        "price DECIMAL(9,3)",
        "even BOOLEAN",
        "lang VARCHAR",
        "source_hash VARCHAR",
        "title VARCHAR"
      ])
      const [joined] = yield* sql`SELECT count(*) AS n FROM events e JOIN titles t
        USING (id, day, big, made, price, even) WHERE t.title = 'de: ' || e.title`
      expect(joined).toEqual({ n: 2500 })
      yield* run(source)
      expect(sent()).toHaveLength(2500)
    }).pipe(provide)
  })

  test("are refused if a column of texts is of another type that looks like one", () =>
    Effect.gen(function* () {
      for (const type of ["DATE '2026-01-01'", "uuid()", "'x'::BLOB", "['x']"]) {
        const source = TableSource.make({
          ...titles(`SELECT 1 AS id, ${type} AS title`, ["id"]),
          output: "refused"
        })
        expect(yield* Effect.flip(run(source))).toMatchObject({ problem: "not a text", column: "title" })
      }
    }).pipe(marking().provide))
})
