/** Workers that are killed at each step of a document: what was paid, and what it ends with. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import Database from "libsql"
import * as Pg from "pg"
import { describe, expect, it } from "vitest"
import { postgres } from "../support/postgres.js"
import { kill, programs, resultsOf } from "./killed.js"

/** Asks a database until there are so many rows, or more. */
const untilRows = async (ask: (statement: string) => Promise<number>, statement: string, count: number) => {
  while ((await ask(statement)) < count) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Rows that a statement finds or changes in the file of a worker; none as long as its table is not there. */
const inFile = (file: string) => async (statement: string) => {
  const database = new Database(file, { timeout: 5000 })
  try {
    const prepared = database.prepare(statement)
    return prepared.reader ? prepared.all().length : prepared.run().changes
  } catch {
    return 0
  } finally {
    database.close()
  }
}

/** The same on a server. */
const onServer = (url: Redacted.Redacted) => async (statement: string) => {
  const client = new Pg.Client({ connectionString: Redacted.value(url) })
  await client.connect()
  try {
    return (await client.query(statement)).rowCount ?? 0
  } catch {
    return 0
  } finally {
    await client.end()
  }
}

/** Documents whose upload has its answer in the journal. */
const uploaded = `SELECT 1 FROM effect_translate_documents WHERE entry LIKE '%"Uploaded"%'`

const { prepare } = programs("documents")

/** The sentences of a document: the emulator puts its language before them. */
const sentences = 2000

/** A folder with documents, and an emulator with the faults of that name. */
const prepared = async (name: string, faults: string, count = 1) => {
  const { folder, ...others } = await prepare(name, faults)
  for (let number = 0; number < count; number++) {
    const sentence = `Hello ${String(number).padStart(2, "0")}. `
    writeFileSync(`${folder}/in/${number}.txt`, sentence.repeat(sentences))
  }
  return { ...others, outputs: `${folder}/out`, database: `${folder}/engine.db` }
}

const isWhole = (file: string) =>
  expect(readFileSync(file, "utf8")).toHaveLength("[de] ".length + sentences * "Hello 00. ".length)

// They wait more than they compute, each with a service and a database of its own.
describe.concurrent("a document whose worker is killed", () => {
  it("while it sleeps in the database, since the quota is used up: it wakes where it is started again, once it is time", async () => {
    const { database, meter, outputs, until, work } = await prepared("clock", "clock")
    const worker = work("1 hour")
    await until(({ faults }) => faults === 1)
    await untilRows(
      inFile(database),
      `SELECT 1 FROM cluster_messages WHERE deliver_at > ${Date.now() + 1_800_000}`,
      1
    )
    await kill(worker)
    await untilRows(
      inFile(database),
      "UPDATE cluster_messages SET deliver_at = 0 WHERE deliver_at IS NOT NULL",
      1
    )
    expect(await resultsOf(work("1 hour"))).toEqual({ "0.txt": "Translated" })
    expect(await meter()).toMatchObject({ faults: 1, uploads: 1 })
    isWhole(`${outputs}/0.txt`)
  })

  it("before the answer of its upload: it is in doubt, and not uploaded again", async () => {
    const { meter, outputs, until, work } = await prepared("upload", "upload")
    const worker = work("1 second")
    await until(({ uploads }) => uploads === 1)
    await kill(worker)
    expect(await resultsOf(work("1 second"))).toEqual({ "0.txt": "AmbiguousUpload" })
    expect((await meter()).uploads).toBe(1)
    expect(readdirSync(outputs)).toEqual([])
  })

  it("while it is translated: it is downloaded by the next one", async () => {
    const { database, meter, outputs, work } = await prepared("waiting", "waiting", 10)
    const worker = work("1 second")
    await untilRows(inFile(database), uploaded, 10)
    await kill(worker)
    expect(new Set(Object.values(await resultsOf(work("1 second"))))).toEqual(new Set(["Translated"]))
    expect(await meter()).toMatchObject({ uploads: 10, downloads: 10 })
    expect(readdirSync(outputs)).toHaveLength(10)
    for (const name of readdirSync(outputs)) isWhole(`${outputs}/${name}`)
  })

  it("while other machines live: one of them goes on", async () => {
    const { meter, outputs, workWith } = await prepared("machines", "waiting", 10)
    const database = await Effect.runPromise(Effect.flatMap(postgres, ({ database }) => database))
    const [first, second] = [workWith(database), workWith(database)]
    await untilRows(onServer(database), uploaded, 10)
    await kill(first)
    expect(new Set(Object.values(await resultsOf(second)))).toEqual(new Set(["Translated"]))
    expect(await meter()).toMatchObject({ uploads: 10, downloads: 10 })
    for (const name of readdirSync(outputs)) isWhole(`${outputs}/${name}`)
  })

  it("while it asks for the translation: the next one asks again", async () => {
    const { meter, outputs, until, work } = await prepared("request", "request")
    const worker = work("1 second")
    await until(({ faults }) => faults === 1)
    await kill(worker)
    expect(await resultsOf(work("1 second"))).toEqual({ "0.txt": "Translated" })
    expect((await meter()).uploads).toBe(1)
    isWhole(`${outputs}/0.txt`)
    expect(readdirSync(outputs)).toEqual(["0.txt"])
  })

  it("amid the translation, which the service gives out once: that is told, nothing is half there, and nothing is uploaded again", async () => {
    const { meter, outputs, until, work } = await prepared("body", "body")
    const worker = work("1 second")
    await until(({ downloads }) => downloads === 1)
    await kill(worker)
    expect(await resultsOf(work("1 second"))).toEqual({ "0.txt": "AlreadyDownloaded" })
    expect((await meter()).uploads).toBe(1)
    expect(existsSync(`${outputs}/0.txt`)).toBe(false)
  })

  it("after it is told to end amid the translation: that comes to its end", async () => {
    const { meter, outputs, until, work } = await prepared("ended", "body")
    const worker = work("1 second")
    await until(({ downloads }) => downloads === 1)
    await kill(worker, "SIGTERM")
    expect(await resultsOf(work("1 second"))).toEqual({ "0.txt": "Translated" })
    expect((await meter()).uploads).toBe(1)
    isWhole(`${outputs}/0.txt`)
  })

  it("while the quota is used up: it goes on once that has passed", async () => {
    const { database, meter, outputs, work } = await prepared("quota", "quota")
    const worker = work("3 seconds")
    // The first step has ended.
    await untilRows(inFile(database), "SELECT 1 FROM cluster_replies LIMIT 1", 1)
    await kill(worker)
    expect(await resultsOf(work("3 seconds"))).toEqual({ "0.txt": "Translated" })
    expect(await meter()).toMatchObject({ faults: 3, uploads: 1 })
    isWhole(`${outputs}/0.txt`)
  })
})
