/**
 * A budget that is kept in a database: a cap on the characters that any number of processes spend together, also after a
 * restart.
 *
 * @since 0.1.0
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { StoreError } from "../store/StoreError.js"
import type * as Budget from "../stream/Budget.js"
import * as budgets from "./internal/tables/budgetsSql.js"

/**
 * Which budget, and how much it may spend.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Budgets with the same name are one, in all processes. That of a job has the job's `budgetName`, or its id. */
  readonly name: string
  /**
   * The most characters (code points) that may be spent, counted from its first use on: spent and held characters count
   * too.
   *
   * @default no limit: it only counts
   */
  readonly cap: number | undefined
}

/**
 * A budget of a database, PostgreSQL or a libsql file. It makes the tables if they are missing.
 *
 * However many processes reserve at once, never more than the cap is spent and held together. A process holds as much as
 * eight requests take at once, which is one query, unless that is more than a hundredth of the rest of the cap. Their cost
 * is written with the next query, after a second, or at the end of the scope; `state` shows it at once. The characters that
 * a process holds when it dies stay held, since they may have been billed: `reserved` of the state shows them.
 *
 * Errors: `StoreUnavailable`, `StoreVersionUnknown`; the budget fails with `StoreUnavailable` while the database can't be
 * used.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (
  options: Options
) => Effect.Effect<Budget.Service, StoreError, SqlClient.SqlClient | Scope.Scope> = ({ cap, name }) =>
  budgets.make(name, { _tag: "Given", cap })
