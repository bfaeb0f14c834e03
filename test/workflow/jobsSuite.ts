/** What holds for the tables of the jobs, on every database. */

import * as SqlClient from "@effect/sql/SqlClient"
import { describe } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import { expect } from "vitest"
import type { CorpusJob, Status } from "../../src/workflow/CorpusJob.js"
import * as jobsSql from "../../src/workflow/internal/tables/jobsSql.js"
import { Jobs, type Service, type Step, type Tallies } from "../../src/workflow/internal/tables/jobTables.js"
import * as tallies from "../../src/workflow/internal/tables/tallies.js"
import * as JobControl from "../../src/workflow/JobControl.js"
import { newClient, type Shared } from "../sql/stores.js"
import { sharedLayer } from "../support/sharedLayer.js"
import * as watchedClock from "../support/watchedClock.js"

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

const recorded = (tallies: Tallies, more: Partial<Parameters<Service["recordResult"]>[2]> = {}) => ({
  tallies,
  failedOutputs: 0,
  failures: [],
  ...more
})

const steps: ReadonlyArray<Step> = [
  { kind: "slice", sources: ["a"], slice: [0, 9], texts: 10 },
  { kind: "slice", sources: ["a"], slice: "a string", texts: 10 },
  { kind: "sources", sources: ["b"], texts: 0 },
  { kind: "output", sources: ["a"], texts: 0 }
]

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
  Effect.tap(submitted(more), ({ ids, jobs }) => jobs.start(ids, `execution of ${ids.id}`))

/** A source of two slices, and one that is not cut. */
const planned = (more: Partial<CorpusJob> = {}) =>
  Effect.tap(started(more), ({ ids, jobs }) => jobs.storePlan(ids, { steps, texts: 20, sources: 2 }))

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

    test("a job that is none is refused by its field", () =>
      Effect.gen(function* () {
        const control = yield* JobControl.JobControl
        const error = yield* Effect.flip(control.submit({ ...newJob(), id: "my file.csv" }))
        expect(error).toMatchObject({ _tag: "InvalidJob", violations: [{ field: "id" }] })
        expect(error.message).toContain("id must be 1 to 100 letters, digits")
      }))

    test("texts that look wrong are counted by language: in slices, in sources, and in steps that go on", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* planned()
        const flagged = { ...texts(10), flagged: 2 }
        yield* jobs.recordResult(
          ids,
          0,
          recorded(tallies.resumed({ de: { ...texts(4), flagged: 1 } }, { de: flagged }, true))
        )
        yield* jobs.recordResult(ids, 2, recorded({ de: { ...texts(1), flagged: 1 }, fr: texts(1) }))
        const before = yield* control.status(job.id)
        expect(before.targets).toMatchObject([{ targetLang: "de", flagged: 4 }, { targetLang: "fr" }])
        expect(before.targets[1]).not.toHaveProperty("flagged")
        const whole = { de: { ...texts(0, 14), flagged: 3 } }
        yield* jobs.recordResult(
          ids,
          3,
          recorded(tallies.resumed({ de: { ...texts(0), flagged: 2 } }, whole, false))
        )
        const after = yield* control.status(job.id)
        expect(after.targets[0]).toMatchObject({ translated: 15, cached: 0, flagged: 4 })
      }))

    test("a job is submitted once, however often it is told", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* submitted({ budget: 100 })
        const status = yield* control.submit(job)
        expect(status).toMatchObject({ id: job.id, generation: 1, state: "submitted", job })
        expect(status.characters).toEqual({ least: 0, most: 0 })
        expect(status.progress).toEqual({ texts: 0, outputs: 0 })
        expect(yield* jobs.load(ids)).toEqual(job)
        expect((yield* jobs.listActive).filter(({ id }) => id === job.id)).toEqual([
          { ...ids, isStarted: false, desired: "run", waiting: undefined }
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
        yield* jobs.end(ids, "done")
        expect(yield* control.submit({ ...job, pricePerMillion: 20 })).toMatchObject({
          generation: 1,
          state: "done"
        })
      }))

    test("a job that is done begins anew at another revision", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* planned({ revision: "1" })
        yield* jobs.recordResult(ids, 0, recorded(both(texts(10))))
        yield* jobs.end(ids, "done")
        const anew = yield* control.submit({ ...job, revision: "2" })
        expect(anew).toMatchObject({ generation: 2, state: "submitted", progress: { texts: 0, outputs: 0 } })
        expect(anew.targets[0]).toEqual({ targetLang: "de", ...texts(0) })
        expect((yield* control.list({ prefix: job.id })).jobs.filter(({ id }) => id === job.id)).toHaveLength(
          1
        )
      }))

    test("a job that has failed begins anew as it was", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* started()
        const error = { tag: "BudgetExceeded", message: "It is used up." }
        expect(yield* jobs.end(ids, "failed", error)).toBe(true)
        // Other steps meet what has ended it, too.
        expect(yield* jobs.end(ids, "done")).toBe(false)
        expect(yield* control.status(job.id)).toMatchObject({
          state: "failed",
          error: { tag: "BudgetExceeded", message: "It is used up." }
        })
        expect(yield* control.submit(job)).toMatchObject({ generation: 2, state: "submitted" })
      }))

    test("a job that nobody has submitted is not found", () =>
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
        yield* watchedClock.nextMilli
        const { job: newer } = yield* submitted()
        const listed = (yield* control.list({ limit: 1000 })).jobs.map(({ id }) => id)
        expect(listed.indexOf(newer.id)).toBeLessThan(listed.indexOf(older.id))
      }))

    test("a job pauses and goes on", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* started()
        expect(yield* control.pause(job.id)).toMatchObject({ state: "paused" })
        expect(yield* control.pause(job.id)).toMatchObject({ state: "paused" })
        expect((yield* jobs.listActive).find(({ id }) => id === ids.id)).toMatchObject({
          desired: "pause",
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
        yield* jobs.start(ids, "late")
        expect(yield* control.cancel(job.id)).toEqual(cancelled)
        expect((yield* jobs.listActive).some(({ id }) => id === job.id)).toBe(false)
      }))

    test("a job that runs is cancelling until it has ended", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* started()
        yield* control.pause(job.id)
        expect(yield* control.cancel(job.id)).toMatchObject({ state: "cancelling" })
        expect((yield* Effect.flip(control.pause(job.id))).message).toContain("is being cancelled")
        expect(tagOf(yield* Effect.flip(control.resume(job.id)))).toBe("JobStateError")
        expect((yield* jobs.listActive).find(({ id }) => id === ids.id)).toMatchObject({ desired: "cancel" })
        yield* jobs.end(ids, "cancelled")
        expect(yield* control.status(job.id)).toMatchObject({ state: "cancelled" })
      }))

    test("a job that has ended gives advice", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* started()
        yield* jobs.end(ids, "done")
        for (const command of [control.pause, control.resume, control.cancel]) {
          const error = yield* Effect.flip(command(job.id))
          expect(error).toMatchObject({ _tag: "JobStateError", state: "done" })
          expect(error.message).toContain("another revision")
        }
      }))

    test("a job waits until its time has come, as all machines say together", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* started()
        const sql = yield* SqlClient.SqlClient
        const soon = DateTime.add(yield* jobs.now, { hours: 2 })
        const early = DateTime.add(yield* jobs.now, { hours: 1 })
        expect(yield* jobs.wait(ids, { reason: "outage", until: soon })).toBe(1)
        expect(yield* jobs.wait(ids, { reason: "quota", until: early })).toBe(1)
        yield* jobs.resetWaits(ids)
        expect(yield* control.status(job.id)).toMatchObject({
          state: "waiting",
          waiting: { reason: "outage", until: soon }
        })
        expect((yield* jobs.listActive).find(({ id }) => id === ids.id)?.waiting).toEqual({
          reason: "outage",
          until: soon
        })
        yield* sql`UPDATE effect_translate_jobs SET waiting_until = waiting_until - 7200000 WHERE job = ${job.id}`
        const after = yield* control.status(job.id)
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
        yield* jobs.resetWaits(ids)
        expect(yield* jobs.wait(ids, { reason: "outage", until: now })).toBe(1)
      }))

    test("the steps of a job come back as they were planned", () =>
      Effect.gen(function* () {
        const { ids, jobs } = yield* planned()
        for (const [number, step] of steps.entries()) {
          const found = yield* Effect.flatten(jobs.findStep(ids, number))
          expect(found).toMatchObject({ ...step, isDone: false, tallies: {}, failedOutputs: 0 })
        }
        expect(yield* jobs.findStep(ids, 7)).toEqual(Option.none())
      }))

    test("of two plans of a job the first counts, as a whole", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* started()
        expect(yield* jobs.findPlan(ids)).toEqual(Option.none())
        const many = Array.from({ length: 2500 }, (_, n) => ({ ...steps[0]!, slice: n, texts: 1 }))
        const plans = [
          { steps, texts: 20, sources: 2 },
          { steps: many, texts: 2500, sources: 1 }
        ]
        const [one, other] = yield* Effect.forEach(plans, (plan) => jobs.storePlan(ids, plan), {
          concurrency: "unbounded"
        })
        expect(other).toEqual(one)
        expect(yield* jobs.findPlan(ids)).toEqual(Option.some(one))
        const first = one!.steps === 4 ? plans[0]! : plans[1]!
        expect(one).toEqual(one!.steps === 4 ? { first: 3, steps: 4 } : { first: 2500, steps: 2500 })
        expect((yield* control.status(job.id)).progress.totalTexts).toBe(2 * first.texts)
        for (const number of [0, first.steps.length - 1]) {
          expect(yield* Effect.flatten(jobs.findStep(ids, number))).toMatchObject(first.steps[number]!)
        }
        expect(yield* jobs.findStep(ids, first.steps.length)).toEqual(Option.none())
      }))

    test("an output that could not be written is none, and its step says why when it is done again", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* planned()
        const error = { tag: "OutputUnusable", message: "The disk is full." }
        yield* jobs.recordResult(ids, 3, recorded(both(texts(1)), { failedOutputs: 1, error }))
        yield* jobs.recordResult(ids, 2, recorded(both(texts(1))))
        yield* jobs.recordResult(ids, 2, recorded(both(texts(1)), { failedOutputs: 2 }))
        expect((yield* control.status(job.id)).progress).toMatchObject({ outputs: 3, totalOutputs: 4 })
        expect(yield* Effect.flatten(jobs.findStep(ids, 3))).toMatchObject({
          isDone: true,
          failedOutputs: 1,
          error
        })
      }))

    test("texts that slices have translated are not cached in the end", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* planned({ pricePerMillion: 20 })
        yield* jobs.recordResult(ids, 0, recorded(both(texts(6, 2, 1, 1))))
        yield* jobs.recordResult(ids, 0, recorded(both(texts(0, 10))))
        yield* jobs.recordResult(ids, 1, recorded(both(texts(10))))
        const slices = yield* control.status(job.id)
        expect(slices.progress).toEqual({ texts: 40, totalTexts: 40, outputs: 0, totalOutputs: 4 })
        expect(slices.targets[1]).toEqual({ targetLang: "fr", ...texts(16, 2, 1, 1) })
        yield* jobs.recordResult(ids, 3, recorded(both(texts(1, 18, 1, 0))))
        const one = yield* control.status(job.id)
        expect(one.targets[0]).toEqual({ targetLang: "de", ...texts(17, 2, 1, 0) })
        expect(one.progress).toMatchObject({ texts: 40, outputs: 2 })
        yield* jobs.recordResult(ids, 2, recorded(both(texts(3, 4))))
        const two = yield* control.status(job.id)
        yield* jobs.recordResult(ids, 2, recorded(both(texts(99)), { failures: [failure("b", "late")] }))
        expect(yield* control.status(job.id)).toEqual(two)
        expect(two.targets[0]).toEqual({ targetLang: "de", ...texts(20, 6, 1, 0) })
        expect(two.cost).toEqual({ least: 0, most: 0 })
        expect(yield* Stream.runCollect(control.failures(job.id))).toEqual(Chunk.empty())
      }))

    test("texts paid for by an attempt count as translated, though the next one finds them in the store", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* planned()
        yield* jobs.recordProgress(ids, 0, both(texts(4, 1, 1, 2)))
        const halted = yield* control.status(job.id)
        expect(halted.targets[0]).toEqual({ targetLang: "de", ...texts(4, 1, 1, 0) })
        expect(halted.progress.texts).toBe(12)
        const { tallies: before } = yield* Effect.flatten(jobs.findStep(ids, 0))
        yield* jobs.recordResult(ids, 0, recorded(tallies.resumed(before, both(texts(3, 5, 1, 1)), true)))
        yield* jobs.recordProgress(ids, 0, both(texts(99)))
        const done = yield* control.status(job.id)
        expect(done.targets[0]).toEqual({ targetLang: "de", ...texts(7, 1, 1, 1) })
        expect(done.progress.texts).toBe(20)
      }))

    test("numbers of a status never fall", () =>
      Effect.gen(function* () {
        const runOf = (sizes: ReadonlyArray<ReadonlyArray<readonly [number, number, number]>>) =>
          Effect.gen(function* () {
            const { control, ids, job, jobs } = yield* started()
            const seen: Array<Status> = [yield* control.status(job.id)]
            const look = Effect.map(control.status(job.id), (status) => seen.push(status))
            const slices = sizes.flatMap((of, source) =>
              of.map((sums) => ({ sums, sources: [`s${source}`], texts: sums[0] + sums[1] + sums[2] }))
            )
            const steps = [
              ...slices.map(({ sources, texts }) => ({ kind: "slice" as const, sources, slice: 0, texts })),
              ...sizes.map((_, source) => ({ kind: "output" as const, sources: [`s${source}`], texts: 0 }))
            ]
            const total = slices.reduce((sum, { texts }) => sum + texts, 0)
            yield* jobs.storePlan(ids, { steps, texts: total, sources: sizes.length })
            for (const [n, { sums }] of slices.entries()) {
              const [t, c, s] = sums
              const half = texts(Math.floor(t / 2), c, s)
              yield* Effect.zipRight(jobs.recordProgress(ids, n, both(half)), look)
              yield* Effect.zipRight(jobs.recordResult(ids, n, recorded(both(texts(t, c, s)))), look)
            }
            for (const [source, of] of sizes.entries()) {
              const [t, c, s] = of.reduce(([t, c, s], [u, d, r]) => [t + u, c + d, s + r] as const, [
                0, 0, 0
              ] as const)
              yield* jobs.recordResult(ids, slices.length + source, recorded(both(texts(0, t + c, s))))
              yield* look
            }
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
            expect(translated).toBe(slices.reduce((sum, { sums: [t] }) => sum + t, 0))
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
              (sizes) => Effect.runPromise(Effect.provide(runOf(sizes), runtime))
            ),
            { numRuns: runs }
          )
        )
      }))

    test("failures come in pages, of the first record of a step", () =>
      Effect.gen(function* () {
        const { control, ids, job, jobs } = yield* planned()
        const many = Array.from({ length: 1203 }, (_, n) => ({ ...failure("a", `key ${n}`), line: n }))
        yield* jobs.recordResult(
          ids,
          3,
          recorded(both(texts(0, 0, 0, 1)), { failures: [failure("b", "one")] })
        )
        yield* jobs.recordResult(ids, 2, recorded(both(texts(0, 0, 0, 1203)), { failures: many }))
        yield* jobs.recordResult(ids, 2, recorded(both(texts(0)), { failures: [failure("a", "again")] }))
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
        yield* jobs.start(ids, "e")
        yield* told("running")
        yield* control.pause(job.id)
        yield* told("paused")
        yield* jobs.end(ids, "done")
        yield* Fiber.join(fiber)
        expect(states).toEqual(["submitted", "running", "paused", "done"])
      }))

    test("jobs are listed by state, id and failures, page by page, each of them once", () =>
      Effect.gen(function* () {
        const control = yield* JobControl.JobControl
        const jobs = yield* Jobs
        const prefix = `list_${++count}-`
        const ids = Array.from({ length: 23 }, (_, n) => `${prefix}${n}`)
        yield* Effect.forEach(ids, (id) => control.submit({ ...newJob(), id }))
        yield* control.submit({ ...newJob(), id: `listX${count}-other` })
        const of = (n: number) => ({ id: ids[n]!, generation: 1 })
        for (const n of [1, 2, 3]) yield* jobs.start(of(n), `list ${n}`)
        yield* jobs.storePlan(of(1), {
          steps: [{ kind: "sources", sources: ["a"], texts: 0 }],
          texts: 0,
          sources: 1
        })
        yield* jobs.recordResult(
          of(1),
          0,
          recorded(both(texts(1, 0, 0, 1)), { failures: [failure("a", "k")] })
        )
        yield* jobs.end(of(1), "done")
        yield* jobs.end(of(2), "failed", { tag: "T", message: "m" })
        yield* control.pause(ids[4]!)
        const idsOf = (options: JobControl.ListOptions) =>
          Effect.map(control.list({ prefix, ...options }), ({ jobs }) => jobs.map(({ id }) => id))
        const counts = { all: 23, underWay: 21, ended: 2, withFailures: 2 }
        const all23 = yield* control.list({ prefix })
        expect(all23.counts).toEqual(counts)
        expect(all23.next).toBeUndefined()
        expect(all23.jobs).toHaveLength(23)
        expect(all23.jobs.find(({ id }) => id === ids[1])!.targets[0]!.failed).toBe(1)
        expect(yield* idsOf({ states: ["done"] })).toEqual([ids[1]])
        expect(new Set(yield* idsOf({ states: ["running", "paused"] }))).toEqual(new Set([ids[3], ids[4]]))
        expect(new Set(yield* idsOf({ hasFailures: true }))).toEqual(new Set([ids[1], ids[2]]))
        expect(yield* idsOf({ states: [] })).toEqual([])
        expect(yield* idsOf({ cursor: "none" })).toEqual([])
        const paged: Array<string> = []
        let cursor: string | undefined
        do {
          const page = yield* control.list({ prefix, limit: 5, cursor })
          expect(page.counts).toEqual(counts)
          paged.push(...page.jobs.map(({ id }) => id))
          cursor = page.next
        } while (cursor !== undefined)
        expect(paged).toEqual(all23.jobs.map(({ id }) => id))
        yield* Effect.forEach(ids, (id) => Effect.ignore(control.cancel(id)))
      }))

    test("a worker that is not heard of is lost, and one that leaves is gone", () =>
      Effect.gen(function* () {
        const control = yield* JobControl.JobControl
        const jobs = yield* Jobs
        const sql = yield* SqlClient.SqlClient
        const startedAt = yield* jobs.now
        const worker = { version: "0.1.0", startedAt, inFlight: 3, state: "running" } as const
        yield* jobs.heartbeat("10.0.0.1:1", worker)
        yield* jobs.heartbeat("10.0.0.2:1", worker)
        yield* jobs.heartbeat("10.0.0.2:1", { ...worker, inFlight: 1, state: "draining" })
        yield* jobs.heartbeat("10.0.0.3:1", worker)
        yield* jobs.removeWorker("10.0.0.3:1")
        yield* sql`UPDATE effect_translate_job_workers SET leased_until = leased_until - 16000 WHERE address = '10.0.0.1:1'`
        const workers = yield* control.workers
        expect(workers.map(({ address, inFlight, state }) => [address, inFlight, state])).toEqual([
          ["10.0.0.1:1", 3, "lost"],
          ["10.0.0.2:1", 1, "draining"]
        ])
        expect(workers[1]!.startedAt).toEqual(startedAt)
      }))

    test("a worker whose tables are another version's is told, and writes nothing, whatever they look like", () =>
      Effect.gen(function* () {
        const jobs = yield* Jobs
        const sql = yield* SqlClient.SqlClient
        const worker = {
          version: "0.1.0",
          startedAt: yield* jobs.now,
          inFlight: 0,
          state: "running"
        } as const
        const rows = sql`SELECT address FROM effect_translate_job_workers WHERE address = '10.0.0.9:1'`
        const other = { _tag: "JobsVersionUnknown", version: 99 }
        const [version] = yield* sql<{
          readonly version: number
        }>`SELECT version FROM effect_translate_job_version`
        yield* Effect.acquireUseRelease(
          sql`UPDATE effect_translate_job_version SET version = 99`,
          () =>
            Effect.gen(function* () {
              expect(yield* Effect.flip(jobs.heartbeat("10.0.0.9:1", worker))).toMatchObject(other)
              expect(yield* rows).toEqual([])
              yield* sql`ALTER TABLE effect_translate_job_workers RENAME COLUMN in_flight TO requests`
              expect(yield* Effect.flip(jobs.heartbeat("10.0.0.9:1", worker))).toMatchObject(other)
            }),
          () =>
            sql`ALTER TABLE effect_translate_job_workers RENAME COLUMN requests TO in_flight`.pipe(
              Effect.zipRight(sql`UPDATE effect_translate_job_version SET version = ${version!.version}`),
              Effect.orDie
            )
        )
        yield* jobs.heartbeat("10.0.0.9:1", worker)
        expect(yield* rows).toHaveLength(1)
        yield* jobs.removeWorker("10.0.0.9:1")
      }))

    test("one of all workers removes old data once an hour, and workers that died a day ago", () =>
      Effect.gen(function* () {
        const jobs = yield* Jobs
        const sql = yield* SqlClient.SqlClient
        const worker = {
          version: "0.1.0",
          startedAt: yield* jobs.now,
          inFlight: 0,
          state: "running"
        } as const
        yield* jobs.heartbeat("10.0.0.7:1", worker)
        yield* jobs.heartbeat("10.0.0.8:1", worker)
        yield* sql`UPDATE effect_translate_job_workers SET leased_until = leased_until - 86500000 WHERE address = '10.0.0.7:1'`
        const turns = Effect.map(
          Effect.replicateEffect(jobs.takeUpkeep, 5, { concurrency: "unbounded" }),
          (all) => all.filter((isDue) => isDue).length
        )
        expect(yield* turns).toBe(1)
        expect(yield* turns).toBe(0)
        yield* sql`UPDATE effect_translate_job_upkeep SET leased_until = leased_until - 3600000`
        expect(yield* turns).toBe(1)
        const left = yield* sql<{
          readonly address: string
        }>`SELECT address FROM effect_translate_job_workers`
        expect(left.map(({ address }) => address)).not.toContain("10.0.0.7:1")
        expect(left.map(({ address }) => address)).toContain("10.0.0.8:1")
        yield* jobs.removeWorker("10.0.0.8:1")
      }))

    test("workers learn from each other, and forget the size of a body after a day", () =>
      Effect.gen(function* () {
        const jobs = yield* Jobs
        const sql = yield* SqlClient.SqlClient
        const service = "https://service"
        yield* jobs.mergeLimits(service, { accepted: [1, 2], maxBytes: { "/v2/translate": 1000 } })
        const all = yield* jobs.mergeLimits(service, {
          accepted: [3],
          maxBytes: { "/v2/translate": 900, "/v2/write": 5 }
        })
        expect(new Set(all.accepted)).toEqual(new Set([1, 2, 3]))
        expect(all.maxBytes).toEqual({ "/v2/translate": 900, "/v2/write": 5 })
        const greater = { accepted: [], maxBytes: { "/v2/translate": 1000 } }
        expect((yield* jobs.mergeLimits(service, greater)).maxBytes).toEqual(all.maxBytes)
        yield* sql`UPDATE effect_translate_job_limits SET learned_at = learned_at - 86400000 WHERE name = '/v2/translate'`
        const later = yield* jobs.mergeLimits(service, { accepted: [], maxBytes: {} })
        expect(later.maxBytes).toEqual({ "/v2/write": 5 })
        expect((yield* jobs.mergeLimits(service, greater)).maxBytes["/v2/translate"]).toBe(1000)
        const many = Array.from({ length: 1500 }, (_, n) => n)
        expect((yield* jobs.mergeLimits(service, { accepted: many, maxBytes: {} })).accepted).toHaveLength(
          1000
        )
        expect((yield* jobs.mergeLimits("another", { accepted: [], maxBytes: {} })).accepted).toEqual([])
      }))
  })
