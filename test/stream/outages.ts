/** Outages that end, over a transport: `npm test` has them over one, `npm run test:long` over the others. */
import * as FileSystem from "@effect/platform/FileSystem"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { type CircuitBreaker, RetryPolicy, TranslateStream } from "effect-translate"
import { DocumentBatch, DocumentJournal } from "effect-translate/documents"
import { layerOver } from "../support/client.js"
import { probing, retries } from "../support/retries.js"
import * as unreliable from "../support/unreliableService.js"
import { collect, numbered, values } from "./support.js"

type Transport = Layer.Layer<HttpClient.HttpClient>

export const client = (
  url: string,
  circuit?: CircuitBreaker.Policy,
  transport: Transport = unreliable.transport
) => Layer.provide(layerOver({ url, circuit }), transport)

export const quickly = Effect.provideService(
  RetryPolicy.RetryPolicy,
  RetryPolicy.make({ schedule: retries(5, 5) })
)

export const amidJob = (name: string, transport: Transport) => {
  for (const [what, broken] of [
    ["cuts every connection", "cut"],
    ["refuses connections", "refused"],
    ["answers with the page of a proxy", "page"],
    ["answers 503", 503],
    ["answers 502", 502]
  ] as const) {
    it.live(`that ${what} fails no text, over ${name}`, () =>
      Effect.gen(function* () {
        const { seen, url } = yield* unreliable.makeServed(unreliable.outage(broken, 40, 150))
        const texts = numbered(4000)
        const outcomes = yield* collect(
          TranslateStream.translate(Stream.fromIterable(texts), { targetLang: "de" })
        ).pipe(
          Effect.provide(
            client(url, probing(Schedule.upTo(Schedule.exponential("20 millis"), "8 seconds")), transport)
          )
        )
        expect(values(outcomes)).toEqual(texts.map((text) => `<${text}>`))
        // 80 batches; 8 were in flight, some more were tried until the circuit opened, and then 6 probes at most.
        expect(seen.length - 80).toBeLessThanOrEqual(8 + 5 + 6)
      }).pipe(Effect.scoped)
    )
  }
}

export const amidDocuments = (name: string, transport: Transport) =>
  it.live(`fails none and loses none, over ${name}`, () =>
    Effect.gen(function* () {
      let down = 0
      // A 503 of a download would say that the document was given out.
      const service = yield* unreliable.makeServed(({ index, path }) =>
        index > 6 && !path.endsWith("/result") && down++ < 15 ? 503 : "ok"
      )
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const items = numbered(12).map((name) => ({ path: `${folder}/${name}.txt`, targetLang: "de" }))
      yield* Effect.forEach(items, ({ path }) => fs.writeFileString(path, path))
      const report = yield* Stream.run(
        DocumentBatch.run(Stream.fromIterable(items), { concurrency: 3 }),
        DocumentBatch.report()
      ).pipe(
        quickly,
        Effect.provide([
          client(service.url, probing(Schedule.spaced("20 millis")), transport),
          DocumentJournal.layerMemory
        ])
      )
      expect(report).toMatchObject({ in: 12, translated: 12, failed: [], ambiguous: [], lost: [] })
      expect([service.uploads.length, service.downloads, down]).toEqual([12, 12, expect.any(Number)])
      expect(down).toBeGreaterThanOrEqual(15)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))
  )
