/** Answers that no well-meaning server gives: without bound, without end, encoded, malformed. Each over every transport. */
import type * as Net from "node:net"
import * as Zlib from "node:zlib"
import * as HttpClient from "@effect/platform/HttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { TranslateClient, TranslateError, TranslateStream } from "effect-translate"
import { DocumentSource } from "effect-translate/documents"
import { hallo, hello, layerOver, once } from "../support/client.js"
import * as raw from "../support/rawServer.js"

type Client = TranslateClient.Service

/** Calls a server that answers each request so. */
const against = <A, E>(
  transport: Layer.Layer<HttpClient.HttpClient>,
  respond: (socket: Net.Socket, request: number) => void,
  use: (client: Client, server: raw.RawServer) => Effect.Effect<A, E>
) =>
  Effect.flatMap(raw.make(respond), (server) =>
    Effect.flatMap(TranslateClient.TranslateClient, (client) => use(client, server)).pipe(
      Effect.provide(layerOver({ url: server.url })),
      Effect.provide(transport)
    )
  ).pipe(Effect.scoped)

/** The error of a call that is sent once. */
const failure = <A>(call: Effect.Effect<A, TranslateError.TranslateError>) => Effect.flip(once(call))

/** Writes, and goes on in a packet of its own. */
const writeThen = (socket: Net.Socket, head: string, next: () => void) =>
  socket.write(head, () => setImmediate(next))

const upload = ({ documents }: Client) =>
  documents.upload(DocumentSource.fromBytes("a.txt", new TextEncoder().encode("Hello")), { targetLang: "de" })

const calls: ReadonlyArray<
  readonly [string, (client: Client) => Effect.Effect<unknown, TranslateError.TranslateError>]
> = [
  ["a translation", (client) => client.translateText(hello)],
  ["an improvement", (client) => client.write.rephrase({ text: ["Hello"] })],
  ["an upload", upload],
  ["a status", ({ documents }) => documents.status({ documentId: "a", documentKey: Redacted.make("b") })],
  ["a read", (client) => client.usage]
]

const MiB = 1024 * 1024

/** In milliseconds: far from the 30 seconds after which an attempt is given up. */
const soon = 10_000

const body = JSON.stringify(hallo.body)

const de = { translations: [{ text: "Hallo", detectedSourceLanguage: "en" }] }

for (const [name, transport] of raw.transports) {
  describe(`over ${name}`, () => {
    for (const [what, call] of calls) {
      it.live(`an endless answer to ${what} is cut, and typed`, () =>
        against(
          transport,
          (socket) => raw.endless(socket, 200),
          (client, server) =>
            Effect.gen(function* () {
              const error = yield* failure(call(client))
              expect(error).toMatchObject({ _tag: "UndecodableResponse", status: 200, delivery: "ambiguous" })
              expect(error).toHaveProperty("limit")
              // What sockets and transports hold comes on top.
              expect(server.written()).toBeLessThan(16 * MiB)
              expect(error.message).toMatch(/holds more than \d+ bytes/)
              expect(error.isRetryable).toBe(false)
            })
        )
      )
    }

    it.live("an answer that announces 600 MB is cut all the same", () =>
      against(
        transport,
        (socket) => {
          socket.write(raw.head(200, { "content-length": 600_000_000 }))
          const pour = () => {
            while (!socket.destroyed && socket.write("x".repeat(65536)));
            socket.once("drain", pour)
          }
          pour()
        },
        (client, server) =>
          Effect.gen(function* () {
            expect(yield* failure(client.translateText(hello))).toMatchObject({ _tag: "UndecodableResponse" })
            expect(server.written()).toBeLessThan(8 * MiB)
          })
      )
    )

    it.live("an answer may hold more bytes the more its request does", () => {
      const text = "ä".repeat(200_000)
      return against(
        transport,
        (socket) => raw.answer(socket, JSON.stringify({ translations: [{ text }] })),
        (client) =>
          Effect.gen(function* () {
            const long = { text: ["a".repeat(20_000)], targetLang: "de" }
            expect((yield* client.translateText(long)).translations[0].text).toBe(text)
            expect(yield* failure(client.translateText(hello))).toMatchObject({ limit: 256 * 1024 + 32 * 37 })
          })
      )
    })

    for (const [status, tag] of [
      [401, "Unauthorized"],
      [456, "QuotaExceeded"],
      [500, "ServerError"]
    ] as const) {
      it.live(`a ${status} with an endless body is ${tag}`, () =>
        against(
          transport,
          (socket) => raw.endless(socket, status),
          (client, server) =>
            Effect.gen(function* () {
              expect(yield* failure(client.translateText(hello))).toMatchObject({ _tag: tag, status })
              expect(server.written()).toBeLessThan(8 * MiB)
            })
        )
      )
    }

    for (const [what, respond] of Object.entries<(socket: Net.Socket) => unknown>({
      "a broken chunk in the same packet as the head": (socket) =>
        socket.write(`${raw.head(200, { "transfer-encoding": "chunked" })}ZZZ\r\nabc`),
      "a broken chunk after a good one": (socket) => {
        writeThen(socket, `${raw.head(200, { "transfer-encoding": "chunked" })}5\r\n{"tra\r\n`, () =>
          socket.write("ZZZ\r\nabc")
        )
      },
      "a reset amid the body": (socket) => {
        writeThen(socket, `${raw.head(200, { "transfer-encoding": "chunked" })}5\r\n{"tra\r\n`, () =>
          socket.resetAndDestroy()
        )
      },
      "a reset amid the body of an error": (socket) => {
        writeThen(socket, `${raw.head(500, { "content-length": 9 })}{`, () => socket.resetAndDestroy())
      },
      "headers of 200 kB": (socket) => socket.write(raw.head(200, { x: "y".repeat(200_000) })),
      "what is no HTTP": (socket) => socket.write("hello\r\n\r\n"),
      "an upgrade": (socket) => socket.write(raw.head(101, { upgrade: "x", connection: "upgrade" })),
      "two answers to one request": (socket) => {
        socket.write(`${raw.head(200, { "content-length": 2 })}{}`)
        socket.write(`${raw.head(200, { "content-length": 2 })}{}`)
      }
    })) {
      it.live(`${what} is a typed error, and nothing escapes`, () =>
        Effect.gen(function* () {
          // Vitest fails a run in which an exception is not caught.
          const errors = yield* against(transport, respond, (client) =>
            // Whatever escapes comes once the sockets are read again, which the second call waits for.
            Effect.all([failure(client.translateText(hello)), failure(client.translateText(hello))])
          )
          for (const error of errors) expect(TranslateError.isTranslateError(error)).toBe(true)
        })
      )
    }

    it.live(
      "an unasked 100 Continue is read, or ends a stream without one request more than was in flight",
      () =>
        Effect.gen(function* () {
          const server = yield* raw.make((socket) => {
            socket.write("HTTP/1.1 100 Continue\r\n\r\n")
            raw.answer(socket, body)
          })
          const result = yield* Stream.range(1, 20).pipe(
            Stream.map(String),
            TranslateStream.translate({ targetLang: "de", maxTexts: 1, concurrency: 1 }),
            Stream.runDrain,
            Effect.either,
            Effect.provide(layerOver({ url: server.url })),
            Effect.provide(transport)
          )
          if (name === "node") expect(result._tag).toBe("Right")
          else {
            expect(result).toMatchObject({
              left: { _tag: "TransportError", reason: "100 Continue", attempts: 1, delivery: "ambiguous" }
            })
            expect(server.requests()).toBe(1)
          }
        }).pipe(Effect.scoped)
    )

    it.live("a call that is interrupted amid the body lets nothing escape", () =>
      Effect.gen(function* () {
        const hasHead = yield* Deferred.make<void>()
        const telling = Layer.effect(
          HttpClient.HttpClient,
          Effect.map(
            HttpClient.HttpClient,
            HttpClient.tap(() => Deferred.succeed(hasHead, undefined))
          )
        ).pipe(Layer.provide(transport))
        yield* against(
          telling,
          (socket) => socket.write(`${raw.head(200, { "content-length": 100 })}{`),
          (client, server) =>
            Effect.gen(function* () {
              const call = yield* Effect.fork(client.translateText(hello))
              yield* Deferred.await(hasHead)
              yield* Fiber.interrupt(call)
              while (server.open() > 0) yield* Effect.sleep("5 millis")
            })
        )
      })
    )

    for (const [encoding, encode] of Object.entries<(body: string) => Buffer>({
      gzip: (body) => Zlib.gzipSync(body),
      "x-gzip": (body) => Zlib.gzipSync(body),
      deflate: (body) => Zlib.deflateSync(body),
      br: (body) => Zlib.brotliCompressSync(body),
      "GZIP, br": (body) => Zlib.brotliCompressSync(Zlib.gzipSync(body)),
      identity: (body) => Buffer.from(body)
    })) {
      const headers = { "content-encoding": encoding }
      it.live(`an answer that is encoded as ${encoding} is decoded`, () =>
        against(
          transport,
          (socket) => raw.answer(socket, encode(body), { headers }),
          (client) =>
            Effect.gen(function* () {
              expect(yield* client.translateText(hello)).toMatchObject({ ...de, attempts: 1 })
            })
        )
      )

      it.live(`the message of an error that is encoded as ${encoding} is read`, () =>
        against(
          transport,
          (socket) => raw.answer(socket, encode('{"message":"No."}'), { status: 400, headers }),
          (client) =>
            Effect.gen(function* () {
              expect(yield* failure(client.translateText(hello))).toMatchObject({ serviceMessage: "No." })
            })
        )
      )
    }

    it.live("an answer that is encoded as deflate without a header is decoded", () =>
      against(
        transport,
        (socket) =>
          raw.answer(socket, Zlib.deflateRawSync(body), { headers: { "content-encoding": "deflate" } }),
        (client) => Effect.map(client.translateText(hello), (result) => expect(result).toMatchObject(de))
      )
    )

    it.live("an encoding that nobody decodes is named, and not paid for again", () =>
      against(
        transport,
        (socket) =>
          raw.answer(socket, Buffer.from([1, 2, 3]), { headers: { "content-encoding": "compress" } }),
        (client, server) =>
          Effect.gen(function* () {
            const error = yield* Effect.flip(client.translateText(hello))
            expect(error).toMatchObject({ _tag: "UndecodableResponse", encoding: "compress", attempts: 1 })
            expect(error.message).toContain("encoded as compress, which is not decoded")
            expect(server.requests()).toBe(1)
          })
      )
    )

    it.live("a small body that decodes to a large one is cut", () =>
      against(
        transport,
        (socket) =>
          raw.answer(socket, Zlib.gzipSync(Buffer.alloc(4 * MiB, "x")), {
            headers: { "content-encoding": "gzip" }
          }),
        (client) =>
          Effect.gen(function* () {
            const error = yield* failure(client.translateText(hello))
            expect(error).toMatchObject({ _tag: "UndecodableResponse", limit: 256 * 1024 + 32 * 37 })
          })
      )
    )

    it.live("bytes that are no UTF-8 are no translation", () =>
      against(
        transport,
        (socket) => {
          const bytes = Buffer.from('{"translations":[{"text":"Hall?"}]}')
          bytes[bytes.indexOf("?")] = 0xff
          raw.answer(socket, bytes)
        },
        (client) =>
          Effect.gen(function* () {
            expect(yield* failure(client.translateText(hello))).toMatchObject({ _tag: "UndecodableResponse" })
            expect(yield* failure(client.usage)).toMatchObject({ _tag: "UndecodableResponse" })
          })
      )
    )

    it.live("a delete is done whatever comes with its success", () =>
      against(
        transport,
        (socket, request) => raw.answer(socket, request === 0 ? '{"deleted":true}' : "{}"),
        ({ glossaries, usage }) =>
          Effect.gen(function* () {
            expect(yield* glossaries.delete("a")).toBeUndefined()
            expect(yield* usage).toEqual({})
          })
      )
    )

    it.live("a delete is done though its answer never ends", () =>
      against(
        transport,
        (socket) => raw.endless(socket, 200),
        ({ glossaries }) => Effect.map(glossaries.delete("a"), (done) => expect(done).toBeUndefined())
      )
    )

    if (name !== "fetch") {
      it.live("a document that is encoded unasked is none", () =>
        against(
          transport,
          (socket) => raw.answer(socket, Zlib.gzipSync("Hallo"), { headers: { "content-encoding": "gzip" } }),
          ({ documents }) =>
            Effect.gen(function* () {
              const access = { documentId: "a", documentKey: Redacted.make("b") }
              const error = yield* failure(Stream.runDrain(documents.download(access)))
              expect(error).toMatchObject({ _tag: "UndecodableResponse", encoding: "gzip" })
            })
        )
      )
    }

    it.live("a document is no answer of a bound", () =>
      against(
        transport,
        (socket) => raw.answer(socket, Buffer.alloc(20 * MiB, "x")),
        ({ documents }) =>
          Effect.gen(function* () {
            const access = { documentId: "a", documentKey: Redacted.make("b") }
            const parts = yield* Stream.runCollect(documents.download(access))
            expect(Chunk.reduce(parts, 0, (size, part) => size + part.length)).toBe(20 * MiB)
          })
      )
    )
  })
}

// Each takes the second, by the clock of the machine, for which the body of an error is waited.
describe.concurrent("an error that never ends", () => {
  for (const [name, transport] of raw.transports) {
    for (const [status, tag] of [
      [401, "Unauthorized"],
      [429, "RateLimited"],
      [456, "QuotaExceeded"]
    ] as const) {
      it.live(`over ${name} a ${status} whose body stalls is ${tag} at once`, () =>
        against(
          transport,
          (socket) => socket.write(`${raw.head(status, { "content-length": 100 })}{"message":`),
          (client) =>
            Effect.gen(function* () {
              const [waited, error] = yield* Effect.timed(failure(client.translateText(hello)))
              expect(error).toMatchObject({ _tag: tag, status, delivery: "rejected" })
              expect(Duration.toMillis(waited)).toBeLessThan(soon)
            })
        )
      )
    }

    for (const [status, tag] of [
      [401, "Unauthorized"],
      [456, "QuotaExceeded"]
    ] as const) {
      it.live(`over ${name} a ${status} whose body stalls ends a stream at once, after one request`, () =>
        Effect.gen(function* () {
          const server = yield* raw.make((socket) =>
            socket.write(`${raw.head(status, { "content-length": 100 })}{"message":`)
          )
          const [waited, error] = yield* Stream.range(1, 500).pipe(
            Stream.map(String),
            TranslateStream.translate({ targetLang: "de" }),
            Stream.runDrain,
            Effect.flip,
            Effect.timed,
            Effect.provide(layerOver({ url: server.url })),
            Effect.provide(transport)
          )
          expect(error).toMatchObject({ _tag: tag, status })
          expect(Duration.toMillis(waited)).toBeLessThan(soon)
          expect(server.requests()).toBe(1)
        }).pipe(Effect.scoped)
      )
    }
  }
})
