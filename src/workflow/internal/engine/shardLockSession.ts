import * as SqlClient from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * By this name others see in `pg_stat_activity` that the session of a worker is there; 63 characters at most.
 *
 * @param address the SQL of its address
 */
export const nameOf = (address: string): string => `'effect-translate ' || md5(${address})`

/**
 * The server ends the session of a machine that is gone after 3 + 4 × 1 s, instead of two hours, and that of a process that is frozen
 * after 10 s: the engine asks every 3 s. A server that does not know one of the settings leaves the session as it is.
 */
const settings = (address: string): ReadonlyArray<readonly [name: string, value: string]> => [
  ["application_name", nameOf(`'${address.replaceAll("'", "''")}'`)],
  ["tcp_keepalives_idle", "'3'"],
  ["tcp_keepalives_interval", "'1'"],
  ["tcp_keepalives_count", "'4'"],
  ["tcp_user_timeout", "'7000'"],
  ["idle_session_timeout", "'10000'"]
]

const tune = (address: string) => (connection: Connection) =>
  Effect.forEach(
    settings(address),
    ([name, value]) =>
      Effect.ignore(connection.executeRaw(`SELECT set_config('${name}', ${value}, false)`, [])),
    { discard: true }
  )

type Rows = ReadonlyArray<ReadonlyArray<unknown>>

/** How the engine gives a lock back: it unlocks it, and asks whether it has it still. */
const unlock = /^SELECT pg_advisory_unlock\((\d+)\)$/
const isHeld =
  /^SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted = true AND pid = pg_backend_pid\(\) AND objid = (?<lock>\d+)$/

/**
 * Asks the same of many numbers at once: what is asked while an answer is awaited is asked together. A worker that joins makes the others
 * give back some hundred locks, each with two statements: one by one they take longer than the engine waits, which then gives up all of its
 * locks (seen with statements of 10 ms).
 */
const batched = (ask: (numbers: ReadonlyArray<string>) => Effect.Effect<Rows, SqlError>) => {
  const turn = Effect.unsafeMakeSemaphore(1)
  let waiting: Array<{ readonly number: string; readonly answer: Deferred.Deferred<Rows, SqlError> }> = []
  const askAll = turn.withPermits(1)(
    Effect.suspend(() => {
      const asked = waiting
      waiting = []
      if (asked.length === 0) return Effect.void
      return Effect.flatMap(Effect.exit(ask(asked.map(({ number }) => number))), (exit) =>
        Effect.forEach(asked, ({ answer }) => Deferred.done(answer, exit), { discard: true })
      )
    })
  )
  return (number: string): Effect.Effect<Rows, SqlError> =>
    Effect.flatMap(Deferred.make<Rows, SqlError>(), (answer) => {
      waiting.push({ number, answer })
      // By itself: whoever asks may be interrupted, and others wait for the same answer.
      return Effect.zipRight(Effect.forkDaemon(askAll), Deferred.await(answer))
    })
}

/** Statements of one session in turns: the engine sends several at once, of which `pg` warns. */
const inTurns = (connection: Connection): Connection => {
  const alone = Effect.unsafeMakeSemaphore(1).withPermits(1)
  const giveBack = batched((locks) =>
    alone(
      connection.executeValues(`SELECT ${locks.map((lock) => `pg_advisory_unlock(${lock})`).join(", ")}`, [])
    )
  )
  const stillHeld = batched((locks) =>
    alone(
      connection.executeValues(
        `SELECT objid::text FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid = pg_backend_pid() AND objid IN (${locks.join(", ")})`,
        []
      )
    )
  )
  return {
    execute: (...args) => alone(connection.execute(...args)),
    executeRaw: (sql, params) => {
      const lock = unlock.exec(sql)?.[1]
      return lock === undefined ? alone(connection.executeRaw(sql, params)) : giveBack(lock)
    },
    executeValues: (sql, params) => {
      const lock = isHeld.exec(sql)?.groups?.lock
      return lock === undefined
        ? alone(connection.executeValues(sql, params))
        : Effect.map(stillHeld(lock), (rows) => rows.filter(([held]) => held === lock))
    },
    executeUnprepared: (...args) => alone(connection.executeUnprepared(...args)),
    executeStream: (...args) => connection.executeStream(...args)
  }
}

/** The client of which the engine takes the session that holds the locks of this worker. */
export const layer = (address: string): Layer.Layer<SqlClient.SqlClient, never, SqlClient.SqlClient> =>
  Layer.effect(
    SqlClient.SqlClient,
    Effect.map(SqlClient.SqlClient, (client) => {
      const tuned: SqlClient.SqlClient = Object.assign(client.bind(undefined), client, {
        reserve: Effect.map(Effect.tap(client.reserve, tune(address)), inTurns),
        withoutTransforms: () => tuned
      })
      return tuned
    })
  )
