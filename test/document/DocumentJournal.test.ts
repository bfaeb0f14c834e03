import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import * as FileSystem from "@effect/platform/FileSystem"
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { DocumentJournal } from "effect-translate/documents"
import { runs } from "../support/long.js"

const key = "d0cument-k3y-0123456789"
const handle = {
  documentId: "D1",
  documentKey: Redacted.make(key),
  name: "report.docx",
  translatedName: "report.docx",
  targetLang: "de"
}
const german = { file: "/data/report.docx", targetLang: "de" }
const french = { file: "/data/report.docx", targetLang: "fr" }
const uploaded: DocumentJournal.Entry = { _tag: "Uploaded", handle }

const entries: ReadonlyArray<DocumentJournal.Entry> = [
  { _tag: "Begun", content: "c1", previous: "h0", temporary: "/data/.x.part" },
  { _tag: "Sent" },
  { _tag: "Refused", reason: "400" },
  { _tag: "Ambiguous", reason: "cut" },
  uploaded,
  { _tag: "Downloading", handle, temporary: "/data/.x.part" },
  {
    _tag: "Received",
    documentId: "D1",
    temporary: "/data/.x.part",
    output: "/data/report.de.docx",
    billedCharacters: 3
  },
  { _tag: "Done", documentId: "D1", output: "/data/report.de.docx" },
  { _tag: "Done", documentId: "D1", output: "/data/report.de.docx", content: "c1", hash: "h1" },
  { _tag: "Failed", documentId: "D1", serviceMessage: "No text" },
  { _tag: "Lost", handle, reason: "cut" }
]

const inFolder = <A, E, R>(use: (path: string) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.flatMap(fs.makeTempDirectoryScoped(), (folder) => use(`${folder}/journal.jsonl`))
  ).pipe(Effect.scoped, Effect.provide(NodeContext.layer))

/** Opens the journal as a process of its own would. */
const opened = <A, E, R>(path: string, use: (journal: DocumentJournal.Service) => Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.flatMap(DocumentJournal.makeFile(path), use))

const update = (path: string, document: DocumentJournal.DocumentId, entry: DocumentJournal.Entry) =>
  opened(path, (journal) => journal.update(document, entry))

const get = (path: string, document: DocumentJournal.DocumentId) =>
  opened(path, (journal) => journal.get(document))

const stores = {
  memory: DocumentJournal.layerMemory,
  "a KeyValueStore": Layer.provide(DocumentJournal.layerKeyValueStore, KeyValueStore.layerMemory)
}

for (const [name, layer] of Object.entries(stores)) {
  it.effect(`a journal in ${name} knows a content by any name, and an output of each file`, () =>
    Effect.gen(function* () {
      const journal = yield* DocumentJournal.DocumentJournal
      yield* journal.update({ ...german, content: "c1" }, uploaded)
      const other = { file: "/data/other.docx", targetLang: "de" }
      expect(yield* journal.get({ ...other, content: "c1" })).toEqual(Option.some(uploaded))
      for (const id of [german, { ...german, content: "c2" }, { ...german, output: "/data/out" }]) {
        expect(yield* journal.get(id)).toEqual(Option.none())
      }
      yield* journal.update({ ...german, output: "/data/out" }, entries[0]!)
      expect(yield* journal.get({ ...german, output: "/data/out" })).toEqual(Option.some(entries[0]))
      expect(yield* journal.get({ ...other, output: "/data/out" })).toEqual(Option.none())
    }).pipe(Effect.provide(layer))
  )

  it.effect(`a journal in ${name} holds the last of each document`, () =>
    Effect.gen(function* () {
      const journal = yield* DocumentJournal.DocumentJournal
      expect(yield* journal.get(german)).toEqual(Option.none())
      for (const entry of entries) {
        yield* journal.update(german, entry)
        expect(yield* journal.get(german)).toEqual(Option.some(entry))
      }
      expect(yield* journal.get(french)).toEqual(Option.none())
      expect(yield* journal.get({ ...german, outputFormat: "docx" })).toEqual(Option.none())
    }).pipe(Effect.provide(layer))
  )
}

describe("a journal in a file", () => {
  it.virtual("outlives the process, with every kind of entry", () =>
    inFolder((path) =>
      Effect.gen(function* () {
        for (const [index, entry] of entries.entries()) {
          yield* update(path, { ...german, file: `/data/${index}` }, entry)
        }
        for (const [index, entry] of entries.entries()) {
          expect(yield* get(path, { ...german, file: `/data/${index}` })).toEqual(Option.some(entry))
        }
        const lines = readFileSync(path, "utf8").trimEnd().split("\n")
        expect(lines).toHaveLength(entries.length)
        expect(JSON.parse(lines[4]!)).toMatchObject({
          file: "/data/4",
          targetLang: "de",
          entry: { _tag: "Uploaded", handle: { documentId: "D1", documentKey: key } }
        })
      })
    )
  )

  it.virtual("can be read by its owner only, even if it was there before", () =>
    inFolder((path) =>
      Effect.gen(function* () {
        yield* update(path, german, uploaded)
        expect(statSync(path).mode & 0o777).toBe(0o600)
        chmodSync(path, 0o644)
        yield* get(path, german)
        expect(statSync(path).mode & 0o777).toBe(0o600)
      })
    )
  )

  it.virtual("is right after a crash at any byte of its last line", () =>
    inFolder((path) =>
      Effect.gen(function* () {
        yield* update(path, german, uploaded)
        yield* update(path, { file: "/data/größer.txt", targetLang: "fr" }, { _tag: "Sent" })
        const whole = readFileSync(path)
        const first = whole.indexOf(10) + 1
        for (let end = whole.length; end >= first; end -= runs(1, 7)) {
          writeFileSync(path, whole.subarray(0, end))
          yield* opened(path, (journal) =>
            Effect.gen(function* () {
              expect(yield* journal.get(german)).toEqual(Option.some(uploaded))
              yield* journal.update(french, { _tag: "Sent" })
            })
          )
          expect(yield* get(path, german)).toEqual(Option.some(uploaded))
          expect(yield* get(path, french)).toEqual(Option.some({ _tag: "Sent" }))
          const kept = yield* get(path, { file: "/data/größer.txt", targetLang: "fr" })
          // All but the line feed is the whole of a line.
          expect(Option.isSome(kept)).toBe(end >= whole.length - 1)
        }
      })
    )
  )

  it.virtual("with a broken line that no crash explains is refused, since its document may be paid for", () =>
    inFolder((path) =>
      Effect.gen(function* () {
        yield* update(path, german, uploaded)
        appendFileSync(path, "{}\n")
        yield* update(path, french, uploaded).pipe(
          Effect.flip,
          Effect.tap((error) => {
            expect(error._tag).toBe("DocumentJournalError")
            expect(error.message).toMatch(/^Line 2 of the journal .* can't be read/)
            expect(error.message).not.toContain(key)
          })
        )
      })
    )
  )

  it.virtual("belongs to one at a time: another one is refused until it is closed, and changes nothing", () =>
    inFolder((path) =>
      Effect.gen(function* () {
        yield* opened(path, (journal) =>
          Effect.gen(function* () {
            yield* journal.update(german, { _tag: "Sent" })
            const error = yield* Effect.flip(update(path, french, { _tag: "Sent" }))
            expect(error._tag).toBe("DocumentJournalError")
            expect(error.message).toMatch(new RegExp(`in use by process ${process.pid}`))
            yield* journal.update(german, uploaded)
          })
        )
        yield* update(path, french, uploaded)
        expect(readFileSync(path, "utf8").trimEnd().split("\n")).toHaveLength(3)
        // The lock is gone with its holder.
        expect(existsSync(`${path}.lock`)).toBe(false)
      })
    )
  )

  it.virtual("by two names is one journal", () =>
    inFolder((path) =>
      opened(path, () =>
        Effect.gen(function* () {
          symlinkSync(path, `${path}.link`)
          expect((yield* Effect.flip(get(`${path}.link`, german))).message).toMatch(/in use/)
        })
      )
    )
  )

  it.virtual("notices another writer before anything is sent", () =>
    inFolder((path) =>
      opened(path, (journal) =>
        Effect.gen(function* () {
          yield* journal.update(german, { _tag: "Sent" })
          appendFileSync(path, "something\n")
          const error = yield* Effect.flip(journal.update(german, uploaded))
          expect(error.message).toMatch(/Somebody else writes/)
          expect(readFileSync(path, "utf8").trimEnd().split("\n")).toHaveLength(2)
        })
      )
    )
  )

  it.virtual("takes entries of many fibers, one line each", () =>
    inFolder((path) =>
      Effect.gen(function* () {
        const documents = Array.from({ length: 50 }, (_, index) => ({ ...german, file: `/data/${index}` }))
        yield* opened(path, (journal) =>
          Effect.forEach(documents, (document) => journal.update(document, uploaded), { concurrency: 50 })
        )
        for (const document of documents) expect(Option.isSome(yield* get(path, document))).toBe(true)
      })
    )
  )

  it.virtual("is made with its folder", () =>
    inFolder((path) =>
      Effect.gen(function* () {
        yield* update(`${path}/new/journal.jsonl`, german, uploaded)
        expect(yield* get(`${path}/new/journal.jsonl`, german)).toEqual(Option.some(uploaded))
      })
    )
  )

  const others = {
    "a text": "Once upon a time\nthere was a file.\n",
    "a text without a line feed": "Once upon a time",
    "a short text": "{",
    JSON: '{"file":"a.txt","targetLang":"de"}',
    "JSON lines": '{"file":"a.txt"}\n{"file":"b.txt"}\n',
    "an empty line": "\n",
    zeros: "\0\0\0"
  }
  for (const [name, content] of Object.entries(others)) {
    it.virtual(`that holds ${name} is no journal: it is refused, and stays as it is`, () =>
      inFolder((path) =>
        Effect.gen(function* () {
          writeFileSync(path, content, { mode: 0o644 })
          const error = yield* Effect.flip(update(path, german, uploaded))
          expect(error._tag).toBe("DocumentJournalError")
          expect(error.message).toMatch(/is no journal/)
          expect(readFileSync(path, "utf8")).toBe(content)
          expect(statSync(path).mode & 0o777).toBe(0o644)
          expect(existsSync(`${path}.lock`)).toBe(false)
        })
      )
    )
  }

  it.virtual("whose last line is text that no crash leaves is refused, and stays as it is", () =>
    inFolder((path) =>
      Effect.gen(function* () {
        yield* update(path, german, uploaded)
        appendFileSync(path, "a note of mine")
        const content = readFileSync(path, "utf8")
        expect((yield* Effect.flip(get(path, german))).message).toMatch(/^Line 2 of the journal/)
        expect(readFileSync(path, "utf8")).toBe(content)
      })
    )
  )

  it.virtual("that is a folder is refused", () =>
    inFolder((path) =>
      Effect.gen(function* () {
        mkdirSync(path)
        expect((yield* Effect.flip(update(path, german, uploaded))).message).toMatch(/is no journal/)
      })
    )
  )

  it.virtual("that is empty is a new one", () =>
    inFolder((path) =>
      Effect.gen(function* () {
        writeFileSync(path, "")
        yield* update(path, german, uploaded)
        expect(yield* get(path, german)).toEqual(Option.some(uploaded))
      })
    )
  )
})

describe("a journal in a KeyValueStore", () => {
  it.effect("counts a value that a crash has torn as ambiguous: it is not uploaded again by itself", () =>
    Effect.gen(function* () {
      const values = new Map<string, string>()
      const store = KeyValueStore.makeStringOnly({
        get: (key) => Effect.sync(() => Option.fromNullable(values.get(key))),
        set: (key, value) => Effect.sync(() => void values.set(key, value)),
        remove: (key) => Effect.sync(() => void values.delete(key)),
        clear: Effect.sync(() => values.clear()),
        size: Effect.sync(() => values.size)
      })
      yield* Effect.gen(function* () {
        const journal = yield* DocumentJournal.DocumentJournal
        const long = { file: `/${"a".repeat(4000)}.txt`, targetLang: "de" }
        yield* journal.update(long, uploaded)
        const [name, value] = [...values][0]!
        expect(name.length).toBeLessThan(100)
        values.set(name, value.slice(0, 20))
        expect(yield* journal.get(long)).toMatchObject({ value: { _tag: "Ambiguous" } })
      }).pipe(
        Effect.provide(
          Layer.provide(DocumentJournal.layerKeyValueStore, Layer.succeed(KeyValueStore.KeyValueStore, store))
        )
      )
    })
  )
})
