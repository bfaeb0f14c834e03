/** Documents and batches against the emulator: what is uploaded how often, by its meter. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { Budget, RetryPolicy, TranslateClient } from "effect-translate"
import {
  DocumentBatch,
  DocumentJournal,
  DocumentSource,
  DocumentTranslation
} from "effect-translate/documents"
import { Emulator, Fault } from "effect-translate/emulator"
import { OutputPath } from "effect-translate/formats"
import { once } from "../support/client.js"
import { entryOf, fiveCharacters, idOf } from "../support/documents.js"
import { clientOf, emulatedInProcess } from "../support/emulator.js"
import { runs } from "../support/long.js"
import { probing, retries } from "../support/retries.js"

/** The journal entries in their order, and how many requests the service had seen by then. */
const updates: Array<readonly [tag: string, requests: number]> = []

const journal = Layer.effect(
  DocumentJournal.DocumentJournal,
  Effect.gen(function* () {
    updates.length = 0
    const { meter } = yield* Emulator.Emulator
    const memory = yield* DocumentJournal.DocumentJournal
    return {
      ...memory,
      update: (document: DocumentJournal.DocumentId, entry: DocumentJournal.Entry) =>
        Effect.zipRight(
          Effect.map(meter, ({ requests }) => void updates.push([entry._tag, requests])),
          memory.update(document, entry)
        )
    }
  })
).pipe(Layer.provide(DocumentJournal.layerMemory))

const layer = (options?: Emulator.Options) =>
  Layer.provideMerge(journal, Layer.merge(emulatedInProcess(options), NodeContext.layer))

/** A folder with files of a text each; the first is "Hello". */
const folderWith = (...names: ReadonlyArray<string>) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.tap(fs.makeTempDirectoryScoped(), (folder) =>
      Effect.sync(() => {
        for (const [index, name] of names.entries()) {
          writeFileSync(`${folder}/${name}`, fiveCharacters(index))
        }
      })
    )
  )

const emulator = Effect.flatMap(Emulator.Emulator, (emulator) => emulator.meter)
const accepted = Effect.map(emulator, ({ documents }) => documents.map(({ fileName }) => fileName))
const script = (...faults: ReadonlyArray<Fault.Fault>) =>
  Effect.flatMap(Emulator.Emulator, (emulator) => emulator.script(faults))

const isUpload = ({ method, path }: Fault.Incoming) => method === "POST" && path === "/v2/document"
const isDownload = ({ path }: Fault.Incoming) => path.endsWith("/result")
const upload = (fault: Fault.Fault) => Fault.where(fault, isUpload)
const download = (fault: Fault.Fault) => Fault.where(fault, isDownload)

const lives = <A, E, R>(options: Emulator.ClientOptions, use: Effect.Effect<A, E, R>) =>
  Effect.provide(use, layer(options))

/** Leaves the journal as a run that was killed would have. */
const killedAt = (file: string, output: string, entry: DocumentJournal.Entry) =>
  Effect.gen(function* () {
    const journal = yield* DocumentJournal.DocumentJournal
    const id = yield* idOf(file, { targetLang: "de" })
    yield* journal.update({ ...id, output }, { _tag: "Begun", content: id.content ?? "" })
    yield* journal.update(id, entry)
  })

describe("DocumentTranslation.translate", () => {
  it.virtual("uploads, waits, downloads; the journal is a step ahead; the same again costs nothing", () =>
    lives(
      {},
      Effect.gen(function* () {
        const folder = yield* folderWith("a.txt")
        const statuses: Array<string> = []
        const translate = DocumentTranslation.translate(`${folder}/a.txt`, `${folder}/a.de.txt`, {
          targetLang: "DE",
          onStatus: ({ status }) => Effect.sync(() => statuses.push(status))
        })
        const first = yield* translate
        expect(first).toMatchObject({ output: `${folder}/a.de.txt`, billedCharacters: 5, already: false })
        expect(readFileSync(`${folder}/a.de.txt`, "utf8")).toBe("[de] Héllö")
        expect(statuses).toEqual(["done"])
        // Uploaded comes after the upload and before the first status; Downloading before the download.
        expect(updates).toEqual([
          ["Begun", expect.any(Number)],
          ["Sent", expect.any(Number)],
          ["Uploaded", 1],
          ["Downloading", 2],
          ["Received", 3],
          ["Done", 3],
          ["Done", 3]
        ])
        expect(updates[1]![1]).toBeLessThanOrEqual(1)
        expect(yield* translate).toEqual({ ...first, already: true })
        expect((yield* emulator).requests).toBe(3)
        expect(readdirSync(folder).sort()).toEqual(["a.de.txt", "a.txt"])
      })
    )
  )

  it.virtual("several times at once uploads once: the others wait, and find it done", () =>
    lives(
      { documents: { translationTime: "100 millis" } },
      Effect.gen(function* () {
        const folder = yield* folderWith("a.txt")
        const translate = DocumentTranslation.translate(`${folder}/a.txt`, `${folder}/a.de.txt`, {
          targetLang: "de"
        })
        const three = yield* Effect.fork(Effect.replicateEffect(translate, 3, { concurrency: 3 }))
        yield* Effect.sleep("50 millis")
        yield* Fiber.interrupt(yield* Effect.fork(translate))
        const already = (yield* Fiber.join(three)).map(({ already }) => already)
        expect(already.sort()).toEqual([false, true, true])
        expect(yield* accepted).toEqual(["a.txt"])
      })
    )
  )

  it.virtual("takes bytes and streams with a name for the journal", () =>
    lives(
      {},
      Effect.gen(function* () {
        const folder = yield* folderWith()
        const bytes = new TextEncoder().encode("Hello")
        yield* DocumentTranslation.translate(
          { id: "one", source: DocumentSource.fromBytes("a.txt", bytes) },
          `${folder}/1`,
          {
            targetLang: "de"
          }
        )
        yield* DocumentTranslation.translate(
          { id: "two", source: DocumentSource.fromStream("a.txt", 5, Stream.make(bytes)) },
          `${folder}/2`,
          { targetLang: "de" }
        )
        expect(readFileSync(`${folder}/1`, "utf8")).toBe("[de] Héllö")
        expect(readFileSync(`${folder}/2`, "utf8")).toBe("[de] Héllö")
        expect(updates.filter(([tag]) => tag === "Sent")).toHaveLength(2)
      })
    )
  )

  it.virtual("goes on from a handle: nothing is uploaded", () =>
    lives(
      {},
      Effect.gen(function* () {
        const folder = yield* folderWith("a.txt")
        const { documents } = yield* TranslateClient.TranslateClient
        const handle = yield* documents.upload(yield* DocumentSource.fromPath(`${folder}/a.txt`), {
          targetLang: "de"
        })
        const translate = DocumentTranslation.translate(`${folder}/a.txt`, `${folder}/a.de.txt`, {
          targetLang: "de",
          handle
        })
        expect(yield* translate).toMatchObject({ already: false })
        expect(yield* translate).toMatchObject({ already: true })
        expect(existsSync(`${folder}/a.de.txt`)).toBe(true)
        expect(yield* accepted).toEqual(["a.txt"])
      })
    )
  )

  it.virtual("an ambiguous upload is never repeated by itself, now or later", () =>
    lives(
      {},
      Effect.gen(function* () {
        const folder = yield* folderWith("a.txt")
        yield* script(upload(Fault.cutConnection({ when: "after" })))
        const translate = (options: Partial<DocumentTranslation.TranslateOptions> = {}) =>
          DocumentTranslation.translate(`${folder}/a.txt`, `${folder}/a.de.txt`, {
            targetLang: "de",
            ...options
          })
        expect(yield* Effect.flip(translate())).toMatchObject({ _tag: "AmbiguousUpload" })
        const later = yield* Effect.flip(translate())
        expect(later).toMatchObject({ _tag: "AmbiguousUpload" })
        expect((later as Error).message).toMatch(/may have been billed.*resubmit/)
        expect(yield* accepted).toEqual(["a.txt"])
        yield* translate({ resubmit: ["lost", "failed"] }).pipe(Effect.flip)
        expect(yield* accepted).toEqual(["a.txt"])
        yield* translate({ resubmit: ["ambiguous"] })
        expect(yield* accepted).toEqual(["a.txt", "a.txt"])
      })
    )
  )

  it.virtual("an upload that was refused is made again", () =>
    lives(
      {},
      Effect.gen(function* () {
        const folder = yield* folderWith("a.txt")
        yield* script(upload(Fault.status(400)))
        const translate = DocumentTranslation.translate(`${folder}/a.txt`, `${folder}/a.de.txt`, {
          targetLang: "de"
        })
        expect(yield* Effect.flip(translate)).toMatchObject({ _tag: "BadRequest" })
        expect(updates.map(([tag]) => tag)).toEqual(["Begun", "Sent", "Refused"])
        yield* translate
        expect(yield* accepted).toEqual(["a.txt"])
      })
    )
  )

  it.virtual("an interrupted upload is ambiguous", () =>
    lives(
      { latency: "10 seconds" },
      Effect.gen(function* () {
        const folder = yield* folderWith("a.txt")
        const translate = DocumentTranslation.translate(`${folder}/a.txt`, `${folder}/a.de.txt`, {
          targetLang: "de"
        })
        const fiber = yield* Effect.fork(translate)
        while (updates.length === 0) yield* Effect.sleep("5 millis")
        yield* Fiber.interrupt(fiber)
        expect(updates.map(([tag]) => tag)).toEqual(["Begun", "Sent", "Ambiguous"])
        expect(yield* Effect.flip(translate)).toMatchObject({ _tag: "AmbiguousUpload" })
      })
    )
  )

  it.virtual("an output that is taken is refused before anything is paid", () =>
    lives(
      {},
      Effect.gen(function* () {
        const folder = yield* folderWith("a.txt", "b.txt")
        const error = yield* Effect.flip(
          DocumentTranslation.translate(`${folder}/a.txt`, `${folder}/b.txt`, { targetLang: "de" })
        )
        expect(error).toMatchObject({ _tag: "DocumentOutputUnusable" })
        expect((yield* emulator).requests).toBe(0)
      })
    )
  )

  it.virtual("a file that is whole but has not got its name gets it, without the service", () =>
    lives(
      {},
      Effect.gen(function* () {
        const folder = yield* folderWith("a.txt", ".x.part")
        const output = `${folder}/a.de.txt`
        const received: DocumentJournal.Entry = {
          _tag: "Received",
          documentId: "D",
          temporary: `${folder}/.x.part`,
          output
        }
        yield* killedAt(`${folder}/a.txt`, output, received)
        const translate = DocumentTranslation.translate(`${folder}/a.txt`, output, { targetLang: "de" })
        expect(yield* translate).toMatchObject({ output, already: false })
        expect(readdirSync(folder).sort()).toEqual(["a.de.txt", "a.txt"])
        // The same, had the crash come after the renaming.
        yield* killedAt(`${folder}/a.txt`, output, received)
        expect(yield* translate).toMatchObject({ output, already: false })
        expect(yield* entryOf(`${folder}/a.txt`, { targetLang: "de" })).toMatchObject({
          value: { _tag: "Done" }
        })
        expect((yield* emulator).requests).toBe(0)
      })
    )
  )

  it.virtual("a download that a kill has cut is lost, unless the service still has the document", () =>
    lives(
      {},
      Effect.gen(function* () {
        const folder = yield* folderWith("a.txt", ".x.part")
        const output = `${folder}/a.de.txt`
        const { documents } = yield* TranslateClient.TranslateClient
        const handle = yield* documents.upload(yield* DocumentSource.fromPath(`${folder}/a.txt`), {
          targetLang: "de"
        })
        const killed: DocumentJournal.Entry = { _tag: "Downloading", handle, temporary: `${folder}/.x.part` }
        yield* killedAt(`${folder}/a.txt`, output, killed)
        const translate = (options: Partial<DocumentTranslation.TranslateOptions> = {}) =>
          DocumentTranslation.translate(`${folder}/a.txt`, output, { targetLang: "de", ...options })
        // It was killed before the request.
        yield* translate()
        expect(readdirSync(folder).sort()).toEqual(["a.de.txt", "a.txt"])
        // It was killed after it.
        yield* killedAt(`${folder}/a.txt`, output, killed)
        const error = yield* Effect.flip(translate({ overwrite: true }))
        expect(error).toMatchObject({ _tag: "AlreadyDownloaded" })
        expect(yield* accepted).toHaveLength(1)
        yield* translate({ overwrite: true, resubmit: ["lost"] })
        expect(yield* accepted).toHaveLength(2)
      })
    )
  )

  it.virtual("the journal of a later run holds nothing of the document that the service repeats", () =>
    lives(
      {},
      Effect.gen(function* () {
        const folder = yield* folderWith("a.txt")
        const file = `${folder}/a.txt`
        writeFileSync(file, "The takeover of Umbrella is near.")
        yield* script(Fault.documentError('No verb in "the takeover of Umbrella".'))
        // As another process has left it.
        const { documents } = yield* TranslateClient.TranslateClient
        const source = yield* DocumentSource.fromPath(file)
        const handle = yield* documents.upload(source, { targetLang: "de" })
        yield* killedAt(file, `${folder}/a.de.txt`, { _tag: "Uploaded", handle })
        const error = yield* DocumentTranslation.translate(file, `${folder}/a.de.txt`, {
          targetLang: "de"
        }).pipe(Effect.flip, Effect.provide(clientOf()))
        expect(error).toMatchObject({ _tag: "DocumentFailed" })
        const said = JSON.stringify([yield* entryOf(file, { targetLang: "de" }), (error as Error).message])
        expect(said).toContain("withheld")
        expect(said).not.toContain("Umbrella")
      })
    )
  )
})

const run = <A extends DocumentBatch.Item>(items: ReadonlyArray<A>, options?: DocumentBatch.Options<A>) =>
  Stream.run(DocumentBatch.run(Stream.fromIterable(items), options), DocumentBatch.report<A>())

const itemsOf = (folder: string, names: ReadonlyArray<string>, targetLangs = ["de", "fr"]) =>
  names.flatMap((name) => targetLangs.map((targetLang) => ({ path: `${folder}/${name}`, targetLang })))

const texts = Array.from({ length: 8 }, (_, index) => `${index}.txt`)

describe("DocumentBatch", () => {
  it.virtual("translates every file into every language, once; again, it skips all", () =>
    lives(
      {},
      Effect.gen(function* () {
        const folder = yield* folderWith(...texts)
        const batch = Stream.fromIterable(texts.map((name) => `${folder}/${name}`)).pipe(
          DocumentBatch.forTargets(["DE", "fr"]),
          DocumentBatch.run(),
          Stream.run(DocumentBatch.report())
        )
        expect(yield* batch).toEqual({
          in: 16,
          translated: 16,
          skipped: 0,
          failed: [],
          ambiguous: [],
          lost: [],
          characters: 80
        })
        expect(readFileSync(`${folder}/3.de.txt`, "utf8")).toBe("[de] Héll3")
        expect(readFileSync(`${folder}/3.fr.txt`, "utf8")).toBe("[fr] Héll3")
        const { requests } = yield* emulator
        expect(yield* batch).toMatchObject({ in: 16, translated: 0, skipped: 16, characters: 0 })
        expect((yield* emulator).requests).toBe(requests)
      })
    )
  )

  it.effect("gives each language its own options", () =>
    Effect.gen(function* () {
      const items = yield* Stream.make("a.txt", "b.txt").pipe(
        DocumentBatch.forTargets(["de", { targetLang: "fr", sourceLang: "en", glossaryId: "g" }]),
        Stream.runCollect
      )
      const upload = { sourceLang: "en", glossaryId: "g" }
      expect([...items]).toEqual([
        { path: "a.txt", targetLang: "de" },
        { path: "a.txt", targetLang: "fr", upload },
        { path: "b.txt", targetLang: "de" },
        { path: "b.txt", targetLang: "fr", upload }
      ])
    })
  )

  describe("uploads that are held", () => {
    it.virtual(
      "by a 429 of too many documents are tried one at a time, while others are polled and downloaded",
      () =>
        lives(
          { documents: { maxWaiting: 3, translationTime: "300 millis" } },
          Effect.gen(function* () {
            const names = texts.slice(0, runs(8, 4))
            const folder = yield* folderWith(...names)
            const report = yield* run(itemsOf(folder, names, ["de"]), { concurrency: 8 })
            expect(report).toMatchObject({ in: names.length, translated: names.length })
            const { statuses } = yield* emulator
            expect(statuses[429]).toBeGreaterThan(0)
            // Uploads go one at a time while they are held.
            expect(statuses[429]).toBeLessThan(24)
            expect(yield* accepted).toHaveLength(names.length)
          })
        )
    )

    it.virtual("keep nothing waiting that an earlier run has uploaded", () =>
      lives(
        { documents: { maxWaiting: 2 } },
        Effect.gen(function* () {
          const names = texts.slice(0, runs(6, 4))
          const folder = yield* folderWith(...names)
          const { documents } = yield* TranslateClient.TranslateClient
          // The last two wait for their download, so nothing else can be uploaded.
          for (const name of names.slice(-2)) {
            const file = `${folder}/${name}`
            const handle = yield* documents.upload(yield* DocumentSource.fromPath(file), { targetLang: "de" })
            yield* killedAt(file, file.replace(".txt", ".de.txt"), { _tag: "Uploaded", handle })
          }
          const report = yield* run(itemsOf(folder, names, ["de"]), { concurrency: 2 })
          expect(report).toMatchObject({ translated: names.length, failed: [] })
          expect([...(yield* accepted)].sort()).toEqual(names)
        })
      )
    )
  })

  it.virtual("an upload that is held past the deadline fails, and is made in the next run", () =>
    lives(
      {},
      Effect.gen(function* () {
        const folder = yield* folderWith("0.txt")
        yield* script(upload(Fault.status(429, { retryAfter: 60 })))
        const items = itemsOf(folder, ["0.txt"], ["de"])
        const held = yield* run(items, { deadline: "5 seconds" })
        expect(held.failed).toMatchObject([{ error: { _tag: "RateLimited" } }])
        expect(yield* run(items)).toMatchObject({ translated: 1 })
      })
    )
  )

  it.virtual(
    "names ambiguous, lost and failed documents, goes on with the rest, and submits them on request",
    () =>
      lives(
        {},
        Effect.gen(function* () {
          const folder = yield* folderWith(...texts)
          const named = (name: string) => (fault: Fault.Fault) =>
            Fault.where(fault, ({ fileName }) => fileName === name)
          yield* script(
            named("1.txt")(upload(Fault.cutConnection({ when: "after" }))),
            named("2.txt")(Fault.documentError("No text was found.")),
            download(Fault.cutConnection({ when: "mid-body" }))
          )
          const items = itemsOf(folder, texts, ["de"])
          const first = yield* run(items, { concurrency: 1 })
          expect(first).toMatchObject({ in: 8, translated: 5, skipped: 0 })
          expect(first.ambiguous.map(({ item }) => item.path)).toEqual([`${folder}/1.txt`])
          expect(first.failed).toMatchObject([
            {
              item: { path: `${folder}/2.txt` },
              error: { _tag: "DocumentFailed", serviceMessage: "No text was found." }
            }
          ])
          expect(first.lost).toMatchObject([
            { item: { path: `${folder}/0.txt` }, error: { _tag: "DownloadLost" } }
          ])
          const before = (yield* accepted).length
          const second = yield* run(items)
          expect(second).toMatchObject({ translated: 0, skipped: 5 })
          expect([second.ambiguous.length, second.failed.length, second.lost.length]).toEqual([1, 1, 1])
          expect(yield* accepted).toHaveLength(before)
          const third = yield* run(items, { resubmit: ["ambiguous", "lost", "failed"] })
          expect(third).toMatchObject({ translated: 3, skipped: 5, failed: [], ambiguous: [], lost: [] })
          expect(yield* accepted).toHaveLength(before + 3)
          expect(readdirSync(folder)).toHaveLength(16)
        })
      )
  )

  it.virtual(
    "a used up quota ends the run: uploaded documents are downloaded, and nothing more is sent",
    () =>
      lives(
        { characterLimit: 20 },
        Effect.gen(function* () {
          const folder = yield* folderWith(...texts)
          const outcomes: Array<DocumentBatch.Outcome> = []
          const result = yield* DocumentBatch.run(Stream.fromIterable(itemsOf(folder, texts, ["de"])), {
            concurrency: 2
          }).pipe(
            Stream.runForEach((outcome) => Effect.sync(() => outcomes.push(outcome))),
            Effect.either
          )
          expect(result).toMatchObject(Either.left({ _tag: "QuotaExceeded" }))
          expect(outcomes.filter(({ _tag }) => _tag === "Translated")).toHaveLength(4)
          const { statuses } = yield* emulator
          expect(statuses[456]).toBeLessThanOrEqual(2)
        })
      )
  )

  it.virtual("a budget that is used up ends the run before the next upload", () =>
    lives(
      {},
      Effect.gen(function* () {
        const folder = yield* folderWith(...texts)
        const budget = yield* Budget.make(12)
        const result = yield* run(itemsOf(folder, texts, ["de"]), {
          concurrency: 1,
          budget,
          charactersPerDocument: 5
        }).pipe(Effect.either)
        expect(result).toMatchObject(Either.left({ _tag: "BudgetExceeded", cap: 12, used: 10, needed: 5 }))
        expect(yield* accepted).toHaveLength(2)
        expect(yield* budget.state).toEqual({ cap: 12, spent: 10, reserved: 0 })
      })
    )
  )

  it.virtual("the same document twice is uploaded once; two outputs of one name are one", () =>
    lives(
      {},
      Effect.gen(function* () {
        const folder = yield* folderWith("0.txt", "1.txt")
        const output = `${folder}/out.txt`
        const report = yield* run([
          { path: `${folder}/0.txt`, targetLang: "de" },
          { path: `${folder}/./0.txt`, targetLang: "DE" },
          { path: `${folder}/0.txt`, targetLang: "fr", output },
          { path: `${folder}/1.txt`, targetLang: "fr", output }
        ])
        expect(report).toMatchObject({ in: 4, translated: 2, skipped: 1 })
        expect(report.failed).toMatchObject([{ error: { _tag: "DocumentOutputUnusable" } }])
        expect(yield* accepted).toHaveLength(2)
      })
    )
  )

  it.virtual("finishes documents under way before it fails with the error of its source", () =>
    lives(
      { latency: "50 millis" },
      Effect.gen(function* () {
        const folder = yield* folderWith("0.txt")
        const items = Stream.concat(
          Stream.make({ path: `${folder}/0.txt`, targetLang: "de" }),
          Stream.fail("broken")
        )
        const outcomes: Array<string> = []
        const result = yield* DocumentBatch.run(items).pipe(
          Stream.runForEach(({ _tag }) => Effect.sync(() => outcomes.push(_tag))),
          Effect.either
        )
        expect(result).toEqual(Either.left("broken"))
        expect(outcomes).toEqual(["Translated"])
      })
    )
  )

  /** Six attempts of each call. */
  const often = RetryPolicy.withRetryPolicy({ schedule: retries(5, "10 millis") })

  /** So many probes. */
  const probes = (times: number) => ({ client: { circuit: probing(retries(times, "10 millis")) } })

  it.virtual("waits while the service is down: no document fails for it", () =>
    lives(
      probes(1000),
      Effect.gen(function* () {
        const folder = yield* folderWith(...texts)
        yield* script(Fault.times(Fault.status(503), 40))
        const report = yield* run(itemsOf(folder, texts, ["de"])).pipe(often)
        expect(report).toMatchObject({ translated: 8, failed: [], ambiguous: [], lost: [] })
        expect(yield* accepted).toHaveLength(8)
      })
    )
  )

  it.virtual("ends with Outage if the service stays down: nothing is lost, and the next run continues", () =>
    lives(
      probes(3),
      Effect.gen(function* () {
        const folder = yield* folderWith(...texts)
        let isDown = true
        const down = Fault.times(Fault.status(503), Number.POSITIVE_INFINITY)
        yield* script(Fault.where(down, (request) => isDown && isUpload(request)))
        const outcomes: Array<DocumentBatch.Outcome> = []
        const result = yield* DocumentBatch.run(Stream.fromIterable(itemsOf(folder, texts, ["de"])), {
          concurrency: 2
        }).pipe(
          Stream.runForEach((outcome) => Effect.sync(() => outcomes.push(outcome))),
          Effect.either,
          often
        )
        expect(result).toMatchObject(Either.left({ _tag: "Outage" }))
        expect(outcomes.map(({ _tag }) => _tag)).toEqual(outcomes.map(() => "Failed"))
        expect((yield* emulator).requests).toBeLessThan(20)
        isDown = false
        expect(yield* run(itemsOf(folder, texts, ["de"]))).toMatchObject({ translated: 8 })
      })
    )
  )

  const cutBefore = (times: number) =>
    script(download(Fault.times(Fault.cutConnection({ when: "before" }), times)))

  it.virtual("downloads whose connections are cut are asked for again", () =>
    lives(
      probes(1000),
      Effect.gen(function* () {
        const folder = yield* folderWith(...texts)
        yield* cutBefore(4)
        const report = yield* run(itemsOf(folder, texts, ["de"])).pipe(often)
        expect(report).toMatchObject({ translated: 8, failed: [], ambiguous: [], lost: [] })
        expect(yield* accepted).toHaveLength(8)
      })
    )
  )

  it.virtual("a download that is cut each time is not lost: the next run has it", () =>
    lives(
      probes(1000),
      Effect.gen(function* () {
        const folder = yield* folderWith("0.txt")
        yield* cutBefore(6)
        const items = itemsOf(folder, ["0.txt"], ["de"])
        expect(yield* run(items).pipe(often)).toMatchObject({
          lost: [],
          failed: [{ error: { _tag: "TransportError", attempts: 6 } }]
        })
        expect(yield* run(items)).toMatchObject({ translated: 1 })
        expect(yield* accepted).toHaveLength(1)
        expect(readdirSync(folder).sort()).toEqual(["0.de.txt", "0.txt"])
      })
    )
  )

  it.virtual("no journal, no upload", () =>
    lives(
      {},
      Effect.gen(function* () {
        const folder = yield* folderWith("0.txt")
        const broken = Layer.succeed(DocumentJournal.DocumentJournal, {
          get: () => Effect.succeed(Option.none()),
          update: () =>
            Effect.fail(new DocumentJournal.DocumentJournalError({ message: "The disk is full." }))
        })
        const result = yield* once(run(itemsOf(folder, ["0.txt"], ["de"]))).pipe(
          Effect.provide(broken),
          Effect.either
        )
        expect(result).toMatchObject(Either.left({ _tag: "DocumentJournalError" }))
        expect(yield* accepted).toEqual([])
      })
    )
  )
})

it("a translation's name has the language before its extension", () => {
  const output = (path: string, outputFormat?: string) =>
    OutputPath.ofDocument({ path, targetLang: "pt-br", upload: { outputFormat } })
  expect(output("/a.b/report.doc")).toBe("/a.b/report.pt-BR.docx")
  expect(output("report.pdf", "docx")).toBe("report.pt-BR.docx")
  expect(output("/a.b/Report.TXT")).toBe("/a.b/Report.pt-BR.TXT")
  expect(output("/v1.x/README")).toBe("/v1.x/README.pt-BR")
  const named = { path: "page.dat", targetLang: "pt-br", upload: { filename: "any.html" } }
  expect(OutputPath.ofDocument(named)).toBe("page.pt-BR.html")
})
