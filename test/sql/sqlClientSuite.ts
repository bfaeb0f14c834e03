/** What both databases do alike. */
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import type { Database } from "../support/databases.js"

const table = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`CREATE TABLE numbers (id INTEGER PRIMARY KEY, bytes ${bytesType(sql)}, big BIGINT)`
)

const bytesType = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({ pg: () => sql.literal("BYTEA"), orElse: () => sql.literal("BLOB") })

const ids = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ readonly id: number }>`SELECT id FROM numbers ORDER BY id`, (rows) =>
    rows.map(({ id }) => id)
  )
)

const insert = (id: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO numbers (id) VALUES (${id})`)

export const suite = (database: Database) =>
  describe(`on ${database.name}`, () => {
    const { layer } = database
    const test = <A, E>(name: string, body: Effect.Effect<A, E, SqlClient.SqlClient>) =>
      it.live(name, () => Effect.provide(Effect.zipRight(table, body), layer))

    test(
      "a transaction is kept as a whole",
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql.withTransaction(Effect.zipRight(insert(1), insert(2)))
        expect(yield* ids).toEqual([1, 2])
      })
    )

    test(
      "a transaction that fails leaves nothing",
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const failed = yield* Effect.flip(
          sql.withTransaction(Effect.zipRight(insert(1), Effect.fail("no" as const)))
        )
        expect(failed).toBe("no")
        expect(yield* ids).toEqual([])
      })
    )

    test(
      "a transaction of a finalizer is carried out, though its fiber was interrupted, and waits for its turn",
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const begun = yield* Deferred.make<void>()
        const holds = yield* Deferred.make<void>()
        const leave = yield* Deferred.make<void>()
        yield* Effect.fork(
          sql.withTransaction(
            Effect.zipRight(
              Deferred.succeed(holds, undefined),
              Effect.zipRight(Deferred.await(leave), insert(1))
            )
          )
        )
        yield* Deferred.await(holds)
        const fiber = yield* Deferred.succeed(begun, undefined).pipe(
          Effect.zipRight(Effect.never),
          Effect.ensuring(Effect.orDie(sql.withTransaction(insert(2)))),
          Effect.fork
        )
        yield* Deferred.await(begun)
        const ended = yield* Effect.fork(Fiber.interrupt(fiber))
        yield* Effect.yieldNow()
        yield* Deferred.succeed(leave, undefined)
        yield* Fiber.join(ended)
        expect(yield* ids).toContain(2)
      })
    )

    test(
      "a transaction that is interrupted leaves nothing, and the next one runs",
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const inside = yield* Deferred.make<void>()
        const fiber = yield* Effect.fork(
          sql.withTransaction(
            insert(1).pipe(
              Effect.zipRight(Deferred.succeed(inside, undefined)),
              Effect.zipRight(Effect.never)
            )
          )
        )
        yield* Deferred.await(inside)
        yield* Fiber.interrupt(fiber)
        yield* sql.withTransaction(insert(2))
        expect(yield* ids).toEqual([2])
      })
    )

    test(
      "a nested transaction can fail alone",
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const inner = sql.withTransaction(Effect.zipRight(insert(2), Effect.fail("no" as const)))
        yield* sql.withTransaction(
          insert(1).pipe(Effect.zipRight(Effect.ignore(inner)), Effect.zipRight(insert(3)))
        )
        expect(yield* ids).toEqual([1, 3])
      })
    )

    test(
      "statements of another fiber are not part of a transaction",
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const inside = yield* Deferred.make<void>()
        const other = yield* Effect.fork(Effect.zipRight(Deferred.await(inside), insert(2)))
        yield* Effect.ignore(
          sql.withTransaction(
            insert(1).pipe(
              Effect.zipRight(Deferred.succeed(inside, undefined)),
              // The other one has its turns while this transaction goes on.
              Effect.zipRight(Effect.repeatN(ids, 9)),
              Effect.zipRight(Effect.fail("no"))
            )
          )
        )
        yield* Fiber.join(other)
        expect(yield* ids).toEqual([2])
      })
    )

    test(
      "bytes come back as Uint8Array, in rows, values and streams",
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const bytes = Uint8Array.of(0, 1, 255)
        yield* sql`INSERT INTO numbers (id, bytes) VALUES (${1}, ${bytes})`
        const [row] = yield* sql<{
          readonly bytes: Uint8Array
        }>`SELECT bytes FROM numbers WHERE bytes = ${bytes}`
        expect(row?.bytes).toBeInstanceOf(Uint8Array)
        expect(Array.from(row?.bytes ?? [])).toEqual([0, 1, 255])
        const [values] = yield* sql`SELECT bytes FROM numbers`.values
        expect(values?.[0]).toBeInstanceOf(Uint8Array)
        const streamed = yield* Stream.runCollect(
          sql<{ readonly bytes: Uint8Array }>`SELECT bytes FROM numbers`.stream
        )
        expect(Array.from(Chunk.unsafeHead(streamed).bytes)).toEqual([0, 1, 255])
      })
    )

    test(
      "a stream has all rows, and one that is left early blocks nothing",
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const numbers = Array.from({ length: 1000 }, (_, id) => ({ id }))
        yield* sql`INSERT INTO numbers ${sql.insert(numbers)}`
        const stream = sql`SELECT id FROM numbers ORDER BY id`.stream
        expect(yield* Stream.runCount(stream)).toBe(1000)
        expect(yield* Stream.runCount(Stream.take(stream, 250))).toBe(250)
        const inTransaction = Effect.zipRight(insert(1000), Stream.runCount(Stream.take(stream, 250)))
        expect(yield* sql.withTransaction(inTransaction)).toBe(250)
        yield* sql`DELETE FROM numbers`
        expect(yield* ids).toEqual([])
      })
    )

    test(
      "a text with U+0000 is refused",
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const refused = yield* Effect.flip(sql`SELECT ${"a\0b"} AS text`)
        expect(refused._tag).toBe("SqlError")
      })
    )
  })
