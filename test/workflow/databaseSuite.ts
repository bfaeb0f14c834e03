/** What holds for the tables of the jobs with a database of each test's own: first starts, budgets, a purge. */
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import { describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as fc from "fast-check"
import { expect } from "vitest"
import type { CorpusJob } from "../../src/workflow/CorpusJob.js"
import { CorpusWorkflow } from "../../src/workflow/CorpusWorkflow.js"
import * as budgets from "../../src/workflow/internal/tables/budgetsSql.js"
import * as jobSchema from "../../src/workflow/internal/tables/jobSchema.js"
import * as jobsSql from "../../src/workflow/internal/tables/jobsSql.js"
import { Jobs } from "../../src/workflow/internal/tables/jobTables.js"
import * as JobControl from "../../src/workflow/JobControl.js"
import * as SqlBudget from "../../src/workflow/SqlBudget.js"
import { newClient, type Shared } from "../sql/stores.js"

const job: CorpusJob = { id: "job", corpus: { kind: "files", reference: {} }, targets: ["de"] }

interface Step {
  readonly kind: "send" | "answer" | "end"
  readonly process: number
  readonly cost: number
}

/** Processes that end without an answer of what they have in flight leave it in doubt. */
const arbitraryStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("send", "send", "send", "answer", "answer", "end"),
  process: fc.integer({ min: 0, max: 2 }),
  cost: fc.integer({ min: 0, max: 50 })
})

const ids = { id: "job", generation: 1 }

/** Connections of their own to one new database. */
const connections = (database: Shared, count: number) =>
  Effect.flatMap(newClient(database), (client) =>
    Effect.forEach(Array.from({ length: count }), () => Effect.map(Layer.build(client), (context) => context))
  )

/** A job of 25 steps that has ended. */
const endedJob = (more: Partial<CorpusJob>) =>
  Effect.gen(function* () {
    const control = yield* JobControl.JobControl
    const jobs = yield* Jobs
    const { generation, id } = yield* control.submit({ ...job, ...more })
    const parent = yield* CorpusWorkflow.executionId({ id, generation })
    yield* jobs.start({ id, generation }, parent)
    const numbers = Array.from({ length: 25 }, (_, n) => n)
    yield* jobs.storePlan(
      { id, generation },
      {
        steps: numbers.map((number) => ({ kind: "sources", sources: [`s${number}`], texts: 0 })),
        texts: 0,
        sources: 25
      }
    )
    for (const number of numbers) {
      yield* jobs.recordResult({ id, generation }, number, {
        tallies: { de: { translated: 0, cached: 0, skipped: 0, failed: 1 } },
        failedOutputs: 0,
        failures: [
          { source: `s${number}`, targetLang: "de", key: "k", tag: "BadRequest", message: "refused" }
        ]
      })
    }
    yield* jobs.end({ id, generation }, "done")
  })

const tables = ["jobs", "job_steps", "job_failures", "job_budgets", "job_reservations"]

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
          supported: 4
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
          control.list(),
          control.submit(job),
          control.purge(),
          jobs.listActive,
          jobs.load(ids)
        ]) {
          expect(yield* Effect.flip<unknown, { readonly _tag: string }, never>(effect)).toMatchObject({
            _tag: "JobsUnavailable",
            code
          })
        }
        expect(yield* Effect.flip(budget.reserve(1))).toMatchObject({ _tag: "StoreUnavailable", code })
        yield* budget.settle(0, 1)
        expect(yield* Effect.flip(budget.state)).toMatchObject({ _tag: "StoreUnavailable", code })
      }).pipe(Effect.provide(live))
    )

    it.scopedLive(
      "a budget goes on from the state that another process has left, with texts that died in flight",
      () =>
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
                sql<{
                  held: number | string
                }>`SELECT held FROM effect_translate_job_reservations ORDER BY held`
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
        const budget = yield* jobs.openBudget(shared)
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
              (cap, sizes) => Effect.runPromise(Effect.scoped(runOf(cap, sizes, `budget ${++n}`)))
            ),
            { numRuns: runs }
          )
        )
      })
    )

    it.scopedLive("a budget never says less than may be billed, nor more once its processes have ended", () =>
      Effect.gen(function* () {
        const clients = yield* connections(database, 3)
        const runOf = (cap: number | undefined, steps: ReadonlyArray<Step>, name: string) =>
          Effect.gen(function* () {
            const begin = (at: number) =>
              Effect.gen(function* () {
                const scope = yield* Scope.make()
                const make = SqlBudget.make({ name, cap })
                const budget = yield* Effect.provide(Scope.extend(make, scope), clients[at]!)
                return { budget, scope, inFlight: [] as Array<number> }
              })
            const processes = yield* Effect.forEach(clients, (_, at) => begin(at))
            // Another one reads, which has nothing to tell.
            const reader = yield* begin(0)
            let spent = 0
            let died = 0
            for (const { cost, kind, process } of steps) {
              const { budget, inFlight, scope } = processes[process]!
              if (kind === "send" && (yield* budget.reserve(cost))) inFlight.push(cost)
              if (kind === "answer" && inFlight.length > 0) {
                const held = inFlight.shift()!
                // One that was rejected costs nothing.
                const billed = cost % 4 === 0 ? 0 : held
                spent += billed
                yield* budget.settle(held, billed)
              }
              if (kind === "end") {
                died += inFlight.reduce((sum, held) => sum + held, 0)
                yield* Scope.close(scope, Exit.void)
                processes[process] = yield* begin(process)
              }
              const state = yield* reader.budget.state
              const open = processes.reduce(
                (sum, { inFlight }) => sum + inFlight.reduce((a, b) => a + b, 0),
                0
              )
              expect(state.spent).toBeLessThanOrEqual(spent)
              expect(state.spent + state.reserved).toBeGreaterThanOrEqual(spent + open + died)
              expect(state.spent + state.reserved).toBeLessThanOrEqual(cap ?? Number.POSITIVE_INFINITY)
            }
            for (const { inFlight, scope } of processes) {
              died += inFlight.reduce((sum, held) => sum + held, 0)
              yield* Scope.close(scope, Exit.void)
            }
            expect(yield* reader.budget.state).toMatchObject({ spent, reserved: died })
            yield* Scope.close(reader.scope, Exit.void)
          })
        let n = 0
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(
              fc.option(fc.integer({ min: 1, max: 100_000 }), { nil: undefined }),
              fc.array(arbitraryStep, { maxLength: 40 }),
              (cap, steps) => Effect.runPromise(runOf(cap, steps, `budget ${++n}`))
            ),
            { numRuns: runs }
          )
        )
      })
    )

    it.scopedLive("an account whose answer was lost is told again, and counts once", () =>
      Effect.gen(function* () {
        const tables = yield* jobSchema.make
        let isLost = false
        const lost = Effect.suspend(() =>
          isLost ? Effect.fail(new SqlError({ cause: new Error("the connection was lost") })) : Effect.void
        )
        const losing: jobSchema.Tables = tables.dialect.hasWritingWith
          ? { ...tables, query: (text, params) => Effect.zipLeft(tables.query(text, params), lost) as never }
          : { ...tables, transaction: (body) => Effect.zipLeft(tables.transaction(body), lost) }
        const budget = yield* budgets.of(losing, "b", { _tag: "Given", cap: 1000 })
        expect(yield* budget.reserve(10)).toBe(true)
        yield* budget.settle(10, 10)
        isLost = true
        expect(yield* Effect.flip(budget.reserve(20))).toMatchObject({ _tag: "StoreUnavailable" })
        expect(yield* Effect.flip(budget.flush)).toMatchObject({ _tag: "StoreUnavailable" })
        isLost = false
        expect(yield* budget.state).toEqual({ cap: 1000, spent: 10, reserved: 0 })
        expect(yield* budget.reserve(990)).toBe(true)
        expect(yield* budget.reserve(1)).toBe(false)
      }).pipe(Effect.provide(live))
    )

    it.scopedLive(
      "one worker judges the first answers of a job, until it gives the turn back or is gone",
      () =>
        Effect.gen(function* () {
          const control = yield* JobControl.JobControl
          const { firstAnswers, heartbeat, storePlan } = yield* Jobs
          const sql = yield* SqlClient.SqlClient
          yield* control.submit(job)
          const steps = (["slice", "slice", "output"] as const).map((kind) => ({
            kind,
            sources: ["s"],
            texts: 1
          }))
          yield* storePlan(ids, { steps, texts: 2, sources: 1 })
          const startedAt = yield* DateTime.now
          yield* heartbeat("first", { version: "1", startedAt, inFlight: 0, state: "running" })
          expect(yield* firstAnswers.look(ids)).toEqual({ known: undefined, steps: 2 })
          expect(yield* firstAnswers.take(ids, "first")).toBe(true)
          expect(yield* firstAnswers.take(ids, "second")).toBe(false)
          yield* firstAnswers.give(ids, "second", "trusted")
          yield* firstAnswers.give(ids, "first", { texts: ["a"], constant: "b" })
          expect(yield* firstAnswers.look(ids)).toEqual({ known: { texts: ["a"], constant: "b" }, steps: 2 })
          expect(yield* firstAnswers.take(ids, "first")).toBe(true)
          yield* sql`UPDATE effect_translate_job_workers SET leased_until = 0`
          expect(yield* firstAnswers.take(ids, "second")).toBe(true)
        }).pipe(Effect.provide(live))
    )

    it.scopedLive("a purge removes ended jobs and notes their executions, and nothing else", () =>
      Effect.gen(function* () {
        const control = yield* JobControl.JobControl
        const jobs = yield* Jobs
        yield* endedJob({})
        yield* endedJob({ revision: "2" })
        yield* endedJob({ id: "other" })
        yield* control.submit({ ...job, id: "running" })
        yield* jobs.start({ id: "running", generation: 1 }, "running 1")
        expect(yield* Effect.flip(control.purge({ id: "running" }))).toMatchObject({
          _tag: "JobStateError",
          state: "running"
        })
        expect(yield* control.purge({ olderThan: "1 hour" })).toBe(0)
        expect(yield* control.purge({ id: "job" })).toBe(2)
        expect((yield* control.list()).jobs.map(({ id }) => id)).toEqual(["running", "other"])
        expect(yield* jobs.listPurged).toEqual([
          { id: "job", generation: 1, steps: 25, isLate: false },
          { id: "job", generation: 2, steps: 25, isLate: false }
        ])
        expect(yield* control.purge()).toBe(1)
        expect((yield* jobs.listPurged).map(({ id }) => id)).toEqual(["job", "job", "other"])
        expect(yield* rowsOf(jobTables)).toEqual([1, 0, 0, 1, 0])
        expect(yield* control.purge()).toBe(0)
        yield* jobs.forget({ id: "job", generation: 1 })
        yield* jobs.recordCleared({ id: "job", generation: 2 }, 7)
        expect((yield* jobs.listPurged).map(({ generation, steps }) => [generation, steps])).toEqual([
          [2, 7],
          [1, 25]
        ])
        // Its executions have names that no worker knows.
        expect(yield* control.submit(job)).toMatchObject({ generation: 3, state: "submitted" })
      }).pipe(Effect.provide(live))
    )

    it.scopedLive("a purge removes a job that no worker has begun", () =>
      Effect.gen(function* () {
        const control = yield* JobControl.JobControl
        yield* control.submit(job)
        yield* control.cancel("job")
        expect(yield* control.purge()).toBe(1)
        expect(yield* rowsOf(jobTables)).toEqual([0, 0, 0, 0, 0])
      }).pipe(Effect.provide(live))
    )

    it.scopedLive("a purge that is cut short leaves no budget of a job that is gone", () =>
      Effect.gen(function* () {
        const control = yield* JobControl.JobControl
        const sql = yield* SqlClient.SqlClient
        yield* control.submit({ ...job, budgetName: "several" })
        yield* control.cancel("job")
        yield* sql`DROP TABLE effect_translate_job_failures`
        yield* Effect.flip(control.purge())
        expect(yield* rowsOf(["effect_translate_jobs", "effect_translate_job_budgets"])).toEqual([0, 0])
      }).pipe(Effect.provide(live))
    )

    it.scopedLive("purges at once leave no budget that several jobs had", () =>
      Effect.gen(function* () {
        const control = yield* JobControl.JobControl
        const ids = Array.from({ length: 8 }, (_, n) => `job-${n}`)
        for (const id of ids) {
          yield* control.submit({ ...job, id, budgetName: "several" })
          yield* control.cancel(id)
        }
        yield* Effect.forEach(ids, (id) => control.purge({ id }), {
          concurrency: "unbounded",
          discard: true
        })
        expect(yield* rowsOf(["effect_translate_jobs", "effect_translate_job_budgets"])).toEqual([0, 0])
      }).pipe(Effect.provide(live))
    )

    it.scopedLive("recordings of a worker after a purge are dropped", () =>
      Effect.gen(function* () {
        const control = yield* JobControl.JobControl
        const jobs = yield* Jobs
        yield* endedJob({})
        yield* control.purge()
        yield* jobs.recordProgress(ids, 1, {})
        yield* jobs.recordResult(ids, 1, { tallies: {}, failedOutputs: 0, failures: [] })
        const steps = [{ kind: "sources" as const, sources: ["s"], texts: 0 }]
        expect(yield* jobs.storePlan(ids, { steps, texts: 0, sources: 1 })).toEqual({ first: 0, steps: 0 })
        yield* jobs.resetWaits(ids)
        expect(yield* jobs.wait(ids, { reason: "quota", until: yield* jobs.now })).toBe(0)
        expect(yield* rowsOf(jobTables)).toEqual([0, 0, 0, 0, 0])
      }).pipe(Effect.provide(live))
    )
  })
