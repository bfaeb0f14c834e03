/** What is behind `https:`: read as one version, with and without parts, after redirects, and never from private hosts. */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { NodeStorage, ProxyHttpClient } from "effect-translate/node"
import { HttpStorage, Storage } from "effect-translate/storage"
import { serverOf, withParts } from "../support/fileServer.js"
import { tlsBefore } from "../support/proxy.js"

const text = "0123456789".repeat(250)

const storageOf = (sources: ReadonlyArray<string>) => HttpStorage.make({ sources, retry: Schedule.recurs(3) })

const textOf = (address: string, sources: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { open } = yield* storageOf(sources)
    const { bytes } = yield* open(address)
    return yield* bytes.pipe(Stream.decodeText(), Stream.mkString)
  })

const live = (name: string, test: Effect.Effect<unknown, unknown, Scope.Scope | HttpClient.HttpClient>) =>
  it.live(name, () => test.pipe(Effect.scoped, Effect.provide(ProxyHttpClient.layer({}))))

describe("a file behind an address", () => {
  live(
    "is read on from where it was cut, where its server gives parts",
    Effect.gen(function* () {
      const ranges: Array<string | undefined> = []
      const whole = withParts(
        () => text,
        () => '"1"'
      )
      const { origin } = yield* serverOf((request, response) => {
        ranges.push(request.headers.range)
        if (ranges.length !== 2) return whole(request, response)
        response.writeHead(206, { etag: '"1"', "content-range": `bytes 0-2499/2500`, "content-length": 2500 })
        response.write(text.slice(0, 700), () => response.socket?.destroy())
      })
      expect(yield* textOf(`${origin}/a.csv`, [origin])).toBe(text)
      expect(ranges).toEqual(["bytes=0-0", "bytes=0-2499", "bytes=700-2499"])
    })
  )

  live(
    "is refused where the certificate of its server is self-signed, with the advice to name it",
    Effect.gen(function* () {
      const { origin } = yield* serverOf((_, response) => response.end(text))
      const address = `https://127.0.0.1:${yield* tlsBefore(Number(new URL(origin).port))}`
      const error = yield* Effect.flip(textOf(`${address}/a.csv`, [address]))
      expect(error).toMatchObject({ reason: "refused", isRetryable: false })
      expect(error.message).toMatch(/the certificate is self-signed .*NODE_EXTRA_CA_CERTS/)
    })
  )

  live(
    "fails as changed once its server has another version",
    Effect.gen(function* () {
      let version = 1
      const { origin } = yield* serverOf(
        withParts(
          () => text,
          () => `W/"${version++}"`
        )
      )
      expect(yield* Effect.flip(textOf(`${origin}/a.csv`, [origin]))).toMatchObject({ reason: "changed" })
    })
  )

  live(
    "is streamed where its server gives no parts, and a cut ends it with advice",
    Effect.gen(function* () {
      let answers = 0
      const { origin } = yield* serverOf((_, response) => {
        response.writeHead(200, { "last-modified": "Thu, 01 Jan 2026 00:00:00 GMT", "content-length": 2500 })
        if (answers++ < 3) return response.end(text)
        response.write(text.slice(0, 700), () => response.socket?.destroy())
      })
      const { open } = yield* storageOf([origin])
      const { bytes, read, size } = yield* open(`${origin}/a.csv`)
      expect(size).toBe(2500)
      expect(new TextDecoder().decode(yield* read(995, 1005))).toBe("5678901234")
      expect(yield* bytes.pipe(Stream.decodeText(), Stream.mkString)).toBe(text)
      const error = yield* Effect.flip(Stream.runDrain(bytes))
      expect(error).toMatchObject({ reason: "unsupported" })
      expect(error.message).toContain("download it first")
    })
  )

  live(
    "that is empty has no bytes",
    Effect.gen(function* () {
      const { origin } = yield* serverOf((_, response) =>
        response.writeHead(416, { "content-range": "bytes */0" }).end()
      )
      expect(yield* textOf(`${origin}/a.csv`, [origin])).toBe("")
    })
  )

  live(
    "is asked for with the user of its address, who is told to no other host and to no error",
    Effect.gen(function* () {
      const seen: Array<string | undefined> = []
      const other = yield* serverOf(({ headers }, response) => {
        seen.push(headers.authorization)
        response.writeHead(403).end()
      })
      const { origin } = yield* serverOf(({ headers }, response) => {
        seen.push(headers.authorization)
        response.writeHead(302, { location: `${other.origin}/b.csv?token=1` }).end()
      })
      const address = `${origin.replace("//", "//me%:pass%20word@")}/a.csv?X-Amz-Signature=abc#part`
      const error = yield* Effect.flip(textOf(address, [origin, other.origin]))
      expect(seen).toEqual([`Basic ${btoa("me%:pass word")}`, undefined])
      expect(error.message).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/a\.csv: its server answers 403/)
      expect(JSON.stringify(error)).not.toMatch(/abc|pass|token/)
    })
  )

  for (const [what, status] of [
    ["is sent again", 503],
    ["is not sent again", 404]
  ] as const) {
    live(
      `${what} where its server answers ${status}`,
      Effect.gen(function* () {
        let answers = 0
        const { origin } = yield* serverOf((_, response) => {
          answers++
          response.writeHead(status).end()
        })
        yield* Effect.flip(textOf(`${origin}/a.csv`, [origin]))
        expect(answers).toBe(status === 503 ? 4 : 1)
      })
    )
  }
})

describe("a redirect", () => {
  live(
    "is followed, but not without an end",
    Effect.gen(function* () {
      let left = 5
      const whole = withParts(
        () => text,
        () => '"1"'
      )
      const { origin } = yield* serverOf((request, response) =>
        left-- > 0 ? response.writeHead(307, { location: "b.csv" }).end() : whole(request, response)
      )
      expect(yield* textOf(`${origin}/a.csv`, [origin])).toBe(text)
      left = 6
      expect(yield* Effect.flip(textOf(`${origin}/a.csv`, [origin]))).toMatchObject({ reason: "refused" })
    })
  )

  it.effect("from https: to http: is refused, also where that is named", () => {
    const asked: Array<string> = []
    const client = HttpClient.make((request, url) => {
      asked.push(url.href)
      const headers = { location: "http://host.test/b.csv" }
      return Effect.succeed(HttpClientResponse.fromWeb(request, new Response(null, { status: 301, headers })))
    })
    return Effect.gen(function* () {
      const error = yield* Effect.flip(textOf("https://host.test/a.csv", ["http://host.test/"]))
      expect(error).toMatchObject({ reason: "refused" })
      expect(error.message).toContain("from https: to http:")
      expect(asked).toEqual(["https://host.test/a.csv"])
    }).pipe(Effect.provideService(HttpClient.HttpClient, client))
  })

  live(
    "to http: is refused, unless that is named",
    Effect.gen(function* () {
      const other = yield* serverOf((_, response) => response.writeHead(204).end())
      const { origin } = yield* serverOf((_, response) =>
        response.writeHead(302, { location: `${other.origin}/b.csv` }).end()
      )
      const error = yield* Effect.flip(textOf(`${origin}/a.csv`, [`${origin}/a.csv`]))
      expect(error).toMatchObject({ reason: "refused" })
    })
  )
})

describe("a host on this machine", () => {
  const hosts = ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433"]

  const opened = (address: string, sources?: ReadonlyArray<string>) =>
    Effect.flatMap(Storage.Storage, ({ open }) => Effect.flip(open(address))).pipe(
      Effect.provide(NodeStorage.layerConfig({ sources, retry: Schedule.recurs(0) })),
      Effect.provide(NodeContext.layer)
    )

  it.live("is not allowed by an address without a host, which is refused", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(opened("http://127.0.0.1:9/", ["http://host/", "127.0.0.1:9"]))
      expect(ConfigError.isConfigError(error) && String(error)).toContain("entry 2 is no address")
    })
  )

  /** A server that counts connections. */
  const counted = Effect.map(
    serverOf((_, response) => response.end(text)),
    ({ origin, server }) => {
      let connections = 0
      server.on("connection", () => connections++)
      return { connections: () => connections, port: new URL(origin).port }
    }
  )

  for (const host of hosts) {
    it.live(`is not connected to by its name ${host}`, () =>
      Effect.gen(function* () {
        const { connections, port } = yield* counted
        const error = yield* opened(`https://${host}:${port}/a.csv`)
        expect(error).toMatchObject({ reason: "refused", isRetryable: false })
        expect(connections()).toBe(0)
      }).pipe(Effect.scoped)
    )

    it.live(`is not connected to after a redirect to ${host}, though the first host is named`, () =>
      Effect.gen(function* () {
        const { connections, port } = yield* counted
        const { origin } = yield* serverOf((_, response) =>
          response.writeHead(302, { location: `https://${host}:${port}/latest/meta-data` }).end()
        )
        expect(yield* opened(`${origin}/a.csv`, [origin])).toMatchObject({ reason: "refused" })
        expect(connections()).toBe(0)
      }).pipe(Effect.scoped)
    )
  }

  it.live("is connected to if it is named, on the path that is named", () =>
    Effect.gen(function* () {
      const { connections, port } = yield* counted
      const named = [`https://localhost:${port}/exports/`]
      expect(yield* opened(`https://localhost:${port}/admin/a.csv`, named)).toMatchObject({
        reason: "refused"
      })
      expect(connections()).toBe(0)
      // It speaks no TLS.
      expect(yield* opened(`https://localhost:${port}/exports/a.csv`, named)).toMatchObject({
        reason: "unavailable"
      })
      expect(connections()).toBeGreaterThan(0)
    }).pipe(Effect.scoped)
  )
})
