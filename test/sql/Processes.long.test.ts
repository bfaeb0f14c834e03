/** Several processes with one store, and databases that go away. */
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import type { Readable } from "node:stream"
import { NodeFileSystem } from "@effect/platform-node"
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import { beforeAll, describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { PgTranslationStore } from "effect-translate/postgres"
import * as databases from "../../src/sql/internal/database.js"
import * as schema from "../../src/sql/internal/schema.js"
import { ask } from "../../src/sql/internal/statements.js"
import * as synchronousStatements from "../../src/sql/internal/synchronousStatements.js"
import type { Backend } from "../../src/store/StoreBackend.js"
import { a, attemptsOf, b, begin, german, opened } from "../store/subject.js"
import { bundleOf } from "../support/bundles.js"
import { runs } from "../support/long.js"
import { postgres } from "../support/postgres.js"
import { frozenOwner, newClient, owner, postgresDatabase, shared } from "./stores.js"
import { found, numbered, record, upTo } from "./subject.js"

let program: string

beforeAll(async () => {
  program = await bundleOf("sql/worker")
})

const start = (...args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] })),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** The first thing that a process prints. */
const printed = (child: ChildProcessByStdio<null, Readable, null>) =>
  Effect.async<string>((resume) => {
    child.stdout.once("data", (data) => resume(Effect.succeed(String(data).trim())))
    child.once("exit", (code) => resume(Effect.dieMessage(`The process has ended with ${code}`)))
  })

/** Kills a process when it has printed so many lines. All that it has printed. */
const killedAfter = (child: ChildProcessByStdio<null, Readable, null>, lines: number) =>
  Effect.async<ReadonlyArray<string>>((resume) => {
    let text = ""
    child.stdout.on("data", (data) => {
      text += String(data)
      if (text.split("\n").length > lines) child.kill("SIGKILL")
    })
    child.once("close", () => resume(Effect.succeed(text.split("\n").slice(0, -1))))
  })

describe.each(shared)("processes with a store on $name", ({ address: newAddress, clientOf }) => {
  it.scopedLive("are granted each text once in all", () =>
    Effect.gen(function* () {
      const address = yield* newAddress
      const children = yield* Effect.replicateEffect(start(address, "work", "1000"), 2)
      const granted = yield* Effect.forEach(children, printed, { concurrency: 2 })
      expect(granted.reduce((sum, n) => sum + Number(n), 0)).toBe(1000)
      const store = yield* owner(clientOf(address))
      expect(yield* found(store, upTo(1000))).toEqual(upTo(1000))
      expect((yield* store.stats).attempts).toMatchObject({
        inFlight: { attempts: 0 },
        expired: { attempts: 0 }
      })
    })
  )

  it.scopedLive("leave their texts to others at once when they are killed", () =>
    Effect.gen(function* () {
      const address = yield* newAddress
      const store = yield* owner(clientOf(address))
      yield* opened(store, german)
      const child = yield* start(address, "wait", "1")
      expect(yield* printed(child)).toBe("claimed")
      expect(yield* begin(store, a, ["text 0"])).toEqual([false])
      const ended = once(child, "exit")
      child.kill("SIGKILL")
      yield* Effect.promise(() => ended)
      expect(yield* begin(store, b, ["text 0"])).toEqual([true])
      expect((yield* attemptsOf(store)).map(({ state }) => state)).toEqual(["expired", "inFlight"])
    })
  )

  it.scopedLive("leave all that they have recorded when they are killed at any moment", () =>
    Effect.gen(function* () {
      const address = yield* newAddress
      const store = yield* owner(clientOf(address))
      yield* opened(store, german)
      const all = new Set<number>()
      // The two record other texts at the same time, each time some that are there already.
      const killed = (from: number) =>
        Effect.gen(function* () {
          for (let kill = 0; kill < runs(8, 2); kill++) {
            const lines = 1 + Math.floor(Math.random() * 400)
            const child = yield* start(address, "record", `${from + 300 * kill}`)
            const numbers = (yield* killedAfter(child, lines)).map(Number)
            for (const n of numbers) all.add(n)
            expect(yield* found(store, numbers)).toEqual(numbers)
            const granted = yield* begin(
              store,
              crypto.randomUUID(),
              numbers.map((n) => `text ${n}`)
            )
            expect(granted).not.toContain(true)
          }
        })
      yield* Effect.forEach([0, 100_000], killed, { concurrency: 2, discard: true })
      const next = yield* owner(clientOf(address))
      expect(yield* found(next, Array.from(all))).toEqual(Array.from(all))
      const sources = Array.from(yield* Stream.runCollect(next.entries), ({ source }) => source)
      expect(new Set(sources).size).toBe(sources.length)
      expect(sources).toEqual(expect.arrayContaining(Array.from(all, (n) => `text ${n}`)))
    })
  )
})

/** A client that loses the answers of the next transactions: they are stored, and fail. */
const losingAnswers = (client: Layer.Layer<SqlClient.SqlClient, SqlError>) =>
  Effect.map(Layer.build(client), (context) => {
    const sql = Effect.runSync(Effect.provide(SqlClient.SqlClient, context))
    let lost = 0
    let meanwhile: Effect.Effect<unknown> = Effect.void
    const losing = <A, E, R>(transaction: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
      Effect.flatMap(transaction, (result) =>
        lost-- > 0
          ? Effect.zipRight(
              meanwhile,
              Effect.fail(new SqlError({ cause: Object.assign(new Error("gone"), { code: "ECONNRESET" }) }))
            )
          : Effect.succeed(result)
      )
    const { withTransaction } = sql
    const now = synchronousStatements.of(sql)
    const unsafe = sql.unsafe.bind(sql)
    if (now !== undefined) {
      synchronousStatements.provide(sql, { ...now, transaction: (body) => losing(now.transaction(body)) })
    }
    return {
      client: Layer.succeed(
        SqlClient.SqlClient,
        Object.assign(sql, {
          withTransaction: <A, E, R>(body: Effect.Effect<A, E, R>) => losing(withTransaction(body)),
          unsafe: (...args: Parameters<typeof unsafe>) => {
            const statement = unsafe(...args)
            // One statement that claims or records.
            return /^(WITH|SELECT effect_translate_claim)/.test(args[0])
              ? { values: losing(statement.values) }
              : statement
          }
        })
      ),
      lose: Effect.sync(() => {
        lost = 2
      }),
      /** Loses one answer, once something else has been done. */
      loseAfter: (other: Effect.Effect<unknown, unknown>) => {
        lost = 1
        meanwhile = Effect.orDie(other)
      }
    }
  })

describe.each(shared)("a store on $name whose answers are lost", (database) => {
  it.scopedLive("does nothing twice", () =>
    Effect.gen(function* () {
      const { client, lose } = yield* losingAnswers(yield* newClient(database))
      const store = yield* owner(client, { schedule: Schedule.recurs(2) })
      yield* opened(store, german)
      yield* lose
      expect(yield* begin(store, a, ["one", "two"])).toEqual([true, true])
      expect(yield* store.isHeld(a)).toBe(true)
      yield* lose
      expect(yield* store.repeat(a, b)).toBe(true)
      yield* lose
      yield* store.record({
        namespace: german.id,
        translations: [numbered(1)],
        endings: [{ attempt: b, ending: "answered" }]
      })
      expect((yield* attemptsOf(store)).map(({ id, state }) => [id, state])).toEqual([
        [a, "unknown"],
        [b, "answered"]
      ])
      expect(Chunk.size(yield* Stream.runCollect(store.entries))).toBe(1)
    })
  )
})

describe.each(shared)("a store on $name whose answers are lost for longer than its lease", (database) => {
  it.scopedLive("is not granted texts that another one has taken over", () =>
    Effect.gen(function* () {
      const address = yield* database.address
      const lease = "300 millis"
      const other = yield* owner(database.clientOf(address))
      const { client, loseAfter } = yield* losingAnswers(database.clientOf(address))
      const store = yield* frozenOwner(client, { lease, schedule: Schedule.recurs(2) })
      yield* opened(store, german)
      yield* opened(other, german)
      // Once the lease has run out. The clock of the frozen store lets nobody sleep.
      loseAfter(Effect.repeat(begin(other, b, ["one"]), { until: ([isGranted]) => isGranted === true }))
      expect(yield* begin(store, a, ["one", "two"])).toEqual([false, false])
      expect((yield* attemptsOf(other)).map(({ id, state }) => [id, state])).toEqual([
        [a, "expired"],
        [b, "inFlight"]
      ])
    })
  )
})

describe("a store on a server that is away", () => {
  const withStore = (
    schedule: Schedule.Schedule<unknown> | undefined,
    use: (store: Backend) => Effect.Effect<void, unknown>
  ) =>
    Effect.gen(function* () {
      const store = yield* owner(yield* newClient(postgresDatabase), { schedule })
      yield* opened(store, german)
      yield* use(store)
    })

  it.scopedLive("waits and goes on", () =>
    withStore(undefined, (store) =>
      Effect.gen(function* () {
        const server = yield* postgres
        yield* begin(store, a, ["text 1"])
        yield* server.stop
        const recording = yield* Effect.fork(Effect.zipRight(record(store, 1), begin(store, b, ["text 2"])))
        yield* Effect.sleep("2 seconds").pipe(Effect.ensuring(server.start))
        expect(yield* Fiber.join(recording)).toEqual([true])
        expect(yield* found(store, [1, 2])).toEqual([1])
        expect(yield* store.isHeld(a)).toBe(true)
      })
    )
  )

  it.scopedLive("can't be used when its schedule has ended", () =>
    withStore(Schedule.recurs(2), (store) =>
      Effect.gen(function* () {
        const server = yield* postgres
        yield* server.stop
        const error = yield* Effect.flip(record(store, 1)).pipe(Effect.ensuring(server.start))
        expect(error).toMatchObject({ _tag: "StoreUnavailable", code: "ECONNREFUSED" })
        expect(yield* found(store, [1])).toEqual([])
        yield* record(store, 1)
        expect(yield* found(store, [1])).toEqual([1])
      })
    )
  )

  it.scopedLive("ends the transactions of a process that has stopped in the middle of a claim", () =>
    Effect.gen(function* () {
      const context = yield* Layer.build(yield* newClient(postgresDatabase))
      const sql = yield* Effect.provide(SqlClient.SqlClient, context)
      const database = databases.make({ sql, name: undefined, schedule: Schedule.stop })
      yield* schema.prepare(database)
      const limit = () => ask("SHOW idle_in_transaction_session_timeout")
      expect(yield* database.exclusively(limit)).toEqual([["10s"]])
      expect(yield* database.read(limit)).toEqual([["0"]])
    })
  )

  it.scopedLive("is named without its password", () =>
    Effect.gen(function* () {
      const url = Redacted.make("postgres://user:secret@127.0.0.1:1/corpus")
      const layer = PgTranslationStore.layer({ url, schedule: Schedule.stop })
      const error = yield* Effect.flip(Layer.build(layer))
      expect(error).toMatchObject({
        _tag: "StoreUnavailable",
        store: "127.0.0.1:1/corpus",
        code: "ECONNREFUSED"
      })
      expect(JSON.stringify(error) + String(error)).not.toContain("secret")
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.scopedLive.each([
    "postgres://user:12/secret@127.0.0.1:1/corpus",
    "postgres://user:12#secret@127.0.0.1:1/corpus",
    "postgres://user:secret@127.0.0.1:1,127.0.0.1:2/corpus"
  ])("is not named by an address that is none: %s", (text) =>
    Effect.gen(function* () {
      const layer = PgTranslationStore.layer({ url: Redacted.make(text), schedule: Schedule.stop })
      const error = yield* Effect.flip(Layer.build(layer))
      expect(error).toMatchObject({ _tag: "StoreUnavailable", store: "PostgreSQL" })
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )
})
