/** DuckDB as a `SqlClient`. */
import { writeFileSync } from "node:fs"
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { DuckDbClient } from "effect-translate/duckdb"
import * as SqlErrorCode from "../../src/sql/SqlErrorCode.js"
import { temporaryFile } from "../support/databases.js"
import { turn } from "../support/watchedClock.js"

const use =
  (options?: DuckDbClient.Options) =>
  <A, E>(body: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
    Effect.flatMap(SqlClient.SqlClient, body).pipe(Effect.provide(DuckDbClient.layer(options)))

const inMemory = use()

const failureOf = (statement: string) =>
  inMemory((sql) =>
    Effect.map(Effect.flip(sql.unsafe(statement)), (error) => [
      Option.getOrThrow(SqlErrorCode.get(error)),
      (error.cause as Error).message
    ])
  )

describe("a client of DuckDB", () => {
  it.effect(
    "gives integers, texts and bytes as JavaScript has them, and other types as values that SQL reads",
    () =>
      inMemory((sql) =>
        Effect.gen(function* () {
          yield* sql`CREATE TABLE t (i INTEGER, b BIGINT, s VARCHAR, d DATE, u UUID, x BLOB, n VARCHAR)`
          const values = {
            i: 7,
            b: 9007199254740993n,
            s: "Ä😀",
            d: "2026-01-31",
            u: "0b57f2a6-9b57-4d43-8b1c-0d27f0c1a9aa",
            x: new Uint8Array([0, 255]),
            n: null
          }
          expect(yield* sql`INSERT INTO t ${sql.insert(values)}`).toEqual([])
          const [row] = yield* sql`SELECT * FROM t`
          expect(row).toMatchObject({ i: 7, b: 9007199254740993n, s: "Ä😀", n: null })
          expect(Array.from(row!.x as Uint8Array)).toEqual([0, 255])
          expect([String(row!.d), String(row!.u)]).toEqual([values.d, values.u])
          expect(
            yield* sql`SELECT count(*) AS n FROM t WHERE d = ${values.d} AND u = ${values.u} AND b = ${values.b}`
          ).toEqual([{ n: 1 }])
          expect(yield* sql`SELECT i, s FROM t`.values).toEqual([[7, "Ä😀"]])
        })
      )
  )

  it.effect("inserts many rows at once, whatever they hold, and tells their number", () =>
    inMemory((sql) =>
      Effect.gen(function* () {
        yield* sql`CREATE TABLE t (id INTEGER PRIMARY KEY, text VARCHAR, price DOUBLE, day DATE, is_new BOOLEAN)`
        const day = "2026-01-31"
        const rows = [
          { id: 1, text: `'quoted' "and" \\ \u0000 \n 😀`, price: 0.1, day, is_new: true },
          { id: 2, text: null, price: Number.POSITIVE_INFINITY, day: null, is_new: false }
        ]
        expect(yield* sql`INSERT INTO t ${sql.insert(rows).returning("id")}`).toEqual([{ id: 1 }, { id: 2 }])
        expect(
          yield* sql`SELECT id, text, price, CAST(day AS VARCHAR) AS day, is_new FROM t ORDER BY id`
        ).toEqual(rows)
        const other = rows.map((row) => ({ ...row, text: "other" }))
        yield* sql`INSERT INTO t ${sql.insert(other)} ON CONFLICT (id) DO UPDATE SET text = EXCLUDED.text`
        expect(yield* sql`SELECT text FROM t WHERE id IN ${sql.in([1, 2])}`).toEqual([
          { text: "other" },
          { text: "other" }
        ])
      })
    )
  )

  it.effect("streams rows as they were when the stream began, while others are written", () =>
    inMemory((sql) =>
      Effect.gen(function* () {
        yield* sql`CREATE TABLE t AS SELECT range AS id FROM range(10000)`
        let rows = 0
        yield* Stream.runForEachChunk(sql`SELECT * FROM t`.stream, (chunk) => {
          rows += chunk.length
          return sql`INSERT INTO t ${sql.insert({ id: rows })}`
        })
        expect(rows).toBe(10_000)
        expect(yield* sql`SELECT count(*) AS n FROM t`).toEqual([{ n: 10_005 }])
      })
    )
  )

  it.effect("takes back the rows of a transaction that fails", () =>
    inMemory((sql) =>
      Effect.gen(function* () {
        yield* sql`CREATE TABLE t (id INTEGER PRIMARY KEY)`
        const twice = sql.withTransaction(
          Effect.zipRight(sql`INSERT INTO t VALUES (1)`, sql`INSERT INTO t VALUES (1)`)
        )
        expect(Option.getOrThrow(SqlErrorCode.get(yield* Effect.flip(twice)))).toBe("DUCKDB_CONSTRAINT")
        expect(yield* sql`SELECT * FROM t`).toEqual([])
      })
    )
  )

  it.live("is free again when a query or a stream was interrupted", () =>
    inMemory((sql) =>
      Effect.gen(function* () {
        const endless =
          "SELECT count(*) AS n FROM range(1000000000) a, range(1000000) b WHERE a.range + b.range < 0"
        for (const turns of [0, 1, 2, 50]) {
          for (const running of [sql.unsafe(endless), Stream.runDrain(sql.unsafe(endless).stream)]) {
            const fiber = yield* Effect.fork(running)
            yield* Effect.repeatN(turn, turns)
            yield* Fiber.interrupt(fiber)
            expect(yield* sql`SELECT 1 AS one`).toEqual([{ one: 1 }])
          }
        }
      })
    )
  )

  it.effect("tells the mistake in names and SQL in a line", () =>
    Effect.gen(function* () {
      expect(yield* failureOf("SELEC 1")).toEqual([
        "DUCKDB_PARSER",
        'Parser Error: syntax error at or near "SELEC"'
      ])
      expect(yield* failureOf("SELECT titel FROM (SELECT 1 AS title)")).toEqual([
        "DUCKDB_BINDER",
        'Binder Error: Referenced column "titel" not found in FROM clause! Candidate bindings: "title"'
      ])
      expect(yield* failureOf("FROM 'none/*.parquet'")).toEqual([
        "DUCKDB_IO",
        'IO Error: No files found that match the pattern "none/*.parquet"'
      ])
    })
  )

  it.effect("quotes no value in an error", () =>
    Effect.gen(function* () {
      for (const statement of [
        "SELECT CAST(t AS INTEGER) FROM (VALUES ('secret'), (NULL)) v(t)",
        "SELECT error(t) FROM (VALUES ('secret'), (NULL)) v(t)",
        "SELECT CAST(t AS DATE) FROM (VALUES ('secret'), (NULL)) v(t)",
        "SELECT json_extract(t, '$') FROM (VALUES ('{secret'), (NULL)) v(t)"
      ]) {
        const [code, message] = yield* failureOf(statement)
        expect(code).toMatch(/^DUCKDB_[A-Z_]+$/)
        expect(message).not.toContain("secret")
      }
    })
  )

  it.scoped("reads a file only if it is told so, and says of another file that it is none of DuckDB", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* use({ filename })((sql) => sql`CREATE TABLE t AS SELECT 1 AS id`)
      const write = use({ filename, readonly: true })((sql) =>
        Effect.zipRight(sql`SELECT * FROM t`, sql`INSERT INTO t VALUES (2)`)
      )
      expect(Option.getOrThrow(SqlErrorCode.get(yield* Effect.flip(write)))).toBe("DUCKDB_INVALID_INPUT")
      writeFileSync(filename, "no database")
      const other = yield* Effect.flip(use({ filename })(() => Effect.void))
      expect((other.cause as Error).message).toContain("not a valid DuckDB database file")
    })
  )

  it.scoped("reads the tables of a file that is attached, and writes none", () =>
    Effect.gen(function* () {
      const shop = yield* temporaryFile
      yield* use({ filename: shop })((sql) => sql`CREATE TABLE products AS SELECT 1 AS id`)
      const error = yield* use({ attach: { "my shop": shop } })((sql) =>
        Effect.gen(function* () {
          expect(yield* sql`SELECT * FROM ${sql("my shop.products")}`).toEqual([{ id: 1 }])
          return yield* Effect.flip(sql`INSERT INTO ${sql("my shop.products")} VALUES (2)`)
        })
      )
      expect(Option.getOrThrow(SqlErrorCode.get(error))).toBe("DUCKDB_INVALID_INPUT")
    })
  )
})
