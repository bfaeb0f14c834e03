/** A worker that removes old data, and one whose tables another version has made anew. */
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { TranslationStore } from "effect-translate"
import { JobControl, type JobControlError } from "effect-translate/workflow"
import { bench, billed, done, ended, products, requests, withEmulator } from "./jobs.js"

/** Waits until something holds. */
const until = <E, R>(condition: Effect.Effect<boolean, E, R>) =>
  Effect.repeat(condition, { until: (holds) => holds, schedule: Schedule.spaced("50 millis") })

const jobs = Effect.flatMap(JobControl.JobControl, ({ list }) =>
  Effect.map(list(), ({ counts }) => counts.all)
)

const stats = Effect.flatMap(TranslationStore.TranslationStore, ({ stats }) => stats)

describe("old data", () => {
  it.scopedLive(
    "is removed by a worker that is told how long to keep it; translations stay, and are not paid again",
    () =>
      Effect.gen(function* () {
        const { folder, jobOver, worker } = yield* bench({ files: { "products.csv": products(100) } })
        const job = yield* jobOver("products.csv")
        const first = yield* Effect.gen(function* () {
          expect((yield* done(job)).state).toBe("done")
          return [yield* stats, yield* billed] as const
        }).pipe(Effect.provide(worker))
        expect(first[0].attempts.answered.attempts).toBeGreaterThan(0)

        const keeping = yield* bench({ folder, keep: "1 hour" })
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* until(Effect.map(sql`SELECT 1 FROM effect_translate_job_upkeep`, (rows) => rows.length > 0))
          expect(yield* jobs).toBe(1)
          yield* sql`DELETE FROM effect_translate_job_upkeep`
        }).pipe(Effect.provide(keeping.worker))

        const removing = yield* bench({ folder, keep: 0 })
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* until(Effect.map(jobs, (left) => left === 0))
          yield* until(Effect.map(stats, ({ attempts }) => attempts.answered.attempts === 0))
          expect((yield* stats).translations).toBe(first[0].translations)
          expect((yield* done(job)).state).toBe("done")
          expect(yield* billed).toBe(first[1])
          yield* sql`DELETE FROM effect_translate_job_upkeep`
        }).pipe(Effect.provide(removing.worker))

        const forgetting = yield* bench({ folder, keepTranslations: 0 })
        yield* Effect.gen(function* () {
          yield* until(Effect.map(stats, ({ translations }) => translations === 0))
          expect(yield* jobs).toBe(1)
        }).pipe(Effect.provide(forgetting.worker))
      }).pipe(withEmulator())
  )
})

describe("a worker whose tables are another version's", () => {
  it.scopedLive(
    "draws nothing more, finishes requests in flight, and says so; nothing is paid twice after that",
    () =>
      Effect.gen(function* () {
        const told = yield* Deferred.make<JobControlError.JobsVersionUnknown>()
        const files = { "products.csv": products(2000) }
        const { folder, jobOver, worker } = yield* bench({
          files,
          concurrency: 1,
          onOutdated: (error) => Effect.asVoid(Deferred.succeed(told, error))
        })
        const job = yield* jobOver("products.csv")
        const [version, sent] = yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const { submit } = yield* JobControl.JobControl
          yield* submit(job)
          yield* until(Effect.map(requests, (sent) => sent > 2))
          const [row] = yield* sql<{
            readonly version: number
          }>`SELECT version FROM effect_translate_job_version`
          yield* sql`UPDATE effect_translate_job_version SET version = 99`
          expect(yield* Deferred.await(told)).toMatchObject({ _tag: "JobsVersionUnknown", version: 99 })
          const sent = yield* requests
          yield* submit({ ...job, id: "next" })
          const [{ seen }] =
            (yield* sql`SELECT max(leased_until) AS seen FROM effect_translate_job_workers`) as [
              { readonly seen: number }
            ]
          expect(yield* sql`SELECT max(leased_until) AS seen FROM effect_translate_job_workers`).toEqual([
            { seen }
          ])
          const { attempts } = yield* stats
          expect([attempts.inFlight.attempts, attempts.unknown.attempts]).toEqual([0, 0])
          yield* sql`UPDATE effect_translate_job_version SET version = ${row!.version}`
          return [row!.version, sent] as const
        }).pipe(Effect.provide(worker))
        expect(version).toBeGreaterThan(1)
        expect(yield* requests).toBe(sent)

        const next = yield* bench({ folder })
        yield* Effect.gen(function* () {
          expect((yield* ended("catalogue")).state).toBe("done")
          const { attempts } = yield* stats
          expect(yield* billed).toBe(attempts.answered.characters)
        }).pipe(Effect.provide(next.worker))
      }).pipe(withEmulator({ latency: "100 millis" }))
  )
})
