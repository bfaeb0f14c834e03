/**
 * A purge of jobs that a worker has done: what is left of them in the journal of the engine, and in the tables. It is here that a new version
 * of the engine shows which executes other requests, or calls them otherwise.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { Emulator, Fault } from "effect-translate/emulator"
import { type Cluster, JobControl } from "effect-translate/workflow"
import * as CorpusWorkflow from "../../src/workflow/CorpusWorkflow.js"
import { bench, billed, done, ended, products, until, withEmulator } from "./jobs.js"

type Engine = Layer.Layer<Cluster.Provided, unknown>

const files = { "one.csv": products(700), "two.csv": products(600) }

const tables = ["_generations", "s", "_steps", "_failures", "_budgets", "_reservations"]

const jobsIn = (table: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => {
    const name = table === "s" ? "effect_translate_jobs" : `effect_translate_job_${table.replace(/^_/, "")}`
    const column = { _budgets: "name", _reservations: "budget" }[table] ?? "job"
    return Effect.map(
      sql.unsafe<{ job: string }>(`SELECT DISTINCT ${column} AS job FROM ${name}`),
      (rows) => [table, rows.map(({ job }) => job).sort()] as const
    )
  })

/** Of which jobs the tables have something. */
const inTables = Effect.map(Effect.forEach(tables, jobsIn), (found) => Object.fromEntries(found))

/** The executions of jobs, parents and steps. */
const executionsOf = (id: string, generation = 1) =>
  Effect.map(
    Effect.all([
      CorpusWorkflow.CorpusWorkflow.executionId({ id, generation }),
      ...Array.from({ length: 300 }, (_, step) =>
        CorpusWorkflow.StepWorkflow.executionId({ id, generation, step })
      )
    ]),
    (ids) => new Set<string>(ids)
  )

/** The journal: messages and replies as they are, by execution, and replies of no message. */
const journal = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const messages = yield* sql<{ id: string; entity: string; kind: number; open: number }>`
    SELECT CAST(id AS TEXT) AS id, entity_id AS entity, kind, CASE WHEN processed THEN 0 ELSE 1 END AS open
    FROM cluster_messages ORDER BY 1`
  const replies = yield* sql<{ request: string }>`
    SELECT CAST(request_id AS TEXT) AS request FROM cluster_replies ORDER BY 1`
  const known = new Set(messages.map(({ id }) => id))
  return {
    messages,
    replies,
    executions: new Set(messages.map(({ entity }) => entity)),
    orphans: replies.filter(({ request }) => !known.has(request)).length
  }
})

/** Nothing is under way: what is in the journal stays as it is. */
const settled = Effect.repeat(journal, {
  until: ({ messages }) => messages.every(({ kind, open }) => Number(kind) !== 0 || Number(open) === 0),
  times: 1000
})

/** The worker has removed all journals of what was purged. */
const cleared = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.repeat(sql`SELECT 1 FROM effect_translate_job_journals`, {
    until: (rows) => rows.length === 0,
    schedule: Schedule.spaced("50 millis")
  })
)

const isOnly = (executions: ReadonlySet<string>, own: ReadonlySet<string>) =>
  [...executions].every((execution) => own.has(execution))

export const purgedSuite = (name: string, engine: Effect.Effect<Engine | undefined, never, Scope.Scope>) =>
  describe(`a purge on ${name}`, () => {
    it.scopedLive("leaves exactly the rows of other jobs, and the translations", () =>
      Effect.gen(function* () {
        const { jobOver, worker } = yield* bench({ files, cluster: yield* engine })
        yield* Effect.gen(function* () {
          const control = yield* JobControl.JobControl
          const one = { ...(yield* jobOver("one.csv", { batchTexts: 50 })), id: "one" }
          const two = { ...(yield* jobOver("two.csv", { batchTexts: 50 })), id: "two" }
          yield* done(two)
          const before = yield* settled
          expect(before.messages.length).toBeGreaterThan(10)
          expect(before.executions.size).toBeGreaterThan(3)
          expect((yield* done(one)).state).toBe("done")
          const all = yield* journal
          expect(all.messages.length).toBeGreaterThan(before.messages.length + 10)
          // At once: the worker still has to record the end of the execution.
          expect(yield* control.purge({ id: "one" })).toBe(1)
          yield* cleared
          const after = yield* settled
          expect(after.messages).toEqual(before.messages)
          expect(after.replies).toEqual(before.replies)
          expect(after.orphans).toBe(0)
          expect(isOnly(after.executions, yield* executionsOf("two"))).toBe(true)
          const others = { _generations: ["one", "two"], s: ["two"], _steps: ["two"] }
          const empty = { _failures: [] }
          expect(yield* inTables).toEqual({
            ...others,
            ...empty,
            _budgets: ["two"],
            _reservations: ["two"]
          })
          const paid = yield* billed
          const again = yield* done(one)
          expect(again).toMatchObject({
            state: "done",
            generation: 2,
            progress: { texts: 1400, outputs: 2 }
          })
          expect(yield* billed).toBe(paid)
          expect(yield* control.purge()).toBe(2)
          yield* cleared
          const last = yield* settled
          expect([last.messages, last.replies]).toEqual([[], []])
          // The worker writes nothing more of what is gone.
          yield* done({ ...one, id: "three" })
          expect(yield* control.purge()).toBe(1)
          yield* cleared
          const later = yield* settled
          expect([later.messages, later.replies]).toEqual([[], []])
        }).pipe(Effect.provide(worker))
      }).pipe(withEmulator())
    )

    it.scopedLive("waits for requests in flight of jobs that were cancelled, or that have failed", () =>
      Effect.gen(function* () {
        const { jobOver, worker } = yield* bench({ files, cluster: yield* engine })
        yield* Effect.gen(function* () {
          const control = yield* JobControl.JobControl
          const { script } = yield* Emulator.Emulator
          const one = { ...(yield* jobOver("one.csv", { batchTexts: 50 })), id: "one" }
          yield* control.submit(one)
          yield* until("one", ({ progress }) => progress.texts > 100)
          yield* control.cancel("one")
          expect((yield* ended("one")).state).toBe("cancelled")
          expect(yield* control.purge({ id: "one" })).toBe(1)
          // One request is refused, and ends the job; the others are answered after that.
          yield* script(Fault.on(Fault.status(403), "POST", "/v2/translate"))
          const failed = yield* done({ ...(yield* jobOver("two.csv", { batchTexts: 50 })), id: "two" })
          expect(failed).toMatchObject({ state: "failed", error: { tag: "Unauthorized" } })
          expect(yield* control.purge({ id: "two" })).toBe(1)
          // Cancelled at once: a worker may have begun it, or not.
          yield* control.submit(one)
          yield* control.cancel("one")
          yield* ended("one")
          expect(yield* control.purge({ id: "one" })).toBe(1)
          yield* cleared
          const left = yield* journal
          expect([left.messages, left.replies]).toEqual([[], []])
          expect(yield* inTables).toMatchObject({ s: [], _steps: [], _budgets: [] })
        }).pipe(Effect.provide(worker))
      }).pipe(withEmulator({ latency: "300 millis" }))
    )

    it.scopedLive("removes a job whose worker has gone in the middle of its end", () =>
      Effect.gen(function* () {
        const { jobOver, worker } = yield* bench({ files, cluster: yield* engine })
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const control = yield* JobControl.JobControl
          yield* done({ ...(yield* jobOver("one.csv", { batchTexts: 50 })), id: "one" })
          yield* settled
          const parent = yield* CorpusWorkflow.CorpusWorkflow.executionId({ id: "one", generation: 1 })
          // As the worker leaves it: its last request has no answer.
          yield* sql`DELETE FROM cluster_replies WHERE request_id IN
            (SELECT id FROM cluster_messages WHERE entity_id = ${parent} AND tag = 'run')`
          yield* sql`UPDATE cluster_messages SET processed = ${sql.literal("FALSE")}, last_read = ${sql.literal("CURRENT_TIMESTAMP")}
            WHERE entity_id = ${parent} AND tag = 'run'`
          expect(yield* control.purge({ id: "one" })).toBe(1)
          yield* cleared
          const left = yield* journal
          expect([left.messages, left.replies]).toEqual([[], []])
        }).pipe(Effect.provide(worker))
      }).pipe(withEmulator())
    )
  })
