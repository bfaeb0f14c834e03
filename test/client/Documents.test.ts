/** Documents: the multipart on the wire, the answers, the rules before anything is sent, and downloads that go wrong. */
import { writeFileSync } from "node:fs"
import * as Http from "node:http"
import * as Net from "node:net"
import type { PlatformError } from "@effect/platform/Error"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Inspectable from "effect/Inspectable"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { ConcurrencyLimit, RetryPolicy, TranslateClient } from "effect-translate"
import { DocumentSource, Documents } from "effect-translate/documents"
import { key, layerOver, type Options, once, quickly, served, servedOver } from "../support/client.js"
import * as recording from "../support/recordingServer.js"
import { recordingTracer } from "../support/recordingTracer.js"
import { retries } from "../support/retries.js"
import { count, scripted } from "../support/scriptedClient.js"

const documents = Effect.map(TranslateClient.TranslateClient, (client) => client.documents)

const upload = <E = never>(source: DocumentSource.DocumentSource<E>, options: Documents.UploadOptions) =>
  Effect.flatMap(documents, (documents) => documents.upload(source, options))

const download = (options?: Documents.DownloadOptions) =>
  Effect.flatMap(documents, (documents) => Stream.runCollect(documents.download(access, options))).pipe(
    Effect.map((parts) => Buffer.concat(Chunk.toReadonlyArray(parts)).toString())
  )

const documentKey = "0CB0054F1C132C1625B392EADDA41CB754A742822F6877173029A6C487E7F60A"

const documentId = "04DE5AD98A02647D83285A36021911C6"

const access = { documentId, documentKey: Redacted.make(documentKey) }

const uploaded = { body: { document_id: documentId, document_key: documentKey } }

const bytes = (text: string) => new TextEncoder().encode(text)

const hello = DocumentSource.fromBytes("hello.txt", bytes("Hello"))

const de = { targetLang: "de" } as const

const pieces = (...texts: ReadonlyArray<string>) => Stream.fromIterable(texts.map(bytes))

const transports: ReadonlyArray<readonly [string, Layer.Layer<HttpClient.HttpClient>]> = [
  ["undici", NodeHttpClient.layerUndici],
  ["node", NodeHttpClient.layer],
  ["fetch", FetchHttpClient.layer]
]

/** What keeps a length: fetch does not. */
const exact = transports.slice(0, 2)

/** The parts of a request, as they stand on the wire; its boundary is checked apart. */
const partsOf = (request: recording.Recorded) => {
  const match = /^multipart\/form-data; boundary=([0-9A-Za-z'()+_,./:=?-]{1,70})$/.exec(
    request.headers["content-type"]!
  )
  expect(match).not.toBeNull()
  return request.text.replaceAll(match![1]!, "BOUNDARY")
}

const invalid = (name: string, options: Documents.UploadOptions, content = "x") =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(upload(DocumentSource.fromBytes(name, bytes(content)), options))
    expect(yield* recording.requests).toEqual([])
    return error._tag === "InvalidRequest" ? error.violations : []
  }).pipe(Effect.provide(served()))

const valid = (name: string, options: Documents.UploadOptions, with_?: Options) =>
  Effect.gen(function* () {
    yield* recording.answer(uploaded)
    const handle = yield* upload(DocumentSource.fromBytes(name, bytes("x")), options)
    return { handle, text: partsOf(yield* recording.onlyRequest) }
  }).pipe(Effect.provide(served(with_)))

describe("POST /v2/document on the wire", () => {
  const every = [
    "--BOUNDARY",
    'Content-Disposition: form-data; name="target_lang"',
    "",
    "pt-BR",
    "--BOUNDARY",
    'Content-Disposition: form-data; name="source_lang"',
    "",
    "en",
    "--BOUNDARY",
    'Content-Disposition: form-data; name="formality"',
    "",
    "more",
    "--BOUNDARY",
    'Content-Disposition: form-data; name="glossary_id"',
    "",
    "g-1",
    "--BOUNDARY",
    'Content-Disposition: form-data; name="style_id"',
    "",
    "s-1",
    "--BOUNDARY",
    'Content-Disposition: form-data; name="translation_memory_id"',
    "",
    "a74d88fb-ed2a-4943-a664-a4512398b994",
    "--BOUNDARY",
    'Content-Disposition: form-data; name="translation_memory_threshold"',
    "",
    "80",
    "--BOUNDARY",
    'Content-Disposition: form-data; name="output_format"',
    "",
    "docx",
    "--BOUNDARY",
    'Content-Disposition: form-data; name="filename"',
    "",
    "Angebot.pdf",
    "--BOUNDARY",
    'Content-Disposition: form-data; name="file"; filename="offer.PDF"',
    "Content-Type: application/octet-stream",
    "",
    "%PDF-é",
    "--BOUNDARY--",
    "",
    ""
  ].join("\r\n")

  const options: Documents.UploadOptions = {
    filename: "Angebot.pdf",
    outputFormat: "DOCX",
    translationMemoryThreshold: 80,
    translationMemoryId: "a74d88fb-ed2a-4943-a664-a4512398b994",
    styleId: "s-1",
    glossaryId: "g-1",
    formality: "more",
    sourceLang: "EN",
    targetLang: "PT-br"
  }

  it.effect.each(exact)(
    "sends every field and the exact bytes of a stream, of a known length: %s",
    ([, transport]) =>
      Effect.gen(function* () {
        yield* recording.answer(uploaded)
        yield* upload(DocumentSource.fromStream("offer.PDF", 7, pieces("%P", "DF-é")), options)
        const request = yield* recording.onlyRequest
        expect([request.method, request.path]).toEqual(["POST", "/v2/document"])
        expect(request.headers.authorization).toBe(`Service-Auth-Key ${key}`)
        expect(request.headers["content-length"]).toBe(String(request.body.length))
        expect(request.headers["transfer-encoding"]).toBeUndefined()
        expect(partsOf(request)).toBe(every)
      }).pipe(Effect.provide(servedOver(transport)))
  )

  it.effect.each(transports)("sends the same of bytes in memory: %s", ([, transport]) =>
    Effect.gen(function* () {
      yield* recording.answer(uploaded)
      yield* upload(DocumentSource.fromBytes("offer.PDF", bytes("%PDF-é")), options)
      const request = yield* recording.onlyRequest
      expect(request.headers["content-length"]).toBe(String(request.body.length))
      expect(partsOf(request)).toBe(every)
    }).pipe(Effect.provide(servedOver(transport)))
  )

  it.effect("by fetch a stream goes without its length", () =>
    Effect.gen(function* () {
      yield* recording.answer(uploaded)
      yield* upload(DocumentSource.fromStream("offer.PDF", 7, pieces("%P", "DF-é")), options)
      const request = yield* recording.onlyRequest
      expect(request.headers["content-length"]).toBeUndefined()
      expect(partsOf(request)).toBe(every)
    }).pipe(Effect.provide(servedOver(FetchHttpClient.layer)))
  )

  it.effect("sends a part for each of `glossary_ids`, and nothing that was not given", () =>
    Effect.gen(function* () {
      const { text } = yield* valid("a.txt", {
        targetLang: "de",
        sourceLang: "en",
        glossaryIds: ["g-1", "g-2"]
      })
      expect(Array.from(text.matchAll(/ name="([^"]+)"/g), ([, name]) => name)).toEqual([
        "target_lang",
        "source_lang",
        "glossary_ids",
        "glossary_ids",
        "file"
      ])
    })
  )

  it.effect("a name with quotes stays one name, and in UTF-8", () =>
    Effect.gen(function* () {
      const { text } = yield* valid('契約 "final".docx', de)
      expect(text).toContain('; filename="契約 %22final%22.docx"\r\n')
    })
  )

  it.effect("sends a file of a path, under the last part of it", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const content = "0123456789".repeat(20_000)
      writeFileSync(`${folder}/report.srt`, content)
      yield* recording.answer(uploaded)
      yield* upload(yield* DocumentSource.fromPath(`${folder}/report.srt`), de)
      const request = yield* recording.onlyRequest
      expect(request.text).toContain('filename="report.srt"')
      expect(request.text).not.toContain(folder)
      expect(request.text).toContain(`\r\n\r\n${content}\r\n--`)
      expect(request.headers["content-length"]).toBe(String(request.body.length))
    }).pipe(Effect.scoped, Effect.provide(served()), Effect.provide(NodeFileSystem.layer))
  )

  it.effect("reads a file in pieces that stay as they are while it reads on", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const bytes = new Uint8Array(300_001).map((_, index) => (index * 31) % 251)
      writeFileSync(`${folder}/a.txt`, bytes)
      const { content } = yield* DocumentSource.fromPath(`${folder}/a.txt`)
      const pieces = yield* Stream.runCollect(content as Stream.Stream<Uint8Array, PlatformError>)
      expect(pieces.length).toBeGreaterThan(2)
      expect(Buffer.concat(Chunk.toReadonlyArray(pieces)).equals(bytes)).toBe(true)
    }).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer))
  )

  it.effect("decodes the handle, with all that is needed later", () =>
    Effect.gen(function* () {
      const { handle } = yield* valid("Contract.DOC", { targetLang: "EN-gb" })
      expect(handle).toEqual({
        documentId,
        documentKey: Redacted.make(documentKey),
        name: "Contract.DOC",
        translatedName: "Contract.docx",
        targetLang: "en-GB"
      })
    })
  )

  it.effect("an answer without a key is undecodable, and may have been billed", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: { document_id: documentId } })
      const error = yield* Effect.flip(upload(hello, de))
      expect([error._tag, error.delivery]).toEqual(["UndecodableResponse", "ambiguous"])
    }).pipe(Effect.provide(served()))
  )
})

/** The address of a server that accepts connections and reads nothing. */
const unread = Effect.acquireRelease(
  Effect.async<Net.Server>((resume) => {
    const server = Net.createServer({ pauseOnConnect: true })
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) => Effect.sync(() => server.close())
).pipe(Effect.map((server) => `http://127.0.0.1:${(server.address() as Net.AddressInfo).port}`))

const piece = new Uint8Array(65_536)

/** An endless upload to it, once no more is pulled, or far too much. */
const stalled = (transport: Layer.Layer<HttpClient.HttpClient>) =>
  Effect.gen(function* () {
    const url = yield* unread
    let pulled = 0
    const endless = Stream.repeatEffect(
      Effect.sync(() => {
        pulled += piece.length
        return piece
      })
    )
    const fiber = yield* upload(DocumentSource.fromStream("a.txt", 1e12, endless), de).pipe(
      Effect.provide(Layer.provide(layerOver({ url }), transport)),
      Effect.forkScoped
    )
    let before = -1
    while (pulled !== before && pulled < 100e6) {
      before = pulled
      yield* Effect.sleep("300 millis")
    }
    return { fiber, pulled: () => pulled }
  })

describe.concurrent("an upload's source", () => {
  it.effect.each(transports)("its error is the upload's: %s", ([, transport]) =>
    Effect.gen(function* () {
      const source = DocumentSource.fromStream(
        "a.txt",
        100_000,
        Stream.concat(pieces("a".repeat(70_000)), Stream.fail({ _tag: "DiskOnFire" } as const))
      )
      const error = yield* Effect.flip(upload(source, de))
      expect(error).toEqual({ _tag: "DiskOnFire" })
      // Nothing whole came, and nothing was sent again.
      expect(yield* recording.requests).toEqual([])
    }).pipe(Effect.provide(servedOver(transport)))
  )

  it.effect.each(
    transports.flatMap(([name, transport]) => [
      [
        name,
        "fewer",
        pieces("12", "345"),
        "file.size is 10, but the file holds only 5 bytes",
        transport
      ] as const,
      [
        name,
        "more",
        pieces("12345678", "9ab"),
        "file.size is 10, but the file holds more bytes",
        transport
      ] as const
    ])
  )("%s: %s bytes than its size are refused, and never come whole", ([, , stream, message, transport]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(upload(DocumentSource.fromStream("a.txt", 10, stream), de))
      expect(error._tag).toBe("InvalidRequest")
      expect(error.message).toContain(message)
      expect(yield* recording.requests).toEqual([])
    }).pipe(Effect.provide(servedOver(transport)))
  )

  it.effect("a file that is not there fails before anything is sent", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(DocumentSource.fromPath("/nowhere/a.txt"))
      expect(error._tag).toBe("SystemError")
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.live.each(transports)(
    "is not pulled faster than the connection takes it, and not once its upload is interrupted: %s",
    ([, transport]) =>
      Effect.gen(function* () {
        const { fiber, pulled } = yield* stalled(transport)
        expect(pulled()).toBeLessThan(50e6)
        yield* Fiber.interrupt(fiber)
        const before = pulled()
        yield* Effect.sleep("100 millis")
        expect(pulled() - before).toBeLessThanOrEqual(2 * piece.length)
      }).pipe(Effect.scoped)
  )

  it.scopedLive("an upload that is interrupted closes the connection and the stream", () =>
    Effect.gen(function* () {
      const [isReceived, isCut, isClosed] = yield* Effect.all([
        Deferred.make<void>(),
        Deferred.make<void>(),
        Deferred.make<void>()
      ])
      const url = yield* listening((socket) => {
        let received = 0
        socket.on("data", ({ length }) => {
          received += length
          if (received > 10_000) Deferred.unsafeDone(isReceived, Effect.void)
        })
        socket.on("close", () => Deferred.unsafeDone(isCut, Effect.void))
      })
      const endless = Stream.repeatEffect(Effect.sync(() => bytes("x".repeat(1000)))).pipe(
        Stream.ensuring(Deferred.succeed(isClosed, undefined))
      )
      const fiber = yield* upload(DocumentSource.fromStream("a.txt", 1e12, endless), de).pipe(
        Effect.provide(Layer.provide(layerOver({ url }), NodeHttpClient.layerUndici)),
        Effect.fork
      )
      yield* Deferred.await(isReceived)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(isCut)
      yield* Deferred.await(isClosed)
    })
  )
})

/** The address of a server that does nothing but what is done to its sockets. */
const listening = (use: (socket: Net.Socket) => void) =>
  Effect.acquireRelease(
    Effect.async<Net.Server>((resume) => {
      const server = Net.createServer((socket) => use(socket.on("error", () => {})))
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => server.close())
  ).pipe(Effect.map((server) => `http://127.0.0.1:${(server.address() as Net.AddressInfo).port}`))

/** The address of a server that refuses a request before it has come, and closes once it has read what came. */
const impatient = Effect.acquireRelease(
  Effect.async<Http.Server>((resume) => {
    const server = Http.createServer((request, response) => {
      response.writeHead(403, { "content-type": "application/json", connection: "close" })
      response.end('{"message":"no"}')
      request.resume()
    })
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) => Effect.sync(() => server.close())
).pipe(Effect.map((server) => `http://127.0.0.1:${(server.address() as Net.AddressInfo).port}`))

describe("an upload that is refused before it has arrived", () => {
  it.scopedLive.each(transports)("ends, at the latest with its time-out: %s", ([, transport]) =>
    Effect.gen(function* () {
      const url = yield* impatient
      const tags = yield* Effect.forEach([1, 2, 3, 4, 40], (pieces) =>
        Effect.gen(function* () {
          const fs = yield* FileSystem.FileSystem
          const path = `${yield* fs.makeTempDirectoryScoped()}/a.txt`
          writeFileSync(path, Buffer.alloc(pieces * 70_000, "x"))
          const source = yield* DocumentSource.fromPath(path)
          const { _tag } = yield* Effect.flip(upload(source, de))
          return _tag
        }).pipe(Effect.provide(Layer.provide(layerOver({ url }), transport)))
      )
      for (const tag of tags) expect(["Unauthorized", "TransportError", "TimedOut"]).toContain(tag)
    }).pipe(
      Effect.provideService(
        RetryPolicy.RetryPolicy,
        RetryPolicy.make({ schedule: retries(0), timeout: "300 millis", timeoutPerThousandCharacters: 0 })
      ),
      Effect.provide(NodeFileSystem.layer)
    )
  )
})

describe("the rules of an upload, before anything is sent", () => {
  it.effect('glossary_id: "source_lang: required when glossary_id is used"', () =>
    Effect.gen(function* () {
      expect(yield* invalid("a.txt", { ...de, glossaryId: "g" })).toEqual([
        { field: "glossaryId", rule: expect.stringContaining("needs `sourceLang`") }
      ])
      expect(yield* invalid("a.txt", { ...de, glossaryIds: ["g"] })).toHaveLength(1)
      yield* valid("a.txt", { ...de, glossaryId: "g", sourceLang: "en" })
    })
  )

  it.effect('glossary_ids: "array of at most 5, instead of glossary_id"', () =>
    Effect.gen(function* () {
      const sourceLang = "en"
      expect(
        yield* invalid("a.txt", { ...de, sourceLang, glossaryIds: ["1", "2", "3", "4", "5", "6"] })
      ).toEqual([{ field: "glossaryIds", rule: expect.stringContaining("the limit is 5") }])
      expect(
        yield* invalid("a.txt", { ...de, sourceLang, glossaryIds: ["1"], glossaryId: "2" })
      ).toHaveLength(1)
    })
  )

  const formal = ["DE", "FR", "IT", "ES", "NL", "PL", "PT-BR", "PT-PT", "JA", "RU"]

  it.effect.each(formal)(
    'formality: "targets: DE, FR, IT, ES, NL, PL, PT-BR, PT-PT, JA, RU": %s',
    (targetLang) => valid("a.txt", { targetLang, formality: "less" })
  )

  it.effect.each(["ES-419", "EN-GB", "KO", "PT", "ZH-HANS"])(
    "formality: %s is no target of documents with formality",
    (targetLang) =>
      Effect.gen(function* () {
        expect(yield* invalid("a.txt", { targetLang, formality: "more" })).toEqual([
          { field: "formality", rule: expect.stringContaining('take "prefer_more"') }
        ])
        yield* valid("a.txt", { targetLang, formality: "prefer_more" })
        yield* valid("a.txt", { targetLang, formality: "default" })
      })
  )

  const types = "docx, doc, pptx, xlsx, pdf, htm, html, txt, xlf, xliff, srt, jpeg, jpg, png".split(", ")

  it.effect.each(types)("Supported input types: %s, in any casing", (type) =>
    Effect.gen(function* () {
      yield* valid(`a.${type}`, de)
      yield* valid(`a.b.${type.toUpperCase()}`, de)
    })
  )

  it.effect.each([
    "a.odt",
    "a.docx.zip",
    "docx",
    "a.",
    ".txt",
    "",
    "a.txt/",
    "x/a.txt",
    "x\\a.txt",
    "a\n.txt",
    "a.tx\u{212A}"
  ])("Supported input types: not %j", (name) =>
    Effect.gen(function* () {
      expect(yield* invalid(name, de)).toEqual([{ field: "file.name", rule: expect.any(String) }])
    })
  )

  it.effect(
    '"file name in the part\'s content disposition, or via filename": the latter decides the type',
    () =>
      Effect.gen(function* () {
        expect(yield* invalid("a.txt", { ...de, filename: "a.exe" })).toEqual([
          { field: "filename", rule: expect.stringContaining("the types are docx, doc") }
        ])
        const { handle } = yield* valid("a.pdf", { ...de, filename: "b.doc" })
        expect([handle.name, handle.translatedName]).toEqual(["b.doc", "b.docx"])
      })
  )

  it.effect.each([
    ["a.pdf", "docx", "a.docx"],
    ["a.doc", "docx", "a.docx"],
    ["a.PDF", "pdf", "a.PDF"],
    ["a.docx", "DOCX", "a.docx"]
  ] as const)(
    'output_format: "only permitted conversions are accepted": %s to %s',
    ([name, outputFormat, translated]) =>
      Effect.gen(function* () {
        const { handle } = yield* valid(name, { ...de, outputFormat })
        expect(handle.translatedName).toBe(translated)
      })
  )

  it.effect.each([
    ["a.docx", "pdf"],
    ["a.pdf", "pptx"],
    ["a.txt", "docx"],
    ["a.doc", "pdf"],
    ["a.htm", "html"]
  ] as const)("output_format: %s to %s is refused, unless the caller insists", ([name, outputFormat]) =>
    Effect.gen(function* () {
      expect(yield* invalid(name, { ...de, outputFormat })).toEqual([
        {
          field: "outputFormat",
          rule: expect.stringContaining("the conversions are doc to docx, pdf to docx")
        }
      ])
      const { handle, text } = yield* valid(name, { ...de, outputFormat, isAnyFormatAllowed: true })
      expect(text).toContain(`name="output_format"\r\n\r\n${outputFormat}\r\n`)
      expect(handle.translatedName).toBe(`a.${outputFormat}`)
    })
  )

  it.effect("output_format: a string that is no file extension is refused, even if the caller insists", () =>
    Effect.gen(function* () {
      expect(
        yield* invalid("a.pdf", { ...de, outputFormat: ".docx", isAnyFormatAllowed: true })
      ).toHaveLength(1)
    })
  )

  it.effect("an empty file is refused: there is nothing to translate", () =>
    Effect.gen(function* () {
      expect(yield* invalid("a.txt", de, "")).toEqual([
        { field: "file.size", rule: expect.stringContaining("the file is empty") }
      ])
    })
  )

  it.effect("translation_memory_threshold: 0 to 100; translation_memory_id: a UUID", () =>
    Effect.gen(function* () {
      expect(yield* invalid("a.txt", { ...de, translationMemoryThreshold: 101 })).toHaveLength(1)
      expect(yield* invalid("a.txt", { ...de, translationMemoryThreshold: 7.5 })).toHaveLength(1)
      expect(yield* invalid("a.txt", { ...de, translationMemoryId: "tm" })).toHaveLength(1)
      yield* valid("a.txt", { ...de, translationMemoryThreshold: 0 })
    })
  )

  it.effect('style_id: "Available only to paid-tier subscribers"', () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        upload(hello, { ...de, styleId: "s" }).pipe(Effect.provide(served({ tier: "free" })))
      )
      expect(error.message).toContain("styleId is for the paid tier only")
    })
  )

  it.effect("filename: it stands for the file's name, which may then be any", () =>
    Effect.gen(function* () {
      const { handle, text } = yield* valid("page.dat", { targetLang: "de", filename: "page.html" })
      expect(text).toContain('name="filename"\r\n\r\npage.html\r\n')
      expect(handle.translatedName).toBe("page.html")
      expect((yield* invalid("page.html", { targetLang: "de", filename: "page.dat" }))[0]?.field).toBe(
        "filename"
      )
    })
  )

  it.effect("a misspelt field, and all that is wrong at once", () =>
    Effect.gen(function* () {
      expect((yield* invalid("a.odt", { targetLang: "de" })).map(({ field }) => field)).toEqual(["file.name"])
      const violations = yield* invalid("a.txt", {
        targetLang: "de!",
        targetLanguage: "de"
      } as Documents.UploadOptions)
      expect(violations.map(({ field }) => field).sort()).toEqual(["targetLang", "targetLanguage"])
    })
  )
})

describe("Documents.translatedName", () => {
  it.each([
    ["a.doc", undefined, "a.docx"],
    ["A.DOC", undefined, "A.docx"],
    ["a.doc", "doc", "a.docx"],
    ["a.docx", undefined, "a.docx"],
    ["a.b.pdf", undefined, "a.b.pdf"],
    ["a.b.pdf", "docx", "a.b.docx"],
    ["a.PDF", "PDF", "a.PDF"],
    ["Ünïcode.Xliff", undefined, "Ünïcode.Xliff"]
  ])("%s as %s is %s", (name, format, expected) => {
    expect(Documents.translatedName(name, format)).toBe(expected)
  })
})

describe("an upload that fails", () => {
  it.live("is sent again after 425, with which a proxy answers requests that it does not pass on", () =>
    Effect.gen(function* () {
      yield* recording.answer({ status: 425 }, uploaded)
      expect((yield* quickly(upload(hello, de))).documentId).toBe(documentId)
    }).pipe(Effect.provide(served()))
  )

  it.effect("is not sent again after 408: it may have arrived", () =>
    Effect.gen(function* () {
      yield* recording.answer({ status: 408 })
      const error = yield* Effect.flip(upload(hello, de))
      expect(error).toMatchObject({ status: 408, delivery: "ambiguous", attempts: 1 })
    }).pipe(Effect.provide(served()))
  )

  it.effect("may have arrived: it is not sent again by itself", () =>
    Effect.gen(function* () {
      yield* recording.answer({ cut: "before" }, uploaded)
      const error = yield* Effect.flip(upload(hello, de))
      expect([error._tag, error.delivery, error.attempts]).toEqual(["TransportError", "ambiguous", 1])
      expect(yield* recording.requests).toHaveLength(1)
    }).pipe(Effect.provide(served()))
  )

  it.effect.each([500, 502, 504, 429, 456, 413])("%i is not sent again", (status) =>
    Effect.gen(function* () {
      yield* recording.answer({ status }, uploaded)
      yield* Effect.flip(upload(hello, de))
      expect(yield* recording.requests).toHaveLength(1)
    }).pipe(Effect.provide(served()))
  )

  it.live.each([503, 529])("%i was certainly not taken: the same bytes are sent again", (status) =>
    Effect.gen(function* () {
      yield* recording.answer({ status }, uploaded)
      yield* quickly(upload(hello, de))
      const [first, second] = yield* recording.requests
      expect(partsOf(second!)).toBe(partsOf(first!))
    }).pipe(Effect.provide(served()))
  )

  it.effect("a stream is never sent twice", () =>
    Effect.gen(function* () {
      yield* recording.answer({ status: 503 }, uploaded)
      const error = yield* Effect.flip(upload(DocumentSource.fromStream("a.txt", 1, pieces("a")), de))
      expect([error._tag, error.attempts]).toEqual(["ServerError", 1])
    }).pipe(Effect.provide(served()))
  )

  it.effect(
    '"Too many documents waiting for download also gives 429": the concurrency limit is not told',
    () =>
      Effect.gen(function* () {
        const concurrencyLimit = yield* ConcurrencyLimit.makeFixed(1)
        yield* Effect.gen(function* () {
          yield* recording.answer({ status: 429, headers: { "retry-after": "60" } })
          const error = yield* Effect.flip(upload(hello, de))
          expect(error._tag).toBe("RateLimited")
        }).pipe(Effect.provide(served({ limit: Effect.succeed(concurrencyLimit) })))
        expect((yield* concurrencyLimit.state).paused).toBe(false)
      }).pipe(Effect.scoped)
  )
})

describe("POST /v2/document/{document_id} on the wire", () => {
  const status = Effect.flatMap(documents, (documents) => documents.status(access))

  it.effect("sends the key in the body", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: { document_id: documentId, status: "queued" } })
      yield* status
      const request = yield* recording.onlyRequest
      expect([request.method, request.path]).toEqual(["POST", `/v2/document/${documentId}`])
      expect(request.headers["content-type"]).toBe("application/json")
      expect(JSON.parse(request.text)).toEqual({ document_key: documentKey })
    }).pipe(Effect.provide(served()))
  )

  it.effect.each([
    [{ status: "queued" }, { status: "queued" }],
    [
      { document_id: "1", status: "translating", seconds_remaining: 2147483647, new_field: 1 },
      { documentId: "1", status: "translating", secondsRemaining: 2147483647, extra: { new_field: 1 } }
    ],
    [
      { document_id: "1", status: "done", billed_characters: 1337, seconds_remaining: 0 },
      { documentId: "1", status: "done", billedCharacters: 1337, secondsRemaining: 0 }
    ],
    [
      { document_id: "1", status: "error", error_message: "Source and target language are equal." },
      { documentId: "1", status: "error", errorMessage: "Source and target language are equal." }
    ],
    [{ status: "archived" }, { status: "archived" }],
    [
      { status: "done", seconds_remaining: null, billed_characters: "12", error_message: 0 },
      { status: "done" }
    ]
  ])("decodes %j", ([body, expected]) =>
    Effect.gen(function* () {
      yield* recording.answer({ body })
      expect(yield* status).toEqual(expected)
    }).pipe(Effect.provide(served()))
  )

  it.live("is asked again after a cut connection", () =>
    Effect.gen(function* () {
      yield* recording.answer({ cut: "before" }, { body: { status: "done" } })
      expect(yield* quickly(status)).toEqual({ status: "done" })
    }).pipe(Effect.provide(served()))
  )

  it.effect("an id goes into the path escaped, and is refused if it is no segment", () =>
    Effect.gen(function* () {
      const { status } = yield* documents
      yield* recording.answer({ body: { status: "done" } })
      yield* status({ ...access, documentId: "a/b?c" })
      expect((yield* recording.onlyRequest).path).toBe("/v2/document/a%2Fb%3Fc")
      expect((yield* Effect.flip(status({ ...access, documentId: ".." })))._tag).toBe("InvalidRequest")
      expect((yield* Effect.flip(status({ ...access, documentKey: Redacted.make("") })))._tag).toBe(
        "InvalidRequest"
      )
    }).pipe(Effect.provide(served()))
  )
})

describe("POST /v2/document/{document_id}/result on the wire", () => {
  const content = "0123456789".repeat(50_000)

  it.effect.each(transports)("sends the key in the body, and streams the bytes: %s", ([, transport]) =>
    Effect.gen(function* () {
      yield* recording.answer({
        body: Buffer.from(content),
        headers: { "content-type": "application/octet-stream" }
      })
      expect(yield* download()).toBe(content)
      const request = yield* recording.onlyRequest
      expect([request.method, request.path]).toEqual(["POST", `/v2/document/${documentId}/result`])
      expect(request.headers["accept-encoding"]).toBe("identity")
      expect(JSON.parse(request.text)).toEqual({ document_key: documentKey })
    }).pipe(Effect.provide(servedOver(transport)))
  )

  it.effect("an empty answer is no translation", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: "" })
      expect(yield* Effect.flip(download())).toMatchObject({ _tag: "UndecodableResponse" })
    }).pipe(Effect.provide(served()))
  )

  it.effect.each(transports)(
    "a connection that is cut midway is ambiguous, after the bytes that came: %s",
    ([, transport]) =>
      Effect.gen(function* () {
        yield* recording.answer({ body: content, cut: "mid-body" })
        let came = 0
        const error = yield* Effect.flatMap(documents, ({ download }) =>
          Stream.runForEach(download(access), ({ length }) => Effect.sync(() => (came += length)))
        ).pipe(Effect.flip)
        expect([error._tag, error.delivery, error.attempts]).toEqual(["TransportError", "ambiguous", 1])
        expect(came).toBeLessThan(content.length)
        expect(yield* recording.requests).toHaveLength(1)
      }).pipe(Effect.provide(servedOver(transport)))
  )

  it.live.each(transports)("nothing hangs: the idle time-out is settable: %s", ([, transport]) =>
    Effect.gen(function* () {
      yield* recording.answer({ body: content, cut: "hang-body" })
      const error = yield* Effect.flip(download({ idleTimeout: "200 millis" }))
      expect([error._tag, error.delivery]).toEqual(["TimedOut", "ambiguous"])
      expect(error._tag === "TimedOut" && error.after).toEqual(Duration.millis(200))
      expect(error.message).toMatch(/Nothing more of the answer in 200ms.*idleTimeout/)
      // The connection is gone too.
      yield* (yield* recording.onlyRequest).closed
    }).pipe(Effect.provide(servedOver(transport)))
  )

  it.live("the headers are waited for as long as more bytes are, whatever the policy says of answers", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: Buffer.from("Hallo"), delay: 200 }, { cut: "hang" })
      const { download } = yield* documents
      yield* Stream.runDrain(download(access, { idleTimeout: "5 seconds" }))
      const error = yield* Effect.flip(Stream.runDrain(download(access, { idleTimeout: "300 millis" })))
      yield* Effect.flatMap(recording.RecordingServer, (server) => server.request(1))
      expect(yield* recording.requests).toHaveLength(2)
      expect(error).toMatchObject({ _tag: "TimedOut", delivery: "ambiguous" })
      expect(error.message).toMatch(/No answer in 300ms. Raise the idleTimeout/)
    }).pipe(
      Effect.provideService(
        RetryPolicy.RetryPolicy,
        RetryPolicy.make({ timeout: "20 millis", schedule: Schedule.stop })
      ),
      Effect.provide(served())
    )
  )

  it.live("the idle time-out does not follow a clock that is set back", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: "Hallo Welt", cut: "hang-body" })
      const live = Clock.make()
      let reads = 0
      const back = () => Date.now() - 3_600_000 * reads++
      const clock: Clock.Clock = {
        [Clock.ClockTypeId]: Clock.ClockTypeId,
        sleep: (duration) => live.sleep(duration),
        unsafeCurrentTimeMillis: back,
        currentTimeMillis: Effect.sync(back),
        unsafeCurrentTimeNanos: () => live.unsafeCurrentTimeNanos(),
        currentTimeNanos: live.currentTimeNanos
      }
      const error = yield* Effect.flip(download({ idleTimeout: "400 millis" })).pipe(
        Effect.withClock(clock),
        Effect.timeout("20 seconds")
      )
      expect(error).toMatchObject({ _tag: "TimedOut", begun: true })
    }).pipe(Effect.provide(served()))
  )

  it.scopedLive("bytes that came while the process was frozen are read, not timed out", () =>
    Effect.gen(function* () {
      const url = yield* listening((socket) =>
        socket.once("data", () => {
          socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nHallo")
          const freeze = () => {
            socket.write(" Welt")
            Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
          }
          // After this the event loop looks at timers before it reads.
          setTimeout(() => setImmediate(freeze), 50)
        })
      )
      const client = Layer.provide(layerOver({ url }), NodeHttpClient.layerUndici)
      expect(yield* Effect.provide(download({ idleTimeout: "200 millis" }), client)).toBe("Hallo Welt")
    })
  )

  it.live("the idle time-out does not run while the consumer is at work", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: content })
      const { download } = yield* documents
      const bytes = yield* Stream.runFoldEffect(
        download(access, { idleTimeout: "500 millis" }),
        0,
        (sum, { length }) =>
          sum === 0 ? Effect.delay(Effect.succeed(length), "700 millis") : Effect.succeed(sum + length)
      )
      expect(bytes).toBe(content.length)
    }).pipe(Effect.provide(served()))
  )

  it.effect.each(transports)("a stream that is left early gives the connection back: %s", ([, transport]) =>
    Effect.gen(function* () {
      yield* recording.answer({ body: content, cut: "hang-body" })
      const { download } = yield* documents
      yield* Stream.runDrain(Stream.take(download(access), 1))
      yield* (yield* recording.onlyRequest).closed
    }).pipe(Effect.provide(servedOver(transport)))
  )

  it.effect.each([
    [503, "ServerError"],
    [404, "NotFound"]
  ] as const)(
    '%i ("503 while not ready, and afterwards") fails at once, and the concurrency limit is not told',
    ([status, tag]) =>
      Effect.gen(function* () {
        const concurrencyLimit = yield* ConcurrencyLimit.makeFixed(1)
        const error = yield* Effect.gen(function* () {
          yield* recording.answer({
            status,
            headers: { "retry-after": "60" },
            body: { message: "Document already downloaded" }
          })
          const error = yield* Effect.flip(download())
          expect(yield* recording.requests).toHaveLength(1)
          return error
        }).pipe(Effect.provide(served({ limit: Effect.succeed(concurrencyLimit) })))
        expect(error).toMatchObject({ _tag: tag, status, serviceMessage: "Document already downloaded" })
        expect(yield* concurrencyLimit.state).toMatchObject({ paused: false, inUse: 0 })
      }).pipe(Effect.scoped)
  )

  it.live.each([429, 529])("%i is waited for", (status) =>
    Effect.gen(function* () {
      yield* recording.answer({ status }, { body: "x" })
      expect(yield* quickly(download())).toBe("x")
    }).pipe(Effect.provide(served()))
  )

  it.live.each(transports)(
    "is asked for again, as nothing of it is billed, until the headers are there: %s",
    ([, transport]) =>
      Effect.gen(function* () {
        yield* recording.answer({ cut: "before" }, { status: 500 }, { status: 502 }, { body: "x" })
        expect(yield* quickly(download())).toBe("x")
        expect(yield* recording.requests).toHaveLength(4)
      }).pipe(Effect.provide(servedOver(transport)))
  )

  it.effect("of a silent service is given up after six times the idle time-out, and the pauses between", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(Effect.flip(download()))
      yield* TestClock.adjust("6 minutes")
      yield* TestClock.adjust("16 seconds")
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "TimedOut", after: Duration.minutes(1) })
      expect(yield* count).toBe(6)
    }).pipe(Effect.provide(scripted(Array.from({ length: 9 }, () => "hang" as const))))
  )

  it.effect("the permit is back once the headers are there", () =>
    Effect.gen(function* () {
      const concurrencyLimit = yield* ConcurrencyLimit.makeFixed(1)
      yield* Effect.gen(function* () {
        yield* recording.answer({ body: content })
        const { download } = yield* documents
        const inUse = yield* Stream.runFoldEffect(download(access), 0, (most) =>
          Effect.map(concurrencyLimit.state, ({ inUse }) => Math.max(most, inUse))
        )
        expect(inUse).toBe(0)
      }).pipe(Effect.provide(served({ limit: Effect.succeed(concurrencyLimit) })))
    }).pipe(Effect.scoped)
  )
})

describe("document keys", () => {
  const handle: Documents.DocumentHandle = {
    ...access,
    name: "a.doc",
    translatedName: "a.docx",
    targetLang: "de"
  }

  it("a handle is stored and loaded on purpose only", () => {
    expect(JSON.stringify(handle)).not.toContain(documentKey)
    expect(Inspectable.format(handle)).not.toContain(documentKey)
    expect(JSON.stringify(Schema.encodeSync(Documents.DocumentHandle)(handle))).not.toContain(documentKey)
    const stored = JSON.stringify(Schema.encodeSync(Documents.StoredDocumentHandle)(handle))
    expect(JSON.parse(stored)).toEqual({ ...handle, documentKey })
    expect(Schema.decodeUnknownSync(Documents.StoredDocumentHandle)(JSON.parse(stored))).toEqual(handle)
  })

  it.effect("are in no error, even if the service repeats them, and in no span", () =>
    Effect.gen(function* () {
      const tracing = recordingTracer()
      yield* recording.answer(
        { status: 404, body: { message: `No document of key ${documentKey}` } },
        { status: 404, body: { message: `No document of key ${documentKey.toLowerCase()}` } },
        { cut: "before" },
        { body: { status: "error", error_message: `No quota of ${key} for ${documentKey}` } }
      )
      const { download, status } = yield* documents
      const errors = yield* Effect.all([
        Effect.flip(status(access)),
        Effect.flip(Stream.runDrain(download(access))),
        Effect.flip(Stream.runDrain(download(access)))
      ]).pipe(Effect.withTracer(tracing.tracer))
      const told = [
        ...errors.flatMap((error) => [error.message, Inspectable.format(error), JSON.stringify(error)]),
        ...tracing.told.map(([key, value]) => `${key}=${String(value)}`)
      ]
        .join("\n")
        .toLowerCase()
      expect(told).toContain("withheld")
      expect((yield* status(access)).errorMessage).toContain("withheld")
      expect(tracing.told.length).toBeGreaterThan(0)
      expect(told).not.toContain(documentKey.toLowerCase())
    }).pipe(once, Effect.provide(served()))
  )
})
