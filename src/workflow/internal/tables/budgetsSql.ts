import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as SqlErrorCode from "../../../sql/SqlErrorCode.js"
import { type StoreError, StoreUnavailable, StoreVersionUnknown } from "../../../store/StoreError.js"
import type * as Budget from "../../../stream/Budget.js"
import type { JobControlError } from "../../JobControlError.js"
import * as Tables from "./jobSchema.js"

/** The most that may be spent: what this process says, or what is stored, as of the job submitted last. */
type Cap = { readonly _tag: "Given"; readonly cap: number | undefined } | { readonly _tag: "Stored" }

const store = "of the jobs"

const storeError = (error: SqlError): StoreError =>
  new StoreUnavailable({ store, code: SqlErrorCode.orDisconnected(error) })

const notPrepared = (error: JobControlError): StoreError =>
  error._tag === "JobsVersionUnknown"
    ? new StoreVersionUnknown({ store, version: error.version, supported: error.supported })
    : new StoreUnavailable({ store, code: error._tag === "JobsUnavailable" ? error.code : error._tag })

/**
 * The row of the budget has the sums: an update of it waits for the others, and looks again at what they have left. That of the process
 * tells who holds how much.
 */
const statementsOf = ({ dialect: { now, soon } }: Tables.Tables, cap: string) => {
  const hold = `UPDATE effect_translate_job_budgets SET held = held + CAST($2 AS bigint)
    WHERE name = $1 AND (${cap} IS NULL OR spent + held + CAST($2 AS bigint) <= ${cap})`
  const mine = (from: string) => `INSERT INTO effect_translate_job_reservations
    SELECT CAST($1 AS text), CAST($3 AS text), CAST($2 AS bigint), ${now} ${from}
    ON CONFLICT (budget, owner) DO UPDATE
    SET held = effect_translate_job_reservations.held + excluded.held, changed_at = excluded.changed_at`
  const release = `UPDATE effect_translate_job_budgets
    SET held = held - CAST($2 AS bigint), spent = spent + CAST($4 AS bigint) WHERE name = $1`
  const mineLess = `UPDATE effect_translate_job_reservations
    SET held = held - CAST($2 AS bigint), changed_at = ${now} WHERE budget = $1 AND owner = $3`
  return { hold, mine, release, mineLess, soon }
}

interface Queries {
  readonly reserve: (characters: number) => Effect.Effect<boolean, SqlError>
  readonly settle: (reserved: number, spent: number) => Effect.Effect<void, SqlError>
}

const queriesOf = (tables: Tables.Tables, name: string, owner: string, cap: Cap): Queries => {
  const { dialect, query, transaction } = tables
  const given: ReadonlyArray<Tables.Param> = cap._tag === "Given" ? [cap.cap ?? null] : []
  const { hold, mine, mineLess, release, soon } = statementsOf(
    tables,
    cap._tag === "Given" ? "CAST($4 AS bigint)" : "cap"
  )
  if (dialect.hasWritingWith) {
    const reserve = `WITH held AS (${hold} RETURNING 1), mine AS (${mine("FROM held")}) SELECT 1 FROM held`
    // In the order of `reserve`, which is by chance otherwise: they would wait for each other.
    const settle = `WITH released AS (${release} RETURNING 1), mine AS (${mineLess} AND EXISTS (SELECT 1 FROM released) RETURNING 1)
      SELECT ${soon}`
    return {
      reserve: (characters) =>
        Effect.map(query(reserve, [name, characters, owner, ...given]), (rows) => rows.length > 0),
      settle: (reserved, spent) => Effect.asVoid(query(settle, [name, reserved, owner, spent]))
    }
  }
  // A statement takes as many parameters as the greatest of its numbers.
  const holding = (characters: number) =>
    query(`${hold} RETURNING 1`, [name, characters, ...(cap._tag === "Given" ? [owner, ...given] : [])])
  return {
    reserve: (characters) =>
      Effect.flatMap(holding(characters), (rows) =>
        rows.length === 0
          ? Effect.succeed(false)
          : Effect.as(query(mine("WHERE 1 = 1"), [name, characters, owner]), true)
      ).pipe(transaction),
    settle: (reserved, spent) =>
      Effect.asVoid(
        transaction(
          Effect.zipRight(
            query(release, [name, reserved, owner, spent]),
            query(mineLess, [name, reserved, owner])
          )
        )
      )
  }
}

const stateOf = ({ dialect: { number }, query }: Tables.Tables, name: string, cap: Cap) =>
  Effect.map(
    query<[number | null, number, number]>(
      `SELECT ${number("cap")}, ${number("spent")}, ${number("held")} FROM effect_translate_job_budgets WHERE name = $1`,
      [name]
    ),
    ([row]): Budget.State => ({
      cap: (cap._tag === "Given" ? cap.cap : row?.[0]) ?? Number.POSITIVE_INFINITY,
      spent: row?.[1] ?? 0,
      reserved: row?.[2] ?? 0
    })
  )

/** Processes that have held nothing for a day are forgotten. */
const day = 24 * 60 * 60 * 1000

/** A budget of these tables. */
export const of = (tables: Tables.Tables, name: string, cap: Cap): Effect.Effect<Budget.Service, SqlError> =>
  Effect.gen(function* () {
    const { dialect, query } = tables
    const owner = crypto.randomUUID()
    yield* query(
      "INSERT INTO effect_translate_job_budgets VALUES ($1, NULL, 0, 0) ON CONFLICT (name) DO NOTHING",
      [name]
    )
    yield* query(
      `DELETE FROM effect_translate_job_reservations WHERE budget = $1 AND held = 0 AND changed_at < ${dialect.now} - ${day}`,
      [name]
    )
    const { reserve, settle } = queriesOf(tables, name, owner, cap)
    // What is asked of the database may happen also if nobody waits for the answer: then nobody would give it back.
    return {
      reserve: (characters) => Effect.uninterruptible(Effect.mapError(reserve(characters), storeError)),
      settle: (reserved, spent) =>
        Effect.uninterruptible(Effect.mapError(settle(reserved, spent), storeError)),
      state: Effect.mapError(stateOf(tables, name, cap), storeError)
    }
  })

/** A budget of a database, whose tables are made if they are missing. */
export const make = (
  name: string,
  cap: Cap
): Effect.Effect<Budget.Service, StoreError, SqlClient.SqlClient> =>
  Effect.flatMap(Effect.mapError(Tables.make, notPrepared), (tables) =>
    Effect.mapError(of(tables, name, cap), storeError)
  )
