/**
 * The database's own code of an error.
 *
 * @since 0.1.0
 */
import type { SqlError } from "@effect/sql/SqlError"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"

/**
 * The code in the cause of a `SqlError`: of a libsql file as SQLite names it (`SQLITE_BUSY`, `SQLITE_FULL`,
 * `SQLITE_CONSTRAINT_PRIMARYKEY`), of PostgreSQL its SQLSTATE (`40001`), or the code of the connection that failed (`ECONNREFUSED`,
 * `ETIMEDOUT`).
 *
 * @since 0.1.0
 * @category accessors
 */
export const get = ({ cause }: SqlError): Option.Option<string> =>
  Predicate.hasProperty(cause, "code") && typeof cause.code === "string"
    ? Option.some(cause.code)
    : Option.none()

/**
 * The code of an error, or `DISCONNECTED`: a connection may end without a code of its own.
 *
 * @internal
 */
export const orDisconnected = (error: SqlError): string => Option.getOrElse(get(error), () => "DISCONNECTED")

/**
 * What may pass by itself: locks, deadlocks, a server that starts, stops, or has no connection left, and all that happens to connections
 * (Node's codes begin with an E), but for addresses and certificates that are wrong.
 */
const passing =
  /^SQLITE_(BUSY|LOCKED|PROTOCOL|IOERR|INTERRUPT|NOMEM)|^(08...|40...|53[234]00|25P03|55P03|57014|57P0[1-5])$|^E(?!RR_(INVALID|SSL|TLS)_)[A-Z_]+$|^DISCONNECTED$/

/**
 * Whether the same may succeed a little later, by the code of its error.
 *
 * @internal
 */
export const isPassing = (code: string): boolean => passing.test(code)
