import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import type * as Schedule from "effect/Schedule"
import type { StoreError, StoreUnavailable } from "../../store/StoreError.js"
import * as SqlTables from "../SqlTables.js"
import * as dialects from "./dialect.js"
import { Durability } from "./durability.js"
import * as sqlFailures from "./sqlFailures.js"

export type Row = ReadonlyArray<unknown>

/** The database of a store, as the modules of the store use it. */
export interface Database {
  readonly dialect: dialects.Dialect
  /** What errors call the store. */
  readonly name: string
  /** Rows as arrays of values. */
  readonly query: <R extends Row>(
    text: string,
    params?: ReadonlyArray<string | number | null>
  ) => Effect.Effect<ReadonlyArray<R>, SqlError>
  readonly transaction: <A>(body: Effect.Effect<A, SqlError>) => Effect.Effect<A, SqlError>
  /**
   * A transaction that no other process has at the same time, and that survives a loss of power. All that decides who sends a text is
   * done in these.
   */
  readonly exclusively: <A>(body: Effect.Effect<A, SqlError>) => Effect.Effect<A, SqlError>
  /**
   * Tries again while the database is away. What it is given may have been done already, if only the answer was lost: doing it again
   * must change nothing.
   */
  readonly persist: <A, E extends SqlError | StoreError, R>(
    effect: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, StoreError, R>
}

export interface Options {
  readonly sql: SqlClient.SqlClient
  readonly name: string | undefined
  readonly schedule: Schedule.Schedule<unknown, StoreUnavailable>
}

export const make = ({ name: named, schedule, sql }: Options): Database => {
  const dialect = dialects.of(sql)
  const name = named ?? dialect.name
  const storeError = sqlFailures.storeError(name)
  const query = <R extends Row>(text: string, params: ReadonlyArray<string | number | null> = []) => {
    const statement = dialect.statement(text)
    // Within a transaction without a span for each statement: those take a fifth of a claim's CPU.
    return Effect.flatMap(
      Effect.serviceOption(SqlClient.TransactionConnection),
      Option.match({
        onNone: () => sql.unsafe(statement, params).values,
        onSome: ([connection]) => connection.executeValues(statement, params)
      })
    ) as Effect.Effect<ReadonlyArray<R>, SqlError>
  }
  const transaction = SqlTables.withoutDefects(sql.withTransaction)
  const lock = dialect.lock("effect_translate_attempts")
  return {
    dialect,
    name,
    query,
    transaction,
    exclusively: (body) =>
      Effect.provideService(
        transaction(lock === undefined ? body : Effect.zipRight(query(lock), body)),
        Durability,
        "power-loss"
      ),
    persist: (effect) =>
      effect.pipe(
        Effect.map(Either.right),
        Effect.catchAll((error: SqlError | StoreError) => {
          const known = error._tag === "SqlError" ? storeError(error) : error
          return sqlFailures.isPassing(known) ? Effect.fail(known) : Effect.succeed(Either.left(known))
        }),
        Effect.retry(schedule),
        Effect.flatMap(identity)
      )
  }
}
