/** Batches on disks that become full: what is paid for is downloaded later, and not asked for before it can be kept. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { statfs } from "node:fs/promises"
import { tmpdir } from "node:os"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { RetryPolicy, TranslateClient } from "effect-translate"
import { DiskSpace, DocumentBatch, DocumentJournal, DocumentSource } from "effect-translate/documents"
import { Emulator, Fault } from "effect-translate/emulator"
import { capability } from "../support/capabilities.js"
import { idOf } from "../support/documents.js"
import { emulated } from "../support/emulator.js"

const folder = mkdtempSync(`${tmpdir()}/disk-`)
const mounted: Array<string> = []

/** A file system of its own. */
const mount = (path: string, size: string) => {
  mkdirSync(path)
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", path], { stdio: "pipe" })
  mounted.push(path)
  return path
}

const grow = (path: string, size: string) => execFileSync("mount", ["-o", `remount,size=${size}`, path])

const mounts = capability("mounts")

afterAll(() => {
  for (const path of mounted) execFileSync("umount", [path])
  rmSync(folder, { recursive: true, force: true })
})

/** Sources of 60 kB each, whose translations do not all fit on a disk of 1 MB. */
const names = Array.from({ length: 40 }, (_, index) => `${String(index).padStart(2, "0")}.txt`)

const sourcesIn = (path: string) => {
  mkdirSync(path)
  for (const name of names) writeFileSync(`${path}/${name}`, `${name} ${"Hello world. ".repeat(4600)}`)
  return path
}

const itemsOf = (sources: string, output: string): ReadonlyArray<DocumentBatch.Item> =>
  names.map((name) => ({ path: `${sources}/${name}`, targetLang: "de", output: `${output}/${name}` }))

const outcomesOf = (items: ReadonlyArray<DocumentBatch.Item>, options?: DocumentBatch.Options) =>
  Effect.gen(function* () {
    const outcomes: Array<DocumentBatch.Outcome> = []
    const result = yield* DocumentBatch.run(Stream.fromIterable(items), options).pipe(
      Stream.runForEach((outcome) => Effect.sync(() => outcomes.push(outcome))),
      Effect.either
    )
    const tagged = <Tag extends DocumentBatch.Outcome["_tag"]>(tag: Tag) =>
      outcomes.filter(
        (outcome): outcome is Extract<DocumentBatch.Outcome, { _tag: Tag }> => outcome._tag === tag
      )
    return { outcomes, result, tagged }
  })

const meter = Effect.flatMap(Emulator.Emulator, ({ meter }) => meter)

const layer = Layer.mergeAll(
  Layer.provide(emulated(), NodeHttpClient.layerUndici),
  NodeContext.layer,
  DocumentJournal.layerMemory
)

/** Uploads everything, as an earlier run would have. */
const uploadAll = (items: ReadonlyArray<DocumentBatch.Item>) =>
  Effect.gen(function* () {
    const { documents } = yield* TranslateClient.TranslateClient
    const journal = yield* DocumentJournal.DocumentJournal
    yield* Effect.forEach(
      items,
      ({ path, targetLang }) =>
        DocumentSource.fromPath(path).pipe(
          Effect.flatMap((source) => documents.upload(source, { targetLang })),
          Effect.flatMap((handle) =>
            Effect.flatMap(idOf(path, { targetLang }), (id) =>
              journal.update(id, { _tag: "Uploaded", handle })
            )
          )
        ),
      { concurrency: 8 }
    )
  })

describe.skipIf(mounts.isMissing)(`a batch of 40 documents on a disk of 1 MB${mounts.why}`, () => {
  it.scopedLive("loses none, ends, and the next run fetches the rest once there is space", () =>
    Effect.gen(function* () {
      const disk = mount(`${folder}/out`, "1m")
      const items = itemsOf(sourcesIn(`${folder}/in`), disk)
      yield* uploadAll(items)
      const first = yield* outcomesOf(items)
      expect(first.result).toMatchObject(Either.left({ _tag: "DiskFull" }))
      expect(first.tagged("Lost")).toEqual([])
      const translated = first.tagged("Translated").length
      expect(translated).toBeGreaterThan(5)
      expect((yield* meter).downloads).toBe(translated)
      expect(readdirSync(disk)).toHaveLength(translated)
      // Each of the others says so of its own output.
      for (const outcome of first.tagged("Failed")) {
        expect(outcome).toMatchObject({ error: { _tag: "DiskFull", output: outcome.output } })
      }
      const journal = yield* DocumentJournal.DocumentJournal
      for (const { item } of first.tagged("Failed")) {
        expect(yield* journal.get(yield* idOf(item.path, { targetLang: "de" }))).toMatchObject({
          value: { _tag: "Uploaded" }
        })
      }
      grow(disk, "8m")
      const second = yield* outcomesOf(items)
      expect(second.result).toEqual(Either.right(undefined))
      expect(second.tagged("Translated")).toHaveLength(40 - translated)
      expect(second.tagged("Skipped")).toHaveLength(translated)
      expect((yield* meter).documents).toHaveLength(40)
    }).pipe(Effect.provide(layer))
  )

  it.scopedLive("sends nothing at all if the service of free space says it is full before", () =>
    Effect.gen(function* () {
      const disk = mount(`${folder}/small`, "64k")
      const { result, tagged } = yield* outcomesOf(itemsOf(sourcesIn(`${folder}/in2`), disk))
      expect(result).toMatchObject(Either.left({ _tag: "DiskFull" }))
      expect(tagged("Failed")[0]).toMatchObject({ error: { reason: expect.stringMatching(/free/) } })
      expect((yield* meter).requests).toBe(0)
    }).pipe(Effect.provide([layer, DiskSpace.layer(statfs)]))
  )

  it.scopedLive("whose journal is full: no outcome has the handle of another document", () =>
    Effect.gen(function* () {
      const disk = mount(`${folder}/journal`, "8k")
      const sources = sourcesIn(`${folder}/in3`)
      mkdirSync(`${folder}/out3`)
      const items = itemsOf(sources, `${folder}/out3`)
      const { outcomes, result, tagged } = yield* Effect.provide(
        outcomesOf(items),
        DocumentJournal.layerFile(`${disk}/journal.jsonl`)
      )
      expect(result).toMatchObject(Either.left({ _tag: "DocumentJournalError" }))
      expect(outcomes.length).toBeGreaterThan(0)
      const handles = tagged("Failed").flatMap(({ item, error }) =>
        error._tag === "DocumentJournalError" && error.handle !== undefined
          ? [[item.path, `${sources}/${error.handle.name}`]]
          : []
      )
      expect(handles.length).toBeGreaterThan(0)
      for (const [path, ofHandle] of handles) expect(ofHandle).toBe(path)
      for (const { item, error } of tagged("Failed")) {
        for (const { path } of items) if (path !== item.path) expect(error.message).not.toContain(path)
      }
    }).pipe(Effect.provide(layer))
  )
})

describe("a disk that refuses a write", () => {
  it.scopedLive("loses the document that is being written, and no other one is asked for", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const output = yield* fs.makeTempDirectoryScoped()
      // What is unknown before the request: how large the translation is.
      const items = itemsOf(output, output).map((item, index) => ({
        ...item,
        path: `${output}/${index}`,
        upload: { filename: "a.txt" }
      }))
      for (const { path } of items) writeFileSync(path, "Hello")
      yield* uploadAllNamed(items)
      for (const { path } of items) rmSync(path)
      const failing = Layer.succeed(FileSystem.FileSystem, {
        ...fs,
        open: (path, options) =>
          Effect.map(fs.open(path, options), (file) =>
            path.endsWith(".part")
              ? Object.assign(Object.create(file), {
                  writeAll: () => Effect.flatMap(fs.stat("/nowhere"), () => Effect.void)
                })
              : file
          )
      })
      const { result, tagged } = yield* Effect.provide(outcomesOf(items, { concurrency: 1 }), failing)
      expect(result).toMatchObject(Either.left({ _tag: "DownloadLost", reason: "unwritten" }))
      expect(tagged("Lost")).toHaveLength(1)
      expect((yield* meter).downloads).toBe(1)
      const journal = yield* DocumentJournal.DocumentJournal
      expect(yield* journal.get({ file: items[39]!.path, targetLang: "de" })).toMatchObject(
        Option.some({ _tag: "Uploaded" })
      )
    }).pipe(Effect.provide(layer))
  )
})

describe("a download that waits to be asked for again", () => {
  it.scopedLive("is not once the disk of another has refused a write, and stays fetchable", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const output = yield* fs.makeTempDirectoryScoped()
      const items = itemsOf(output, output)
        .slice(0, 2)
        .map((item, index) => ({ ...item, path: `${output}/${index}`, upload: { filename: "a.txt" } }))
      for (const { path } of items) writeFileSync(path, "Hello")
      yield* uploadAllNamed(items)
      for (const { path } of items) rmSync(path)
      const emulator = yield* Emulator.Emulator
      let cut: string | undefined
      yield* emulator.script([
        Fault.where(Fault.cutConnection(), ({ path }) => {
          if (path.endsWith("/result")) cut ??= path
          return path === cut
        })
      ])
      const failing = Layer.succeed(FileSystem.FileSystem, {
        ...fs,
        open: (path, options) =>
          Effect.map(fs.open(path, options), (file) =>
            path.endsWith(".part")
              ? Object.assign(Object.create(file), {
                  // After the first download was cut.
                  writeAll: () => Effect.delay(fs.stat("/nowhere"), "100 millis")
                })
              : file
          )
      })
      const { result, tagged } = yield* outcomesOf(items, { concurrency: 2 }).pipe(
        Effect.provide(failing),
        Effect.provideService(
          RetryPolicy.RetryPolicy,
          RetryPolicy.make({ schedule: Schedule.spaced("1 hour") })
        )
      )
      expect(result).toMatchObject(Either.left({ _tag: "DownloadLost", reason: "unwritten" }))
      expect(tagged("Failed")).toMatchObject([{ error: { _tag: "TransportError" } }])
      expect(yield* outcomesOf(items, { overwrite: true })).toMatchObject({ result: Either.right(undefined) })
      expect((yield* meter).downloads).toBe(2)
    }).pipe(Effect.provide(layer))
  )
})

describe("a download that waits for its turn", () => {
  it.scopedLive("has an outcome though the disk of another has refused a write meanwhile", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const output = yield* fs.makeTempDirectoryScoped()
      const items = itemsOf(output, output)
        .slice(0, 4)
        .map((item, index) => ({ ...item, path: `${output}/${index}`, upload: { filename: "a.txt" } }))
      for (const { path } of items) writeFileSync(path, "Hello")
      yield* uploadAllNamed(items)
      for (const { path } of items) rmSync(path)
      const emulator = yield* Emulator.Emulator
      let downloads = 0
      yield* emulator.script([
        // All others wait for so long.
        Fault.where(
          Fault.status(429, { retryAfter: 60 }),
          ({ path }) => path.endsWith("/result") && ++downloads === 2
        )
      ])
      const failing = Layer.succeed(FileSystem.FileSystem, {
        ...fs,
        open: (path, options) =>
          Effect.map(fs.open(path, options), (file) =>
            path.endsWith(".part")
              ? Object.assign(Object.create(file), {
                  writeAll: () => Effect.delay(fs.stat("/nowhere"), "300 millis")
                })
              : file
          )
      })
      const { outcomes, result } = yield* outcomesOf(items, { concurrency: 4 }).pipe(Effect.provide(failing))
      expect(result).toMatchObject(Either.left({ _tag: "DownloadLost", reason: "unwritten" }))
      expect(outcomes).toHaveLength(4)
      expect((yield* meter).downloads).toBeLessThan(4)
    }).pipe(Effect.provide(layer))
  )
})

const uploadAllNamed = (items: ReadonlyArray<DocumentBatch.Item>) =>
  Effect.gen(function* () {
    const { documents } = yield* TranslateClient.TranslateClient
    const journal = yield* DocumentJournal.DocumentJournal
    for (const { path, targetLang } of items) {
      const source = DocumentSource.fromBytes("a.txt", new TextEncoder().encode("Hello"))
      const handle = yield* documents.upload(source, { targetLang })
      yield* journal.update({ file: path, targetLang }, { _tag: "Uploaded", handle })
    }
  })
