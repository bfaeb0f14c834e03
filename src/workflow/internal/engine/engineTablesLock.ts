import * as SqlClient from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as SqlErrorCode from "../../../sql/SqlErrorCode.js"

/** The advisory lock of a process that makes the engine's tables: a number by chance. */
const lock = "7020121200172011"

const inUse = SqlErrorCode.withCode("55P03", "the tables are being made by another worker", "Failed to lock")

/** In a transaction, which the server ends after 10 s: a process that is stopped would hold the lock for ever. */
const acquire = (connection: Connection) =>
  connection.executeRaw("BEGIN", []).pipe(
    Effect.zipRight(
      connection.executeRaw("SELECT set_config('idle_in_transaction_session_timeout', '10s', true)", [])
    ),
    Effect.zipRight(
      connection.executeValues(`SELECT pg_try_advisory_xact_lock(${lock})`, []).pipe(
        Effect.filterOrFail(
          ([row]) => row?.[0] === true,
          () => inUse
        ),
        Effect.retry({
          while: (error) => error === inUse,
          schedule: Schedule.spaced("50 millis").pipe(Schedule.upTo("30 seconds"))
        })
      )
    )
  )

const isAway = (error: SqlError) => SqlErrorCode.isPassing(SqlErrorCode.orDisconnected(error))

/** A session, once the database takes connections: where nobody is to wait for that, at once or never. */
const session = ({ reserve }: SqlClient.SqlClient, patience: Duration.DurationInput | undefined) =>
  patience === undefined
    ? reserve
    : Effect.flatMap(
        Effect.once(
          Effect.logWarning(
            `The database takes no connections: it is waited for, ${Duration.format(patience)} at most.`
          )
        ),
        (tell) =>
          reserve.pipe(
            Effect.tapError((error) => (isAway(error) ? tell : Effect.void)),
            Effect.retry({
              while: isAway,
              schedule: Schedule.spaced("250 millis").pipe(Schedule.upTo(patience))
            })
          )
      )

/**
 * One worker at a time makes the tables: `CREATE TABLE IF NOT EXISTS` of two at once can fail with "duplicate key value violates unique
 * constraint pg_type_typname_nsp_index". The lock is asked for again and again, as a query that waits for it would be ended by its
 * time-out.
 */
export const alone = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  patience?: Duration.DurationInput
): Effect.Effect<A, E | SqlError, R | SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    // A scope of its own: resources of the effect outlive the lock.
    Effect.acquireUseRelease(
      Scope.make(),
      (scope) =>
        Effect.flatMap(Scope.extend(session(sql, patience), scope), (connection) =>
          Effect.ensuring(
            Effect.zipRight(acquire(connection), effect),
            Effect.ignore(connection.executeRaw("ROLLBACK", []))
          )
        ),
      Scope.close
    )
  )
