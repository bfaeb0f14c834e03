/** Claims on PostgreSQL that meet others in one moment. */
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as dialects from "../../src/sql/internal/dialect.js"
import type { Backend } from "../../src/store/StoreBackend.js"
import { attemptsOf, begin, end, german, key, opened, put } from "../store/subject.js"
import { newClient, owner, postgresDatabase } from "./stores.js"

const setUp = (setting?: string) =>
  Effect.gen(function* () {
    const client = yield* newClient(postgresDatabase)
    // Of sessions that begin later.
    if (setting !== undefined) {
      yield* Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql.unsafe(
          `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET ${setting}', current_database()); END $$`
        )
      ).pipe(Effect.provide(client), Effect.scoped)
    }
    const stores = yield* Effect.replicateEffect(
      Effect.tap(owner(client), (store) => opened(store, german)),
      2
    )
    return { sql: yield* Effect.provide(SqlClient.SqlClient, yield* Layer.build(client)), stores }
  })

/** Claims while the lock is held, and goes on once `meanwhile` is committed. */
const claimAfter = <E>(
  sql: SqlClient.SqlClient,
  store: Backend,
  texts: ReadonlyArray<string>,
  meanwhile: Effect.Effect<unknown, E>
) =>
  Effect.gen(function* () {
    yield* sql.unsafe(`SELECT ${dialects.of(sql).lock("effect_translate_attempts")}`)
    const claim = yield* Effect.fork(begin(store, "waits", texts))
    const isWaiting = Effect.map(
      sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`,
      (rows) => rows.length > 0
    )
    yield* Effect.repeat(isWaiting, { until: (waits) => waits })
    yield* meanwhile
    return claim
  }).pipe(sql.withTransaction, Effect.flatMap(Fiber.join))

describe("a claim that waits for another one", () => {
  it.scopedLive.each(["read committed", "repeatable read", "serializable"])(
    "sees translations of the meantime, also where transactions are %s",
    (isolation) =>
      Effect.gen(function* () {
        const { sql, stores } = yield* setUp(`default_transaction_isolation = ''${isolation}''`)
        const translated = put(stores[1]!, german, { a: { text: "A" } })
        expect(yield* claimAfter(sql, stores[0]!, ["a", "b"], translated)).toEqual([false, true])
        expect(yield* attemptsOf(stores[0]!)).toMatchObject([{ texts: 1, characters: 1, state: "inFlight" }])
      })
  )

  it.scopedLive("sees the texts that others have sent meanwhile, and is alone with the others", () =>
    Effect.gen(function* () {
      const { sql, stores } = yield* setUp()
      expect(yield* begin(stores[1]!, "first", ["a"])).toEqual([true])
      expect(yield* claimAfter(sql, stores[0]!, ["a", "b"], end(stores[1]!, "first", "rejected"))).toEqual([
        true,
        true
      ])
      expect(yield* begin(stores[1]!, "second", ["a", "c"])).toEqual([false, true])
      yield* end(stores[0]!, "waits", "rejected")
      expect(yield* begin(stores[1]!, "third", ["a"])).toEqual([true])
    })
  )
})

describe("the function that claims", () => {
  it.scopedLive("reads no table without its index, though its plans are made while all are empty", () =>
    Effect.gen(function* () {
      const { sql } = yield* setUp()
      const claim = (text: string) => {
        const request = [crypto.randomUUID(), 1, 1, text.length, key(text)]
        return sql.unsafe("SELECT effect_translate_claim(0, $1)", [JSON.stringify([request])]).values
      }
      const read = yield* Effect.gen(function* () {
        for (let n = 0; n < 10; n++) expect(yield* claim(`text ${n}`)).toEqual([[true]])
        expect(yield* claim("text 0")).toEqual([[true]])
        return yield* sql`SELECT relname, seq_scan FROM pg_stat_xact_user_tables
          WHERE relname LIKE 'effect_translate_%' AND seq_scan > 0`
      }).pipe(sql.withTransaction)
      expect(read).toEqual([])
    })
  )
})
