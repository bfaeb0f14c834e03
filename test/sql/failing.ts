/** A client of a file whose transactions fail when a test says so. */
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as synchronousStatements from "../../src/sql/internal/synchronousStatements.js"

/** Whether what has failed is stored nevertheless. */
export type Failure = "before COMMIT" | "after COMMIT"

const broken = Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR" })

export const failing = (client: Layer.Layer<SqlClient.SqlClient, SqlError>) =>
  Effect.map(Layer.build(client), (context) => {
    const sql = Context.get(context, SqlClient.SqlClient)
    const now = synchronousStatements.of(sql)!
    let next: Failure | undefined
    const transaction: synchronousStatements.SynchronousStatements["transaction"] = (body) =>
      Effect.suspend(() => {
        const failure = next
        next = undefined
        if (failure === undefined) return now.transaction(body)
        const failed = now.transaction((rows) => {
          const result = body(rows)
          if (failure === "before COMMIT") throw broken
          return result
        })
        return Effect.zipRight(failed, Effect.fail(new SqlError({ cause: broken })))
      })
    return {
      client: Layer.succeed(SqlClient.SqlClient, synchronousStatements.provide(sql, { ...now, transaction })),
      /** The next transaction fails; none any more without a failure. */
      failNext: (failure: Failure | undefined) => {
        next = failure
      }
    }
  })
