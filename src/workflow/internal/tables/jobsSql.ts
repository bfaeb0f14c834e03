import type * as SqlClient from "@effect/sql/SqlClient"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Texts } from "../../../stream/Outcome.js"
import * as CorpusJob from "../../CorpusJob.js"
import { type JobControlError, JobNotFound, JobsUnavailable } from "../../JobControlError.js"
import * as limits from "../limit/limitsSql.js"
import * as budgets from "./budgetsSql.js"
import * as Tables from "./jobSchema.js"
import { type Active, type Generation, Jobs, type Service, type Shard, type Step } from "./jobTables.js"
import * as tallies from "./tallies.js"

type Ids = readonly [job: string, generation: number]

const idsOf = ({ generation, id }: Generation): Ids => [id, generation]

/** Finds the rows of a generation. */
const ofJob = "job = $1 AND generation = $2"

const encodeFailures = Schema.encodeSync(Schema.Array(CorpusJob.Failure))

/** What is stored of a job. Only another program can have written something else there. */
export const decodeJob = (spec: string): Effect.Effect<CorpusJob.CorpusJob, JobsUnavailable> =>
  Effect.mapError(
    Schema.decode(Schema.parseJson(CorpusJob.CorpusJob))(spec),
    () => new JobsUnavailable({ code: "INVALID_JOB" })
  )

/** Jobs that have not ended, and what they were told. */
const activeOf = ({ dialect: { now, number }, query }: Tables.Tables): Service["active"] => {
  const waits = `waiting_until > ${now}`
  const statement = `SELECT job, ${number("generation")}, started_at IS NOT NULL, told,
    CASE WHEN ${waits} THEN waiting_reason END, CASE WHEN ${waits} THEN ${number("waiting_until")} END
    FROM effect_translate_jobs WHERE ended IS NULL ORDER BY submitted_at, job`
  type Found = readonly [
    string,
    number,
    boolean | number,
    Active["told"],
    CorpusJob.Waiting["reason"] | null,
    number | null
  ]
  return Effect.map(Tables.unavailable(query<Found>(statement)), (rows) =>
    rows.map(([id, generation, isStarted, told, reason, until]) => ({
      id,
      generation,
      isStarted: isStarted === true || isStarted === 1,
      told,
      waiting: reason === null || until === null ? undefined : { reason, until: DateTime.unsafeMake(until) }
    }))
  )
}

/** What happens to a job as one thing: it is loaded, started, waits, and ends. */
const lifeOf = ({ dialect: { forUpdate, now, number }, query, transaction }: Tables.Tables) => {
  const load: Service["load"] = (job) =>
    Effect.flatMap(
      Tables.unavailable(
        query<[string]>(`SELECT spec FROM effect_translate_jobs WHERE ${ofJob}`, idsOf(job))
      ),
      (rows): Effect.Effect<CorpusJob.CorpusJob, JobControlError> =>
        rows[0] === undefined ? Effect.fail(new JobNotFound({ id: job.id })) : decodeJob(rows[0][0])
    )
  const update = (job: Generation, text: string, ...params: ReadonlyArray<Tables.Param>) =>
    Effect.map(
      Tables.unavailable(
        query(`UPDATE effect_translate_jobs SET ${text} AND ${ofJob} AND ended IS NULL RETURNING 1`, [
          ...idsOf(job),
          ...params
        ])
      ),
      (rows) => rows.length > 0
    )
  /** Several machines find out about the same time: that counts as one wait, up to the latest of their times. */
  const wait: Service["wait"] = (job, { reason, until }) =>
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
    load,
    wait,
    started: (job: Generation, execution: string) =>
      update(job, `execution = $3, started_at = COALESCE(started_at, ${now}) WHERE 1 = 1`, execution),
    planned: (job: Generation, { sources, texts }: { readonly texts: number; readonly sources: number }) =>
      update(job, "texts = $3, sources = $4 WHERE 1 = 1", texts, sources),
    proceeded: (job: Generation) =>
      update(job, `waits = 0 WHERE waits > 0 AND (waiting_until IS NULL OR waiting_until <= ${now})`),
    ended: (job: Generation, state: string, error?: { readonly tag: string; readonly message: string }) =>
      update(
        job,
        `ended = $3, ended_at = ${now}, error_tag = $4, error_message = $5 WHERE 1 = 1`,
        state,
        error?.tag ?? null,
        error?.message ?? null
      )
  }
}

/** The shards of a job, and their steps before they are done. */
const planOf = ({ dialect: { forUpdate }, query, transaction }: Tables.Tables) => {
  /** Once something of it is recorded, the plan was made to its end: who forgets it then was stopped for long. */
  const unplan: Service["unplan"] = (job) =>
    Effect.gen(function* () {
      yield* query(`SELECT 1 FROM effect_translate_jobs WHERE ${ofJob} ${forUpdate}`, idsOf(job))
      const begun = yield* query(
        `SELECT 1 WHERE EXISTS (SELECT 1 FROM effect_translate_job_steps WHERE ${ofJob})
          OR EXISTS (SELECT 1 FROM effect_translate_job_shards WHERE ${ofJob} AND is_closed = 1)`,
        idsOf(job)
      )
      if (begun.length > 0) return
      yield* query(`DELETE FROM effect_translate_job_shards WHERE ${ofJob}`, idsOf(job))
      yield* query(`UPDATE effect_translate_jobs SET texts = NULL, sources = NULL WHERE ${ofJob}`, idsOf(job))
    }).pipe(transaction, Tables.unavailable)
  const addShard: Service["addShard"] = (job, { execution, number, steps }: Shard) =>
    Effect.asVoid(
      Tables.unavailable(
        query(
          `INSERT INTO effect_translate_job_shards
            SELECT job, generation, CAST($3 AS bigint), CAST($4 AS text), CAST($5 AS text), 0, 0, 0, 0, '{}'
            FROM effect_translate_jobs WHERE ${ofJob}
            ON CONFLICT (job, generation, shard) DO NOTHING`,
          [...idsOf(job), number, execution, Tables.json(steps)]
        )
      )
    )
  const steps: Service["steps"] = (job, shard) =>
    Effect.map(
      Tables.unavailable(
        query<[string]>(`SELECT steps FROM effect_translate_job_shards WHERE ${ofJob} AND shard = $3`, [
          ...idsOf(job),
          shard
        ])
      ),
      (rows) => (rows[0] === undefined ? [] : (JSON.parse(rows[0][0]) as ReadonlyArray<Step>))
    )
  return { unplan, addShard, steps }
}

/** How many failures are in one statement. */
const chunk = 1000

const chunksOf = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / chunk) }, (_, n) => items.slice(n * chunk, (n + 1) * chunk))

/** What became of a step. */
const recordOf = ({ dialect: { elements, soon }, query, transaction }: Tables.Tables): Service["record"] => {
  const insertStep = `INSERT INTO effect_translate_job_steps
    SELECT job, generation, shard, CAST($4 AS bigint), CAST($5 AS text), CAST($6 AS bigint), CAST($7 AS bigint), CAST($8 AS text)
    FROM effect_translate_job_shards WHERE ${ofJob} AND shard = $3 AND is_closed = 0
    ON CONFLICT (job, generation, shard, step) DO NOTHING RETURNING ${soon}`
  const insertFailures = `INSERT INTO effect_translate_job_failures
    SELECT CAST($1 AS text), CAST($2 AS bigint), CAST($3 AS text), CAST($4 AS bigint) + e.i, CAST(e.value AS text)
    FROM ${elements("$5")} WHERE 1 = 1
    ON CONFLICT (job, generation, source, number) DO NOTHING`
  return (job, { failedOutputs = 0, isWhole, shard, source, step }, found, failures) => {
    const ids = idsOf(job)
    const insert = query(insertStep, [
      ...ids,
      shard,
      step,
      source,
      isWhole ? 1 : 0,
      failedOutputs,
      tallies.encode(found)
    ])
    if (!isWhole || failures.length === 0) return Effect.asVoid(Tables.unavailable(insert))
    const replace = Effect.zipRight(
      query(`DELETE FROM effect_translate_job_failures WHERE ${ofJob} AND source = $3`, [...ids, source]),
      Effect.forEach(
        chunksOf(encodeFailures(failures)),
        (some, n) => query(insertFailures, [...ids, source, n * chunk, Tables.json(some)]),
        { discard: true }
      )
    )
    return Effect.flatMap(insert, (rows) => (rows.length === 0 ? Effect.void : replace)).pipe(
      transaction,
      Tables.unavailable
    )
  }
}

type StepRow = readonly [source: string, isWhole: number, failedOutputs: number, tallies: string]

/** Adds up the steps of a shard: of slices by source, of whole sources together. */
const sumOf = (rows: ReadonlyArray<StepRow>) => {
  const slices = new Map<string, Map<string, Texts>>()
  const wholes = new Map<string, Texts>()
  const sources: Array<string> = []
  let failedOutputs = 0
  for (const [source, isWhole, failed, stored] of rows) {
    if (Number(isWhole) === 1) {
      sources.push(source)
      failedOutputs += failed
      tallies.addStored(wholes, stored)
      continue
    }
    const sum = slices.get(source) ?? new Map<string, Texts>()
    slices.set(source, sum)
    tallies.addStored(sum, stored)
  }
  return { slices, wholes, sources, failedOutputs }
}

const closeOf = ({
  dialect: { elements, list, number },
  query,
  transaction
}: Tables.Tables): Service["closeShard"] => {
  const mark = `UPDATE effect_translate_job_shards SET is_closed = 1 WHERE ${ofJob} AND shard = $3 AND is_closed = 0 RETURNING 1`
  const take = `DELETE FROM effect_translate_job_steps WHERE ${ofJob} AND shard = $3
    RETURNING source, ${number("is_whole")}, ${number("failed_outputs")}, tallies`
  const keepSlices = `INSERT INTO effect_translate_job_slices
    SELECT CAST($1 AS text), CAST($2 AS bigint), e.value ->> 'source', CAST($3 AS bigint), e.value ->> 'tallies'
    FROM ${elements("$4")}`
  const takeSlices = `DELETE FROM effect_translate_job_slices WHERE ${ofJob}
    AND source IN (SELECT value FROM ${list("$3")}) RETURNING tallies`
  const keep = `UPDATE effect_translate_job_shards SET looked = $4, outputs = $5, failed_outputs = $6, tallies = $7 WHERE ${ofJob} AND shard = $3`
  return (job, shard) =>
    Effect.gen(function* () {
      const ids = idsOf(job)
      if ((yield* query(mark, [...ids, shard])).length === 0) return
      const { failedOutputs, slices, sources, wholes } = sumOf(yield* query<StepRow>(take, [...ids, shard]))
      let looked = 0
      const kept = Array.from(slices, ([source, sum]) => {
        looked += tallies.total(sum)
        return { source, tallies: JSON.parse(tallies.encode(Object.fromEntries(sum))) as tallies.Stored }
      })
      if (kept.length > 0) yield* query(keepSlices, [...ids, shard, Tables.json(kept)])
      const before = new Map<string, Texts>()
      if (sources.length > 0) {
        const taken = yield* query<[string]>(takeSlices, [...ids, Tables.json(sources)])
        for (const [stored] of taken) tallies.addStored(before, stored)
      }
      for (const [language, texts] of before) tallies.add(wholes, language, tallies.correction(texts))
      const stored = tallies.encode(Object.fromEntries(wholes))
      yield* query(keep, [...ids, shard, looked, sources.length, failedOutputs, stored])
    }).pipe(transaction, Tables.unavailable)
}

const seenOf = ({ dialect: { now, soon }, query }: Tables.Tables): Service["seen"] => {
  const upsert = `INSERT INTO effect_translate_job_workers VALUES ($1, $2, $3, ${now}, $4, $5)
    ON CONFLICT (address) DO UPDATE SET version = excluded.version, started_at = excluded.started_at,
      seen_at = excluded.seen_at, in_flight = excluded.in_flight, state = excluded.state
    RETURNING ${soon}`
  return (address, worker) =>
    Effect.asVoid(
      Tables.unavailable(
        worker === undefined
          ? query("DELETE FROM effect_translate_job_workers WHERE address = $1", [address])
          : query(upsert, [
              address,
              worker.version,
              DateTime.toEpochMillis(worker.startedAt),
              worker.inFlight,
              worker.state
            ])
      )
    )
}

/** What workers know of jobs, in the tables. */
export const make: Effect.Effect<Service, JobControlError, SqlClient.SqlClient> = Effect.map(
  Tables.make,
  (tables) => ({
    active: activeOf(tables),
    ...lifeOf(tables),
    ...planOf(tables),
    record: recordOf(tables),
    closeShard: closeOf(tables),
    seen: seenOf(tables),
    learn: limits.learnOf(tables),
    budget: ({ budgetName, id }) =>
      Tables.unavailable(budgets.of(tables, budgetName ?? id, { _tag: "Stored" })),
    now: Effect.map(
      Tables.unavailable(tables.query<[number]>(`SELECT ${tables.dialect.number(tables.dialect.now)}`)),
      (rows) => DateTime.unsafeMake(rows[0]?.[0] ?? 0)
    )
  })
)

/** A layer of {@link make}, which makes the tables if they are missing. */
export const layer: Layer.Layer<Jobs, JobControlError, SqlClient.SqlClient> = Layer.effect(Jobs, make)
