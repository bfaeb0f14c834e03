import type * as Pg from "pg"

type Connected = (error: unknown, client?: Pg.PoolClient, release?: (error?: unknown) => void) => void

const late = () => Object.assign(new Error("no connection has come free in time"), { code: "ETIMEDOUT" })

/**
 * Lets queries wait for a connection as long as others get one or give one back. (`pg-pool` lets each wait for the same time: of
 * thousands at once most would fail, though the server answers all the while.)
 */
export const add = (pool: Pg.Pool, max: number, timeout: number): void => {
  const connect = pool.connect.bind(pool) as unknown as (callback: Connected) => void
  const waiting: Array<Connected> = []
  let taken = 0
  let timer: NodeJS.Timeout | undefined

  /** From now on, one of those that wait has to get a connection in time. */
  const watch = () => {
    clearTimeout(timer)
    if (waiting.length === 0) return
    timer = setTimeout(() => {
      for (const callback of waiting.splice(0)) callback(late())
    }, timeout)
  }
  const take = (callback: Connected) => {
    taken++
    connect((error, client, release) => {
      if (client === undefined) next()
      else watch()
      callback(error, client, release)
    })
  }
  const next = () => {
    taken--
    const callback = waiting.shift()
    if (callback !== undefined) take(callback)
  }
  pool.on("release", () => {
    next()
    watch()
  })
  const queued = (callback: Connected) => {
    if (taken < max) return take(callback)
    waiting.push(callback)
    if (waiting.length === 1) watch()
  }
  pool.connect = queued as never
}
