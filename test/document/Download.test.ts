/** Downloads over real sockets: whatever the server does, the output is whole or not there, and the error says which. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import * as Net from "node:net"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { TranslateClient } from "effect-translate"
import { type DocumentError, DocumentTranslation } from "effect-translate/documents"
import * as fc from "fast-check"
import { layerOver, once, quickly, served } from "../support/client.js"
import { runs } from "../support/long.js"
import * as recording from "../support/recordingServer.js"

const key = "d0cument-k3y-0123456789"
const handle = { documentId: "D1", documentKey: Redacted.make(key) }
const isDone = { status: "done" } as const
/** The answer of the service once it has given a document out. */
const gone = { status: 503, body: { message: "Document already downloaded" } }
const translating = { status: "translating" } as const

const folder = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())

/** Runs with an empty folder; nothing but what is expected may be left in it. */
const leaves = <A, E, R>(
  left: ReadonlyArray<string>,
  use: (output: string, folder: string) => Effect.Effect<A, E, R>
) =>
  Effect.flatMap(folder, (folder) =>
    Effect.tap(use(`${folder}/output.txt`, folder), () =>
      Effect.sync(() => expect(readdirSync(folder).sort()).toEqual([...left].sort()))
    )
  )

const over = Layer.merge(served(), NodeContext.layer)

const unhandled: Array<unknown> = []
const note = (error: unknown) => void unhandled.push(error)
beforeAll(() => {
  process.on("uncaughtException", note)
  process.on("unhandledRejection", note)
})
afterAll(() => {
  process.off("uncaughtException", note)
  process.off("unhandledRejection", note)
  expect(unhandled).toEqual([])
})

describe("a download", () => {
  it.scopedLive("becomes the output", () =>
    leaves(["output.txt"], (output) =>
      Effect.gen(function* () {
        yield* recording.answer({ body: Buffer.from("Hallo Welt") })
        expect(yield* DocumentTranslation.download(handle, output, { status: isDone })).toBe(10)
        expect(readFileSync(output, "utf8")).toBe("Hallo Welt")
        expect((yield* recording.onlyRequest).path).toBe("/v2/document/D1/result")
      })
    ).pipe(Effect.provide(over))
  )

  it.scopedLive("makes the folder of its output", () =>
    Effect.gen(function* () {
      const output = `${yield* folder}/out/de/output.txt`
      yield* recording.answer({ body: Buffer.from("Hallo") })
      yield* DocumentTranslation.download(handle, output, { status: isDone })
      expect(readFileSync(output, "utf8")).toBe("Hallo")
    }).pipe(Effect.provide(over))
  )

  it.scopedLive("asks for the status if it is not given, and downloads only documents that are done", () =>
    leaves([], (output) =>
      Effect.gen(function* () {
        yield* recording.answer({ body: { document_id: "D1", status: "translating" } })
        const error = yield* Effect.flip(DocumentTranslation.download(handle, output))
        expect(error).toMatchObject({ _tag: "DocumentNotReady", lastStatus: "translating" })
        expect((yield* recording.onlyRequest).path).toBe("/v2/document/D1")
      })
    ).pipe(Effect.provide(over))
  )

  it.scopedLive(
    '503 of a document that is "done": already downloaded, whatever the body says, and asked once',
    () =>
      leaves([], (output) =>
        Effect.gen(function* () {
          yield* recording.answer({ status: 503, body: { message: "Document not ready" } })
          const error = yield* Effect.flip(DocumentTranslation.download(handle, output, { status: isDone }))
          expect(error).toMatchObject({ _tag: "AlreadyDownloaded", serviceMessage: "Document not ready" })
          expect(error.message).toMatch(/billed again/)
          expect(yield* recording.requests).toHaveLength(1)
        })
      ).pipe(Effect.provide(over))
  )

  it.scopedLive("that is not ready is not asked for", () =>
    leaves([], (output) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(
          DocumentTranslation.download(handle, output, { status: translating })
        )
        expect(error._tag).toBe("DocumentNotReady")
        expect(yield* recording.requests).toHaveLength(0)
      })
    ).pipe(Effect.provide(over))
  )

  it.scopedLive("does not overwrite, and asks for nothing then", () =>
    leaves(["output.txt"], (output) =>
      Effect.gen(function* () {
        writeFileSync(output, "mine")
        const error = yield* Effect.flip(DocumentTranslation.download(handle, output, { status: isDone }))
        expect(error).toMatchObject({ _tag: "DocumentOutputUnusable", output })
        expect(readFileSync(output, "utf8")).toBe("mine")
        expect(yield* recording.requests).toHaveLength(0)
      })
    ).pipe(Effect.provide(over))
  )

  it.scopedLive("overwrites if asked, once it is whole; a lost one leaves the old file", () =>
    leaves(["output.txt"], (output) =>
      Effect.gen(function* () {
        writeFileSync(output, "mine")
        yield* recording.answer({ body: Buffer.from("Hallo Welt"), cut: "mid-body" }, gone)
        const options = { status: isDone, overwrite: true }
        const error = yield* Effect.flip(DocumentTranslation.download(handle, output, options)).pipe(quickly)
        expect(error).toMatchObject({ _tag: "DownloadLost" })
        expect(readFileSync(output, "utf8")).toBe("mine")
        yield* recording.answer({ body: Buffer.from("Hallo Welt") })
        yield* DocumentTranslation.download(handle, output, options)
        expect(readFileSync(output, "utf8")).toBe("Hallo Welt")
      })
    ).pipe(Effect.provide(over))
  )

  it.scopedLive("keeps its download if the output comes into being meanwhile", () =>
    Effect.gen(function* () {
      const output = `${yield* folder}/output.txt`
      yield* recording.answer({ body: Buffer.from("Hallo Welt"), bodyDelay: 100 })
      const fiber = yield* Effect.fork(
        Effect.flip(DocumentTranslation.download(handle, output, { status: isDone }))
      )
      yield* Effect.flatMap(recording.RecordingServer, (server) => server.request(0))
      writeFileSync(output, "theirs")
      const error = yield* Fiber.join(fiber)
      expect(error).toMatchObject({ _tag: "DocumentOutputUnusable" })
      expect(readFileSync(output, "utf8")).toBe("theirs")
      const kept = (error as { readonly kept?: string }).kept ?? ""
      expect(readFileSync(kept, "utf8")).toBe("Hallo Welt")
      expect(error.message).toContain(kept)
    }).pipe(Effect.provide(over))
  )

  it.scopedLive("is renamed on file systems that have no links", () =>
    leaves(["output.txt"], (output) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const linkless = Layer.succeed(FileSystem.FileSystem, { ...fs, link: () => fs.chmod("/nowhere", 0) })
        yield* recording.answer({ body: Buffer.from("Hallo") })
        yield* Effect.provide(DocumentTranslation.download(handle, output, { status: isDone }), linkless)
        expect(readFileSync(output, "utf8")).toBe("Hallo")
      })
    ).pipe(Effect.provide(over))
  )

  it.scopedLive("has its output if that was linked and only the answer was lost", () =>
    leaves(["output.txt"], (output) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const forgetful = Layer.succeed(FileSystem.FileSystem, {
          ...fs,
          link: (from, to) => Effect.zipRight(fs.link(from, to), fs.chmod("/nowhere", 0))
        })
        yield* recording.answer({ body: Buffer.from("Hallo") })
        yield* Effect.provide(DocumentTranslation.download(handle, output, { status: isDone }), forgetful)
        expect(readFileSync(output, "utf8")).toBe("Hallo")
      })
    ).pipe(Effect.provide(over))
  )

  it.scopedLive("that is cut midway is asked for again, and written anew from its first byte", () =>
    leaves(["output.txt"], (output) =>
      Effect.gen(function* () {
        yield* recording.answer(
          { body: Buffer.alloc(2_000_000, "a"), cut: "mid-body" },
          { body: Buffer.alloc(300_000, "b") }
        )
        expect(yield* quickly(DocumentTranslation.download(handle, output, { status: isDone }))).toBe(300_000)
        expect(readFileSync(output).equals(Buffer.alloc(300_000, "b"))).toBe(true)
        expect(yield* recording.requests).toHaveLength(2)
      })
    ).pipe(Effect.provide(over))
  )

  it.scopedLive("cut midway, and gone then: DownloadLost, and that a new upload is billed again", () =>
    leaves([], (output) =>
      Effect.gen(function* () {
        yield* recording.answer({ body: Buffer.alloc(200_000, "a"), cut: "mid-body" }, gone)
        const error = yield* Effect.flip(
          quickly(DocumentTranslation.download(handle, output, { status: isDone }))
        )
        expect(error).toMatchObject({ _tag: "DownloadLost", reason: "cut", received: 100_000 })
        expect(error.message).toMatch(/second download is impossible.*new upload is needed.*billed again/)
        expect(error.message).not.toContain(key)
        expect(yield* recording.requests).toHaveLength(2)
      })
    ).pipe(Effect.provide(over))
  )

  it.scopedLive("that stalls is given up after the idle time-out, and asked for again", () =>
    leaves(["output.txt"], (output) =>
      Effect.gen(function* () {
        yield* recording.answer(
          { body: Buffer.from("Hallo Welt"), cut: "hang-body" },
          { body: Buffer.from("Hallo") }
        )
        const options = { status: isDone, idleTimeout: "300 millis" } as const
        expect(yield* quickly(DocumentTranslation.download(handle, output, options))).toBe(5)
        expect(readFileSync(output, "utf8")).toBe("Hallo")
        // The connection of the first is closed too.
        yield* (yield* recording.requests)[0]!.closed
      })
    ).pipe(Effect.provide(over))
  )

  it.scopedLive("that stalled, and is gone then, is lost", () =>
    leaves([], (output) =>
      Effect.gen(function* () {
        yield* recording.answer({ body: Buffer.from("Hallo Welt"), cut: "hang-body" }, gone)
        const error = yield* Effect.flip(
          quickly(DocumentTranslation.download(handle, output, { status: isDone, idleTimeout: "300 millis" }))
        )
        expect(error).toMatchObject({ _tag: "DownloadLost", reason: "stalled", received: 5 })
      })
    ).pipe(Effect.provide(over))
  )

  it.scopedLive("cut, refused as one request too many, and gone then, is lost", () =>
    leaves([], (output) =>
      Effect.gen(function* () {
        yield* recording.answer({ body: Buffer.from("Hallo Welt"), cut: "mid-body" }, { status: 429 }, gone)
        const error = yield* Effect.flip(
          quickly(DocumentTranslation.download(handle, output, { status: isDone }))
        )
        expect(error).toMatchObject({ _tag: "DownloadLost", reason: "cut", received: 5 })
      })
    ).pipe(Effect.provide(over))
  )

  it.scopedLive("that is cut each time is asked for as often as the policy says, and is not lost", () =>
    leaves([], (output) =>
      Effect.gen(function* () {
        const midway = { body: Buffer.from("Hallo Welt"), cut: "mid-body" } as const
        const before = { cut: "before" } as const
        yield* recording.answer(midway, before, { status: 502 }, midway, before, midway, midway, midway)
        const error = yield* Effect.flip(
          quickly(DocumentTranslation.download(handle, output, { status: isDone }))
        )
        expect(error).toMatchObject({ _tag: "TransportError", delivery: "ambiguous" })
        expect(yield* recording.requests).toHaveLength(6)
      })
    ).pipe(Effect.provide(over))
  )

  it.scopedLive("of a silent service ends after the idle time-out of each attempt", () =>
    leaves([], (output) =>
      Effect.gen(function* () {
        yield* recording.answer(...Array.from({ length: 9 }, () => ({ cut: "hang" }) as const))
        const options = { status: isDone, idleTimeout: "200 millis" } as const
        const [took, error] = yield* Effect.timed(
          Effect.flip(quickly(DocumentTranslation.download(handle, output, options)))
        )
        expect(error).toMatchObject({ _tag: "TimedOut", delivery: "ambiguous" })
        expect(yield* recording.requests).toHaveLength(6)
        expect(Duration.toMillis(took)).toBeGreaterThanOrEqual(1200)
      })
    ).pipe(Effect.provide(over))
  )

  it.scopedLive("that is answered late is waited for", () =>
    leaves(["output.txt"], (output) =>
      Effect.gen(function* () {
        yield* recording.answer({ body: Buffer.from("Hallo"), delay: 150, bodyDelay: 150 })
        expect(yield* DocumentTranslation.download(handle, output, { status: isDone })).toBe(5)
      })
    ).pipe(Effect.provide(over))
  )

  it.scopedLive("whose connection is cut before any answer is asked for again", () =>
    leaves(["output.txt"], (output) =>
      Effect.gen(function* () {
        yield* recording.answer({ cut: "before" }, { body: Buffer.from("Hallo") })
        expect(yield* quickly(DocumentTranslation.download(handle, output, { status: isDone }))).toBe(5)
        expect(yield* recording.requests).toHaveLength(2)
      })
    ).pipe(Effect.provide(over))
  )

  it.scopedLive("whose connection was cut before any answer, and that is gone then, is lost", () =>
    leaves([], (output) =>
      Effect.gen(function* () {
        yield* recording.answer({ cut: "before" }, gone)
        const error = yield* Effect.flip(
          quickly(DocumentTranslation.download(handle, output, { status: isDone }))
        )
        expect(error).toMatchObject({ _tag: "DownloadLost", reason: "cut", received: 0 })
      })
    ).pipe(Effect.provide(over))
  )

  it.scopedLive("that never left is not lost", () =>
    leaves([], (output) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(
          once(DocumentTranslation.download(handle, output, { status: isDone }))
        )
        expect(error).toMatchObject({ _tag: "TransportError", delivery: "not-sent" })
      })
    ).pipe(
      Effect.provide(
        Layer.merge(
          Layer.provide(layerOver({ url: "http://127.0.0.1:1" }), NodeHttpClient.layerUndici),
          NodeContext.layer
        )
      )
    )
  )

  it.scopedLive("that can't be written is lost, and says so", () =>
    leaves([], (output) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const full = Layer.succeed(FileSystem.FileSystem, {
          ...fs,
          open: (path, options) =>
            Effect.map(fs.open(path, options), (file) =>
              Object.assign(Object.create(file), {
                writeAll: () => Effect.flatMap(fs.stat("/nowhere"), () => Effect.void)
              })
            )
        })
        yield* recording.answer({ body: Buffer.from("Hallo") })
        const error = yield* DocumentTranslation.download(handle, output, { status: isDone }).pipe(
          Effect.provide(full),
          Effect.flip
        )
        expect(error).toMatchObject({ _tag: "DownloadLost", reason: "unwritten" })
      })
    ).pipe(Effect.provide(over))
  )

  const lengths = fc.array(fc.array(fc.integer({ min: 0, max: 300_000 }), { maxLength: 4 }), { maxLength: 4 })

  it.scopedLive.prop(
    "holds every byte in its place, however the bytes come in pieces",
    [lengths],
    ([lengths]) =>
      leaves(["output.txt"], (output) =>
        Effect.gen(function* () {
          const client = yield* TranslateClient.TranslateClient
          const chunks = lengths.map((chunk, chunkIndex) =>
            Chunk.fromIterable(
              chunk.map((length, index) =>
                Uint8Array.from({ length }, (_, byte) => byte + 7 * index + 31 * chunkIndex)
              )
            )
          )
          const whole = Buffer.concat(chunks.flatMap((chunk) => [...chunk]))
          const documents = { ...client.documents, download: () => Stream.fromChunks(...chunks) }
          const bytes = yield* DocumentTranslation.download(handle, output, { status: isDone }).pipe(
            Effect.provideService(TranslateClient.TranslateClient, { ...client, documents })
          )
          expect(bytes).toBe(whole.length)
          expect(readFileSync(output).equals(whole)).toBe(true)
        })
      ).pipe(Effect.provide(over)),
    { fastCheck: { numRuns: runs(100, 10) } }
  )

  it.scopedLive("that is interrupted leaves nothing, and closes its connection", () =>
    leaves([], (output, folder) =>
      Effect.gen(function* () {
        yield* recording.answer({ body: Buffer.alloc(200_000, "a"), cut: "hang-body" })
        const fiber = yield* Effect.fork(DocumentTranslation.download(handle, output, { status: isDone }))
        const request = yield* recording.RecordingServer.pipe(Effect.flatMap((server) => server.request(0)))
        while (readdirSync(folder).length === 0) yield* Effect.sleep("5 millis")
        expect(Exit.isInterrupted(yield* Fiber.interrupt(fiber))).toBe(true)
        yield* request.closed
      })
    ).pipe(Effect.provide(over))
  )

  it.scopedLive("an output that is a folder is refused before anything is asked", () =>
    Effect.gen(function* () {
      const output = `${yield* folder}/output`
      mkdirSync(output)
      const error = yield* Effect.flip(
        DocumentTranslation.download(handle, output, { status: isDone, overwrite: true })
      )
      expect(error).toMatchObject({ _tag: "DocumentOutputUnusable" })
      expect(existsSync(output)).toBe(true)
      expect(yield* recording.requests).toHaveLength(0)
    }).pipe(Effect.provide(over))
  )
})

describe("an output that no file can have", () => {
  it.scopedLive("is refused before anything is asked", () =>
    Effect.gen(function* () {
      const inside = yield* folder
      symlinkSync(`${inside}/nothing`, `${inside}/link`)
      for (const [output, reason] of [
        ["", /is empty/],
        [`${inside}/new/`, /is a folder/],
        [`${inside}/link`, /exists already/]
      ] as const) {
        const error = yield* Effect.flip(DocumentTranslation.download(handle, output, { status: isDone }))
        expect(error).toMatchObject({ _tag: "DocumentOutputUnusable" })
        expect(error.message).toMatch(reason)
      }
      expect(readdirSync(inside)).toEqual(["link"])
      expect(yield* recording.requests).toHaveLength(0)
    }).pipe(Effect.provide(over))
  )

  it.scopedLive("a link to nothing that comes into being meanwhile is kept, and so is the translation", () =>
    Effect.gen(function* () {
      const inside = yield* folder
      const output = `${inside}/output.txt`
      yield* recording.answer({ body: Buffer.from("Hallo"), bodyDelay: 200 })
      const fiber = yield* Effect.fork(
        Effect.flip(DocumentTranslation.download(handle, output, { status: isDone }))
      )
      yield* Effect.flatMap(recording.RecordingServer, (server) => server.request(0))
      symlinkSync(`${inside}/nothing`, output)
      const error = yield* Fiber.join(fiber)
      expect(error).toMatchObject({ _tag: "DocumentOutputUnusable" })
      expect(readlinkSync(output)).toBe(`${inside}/nothing`)
      expect(readFileSync((error as DocumentError.DocumentOutputUnusable).kept!, "utf8")).toBe("Hallo")
    }).pipe(Effect.provide(over))
  )
})

/** A server below HTTP: it ends its first answer properly with fewer bytes than it has announced, then has no more. */
const shortServer = Effect.acquireRelease(
  Effect.async<{ readonly url: string; readonly server: Net.Server }>((resume) => {
    let requests = 0
    const server = Net.createServer((socket) => {
      socket.on("error", () => {})
      socket.once("data", () => {
        socket.end(
          ++requests === 1
            ? "HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\ncontent-length: 1000\r\n\r\nonly this"
            : "HTTP/1.1 503 Gone\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        )
      })
    })
    server.listen(0, "127.0.0.1", () =>
      resume(
        Effect.succeed({ server, url: `http://127.0.0.1:${(server.address() as Net.AddressInfo).port}` })
      )
    )
  }),
  ({ server }) => Effect.sync(() => void server.close())
)

describe("less than its Content-Length, and nothing more, is DownloadLost", () => {
  for (const [name, transport] of [
    ["undici", NodeHttpClient.layerUndici],
    ["node", NodeHttpClient.layer]
  ] as const) {
    it.scopedLive(`over ${name}`, () =>
      Effect.gen(function* () {
        const { url } = yield* shortServer
        yield* leaves([], (output) =>
          Effect.gen(function* () {
            const error = yield* Effect.flip(
              quickly(DocumentTranslation.download(handle, output, { status: isDone }))
            )
            expect(error).toMatchObject({ _tag: "DownloadLost", reason: "cut", received: 9 })
          })
        ).pipe(Effect.provide(Layer.merge(Layer.provide(layerOver({ url }), transport), NodeContext.layer)))
      })
    )
  }
})
