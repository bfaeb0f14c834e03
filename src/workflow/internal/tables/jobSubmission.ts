import type * as SqlClient from "@effect/sql/SqlClient"
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { canonicalJson } from "../../../internal/hash.js"
import * as SqlLease from "../../../sql/SqlLease.js"
import * as CorpusJob from "../../CorpusJob.js"
import { JobConflict, type JobControlError, JobNotFound, JobStateError } from "../../JobControlError.js"
import { encodeJob } from "../encodeJob.js"
import type * as JobControl from "./jobControlModels.js"
import * as jobList from "./jobList.js"
import * as jobPurge from "./jobPurge.js"
import * as Tables from "./jobSchema.js"
import * as jobStatuses from "./jobStatuses.js"
import * as statusWatch from "./statusWatch.js"

/** The text by which two submissions are compared. */
const specOf = (job: CorpusJob.CorpusJob) => Effect.map(encodeJob(job), canonicalJson)

/** The parts of a job that change translations. */
const workOf = (spec: string): string => {
  const { batchTexts: _, budget: _1, budgetName: _2, pricePerMillion: _3, ...work } = JSON.parse(spec)
  return canonicalJson(work)
}

/** True if a submission is answered by the generation that is there. */
const stays = (
  job: CorpusJob.CorpusJob,
  spec: string,
  [last, ended]: readonly [string, CorpusJob.State | null]
) => {
  if (ended === null)
    return last === spec ? Effect.succeed(true) : Effect.fail(new JobConflict({ id: job.id }))
  return Effect.succeed(ended === "done" && workOf(last) === workOf(spec))
}

const submitOf =
  (tables: Tables.Tables, status: JobControl.Service["status"]): JobControl.Service["submit"] =>
  (job) =>
    Effect.gen(function* () {
      const {
        dialect: { now, number },
        query
      } = tables
      const spec = yield* specOf(job)
      const budget = job.budgetName ?? job.id
      // Locks the job, also before there is one.
      yield* query(
        "INSERT INTO effect_translate_job_generations VALUES ($1, 0) ON CONFLICT (job) DO UPDATE SET job = excluded.job",
        [job.id]
      )
      const [last] = yield* query<[string, CorpusJob.State | null]>(
        "SELECT spec, ended FROM effect_translate_jobs WHERE job = $1 AND is_last = 1",
        [job.id]
      )
      if (last !== undefined && (yield* stays(job, spec, last))) return
      const [next] = yield* query<[number]>(
        `UPDATE effect_translate_job_generations SET generation = generation + 1 WHERE job = $1 RETURNING ${number("generation")}`,
        [job.id]
      )
      yield* query("UPDATE effect_translate_jobs SET is_last = 0 WHERE job = $1 AND is_last = 1", [job.id])
      yield* query(
        `INSERT INTO effect_translate_jobs (job, generation, is_last, spec, budget, told, waits, submitted_at)
          VALUES ($1, $2, 1, $3, $4, 'run', 0, ${now})`,
        [job.id, next![0], spec, budget]
      )
      yield* query(
        `INSERT INTO effect_translate_job_budgets VALUES ($1, $2, 0, 0)
          ON CONFLICT (name) DO UPDATE SET cap = excluded.cap`,
        [budget, job.budget ?? null]
      )
    }).pipe(tables.transaction, Tables.unavailable, Effect.zipRight(status(job.id)))

const again = "submit it again to translate the rest."

/** The error of a command that can't be done in such a state, with advice. */
const refused = (what: "paused" | "resumed" | "cancelled", { id, state }: CorpusJob.Status) =>
  new JobStateError({
    id,
    state,
    message:
      state === "cancelling"
        ? `The job ${JSON.stringify(id)} is being cancelled and can't be ${what}: wait for its end, then ${again}`
        : `The job ${JSON.stringify(id)} has ended (${state}) and can't be ${what}: ${
            state === "done"
              ? "submit it with another revision to translate a source that has changed."
              : again
          }`
  })

const commandsOf = (
  { ask, dialect: { now } }: Tables.Tables,
  status: JobControl.Service["status"]
): Pick<JobControl.Service, "pause" | "resume" | "cancel"> => {
  const update = (id: string, text: string) =>
    ask(`UPDATE effect_translate_jobs SET ${text} WHERE job = $1 AND is_last = 1 AND ended IS NULL`, [id])
  const allowed = (
    id: string,
    what: Parameters<typeof refused>[0],
    isAllowed: (state: CorpusJob.State) => boolean
  ) =>
    Effect.flatMap(status(id), (found) =>
      isAllowed(found.state) ? Effect.succeed(found) : Effect.fail(refused(what, found))
    )
  const isOpen = (state: CorpusJob.State) => !CorpusJob.isEnded({ state }) && state !== "cancelling"
  return {
    pause: (id) =>
      Effect.zipRight(
        update(id, "told = CASE WHEN told = 'cancel' THEN told ELSE 'pause' END"),
        allowed(id, "paused", isOpen)
      ),
    resume: (id) =>
      Effect.zipRight(
        update(
          id,
          "told = CASE WHEN told = 'cancel' THEN told ELSE 'run' END, waiting_reason = NULL, waiting_until = NULL, waits = 0"
        ),
        allowed(id, "resumed", isOpen)
      ),
    // No worker has begun a job that is not started: nobody else would end it.
    cancel: (id) =>
      Effect.zipRight(
        update(
          id,
          `told = 'cancel', ended = CASE WHEN started_at IS NULL THEN 'cancelled' END,
            ended_at = CASE WHEN started_at IS NULL THEN ${now} END`
        ),
        allowed(id, "cancelled", (state) => state !== "done" && state !== "failed")
      )
  }
}

const failuresAtOnce = 500

const decodeFailure = Schema.decodeUnknownOption(Schema.parseJson(CorpusJob.Failure))

/** A page after another, by where the last one has ended. */
const failuresOf =
  (
    { ask, dialect: { number } }: Tables.Tables,
    status: JobControl.Service["status"]
  ): JobControl.Service["failures"] =>
  (id) => {
    type Found = readonly [step: number, number: number, failure: string]
    const page = `SELECT ${number("step")}, ${number("number")}, failure FROM effect_translate_job_failures f
      WHERE job = $1 AND generation = $2 AND (step, number) > (CAST($3 AS bigint), CAST($4 AS bigint))
      ORDER BY f.step, f.number LIMIT ${failuresAtOnce}`
    const pages = (generation: number) =>
      Stream.paginateChunkEffect([-1, -1] as readonly [number, number], ([step, number]) =>
        Effect.map(ask<Found>(page, [id, generation, step, number]), (rows) => {
          const last = rows[failuresAtOnce - 1]
          return [
            Chunk.unsafeFromArray(rows.flatMap(([, , failure]) => Option.toArray(decodeFailure(failure)))),
            last === undefined ? Option.none() : Option.some([last[0], last[1]] as const)
          ] as const
        })
      )
    return Stream.unwrap(Effect.map(status(id), ({ generation }) => pages(generation)))
  }

/** Workers that were not heard of for an hour are not shown any more. */
const hour = 60 * 60 * 1000

const workersOf = ({ ask, dialect: { now, number } }: Tables.Tables): JobControl.Service["workers"] =>
  Effect.map(
    ask<[string, string, number, number, number, CorpusJob.Worker["state"]]>(
      `SELECT address, version, ${number("started_at")}, ${number("leased_until")}, ${number("in_flight")},
          CASE WHEN ${SqlLease.hasEnded(now, "leased_until")} THEN 'lost' ELSE state END
          FROM effect_translate_job_workers WHERE leased_until > ${now} - ${hour} ORDER BY started_at, address`
    ),
    (rows) =>
      rows.map(([address, version, startedAt, leasedUntil, inFlight, state]) => ({
        address,
        version,
        startedAt: DateTime.unsafeMake(startedAt),
        seenAt: DateTime.unsafeMake(leasedUntil - Duration.toMillis(SqlLease.duration)),
        inFlight,
        state
      }))
  )

const purgeOf =
  (tables: Tables.Tables, status: JobControl.Service["status"]): JobControl.Service["purge"] =>
  (options = {}) =>
    Effect.gen(function* () {
      const found = options.id === undefined ? undefined : yield* status(options.id)
      if (found !== undefined && !CorpusJob.isEnded(found)) {
        const { id, state } = found
        return yield* new JobStateError({
          id,
          state,
          message: `The job ${JSON.stringify(id)} has not ended (${state}) and can't be purged: wait for its end, or cancel it.`
        })
      }
      return yield* Tables.unavailable(jobPurge.run(tables, options))
    })

/** Control of the jobs of a database. */
export const make: Effect.Effect<JobControl.Service, JobControlError, SqlClient.SqlClient> = Effect.map(
  Tables.make,
  (tables) => {
    const status: JobControl.Service["status"] = (id) =>
      Effect.flatMap(
        jobStatuses.read(tables, [id]),
        ([found]): Effect.Effect<CorpusJob.Status, JobControlError> =>
          found === undefined ? Effect.fail(new JobNotFound({ id })) : Effect.succeed(found)
      )
    return {
      submit: submitOf(tables, status),
      status,
      list: jobList.listOf(tables),
      watch: statusWatch.make(status),
      failures: failuresOf(tables, status),
      ...commandsOf(tables, status),
      purge: purgeOf(tables, status),
      workers: workersOf(tables)
    }
  }
)
