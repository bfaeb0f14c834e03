/** Ctrl-C in each phase of the commands, as processes: a line at once, and an end that nothing delays. */
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import Database from "libsql"
import * as Pg from "pg"
import { postgres } from "../support/postgres.js"
import { afterRelay, emulator, folderOf, processTimeout, run, start } from "./process.js"

const stopping = "Stopping. Press Ctrl-C again to stop now.\n"
const finishing = "Finishing requests in flight. Press Ctrl-C again to stop now.\n"
const draining = "Ending: requests in flight are finished, for 12 s at most. Ctrl-C again ends at once.\n"
const interrupted = "Interrupted.\n"

type Process = Effect.Effect.Success<ReturnType<typeof start>>

const until = (holds: () => boolean) => Effect.repeat(Effect.sleep("10 millis"), { until: holds })

/** What it says from the first Ctrl-C on, and its exit code. A second one comes once the first is answered, later than a relay of it. */
const interrupt = ({ ended, kill, stderr }: Process, times: 1 | 2 = 1) =>
  Effect.gen(function* () {
    const before = stderr().length
    yield* kill("SIGINT")
    yield* until(() => stderr().length > before)
    if (times === 2) yield* Effect.zipRight(afterRelay, kill("SIGINT"))
    const { code } = yield* ended
    return [code, stderr().slice(before)]
  })

/** A service that takes requests and never answers, and its first request. */
const silent = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<{ readonly url: string; readonly asked: Promise<void>; readonly close: () => void }>(
        (resolve) => {
          let ask = () => {}
          const asked = new Promise<void>((resolve) => {
            ask = resolve
          })
          const server = createServer((socket) => {
            socket.on("error", () => {}).once("data", ask)
          }).unref()
          server.listen(0, "127.0.0.1", () =>
            resolve({
              url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
              asked,
              close: () => server.close()
            })
          )
        }
      )
  ),
  ({ close }) => Effect.sync(close)
)

const settingsOf = (url: string) => ({
  LANGUAGE_SERVICE_URL: url,
  LANGUAGE_SERVICE_KEY: "emulator-key",
  LANGUAGE_SERVICE_ADMIN_KEY: "emulator-admin-key"
})

/** An emulator that never answers this endpoint. */
const hanging = (path: string) =>
  Effect.map(
    emulator(undefined, { faults: [{ fault: "slow", duration: "1 hour", path, times: "always" }] }),
    ({ env }) => env
  )

const state = ".effect-translate"

const holding = `
const database = new (require("libsql"))(process.argv[1])
const begin = () => {
  try {
    database.exec("BEGIN EXCLUSIVE")
    console.log("held")
    setInterval(() => {}, 1000)
  } catch {
    setTimeout(begin, 1)
  }
}
begin()
`

/** A process that holds a database, as soon as that can be. */
const lock = (path: string) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, ["-e", holding, path], { stdio: ["ignore", "pipe", "inherit"] })
    ),
    (holder) => Effect.sync(() => holder.kill("SIGKILL"))
  ).pipe(
    Effect.tap(({ stdout }) =>
      Effect.async<void>((resume) => {
        stdout.once("data", () => resume(Effect.void))
      })
    )
  )

/** A folder whose database another process holds. */
const lockedFolder = (database: string) =>
  Effect.tap(folderOf(), (folder) =>
    Effect.zipRight(
      Effect.sync(() => mkdirSync(`${folder}/${state}`)),
      lock(`${folder}/${state}/${database}`)
    )
  )

/** Waits until a process has opened a file. */
const opens = ({ child }: Process, file: string) =>
  until(() => {
    const folder = `/proc/${child.pid}/fd`
    return readdirSync(folder).some((name) => {
      try {
        return readlinkSync(`${folder}/${name}`).endsWith(file)
      } catch {
        return false
      }
    })
  })

const bytesReadBy = ({ child }: Process) =>
  Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${child.pid}/io`, "utf8"))![1])

const translate = ["translate", "texts.jsonl", "--field", "text", "--from", "en", "--to", "de"]

const texts = (count: number) =>
  Array.from({ length: count }, (_, index) => `{"text":"Sentence ${index} of a file."}\n`).join("")

/** The requests in the ledger of a store in a file, once it is there. */
const attemptsOf = (store: string) =>
  Effect.try(() => {
    const database = new Database(store)
    try {
      return database.prepare("SELECT 1 FROM effect_translate_attempts").all().length
    } finally {
      database.close()
    }
  }).pipe(Effect.orElseSucceed(() => 0))

const isWritten = (path: string, what: RegExp) => existsSync(path) && what.test(readFileSync(path, "utf8"))

/** Waits until requests are in the ledger of a store. */
const sent = (attempts: Effect.Effect<number>) =>
  attempts.pipe(Effect.delay("50 millis"), Effect.repeat({ until: (count) => count > 0 }))

describe("Ctrl-C while the service does not answer", () => {
  for (const command of [
    "usage",
    "doctor",
    "glossary sync terms terms.en-de.csv",
    "write rephrase Text.",
    "document translate a.txt --to de",
    "translate a.txt --to de",
    "job list"
  ]) {
    it.scopedLive(
      `ends ${command}`,
      () =>
        Effect.gen(function* () {
          const { asked, url } = yield* silent
          const folder = yield* folderOf({ "a.txt": "A text.", "terms.en-de.csv": "house,Haus\n" })
          const jobs = { EFFECT_TRANSLATE_JOBS: url, EFFECT_TRANSLATE_JOBS_KEY: "k".repeat(20) }
          const running = yield* start(command.split(" "), { folder, env: { ...settingsOf(url), ...jobs } })
          yield* Effect.promise(() => asked)
          expect(yield* interrupt(running)).toEqual([130, stopping + interrupted])
        }),
      processTimeout
    )
  }

  it.scopedLive(
    "ends a worker before it has begun",
    () =>
      Effect.gen(function* () {
        const { asked, url } = yield* silent
        const worker = yield* start(["worker"], { folder: yield* folderOf(), env: settingsOf(url) })
        yield* Effect.promise(() => asked)
        expect(yield* interrupt(worker)).toEqual([130, stopping + interrupted])
      }),
    processTimeout
  )

  it.scopedLive(
    "twice ends a job and a document at once",
    () =>
      Effect.gen(function* () {
        const env = yield* hanging("/v2/translate")
        const folder = yield* folderOf({ "texts.jsonl": texts(100) })
        const job = yield* start(translate, { folder, env })
        yield* sent(attemptsOf(`${folder}/${state}/store.db`))
        expect(yield* interrupt(job, 2)).toEqual([130, finishing + interrupted])

        const files = yield* folderOf({ "a.txt": "A text." })
        const document = yield* start(["document", "translate", "a.txt", "--to", "de"], {
          folder: files,
          env: yield* hanging("/v2/document")
        })
        yield* until(() => isWritten(`${files}/${state}/documents.jsonl`, /"Sent"/))
        expect(yield* interrupt(document, 2)).toEqual([130, finishing + interrupted])
      }),
    processTimeout
  )
})

describe("Ctrl-C while a large file is read", () => {
  it.scopedLive(
    "ends the forecast",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf()
        writeFileSync(`${folder}/texts.jsonl`, texts(2_000_000))
        const forecast = yield* start([...translate, "--dry-run"], { folder, env })
        yield* until(() => bytesReadBy(forecast) > 30_000_000)
        expect(yield* interrupt(forecast)).toEqual([130, stopping + interrupted])
      }),
    processTimeout
  )
})

describe("Ctrl-C while another process holds", () => {
  it.scopedLive.each([
    ["the store, when it is opened", "store.db", translate],
    ["the store, in a forecast", "store.db", [...translate, "--dry-run"]],
    ["the store, of memory", "store.db", ["memory", "stats"]],
    ["the jobs, at the start of a worker", "jobs.db", ["worker"]],
    ["the jobs, of job list", "jobs.db", ["job", "list"]]
  ] as const)(
    "%s",
    ([_, database, args]) =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* lockedFolder(database)
        writeFileSync(`${folder}/texts.jsonl`, texts(100))
        const command = yield* start(args, { folder, env })
        yield* opens(command, database)
        expect(yield* interrupt(command)).toEqual([130, stopping + interrupted])
      }),
    processTimeout
  )

  it.scopedLive(
    "the store of a job that has texts in flight: a second one ends it, and the next run names texts in doubt",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf({ "texts.jsonl": texts(100) })
        const store = `${folder}/${state}/store.db`
        const job = yield* start(translate, { folder, env: yield* hanging("/v2/translate") })
        yield* sent(attemptsOf(store))
        const holder = yield* lock(store)
        expect(yield* interrupt(job, 2)).toEqual([130, finishing + interrupted])
        holder.kill("SIGKILL")
        const { env } = yield* emulator()
        const again = yield* run(translate, { folder, env })
        expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^May be paid twice: /m) })
      }),
    processTimeout
  )

  it.scopedLive(
    "the tables of a store in PostgreSQL, of a job that has texts in flight",
    () =>
      Effect.gen(function* () {
        const url = Redacted.value(yield* Effect.flatMap(postgres, ({ database }) => database))
        const client = yield* Effect.acquireRelease(
          Effect.promise(async () => {
            const client = new Pg.Client({ connectionString: url })
            await client.connect()
            return client
          }),
          (client) => Effect.promise(() => client.end())
        )
        const folder = yield* folderOf({ "texts.jsonl": texts(100) })
        const job = yield* start([...translate, "--store", url], {
          folder,
          env: yield* hanging("/v2/translate")
        })
        const attempts = Effect.promise(() =>
          client.query("SELECT 1 FROM effect_translate_attempts").then(
            ({ rowCount }) => rowCount ?? 0,
            () => 0
          )
        )
        yield* sent(attempts)
        yield* Effect.promise(() =>
          client.query("BEGIN; LOCK TABLE effect_translate_attempts IN ACCESS EXCLUSIVE MODE")
        )
        expect(yield* interrupt(job, 2)).toEqual([130, finishing + interrupted])
      }),
    processTimeout
  )

  it.scopedLive.each([{ flags: [] as ReadonlyArray<string> }, { flags: ["--supervised"] }])(
    "the jobs of a worker: a second one ends it $flags",
    ({ flags }) =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf()
        const worker = yield* start(["worker", ...flags], { folder, env })
        yield* until(() => worker.stderr().includes("does the jobs"))
        yield* lock(`${folder}/${state}/jobs.db`)
        expect(yield* interrupt(worker, 2)).toEqual([130, draining + interrupted])
      }),
    processTimeout
  )

  it.scopedLive(
    "the jobs of job watch",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf({ "texts.csv": "id,text\n1,A text.\n" })
        const at = { folder, env }
        const submitted = ["job", "submit", "texts.csv", "--to", "de", "--column", "text", "--id", "texts"]
        expect((yield* run(submitted, at)).code).toBe(0)
        const watching = yield* start(["job", "watch", "texts"], at)
        yield* until(() => watching.stderr() !== "")
        yield* lock(`${folder}/${state}/jobs.db`)
        expect(yield* interrupt(watching)).toEqual([130, stopping + interrupted])
      }),
    processTimeout
  )
})
