/** A libsql file: locks, damage, and copies of it while it is in use. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { NodeContext } from "@effect/platform-node"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { LibsqlClient } from "effect-translate/libsql"
import * as fc from "fast-check"
import * as SqlErrorCode from "../../src/sql/SqlErrorCode.js"
import { temporaryFile } from "../support/databases.js"
import { runs } from "../support/long.js"
import * as watchedClock from "../support/watchedClock.js"

const sql = SqlClient.SqlClient

const open = (filename: string, busySchedule?: Schedule.Schedule<unknown, SqlError>) =>
  Effect.provide(LibsqlClient.layer({ filename, busySchedule }))

const codeOf = <A, R>(effect: Effect.Effect<A, SqlError, R>) =>
  Effect.match(effect, {
    onFailure: (error) => Option.getOrUndefined(SqlErrorCode.get(error)),
    onSuccess: () => "no error"
  })

const count = Effect.flatMap(sql, (sql) =>
  Effect.map(sql<{ readonly n: number }>`SELECT count(*) AS n FROM written`, ([row]) => row?.n)
)

const createTable = Effect.flatMap(
  sql,
  (sql) => sql`CREATE TABLE written (id INTEGER PRIMARY KEY, writer TEXT NOT NULL)`
)

const insert = (writer: string) =>
  Effect.flatMap(sql, (sql) => sql`INSERT INTO written (writer) VALUES (${writer})`)

const longInsert = (rows: number) =>
  Effect.flatMap(sql, (sql) => sql`INSERT INTO written (writer) ${sql.literal(longRows(rows))}`)

const longRows = (rows: number) =>
  `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) SELECT hex(randomblob(500)) FROM n`

it.scopedLive("a file whose name has U+0000 is refused, and ends no process", () =>
  Effect.gen(function* () {
    expect(yield* codeOf(createTable.pipe(open("a\u0000.db")))).toBe("ERR_INVALID_ARG_VALUE")
  })
)

it.scopedLive("a file whose client is closed takes no statement and no transaction, and says so", () =>
  Effect.gen(function* () {
    const filename = yield* temporaryFile
    const client = yield* Effect.flatMap(sql, Effect.succeed).pipe(open(filename))
    const insertion = Effect.asVoid(client`CREATE TABLE t (id INTEGER)`)
    for (const late of [insertion, client.withTransaction(insertion)]) {
      expect(yield* Effect.flip(late)).toMatchObject({ _tag: "SqlError" })
    }
  })
)

describe("a locked file", () => {
  /** Another connection holds the lock for writing until the given effect has ended. */
  const whileLocked = <A, E, R>(filename: string, body: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const locked = yield* Deferred.make<void>()
      const holder = yield* Effect.flatMap(sql, (sql) =>
        sql.withTransaction(Effect.zipRight(Deferred.succeed(locked, undefined), Effect.never))
      ).pipe(open(filename), Effect.fork)
      yield* Deferred.await(locked)
      return yield* Effect.ensuring(body, Fiber.interrupt(holder))
    })

  const test = (name: string, body: (filename: string) => Effect.Effect<void, SqlError>) =>
    it.scopedLive(name, () =>
      Effect.flatMap(temporaryFile, (filename) =>
        Effect.zipRight(open(filename)(createTable), body(filename))
      )
    )

  test("is SQLITE_BUSY when the schedule ends, and usable afterwards", (filename) =>
    Effect.gen(function* () {
      const retries = Schedule.intersect(Schedule.recurs(3), Schedule.spaced("1 millis"))
      yield* Effect.gen(function* () {
        const client = yield* sql
        yield* whileLocked(
          filename,
          Effect.gen(function* () {
            expect(yield* codeOf(insert("alone"))).toBe("SQLITE_BUSY")
            expect(yield* codeOf(client.withTransaction(insert("inside")))).toBe("SQLITE_BUSY")
            expect(yield* codeOf(client`DELETE FROM written RETURNING id`)).toBe("SQLITE_BUSY")
          })
        )
        yield* client.withTransaction(insert("after"))
        expect(yield* count).toBe(1)
      }).pipe(open(filename, retries))
    }))

  test("can be read while a writer of the same client waits", (filename) =>
    Effect.gen(function* () {
      const client = yield* sql
      const waiting = yield* whileLocked(
        filename,
        Effect.gen(function* () {
          const clock = yield* watchedClock.make
          const alone = yield* Effect.fork(clock.provide(insert("alone")))
          const inside = yield* Effect.fork(client.withTransaction(insert("inside")))
          yield* clock.waiting
          expect(yield* count).toBe(0)
          return [alone, inside] as const
        })
      )
      yield* Fiber.joinAll(waiting)
      expect(yield* count).toBe(2)
    }).pipe(open(filename)))

  test("does not keep a waiting transaction from being interrupted", (filename) =>
    Effect.gen(function* () {
      const client = yield* sql
      yield* whileLocked(
        filename,
        Effect.gen(function* () {
          const clock = yield* watchedClock.make
          const waiting = yield* Effect.fork(clock.provide(client.withTransaction(insert("inside"))))
          yield* clock.waiting
          yield* Fiber.interrupt(waiting)
        })
      )
      yield* client.withTransaction(insert("after"))
      expect(yield* count).toBe(1)
    }).pipe(open(filename)))
})

describe("a file that can't serve", () => {
  const test = (name: string, body: (filename: string) => Effect.Effect<void, SqlError>) =>
    it.scopedLive(name, () => Effect.flatMap(temporaryFile, body))

  test("is SQLITE_CANTOPEN in a folder that is missing", (filename) =>
    Effect.map(codeOf(open(`${dirname(filename)}/missing/store.db`)(createTable)), (code) =>
      expect(code).toBe("SQLITE_CANTOPEN")
    ))

  test("is SQLITE_NOTADB if it is something else", (filename) =>
    Effect.suspend(() => {
      writeFileSync(filename, "no database ".repeat(1000))
      return Effect.map(codeOf(open(filename)(createTable)), (code) => expect(code).toBe("SQLITE_NOTADB"))
    }))

  test("is SQLITE_CORRUPT if its pages are damaged", (filename) =>
    Effect.gen(function* () {
      yield* open(filename)(Effect.zipRight(createTable, longInsert(1000)))
      const bytes = readFileSync(filename)
      writeFileSync(filename, bytes.fill(0x5a, 8192, 65_536))
      const read = Effect.flatMap(sql, (sql) => sql`SELECT count(*) FROM written WHERE writer > 'A'`)
      expect(yield* codeOf(open(filename)(read))).toBe("SQLITE_CORRUPT")
    }))

  test("is SQLITE_READONLY if it may only be read", (filename) =>
    Effect.gen(function* () {
      yield* open(filename)(createTable)
      // As the tests may run as root, for whom no file is read-only.
      expect(yield* codeOf(open(`file:${filename}?mode=ro`)(insert("a")))).toBe("SQLITE_READONLY")
    }))

  test("is SQLITE_FULL without space: the transaction is gone, the client is not", (filename) =>
    Effect.gen(function* () {
      const client = yield* sql
      yield* createTable
      yield* client`PRAGMA max_page_count = 40`
      expect(yield* codeOf(client.withTransaction(Effect.zipRight(insert("first"), longInsert(1000))))).toBe(
        "SQLITE_FULL"
      )
      expect(yield* count).toBe(0)
      yield* insert("second")
      expect(yield* count).toBe(1)
    }).pipe(open(filename)))
})

describe("a log that is cut anywhere", () => {
  it.scopedLive("opens at a committed prefix", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const original = `${dirname(filename)}/original`
      const transactions = 20
      // Copied while it is open: closing it would empty the log.
      yield* open(filename)(
        Effect.gen(function* () {
          const client = yield* sql
          yield* createTable
          yield* client`PRAGMA wal_checkpoint(TRUNCATE)`
          for (let transaction = 0; transaction < transactions; transaction++) {
            yield* client.withTransaction(Effect.repeatN(insert(String(transaction)), 4))
          }
          mkdirSync(original)
          copyFileSync(filename, `${original}/store.db`)
          copyFileSync(`${filename}-wal`, `${original}/store.db-wal`)
        })
      )
      const size = readFileSync(`${original}/store.db-wal`).length
      const openCut = (length: number) =>
        Effect.gen(function* () {
          const cut = yield* temporaryFile
          copyFileSync(`${original}/store.db`, cut)
          copyFileSync(`${original}/store.db-wal`, `${cut}-wal`)
          truncateSync(`${cut}-wal`, length)
          return yield* open(cut)(
            Effect.gen(function* () {
              const client = yield* sql
              const found = yield* client<{ readonly writer: string; readonly n: number }>`
                SELECT writer, count(*) AS n FROM written GROUP BY writer ORDER BY min(id)`
              yield* insert("after")
              return found
            })
          )
        }).pipe(Effect.scoped)
      expect(yield* openCut(size)).toHaveLength(transactions)
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.nat({ max: size }), async (length) => {
            const found = await Effect.runPromise(openCut(length))
            expect(found).toEqual(found.map((_, transaction) => ({ writer: String(transaction), n: 5 })))
            expect(found.length).toBeLessThanOrEqual(Math.ceil((transactions * length) / size))
          }),
          { numRuns: runs(500, 10) }
        )
      )
    })
  )
})

describe("a transaction that SQLite has rolled back by itself", () => {
  it.scopedLive("goes on with nothing", () =>
    Effect.gen(function* () {
      const client = yield* sql
      yield* createTable
      yield* insert("first")
      const conflict = client`INSERT OR ROLLBACK INTO written (id, writer) VALUES (1, 'x')`
      const goesOn = client.withTransaction(
        insert("second").pipe(Effect.zipRight(Effect.ignore(conflict)), Effect.zipRight(insert("third")))
      )
      expect(yield* codeOf(goesOn)).toBe("SQLITE_ABORT")
      expect(yield* codeOf(client.withTransaction(Effect.ignore(conflict)))).toBe("SQLITE_ERROR")
      expect(yield* count).toBe(1)
    }).pipe(open(":memory:"))
  )
})

describe("values", () => {
  it.scopedLive("are bound by their types", () =>
    Effect.gen(function* () {
      const client = yield* sql
      const [row] = yield* client`
        SELECT typeof(${5_000_000_000}) AS wide, typeof(${7}) AS narrow, typeof(${0.5}) AS real, ${true} AS boolean, ${null} AS missing`
      expect(row).toEqual({ wide: "integer", narrow: "integer", real: "real", boolean: 1, missing: null })
      const [big] = yield* Effect.provideService(
        client`SELECT ${9_007_199_254_740_993n} AS id`,
        SqlClient.SafeIntegers,
        true
      )
      expect(big).toEqual({ id: 9_007_199_254_740_993n })
    }).pipe(open(":memory:"))
  )
})

describe("durability", () => {
  it.scopedLive("is that of the transaction that asks for it", () =>
    Effect.gen(function* () {
      const client = yield* sql
      const synchronous = client.withTransaction(
        Effect.map(client<{ readonly synchronous: number }>`PRAGMA synchronous`, ([row]) => row?.synchronous)
      )
      const full = Effect.provideService(synchronous, LibsqlClient.Durability, "power-loss")
      expect(yield* Effect.all([synchronous, full, synchronous])).toEqual([1, 2, 1])
    }).pipe((test) => Effect.flatMap(temporaryFile, (filename) => open(filename)(test)))
  )
})

describe("backup", () => {
  const test = (
    name: string,
    body: (filename: string) => Effect.Effect<void, unknown, SqlClient.SqlClient | NodeContext.NodeContext>
  ) =>
    it.scopedLive(name, () =>
      Effect.flatMap(temporaryFile, (filename) => open(filename)(body(filename))).pipe(
        Effect.provide(NodeContext.layer)
      )
    )

  test("copies whole transactions while another connection writes", (filename) =>
    Effect.gen(function* () {
      const target = `${dirname(filename)}/backup.db`
      yield* createTable
      yield* longInsert(1000)
      const writeOn = Effect.flatMap(sql, (sql) =>
        Effect.forever(
          Effect.zipRight(sql.withTransaction(Effect.repeatN(insert("pair"), 1)), watchedClock.turn)
        )
      )
      const writing = yield* Effect.fork(open(filename)(writeOn))
      for (let round = 0; round < 3; round++) {
        yield* LibsqlClient.backup(target)
        const found = yield* open(target)(
          Effect.flatMap(sql, (sql) =>
            Effect.all([
              sql`PRAGMA integrity_check`,
              Effect.map(sql<{ readonly n: number }>`SELECT count(*) AS n FROM written`, ([row]) => row?.n)
            ])
          )
        )
        expect(found[0]).toEqual([{ integrity_check: "ok" }])
        expect((found[1] ?? 1) % 2).toBe(0)
      }
      yield* Fiber.interrupt(writing)
      expect(readdirSync(dirname(filename)).filter((name) => name.startsWith(".effect-translate-"))).toEqual(
        []
      )
    }))

  test("refuses the database itself as its target", (filename) =>
    Effect.gen(function* () {
      yield* createTable
      const refused = yield* Effect.flip(LibsqlClient.backup(filename))
      expect(refused).toMatchObject({ _tag: "BadArgument" })
      yield* insert("after")
    }))

  test("leaves nothing behind where it fails", (filename) =>
    Effect.gen(function* () {
      yield* createTable
      const target = `${dirname(filename)}/taken`
      mkdirSync(target)
      writeFileSync(`${target}/file`, "")
      const failed = yield* Effect.flip(LibsqlClient.backup(target))
      expect(failed).toMatchObject({ _tag: "SystemError" })
      expect(readdirSync(dirname(filename)).filter((name) => name.startsWith(".effect-translate-"))).toEqual(
        []
      )
    }))
})

describe("a file of another program", () => {
  it.scoped("keeps its journal mode, also after it was written", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const foreign = LibsqlClient.layer({ filename, keepSettings: true })
      yield* Effect.provide(Effect.zipRight(createTable, insert("other")), foreign)
      const modes = Effect.flatMap(sql, (sql) => sql`PRAGMA journal_mode`)
      expect(yield* Effect.provide(modes, foreign)).toEqual([{ journal_mode: "delete" }])
      expect(readdirSync(dirname(filename))).toEqual(["store.db"])
    })
  )

  it.scoped("is only read where it is attached, also by streams", () =>
    Effect.gen(function* () {
      const foreign = yield* temporaryFile
      yield* Effect.zipRight(createTable, insert("other")).pipe(
        Effect.provide(LibsqlClient.layer({ filename: foreign, keepSettings: true }))
      )
      const before = readFileSync(foreign)
      yield* Effect.gen(function* () {
        const client = yield* sql
        const all = client`SELECT writer FROM "it's".written`
        expect(yield* all).toEqual([{ writer: "other" }])
        expect(Array.from(yield* Stream.runCollect(all.stream))).toEqual([{ writer: "other" }])
        expect(yield* codeOf(client`INSERT INTO "it's".written (writer) VALUES ('x')`)).toBe(
          "SQLITE_READONLY"
        )
      }).pipe(
        Effect.provide(LibsqlClient.layer({ filename: yield* temporaryFile, attach: { "it's": foreign } }))
      )
      expect(readFileSync(foreign).equals(before)).toBe(true)
    })
  )
})
