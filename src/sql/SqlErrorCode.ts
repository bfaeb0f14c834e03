/**
 * The database's own code of an error.
 *
 * @since 0.1.0
 */
import { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schedule from "effect/Schedule"
import * as systemCauses from "../internal/systemCauses.js"

/**
 * The code in the cause of a `SqlError`: of a libsql file as SQLite names it (`SQLITE_BUSY`, `SQLITE_FULL`,
 * `SQLITE_CONSTRAINT_PRIMARYKEY`), of PostgreSQL its SQLSTATE (`40001`), or the code of the connection that failed (`ECONNREFUSED`,
 * `ETIMEDOUT`).
 *
 * @since 0.1.0
 * @category accessors
 */
export const get: (sqlError: SqlError) => Option.Option<string> = ({ cause }) =>
  Predicate.hasProperty(cause, "code") && typeof cause.code === "string"
    ? Option.some(cause.code)
    : Option.none()

/**
 * An error of a code, of a statement unless its message says otherwise.
 *
 * @internal
 */
export const withCode = (code: string, reason: string, message = "Failed to execute statement"): SqlError =>
  new SqlError({ cause: Object.assign(new Error(reason), { code }), message })

/**
 * The code of an error, or `DISCONNECTED`: a connection may end without a code of its own.
 *
 * @internal
 */
export const orDisconnected = (error: SqlError): string => Option.getOrElse(get(error), () => "DISCONNECTED")

/**
 * True if the same may succeed a little later, by the code of its error.
 *
 * @internal
 */
export const isPassing = systemCauses.isPassing

const mayPass = (error: unknown): boolean =>
  Predicate.isTagged(error, "SqlError") && isPassing(orDisconnected(error as SqlError))

/** As a store does it, whose pauses differ by chance too: for a minute. */
const schedule = Schedule.exponential("100 millis").pipe(
  Schedule.union(Schedule.spaced("5 seconds")),
  Schedule.upTo("1 minute")
)

/**
 * Repeats an effect that may be run twice, while the database is away or busy.
 *
 * @internal
 */
export const retryPassing = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(effect, { schedule, while: mayPass })
