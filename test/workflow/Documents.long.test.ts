/** Workers that are killed at each step of a document: what was paid, and what it ends with. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { postgres } from "../support/postgres.js"
import { kill, programs, resultsOf } from "./killed.js"

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

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
  return { ...others, outputs: `${folder}/out` }
}

const isWhole = (file: string) =>
  expect(readFileSync(file, "utf8")).toHaveLength("[de] ".length + sentences * "Hello 00. ".length)

// They wait more than they compute, each with a service and a database of its own.
describe.concurrent("a document whose worker is killed", { timeout: 120_000 }, () => {
  it("while it sleeps in the database, since the quota is used up: it wakes where it is started again", async () => {
    const { meter, outputs, until, work } = await prepared("clock", "clock")
    const worker = work("61 seconds")
    await until(({ faults }) => faults === 1)
    await pause(2000)
    await kill(worker)
    const before = Date.now()
    expect(await resultsOf(work("61 seconds"))).toEqual({ "0.txt": "Translated" })
    expect(Date.now() - before).toBeGreaterThan(40_000)
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
    const { meter, outputs, until, work } = await prepared("waiting", "waiting", 10)
    const worker = work("1 second")
    await until(({ uploads }) => uploads === 10)
    // Until the last answer is in the journal.
    await pause(500)
    await kill(worker)
    expect(new Set(Object.values(await resultsOf(work("1 second"))))).toEqual(new Set(["Translated"]))
    expect(await meter()).toMatchObject({ uploads: 10, downloads: 10 })
    expect(readdirSync(outputs)).toHaveLength(10)
    for (const name of readdirSync(outputs)) isWhole(`${outputs}/${name}`)
  })

  it("while other machines live: one of them goes on", async () => {
    const { meter, outputs, until, workWith } = await prepared("machines", "waiting", 10)
    const database = await Effect.runPromise(Effect.flatMap(postgres, ({ database }) => database))
    const [first, second] = [workWith(database), workWith(database)]
    await until(({ uploads }) => uploads === 10)
    await pause(500)
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
    const { meter, outputs, until, work } = await prepared("quota", "quota")
    const worker = work("3 seconds")
    await until(({ faults }) => faults === 1)
    await pause(500)
    await kill(worker)
    expect(await resultsOf(work("3 seconds"))).toEqual({ "0.txt": "Translated" })
    expect(await meter()).toMatchObject({ faults: 3, uploads: 1 })
    isWhole(`${outputs}/0.txt`)
  })
})
