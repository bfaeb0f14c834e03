/** A batch that is stopped, what its journal lists, and how that is fetched. By the emulator's meter. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { DocumentBatch, DocumentJournal, DocumentTranslation } from "effect-translate/documents"
import { Emulator } from "effect-translate/emulator"
import { emulatedInProcess } from "../support/emulator.js"

const accepted = Effect.flatMap(Emulator.Emulator, ({ meter }) =>
  Effect.map(meter, ({ documents }) => documents.map(({ fileName }) => fileName))
)

/** Translates two files, one at a time, and stops once the first is uploaded. Nothing is translated before the test ends. */
const stopped = (folder: string) =>
  Effect.gen(function* () {
    const isUploaded = yield* Deferred.make<void>()
    const outcomes: Array<DocumentBatch.Outcome> = []
    const error = yield* Stream.make(`${folder}/a.txt`, `${folder}/b.txt`).pipe(
      DocumentBatch.forTargets(["de"]),
      DocumentBatch.run({
        concurrency: 1,
        haltWhen: Deferred.await(isUploaded),
        onStatus: () => Deferred.succeed(isUploaded, undefined)
      }),
      Stream.runForEach((outcome) => Effect.sync(() => void outcomes.push(outcome))),
      Effect.provide(DocumentJournal.layerFile(`${folder}/journal`)),
      Effect.flip
    )
    return { error, outcomes }
  })

const folderWithFiles = Effect.flatMap(FileSystem.FileSystem, (fs) =>
  Effect.tap(fs.makeTempDirectoryScoped(), (folder) =>
    Effect.sync(() => {
      writeFileSync(`${folder}/a.txt`, "First")
      writeFileSync(`${folder}/b.txt`, "Other")
    })
  )
)

const layer = (translationTime: number) =>
  Layer.mergeAll(emulatedInProcess({ documents: { translationTime } }), NodeContext.layer)

describe("a batch with haltWhen", () => {
  it.virtual("waits for nothing more, uploads nothing more, and names the uploaded documents", () =>
    Effect.gen(function* () {
      const folder = yield* folderWithFiles
      const { error, outcomes } = yield* stopped(folder)
      expect(error._tag).toBe("BatchHalted")
      expect(outcomes).toMatchObject([
        { _tag: "Failed", error: { _tag: "BatchHalted", documentId: expect.any(String) } },
        { _tag: "Failed", error: { _tag: "BatchHalted" } }
      ])
      expect(outcomes[1]).not.toHaveProperty("error.documentId")
      expect(yield* accepted).toEqual(["a.txt"])
      const [listed, ...others] = yield* DocumentJournal.list(`${folder}/journal`)
      expect(others).toEqual([])
      expect(listed).toMatchObject({
        file: `${folder}/a.txt`,
        output: `${folder}/a.de.txt`,
        targetLang: "de",
        entry: { _tag: "Uploaded" }
      })
      expect(JSON.stringify(listed)).toContain("<redacted>")
    }).pipe(Effect.provide(layer(600_000)))
  )

  it.virtual("that never halts does not hold a batch up", () =>
    Effect.gen(function* () {
      const folder = yield* folderWithFiles
      const report = yield* Stream.make(`${folder}/a.txt`).pipe(
        DocumentBatch.forTargets(["de"]),
        DocumentBatch.run({ haltWhen: Effect.never }),
        Stream.run(DocumentBatch.report()),
        Effect.provide(DocumentJournal.layerMemory)
      )
      expect(report).toMatchObject({ in: 1, translated: 1 })
    }).pipe(Effect.provide(layer(0)))
  )
})

describe("fetching the documents of a journal", () => {
  it.virtual("needs no file, uploads nothing, and works once", () =>
    Effect.gen(function* () {
      const folder = yield* folderWithFiles
      yield* stopped(folder)
      rmSync(`${folder}/a.txt`)
      const [listed] = yield* DocumentJournal.list(`${folder}/journal`)
      const fetch = DocumentTranslation.fetch(listed!).pipe(
        Effect.provide(DocumentJournal.layerFile(`${folder}/journal`))
      )
      expect(yield* fetch).toMatchObject({
        output: `${folder}/a.de.txt`,
        already: false,
        billedCharacters: 5
      })
      expect(readFileSync(`${folder}/a.de.txt`, "utf8")).not.toBe("First")
      expect(yield* fetch).toMatchObject({ already: true })
      expect(yield* accepted).toEqual(["a.txt"])
      const [done] = yield* DocumentJournal.list(`${folder}/journal`)
      expect(done).toMatchObject({ entry: { _tag: "Done" }, output: `${folder}/a.de.txt` })
    }).pipe(Effect.provide(layer(300)))
  )

  it.virtual("of a file that was not uploaded fails with NotUploaded, and sends nothing", () =>
    Effect.gen(function* () {
      const folder = yield* folderWithFiles
      yield* stopped(folder)
      const [listed] = yield* DocumentJournal.list(`${folder}/journal`)
      const file = `${folder}/b.txt`
      const stranger = { ...listed!, file, output: `${folder}/b.de.txt`, content: "another" }
      const error = yield* DocumentTranslation.fetch(stranger).pipe(
        Effect.provide(DocumentJournal.layerFile(`${folder}/journal`)),
        Effect.flip
      )
      expect(error).toMatchObject({ _tag: "NotUploaded", file, targetLang: "de" })
      expect(existsSync(`${folder}/b.de.txt`)).toBe(false)
      expect(yield* accepted).toEqual(["a.txt"])
    }).pipe(Effect.provide(layer(600_000)))
  )

  it.virtual("finds nothing in a journal that is not there, and refuses a file that is no journal", () =>
    Effect.gen(function* () {
      const folder = yield* folderWithFiles
      expect(yield* DocumentJournal.list(`${folder}/journal`)).toEqual([])
      expect(existsSync(`${folder}/journal`)).toBe(false)
      const error = yield* Effect.flip(DocumentJournal.list(`${folder}/a.txt`))
      expect(error).toMatchObject({ _tag: "DocumentJournalError" })
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
