/** A document is known by its content: what is uploaded again, and what is copied. By the emulator's meter. */
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { TranslateClient } from "effect-translate"
import {
  DocumentBatch,
  DocumentJournal,
  DocumentSource,
  type Documents,
  DocumentTranslation
} from "effect-translate/documents"
import { Emulator, Fault } from "effect-translate/emulator"
import { OutputPath } from "effect-translate/formats"
import * as identity from "../../src/document/internal/identity.js"
import { idOf } from "../support/documents.js"
import { emulatedInProcess } from "../support/emulator.js"

const layer = Layer.mergeAll(emulatedInProcess(), NodeContext.layer, DocumentJournal.layerMemory)

const folderWith = (files: { readonly [name: string]: string }) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.tap(fs.makeTempDirectoryScoped(), (folder) =>
      Effect.sync(() => {
        for (const [name, text] of Object.entries(files)) writeFileSync(`${folder}/${name}`, text)
      })
    )
  )

const meter = Effect.flatMap(Emulator.Emulator, ({ meter }) => meter)
const accepted = Effect.map(meter, ({ documents }) => documents.map(({ fileName }) => fileName))
const script = (...faults: ReadonlyArray<Fault.Fault>) =>
  Effect.flatMap(Emulator.Emulator, (emulator) => emulator.script(faults))
const upload = Fault.where(({ method, path }: Fault.Incoming) => method === "POST" && path === "/v2/document")

const outcomes = (paths: ReadonlyArray<string>, options?: DocumentBatch.Options) =>
  Stream.fromIterable(paths).pipe(
    DocumentBatch.forTargets(["de"]),
    DocumentBatch.run(options),
    Stream.runCollect,
    Effect.map((all) =>
      Array.from(all).sort((one, other) => paths.indexOf(one.item.path) - paths.indexOf(other.item.path))
    )
  )

const textOf = (path: string) => readFileSync(path, "utf8")

/** Leaves the journal as a run that was killed would have. */
const killedAt = (path: string, entry: DocumentJournal.Entry) =>
  Effect.gen(function* () {
    const journal = yield* DocumentJournal.DocumentJournal
    const id = yield* idOf(path, { targetLang: "de" })
    const output = OutputPath.ofDocument({ path, targetLang: "de" })
    yield* journal.update({ ...id, output }, { _tag: "Begun", content: id.content ?? "" })
    yield* journal.update(id, entry)
  })

const uploaded = (path: string) =>
  Effect.flatMap(TranslateClient.TranslateClient, ({ documents }) =>
    Effect.flatMap(DocumentSource.fromPath(path), (source) => documents.upload(source, { targetLang: "de" }))
  )

describe("the content of a document", () => {
  const contentOf = (
    options: Partial<Documents.UploadOptions>,
    { name = "a.txt", service = "https://host", text = "one" } = {}
  ) => {
    const source = DocumentSource.fromBytes(name, new TextEncoder().encode(text))
    return Effect.map(
      identity.contentOf(service, { id: name, source }, { targetLang: "de", ...options }),
      (held) => held?.content
    )
  }

  it.effect("is another one for another service, and by each option that changes the translation", () =>
    Effect.gen(function* () {
      const contents = yield* Effect.all([
        contentOf({}),
        contentOf({}, { name: "a.html" }),
        contentOf({}, { text: "two" }),
        contentOf({}, { service: "name:emulator" }),
        contentOf({ targetLang: "fr" }),
        contentOf({ sourceLang: "en" }),
        contentOf({ formality: "more" }),
        contentOf({ glossaryId: "g1" }),
        contentOf({ glossaryId: "g2" }),
        contentOf({ glossaryIds: ["g1", "g2"] }),
        contentOf({ styleId: "s1" }),
        contentOf({ translationMemoryId: "m1" }),
        contentOf({ translationMemoryId: "m1", translationMemoryThreshold: 80 }),
        contentOf({ outputFormat: "docx" })
      ])
      expect(new Set(contents).size).toBe(contents.length)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.effect("is the same by any other", () =>
    Effect.gen(function* () {
      const contents = yield* Effect.all([
        contentOf({}),
        contentOf({}, { name: "b.TXT" }),
        contentOf({ targetLang: "DE", formality: "default", modelType: "quality_optimized" }),
        contentOf({ filename: "c.txt", isAnyFormatAllowed: true }, { name: "a.html" })
      ])
      expect(new Set(contents).size).toBe(1)
    }).pipe(Effect.provide(NodeContext.layer))
  )
})

describe("a file that has changed", () => {
  it.virtual("is uploaded again, and its output is replaced", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.txt": "one" })
      const a = `${folder}/a.txt`
      yield* outcomes([a])
      writeFileSync(a, "two")
      expect(yield* outcomes([a])).toMatchObject([{ _tag: "Translated", output: `${folder}/a.de.txt` }])
      expect(textOf(`${folder}/a.de.txt`)).toBe("[de] twö")
      expect(yield* outcomes([a])).toMatchObject([{ _tag: "Skipped", reason: "done" }])
      expect(yield* accepted).toHaveLength(2)
      expect(readdirSync(folder).sort()).toEqual(["a.de.txt", "a.txt"])
    }).pipe(Effect.provide(layer))
  )

  it.virtual(
    "fails before anything is paid if somebody has changed its output, unless overwrite is said",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderWith({ "a.txt": "one" })
        const a = `${folder}/a.txt`
        yield* outcomes([a])
        writeFileSync(`${folder}/a.de.txt`, "corrected by a person")
        expect(yield* outcomes([a])).toMatchObject([{ _tag: "Skipped" }])
        writeFileSync(a, "two")
        expect(yield* outcomes([a])).toMatchObject([
          { _tag: "Failed", error: { _tag: "DocumentOutputUnusable" } }
        ])
        expect(textOf(`${folder}/a.de.txt`)).toBe("corrected by a person")
        expect(yield* accepted).toHaveLength(1)
        expect(yield* outcomes([a], { overwrite: true })).toMatchObject([{ _tag: "Translated" }])
        expect(textOf(`${folder}/a.de.txt`)).toBe("[de] twö")
      }).pipe(Effect.provide(layer))
  )

  it.virtual("replaces the output of another file never", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.txt": "one", "b.txt": "two" })
      const translate = (name: string) =>
        DocumentTranslation.translate(`${folder}/${name}`, `${folder}/out.txt`, { targetLang: "de" })
      yield* translate("a.txt")
      expect(yield* Effect.flip(translate("b.txt"))).toMatchObject({ _tag: "DocumentOutputUnusable" })
      expect(yield* accepted).toEqual(["a.txt"])
    }).pipe(Effect.provide(layer))
  )

  it.virtual("keeps its old output until the new one is whole, also over a kill", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.txt": "one" })
      const a = `${folder}/a.txt`
      yield* outcomes([a])
      writeFileSync(a, "two")
      yield* script(upload(Fault.status(400)))
      expect(yield* outcomes([a])).toMatchObject([{ _tag: "Failed", error: { _tag: "BadRequest" } }])
      expect(textOf(`${folder}/a.de.txt`)).toBe("[de] öñé")
      expect(yield* outcomes([a])).toMatchObject([{ _tag: "Translated" }])
      expect(textOf(`${folder}/a.de.txt`)).toBe("[de] twö")
    }).pipe(Effect.provide(layer))
  )

  it.virtual("that is again as it was before is translated again, since its output was replaced", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.txt": "one" })
      const a = `${folder}/a.txt`
      for (const text of ["one", "two", "one"]) {
        writeFileSync(a, text)
        expect(yield* outcomes([a])).toMatchObject([{ _tag: "Translated" }])
      }
      expect(textOf(`${folder}/a.de.txt`)).toBe("[de] öñé")
      expect(yield* accepted).toHaveLength(3)
    }).pipe(Effect.provide(layer))
  )

  it.virtual("while it is sent fails with DocumentChanged: nothing is paid, and the next run has it", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.txt": "one" })
      const a = `${folder}/a.txt`
      const fs = yield* FileSystem.FileSystem
      let reads = 0
      const changing = Layer.succeed(FileSystem.FileSystem, {
        ...fs,
        open: (path, options) =>
          Effect.suspend(() => {
            // The first time it is hashed.
            if (path === a && ++reads === 2) writeFileSync(a, "two")
            return fs.open(path, options)
          })
      })
      expect(yield* Effect.provide(outcomes([a]), changing)).toMatchObject([
        { _tag: "Failed", error: { _tag: "DocumentChanged", file: a } }
      ])
      expect((yield* meter).documents).toEqual([])
      expect(yield* outcomes([a])).toMatchObject([{ _tag: "Translated" }])
      expect(textOf(`${folder}/a.de.txt`)).toBe("[de] twö")
      expect(yield* accepted).toHaveLength(1)
    }).pipe(Effect.provide(layer))
  )

  it.virtual("gets its output by the next run, if its renaming was refused", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.txt": "one" })
      const a = `${folder}/a.txt`
      const fs = yield* FileSystem.FileSystem
      const refusing = Layer.succeed(FileSystem.FileSystem, { ...fs, rename: () => fs.chmod("/nowhere", 0) })
      yield* outcomes([a])
      writeFileSync(a, "two")
      expect(yield* Effect.provide(outcomes([a]), refusing)).toMatchObject([
        {
          _tag: "Failed",
          error: { _tag: "DocumentOutputUnusable", message: expect.stringContaining("the next run") }
        }
      ])
      expect(textOf(`${folder}/a.de.txt`)).toBe("[de] öñé")
      expect(yield* outcomes([a])).toMatchObject([{ _tag: "Translated" }])
      expect(textOf(`${folder}/a.de.txt`)).toBe("[de] twö")
      expect(yield* accepted).toHaveLength(2)
      expect(readdirSync(folder).sort()).toEqual(["a.de.txt", "a.txt"])
    }).pipe(Effect.provide(layer))
  )

  it.virtual("that equals another one has its copy, if its run was killed once that was there", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.txt": "one", "b.txt": "one" })
      const [a, b] = [`${folder}/a.txt`, `${folder}/b.txt`]
      yield* outcomes([a])
      const journal = yield* DocumentJournal.DocumentJournal
      const { content = "", ...id } = yield* idOf(b, { targetLang: "de" })
      yield* journal.update({ ...id, output: `${folder}/b.de.txt` }, { _tag: "Begun", content })
      writeFileSync(`${folder}/b.de.txt`, textOf(`${folder}/a.de.txt`))
      expect(yield* outcomes([b])).toMatchObject([{ _tag: "Skipped", output: `${folder}/b.de.txt` }])
      expect(yield* accepted).toHaveLength(1)
    }).pipe(Effect.provide(layer))
  )

  it.virtual("by other options is translated again, if they change the translation", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.txt": "one" })
      const translate = (options: Partial<DocumentTranslation.TranslateOptions>) =>
        DocumentTranslation.translate(`${folder}/a.txt`, `${folder}/a.de.txt`, {
          targetLang: "de",
          ...options
        })
      expect(yield* translate({})).toMatchObject({ already: false })
      expect(yield* translate({ formality: "default", filename: "b.txt" })).toMatchObject({ already: true })
      expect(yield* translate({ formality: "more" })).toMatchObject({ already: false })
      expect(yield* accepted).toHaveLength(2)
    }).pipe(Effect.provide(layer))
  )

  it.virtual("is known in memory too: other bytes of the same name are translated again", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({})
      const translate = (text: string) =>
        DocumentTranslation.translate(
          { id: "one", source: DocumentSource.fromBytes("a.txt", new TextEncoder().encode(text)) },
          `${folder}/a.de.txt`,
          { targetLang: "de" }
        )
      expect(yield* translate("one")).toMatchObject({ already: false })
      expect(yield* translate("one")).toMatchObject({ already: true })
      expect(yield* translate("two")).toMatchObject({ already: false })
      expect(textOf(`${folder}/a.de.txt`)).toBe("[de] twö")
    }).pipe(Effect.provide(layer))
  )
})

describe("an equal file under another name", () => {
  it.virtual("in the same run is not uploaded: each has its output", () =>
    Effect.gen(function* () {
      const names = ["a.txt", "b.txt", "c.txt", "d.txt"]
      const folder = yield* folderWith(Object.fromEntries(names.map((name) => [name, "one"])))
      const all = yield* outcomes(names.map((name) => `${folder}/${name}`))
      expect(all.map(({ _tag }) => _tag).sort()).toEqual(["Skipped", "Skipped", "Skipped", "Translated"])
      expect(all.filter((outcome) => outcome._tag === "Skipped")).toMatchObject(
        Array.from({ length: 3 }, () => ({ reason: "duplicate" }))
      )
      for (const { output } of all) expect(textOf(output)).toBe("[de] öñé")
      expect(yield* accepted).toHaveLength(1)
      expect(readdirSync(folder)).toHaveLength(8)
    }).pipe(Effect.provide(layer))
  )

  it.virtual("in a later run is not uploaded, nor after that", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.txt": "one", "b.txt": "one" })
      const [a, b] = [`${folder}/a.txt`, `${folder}/b.txt`] as const
      const run = (paths: ReadonlyArray<string>) =>
        Effect.provide(outcomes(paths), DocumentJournal.layerFile(`${folder}/journal.jsonl`))
      yield* run([a])
      expect(yield* run([b])).toMatchObject([
        { _tag: "Skipped", reason: "duplicate", output: `${folder}/b.de.txt` }
      ])
      expect(textOf(`${folder}/b.de.txt`)).toBe("[de] öñé")
      const { mtimeMs } = statSync(`${folder}/b.de.txt`)
      const { requests } = yield* meter
      expect(yield* run([a, b])).toMatchObject([{ reason: "done" }, { reason: "done" }])
      expect(statSync(`${folder}/b.de.txt`).mtimeMs).toBe(mtimeMs)
      expect((yield* meter).requests).toBe(requests)
      // It is the file's own from now on.
      writeFileSync(b, "two")
      expect(yield* run([a, b])).toMatchObject([{ _tag: "Skipped" }, { _tag: "Translated" }])
      expect([textOf(`${folder}/a.de.txt`), textOf(`${folder}/b.de.txt`)]).toEqual(["[de] öñé", "[de] twö"])
    }).pipe(Effect.provide(layer))
  )

  it.virtual("says where its translation comes from; another type of file is another content", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.txt": "one", "b.txt": "one", "c.html": "one" })
      const translate = (name: string) =>
        DocumentTranslation.translate(`${folder}/${name}`, `${folder}/${name}.out`, { targetLang: "de" })
      const first = yield* translate("a.txt")
      expect(yield* translate("b.txt")).toEqual({
        ...first,
        output: `${folder}/b.txt.out`,
        already: true,
        copiedFrom: `${folder}/a.txt.out`
      })
      expect(yield* translate("c.html")).toMatchObject({ already: false })
    }).pipe(Effect.provide(layer))
  )

  it.virtual("is the same file with another output, too", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.txt": "one" })
      const items = ["x.txt", "y.txt"].map((name) => ({
        path: `${folder}/a.txt`,
        targetLang: "de",
        output: `${folder}/${name}`
      }))
      const report = yield* Stream.run(DocumentBatch.run(Stream.fromIterable(items)), DocumentBatch.report())
      expect(report).toMatchObject({ in: 2, translated: 1, skipped: 1 })
      for (const { output } of items) expect(textOf(output)).toBe("[de] öñé")
    }).pipe(Effect.provide(layer))
  )

  it.virtual("into an output that is taken fails, and leaves it alone", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.txt": "one", "b.txt": "one", "b.de.txt": "mine" })
      const all = yield* outcomes([`${folder}/a.txt`, `${folder}/b.txt`])
      expect(all).toMatchObject([
        { _tag: "Translated" },
        { _tag: "Failed", error: { _tag: "DocumentOutputUnusable" } }
      ])
      expect(textOf(`${folder}/b.de.txt`)).toBe("mine")
    }).pipe(Effect.provide(layer))
  )

  for (const [reason, change] of [
    ["missing", (output: string) => rmSync(output)],
    ["changed", (output: string) => appendFileSync(output, "!")]
  ] as const) {
    it.virtual(`is Lost if the output to copy is ${reason}; resubmit uploads one of them`, () =>
      Effect.gen(function* () {
        const folder = yield* folderWith({ "a.txt": "one", "b.txt": "one", "c.txt": "one" })
        const [a, b, c] = ["a", "b", "c"].map((name) => `${folder}/${name}.txt`) as [string, string, string]
        yield* outcomes([a])
        change(`${folder}/a.de.txt`)
        const error = { _tag: "OutputLost", reason, output: `${folder}/a.de.txt` }
        expect(yield* outcomes([b, c])).toMatchObject([
          { _tag: "Lost", error },
          { _tag: "Lost", error }
        ])
        expect(yield* accepted).toHaveLength(1)
        const again = yield* outcomes([a, b, c], { resubmit: ["lost"] })
        expect(again.map(({ _tag }) => _tag).sort()).toEqual(["Skipped", "Skipped", "Translated"])
        expect([textOf(`${folder}/b.de.txt`), textOf(`${folder}/c.de.txt`)]).toEqual(["[de] öñé", "[de] öñé"])
        expect(yield* accepted).toHaveLength(2)
      }).pipe(Effect.provide(layer))
    )
  }

  it.virtual("shares its result: ambiguous is not uploaded in its place, by resubmit neither", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.txt": "one", "b.txt": "one" })
      yield* script(upload(Fault.cutConnection({ when: "after" })))
      const [a, b] = [`${folder}/a.txt`, `${folder}/b.txt`] as const
      expect(yield* outcomes([a, b], { resubmit: ["ambiguous"] })).toMatchObject([
        { _tag: "Ambiguous", error: { file: a } },
        { _tag: "Ambiguous", error: { file: b } }
      ])
      expect(yield* accepted).toHaveLength(1)
      const later = yield* outcomes([a, b], { resubmit: ["ambiguous"] })
      expect(later.map(({ _tag }) => _tag).sort()).toEqual(["Skipped", "Translated"])
      expect(yield* accepted).toHaveLength(2)
    }).pipe(Effect.provide(layer))
  )
})

describe("after a kill", () => {
  it.virtual("a translation that is whole gets its name, and an equal file a copy of it", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.txt": "one", "b.txt": "one", ".x.part": "[de] öñé" })
      const [a, b] = [`${folder}/a.txt`, `${folder}/b.txt`] as const
      const output = `${folder}/a.de.txt`
      const temporary = `${folder}/.x.part`
      const hash = yield* identity.hashOfFile(temporary)
      yield* killedAt(a, { _tag: "Received", documentId: "D", temporary, output, hash })
      expect(yield* outcomes([b])).toMatchObject([{ _tag: "Skipped", reason: "duplicate" }])
      expect(yield* outcomes([a])).toMatchObject([{ _tag: "Skipped", reason: "done" }])
      expect(readdirSync(folder).sort()).toEqual(["a.de.txt", "a.txt", "b.de.txt", "b.txt"])
      expect((yield* meter).requests).toBe(0)
    }).pipe(Effect.provide(layer))
  )

  it.virtual("an old output is not taken for the new one, which is gone before it got its name", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.txt": "one" })
      const a = `${folder}/a.txt`
      yield* outcomes([a])
      writeFileSync(a, "two")
      const journal = yield* DocumentJournal.DocumentJournal
      const { content = "", ...id } = yield* idOf(a, { targetLang: "de" })
      const output = `${folder}/a.de.txt`
      const previous = yield* identity.hashOfFile(output)
      yield* journal.update({ ...id, output }, { _tag: "Begun", content, previous })
      const temporary = `${folder}/.x.part`
      const received: DocumentJournal.Entry = {
        _tag: "Received",
        documentId: "D",
        temporary,
        output,
        hash: "h"
      }
      yield* journal.update({ ...id, content }, received)
      expect(yield* outcomes([a])).toMatchObject([{ _tag: "Lost", error: { _tag: "AlreadyDownloaded" } }])
      // It was there all the same.
      writeFileSync(temporary, "[de] twö")
      expect(yield* outcomes([a])).toMatchObject([{ _tag: "Translated" }])
      expect(textOf(output)).toBe("[de] twö")
    }).pipe(Effect.provide(layer))
  )

  it.virtual("a document under another name is fetched, not uploaded", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.txt": "one" })
      const [a, b] = [`${folder}/a.txt`, `${folder}/b.txt`] as const
      yield* killedAt(a, { _tag: "Uploaded", handle: yield* uploaded(a) })
      renameSync(a, b)
      expect(yield* outcomes([b])).toMatchObject([{ _tag: "Translated", output: `${folder}/b.de.txt` }])
      expect(yield* accepted).toEqual(["a.txt"])
    }).pipe(Effect.provide(layer))
  )

  it.virtual("a document whose file is gone is fetched", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.txt": "one" })
      const a = `${folder}/a.txt`
      yield* killedAt(a, { _tag: "Uploaded", handle: yield* uploaded(a) })
      rmSync(a)
      expect(yield* outcomes([a])).toMatchObject([{ _tag: "Translated" }])
      expect(yield* outcomes([a])).toMatchObject([{ _tag: "Skipped" }])
      expect(yield* accepted).toEqual(["a.txt"])
    }).pipe(Effect.provide(layer))
  )

  it.virtual("a file that has changed meanwhile is uploaded, and an ambiguous one stays so", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.txt": "one" })
      const a = `${folder}/a.txt`
      yield* killedAt(a, { _tag: "Sent" })
      expect(yield* outcomes([a])).toMatchObject([{ _tag: "Ambiguous" }])
      writeFileSync(a, "two")
      expect(yield* outcomes([a])).toMatchObject([{ _tag: "Translated" }])
      writeFileSync(`${folder}/b.txt`, "one")
      expect(yield* outcomes([`${folder}/b.txt`])).toMatchObject([{ _tag: "Ambiguous" }])
    }).pipe(Effect.provide(layer))
  )

  it.virtual("a document that is done is its own, also if its output was not recorded", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.txt": "one", "a.de.txt": "[de] öñé" })
      const a = `${folder}/a.txt`
      yield* killedAt(a, { _tag: "Done", documentId: "D", output: `${folder}/a.de.txt`, hash: "1" })
      expect(yield* outcomes([a])).toMatchObject([{ _tag: "Skipped", reason: "done" }])
      expect((yield* meter).requests).toBe(0)
    }).pipe(Effect.provide(layer))
  )

  it.virtual("the rest of a copy is removed", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.txt": "one", "b.txt": "one", ".x.part": "half" })
      const [a, b] = [`${folder}/a.txt`, `${folder}/b.txt`] as const
      yield* outcomes([a])
      const journal = yield* DocumentJournal.DocumentJournal
      const { content = "", ...id } = yield* idOf(b, { targetLang: "de" })
      yield* journal.update(
        { ...id, output: `${folder}/b.de.txt` },
        { _tag: "Begun", content, temporary: `${folder}/.x.part` }
      )
      expect(yield* outcomes([b])).toMatchObject([{ _tag: "Skipped", reason: "duplicate" }])
      expect(readdirSync(folder).sort()).toEqual(["a.de.txt", "a.txt", "b.de.txt", "b.txt"])
    }).pipe(Effect.provide(layer))
  )
})
