/** A driver of files of SQLite whose statements are disturbed. It is synchronous: what stands still there can only be killed. */
import Database from "libsql"
import type { Disturbance, Fault } from "./disturbance.js"

/** What no statement says of itself: that its file is opened. */
export const opening = "open"

const changes = /^\s*(?:insert|update|delete|create|commit)\b/i

const codeOf = (sql: string) =>
  changes.test(sql) ? "SQLITE_FULL" : /^\s*begin\b/i.test(sql) ? "SQLITE_BUSY" : "SQLITE_IOERR"

const error = (code: string) => Object.assign(new Error("disturbed"), { code })

const carriedOut = <A>(disturbance: Disturbance, sql: string, carryOut: () => A): A => {
  const possible: ReadonlyArray<Fault> = changes.test(sql) ? ["fails", "cuts", "kills"] : ["fails"]
  switch (disturbance.enter(sql, possible)) {
    case "fails":
      throw error(codeOf(sql))
    case "cuts":
      carryOut()
      throw error("SQLITE_IOERR")
    case "kills":
      disturbance.kill()
      throw error("SQLITE_CANTOPEN")
    case "gone":
      throw error("SQLITE_CANTOPEN")
    default:
      return carryOut()
  }
}

const executions = new Set<PropertyKey>(["all", "run", "iterate"])

const wrapStatement = (disturbance: Disturbance, sql: string, statement: Database.Statement) => {
  const wrapped: Database.Statement = new Proxy(statement, {
    get: (_, key) => {
      const value: unknown = Reflect.get(statement, key, statement)
      if (typeof value !== "function") return value
      return (...args: ReadonlyArray<unknown>) => {
        const call = () => value.apply(statement, args)
        if (executions.has(key)) return carriedOut(disturbance, sql, call)
        if (disturbance.isKilled) throw error("SQLITE_CANTOPEN")
        const result = call()
        return result === statement ? wrapped : result
      }
    }
  })
  return wrapped
}

/** Opens files for a run. If it is killed, what it has not committed is rolled back, as SQLite does. */
export const open =
  (disturbance: Disturbance) =>
  (filename: string): Database.Database => {
    const database = carriedOut(disturbance, opening, () => new Database(filename, { timeout: 0 }))
    disturbance.atEnd(() => {
      if (!disturbance.isKilled) return
      if (database.inTransaction) database.exec("ROLLBACK")
      database.close()
    })
    return new Proxy(database, {
      get: (_, key) => {
        if (key === "exec") return (sql: string) => carriedOut(disturbance, sql, () => database.exec(sql))
        if (key === "inTransaction") return !disturbance.isKilled && database.inTransaction
        if (key === "close") return () => (disturbance.isKilled ? database : database.close())
        if (key === "prepare") {
          return (sql: string) => {
            if (disturbance.isKilled) throw error("SQLITE_CANTOPEN")
            return wrapStatement(disturbance, sql, database.prepare(sql))
          }
        }
        return Reflect.get(database, key, database)
      }
    })
  }
