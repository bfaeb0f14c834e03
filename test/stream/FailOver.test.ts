/** Several clients under `QuotaPolicy.failOver`, while the services of some are down. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import {
  type CircuitBreaker,
  ConcurrencyLimit,
  Outcome,
  Progress,
  QuotaPolicy,
  RetryPolicy,
  TranslateClient,
  TranslateStream,
  WriteStream
} from "effect-translate"
import { DocumentBatch, DocumentJournal, DocumentSource } from "effect-translate/documents"
import * as bulkCalls from "../../src/internal/bulkCalls.js"
import { SendGate } from "../../src/internal/sendGate.js"
import { UploadWaiting } from "../../src/internal/uploadWaiting.js"
import { key, layerOver } from "../support/client.js"
import { fiveCharacters } from "../support/documents.js"
import { probing, retries } from "../support/retries.js"
import * as unreliable from "../support/unreliableService.js"
import { charactersOf, collect, drain, failsWith, numbered, values } from "./support.js"

/** A client of the first service, and of the second when that one is down. */
const both = (
  first: unreliable.UnreliableService,
  second: unreliable.UnreliableService,
  circuit?: CircuitBreaker.Policy
) => {
  const account = { url: second.url, key: Redacted.make(key), limit: ConcurrencyLimit.makeUnlimited }
  return Layer.provide(
    layerOver({ url: first.url, circuit, quota: QuotaPolicy.failOver([account]) }),
    unreliable.transport
  )
}

const translate = (texts: ReadonlyArray<string>, options: Partial<TranslateStream.Options> = {}) =>
  TranslateStream.translate(Stream.fromIterable(texts), { targetLang: "de", ...options })

const translated = (texts: ReadonlyArray<string>) => texts.map((text) => `<${text}>`)

const costs = (outcomes: ReadonlyArray<Outcome.Outcome<string, string>>) =>
  outcomes.reduce((sum, { cost }) => sum + cost.ambiguousCharacters, 0)

const quickly = Effect.provideService(
  RetryPolicy.RetryPolicy,
  RetryPolicy.make({ schedule: retries(5, "5 millis") })
)

/** Much longer than a test: what waits for it does not end. */
const never = Schedule.spaced("1 minute")

const english = { targetLang: "en-US", maxTexts: 50 } as const

describe("whoever is asked before each attempt", () => {
  it.virtual("is told attempts in doubt of the first client too, when the second sends", () =>
    Effect.gen(function* () {
      const first = yield* unreliable.make(({ index }) => (index === 1 ? 500 : 456))
      const second = yield* unreliable.make(({ index }) => (index === 1 ? 500 : "ok"))
      const asked: Array<number> = []
      const maySend = (ambiguousAttempts: number) => Effect.sync(() => asked.push(ambiguousAttempts) > 0)
      const { ambiguousAttempts } = yield* Effect.flatMap(
        TranslateClient.TranslateClient,
        ({ translateText }) => translateText({ text: ["a"], targetLang: "de" })
      ).pipe(
        Effect.provideService(SendGate, () => maySend),
        quickly,
        Effect.provide(both(first, second))
      )
      expect(ambiguousAttempts).toBe(2)
      expect(asked).toEqual([0, 1, 1, 2])
    })
  )
})

describe("an outage of the first of two clients", () => {
  for (const [what, fault] of [
    ["answers 503", 503],
    ["answers 500", 500],
    ["cuts every connection", "cut"]
  ] as const) {
    it.virtual(`that ${what} sends the rest by the second, without a wait`, () =>
      Effect.gen(function* () {
        const first = yield* unreliable.make(({ index }) => (index > 10 ? fault : "ok"))
        const second = yield* unreliable.make()
        const texts = numbered(2000)
        const outcomes = yield* collect(translate(texts)).pipe(
          Effect.provide(both(first, second, probing(never)))
        )
        expect(values(outcomes)).toEqual(translated(texts))
        expect(first.seen.length).toBeLessThanOrEqual(10 + 8 + 5)
        // Each text once, as the first has translated 10 requests.
        expect(second.seen.flatMap(({ texts }) => texts)).toHaveLength(2000 - 500)
        const inDoubt = fault === 503 ? 0 : charactersOf(first.unanswered)
        expect(costs(outcomes)).toBe(inDoubt)
      })
    )
  }

  it.virtual("sends nothing by the second that may have been billed, without an ambiguous budget", () =>
    Effect.gen(function* () {
      const first = yield* unreliable.make(({ index }) => (index > 10 ? "cut" : "ok"))
      const second = yield* unreliable.make()
      const texts = numbered(2000)
      const outcomes = yield* collect(translate(texts)).pipe(
        Effect.provideService(
          RetryPolicy.RetryPolicy,
          RetryPolicy.make({ ambiguousBudget: 0, ambiguousBudgetPerSuccess: 0 })
        ),
        Effect.provide(both(first, second, probing(never)))
      )
      const cut = first.unanswered
      const done = new Set(first.seen.filter(({ what }) => what === "ok").flatMap(({ texts }) => texts))
      expect(cut.length).toBeGreaterThan(0)
      const failed = outcomes.filter(Outcome.isFailed)
      expect(failed.map(({ source }) => source).sort()).toEqual([...cut].sort())
      for (const { failures } of failed) {
        expect(failures[0]!.error).toMatchObject({ delivery: "ambiguous", ambiguousAttempts: 1 })
      }
      expect(new Set(second.seen.flatMap(({ texts }) => texts))).toEqual(
        new Set(texts.filter((text) => !cut.includes(text) && !done.has(text)))
      )
    })
  )

  it.virtual("does not show in the progress: nothing waits", () =>
    Effect.gen(function* () {
      const first = yield* unreliable.make(({ index }) => (index > 10 ? 503 : "ok"))
      const progress = yield* Progress.make()
      const events: Array<string> = []
      yield* Effect.forkScoped(
        Stream.runForEach(progress.events, ({ _tag }) => Effect.sync(() => void events.push(_tag)))
      )
      yield* Effect.yieldNow()
      yield* collect(translate(numbered(2000), { progress })).pipe(
        Effect.provide(both(first, yield* unreliable.make(), probing(never)))
      )
      yield* Effect.sleep(5)
      expect(events.length).toBeGreaterThan(0)
      expect(events.filter((tag) => tag.startsWith("Outage"))).toEqual([])
    })
  )

  for (const [name, operator] of [
    ["rephrased", WriteStream.rephrase(english)],
    ["corrected", WriteStream.correct(english)]
  ] as const) {
    it.virtual(`goes on with the second for texts that are ${name}`, () =>
      Effect.gen(function* () {
        const first = yield* unreliable.make(({ index }) => (index > 3 ? 503 : "ok"))
        const second = yield* unreliable.make()
        const texts = numbered(2000)
        const improved = operator(Stream.fromIterable(texts))
        const outcomes = yield* collect(improved).pipe(Effect.provide(both(first, second, probing(never))))
        expect(values(outcomes)).toEqual(translated(texts))
        expect(second.seen.length).toBeGreaterThan(0)
      })
    )
  }

  it.virtual("is over: if the second goes down later, the first goes on", () =>
    Effect.gen(function* () {
      const first = yield* unreliable.make(({ index }) => (index > 10 && index <= 30 ? 503 : "ok"))
      const second = yield* unreliable.make(({ index }) => (index > 20 ? 503 : "ok"))
      const texts = numbered(6000)
      const outcomes = yield* collect(translate(texts, { concurrency: 4 })).pipe(
        Effect.provide(both(first, second, probing(Schedule.spaced("20 millis"))))
      )
      expect(values(outcomes)).toEqual(translated(texts))
      expect(first.seen.filter(({ what }) => what === "ok").length).toBe(120 - 20)
    })
  )

  it.virtual("is over: a single call finds that out, and does not wait for the second", () =>
    Effect.gen(function* () {
      const first = yield* unreliable.make(({ index }) => (index > 10 && index <= 16 ? 503 : "ok"))
      const second = yield* unreliable.make(({ index }) => (index > 20 ? 503 : "ok"))
      const texts = numbered(2000)
      const outcomes = yield* collect(translate(texts, { concurrency: 1 })).pipe(
        quickly,
        Effect.provide(both(first, second, probing(Schedule.spaced("5 millis"))))
      )
      expect(values(outcomes)).toEqual(translated(texts))
    })
  )

  it.virtual("goes on with the first if the quota of the second is used up later", () =>
    Effect.gen(function* () {
      const first = yield* unreliable.make(({ index }) => (index > 10 && index <= 20 ? 503 : "ok"))
      const second = yield* unreliable.make(({ index }) => (index > 20 ? 456 : "ok"))
      const texts = numbered(6000)
      const outcomes = yield* collect(translate(texts, { concurrency: 4 })).pipe(
        Effect.provide(both(first, second, probing(Schedule.spaced("20 millis"))))
      )
      expect(values(outcomes)).toEqual(translated(texts))
    })
  )
})

describe("an outage of all clients", () => {
  it.virtual("is waited out: unsent texts wait for the first", () =>
    Effect.gen(function* () {
      const isDown: unreliable.Faults = ({ index }) => (index > 10 && index <= 30 ? 503 : "ok")
      const first = yield* unreliable.make(isDown)
      const second = yield* unreliable.make(() => 503)
      const texts = numbered(2000)
      const outcomes = yield* collect(translate(texts)).pipe(
        Effect.provide(both(first, second, probing(Schedule.spaced("10 millis"))))
      )
      expect(values(outcomes)).toEqual(translated(texts))
    })
  )

  it.virtual("that outlasts the schedule ends the stream with Outage, and nothing more is sent", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* unreliable.make(() => 503), yield* unreliable.make(() => 503)]
      const { exit, out } = yield* drain(translate(numbered(2000))).pipe(
        Effect.provide(both(first, second, probing(retries(3, "20 millis"))))
      )
      expect(failsWith(exit)).toMatchObject({ _tag: "Outage", lastError: "ServerError (status 503)" })
      expect(costs(out)).toBe(0)
      expect(first.seen.length + second.seen.length).toBeLessThan(40)
    })
  )
})

describe("an outage of one client, for documents", () => {
  const files = Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(`${tmpdir()}/failover-`)),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  )

  const run = (folder: string, options?: DocumentBatch.Options) => {
    const items = Array.from({ length: 12 }, (_, index) => {
      writeFileSync(`${folder}/${index}.txt`, fiveCharacters(index))
      return { path: `${folder}/${index}.txt`, targetLang: "de" }
    })
    return Stream.run(DocumentBatch.run(Stream.fromIterable(items), options), DocumentBatch.report())
  }

  it.virtual("uploads by the second, and downloads there", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* unreliable.make(() => 503), yield* unreliable.make()]
      const folder = yield* files
      const report = yield* run(folder).pipe(
        quickly,
        Effect.provide([both(first, second, probing(never)), NodeContext.layer, DocumentJournal.layerMemory])
      )
      expect(report).toMatchObject({ in: 12, translated: 12, failed: [], ambiguous: [] })
      expect([first.uploads.length, second.uploads.length, second.downloads]).toEqual([0, 12, 12])
      expect(readFileSync(`${folder}/3.de.txt`, "utf8")).toBe("Hallo")
    })
  )

  it.virtual(
    "asks again if the request may be sent, after it has waited and before the second sends it",
    () =>
      Effect.gen(function* () {
        const told: Array<string> = []
        const tell = (what: string) => Effect.sync(() => void told.push(what))
        const [first, second] = [
          yield* unreliable.make(() => 503),
          yield* unreliable.make(() => {
            told.push("second")
            return "ok"
          })
        ]
        const source = DocumentSource.fromBytes("a.txt", new TextEncoder().encode("Hello"))
        yield* Effect.flatMap(TranslateClient.TranslateClient, ({ documents }) =>
          documents.upload(source, { targetLang: "de" })
        ).pipe(
          Effect.provideService(bulkCalls.BulkCalls, bulkCalls.plain()),
          Effect.provideService(UploadWaiting, tell("waits")),
          Effect.provideService(SendGate, () => () => Effect.as(tell("asks"), true)),
          Effect.provide(both(first, second, probing(never, 1)))
        )
        expect(told).toEqual(["asks", "waits", "asks", "second"])
      })
  )

  it.virtual("waits for the first with texts that only that one may send", () =>
    Effect.gen(function* () {
      let down = 0
      // A 503 of a download would say that the document was given out.
      const first = yield* unreliable.make(({ index, path }) =>
        index > 6 && !path.endsWith("/result") && down++ < 15 ? 503 : "ok"
      )
      const second = yield* unreliable.make()
      const report = yield* run(yield* files, { concurrency: 3 }).pipe(
        quickly,
        Effect.provide([
          both(first, second, probing(Schedule.spaced("20 millis"))),
          NodeContext.layer,
          DocumentJournal.layerMemory
        ])
      )
      expect(report).toMatchObject({ in: 12, translated: 12, failed: [], ambiguous: [], lost: [] })
      expect(first.uploads.length).toBeGreaterThan(0)
      expect(first.uploads.length + second.uploads.length).toBe(12)
      expect([first.downloads, second.downloads]).toEqual([first.uploads.length, second.uploads.length])
    })
  )

  it.virtual("uploads nothing twice whose upload may have arrived", () =>
    Effect.gen(function* () {
      const first = yield* unreliable.make(({ path }) => (path === "/v2/document" ? "cut" : "ok"))
      const second = yield* unreliable.make()
      const report = yield* run(yield* files, { concurrency: 3 }).pipe(
        quickly,
        Effect.provide([both(first, second, probing(never)), NodeContext.layer, DocumentJournal.layerMemory])
      )
      expect(report.ambiguous.length).toBe(first.requests)
      expect(report.translated).toBe(12 - first.requests)
      expect(second.uploads.length).toBe(12 - first.requests)
      expect(second.uploads.length).toBeGreaterThan(0)
    })
  )
})
