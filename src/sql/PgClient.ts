/**
 * A `SqlClient` of PostgreSQL whose queries end.
 *
 * @since 0.1.0
 */
import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as pool from "./internal/pool.js"
import * as SqlTables from "./SqlTables.js"

/**
 * Options for connecting to PostgreSQL.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** `postgres://user:password@host:5432/database`. */
  readonly url: Redacted.Redacted
  /**
   * The largest number of open connections.
   *
   * @default 10
   */
  readonly maxConnections?: number | undefined
  /**
   * The time to wait for a connection. While all of them are in use, queries take turns: then it is how long to wait
   * until any of them comes free.
   *
   * @default 5 seconds
   */
  readonly connectTimeout?: Duration.DurationInput | undefined
  /**
   * The time to wait for the answer to a query. Its connection is closed then, so that nothing of its transaction is
   * left.
   *
   * @default 15 seconds
   */
  readonly queryTimeout?: Duration.DurationInput | undefined
  /**
   * The time for which a transaction may wait for its next statement. The server ends its connection then: a process
   * that is frozen would keep its locks, and others wait for them.
   *
   * @default as the server is set up, which is without end
   */
  readonly idleTransactionTimeout?: Duration.DurationInput | undefined
}

/**
 * A client over a pool of connections. No query waits for ever: while the database is away they fail with a `SqlError`, whose
 * code is the connection's (`ECONNREFUSED`, `ETIMEDOUT`), and the next ones connect again. Nothing is connected before the first
 * query. The clients of `@effect/sql-pg` serve as well, but their queries hang when the network drops their packets.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (options: Options) {
  const client = yield* PgClient.fromPool({
    acquire: pool.make({
      url: options.url,
      maxConnections: options.maxConnections ?? 10,
      connectTimeout: Duration.toMillis(options.connectTimeout ?? "5 seconds"),
      queryTimeout: Duration.toMillis(options.queryTimeout ?? "15 seconds"),
      idleTransactionTimeout:
        options.idleTransactionTimeout === undefined
          ? undefined
          : Duration.toMillis(options.idleTransactionTimeout)
    })
  })
  return Object.assign(client, { withTransaction: SqlTables.withoutDefects(client.withTransaction) })
})

/**
 * A layer of {@link make}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<SqlClient.SqlClient | PgClient.PgClient, SqlError> =>
  Layer.scopedContext(
    Effect.map(make(options), (client) =>
      Context.make(PgClient.PgClient, client).pipe(Context.add(SqlClient.SqlClient, client))
    )
  ).pipe(Layer.provide(Reactivity.layer))

/**
 * A layer of {@link make} that fails if the database does not answer.
 *
 * @internal
 */
export const layerConnected = (
  options: Options
): Layer.Layer<SqlClient.SqlClient | PgClient.PgClient, SqlError> =>
  Layer.tap(layer(options), (context) => Context.get(context, SqlClient.SqlClient)`SELECT 1`)
