/** `worker` as processes: jobs that are done by it, how it ends, and who may use it. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { postgres } from "../support/postgres.js"
import { emulator, folderOf, processTimeout, run } from "./process.js"
import { objects, outputs, products, submit, worker } from "./workerProcess.js"

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
    "finishes what is in flight on SIGTERM, and another one goes on without paying twice",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator("--latency", "300")
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

  it.scopedLive.skipIf(process.platform !== "linux")(
    "is started again under --supervised when it was killed, and not when it was told to end",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf()
        const supervisor = yield* worker(["--supervised"], { folder, env })
        yield* supervisor.told("started")
        const { pid } = supervisor.child
        const child = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0])
        process.kill(child, "SIGKILL")
        expect(yield* supervisor.told("restarting")).toMatchObject({ seconds: 0.5 })
        yield* supervisor.told("started", 2)
        yield* supervisor.kill("SIGTERM")
        expect((yield* supervisor.ended).code).toBe(0)
        expect(supervisor.events().at(-1)).toEqual({ type: "stopped", isDrained: true })
      }),
    processTimeout
  )

  it.scopedLive(
    "shares jobs with others in PostgreSQL, leaves with 75 when that is lost, and is started again under --supervised",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator("--latency", "200")
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
