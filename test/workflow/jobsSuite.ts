/** What holds for the tables of the jobs, on every database. */

import * as SqlClient from "@effect/sql/SqlClient"
import { describe } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import { expect } from "vitest"
import type { CorpusJob, Status } from "../../src/workflow/CorpusJob.js"
import * as jobsSql from "../../src/workflow/internal/tables/jobsSql.js"
import { Jobs } from "../../src/workflow/internal/tables/jobTables.js"
import * as JobControl from "../../src/workflow/JobControl.js"
import { newClient, type Shared } from "../sql/stores.js"
import { sharedLayer } from "../support/sharedLayer.js"

let count = 0

const newJob = (more: Partial<CorpusJob> = {}): CorpusJob => ({
  id: `job-${++count}`,
  corpus: { kind: "files", reference: { folder: "/shared" } },
  targets: ["de", "fr"],
  ...more
})

const texts = (translated: number, cached = 0, skipped = 0, failed = 0) => ({
  translated,
  cached,
  skipped,
  failed
})

const both = (of: ReturnType<typeof texts>) => ({ de: of, fr: of })

const first = (job: CorpusJob) => ({ id: job.id, generation: 1 })

const slice = (shard: number, step: number, source: string) => ({ shard, step, source, isWhole: false })

const whole = (shard: number, step: number, source: string) => ({ shard, step, source, isWhole: true })

const submitted = (more: Partial<CorpusJob> = {}) =>
  Effect.gen(function* () {
    const control = yield* JobControl.JobControl
    const jobs = yield* Jobs
    const job = newJob(more)
    yield* control.submit(job)
    return { control, jobs, job, ids: first(job) }
  })

/** A job whose worker has begun it. */
const started = (more: Partial<CorpusJob> = {}) =>
  Effect.tap(submitted(more), ({ ids, jobs }) => jobs.started(ids, `execution of ${ids.id}`))

/** One source of two slices, then the source as a whole. */
const planned = (more: Partial<CorpusJob> = {}) =>
  Effect.tap(started(more), ({ ids, jobs }) =>
    Effect.all([
      jobs.addShard(ids, {
        number: 0,
        execution: `slices of ${ids.id}`,
        steps: [
          { source: "a", slice: [0, 9], texts: 10 },
          { source: "a", slice: [10, 19], texts: 10 }
        ]
      }),
      jobs.addShard(ids, {
        number: 1,
        execution: `wholes of ${ids.id}`,
        steps: [{ source: "a" }, { source: "b" }]
      }),
      jobs.planned(ids, { texts: 20, sources: 2 })
    ])
  )

const failure = (source: string, key: string) => ({
  source,
  targetLang: "de",
  key,
  tag: "BadRequest",
  message: "The service has refused it."
})

const tagOf = <E extends { readonly _tag: string }>(error: E) => error._tag

export const jobsSuite = (database: Shared, runs: number) =>
  describe(`jobs in ${database.name}`, () => {
    const layer = Layer.unwrapScoped(
      Effect.map(newClient(database), (client) =>
        Layer.provideMerge(Layer.mergeAll(JobControl.layer, jobsSql.layer), client)
      )
    )
    const test = sharedLayer(layer)

    test("a job is submitted once, however often it is told", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* submitted({ budget: 100 })
        const status = yield* control.submit(job)
        expect(status).toMatchObject({ id: job.id, generation: 1, state: "submitted", job })
        expect(status.characters).toEqual({ least: 0, most: 0 })
        expect(status.progress).toEqual({ texts: 0, outputs: 0 })
        expect(yield* jobs.load(ids)).toEqual(job)
        expect((yield* jobs.active).filter(({ id }) => id === job.id)).toEqual([
          { ...ids, isStarted: false, told: "run", waiting: undefined }
        ])
      }))

    test("submissions at the same moment make one generation", () =>
      Effect.gen(function* () {
        const control = yield* JobControl.JobControl
        const job = newJob()
        const all = yield* Effect.all(
          Array.from({ length: 8 }, () => control.submit(job)),
          { concurrency: "unbounded" }
        )
        expect(new Set(all.map(({ generation }) => generation))).toEqual(new Set([1]))
      }))

    test("a job that has not ended is not replaced by another one", () =>
      Effect.gen(function* () {
        const { control, job } = yield* submitted()
        expect(tagOf(yield* Effect.flip(control.submit({ ...job, revision: "2" })))).toBe("JobConflict")
      }))

    test("a job that is done stays done at its revision, also at another price", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* started({ revision: "1" })
        yield* jobs.ended(ids, "done")
        expect(yield* control.submit({ ...job, pricePerMillion: 20 })).toMatchObject({
          generation: 1,
          state: "done"
        })
      }))

    test("a job that is done begins anew at another revision", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* planned({ revision: "1" })
        yield* jobs.record(ids, slice(0, 0, "a"), both(texts(10)), [])
        yield* jobs.ended(ids, "done")
        const anew = yield* control.submit({ ...job, revision: "2" })
        expect(anew).toMatchObject({ generation: 2, state: "submitted", progress: { texts: 0, outputs: 0 } })
        expect(anew.targets[0]).toEqual({ targetLang: "de", ...texts(0) })
        expect((yield* control.list).filter(({ id }) => id === job.id)).toHaveLength(1)
      }))

    test("a job that has failed begins anew as it was", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* started()
        const error = { tag: "BudgetExceeded", message: "It is used up." }
        expect(yield* jobs.ended(ids, "failed", error)).toBe(true)
        // Other steps meet what has ended it, too.
        expect(yield* jobs.ended(ids, "done")).toBe(false)
        expect(yield* control.status(job.id)).toMatchObject({
          state: "failed",
          error: { tag: "BudgetExceeded", message: "It is used up." }
        })
        expect(yield* control.submit(job)).toMatchObject({ generation: 2, state: "submitted" })
      }))

    test("what nobody has submitted is not found", () =>
      Effect.gen(function* () {
        const control = yield* JobControl.JobControl
        const jobs = yield* Jobs
        const errors = yield* Effect.all([
          Effect.flip(control.status("none")),
          Effect.flip(control.pause("none")),
          Effect.flip(control.resume("none")),
          Effect.flip(control.cancel("none")),
          Effect.flip(control.purge({ id: "none" })),
          Effect.flip(Stream.runDrain(control.failures("none"))),
          Effect.flip(Stream.runDrain(control.watch("none"))),
          Effect.flip(jobs.load({ id: "none", generation: 1 }))
        ])
        expect(new Set(errors.map(tagOf))).toEqual(new Set(["JobNotFound"]))
      }))

    test("jobs are listed with the newest first", () =>
      Effect.gen(function* () {
        const control = yield* JobControl.JobControl
        const { job: older } = yield* submitted()
        yield* Effect.sleep("5 millis")
        const { job: newer } = yield* submitted()
        const listed = (yield* control.list).map(({ id }) => id)
        expect(listed.indexOf(newer.id)).toBeLessThan(listed.indexOf(older.id))
      }))

    test("a job pauses and goes on", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* started()
        expect(yield* control.pause(job.id)).toMatchObject({ state: "paused" })
        expect(yield* control.pause(job.id)).toMatchObject({ state: "paused" })
        expect((yield* jobs.active).find(({ id }) => id === ids.id)).toMatchObject({
          told: "pause",
          isStarted: true
        })
        expect(yield* control.resume(job.id)).toMatchObject({ state: "running" })
        expect(yield* control.resume(job.id)).toMatchObject({ state: "running" })
      }))

    test("a job that nobody has begun ends at once when it is cancelled, and can't be begun", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* submitted()
        const cancelled = yield* control.cancel(job.id)
        expect(cancelled.state).toBe("cancelled")
        expect(cancelled.endedAt).toBeDefined()
        yield* jobs.started(ids, "late")
        expect(yield* control.cancel(job.id)).toEqual(cancelled)
        expect((yield* jobs.active).some(({ id }) => id === job.id)).toBe(false)
      }))

    test("a job that runs is cancelling until it has ended", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* started()
        yield* control.pause(job.id)
        expect(yield* control.cancel(job.id)).toMatchObject({ state: "cancelling" })
        expect((yield* Effect.flip(control.pause(job.id))).message).toContain("is being cancelled")
        expect(tagOf(yield* Effect.flip(control.resume(job.id)))).toBe("JobStateError")
        expect((yield* jobs.active).find(({ id }) => id === ids.id)).toMatchObject({ told: "cancel" })
        yield* jobs.ended(ids, "cancelled")
        expect(yield* control.status(job.id)).toMatchObject({ state: "cancelled" })
      }))

    test("a job that has ended tells what to do instead", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* started()
        yield* jobs.ended(ids, "done")
        for (const command of [control.pause, control.resume, control.cancel]) {
          const error = yield* Effect.flip(command(job.id))
          expect(error).toMatchObject({ _tag: "JobStateError", state: "done" })
          expect(error.message).toContain("another revision")
        }
      }))

    test("a job waits until its time has come, as all machines say together", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* started()
        const soon = DateTime.add(yield* jobs.now, { millis: 400 })
        const early = DateTime.add(yield* jobs.now, { millis: 100 })
        expect(yield* jobs.wait(ids, { reason: "outage", until: soon })).toBe(1)
        expect(yield* jobs.wait(ids, { reason: "quota", until: early })).toBe(1)
        yield* jobs.proceeded(ids)
        expect(yield* control.status(job.id)).toMatchObject({
          state: "waiting",
          waiting: { reason: "outage", until: soon }
        })
        expect((yield* jobs.active).find(({ id }) => id === ids.id)?.waiting).toEqual({
          reason: "outage",
          until: soon
        })
        const after = yield* Effect.repeat(control.status(job.id), {
          until: ({ state }) => state !== "waiting"
        })
        expect(after.state).toBe("running")
        expect(after.waiting).toBeUndefined()
        const far = DateTime.add(yield* jobs.now, { hours: 1 })
        expect(yield* jobs.wait(ids, { reason: "quota", until: far })).toBe(2)
        expect(yield* control.resume(job.id)).toMatchObject({ state: "running" })
        expect(yield* jobs.wait(ids, { reason: "quota", until: far })).toBe(1)
      }))

    test("a wait after something was translated is the first again", () =>
      Effect.gen(function* () {
        const { ids, jobs } = yield* started()
        const now = yield* jobs.now
        expect(yield* jobs.wait(ids, { reason: "outage", until: now })).toBe(1)
        expect(yield* jobs.wait(ids, { reason: "outage", until: now })).toBe(2)
        yield* jobs.proceeded(ids)
        expect(yield* jobs.wait(ids, { reason: "outage", until: now })).toBe(1)
      }))

    test("the steps of a shard come back as they were planned", () =>
      Effect.gen(function* () {
        const { ids, jobs } = yield* planned()
        expect(yield* jobs.steps(ids, 0)).toEqual([
          { source: "a", slice: [0, 9], texts: 10 },
          { source: "a", slice: [10, 19], texts: 10 }
        ])
        expect(yield* jobs.steps(ids, 7)).toEqual([])
      }))

    test("a plan is forgotten before it is begun, and not after", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* planned()
        yield* jobs.unplan(ids)
        expect(yield* jobs.steps(ids, 0)).toEqual([])
        expect((yield* control.status(job.id)).progress).toEqual({ texts: 0, outputs: 0 })
        yield* jobs.addShard(ids, { number: 0, execution: "e", steps: [{ source: "a" }] })
        yield* jobs.record(ids, whole(0, 0, "a"), {}, [])
        yield* jobs.unplan(ids)
        expect(yield* jobs.steps(ids, 0)).toHaveLength(1)
      }))

    test("an output that could not be written is none", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* planned()
        yield* jobs.closeShard(ids, 0)
        yield* jobs.record(ids, { ...whole(1, 0, "a"), failedOutputs: 1 }, both(texts(1)), [])
        yield* jobs.record(ids, whole(1, 1, "b"), both(texts(1)), [])
        const open = yield* control.status(job.id)
        expect(open.progress).toMatchObject({ outputs: 3, totalOutputs: 4 })
        yield* jobs.closeShard(ids, 1)
        expect(yield* control.status(job.id)).toEqual(open)
      }))

    test("texts that slices have translated are not cached in the end", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* planned({ pricePerMillion: 20 })
        yield* jobs.record(ids, slice(0, 0, "a"), both(texts(6, 2, 1, 1)), [])
        yield* jobs.record(ids, slice(0, 0, "a"), both(texts(0, 10)), [])
        yield* jobs.record(ids, slice(0, 1, "a"), both(texts(10)), [])
        const slices = yield* control.status(job.id)
        expect(slices.progress).toEqual({ texts: 40, totalTexts: 40, outputs: 0, totalOutputs: 4 })
        expect(slices.targets[1]).toEqual({ targetLang: "fr", ...texts(16, 2, 1, 1) })
        yield* jobs.closeShard(ids, 0)
        yield* jobs.closeShard(ids, 0)
        expect(yield* control.status(job.id)).toEqual(slices)
        yield* jobs.record(ids, whole(1, 0, "a"), both(texts(1, 18, 1, 0)), [])
        const one = yield* control.status(job.id)
        expect(one.targets[0]).toEqual({ targetLang: "de", ...texts(17, 2, 1, 0) })
        expect(one.progress).toMatchObject({ texts: 40, outputs: 2 })
        yield* jobs.record(ids, whole(1, 1, "b"), both(texts(3, 4)), [])
        const two = yield* control.status(job.id)
        yield* jobs.closeShard(ids, 1)
        yield* jobs.record(ids, whole(1, 1, "b"), both(texts(99)), [failure("b", "late")])
        expect(yield* control.status(job.id)).toEqual(two)
        expect(two.targets[0]).toEqual({ targetLang: "de", ...texts(20, 6, 1, 0) })
        expect(two.cost).toEqual({ least: 0, most: 0 })
        expect(yield* Stream.runCollect(control.failures(job.id))).toEqual(Chunk.empty())
      }))

    test("numbers of a status never fall, however shards are closed", () =>
      Effect.gen(function* () {
        const runOf = (
          sizes: ReadonlyArray<ReadonlyArray<readonly [number, number, number]>>,
          closes: ReadonlyArray<boolean>
        ) =>
          Effect.gen(function* () {
            const { control, ids, job, jobs } = yield* started()
            const seen: Array<Status> = [yield* control.status(job.id)]
            const look = Effect.map(control.status(job.id), (status) => seen.push(status))
            const slices = sizes.flatMap((of, source) => of.map((sums) => [`s${source}`, sums] as const))
            yield* Effect.forEach(slices, ([source], n) =>
              jobs.addShard(ids, { number: n, execution: `e${n}`, steps: [{ source, texts: 1 }] })
            )
            yield* jobs.addShard(ids, {
              number: slices.length,
              execution: "wholes",
              steps: sizes.map((_, source) => ({ source: `s${source}` }))
            })
            const total = slices.reduce((sum, [, [t, c, s]]) => sum + t + c + s, 0)
            yield* jobs.planned(ids, { texts: total, sources: sizes.length })
            for (const [n, [source, [t, c, s]]] of slices.entries()) {
              yield* jobs.record(ids, slice(n, 0, source), both(texts(t, c, s)), [])
              yield* look
              if (closes[n % closes.length]) yield* Effect.zipRight(jobs.closeShard(ids, n), look)
            }
            for (const [source, of] of sizes.entries()) {
              const [t, c, s] = of.reduce(([t, c, s], [u, d, r]) => [t + u, c + d, s + r] as const, [
                0, 0, 0
              ] as const)
              yield* jobs.record(
                ids,
                whole(slices.length, source, `s${source}`),
                both(texts(0, t + c, s)),
                []
              )
              yield* look
            }
            for (const n of [...slices.keys(), slices.length])
              yield* Effect.zipRight(jobs.closeShard(ids, n), look)
            for (const [n, { progress, targets }] of seen.slice(1).entries()) {
              const before = seen[n]!
              expect(progress.texts).toBeGreaterThanOrEqual(before.progress.texts)
              expect(progress.outputs).toBeGreaterThanOrEqual(before.progress.outputs)
              for (const [at, target] of targets.entries()) {
                for (const key of ["translated", "cached", "skipped", "failed"] as const) {
                  expect(target[key]).toBeGreaterThanOrEqual(before.targets[at]![key])
                }
              }
            }
            const last = seen.at(-1)!
            expect(last.progress).toEqual({
              texts: 2 * total,
              totalTexts: 2 * total,
              outputs: 2 * sizes.length,
              totalOutputs: 2 * sizes.length
            })
            const { cached, failed, skipped, translated } = last.targets[0]!
            expect(translated + cached + skipped + failed).toBe(total)
            expect(translated).toBe(slices.reduce((sum, [, [t]]) => sum + t, 0))
          })
        const number = fc.nat(9)
        const runtime = yield* Effect.runtime<Jobs | JobControl.JobControl>()
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(
              fc.array(fc.array(fc.tuple(number, number, number), { minLength: 1, maxLength: 4 }), {
                minLength: 1,
                maxLength: 3
              }),
              fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
              (sizes, closes) => Effect.runPromise(Effect.provide(runOf(sizes, closes), runtime))
            ),
            { numRuns: runs }
          )
        )
      }))

    test("failures come in pages, of the last record of a source", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* planned()
        yield* jobs.record(ids, slice(0, 0, "a"), both(texts(9, 0, 0, 1)), [failure("a", "slice")])
        const many = Array.from({ length: 1203 }, (_, n) => ({ ...failure("a", `key ${n}`), line: n }))
        yield* jobs.record(ids, whole(1, 0, "a"), both(texts(0, 0, 0, 1203)), many)
        yield* jobs.record(ids, whole(1, 0, "a"), both(texts(0)), [failure("a", "again")])
        yield* jobs.record(ids, whole(1, 1, "b"), both(texts(0, 0, 0, 1)), [failure("b", "one")])
        const found = Chunk.toReadonlyArray(yield* Stream.runCollect(control.failures(job.id)))
        expect(found).toEqual([...many, failure("b", "one")])
      }))

    test("a watch tells each change once, and ends with the job", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* submitted()
        const states: Array<string> = []
        const told = (state: string) =>
          Effect.repeat(Effect.yieldNow(), { until: () => states.includes(state) })
        const fiber = yield* Effect.fork(
          Stream.runForEach(control.watch(job.id, { interval: "5 millis" }), ({ state }) =>
            Effect.sync(() => states.push(state))
          )
        )
        yield* told("submitted")
        yield* jobs.started(ids, "e")
        yield* told("running")
        yield* control.pause(job.id)
        yield* told("paused")
        yield* jobs.ended(ids, "done")
        yield* Fiber.join(fiber)
        expect(states).toEqual(["submitted", "running", "paused", "done"])
      }))

    test("a worker that is not heard of is lost, and one that leaves is gone", () =>
      Effect.gen(function* () {
        const control = yield* JobControl.JobControl
        const jobs = yield* Jobs
        const sql = yield* SqlClient.SqlClient
        const startedAt = yield* jobs.now
        const worker = { version: "0.1.0", startedAt, inFlight: 3, state: "running" } as const
        yield* jobs.seen("10.0.0.1:1", worker)
        yield* jobs.seen("10.0.0.2:1", worker)
        yield* jobs.seen("10.0.0.2:1", { ...worker, inFlight: 1, state: "draining" })
        yield* jobs.seen("10.0.0.3:1", worker)
        yield* jobs.seen("10.0.0.3:1", undefined)
        yield* sql`UPDATE effect_translate_job_workers SET seen_at = seen_at - 16000 WHERE address = '10.0.0.1:1'`
        const workers = yield* control.workers
        expect(workers.map(({ address, inFlight, state }) => [address, inFlight, state])).toEqual([
          ["10.0.0.1:1", 3, "lost"],
          ["10.0.0.2:1", 1, "draining"]
        ])
        expect(workers[1]!.startedAt).toEqual(startedAt)
      }))

    test("workers learn from each other, and forget the size of a body after a day", () =>
      Effect.gen(function* () {
        const jobs = yield* Jobs
        const sql = yield* SqlClient.SqlClient
        const service = "https://service"
        yield* jobs.learn(service, { accepted: [1, 2], maxBytes: { "/v2/translate": 1000 } })
        const all = yield* jobs.learn(service, {
          accepted: [3],
          maxBytes: { "/v2/translate": 900, "/v2/write": 5 }
        })
        expect(new Set(all.accepted)).toEqual(new Set([1, 2, 3]))
        expect(all.maxBytes).toEqual({ "/v2/translate": 900, "/v2/write": 5 })
        const greater = { accepted: [], maxBytes: { "/v2/translate": 1000 } }
        expect((yield* jobs.learn(service, greater)).maxBytes).toEqual(all.maxBytes)
        yield* sql`UPDATE effect_translate_job_limits SET learned_at = learned_at - 86400000 WHERE name = '/v2/translate'`
        const later = yield* jobs.learn(service, { accepted: [], maxBytes: {} })
        expect(later.maxBytes).toEqual({ "/v2/write": 5 })
        expect((yield* jobs.learn(service, greater)).maxBytes["/v2/translate"]).toBe(1000)
        const many = Array.from({ length: 1500 }, (_, n) => n)
        expect((yield* jobs.learn(service, { accepted: many, maxBytes: {} })).accepted).toHaveLength(1000)
        expect((yield* jobs.learn("another", { accepted: [], maxBytes: {} })).accepted).toEqual([])
      }))
  })
