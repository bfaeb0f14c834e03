import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type * as Effect from "effect/Effect"

/** Rows of a statement, as arrays of values. */
export type RowsNow = (sql: string, params: ReadonlyArray<unknown>) => ReadonlyArray<ReadonlyArray<unknown>>

/** Statements that a synchronous driver runs in one step. */
export interface SynchronousStatements {
  readonly read: <A>(body: (rows: RowsNow) => A) => Effect.Effect<A, SqlError>
  /** A transaction. */
  readonly transaction: <A>(body: (rows: RowsNow) => A) => Effect.Effect<A, SqlError>
}

const key: unique symbol = Symbol.for("effect-translate/sql/SynchronousStatements")

/** A client that can do so. */
export const provide = <C extends object>(client: C, statements: SynchronousStatements): C =>
  Object.assign(client, { [key]: statements })

/** The client's synchronous statements, if its driver is synchronous. */
export const of = (client: SqlClient): SynchronousStatements | undefined =>
  (client as { [key]?: SynchronousStatements })[key]
