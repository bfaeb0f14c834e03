/** A PostgreSQL of its own, and what it takes. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import pg from "pg"
import { tsImport } from "tsx/esm/api"
import { cpuOfServer, figuresOf } from "../processFigures.js"

/** What clients have asked for of a database. Those that have not disconnected may have asked for more. */
export interface Counts {
  readonly commits: number
  /** Statements that clients have sent; `undefined` if they are not counted. */
  readonly statements: number | undefined
}

export interface Server {
  readonly port: number
  readonly database: () => Promise<string>
  /** Seconds of the processor that all of its processes have used. All that is to be written is on the disk by then. */
  readonly cpuSeconds: () => Promise<number>
  readonly counts: (database: string) => Promise<Counts>
  readonly drop: (database: string) => Promise<void>
}

const nameOf = (database: string) => new URL(database).pathname.slice(1)

export interface Options {
  /** Whether statements are counted, which takes some of the processor too. */
  readonly isCounting: boolean
  /** Whether it waits for the disk, as where data matters. */
  readonly isSynced: boolean
}

export const start = async ({ isCounting, isSynced }: Options): Promise<Server> => {
  const { launch } = (await tsImport("../../test/support/postgres.ts", import.meta.url)) as {
    launch: (flags: ReadonlyArray<string>) => Promise<{ readonly database: Effect.Effect<Redacted.Redacted> }>
  }
  const server = await launch([
    ...(isCounting ? ["-c", "shared_preload_libraries=pg_stat_statements"] : []),
    ...(isSynced ? [] : ["-c", "fsync=off"])
  ])
  const database = async () => Redacted.value(await Effect.runPromise(server.database))
  const client = new pg.Client({ connectionString: await database() })
  await client.connect()
  if (isCounting) await client.query("CREATE EXTENSION pg_stat_statements")
  const number = async (statement: string, ...values: ReadonlyArray<string>) =>
    Number((await client.query<{ number: string }>(statement, [...values])).rows[0]!.number)
  const postmaster = figuresOf(await number("SELECT pg_backend_pid() AS number"))!.parent
  return {
    port: await number("SELECT inet_server_port() AS number"),
    database,
    cpuSeconds: async () => {
      await client.query("CHECKPOINT")
      return cpuOfServer(postmaster)
    },
    counts: async (database) => ({
      commits: await number(
        "SELECT xact_commit AS number FROM pg_stat_database WHERE datname = $1",
        nameOf(database)
      ),
      statements: isCounting
        ? await number(
            `SELECT coalesce(sum(calls), 0) AS number FROM pg_stat_statements
             JOIN pg_database ON oid = dbid WHERE toplevel AND datname = $1`,
            nameOf(database)
          )
        : undefined
    }),
    drop: async (database) => {
      await client.query(`DROP DATABASE "${nameOf(database)}" WITH (FORCE)`)
    }
  }
}
