import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as SqlErrorCode from "../../../sql/SqlErrorCode.js"
import { type StoreError, StoreUnavailable, StoreVersionUnknown } from "../../../store/StoreError.js"
import type * as Budget from "../../../stream/Budget.js"
import type { JobControlError } from "../../JobControlError.js"
import * as Tables from "./jobSchema.js"
import type { JobBudget } from "./jobTables.js"

/** The most that may be spent: the cap of this process, or the stored one, as of the job submitted last. */
type Cap = { readonly _tag: "Given"; readonly cap: number | undefined } | { readonly _tag: "Stored" }

const store = "of the jobs"

const storeError = (error: SqlError): StoreError =>
  new StoreUnavailable({ store, code: SqlErrorCode.orDisconnected(error) })

const notPrepared = (error: JobControlError): StoreError =>
  error._tag === "JobsVersionUnknown"
    ? new StoreVersionUnknown({ store, version: error.version, supported: error.supported })
    : new StoreUnavailable({ store, code: error._tag === "JobsUnavailable" ? error.code : error._tag })

/** The account of a process: the characters that it holds, and those that it has spent since it began. */
interface Account {
  readonly held: number
  readonly spent: number
}

/**
 * Statements on the row of the budget, which has the sums: an update of it waits for the others, and looks again at the rest
 * of the cap. The row of the process has its own part. So an account that is written twice, as when only the answer was
 * lost, changes nothing the second time.
 */
const statementsOf = ({ dialect: { forUpdate, number } }: Tables.Tables, cap: string) => {
  const budget = "effect_translate_job_budgets"
  const held = `${budget}.held + CAST($3 AS bigint) - mine.held`
  const spent = `${budget}.spent + CAST($4 AS bigint) - mine.spent`
  return {
    sums: `UPDATE ${budget} SET held = ${held}, spent = ${spent}
      FROM (SELECT held, spent FROM effect_translate_job_reservations WHERE budget = $1 AND owner = $2 ${forUpdate}) mine
      WHERE name = $1`,
    withinCap: `AND (${cap} IS NULL OR ${held} + ${spent} <= ${cap})`,
    left: `RETURNING ${number(`${cap} - ${budget}.held - ${budget}.spent`)}`,
    own: "UPDATE effect_translate_job_reservations SET held = CAST($3 AS bigint), spent = CAST($4 AS bigint) WHERE budget = $1 AND owner = $2"
  }
}

/** The characters that the cap leaves to all processes: `null` without a cap. */
type Left = number | null

/** Tells an account. Nothing is told, and nothing comes back, if it is over the cap. */
type Tell = (account: Account) => Effect.Effect<Left | undefined, SqlError>

const tellOf = (
  tables: Tables.Tables,
  name: string,
  owner: string,
  cap: Cap
): { readonly withinCap: Tell; readonly always: Tell } => {
  const { dialect, query, transaction } = tables
  const given: ReadonlyArray<Tables.Param> = cap._tag === "Given" ? [cap.cap ?? null] : []
  const { left, own, sums, withinCap } = statementsOf(
    tables,
    cap._tag === "Given" ? "CAST($5 AS bigint)" : "cap"
  )
  const tell = (condition: string, answer: string): Tell => {
    const told = `${sums} ${condition} ${left}`
    const all = dialect.hasWritingWith
      ? `WITH told (free) AS (${told}), mine AS (${own} AND EXISTS (SELECT 1 FROM told)) SELECT ${answer} FROM told`
      : told
    return ({ held, spent }) => {
      const account = [name, owner, held, spent]
      const first = Effect.map(query<[Left]>(all, [...account, ...given]), ([row]) => row?.[0])
      return dialect.hasWritingWith
        ? first
        : transaction(Effect.tap(first, (left) => (left === undefined ? Effect.void : query(own, account))))
    }
  }
  return { withinCap: tell(withinCap, "free"), always: tell("", `free, ${dialect.soon}`) }
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

/** The number of requests whose characters are held at once: one statement for all of them. */
const requestsHeld = 8

/** The part of the rest of the cap that a process holds at most: a cap is used up to its end, whatever others hold. */
const leastParts = 100

/** The pause between writes of spent characters to the database. Until then it is held, so that it counts as maybe spent. */
const flushInterval = "1 second"

/** Stands for an unknown account in the database. */
const unknown: Account = { held: -1, spent: 0 }

/**
 * The account of one process. The characters that it holds in the database are never less than those in flight and those
 * that it has not told yet. So the database's figures after its death are right: spent is the told part, and all else that
 * may have been billed is held.
 */
const account = (tell: ReturnType<typeof tellOf>) =>
  Effect.map(Effect.makeSemaphore(1), (turn) => {
    let reserved = 0
    let spent = 0
    let told: Account = { held: 0, spent: 0 }
    let left: Left = 0
    let isTelling = false

    const fits = (characters: number) => reserved + characters + spent - told.spent <= told.held
    /** A statement may be carried out also if its caller is interrupted: then nobody would give the characters back. */
    const inTurn = <A>(effect: Effect.Effect<A, SqlError>) =>
      Effect.zipRight(
        Effect.interruptible(turn.take(1)),
        Effect.suspend(() => {
          isTelling = true
          return effect
        }).pipe(
          Effect.tapError(() =>
            Effect.sync(() => {
              told = unknown
            })
          ),
          Effect.ensuring(
            Effect.suspend(() => {
              isTelling = false
              return turn.release(1)
            })
          )
        )
      ).pipe(Effect.mapError(storeError), Effect.uninterruptible)
    const hold = (characters: number) => {
      reserved += characters
      return true
    }
    const tellNow = (how: Tell, account: Account) =>
      Effect.map(how(account), (answer) => {
        if (answer === undefined) return false
        told = account
        left = answer
        return true
      })
    const draw = (characters: number) =>
      Effect.suspend(() => {
        if (fits(characters)) return Effect.succeed(true)
        const account = (more: number) => ({ held: reserved + characters + more, spent })
        const more = (requestsHeld - 1) * characters
        const alone = Effect.suspend(() => tellNow(tell.withinCap, account(0)))
        return left === null || more * leastParts <= left
          ? Effect.flatMap(tellNow(tell.withinCap, account(more)), (isHeld) =>
              isHeld ? Effect.succeed(true) : alone
            )
          : alone
      }).pipe(Effect.map((isHeld) => isHeld && hold(characters)))
    const flush = Effect.suspend(() =>
      told.held === reserved && told.spent === spent
        ? Effect.void
        : Effect.asVoid(tellNow(tell.always, { held: reserved, spent }))
    )
    return {
      reserve: (characters: number) =>
        Effect.suspend(() =>
          !isTelling && fits(characters) ? Effect.succeed(hold(characters)) : inTurn(draw(characters))
        ),
      settle: (held: number, cost: number) =>
        Effect.sync(() => {
          reserved -= held
          spent += cost
        }),
      flush: inTurn(flush)
    }
  })

/** A budget of these tables, until its scope is closed. */
export const of = (
  tables: Tables.Tables,
  name: string,
  cap: Cap
): Effect.Effect<JobBudget, SqlError, Scope.Scope> =>
  Effect.gen(function* () {
    const { query } = tables
    const owner = crypto.randomUUID()
    yield* query(
      "INSERT INTO effect_translate_job_budgets VALUES ($1, NULL, 0, 0) ON CONFLICT (name) DO NOTHING",
      [name]
    )
    yield* query("INSERT INTO effect_translate_job_reservations VALUES ($1, $2, 0, 0)", [name, owner])
    const { flush, reserve, settle } = yield* account(tellOf(tables, name, owner, cap))
    const forget = query(
      "DELETE FROM effect_translate_job_reservations WHERE budget = $1 AND owner = $2 AND held = 0",
      [name, owner]
    )
    yield* Effect.addFinalizer(() => Effect.ignore(Effect.zipRight(flush, forget)))
    yield* Effect.forkScoped(Effect.forever(Effect.delay(Effect.ignore(flush), flushInterval)))
    return {
      reserve,
      settle,
      flush,
      state: Effect.zipRight(flush, Effect.mapError(stateOf(tables, name, cap), storeError))
    }
  })

/** A budget of a database, whose tables are made if they are missing. */
export const make = (
  name: string,
  cap: Cap
): Effect.Effect<Budget.Service, StoreError, SqlClient.SqlClient | Scope.Scope> =>
  Effect.flatMap(Effect.mapError(Tables.make, notPrepared), (tables) =>
    Effect.mapError(of(tables, name, cap), storeError)
  )
