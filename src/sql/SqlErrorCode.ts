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
