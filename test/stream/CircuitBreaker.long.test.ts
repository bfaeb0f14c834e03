/** Outages over real sockets, with default settings: in a campaign of their full length. Their tests run side by side. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import {
  CircuitBreaker,
  ConcurrencyLimit,
  Outcome,
  RetryPolicy,
  TranslateClient,
  TranslateStream,
  WriteStream
} from "effect-translate"
import { DocumentBatch, DocumentJournal } from "effect-translate/documents"
import { Emulator } from "effect-translate/emulator"
import { layerOver } from "../support/client.js"
import { runs } from "../support/long.js"
import * as unreliable from "../support/unreliableService.js"
import * as outages from "./outages.js"
import { collect, drain, failsWith, numbered, values } from "./support.js"

/** How long outages are, in seconds. */
const length = runs(30, 2)

/** In the middle of how many texts they come. */
const count = runs(25_000, 5000)

/** How many probes the default schedule sends within so many seconds. */
const probesWithin = (seconds: number): number => {
  let probes = 0
  for (let at = 1, pause = 1; at < seconds; pause *= 2, at += pause) probes++
  return probes
}

/** A service that is down for some seconds from a request on. */
const service = (what: unreliable.What | "refused", from = 1, seconds = Number.POSITIVE_INFINITY) =>
  unreliable.makeServed(unreliable.outage(what, from, seconds * 1000))

const client = (
  url: string,
  transport: Layer.Layer<HttpClient.HttpClient> = NodeHttpClient.layerUndici,
  circuit?: CircuitBreaker.Policy
) => Layer.provide(layerOver({ url, circuit, limit: ConcurrencyLimit.makeAdaptive() }), transport)

const translate = (texts: ReadonlyArray<string>) =>
  TranslateStream.translate(Stream.fromIterable(texts), { targetLang: "de" })

/** How it ended, and after how many seconds. */
const timed = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.timed(self), ([duration, result]) => ({ result, seconds: Duration.toSeconds(duration) }))

const costsNothing = (out: ReadonlyArray<Outcome.Outcome<string, string>>) => {
  for (const { cost } of out) expect(cost).toEqual({ characters: 0, ambiguousCharacters: 0 })
}

describe.concurrent("an outage in the middle of many texts, with default settings", () => {
  const texts = numbered(count)

  for (const [what, outage, name, transport] of [
    ["cuts every connection", "cut", "undici", NodeHttpClient.layerUndici],
    ["cuts every connection", "cut", "node", NodeHttpClient.layer],
    ["cuts every connection", "cut", "fetch", FetchHttpClient.layer],
    ["answers 503", 503, "undici", NodeHttpClient.layerUndici],
    ["refuses connections", "refused", "undici", NodeHttpClient.layerUndici]
  ] as const) {
    it.scopedLive(`that ${what} fails no text, over ${name}`, () =>
      Effect.gen(function* () {
        const down = yield* service(outage, count / 100, length)
        const outcomes = yield* collect(translate(texts)).pipe(Effect.provide(client(down.url, transport)))
        expect(values(outcomes)).toEqual(texts.map((text) => `<${text}>`))
        // What was in flight when it began, those that took turns until the circuit opened, and the probes.
        expect(down.failed).toBeLessThanOrEqual(8 + 5 + probesWithin(length))
        const inDoubt = outcomes.reduce((sum, { cost }) => sum + cost.ambiguousCharacters, 0)
        // Where connections are refused, only what was in flight: the service has not read all of that.
        if (outage === "refused") expect(inDoubt).toBeLessThanOrEqual(8 * 50 * `t${count}`.length)
        else expect(inDoubt).toBe(outage === "cut" ? down.unanswered.join("").length : 0)
        const paid = outcomes.reduce((sum, { cost }) => sum + cost.characters, 0)
        expect(paid).toBe(texts.join("").length)
      })
    )
  }
})

describe.concurrent("an outage in the middle of many texts that are improved, with default settings", () => {
  const texts = numbered(count).map((text) => `${text} ${"x".repeat(300)}`)

  for (const [what, outage, name, transport] of [
    ["cuts every connection", "cut", "undici", NodeHttpClient.layerUndici],
    ["cuts every connection", "cut", "node", NodeHttpClient.layer],
    ["cuts every connection", "cut", "fetch", FetchHttpClient.layer],
    ["refuses connections", "refused", "undici", NodeHttpClient.layerUndici]
  ] as const) {
    it.scopedLive(`that ${what} fails no text, over ${name}`, () =>
      Effect.gen(function* () {
        // 33 texts fill a request.
        const down = yield* service(outage, Math.ceil(count / 66), length)
        const outcomes = yield* collect(
          WriteStream.rephrase(Stream.fromIterable(texts), { targetLang: "en-US" })
        ).pipe(Effect.provide(client(down.url, transport)))
        expect(values(outcomes)).toEqual(texts.map((text) => `<${text}>`))
        expect(down.failed).toBeLessThanOrEqual(8 + 5 + probesWithin(length))
        const inDoubt = outcomes.reduce((sum, { cost }) => sum + cost.ambiguousCharacters, 0)
        if (outage === "cut") expect(inDoubt).toBe(down.unanswered.join("").length)
        else expect(inDoubt).toBeLessThanOrEqual(8 * 10_240)
      })
    )
  }
})

/** Five probes at most, each of which times out after two and a half seconds. */
const short = {
  retries: Effect.provideService(
    RetryPolicy.RetryPolicy,
    RetryPolicy.make({ timeout: "500 millis", timeoutPerThousandCharacters: 0 })
  ),
  circuit: CircuitBreaker.make({
    schedule: Schedule.upTo(Schedule.spaced("200 millis"), "1 second"),
    startSchedule: Schedule.upTo(Schedule.spaced("200 millis"), "1 second")
  })
}

describe.concurrent("an address without a service", () => {
  for (const address of ["http://127.0.0.1:9", "http://no-such-host.invalid"]) {
    for (const rows of [1, 400]) {
      it.scopedLive(`(${address}) ends a job of ${rows} texts`, () =>
        Effect.gen(function* () {
          const result = yield* drain(translate(numbered(rows))).pipe(
            Effect.provide(client(address, undefined, short.circuit))
          )
          expect(failsWith(result.exit)).toMatchObject({
            _tag: "Outage",
            lastError: expect.stringMatching(/^TransportError \((ECONNREFUSED|ENOTFOUND|EAI_AGAIN)\)$/)
          })
          expect(result.out).toHaveLength(rows)
          costsNothing(result.out)
        })
      )
    }
  }
})

describe.concurrent("a service that stays down ends the job when the schedule says", () => {
  it.scopedLive("if it accepts connections and never answers, after it has answered", () =>
    Effect.gen(function* () {
      const down = yield* service("silence", 20)
      const result = yield* drain(translate(numbered(5000))).pipe(
        short.retries,
        Effect.provide(client(down.url, undefined, short.circuit))
      )
      expect(failsWith(result.exit)).toMatchObject({ _tag: "Outage", lastError: "TimedOut" })
      const inDoubt = result.out.reduce((sum, { cost }) => sum + cost.ambiguousCharacters, 0)
      // On a busy machine requests in flight time out before the service has read them.
      const unanswered = down.unanswered.join("").length
      expect(inDoubt).toBeGreaterThanOrEqual(unanswered)
      expect(inDoubt).toBeLessThanOrEqual(unanswered + 8 * 50 * "t5000".length)
    })
  )

  it.scopedLive("if it never answered anything", () =>
    Effect.gen(function* () {
      const { url } = yield* service("silence")
      const result = yield* drain(translate(numbered(5000))).pipe(
        short.retries,
        Effect.provide(client(url, undefined, short.circuit))
      )
      expect(failsWith(result.exit)).toMatchObject({ _tag: "Outage", lastError: "TimedOut" })
    })
  )

  it.scopedLive("if packets are swallowed: its backlog is full", () =>
    Effect.gen(function* () {
      const url = yield* fullBacklog
      const result = yield* drain(translate(numbered(5000))).pipe(
        short.retries,
        Effect.provide(client(url, NodeHttpClient.layer, short.circuit))
      )
      expect(failsWith(result.exit)).toMatchObject({ _tag: "Outage" })
    })
  )

  it.scopedLive("if it answers 503 for ever", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* service(503, 20)
      const { result, seconds } = yield* timed(drain(translate(numbered(5000)))).pipe(
        Effect.provide(client(url, undefined, short.circuit))
      )
      expect(failsWith(result.exit)).toMatchObject({ _tag: "Outage", lastError: "ServerError (status 503)" })
      expect(seconds).toBeGreaterThan(0.8)
      expect(seen.length).toBeLessThanOrEqual(19 + 8 + 5 + 6)
      costsNothing(result.out.filter(Outcome.isFailed))
    })
  )
})

/** A listener that accepts nothing, and whose backlog others have filled: no handshake ends any more. */
const fullBacklog = Effect.acquireRelease(
  Effect.promise(async () => {
    const { spawn } = await import("node:child_process")
    // A process that has stopped accepts nothing.
    const child = spawn(process.execPath, [
      "-e",
      `const server = require("node:net").createServer()
       server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
         require("node:fs").writeSync(1, String(server.address().port))
         Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
       })`
    ])
    const port = await new Promise<number>((resolve) => {
      child.stdout.once("data", (data) => resolve(Number(String(data))))
    })
    const fillers: Array<Socket> = Array.from({ length: 8 }, () =>
      connect(port, "127.0.0.1").on("error", () => {})
    )
    // No more than two get through.
    let connected = 0
    await new Promise<void>((resolve) => {
      for (const filler of fillers) filler.once("connect", () => ++connected === 2 && resolve())
    })
    return { child, fillers, url: `http://127.0.0.1:${port}` }
  }),
  ({ child, fillers }) =>
    Effect.sync(() => {
      for (const filler of fillers) filler.destroy()
      child.kill("SIGKILL")
    })
).pipe(Effect.map(({ url }) => url))

describe.concurrent("an outage by refused connections", () => {
  it.scopedLive("fails no document of a batch but those in flight as it begins", () =>
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "effect-translate-outage-"))),
        (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
      )
      const items = Array.from({ length: 30 }, (_, index): DocumentBatch.Item => {
        const path = join(folder, `${index}.txt`)
        writeFileSync(path, `Hello ${index}`)
        return { path, targetLang: "de" }
      })
      const emulator = yield* Emulator.Emulator
      const proxy = yield* door(Number(new URL(emulator.url).port))
      let isTriggered = false
      const outcomes = yield* DocumentBatch.run(Stream.fromIterable(items)).pipe(
        Stream.tap(() =>
          Effect.sync(() => {
            if (isTriggered) return
            isTriggered = true
            proxy.shut(length)
          })
        ),
        collect,
        Effect.provide(
          Layer.mergeAll(
            Layer.provide(
              TranslateClient.layer({ url: proxy.url, key: Redacted.make(Emulator.defaultKey) }),
              NodeHttpClient.layerUndici
            ),
            NodeContext.layer,
            DocumentJournal.layerMemory
          )
        )
      )
      // A connection that is cut just as it was made leaves its upload or its only download in doubt.
      const inDoubt = outcomes.filter(({ _tag }) => _tag === "Lost" || _tag === "Ambiguous")
      expect(inDoubt.length).toBeLessThanOrEqual(16)
      expect(outcomes.filter((outcome) => !inDoubt.includes(outcome)).map(({ _tag }) => _tag)).toEqual(
        Array.from({ length: items.length - inDoubt.length }, () => "Translated")
      )
      expect(proxy.refused()).toBe(true)
      expect((yield* emulator.meter).documents.length).toBeLessThanOrEqual(30)
    }).pipe(Effect.provide(Emulator.layerNode()))
  )
})

/** A way to a port that can be shut: new connections are refused then, those that are idle or under way go on. */
const door = (port: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const sockets = new Set<Socket>()
      const proxy = createServer((socket) => {
        const inner = connect(port, "127.0.0.1")
        for (const [one, other] of [
          [socket, inner],
          [inner, socket]
        ] as const) {
          sockets.add(one)
          one.on("error", () => other.destroy())
          one.on("close", () => {
            sockets.delete(one)
            other.destroy()
          })
          one.pipe(other)
        }
      })
      const at = await unreliable.listen(proxy)
      let wasShut = false
      const shut = (seconds: number) => {
        wasShut = true
        proxy.close()
        for (const socket of sockets) socket.destroy()
        setTimeout(() => unreliable.listen(proxy, at), seconds * 1000)
      }
      return { proxy, sockets, shut, refused: () => wasShut, url: `http://127.0.0.1:${at}` }
    }),
    ({ proxy, sockets }) =>
      Effect.sync(() => {
        proxy.close()
        for (const socket of sockets) socket.destroy()
      })
  )

for (const [name, transport] of [
  ["node", NodeHttpClient.layer],
  ["fetch", FetchHttpClient.layer]
] as const) {
  describe("an outage in the middle of a job", () => {
    outages.amidJob(name, transport)
  })

  describe("an outage amid a batch of documents", () => {
    outages.amidDocuments(name, transport)
  })
}
