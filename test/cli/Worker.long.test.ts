/** `worker` as processes: jobs that are done by it, how it ends, and who may use it. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Pg from "pg"
import * as LibsqlClient from "../../src/sql/LibsqlClient.js"
import { capability } from "../support/capabilities.js"
import { postgres } from "../support/postgres.js"
import { emulator, folderOf, processTimeout, run } from "./process.js"
import { objects, outputs, products, submit, worker } from "./workerProcess.js"

const procfs = capability("procfs")

/** A server that takes connections, and says nothing. */
const silentServer = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<{ readonly server: Server; readonly sockets: Set<Socket>; readonly first: Promise<void> }>(
        (resolve) => {
          const sockets = new Set<Socket>()
          let connect = () => {}
          const first = new Promise<void>((done) => {
            connect = done
          })
          const server = createServer((socket) => {
            sockets.add(socket.on("error", () => {}))
            connect()
          })
          server.listen(0, "127.0.0.1", () => resolve({ server, sockets, first }))
        }
      )
  ),
  ({ server, sockets }) =>
    Effect.sync(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
).pipe(
  Effect.map(({ first, server }) => ({
    port: (server.address() as AddressInfo).port,
    connected: Effect.promise(() => first)
  }))
)

/** How many connections workers have to a database. */
const connectionsTo = (url: string) =>
  Effect.promise(async () => {
    const client = new Pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name LIKE 'effect-translate%' AND datname = current_database()"
    )
    await client.end()
    return rows[0].n as number
  })

describe("worker", () => {
  it.scopedLive(
    "does a job as translate does it, refuses a second worker in a line, and ends by Ctrl-C",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const key = { EFFECT_TRANSLATE_JOBS_KEY: "k".repeat(20) }
        const folder = yield* folderOf({ "products.csv": products(300), "same.csv": products(300) })
        const at = { folder, env: { ...env, ...key } }
        expect((yield* run(submit, at)).code).toBe(0)
        const first = yield* worker(["--http", "127.0.0.1:0"], at)
        const started = yield* first.told("started")
        expect(started).toEqual({
          type: "started",
          address: "local",
          jobs: ".effect-translate/jobs.db",
          store: ".effect-translate/store.db",
          http: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/)
        })

        const watched = yield* run(["job", "watch", "products", "--json"], at)
        expect(watched.code).toBe(0)
        expect(objects(watched.stdout).at(-1)).toMatchObject({
          type: "result",
          id: "products",
          state: "done",
          progress: { texts: 600, totalTexts: 600, outputs: 2, totalOutputs: 2 }
        })
        expect(yield* first.told("jobEnded")).toMatchObject({ id: "products", state: "done" })
        const cost = yield* billed

        const over = yield* run(["job", "list", "--json", "--jobs", String(started.http)], at)
        expect(objects(over.stdout)).toMatchObject([
          { type: "result", jobs: [{ id: "products", state: "done" }] }
        ])

        const second = yield* run(["worker"], at)
        expect(second.code).toBe(2)
        expect(second.stderr).toMatch(/^Another worker uses ".effect-translate\/jobs.db": [^\n]+\n$/)

        yield* first.kill("SIGINT")
        const { code, stderr } = yield* first.ended
        expect(code).toBe(130)
        expect(stderr).toBe("Interrupted.\n")
        expect(first.events().map(({ type }) => type)).toEqual([
          "started",
          "jobBegan",
          "jobEnded",
          "draining",
          "stopped",
          "error"
        ])

        const alone = yield* run(
          ["translate", "same.csv", "--to", "de,fr", "--column", "title", "--store", "none"],
          at
        )
        expect(alone.code).toBe(0)
        expect(outputs(folder)).toEqual(outputs(folder, "same"))
        expect(yield* billed).toBe(2 * cost)
      }),
    processTimeout
  )

  it.scopedLive(
    "does not begin with a key that is refused: jobs stay for others",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf({ "products.csv": products(5) })
        yield* run(submit, { folder, env })
        const refused = yield* run(["worker"], { folder, env: { ...env, LANGUAGE_SERVICE_KEY: "wrong" } })
        expect(refused.code).toBe(4)
        expect(refused.stderr).toMatch(/^The service does not accept the key/)
        expect(refused.stderr.trim().split("\n")).toHaveLength(1)
        const { stdout } = yield* run(["job", "status", "products", "--json"], { folder, env })
        expect(objects(stdout)[0]).toMatchObject({ state: "submitted" })
      }),
    processTimeout
  )

  it.scopedLive(
    "finishes requests in flight on SIGTERM, and another one goes on without paying twice",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator({ latency: 300 })
        const text = products(2000)
        const folder = yield* folderOf({ "products.csv": text })
        const at = { folder, env }
        yield* run(submit, at)
        const first = yield* worker(["--concurrency", "1"], at)
        yield* first.told("jobBegan")
        yield* Effect.iterate(0, {
          while: (sum) => sum === 0,
          body: () => Effect.delay(billed, "100 millis")
        })
        yield* first.kill("SIGTERM")
        const ended = yield* first.ended
        expect(ended.code).toBe(0)
        expect(ended.stderr).toBe("")
        expect(first.events().at(-1)).toEqual({ type: "stopped", isDrained: true })
        expect(objects((yield* run(["job", "status", "products", "--json"], at)).stdout)).toMatchObject([
          { state: "running" }
        ])

        const next = yield* worker([], at)
        yield* next.told("jobEnded")
        const characters = text
          .split("\n")
          .slice(1)
          .reduce((sum, row) => sum + row.split(",")[1]!.length, 0)
        expect(yield* billed).toBe(2 * characters)
        expect(outputs(folder)[0]!.split("\n")).toHaveLength(2001)
      }),
    processTimeout
  )

  it.scopedLive.skipIf(procfs.isMissing)(
    `is started again under --supervised when it was killed, and not when it was told to end${procfs.why}`,
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf()
        const supervisor = yield* worker(["--supervised"], { folder, env })
        yield* supervisor.told("started")
        const { pid } = supervisor.child
        const child = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0])
        process.kill(child, "SIGKILL")
        expect(yield* supervisor.told("restarting")).toMatchObject({ seconds: 0 })
        yield* supervisor.told("started", 2)
        yield* supervisor.kill("SIGTERM")
        expect((yield* supervisor.ended).code).toBe(0)
        expect(supervisor.events().at(-1)).toEqual({ type: "stopped", isDrained: true })
      }),
    processTimeout
  )

  it.scopedLive(
    "ends with its supervisor, also when that is killed",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf()
        const supervisor = yield* worker(["--supervised"], { folder, env })
        yield* supervisor.told("started")
        yield* supervisor.kill("SIGKILL")
        // Its outputs are those of the worker too: they are closed once both have ended.
        expect((yield* supervisor.ended).code).toBe(137)
        expect(supervisor.events().at(-1)).toEqual({ type: "stopped", isDrained: true })
      }),
    processTimeout
  )

  it.scopedLive(
    "hears SIGTERM while it waits for a database that does not answer",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf()
        const { connected, port } = yield* silentServer
        const env = { LANGUAGE_SERVICE_URL: "http://127.0.0.1:1", LANGUAGE_SERVICE_KEY: "key" }
        const waiting = yield* worker(["--jobs", `postgres://user@127.0.0.1:${port}/jobs`], { folder, env })
        yield* connected
        yield* waiting.kill("SIGTERM")
        expect((yield* waiting.ended).code).toBe(0)
      }),
    processTimeout
  )

  it.scopedLive(
    "takes jobs on its folders and tables only: others are refused when they are submitted, here and over HTTP",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf({ "outside.csv": products(3) })
        mkdirSync(`${folder}/in`)
        mkdirSync(`${folder}/.effect-translate`)
        writeFileSync(`${folder}/in/products.csv`, products(3))
        symlinkSync(`${folder}/outside.csv`, `${folder}/in/link.csv`)
        const key = { EFFECT_TRANSLATE_JOBS_KEY: "k".repeat(20) }
        const at = { folder, env: { ...env, ...key } }
        const missing = yield* run(["worker", "--folders", "none"], at)
        expect([missing.code, missing.stderr]).toEqual([
          2,
          "--folders none: there is no such folder. Make it, or name another one.\n"
        ])
        const one = yield* worker(["--folders", "in,.effect-translate", "--http", "127.0.0.1:0"], at)
        const http = String((yield* one.told("started")).http)
        const job = ["--to", "de", "--column", "title", "--out", "in/{name}.{lang}.csv"]
        const table = ["--table", "t", "--key", "id", "--to", "de", "--column", "title", "--output", "u"]
        const known = { folder, env: { ...at.env, EFFECT_TRANSLATE_WORKER_FOLDERS: "in" } }
        const state = { EFFECT_TRANSLATE_WORKER_FOLDERS: "in,.effect-translate" }
        const refused = [
          yield* run(["job", "submit", "outside.csv", ...job, "--jobs", http], at),
          yield* run(["job", "submit", "outside.csv", ...job], known),
          yield* run(["job", "submit", ...table, "--jobs", http], at),
          yield* run(["job", "submit", ...table], known),
          yield* run(["job", "submit", "in/products.csv", ...job], known)
        ]
        for (const { code, stderr } of refused) {
          expect([code, stderr.trim().split("\n").length]).toEqual([2, 1])
        }
        expect(refused[0]!.stderr).toContain(
          `the workers may not use "${folder}/outside.csv", which is in none of their folders (${folder}/in, ${folder}/.effect-translate): name files in one`
        )
        expect(refused[1]!.stderr).toContain(`may not use "${folder}/outside.csv"`)
        expect(refused[2]!.stderr).toContain('No worker knows the kind of corpus "table": name one of files')
        expect(refused[3]!.stderr).toContain('No worker knows the kind of corpus "table"')
        expect(refused[4]!.stderr).toContain(`may not use "${folder}/.effect-translate"`)
        expect(objects((yield* run(["job", "list", "--json"], at)).stdout)).toMatchObject([{ jobs: [] }])

        const link = yield* run(["job", "submit", "in/link.csv", ...job, "--id", "link"], {
          folder,
          env: { ...at.env, ...state }
        })
        expect(link.code).toBe(0)
        const watched = yield* run(["job", "watch", "link", "--quiet"], at)
        expect([watched.code, watched.stderr]).toEqual([
          2,
          expect.stringContaining("a link leads out of the folders that the workers may use")
        ])
        yield* run(["job", "submit", "in/products.csv", ...job, "--id", "inside", "--jobs", http], at)
        expect((yield* run(["job", "watch", "inside"], at)).code).toBe(0)
        expect(readdirSync(`${folder}/in`).sort()).toEqual(["link.csv", "products.csv", "products.de.csv"])

        const list = ["job", "list", "--json", "--limit", "1", "--jobs", http]
        const [page] = objects((yield* run(list, at)).stdout)
        expect(page).toMatchObject({ jobs: [{ id: "inside" }], counts: { all: 2, withFailures: 1 } })
        const [rest] = objects((yield* run([...list, "--cursor", String(page!.next)], at)).stdout)
        expect(rest).toMatchObject({ jobs: [{ id: "link" }] })
        expect(rest).not.toHaveProperty("next")
        const some = yield* run(["job", "list", "--json", "--state", "done", "--prefix", "in"], at)
        expect(objects(some.stdout)).toMatchObject([{ jobs: [{ id: "inside" }] }])
      }),
    processTimeout
  )

  it.scopedLive(
    "ends with a code of its own once its tables are those of another version, also under --supervised",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf()
        const at = { folder, env }
        const running = yield* worker(["--supervised"], at)
        yield* running.told("started")
        yield* Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`UPDATE effect_translate_job_version SET version = 99`
        ).pipe(Effect.provide(LibsqlClient.layer({ filename: `${folder}/.effect-translate/jobs.db` })))
        const { code, stderr } = yield* running.ended
        expect(code).toBe(76)
        expect(stderr).toMatch(/^The tables of the jobs have version 99, and this version [^\n]+\n$/)
        expect(running.events().map(({ type }) => type)).toEqual(["started", "draining", "stopped", "error"])
        const again = yield* run(["worker"], at)
        expect([again.code, again.stderr]).toEqual([76, stderr])
      }),
    processTimeout
  )

  it.scopedLive(
    "joins others in PostgreSQL by their secret only, which is in the environment or a file",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const server = yield* postgres
        const url = Redacted.value(yield* server.database)
        const secret = "a-secret-of-the-workers"
        const folder = yield* folderOf({ "products.csv": products(300), "secret.txt": `${secret}\n` })
        const at = (more: Readonly<Record<string, string>>) => ({
          folder,
          env: { ...env, EFFECT_TRANSLATE_JOBS: url, ...more }
        })
        const first = yield* worker([], at({ EFFECT_TRANSLATE_WORKER_SECRET: secret }))
        const { address } = yield* first.told("started")
        const refused = [
          yield* run(["worker"], at({})),
          yield* run(["worker"], at({ EFFECT_TRANSLATE_WORKER_SECRET: `${secret}s` })),
          yield* run(["worker"], at({ EFFECT_TRANSLATE_WORKER_SECRET: "short" }))
        ]
        expect(refused.map(({ code }) => code)).toEqual([2, 2, 2])
        expect(refused[0]!.stderr).toContain(`The worker at ${address} has a secret, and this one has none`)
        expect(refused[1]!.stderr).toContain(`The worker at ${address} does not know the secret of this one`)
        expect(refused[2]!.stderr).toContain("less than 16 characters")
        const second = yield* worker([], at({ EFFECT_TRANSLATE_WORKER_SECRET_FILE: "secret.txt" }))
        yield* second.told("started")
        expect((yield* run(submit, at({}))).code).toBe(0)
        expect((yield* run(["job", "watch", "products"], at({}))).code).toBe(0)
        expect(outputs(folder)[1]!.split("\n")).toHaveLength(301)
        expect(first.stderr()).toContain("was refused, as it does not know the secret of the workers")
        expect(second.stderr()).toBe("")
        expect(first.stderr() + refused.map(({ stderr }) => stderr).join()).not.toContain(secret)
      }),
    processTimeout
  )

  it.scopedLive(
    "shares jobs with others in PostgreSQL, leaves with 75 when that is lost, and is started again under --supervised",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator({ latency: 200 })
        const server = yield* postgres
        const url = Redacted.value(yield* server.database)
        const text = products(1000)
        const folder = yield* folderOf({ "products.csv": text })
        const at = { folder, env: { ...env, EFFECT_TRANSLATE_JOBS: url } }
        const first = yield* worker(["--concurrency", "1"], at)
        const supervised = yield* worker(["--concurrency", "1", "--supervised"], at)
        const told = [yield* first.told("started"), yield* supervised.told("started")]
        expect(told).toMatchObject([
          { jobs: "PostgreSQL", store: "PostgreSQL" },
          { jobs: "PostgreSQL", store: "PostgreSQL" }
        ])
        expect(told[0]!.address).not.toBe(told[1]!.address)
        expect((yield* run(submit, at)).code).toBe(0)
        yield* Effect.iterate(0, {
          while: (sum) => sum === 0,
          body: () => Effect.delay(billed, "100 millis")
        })

        expect(yield* connectionsTo(url)).toBeLessThanOrEqual(20)
        yield* server.stop
        const ended = yield* first.ended
        expect(ended.code).toBe(75)
        expect(ended.stderr).toMatch(/^The database of the workers was lost \([^\n]+\n$/)
        expect(first.events().at(-1)).toMatchObject({ type: "error", code: 75, tag: "StorageLost" })
        expect(yield* supervised.told("restarting")).toMatchObject({ exitCode: 75 })
        yield* server.start

        const watched = yield* run(["job", "watch", "products", "--json"], at)
        expect(watched.code).toBe(0)
        expect(outputs(folder)[1]!.split("\n")).toHaveLength(1001)
        yield* supervised.kill("SIGINT")
        expect((yield* supervised.ended).code).toBe(130)
        for (const { stderr, stdout } of [first, supervised]) {
          expect(stderr() + stdout()).not.toContain(":password@")
        }
      }),
    processTimeout
  )

  it.scopedLive(
    "says in a line that its database can't be reached, and shows no password",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf()
        const env = { LANGUAGE_SERVICE_URL: "http://127.0.0.1:1", LANGUAGE_SERVICE_KEY: "key" }
        const jobs = "postgres://user:s3cret@127.0.0.1:1/jobs"
        const { code, stderr, stdout } = yield* run(["worker", "--jobs", jobs], { folder, env })
        expect(code).toBe(75)
        expect(stderr).toMatch(/^[^\n]*\(ECONNREFUSED\)[^\n]*\n$/)
        expect(stderr + stdout).not.toContain("s3cret")
      }),
    processTimeout
  )
})
