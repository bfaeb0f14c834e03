import type * as SqlClient from "@effect/sql/SqlClient"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Reason } from "../../../job/JobReport.js"
import * as SqlLease from "../../../sql/SqlLease.js"
import type * as Verification from "../../../stream/Verification.js"
import * as CorpusJob from "../../CorpusJob.js"
import { type JobControlError, JobNotFound, JobsUnavailable } from "../../JobControlError.js"
import * as limits from "../limit/limitsSql.js"
import * as budgets from "./budgetsSql.js"
import * as jobPurge from "./jobPurge.js"
import * as Tables from "./jobSchema.js"
import {
  type Active,
  type FirstAnswers,
  type Fit,
  type Generation,
  Jobs,
  type Lifecycle,
  type Plan,
  type Service,
  type Step,
  type Steps,
  type Workers
} from "./jobTables.js"
import * as tallies from "./tallies.js"

type Ids = readonly [job: string, generation: number]

const idsOf = ({ generation, id }: Generation): Ids => [id, generation]

/** Finds the rows of a generation. */
const ofJob = "job = $1 AND generation = $2"

const encodeFailures = Schema.encodeSync(Schema.Array(CorpusJob.Failure))

/** Decodes a stored job. Only another program can have written something else there. */
export const decodeJob = (spec: string): Effect.Effect<CorpusJob.CorpusJob, JobsUnavailable> =>
  Effect.mapError(
    Schema.decode(Schema.parseJson(CorpusJob.CorpusJob))(spec),
    () => new JobsUnavailable({ code: "INVALID_JOB" })
  )

/** PostgreSQL refuses U+0000, which a name in a message may have: nothing could be told of such a job. */
const storable = (text: string | undefined): string | null => text?.replaceAll("\u0000", "\ufffd") ?? null

const listActiveOf = ({ ask, dialect: { now, number } }: Tables.Tables): Service["listActive"] => {
  const waits = `waiting_until > ${now}`
  const statement = `SELECT job, ${number("generation")}, started_at IS NOT NULL, told,
    CASE WHEN ${waits} THEN waiting_reason END, CASE WHEN ${waits} THEN ${number("waiting_until")} END
    FROM effect_translate_jobs WHERE ended IS NULL ORDER BY submitted_at, job`
  type Found = readonly [
    string,
    number,
    boolean | number,
    Active["desired"],
    CorpusJob.Waiting["reason"] | null,
    number | null
  ]
  return Effect.map(ask<Found>(statement), (rows) =>
    rows.map(([id, generation, isStarted, desired, reason, until]) => ({
      id,
      generation,
      isStarted: isStarted === true || isStarted === 1,
      desired,
      waiting: reason === null || until === null ? undefined : { reason, until: DateTime.unsafeMake(until) }
    }))
  )
}

const lifecycleOf = (tables: Tables.Tables): Lifecycle => {
  const {
    ask,
    dialect: { forUpdate, now, number },
    query,
    transaction
  } = tables
  const load: Lifecycle["load"] = (job) =>
    Effect.flatMap(
      ask<[string]>(`SELECT spec FROM effect_translate_jobs WHERE ${ofJob}`, idsOf(job)),
      (rows): Effect.Effect<CorpusJob.CorpusJob, JobControlError> =>
        rows[0] === undefined ? Effect.fail(new JobNotFound({ id: job.id })) : decodeJob(rows[0][0])
    )
  const update = (job: Generation, text: string, ...params: ReadonlyArray<Tables.Param>) =>
    Effect.map(
      ask(`UPDATE effect_translate_jobs SET ${text} AND ${ofJob} AND ended IS NULL RETURNING 1`, [
        ...idsOf(job),
        ...params
      ]),
      (rows) => rows.length > 0
    )
  /** Several machines find out about the same time: that counts as one wait, up to the latest of their times. */
  const wait: Lifecycle["wait"] = (job, { reason, until }) =>
    Effect.gen(function* () {
      const [row] = yield* query<[number, number]>(
        `SELECT ${number("waits")}, ${number(`CASE WHEN waiting_until > ${now} THEN waiting_until ELSE 0 END`)}
          FROM effect_translate_jobs WHERE ${ofJob} AND ended IS NULL ${forUpdate}`,
        idsOf(job)
      )
      if (row === undefined) return 0
      const [waits, waitsUntil] = row
      const next = waitsUntil === 0 ? waits + 1 : Math.max(waits, 1)
      const given = DateTime.toEpochMillis(until)
      if (given > waitsUntil) {
        yield* query(
          `UPDATE effect_translate_jobs SET waiting_reason = $3, waiting_until = $4, waits = $5 WHERE ${ofJob}`,
          [...idsOf(job), reason, given, next]
        )
      }
      return next
    }).pipe(transaction, Tables.unavailable)
  return {
    listActive: listActiveOf(tables),
    load,
    start: (job, execution) =>
      update(job, `execution = $3, started_at = COALESCE(started_at, ${now}) WHERE 1 = 1`, execution),
    wait,
    resetWaits: (job) =>
      update(job, `waits = 0 WHERE waits > 0 AND (waiting_until IS NULL OR waiting_until <= ${now})`),
    end: (job, state, error) =>
      update(
        job,
        `ended = $3, ended_at = ${now}, error_tag = $4, error_message = $5 WHERE 1 = 1`,
        state,
        storable(error?.tag),
        storable(error?.message)
      )
  }
}

/** A step as a parameter: the JSON of its row is a text in it. */
const encodeStep = ({ kind, slice, sources, texts }: Step) => ({
  kind,
  sources: Tables.json(sources),
  slice: slice === undefined ? null : Tables.json(slice),
  texts,
  outputs: kind === "slice" ? 0 : sources.length
})

/** The number of rows in one statement. */
const chunk = 1000

const chunksOf = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / chunk) }, (_, n) => items.slice(n * chunk, (n + 1) * chunk))

const plansOf = ({ ask, dialect: { elements, forUpdate, number }, query, transaction }: Tables.Tables) => {
  const stored = (job: Generation) =>
    Effect.map(
      query<[number, number]>(
        `SELECT ${number("COUNT(CASE WHEN s.kind <> 'output' THEN 1 END)")}, ${number("COUNT(s.step)")}
          FROM effect_translate_jobs j LEFT JOIN effect_translate_job_steps s ON s.job = j.job AND s.generation = j.generation
          WHERE j.job = $1 AND j.generation = $2 AND j.texts IS NOT NULL GROUP BY j.job`,
        idsOf(job)
      ),
      (rows) => Option.map(Option.fromNullable(rows[0]), ([first, steps]): Plan => ({ first, steps }))
    )
  const insert = `INSERT INTO effect_translate_job_steps
    SELECT j.job, j.generation, CAST($3 AS bigint) + e.i, e.value ->> 'kind', e.value ->> 'sources', e.value ->> 'slice',
      CAST(e.value ->> 'texts' AS bigint), CAST(e.value ->> 'outputs' AS bigint), 0, 0, NULL, NULL, '{}'
    FROM effect_translate_jobs j CROSS JOIN ${elements("$4")} WHERE ${ofJob}`
  const storePlan: Steps["storePlan"] = (job, { sources, steps, texts }) =>
    Effect.gen(function* () {
      const ids = idsOf(job)
      yield* query(`SELECT 1 FROM effect_translate_jobs WHERE ${ofJob} ${forUpdate}`, ids)
      const before = yield* stored(job)
      if (Option.isSome(before)) return before.value
      yield* Effect.forEach(
        chunksOf(steps),
        (some, n) => query(insert, [...ids, n * chunk, Tables.json(some.map(encodeStep))]),
        { discard: true }
      )
      yield* query(`UPDATE effect_translate_jobs SET texts = $3, sources = $4 WHERE ${ofJob}`, [
        ...ids,
        texts,
        sources
      ])
      // None if the job was purged meanwhile.
      return Option.getOrElse(yield* stored(job), () => ({ first: 0, steps: 0 }))
    }).pipe(transaction, Tables.unavailable)
  const findStep: Steps["findStep"] = (job, at) =>
    Effect.map(
      ask<[Step["kind"], string, string | null, number, number, number, string | null, string]>(
        `SELECT kind, sources, slice, ${number("texts")}, ${number("is_done")}, ${number("failed_outputs")}, error, tallies
            FROM effect_translate_job_steps WHERE ${ofJob} AND step = $3`,
        [...idsOf(job), at]
      ),
      (rows) =>
        Option.map(
          Option.fromNullable(rows[0]),
          ([kind, sources, slice, texts, isDone, failedOutputs, error, stored]) => ({
            kind,
            sources: JSON.parse(sources) as ReadonlyArray<string>,
            slice: slice === null ? undefined : (JSON.parse(slice) as unknown),
            texts,
            isDone: isDone === 1,
            failedOutputs,
            error: error === null ? undefined : (JSON.parse(error) as Reason),
            tallies: tallies.decode(stored)
          })
        )
    )
  return { findPlan: (job: Generation) => Tables.unavailable(stored(job)), storePlan, findStep }
}

const resultsOf = ({ ask, dialect: { elements, soon }, query, transaction }: Tables.Tables) => {
  const update = `UPDATE effect_translate_job_steps SET is_done = $4, failed_outputs = $5, error = $6, tallies = $7, selections = $8
    WHERE ${ofJob} AND step = $3 AND is_done = 0 RETURNING ${soon}`
  const insertFailures = `INSERT INTO effect_translate_job_failures
    SELECT CAST($1 AS text), CAST($2 AS bigint), CAST($3 AS bigint), CAST($4 AS bigint) + e.i, CAST(e.value AS text)
    FROM ${elements("$5")} WHERE 1 = 1`
  const recordProgress: Steps["recordProgress"] = (job, step, found) =>
    Effect.asVoid(
      ask(update, [...idsOf(job), step, 0, 0, null, tallies.encode(tallies.withoutFailed(found)), null])
    )
  const recordResult: Steps["recordResult"] = (
    job,
    step,
    { error, failedOutputs, failures, fits = [], tallies: found }
  ) => {
    const ids = idsOf(job)
    const done = query(update, [
      ...ids,
      step,
      1,
      failedOutputs,
      error === undefined ? null : Tables.json(error),
      tallies.encode(found),
      fits.length === 0 ? null : Tables.json(fits)
    ])
    if (failures.length === 0) return Effect.asVoid(Tables.unavailable(done))
    const insert = Effect.forEach(
      chunksOf(encodeFailures(failures)),
      (some, n) => query(insertFailures, [...ids, step, n * chunk, Tables.json(some)]),
      { discard: true }
    )
    return Effect.flatMap(done, (rows) => (rows.length === 0 ? Effect.void : insert)).pipe(
      transaction,
      Tables.unavailable
    )
  }
  const listFits: Steps["listFits"] = (job) =>
    Effect.map(
      ask<[string]>(
        `SELECT DISTINCT selections FROM effect_translate_job_steps WHERE ${ofJob} AND selections IS NOT NULL`,
        idsOf(job)
      ),
      (rows) => rows.flatMap(([stored]) => JSON.parse(stored) as ReadonlyArray<Fit>)
    )
  return { recordProgress, recordResult, listFits }
}

const firstAnswersOf = ({ ask, dialect: { now, number } }: Tables.Tables): FirstAnswers => {
  const isThere = `EXISTS (SELECT 1 FROM effect_translate_job_workers
    WHERE address = judge AND NOT ${SqlLease.hasEnded(now, "leased_until")})`
  return {
    take: (job, worker) =>
      Effect.map(
        ask(
          `UPDATE effect_translate_jobs SET judge = $3
            WHERE ${ofJob} AND (judge IS NULL OR judge = $3 OR NOT ${isThere}) RETURNING 1`,
          [...idsOf(job), worker]
        ),
        (rows) => rows.length > 0
      ),
    give: (job, worker, known) =>
      Effect.asVoid(
        ask(
          `UPDATE effect_translate_jobs SET judge = NULL, first_answers = $4 WHERE ${ofJob} AND judge = $3`,
          [...idsOf(job), worker, known === undefined ? null : Tables.json(known)]
        )
      ),
    look: (job) =>
      Effect.map(
        ask<[string | null, number]>(
          `SELECT first_answers, ${number(`(SELECT COUNT(*) FROM effect_translate_job_steps s
            WHERE s.job = $1 AND s.generation = $2 AND is_done = 0 AND kind <> 'output')`)}
            FROM effect_translate_jobs WHERE ${ofJob}`,
          idsOf(job)
        ),
        ([[stored, steps] = [null, 0]]) => ({
          known: stored === null ? undefined : (JSON.parse(stored) as Verification.KnownAnswers),
          steps
        })
      )
  }
}

/** The time for which dead workers are listed, in milliseconds. */
const dayOfWorkers = 24 * 60 * 60 * 1000

const workersOf = (tables: Tables.Tables): Workers => {
  const { ask, dialect, query } = tables
  const workers = SqlLease.rows(dialect, "effect_translate_job_workers")
  const values = {
    address: "CAST($1 AS text)",
    version: "CAST($2 AS text)",
    started_at: "CAST($3 AS bigint)",
    in_flight: "CAST($4 AS bigint)",
    state: "CAST($5 AS text)"
  }
  const from = `FROM ${Tables.versionTable} WHERE version = ${Tables.version}`
  const heartbeats = [
    `${SqlLease.renew(workers, `address = $1 AND EXISTS (SELECT 1 ${from})`, values)} RETURNING ${dialect.soon}`,
    `${SqlLease.acquire(workers, { key: "address", values, from })} ${dialect.soon}`
  ]
  const checked = Tables.checkVersion(tables)
  const hourly = SqlLease.rows(dialect, "effect_translate_job_upkeep", "1 hour")
  const takeHour = `${SqlLease.acquire(hourly, { key: "id", values: { id: "1" } })} 1`
  const areOld = SqlLease.hasEnded(`${dialect.now} - ${dayOfWorkers}`, "leased_until")
  return {
    countWorkers: Effect.map(
      ask(
        `SELECT 1 FROM effect_translate_job_workers WHERE NOT ${SqlLease.hasEnded(dialect.now, "leased_until")} AND state = 'running'`
      ),
      (rows) => rows.length
    ),
    heartbeat: (address, { inFlight, startedAt, state, version }) => {
      const params = [address, version, DateTime.toEpochMillis(startedAt), inFlight, state]
      return Effect.exists(heartbeats, (statement) =>
        Effect.map(query(statement, params), (found) => found.length > 0)
      ).pipe(
        Effect.tapError(() => checked),
        Effect.flatMap((isRecorded) => (isRecorded ? Effect.void : checked)),
        Tables.unavailable
      )
    },
    removeWorker: (address) =>
      Effect.asVoid(ask("DELETE FROM effect_translate_job_workers WHERE address = $1", [address])),
    takeUpkeep: Effect.gen(function* () {
      const taken = yield* query(takeHour)
      if (taken.length === 0) return false
      yield* query(`DELETE FROM effect_translate_job_workers WHERE ${areOld}`)
      return true
    }).pipe(Tables.unavailable)
  }
}

/** The state of jobs for workers, in the tables. */
export const make: Effect.Effect<Service, JobControlError, SqlClient.SqlClient> = Effect.map(
  Tables.make,
  (tables) => ({
    ...lifecycleOf(tables),
    ...plansOf(tables),
    ...resultsOf(tables),
    ...workersOf(tables),
    ...jobPurge.journalsOf(tables),
    firstAnswers: firstAnswersOf(tables),
    mergeLimits: limits.mergeLimitsOf(tables),
    openBudget: ({ budgetName, id }) =>
      Tables.unavailable(budgets.of(tables, budgetName ?? id, { _tag: "Stored" })),
    now: Effect.map(tables.ask<[number]>(`SELECT ${tables.dialect.number(tables.dialect.now)}`), (rows) =>
      DateTime.unsafeMake(rows[0]?.[0] ?? 0)
    )
  })
)

/** A layer of {@link make}, which makes the tables if they are missing. */
export const layer: Layer.Layer<Jobs, JobControlError, SqlClient.SqlClient> = Layer.effect(Jobs, make)
