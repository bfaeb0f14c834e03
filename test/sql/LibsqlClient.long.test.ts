/** A libsql file that several processes write into. */
import { execFile } from "node:child_process"
import * as SqlClient from "@effect/sql/SqlClient"
import { beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { LibsqlClient } from "effect-translate/libsql"
import { bundleOf } from "../support/bundles.js"
import { temporaryFile } from "../support/databases.js"
import { isCampaign, runs } from "../support/long.js"

const sql = SqlClient.SqlClient

const open = (filename: string) => Effect.provide(LibsqlClient.layer({ filename }))

const createTable = Effect.flatMap(
  sql,
  (sql) => sql`CREATE TABLE written (id INTEGER PRIMARY KEY, writer TEXT NOT NULL)`
)

describe("several processes", () => {
  let program: string

  beforeAll(async () => {
    program = await bundleOf("sql/writer")
  })

  const run = (filename: string, writer: string, rounds: number) =>
    Effect.async<number, Error>((resume) => {
      execFile(process.execPath, [program, filename, writer, String(rounds)], (error, stdout) =>
        resume(error === null ? Effect.succeed(Number(stdout)) : Effect.fail(error))
      )
    })

  it.scopedLive("write into one file at once: no row is lost, and none is refused", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* open(filename)(createTable)
      const rounds = runs(100, 25)
      const pauses = yield* Effect.all(
        ["a", "b", "c", "d"].map((writer) => run(filename, writer, rounds)),
        { concurrency: "unbounded" }
      )
      const rows = yield* open(filename)(
        Effect.flatMap(
          sql,
          (sql) => sql`SELECT writer, count(*) AS n FROM written GROUP BY writer ORDER BY writer`
        )
      )
      expect(rows).toEqual(["a", "b", "c", "d"].map((writer) => ({ writer, n: rounds * 4 })))
      // Their statements take some milliseconds. Waiting for a lock by blocking would take seconds.
      // On a machine that does nothing else.
      expect(Math.max(...pauses)).toBeLessThan(isCampaign ? 1000 : Number.POSITIVE_INFINITY)
    })
  )
})
