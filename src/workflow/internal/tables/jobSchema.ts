import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as SqlErrorCode from "../../../sql/SqlErrorCode.js"
import * as SqlLease from "../../../sql/SqlLease.js"
import * as SqlTables from "../../../sql/SqlTables.js"
import { type JobControlError, JobsUnavailable, JobsVersionUnknown } from "../../JobControlError.js"

/**
 * The differences of the two databases. Statements are written with `$1` and `CAST`, and lists are JSON: one parameter,
 * whatever its length. Booleans are 0 and 1.
 */
export interface Dialect extends SqlTables.Dialect {
  /** The elements of a JSON array of texts: `list.value`. */
  readonly list: (json: string) => string
  /** The fields of a JSON object: `each.key` and `each.value`, whose elements are `each.value ->> 0`. */
  readonly each: (json: string) => string
  /** The elements of a JSON array of objects, and where each stands: `e.value` and `e.i`. */
  readonly elements: (json: string) => string
  /** Locks the rows of a query until the end of the transaction. */
  readonly forUpdate: string
  /**
   * Added to the result columns of a statement: it does not wait for the disk. A row that is lost with a loss of power is
   * counted the other way (a reservation stays), or is done again, as the engine has not recorded its end either: that waits
   * for all before it.
   */
  readonly soon: string
}

const sqlite: Dialect = {
  ...SqlTables.sqlite,
  list: (json) => `(SELECT value FROM json_each(${json})) list`,
  each: (json) => `json_each(${json}) each`,
  elements: (json) => `(SELECT key AS i, value FROM json_each(${json})) e`,
  forUpdate: "",
  soon: "1"
}

const postgres: Dialect = {
  ...SqlTables.postgres,
  list: (json) => `(SELECT value FROM jsonb_array_elements_text(${json}::jsonb) AS l (value)) list`,
  each: (json) => `jsonb_each(${json}::jsonb) each`,
  elements: (json) =>
    `(SELECT (n - 1)::int AS i, value FROM json_array_elements(${json}::json) WITH ORDINALITY AS l (value, n)) e`,
  forUpdate: "FOR UPDATE",
  soon: "set_config('synchronous_commit', 'off', true)"
}

/** Raised whenever a table changes. */
export const version = 4

const statements = ({ long, strict }: Dialect): ReadonlyArray<string> => [
  // Numbers of generations are never given twice, also after a purge: a worker may still remember an execution.
  `CREATE TABLE effect_translate_job_generations (job TEXT PRIMARY KEY, generation ${long} NOT NULL) ${strict}`,
  `CREATE TABLE effect_translate_jobs (
      job TEXT NOT NULL,
      generation ${long} NOT NULL,
      is_last ${long} NOT NULL,
      spec TEXT NOT NULL,
      budget TEXT NOT NULL,
      told TEXT NOT NULL,
      ended TEXT,
      waiting_reason TEXT,
      waiting_until ${long},
      waits ${long} NOT NULL,
      first_answers TEXT,
      judge TEXT,
      error_tag TEXT,
      error_message TEXT,
      execution TEXT,
      submitted_at ${long} NOT NULL,
      started_at ${long},
      ended_at ${long},
      texts ${long},
      sources ${long},
      PRIMARY KEY (job, generation)
    ) ${strict}`,
  "CREATE INDEX effect_translate_jobs_active ON effect_translate_jobs (submitted_at) WHERE ended IS NULL",
  "CREATE INDEX effect_translate_jobs_last ON effect_translate_jobs (submitted_at) WHERE is_last = 1",
  "CREATE INDEX effect_translate_jobs_budget ON effect_translate_jobs (budget)",
  // The work of a step: a slice of a source (`slice`), sources that are not cut (`sources`), or the outputs of a source
  // whose slices are done (`output`). `texts` are about those that it has, and `outputs` how many sources are written.
  `CREATE TABLE effect_translate_job_steps (
      job TEXT NOT NULL,
      generation ${long} NOT NULL,
      step ${long} NOT NULL,
      kind TEXT NOT NULL,
      sources TEXT NOT NULL,
      slice TEXT,
      texts ${long} NOT NULL,
      outputs ${long} NOT NULL,
      is_done ${long} NOT NULL,
      failed_outputs ${long} NOT NULL,
      error TEXT,
      selections TEXT,
      tallies TEXT NOT NULL,
      PRIMARY KEY (job, generation, step)
    ) ${strict}`,
  `CREATE TABLE effect_translate_job_failures (
      job TEXT NOT NULL,
      generation ${long} NOT NULL,
      step ${long} NOT NULL,
      number ${long} NOT NULL,
      failure TEXT NOT NULL,
      PRIMARY KEY (job, generation, step, number)
    ) ${strict}`,
  // Purged generations, until a worker has cleared the journals of their executions.
  `CREATE TABLE effect_translate_job_journals (
      job TEXT NOT NULL,
      generation ${long} NOT NULL,
      steps ${long} NOT NULL,
      noted_at ${long} NOT NULL,
      PRIMARY KEY (job, generation)
    ) ${strict}`,
  `CREATE TABLE effect_translate_job_workers (
      address TEXT PRIMARY KEY,
      version TEXT NOT NULL,
      started_at ${long} NOT NULL,
      in_flight ${long} NOT NULL,
      state TEXT NOT NULL,
      ${SqlLease.column({ long })}
    ) ${strict}`,
  // One row, held for an hour by the worker that removes old entries.
  `CREATE TABLE effect_translate_job_upkeep (id ${long} PRIMARY KEY, ${SqlLease.column({ long })}) ${strict}`,
  `CREATE TABLE effect_translate_job_limits (
      service TEXT NOT NULL,
      kind TEXT NOT NULL,
      name TEXT NOT NULL,
      value ${long} NOT NULL,
      learned_at ${long} NOT NULL,
      PRIMARY KEY (service, kind, name)
    ) ${strict}`,
  `CREATE TABLE effect_translate_job_budgets (
      name TEXT PRIMARY KEY,
      cap ${long},
      spent ${long} NOT NULL,
      held ${long} NOT NULL
    ) ${strict}`,
  // The characters that each process holds of a budget, and those spent since it began: the ones held by a process that died
  // may have been billed.
  `CREATE TABLE effect_translate_job_reservations (
      budget TEXT NOT NULL,
      owner TEXT NOT NULL,
      held ${long} NOT NULL,
      spent ${long} NOT NULL,
      PRIMARY KEY (budget, owner)
    ) ${strict}`
]

export type Row = ReadonlyArray<unknown>

export type Param = string | number | null

/** The tables of the jobs, as the modules of this folder use them. */
export interface Tables {
  readonly dialect: Dialect
  /** Rows as arrays of values. */
  readonly query: <R extends Row = Row>(
    text: string,
    params?: ReadonlyArray<Param>
  ) => Effect.Effect<ReadonlyArray<R>, SqlError>
  /** A query with the error of `JobControl`. */
  readonly ask: <R extends Row = Row>(
    text: string,
    params?: ReadonlyArray<Param>
  ) => Effect.Effect<ReadonlyArray<R>, JobsUnavailable>
  readonly transaction: <A, E>(body: Effect.Effect<A, E>) => Effect.Effect<A, E | SqlError>
}

/** The name of the table that says which version the tables have. */
export const versionTable = "effect_translate_job_version"

/** Fails if the tables have another version by now than this library knows. */
export const checkVersion = ({
  query
}: Pick<Tables, "query">): Effect.Effect<void, SqlError | JobsVersionUnknown> =>
  Effect.flatMap(query<[number]>(`SELECT version FROM ${versionTable}`), ([row]) => {
    const found = Number(row?.[0] ?? 0)
    return found === version ? Effect.void : Effect.fail(unknownVersion(found))
  })

const unknownVersion = (found: number) => new JobsVersionUnknown({ version: found, supported: version })

const isSqlError = (error: { readonly _tag: string }): error is SqlError => error._tag === "SqlError"

/** Errors of the database as errors of control. */
export const unavailable = <A, E extends { readonly _tag: string }, R>(
  effect: Effect.Effect<A, E | SqlError, R>
): Effect.Effect<A, Exclude<E, SqlError> | JobsUnavailable, R> =>
  Effect.mapError(effect, (error) =>
    isSqlError(error)
      ? new JobsUnavailable({ code: SqlErrorCode.orDisconnected(error) })
      : (error as Exclude<E, SqlError>)
  )

/** The database of a client, as its tables are used. */
export const of = (sql: SqlClient.SqlClient): Tables => {
  const dialect = SqlTables.ofClient(sql, { postgres, sqlite })
  const query = <R extends Row>(text: string, params: ReadonlyArray<Param> = []) =>
    sql.unsafe(dialect.statement(text), params).values as Effect.Effect<
      ReadonlyArray<unknown>,
      SqlError
    > as Effect.Effect<ReadonlyArray<R>, SqlError>
  return {
    dialect,
    query,
    ask: (text, params) => unavailable(query(text, params)),
    transaction: SqlTables.withoutDefects(sql.withTransaction)
  }
}

/** The tables, which are made if they are missing. Any number of processes may do so at once. */
export const make: Effect.Effect<Tables, JobControlError, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => {
    const tables = of(sql)
    const prepared = SqlTables.prepare(tables, {
      table: versionTable,
      version,
      statements: statements(tables.dialect),
      onOther: unknownVersion
    })
    return Effect.as(unavailable(prepared), tables)
  }
)

/** A JSON value as it is in a parameter. */
export const json = (value: unknown): string => JSON.stringify(value)
