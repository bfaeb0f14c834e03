import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { PurgeOptions } from "./jobControlModels.js"
import * as Tables from "./jobSchema.js"
import type { Journals } from "./jobTables.js"

type Ids = readonly [job: string, generation: number]

const rowsAtOnce = 10_000

const ofJob = "job = $1 AND generation = $2"

/** The tables of a generation's parts, and their keys. */
const parts = { steps: "step", failures: "step, number" }

/** Removes all rows of a generation, in groups. */
const removeParts = ({ query }: Tables.Tables, ids: Ids) =>
  Effect.forEach(
    Object.entries(parts),
    ([name, keys]) => {
      const table = `effect_translate_job_${name}`
      return query(
        `DELETE FROM ${table} WHERE ${ofJob} AND (${keys}) IN (SELECT ${keys} FROM ${table} WHERE ${ofJob} LIMIT ${rowsAtOnce}) RETURNING 1`,
        ids
      ).pipe(Effect.repeat({ until: (rows) => rows.length < rowsAtOnce }))
    },
    { discard: true }
  )

const isFree = "NOT EXISTS (SELECT 1 FROM effect_translate_jobs WHERE budget = $1)"

/**
 * Removes a generation, and the budget if no other job has it. Its executions are noted: they may not have ended, and workers alone can
 * tell, and have the engine.
 */
const generation = (tables: Tables.Tables, ids: Ids, budget: string) => {
  const { dialect, query, transaction } = tables
  const remove = Effect.gen(function* () {
    yield* query(
      `INSERT INTO effect_translate_job_journals
        SELECT job, generation, (SELECT COUNT(*) FROM effect_translate_job_steps WHERE ${ofJob}), ${dialect.now}
        FROM effect_translate_jobs WHERE ${ofJob} ON CONFLICT (job, generation) DO NOTHING`,
      ids
    )
    // In the order of a submission. Of several purges at once, the last one sees that no job is left.
    yield* query(`DELETE FROM effect_translate_jobs WHERE ${ofJob}`, ids)
    yield* query(`SELECT 1 FROM effect_translate_job_budgets WHERE name = $1 ${dialect.forUpdate}`, [budget])
    yield* query(`DELETE FROM effect_translate_job_reservations WHERE budget = $1 AND ${isFree}`, [budget])
    yield* query(`DELETE FROM effect_translate_job_budgets WHERE name = $1 AND ${isFree}`, [budget])
  })
  return Effect.zipRight(transaction(remove), removeParts(tables, ids))
}

/** Removes generations that have ended. Tells how many. */
export const run = (tables: Tables.Tables, { id, olderThan = 0 }: PurgeOptions) =>
  Effect.gen(function* () {
    const { dialect, query } = tables
    const ended = yield* query<[string, number, string]>(
      `SELECT job, ${dialect.number("generation")}, budget FROM effect_translate_jobs
        WHERE ended IS NOT NULL AND ended_at <= ${dialect.now} - CAST($1 AS bigint) ${id === undefined ? "" : "AND job = $2"}
        ORDER BY ended_at, job, generation`,
      [Math.ceil(Duration.toMillis(olderThan)), ...(id === undefined ? [] : [id])]
    )
    yield* Effect.forEach(ended, ([job, number, budget]) => generation(tables, [job, number], budget), {
      discard: true
    })
    return ended.length
  })

/** The milliseconds after a job's purge in which a worker may still be about to begin an execution of it. */
const late = 10_000

/** The journals of purged jobs, for workers. */
export const journalsOf = (tables: Tables.Tables): Journals => ({
  listPurged: Effect.map(
    tables.ask<[string, number, number, number]>(
      `SELECT job, ${tables.dialect.number("generation")}, ${tables.dialect.number("steps")},
          CASE WHEN noted_at <= ${tables.dialect.now} - ${late} THEN 1 ELSE 0 END
          FROM effect_translate_job_journals ORDER BY noted_at`
    ),
    (rows) => rows.map(([id, generation, steps, isLate]) => ({ id, generation, steps, isLate: isLate === 1 }))
  ),
  recordCleared: ({ generation, id }, steps) =>
    Effect.asVoid(
      tables.ask(`UPDATE effect_translate_job_journals SET steps = $3 WHERE ${ofJob}`, [
        id,
        generation,
        steps
      ])
    ),
  forget: ({ generation, id }) =>
    Effect.asVoid(
      Tables.unavailable(
        // Messages that an execution has written after the purge go with it.
        Effect.zipRight(
          removeParts(tables, [id, generation]),
          tables.query(`DELETE FROM effect_translate_job_journals WHERE ${ofJob}`, [id, generation])
        )
      )
    )
})
