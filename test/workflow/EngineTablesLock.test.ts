/** How a worker gets to the tables of the engine when it starts. */

import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as engineTablesLock from "../../src/workflow/internal/engine/engineTablesLock.js"

const refused = (code: string) =>
  new SqlError({ cause: Object.assign(new Error(code), { code }), message: "Failed to connect" })

const connection = {
  executeRaw: () => Effect.succeed([]),
  executeValues: () => Effect.succeed([[true]])
}

/** A database that refuses so many connections, and then takes them. */
const start = (code: string, times: number, patience: "30 seconds" | undefined) => {
  let tries = 0
  const client = {
    reserve: Effect.suspend(
      (): Effect.Effect<unknown, SqlError> =>
        ++tries > times ? Effect.succeed(connection) : Effect.fail(refused(code))
    )
  } as unknown as SqlClient.SqlClient
  return engineTablesLock
    .alone(
      Effect.sync(() => tries),
      patience
    )
    .pipe(Effect.provideService(SqlClient.SqlClient, client), Effect.either)
}

/** Time goes on. */
const ticking = Effect.forkScoped(Effect.forever(TestClock.adjust("5 seconds")))

describe("the start of a worker", () => {
  it.scoped("waits for a database that takes no connections, if it is told to", () =>
    Effect.gen(function* () {
      yield* ticking
      expect(yield* start("ECONNREFUSED", 40, "30 seconds")).toMatchObject({ _tag: "Right", right: 41 })
    })
  )

  it.scoped("waits no longer than it was told to", () =>
    Effect.gen(function* () {
      yield* ticking
      expect(yield* start("ECONNREFUSED", 1000, "30 seconds")).toMatchObject({ _tag: "Left" })
      expect(yield* Clock.currentTimeMillis).toBeGreaterThanOrEqual(30_000)
    })
  )

  it.effect("does not wait for a database that refuses the user, nor without a supervisor", () =>
    Effect.gen(function* () {
      expect(yield* start("28P01", 1, "30 seconds")).toMatchObject({ _tag: "Left" })
      expect(yield* start("ECONNREFUSED", 1, undefined)).toMatchObject({ _tag: "Left" })
    })
  )
})
