import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { CorpusWorkflow, ShardWorkflow } from "../../CorpusWorkflow.js"
import type { PurgeOptions } from "../../JobControl.js"
import * as Tables from "./jobSchema.js"
import { aliveFor } from "./workerTimeout.js"

type Ids = readonly [job: string, generation: number]

/** Executions whose journals are removed in one statement: some 10,000 rows. */
const executionsAtOnce = 20

const rowsAtOnce = 10_000

const ofJob = "job = $1 AND generation = $2"

/** The request that began an execution, as the engine calls it. */
const requestOf = ({ name }: { readonly name: string }, execution: string) =>
  `Workflow/${name}/${execution}/run/`

/**
 * The journal of the engine. Its tables are made by `SqlMessageStorage` of `@effect/cluster`, which has no index of entities (a workflow is
 * one, with the id of its execution), but one of its shards, and one of the names of requests: the request that began an execution knows
 * the shard. Of 200,000 messages on PostgreSQL those of 20 executions are found in 30 ms; without that in 145 ms, by reading all.
 */
const journalOf = ({ dialect, query, transaction }: Tables.Tables) => {
  const messages = `cluster_messages r JOIN cluster_messages m ON m.shard_id = r.shard_id AND m.entity_id = r.entity_id
    WHERE r.message_id IN (SELECT value FROM ${dialect.list("$1")})`
  const mine = `SELECT m.id FROM ${messages}`
  const isThere = Effect.map(
    Effect.all([
      query(dialect.tableExists("cluster_messages")),
      query(dialect.tableExists("cluster_replies"))
    ]),
    (tables) => tables.every((rows) => rows.length > 0)
  )
  const remove = (requests: ReadonlyArray<string>) => {
    const params = [Tables.json(requests)]
    return transaction(
      Effect.zipRight(
        query(`DELETE FROM cluster_replies WHERE request_id IN (${mine})`, params),
        query(`DELETE FROM cluster_messages WHERE id IN (${mine})`, params)
      )
    )
  }
  // An interrupt (2) may have come too late: nobody processes it.
  const isOpen = (request: string) =>
    Effect.map(
      query(`SELECT 1 FROM ${messages} AND m.kind = 0 AND m.processed = ${dialect.no} LIMIT 1`, [
        Tables.json([request])
      ]),
      (rows) => rows.length > 0
    )
  return { isThere, remove, isOpen }
}

const isAnyWorkerAlive = ({ dialect: { now }, query }: Tables.Tables) =>
  Effect.map(
    query(`SELECT 1 FROM effect_translate_job_workers WHERE seen_at > ${now} - ${aliveFor} LIMIT 1`),
    (rows) => rows.length > 0
  )

/** Removes rows until none is left, so many at once. */
const inChunks = ({ query }: Tables.Tables, table: string, keys: string, ids: Ids) =>
  query(
    `DELETE FROM ${table} WHERE ${ofJob} AND (${keys}) IN (SELECT ${keys} FROM ${table} WHERE ${ofJob} LIMIT ${rowsAtOnce}) RETURNING 1`,
    ids
  ).pipe(Effect.repeat({ until: (rows) => rows.length < rowsAtOnce }))

/**
 * Removes a generation, unless a worker is still about it: its execution ends after it, and that of a job that has failed once all that was
 * in flight has come. What the worker wrote then would stay for ever. What is interrupted in between goes on with the next purge: the job
 * itself is removed last.
 */
const generation = (tables: Tables.Tables, hasJournal: boolean, ids: Ids) =>
  Effect.gen(function* () {
    const { dialect, query } = tables
    const journal = journalOf(tables)
    // Not the one of the table: a job that was cancelled while a worker began it has none there.
    const execution = yield* CorpusWorkflow.executionId({ id: ids[0], generation: ids[1] })
    const request = requestOf(CorpusWorkflow, execution)
    if (hasJournal && (yield* journal.isOpen(request)) && (yield* isAnyWorkerAlive(tables))) return false
    const shards = query<[number, string]>(
      `SELECT ${dialect.number("shard")}, execution FROM effect_translate_job_shards WHERE ${ofJob}
        ORDER BY shard LIMIT ${executionsAtOnce}`,
      ids
    ).pipe(
      Effect.tap((rows) => {
        const numbers = [...ids, Tables.json(rows.map(([shard]) => String(shard)))]
        const theirs = `${ofJob} AND shard IN (SELECT CAST(value AS bigint) FROM ${dialect.list("$3")})`
        const requests = rows.map(([, execution]) => requestOf(ShardWorkflow, execution))
        return Effect.zipRight(
          hasJournal && rows.length > 0 ? journal.remove(requests) : Effect.void,
          Effect.forEach(["steps", "slices", "shards"], (table) =>
            query(`DELETE FROM effect_translate_job_${table} WHERE ${theirs}`, numbers)
          )
        )
      }),
      Effect.repeat({ until: (rows) => rows.length < executionsAtOnce })
    )
    yield* shards
    yield* inChunks(tables, "effect_translate_job_failures", "source, number", ids)
    if (hasJournal) yield* journal.remove([request])
    yield* query(`DELETE FROM effect_translate_jobs WHERE ${ofJob}`, ids)
    return true
  })

/** Budgets of jobs that are gone. */
const budgets = ({ dialect: { list }, query, transaction }: Tables.Tables, names: ReadonlySet<string>) => {
  const free = `(SELECT value FROM ${list("$1")} WHERE NOT EXISTS (SELECT 1 FROM effect_translate_jobs j WHERE j.budget = list.value))`
  const params = [Tables.json(Array.from(names))]
  return transaction(
    Effect.zipRight(
      query(`DELETE FROM effect_translate_job_reservations WHERE budget IN ${free}`, params),
      query(`DELETE FROM effect_translate_job_budgets WHERE name IN ${free}`, params)
    )
  )
}

/** What a purge has done. */
export interface Purged {
  /** How many generations it has removed. */
  readonly removed: number
  /** How many it has left, as workers are still about them. */
  readonly left: number
}

/** For as long as what is in flight may take: see `drain` of a worker. */
const patience = Schedule.spaced("100 millis").pipe(Schedule.upTo("20 seconds"))

/** Removes generations that have ended. */
export const run = (tables: Tables.Tables, { id, olderThan = 0 }: PurgeOptions) =>
  Effect.gen(function* () {
    const { dialect, query } = tables
    const ended = yield* query<[string, number, string]>(
      `SELECT job, ${dialect.number("generation")}, budget FROM effect_translate_jobs
        WHERE ended IS NOT NULL AND ended_at <= ${dialect.now} - CAST($1 AS bigint) ${id === undefined ? "" : "AND job = $2"}
        ORDER BY ended_at, job, generation`,
      [Math.ceil(Duration.toMillis(olderThan)), ...(id === undefined ? [] : [id])]
    )
    const hasJournal = yield* journalOf(tables).isThere
    let left = ended
    const pass = Effect.suspend(() =>
      Effect.map(
        Effect.filter(left, ([job, number]) => generation(tables, hasJournal, [job, number]), {
          negate: true
        }),
        (open) => {
          left = open
        }
      )
    )
    yield* Effect.repeat(pass, { until: () => left.length === 0, schedule: patience })
    yield* budgets(tables, new Set(ended.map(([, , budget]) => budget)))
    return { removed: ended.length - left.length, left: left.length } satisfies Purged
  })
