/** PostgreSQL that goes away or answers too late. */
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { PgClient } from "effect-translate/postgres"
import * as SqlErrorCode from "../../src/sql/SqlErrorCode.js"
import { postgres } from "../support/postgres.js"

const codeOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.match(effect, {
    onFailure: (error) =>
      error instanceof SqlError ? Option.getOrUndefined(SqlErrorCode.get(error)) : error,
    onSuccess: () => "no error"
  })

const test = (
  name: string,
  options: Omit<PgClient.Options, "url">,
  body: (sql: SqlClient.SqlClient) => Effect.Effect<void, SqlError>
) =>
  it.live(name, () =>
    Effect.gen(function* () {
      const url = yield* (yield* postgres).database
      yield* Effect.flatMap(SqlClient.SqlClient, (sql) =>
        Effect.zipRight(sql`CREATE TABLE written (id INTEGER PRIMARY KEY)`, body(sql))
      ).pipe(Effect.provide(PgClient.layer({ url, ...options })))
    })
  )

const ids = (sql: SqlClient.SqlClient) => sql`SELECT id FROM written ORDER BY id`.values

describe("a server that is away", () => {
  test("is an error of the connection, and is used again when it is back", {}, (sql) =>
    Effect.gen(function* () {
      const { start, stop } = yield* postgres
      yield* sql`INSERT INTO written (id) VALUES (1)`
      yield* stop
      const away = yield* codeOf(ids(sql)).pipe(Effect.repeatN(1), Effect.ensuring(start))
      expect(away).toBe("ECONNREFUSED")
      expect(yield* ids(sql)).toEqual([[1]])
    })
  )

  test("fails a transaction that it interrupts, without a defect", {}, (sql) =>
    Effect.gen(function* () {
      const { start, stop } = yield* postgres
      const interrupted = sql.withTransaction(Effect.zipRight(sql`INSERT INTO written (id) VALUES (1)`, stop))
      const error = yield* Effect.flip(interrupted).pipe(Effect.orDie, Effect.ensuring(start))
      expect(error).toBeInstanceOf(SqlError)
      expect(yield* ids(sql)).toEqual([])
    })
  )
})

describe("a query for which there is no connection", () => {
  const options = { maxConnections: 1, connectTimeout: "500 millis" } as const

  test("waits as long as others get theirs", options, (sql) =>
    Effect.gen(function* () {
      const slow = Effect.replicate(sql`SELECT pg_sleep(0.1)`, 15)
      yield* Effect.all(slow, { concurrency: "unbounded", discard: true })
      yield* sql.withTransaction(sql`INSERT INTO written (id) VALUES (1)`)
      expect(yield* ids(sql)).toEqual([[1]])
    })
  )

  test("is ETIMEDOUT when none comes free", options, (sql) =>
    Effect.gen(function* () {
      const held = sql`SELECT i FROM generate_series(1, 1000) AS i`.stream
      const waits = Effect.all([codeOf(ids(sql)), codeOf(ids(sql))], { concurrency: "unbounded" })
      const codes = yield* Stream.runHead(Stream.mapEffect(held, () => waits))
      expect(Option.getOrUndefined(codes)).toEqual(["ETIMEDOUT", "ETIMEDOUT"])
      expect(yield* ids(sql)).toEqual([])
    })
  )

  test("gives its place up when it is interrupted", options, (sql) =>
    Effect.gen(function* () {
      const slow = yield* Effect.fork(sql`SELECT pg_sleep(0.2)`)
      yield* Effect.yieldNow()
      const waits = yield* Effect.fork(Effect.replicateEffect(ids(sql), 3, { concurrency: "unbounded" }))
      yield* Effect.sleep("20 millis")
      yield* Fiber.interruptFork(waits)
      yield* Fiber.join(slow)
      expect(yield* ids(sql)).toEqual([])
    })
  )
})

describe("a query without an answer in time", () => {
  test(
    "is ETIMEDOUT, and nothing of its transaction gets into the next one",
    { maxConnections: 1, queryTimeout: "200 millis" },
    (sql) =>
      Effect.gen(function* () {
        const slow = sql.withTransaction(
          Effect.zipRight(sql`INSERT INTO written (id) VALUES (1)`, sql`SELECT pg_sleep(1)`)
        )
        const error = yield* Effect.orDie(Effect.flip(slow))
        expect(error).toBeInstanceOf(SqlError)
        yield* sql.withTransaction(sql`INSERT INTO written (id) VALUES (2)`)
        expect(yield* ids(sql)).toEqual([[2]])
      })
  )

  test("is ETIMEDOUT outside a transaction", { queryTimeout: "200 millis" }, (sql) =>
    Effect.map(codeOf(sql`SELECT pg_sleep(1)`), (code) => expect(code).toBe("ETIMEDOUT"))
  )

  test("does not end a stream whose rows come in time", { queryTimeout: "300 millis" }, (sql) =>
    Effect.gen(function* () {
      const rows = sql`SELECT i FROM generate_series(1, 1000) AS i`.stream
      const slowly = Stream.tap(Stream.rechunk(rows, 128), () => Effect.sleep("1 millis"))
      expect(yield* Stream.runCount(slowly)).toBe(1000)
      const never = sql`SELECT pg_sleep(1)`.stream
      expect(yield* codeOf(Stream.runDrain(never))).toBe("ETIMEDOUT")
    })
  )
})
