import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/**
 * Lets messages be read again that were read some time ago and have no reply. While shards move, a worker may read a message of a shard that
 * it has just given away, and drop it: the engine reads it again after ten minutes, and until then what it was for stands still (a job of
 * three workers that had started together stood still after its planning, in one of a dozen starts). A worker that is still at such a
 * message leaves it alone when it reads it again.
 */
export const run: Effect.Effect<void, never, SqlClient.SqlClient | Scope.Scope> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => {
    const redeliver = sql`
      UPDATE cluster_messages SET last_read = NULL
      WHERE processed = FALSE AND last_read < NOW() - INTERVAL '10 seconds'`
    return Effect.asVoid(
      Effect.forkScoped(Effect.forever(Effect.delay(Effect.ignore(redeliver), "5 seconds")))
    )
  }
)
