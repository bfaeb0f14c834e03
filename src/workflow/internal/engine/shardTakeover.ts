import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as shardLockSession from "./shardLockSession.js"

/** Workers that count as healthy, and whose sessions are not there. */
const missing = (sql: SqlClient.SqlClient) =>
  sql<{ readonly address: string }>`
    SELECT address FROM cluster_runners WHERE healthy AND NOT EXISTS (
      SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = ${sql.literal(shardLockSession.nameOf("address"))}
    )`

/**
 * Takes workers out whose sessions with the database have ended: with them the locks of their shards are free. Every worker looks every
 * second. By the engine alone one worker asks all the others over the network: what dies together with that one stays out of work until
 * its last heartbeat is 10 s old, and so does what dies with its whole machine.
 */
export const run: Effect.Effect<void, never, SqlClient.SqlClient | Scope.Scope> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => {
    let before: ReadonlyArray<string> = []
    const look = Effect.gen(function* () {
      const now = (yield* missing(sql)).map(({ address }) => address)
      // A session that was lost is made anew at once: only who is missing twice is gone.
      const gone = now.filter((address) => before.includes(address))
      before = now
      if (gone.length > 0) {
        yield* sql`UPDATE cluster_runners SET healthy = false WHERE address IN ${sql.in(gone)}`
      }
    })
    // What fails here fails the engine's own queries too, which are guarded.
    return Effect.asVoid(Effect.forkScoped(Effect.forever(Effect.delay(Effect.ignore(look), "1 seconds"))))
  }
)
