import type { RunnerAddress } from "@effect/cluster/RunnerAddress"
import * as RunnerStorage from "@effect/cluster/RunnerStorage"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import { hash } from "../../../internal/hash.js"
import * as SqlErrorCode from "../../../sql/SqlErrorCode.js"

/** By this name others see in `pg_stat_activity` that the session of a worker is there; 63 characters at most. */
const nameOf = ({ host, port }: RunnerAddress): string => `effect-translate ${hash(`${host}:${port}`)}`

/** Statements of one session in turns: the engine sends several at once, of which `pg` warns. */
const inTurns = (connection: Connection): Connection => {
  const alone = Effect.unsafeMakeSemaphore(1).withPermits(1)
  return {
    execute: (...args) => alone(connection.execute(...args)),
    executeRaw: (...args) => alone(connection.executeRaw(...args)),
    executeValues: (...args) => alone(connection.executeValues(...args)),
    executeUnprepared: (...args) => alone(connection.executeUnprepared(...args)),
    executeStream: (...args) => connection.executeStream(...args)
  }
}

/** A session that is lost with its server is made anew as soon as that is there: the engine tries once every two seconds. */
const again = Schedule.spaced("50 millis").pipe(Schedule.upTo("2 seconds"))

/** The client of which the engine takes the session for the locks of a worker. */
export const layer = (address: RunnerAddress): Layer.Layer<SqlClient.SqlClient, never, SqlClient.SqlClient> =>
  Layer.effect(
    SqlClient.SqlClient,
    Effect.map(SqlClient.SqlClient, (client) => {
      const named = Effect.scopeWith((outer) =>
        Effect.flatMap(Scope.fork(outer, ExecutionStrategy.sequential), (scope) =>
          client.reserve.pipe(
            Effect.tap((connection) =>
              connection.executeRaw("SELECT set_config('application_name', $1, false)", [nameOf(address)])
            ),
            Scope.extend(scope),
            Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
          )
        )
      )
      const reserve = named.pipe(
        Effect.retry({
          while: (error) => SqlErrorCode.isPassing(SqlErrorCode.orDisconnected(error)),
          schedule: again
        })
      )
      const own: SqlClient.SqlClient = Object.assign(client.bind(undefined), client, {
        reserve: Effect.map(reserve, inTurns),
        withoutTransforms: () => own
      })
      return own
    })
  )

/**
 * Gives the shards free of workers whose sessions have ended, as those of processes that were killed: every worker looks
 * every second. By the engine alone they are free when the locks expire. A worker that lives and has lost its session alone
 * may lose its shards too, before the engine has a new one after two seconds: it ends its steps then, and registers again.
 */
export const watch: Effect.Effect<
  void,
  never,
  SqlClient.SqlClient | RunnerStorage.RunnerStorage | Scope.Scope
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const storage = yield* RunnerStorage.RunnerStorage
  let before: ReadonlySet<string> = new Set()
  const look = Effect.gen(function* () {
    const runners = yield* storage.getRunners
    const sessions = yield* sql<{
      readonly name: string
    }>`SELECT application_name AS name FROM pg_stat_activity WHERE datname = current_database()`
    const there = new Set(sessions.map(({ name }) => name))
    const missing = runners.map(([{ address }]) => address).filter((address) => !there.has(nameOf(address)))
    // A session that is being made anew is missing once.
    for (const address of missing.filter((address) => before.has(nameOf(address)))) {
      yield* storage.releaseAll(address)
      yield* storage.unregister(address)
    }
    before = new Set(missing.map(nameOf))
  })
  // An error here fails the engine's own queries too, which are guarded.
  yield* Effect.forkScoped(Effect.forever(Effect.delay(Effect.ignore(look), "1 seconds")))
})
