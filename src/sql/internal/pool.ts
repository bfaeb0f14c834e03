import type { SqlError } from "@effect/sql/SqlError"
import type { PgClientFromPoolOptions } from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Pg from "pg"
import * as SqlErrorCode from "../SqlErrorCode.js"
import * as queue from "./poolQueue.js"

interface Options {
  readonly url: Redacted.Redacted
  readonly maxConnections: number
  readonly connectTimeout: number
  readonly queryTimeout: number
  readonly idleTransactionTimeout: number | undefined
}

type Callback = (error: unknown, result?: unknown) => void

/**
 * Closes a connection that has left a query without an answer for too long. (`query_timeout` of `pg` gives such a connection
 * back to the pool, with the query and its transaction still open, and ends cursors in the middle.)
 */
const watched = (client: Pg.PoolClient, timeout: number, callback: Callback): Callback => {
  let late = false
  const timer = setTimeout(() => {
    late = true
    // Cuts the connection at once, as a query is active: that fails the query.
    void (client as unknown as Pg.Client).end()
  }, timeout)
  // The socket keeps the process alive as long as an answer can come.
  timer.unref()
  return (error, result) => {
    clearTimeout(timer)
    callback(late ? Object.assign(new Error("no answer in time"), { code: "ETIMEDOUT" }) : error, result)
  }
}

const isFunction = (value: unknown): value is (...args: ReadonlyArray<unknown>) => unknown =>
  typeof value === "function"

/** The part of a cursor of `pg-cursor` that is watched. */
interface Cursor {
  read: (...args: ReadonlyArray<unknown>) => unknown
  close: (callback?: Callback) => unknown
}

const isCursor = (value: unknown): value is Cursor =>
  Predicate.hasProperty(value, "read") && isFunction(value.read) && Predicate.hasProperty(value, "close")

const watch = (client: Pg.PoolClient, timeout: number) => {
  const ended = new Promise<void>((resolve) => client.once("end", resolve))
  const watchLast = (args: ReadonlyArray<unknown>) =>
    args.map((arg, index) =>
      index === args.length - 1 && isFunction(arg) ? watched(client, timeout, arg) : arg
    )
  const watchCursor = (cursor: Cursor) => {
    const read = cursor.read.bind(cursor)
    const close = cursor.close.bind(cursor)
    cursor.read = (...args) => read(...watchLast(args))
    // Of a connection that is gone, it would never be closed.
    cursor.close = () =>
      Promise.race([ended, new Promise<unknown>((resolve) => close(watched(client, timeout, resolve)))])
  }
  const query = client.query.bind(client) as (...args: ReadonlyArray<unknown>) => unknown
  const watchedQuery = (...args: ReadonlyArray<unknown>) => {
    if (isCursor(args[0])) watchCursor(args[0])
    return query(...watchLast(args))
  }
  client.query = watchedQuery as never
}

const unreadable = SqlErrorCode.withCode("ERR_INVALID_URL", "the address can't be read", "Failed to connect")

/** An address that can't be read would make the first query throw. */
const check = (settings: Pg.PoolConfig): Effect.Effect<unknown, SqlError> =>
  Effect.try({ try: () => new Pg.Client(settings), catch: () => unreadable })

/** A pool of connections that are closed when a query has no answer in time. */
export const make = ({
  connectTimeout,
  idleTransactionTimeout,
  maxConnections,
  queryTimeout,
  url
}: Options): PgClientFromPoolOptions["acquire"] =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      const settings = {
        connectionString: Redacted.value(url),
        max: maxConnections,
        connectionTimeoutMillis: connectTimeout,
        application_name: "effect-translate",
        idle_in_transaction_session_timeout: idleTransactionTimeout,
        keepAlive: true
      }
      return Effect.map(check(settings), () => {
        const pool = new Pg.Pool(settings)
        // A connection that broke while it was idle: the next query opens another.
        pool.on("error", () => {})
        pool.on("connect", (client) => watch(client, queryTimeout))
        queue.add(pool, maxConnections, connectTimeout)
        return pool
      })
    }),
    (pool) => Effect.promise(() => pool.end()).pipe(Effect.interruptible, Effect.timeoutOption("1 seconds"))
  )
