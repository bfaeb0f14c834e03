/** What holds for the tables of the jobs with a database of each test's own: first starts, budgets, a purge. */
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as fc from "fast-check"
import { expect } from "vitest"
import type { CorpusJob } from "../../src/workflow/CorpusJob.js"
import { CorpusWorkflow, ShardWorkflow } from "../../src/workflow/CorpusWorkflow.js"
import * as jobsSql from "../../src/workflow/internal/tables/jobsSql.js"
import { Jobs } from "../../src/workflow/internal/tables/jobTables.js"
import * as JobControl from "../../src/workflow/JobControl.js"
import * as SqlBudget from "../../src/workflow/SqlBudget.js"
import { newClient, type Shared } from "../sql/stores.js"

const job: CorpusJob = { id: "job", corpus: { kind: "files", reference: {} }, targets: ["de"] }

const ids = { id: "job", generation: 1 }

/** Connections of their own to one new database. */
const connections = (database: Shared, count: number) =>
  Effect.flatMap(newClient(database), (client) =>
    Effect.forEach(Array.from({ length: count }), () => Effect.map(Layer.build(client), (context) => context))
  )

/** The tables of the engine, as far as a purge knows them. */
const journal = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE cluster_messages 
    (id BIGINT PRIMARY KEY, message_id VARCHAR(255) UNIQUE, shard_id VARCHAR(50) NOT NULL, entity_id VARCHAR(255) NOT NULL, kind INT, processed BOOLEAN NOT NULL)`
  yield* sql`CREATE TABLE cluster_replies (id BIGINT PRIMARY KEY, request_id BIGINT NOT NULL)`
  let next = 0
  return (workflow: string, entity: string, tag: string) =>
    Effect.gen(function* () {
      const id = ++next
      const name = `Workflow/${workflow}/${entity}/${tag}/`
      yield* sql`INSERT INTO cluster_messages VALUES (${id}, ${name}, ${`default:${entity.length % 3}`}, ${entity}, 0, TRUE)`
      yield* sql`INSERT INTO cluster_replies VALUES (${id}, ${id})`
    })
})

/** A job of 25 shards that has ended, with its journal. */
const endedJob = (
  more: Partial<CorpusJob>,
  write: (workflow: string, entity: string, tag: string) => Effect.Effect<void, unknown>
) =>
  Effect.gen(function* () {
    const control = yield* JobControl.JobControl
    const jobs = yield* Jobs
    const { generation, id } = yield* control.submit({ ...job, ...more })
    const parent = yield* CorpusWorkflow.executionId({ id, generation })
    yield* jobs.started({ id, generation }, parent)
    yield* write(CorpusWorkflow.name, parent, "run")
    for (const number of Array.from({ length: 25 }, (_, n) => n)) {
      const execution = yield* ShardWorkflow.executionId({ id, generation, shard: number })
      yield* jobs.addShard({ id, generation }, { number, execution, steps: [{ source: `s${number}` }] })
      yield* jobs.record(
        { id, generation },
        { shard: number, step: 0, source: `s${number}`, isWhole: true },
        { de: { translated: 0, cached: 0, skipped: 0, failed: 1 } },
        [{ source: `s${number}`, targetLang: "de", key: "k", tag: "BadRequest", message: "refused" }]
      )
      if (number % 2 === 0) yield* jobs.closeShard({ id, generation }, number)
      yield* write(ShardWorkflow.name, execution, "run")
      yield* write(ShardWorkflow.name, execution, "activity")
    }
    yield* jobs.ended({ id, generation }, "done")
  })

const tables = [
  "jobs",
  "job_shards",
  "job_steps",
  "job_slices",
  "job_failures",
  "job_budgets",
  "job_reservations"
]

const rowsOf = (names: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      Effect.forEach(names, (name) =>
        sql.unsafe<{ n: number | string }>(`SELECT COUNT(*) AS n FROM ${name}`)
      ),
      (counts) => counts.map((rows) => Number(rows[0]!.n))
    )
  )

const jobTables = tables.map((name) => `effect_translate_${name}`)

export const databaseSuite = (
  database: Shared,
  { runs, spenders }: { readonly runs: number; readonly spenders: number }
) =>
  describe(`a database of jobs: ${database.name}`, () => {
    const live = Layer.unwrapScoped(
      Effect.map(newClient(database), (client) =>
        Layer.provideMerge(Layer.mergeAll(JobControl.layer, jobsSql.layer), client)
      )
    )

    it.scopedLive("any number of processes may start at once on an empty one", () =>
      Effect.gen(function* () {
        const clients = yield* connections(database, 8)
        const exits = yield* Effect.forEach(
          clients,
          (client) => Effect.exit(Effect.provide(Effect.zipRight(JobControl.make, jobsSql.make), client)),
          { concurrency: "unbounded" }
        )
        expect(exits.filter(Exit.isFailure)).toEqual([])
      })
    )

    it.scopedLive("the tables of another version are left alone", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE effect_translate_job_version SET version = 9`
        expect(yield* Effect.flip(JobControl.make)).toMatchObject({
          _tag: "JobsVersionUnknown",
          version: 9,
          supported: 1
        })
        expect(yield* Effect.flip(SqlBudget.make({ name: "b", cap: 1 }))).toMatchObject({
          _tag: "StoreVersionUnknown"
        })
      }).pipe(Effect.provide(live))
    )

    it.scopedLive("a database that fails is told by the code of its driver", () =>
      Effect.gen(function* () {
        const control = yield* JobControl.JobControl
        const jobs = yield* Jobs
        const budget = yield* SqlBudget.make({ name: "b", cap: 1 })
        const sql = yield* SqlClient.SqlClient
        yield* sql`DROP TABLE effect_translate_jobs`
        yield* sql`DROP TABLE effect_translate_job_budgets`
        const code = expect.stringMatching(/^(SQLITE_ERROR|42P01)$/)
        for (const effect of [
          control.list,
          control.submit(job),
          control.purge(),
          jobs.active,
          jobs.load(ids)
        ]) {
          expect(yield* Effect.flip<unknown, { readonly _tag: string }, never>(effect)).toMatchObject({
            _tag: "JobsUnavailable",
            code
          })
        }
        expect(yield* Effect.flip(budget.reserve(1))).toMatchObject({ _tag: "StoreUnavailable", code })
        expect(yield* Effect.flip(budget.settle(1, 1))).toMatchObject({ _tag: "StoreUnavailable", code })
      }).pipe(Effect.provide(live))
    )

    it.scopedLive("a budget goes on where another process has left it, with what died in flight", () =>
      Effect.gen(function* () {
        const [one, two] = yield* connections(database, 2)
        const make = SqlBudget.make({ name: "b", cap: 100 })
        const died = yield* Effect.provide(make, one!)
        expect(yield* died.reserve(60)).toBe(true)
        yield* died.settle(60, 50)
        expect(yield* died.reserve(30)).toBe(true)
        const next = yield* Effect.provide(make, two!)
        expect(yield* next.state).toEqual({ cap: 100, spent: 50, reserved: 30 })
        expect(yield* next.reserve(21)).toBe(false)
        expect(yield* next.reserve(20)).toBe(true)
        yield* next.settle(20, 20)
        expect(yield* next.state).toEqual({ cap: 100, spent: 70, reserved: 30 })
        const owners = yield* Effect.provide(
          Effect.flatMap(
            SqlClient.SqlClient,
            (sql) =>
              sql<{ held: number | string }>`SELECT held FROM effect_translate_job_reservations ORDER BY held`
          ),
          one!
        )
        expect(owners.map(({ held }) => Number(held))).toEqual([0, 30])
      })
    )

    it.scopedLive("a budget without a cap counts", () =>
      Effect.gen(function* () {
        const budget = yield* SqlBudget.make({ name: "b", cap: undefined })
        expect(yield* budget.reserve(1_000_000_000_000)).toBe(true)
        yield* budget.settle(1_000_000_000_000, 3_000_000_000)
        expect(yield* budget.state).toEqual({
          cap: Number.POSITIVE_INFINITY,
          spent: 3_000_000_000,
          reserved: 0
        })
      }).pipe(Effect.provide(live))
    )

    it.scopedLive("requests of one process at once never wait for each other in a circle", () =>
      Effect.gen(function* () {
        const budget = yield* SqlBudget.make({ name: "b", cap: undefined })
        const request = Effect.andThen(budget.reserve(2), budget.settle(2, 1))
        yield* Effect.forEach(Array.from({ length: 50 * runs }), () => request, {
          concurrency: spenders,
          discard: true
        })
        expect(yield* budget.state).toMatchObject({ spent: 50 * runs, reserved: 0 })
      }).pipe(Effect.provide(live))
    )

    it.scopedLive("a reservation that nobody waits for any more is made or not, and never half", () =>
      Effect.gen(function* () {
        const budget = yield* SqlBudget.make({ name: "b", cap: 1000 })
        const fiber = yield* Effect.fork(budget.reserve(5))
        yield* Effect.yieldNow()
        yield* Fiber.interrupt(fiber)
        const { reserved } = yield* budget.state
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<{ held: number | string }>`SELECT held FROM effect_translate_job_reservations`
        expect(rows.reduce((sum, { held }) => sum + Number(held), 0)).toBe(reserved)
      }).pipe(Effect.provide(live))
    )

    it.scopedLive("the budget of a job has the cap of the job submitted last, and its status shows it", () =>
      Effect.gen(function* () {
        const control = yield* JobControl.JobControl
        const jobs = yield* Jobs
        const shared = { ...job, budgetName: "shared", budget: 100, pricePerMillion: 1000 }
        yield* control.submit(shared)
        const budget = yield* jobs.budget(shared)
        expect(yield* budget.reserve(100)).toBe(true)
        yield* budget.settle(100, 90)
        expect(yield* budget.reserve(20)).toBe(false)
        yield* control.submit({ ...shared, id: "other", budget: 200 })
        expect(yield* budget.reserve(20)).toBe(true)
        expect(yield* budget.state).toEqual({ cap: 200, spent: 90, reserved: 20 })
        const status = yield* control.status("job")
        expect(status.characters).toEqual({ least: 90, most: 110 })
        expect(status.cost).toEqual({ least: 0.09, most: 0.11 })
      }).pipe(Effect.provide(live))
    )

    it.scopedLive(`${spenders} connections at once never go above the cap, and use it up`, () =>
      Effect.gen(function* () {
        const clients = yield* connections(database, spenders)
        const runOf = (cap: number, sizes: ReadonlyArray<number>, name: string) =>
          Effect.gen(function* () {
            const budgets = yield* Effect.forEach(clients, (client) =>
              Effect.provide(SqlBudget.make({ name, cap }), client)
            )
            let granted = 0
            yield* Effect.forEach(
              budgets,
              (budget, at) =>
                Effect.forEach(sizes, (size, n) =>
                  Effect.gen(function* () {
                    if (!(yield* budget.reserve(size))) return
                    const { reserved, spent } = yield* budget.state
                    expect(spent + reserved).toBeLessThanOrEqual(cap)
                    granted += size
                    // One in three dies with what it holds.
                    if ((n + at) % 3 > 0) yield* budget.settle(size, size)
                  })
                ),
              { concurrency: "unbounded", discard: true }
            )
            const { reserved, spent } = yield* budgets[0]!.state
            expect(spent + reserved).toBe(granted)
            expect(granted).toBeLessThanOrEqual(cap)
            const wanted = spenders * sizes.reduce((sum, size) => sum + size, 0)
            expect(granted).toBeGreaterThanOrEqual(Math.min(wanted, cap - Math.max(...sizes) + 1))
          })
        let n = 0
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(
              fc.integer({ min: 1, max: 200 }),
              fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 12 }),
              (cap, sizes) => Effect.runPromise(runOf(cap, sizes, `budget ${++n}`))
            ),
            { numRuns: runs }
          )
        )
      })
    )

    it.scopedLive("a purge removes what has ended with its journal, and nothing else", () =>
      Effect.gen(function* () {
        const control = yield* JobControl.JobControl
        const jobs = yield* Jobs
        const write = yield* journal
        yield* endedJob({}, write)
        yield* endedJob({ revision: "2" }, write)
        yield* endedJob({ id: "other" }, write)
        yield* control.submit({ ...job, id: "running" })
        yield* jobs.started({ id: "running", generation: 1 }, "running 1")
        yield* write(CorpusWorkflow.name, "running 1", "run")
        expect(yield* Effect.flip(control.purge({ id: "running" }))).toMatchObject({
          _tag: "JobStateError",
          state: "running"
        })
        expect(yield* control.purge({ olderThan: "1 hour" })).toBe(0)
        expect(yield* control.purge({ id: "job" })).toBe(2)
        expect((yield* control.list).map(({ id }) => id)).toEqual(["running", "other"])
        expect(yield* rowsOf(["cluster_messages", "cluster_replies"])).toEqual([52, 52])
        expect(yield* control.purge()).toBe(1)
        expect(yield* rowsOf(["cluster_messages", "cluster_replies"])).toEqual([1, 1])
        expect(yield* rowsOf(jobTables)).toEqual([1, 0, 0, 0, 0, 1, 0])
        expect(yield* control.purge()).toBe(0)
        // Its executions have names that no worker knows.
        expect(yield* control.submit(job)).toMatchObject({ generation: 3, state: "submitted" })
      }).pipe(Effect.provide(live))
    )

    it.scopedLive("a purge of a database without an engine removes jobs", () =>
      Effect.gen(function* () {
        const control = yield* JobControl.JobControl
        yield* control.submit(job)
        yield* control.cancel("job")
        expect(yield* control.purge()).toBe(1)
        expect(yield* rowsOf(jobTables)).toEqual([0, 0, 0, 0, 0, 0, 0])
      }).pipe(Effect.provide(live))
    )

    it.scopedLive("what a worker still records after a purge is nowhere", () =>
      Effect.gen(function* () {
        const control = yield* JobControl.JobControl
        const jobs = yield* Jobs
        yield* endedJob({}, () => Effect.void)
        yield* control.purge()
        yield* jobs.record(ids, { shard: 0, step: 1, source: "s", isWhole: false }, {}, [])
        yield* jobs.addShard(ids, { number: 0, execution: "e", steps: [] })
        yield* jobs.closeShard(ids, 0)
        yield* jobs.proceeded(ids)
        expect(yield* jobs.wait(ids, { reason: "quota", until: yield* jobs.now })).toBe(0)
        expect(yield* rowsOf(jobTables)).toEqual([0, 0, 0, 0, 0, 0, 0])
      }).pipe(Effect.provide(live))
    )
  })
