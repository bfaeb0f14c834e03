/** What uploads do once the quota is used up: against the emulator, by its meter. */
import { readdirSync, writeFileSync } from "node:fs"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { Budget, QuotaPolicy, RetryPolicy, TranslateClient } from "effect-translate"
import {
  DocumentBatch,
  DocumentJournal,
  DocumentSource,
  DocumentTranslation
} from "effect-translate/documents"
import { Emulator, Fault } from "effect-translate/emulator"
import * as documents from "../support/documents.js"
import { clientOf, emulatedInProcess } from "../support/emulator.js"
import { probing } from "../support/retries.js"

const layer = (options?: Emulator.ClientOptions) =>
  Layer.mergeAll(emulatedInProcess(options), NodeContext.layer, DocumentJournal.layerMemory)

const isUpload = ({ method, path }: Fault.Incoming) => method === "POST" && path === "/v2/document"

/** Refuses uploads with 456. */
const usedUp = (times: number) =>
  Effect.flatMap(Emulator.Emulator, ({ script }) =>
    script([Fault.status(456).pipe(Fault.where(isUpload), Fault.times(times))])
  )

const meter = Effect.flatMap(Emulator.Emulator, ({ meter }) => meter)

const names = Array.from({ length: 8 }, (_, index) => `${index}.txt`)

/** Items of five characters each. */
const items = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped()
  for (const [index, name] of names.entries())
    writeFileSync(`${folder}/${name}`, documents.fiveCharacters(index))
  return names.map((name): DocumentBatch.Item => ({ path: `${folder}/${name}`, targetLang: "de" }))
})

const run = (items: ReadonlyArray<DocumentBatch.Item>, options?: DocumentBatch.Options) =>
  Stream.run(DocumentBatch.run(Stream.fromIterable(items), options), DocumentBatch.report())

const entryOf = ({ path, targetLang }: DocumentBatch.Item) => documents.entryOf(path, { targetLang })

/** Waits until an upload was refused, and says so in the journal. */
const isRefused = <E, R>(entry: Effect.Effect<Option.Option<DocumentJournal.Entry>, E, R>) =>
  Effect.repeat(Effect.delay(entry, "5 millis"), {
    until: (entry) => Option.isSome(entry) && entry.value._tag === "Refused"
  })

const soon = Schedule.spaced("20 millis")

describe("wait", () => {
  it.virtual("uploads refused documents again at the time of the schedule, one at a time", () =>
    Effect.gen(function* () {
      yield* usedUp(4)
      const report = yield* run(yield* items, { concurrency: 2 })
      expect(report).toMatchObject({ in: 8, translated: 8, failed: [], ambiguous: [] })
      const { documents, statuses } = yield* meter
      expect(documents).toHaveLength(8)
      expect(statuses[456]).toBe(4)
    }).pipe(Effect.provide(layer({ client: { quota: QuotaPolicy.wait({ schedule: soon }) } })))
  )

  it.virtual("leaves nothing ambiguous if it is killed meanwhile: the journal says Refused", () =>
    Effect.gen(function* () {
      yield* usedUp(1)
      const [item] = yield* items
      const waiting = yield* Effect.fork(run([item!]))
      while (((yield* meter).statuses[456] ?? 0) === 0) yield* Effect.sleep("5 millis")
      yield* isRefused(entryOf(item!))
      yield* Fiber.interrupt(waiting)
      expect(yield* entryOf(item!)).toMatchObject(Option.some({ _tag: "Refused" }))
    }).pipe(Effect.provide(layer({ client: { quota: QuotaPolicy.wait() } })))
  )

  it.virtual("uploads nothing that the journal can't record as Sent again", () =>
    Effect.gen(function* () {
      yield* usedUp(1)
      const [item] = yield* items
      const journal = yield* DocumentJournal.DocumentJournal
      const sent: Array<string> = []
      const failing: DocumentJournal.Service = {
        ...journal,
        update: (document, entry) =>
          entry._tag === "Sent" && sent.push(entry._tag) > 1
            ? new DocumentJournal.DocumentJournalError({ message: "The disk is full." })
            : journal.update(document, entry)
      }
      const result = yield* Effect.either(
        Effect.provideService(run([item!]), DocumentJournal.DocumentJournal, failing)
      )
      expect(result).toMatchObject(
        Either.left({ _tag: "DocumentJournalError", message: "The disk is full." })
      )
      expect((yield* meter).documents).toHaveLength(0)
      expect(yield* entryOf(item!)).toMatchObject(Option.some({ _tag: "Refused" }))
    }).pipe(Effect.provide(layer({ client: { quota: QuotaPolicy.wait({ schedule: soon }) } })))
  )

  it.virtual("does not upload a stream again that may be used up", () =>
    Effect.gen(function* () {
      yield* usedUp(1)
      const { documents } = yield* TranslateClient.TranslateClient
      const source = DocumentSource.fromStream("a.txt", 5, Stream.make(new TextEncoder().encode("Hello")))
      expect(yield* Effect.flip(documents.upload(source, { targetLang: "de" }))).toMatchObject({
        _tag: "QuotaExceeded",
        attempts: 1
      })
      expect((yield* meter).documents).toHaveLength(0)
    }).pipe(
      Effect.provide(
        layer({
          client: {
            quota: [
              QuotaPolicy.failOver([{ key: Redacted.make(Emulator.defaultKey) }]),
              QuotaPolicy.wait({ schedule: soon })
            ]
          }
        })
      )
    )
  )

  it.virtual("ends the batch with QuotaExceeded once its schedule ends", () =>
    Effect.gen(function* () {
      const result = yield* Effect.either(run(yield* items, { concurrency: 3 }))
      expect(result).toMatchObject(Either.left({ _tag: "QuotaExceeded" }))
      // Each that was under way asked once, and then one of them twice.
      expect((yield* meter).statuses[456]).toBe(5)
    }).pipe(
      // All three are under way before the first is refused.
      Effect.provide(
        layer({
          characterLimit: 4,
          latency: "150 millis",
          client: { quota: QuotaPolicy.wait({ schedule: Schedule.intersect(soon, Schedule.recurs(2)) }) }
        })
      )
    )
  )

  it.virtual("ends when the run ends for another reason", () =>
    Effect.gen(function* () {
      const [first, second] = yield* items
      yield* usedUp(1)
      // The first has reserved all of it.
      const options = { budget: yield* Budget.make(5), charactersPerDocument: 5 }
      const outcomes: Array<DocumentBatch.Outcome> = []
      const late = Stream.concat(
        Stream.make(first!),
        Stream.drain(Stream.fromEffect(Effect.sleep("100 millis")))
      )
      const result = yield* DocumentBatch.run(Stream.concat(late, Stream.make(second!)), options).pipe(
        Stream.runForEach((outcome) => Effect.sync(() => outcomes.push(outcome))),
        Effect.either
      )
      expect(result).toMatchObject(Either.left({ _tag: "BudgetExceeded" }))
      expect(outcomes.map(({ item, _tag }) => [item.path, _tag])).toEqual(
        expect.arrayContaining([
          [first!.path, "Failed"],
          [second!.path, "Failed"]
        ])
      )
    }).pipe(Effect.provide(layer({ client: { quota: QuotaPolicy.wait() } })))
  )
})

describe("an upload that was not taken", () => {
  const refuse = Effect.flatMap(Emulator.Emulator, ({ script }) =>
    script([Fault.status(503).pipe(Fault.where(isUpload), Fault.times(Number.POSITIVE_INFINITY))])
  )

  const refusals = (count: number) =>
    Effect.repeat(Effect.delay(meter, "5 millis"), {
      until: ({ statuses }) => (statuses[503] ?? 0) >= count
    })

  it.virtual("is Refused in the journal while it waits for the service to come back", () =>
    Effect.gen(function* () {
      yield* refuse
      const [item] = yield* items
      const waiting = yield* Effect.fork(run([item!]))
      yield* refusals(1)
      yield* isRefused(entryOf(item!))
      yield* Fiber.interrupt(waiting)
      expect(yield* entryOf(item!)).toMatchObject(Option.some({ _tag: "Refused" }))
    }).pipe(Effect.provide(layer({ client: { circuit: probing(Schedule.spaced("1 hour"), 1) } })))
  )

  it.virtual("is Refused in the journal during a back-off, from memory too", () =>
    Effect.gen(function* () {
      yield* refuse
      const source = {
        id: "memory",
        source: DocumentSource.fromBytes("a.txt", new TextEncoder().encode("Hi"))
      }
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const waiting = yield* DocumentTranslation.translate(source, `${folder}/a.out`, {
        targetLang: "de"
      }).pipe(
        Effect.provideService(
          RetryPolicy.RetryPolicy,
          RetryPolicy.make({ schedule: Schedule.spaced("1 hour") })
        ),
        Effect.fork
      )
      yield* refusals(1)
      const entry = documents.entryOf(source, { targetLang: "de" })
      yield* isRefused(entry)
      yield* Fiber.interrupt(waiting)
      expect(yield* entry).toMatchObject(Option.some({ _tag: "Refused" }))
    }).pipe(Effect.provide(layer()))
  )
})

const accounts = {
  keys: [{ key: "first", characterLimit: 20 }, { key: "second", characterLimit: 15 }, { key: "third" }]
}

const others = QuotaPolicy.failOver([{ key: Redacted.make("second") }, { key: Redacted.make("third") }])

const all = { ...accounts, client: { quota: others } }

/** Another client of the same accounts. */
const another = clientOf("first", { quota: others })

const uploads = Effect.map(meter, ({ keys }) =>
  ["first", "second", "third"].map((key) => keys[key]?.uploads ?? 0)
)

describe("failOver", () => {
  it.virtual("goes on with the next client, and downloads each document by the one that has it", () =>
    Effect.gen(function* () {
      const all = yield* items
      expect(yield* run(all, { concurrency: 1 })).toMatchObject({ in: 8, translated: 8, failed: [] })
      expect(yield* uploads).toEqual([4, 3, 1])
      const { keys, statuses } = yield* meter
      expect(["first", "second", "third"].map((key) => keys[key]?.downloads)).toEqual([4, 3, 1])
      expect(statuses[404]).toBe(undefined)
      expect(readdirSync(all[0]!.path.replace("/0.txt", ""))).toHaveLength(16)
    }).pipe(Effect.provide(layer(all)))
  )

  it.virtual("finds in a later run who has a document that an earlier one has uploaded", () =>
    Effect.gen(function* () {
      const all = yield* items
      const ended = run(all, { concurrency: 8, deadline: "1 millis" })
      expect(yield* Effect.provide(ended, another)).toMatchObject({ translated: 0 })
      const before = yield* uploads
      expect(before.reduce((sum, count) => sum + count)).toBe(8)
      expect(before[1]).toBeGreaterThan(0)
      expect(yield* Effect.provide(run(all), another)).toMatchObject({ translated: 8, failed: [] })
      expect(yield* uploads).toEqual(before)
    }).pipe(Effect.provide(layer({ ...accounts, documents: { translationTime: "300 millis" } })))
  )

  it.virtual("under wait: documents that all clients refuse are uploaded later", () =>
    Effect.gen(function* () {
      yield* usedUp(4)
      const [item] = yield* items
      const result = yield* DocumentTranslation.translate(item!.path, `${item!.path}.out`, {
        targetLang: "de"
      })
      expect(result.already).toBe(false)
      expect(yield* uploads).toEqual([0, 1, 0])
    }).pipe(
      Effect.provide(
        layer({ ...accounts, client: { quota: [others, QuotaPolicy.wait({ schedule: soon })] } })
      )
    )
  )

  it.virtual("says that no client knows a document", () =>
    Effect.gen(function* () {
      const [item] = yield* items
      const journal = yield* DocumentJournal.DocumentJournal
      yield* journal.update(yield* documents.idOf(item!.path, { targetLang: "de" }), {
        _tag: "Uploaded",
        handle: {
          documentId: "unknown",
          documentKey: Redacted.make("K1"),
          name: "0.txt",
          translatedName: "0.txt",
          targetLang: "de"
        }
      })
      expect((yield* run([item!])).lost).toMatchObject([{ error: { _tag: "AlreadyDownloaded" } }])
      expect((yield* meter).statuses[404]).toBe(3)
    }).pipe(Effect.provide(layer(all)))
  )
})
