/** A process that writes into a file: one row by itself and three in a transaction, in turns. Prints its longest pause of the event loop. */
import { monitorEventLoopDelay } from "node:perf_hooks"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { LibsqlClient } from "effect-translate/libsql"

const [filename = "", writer = "", rounds = ""] = process.argv.slice(2)

const write = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const insert = sql`INSERT INTO written (writer) VALUES (${writer})`
  for (let round = 0; round < Number(rounds); round++) {
    yield* insert
    // Reads before it writes: a deferred transaction would be refused.
    yield* sql.withTransaction(
      Effect.zipRight(
        sql`SELECT count(*) FROM written`,
        Effect.repeatN(Effect.zipLeft(insert, Effect.yieldNow()), 2)
      )
    )
  }
  delay.disable()
  return delay.max / 1e6
})

write.pipe(Effect.provide(LibsqlClient.layer({ filename })), Effect.runPromise).then(
  (longest) => console.log(longest),
  (error) => {
    console.error(error)
    process.exitCode = 1
  }
)
