import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as recordingServer from "../support/recordingServer.js"
import { emulator, folderOf, processTimeout, runAlone as run } from "./process.js"

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number }
}

interface Span {
  readonly name: string
  readonly traceId: string
  readonly attributes: ReadonlyArray<Attribute>
  readonly status: { readonly code: number }
}

interface Metric {
  readonly name: string
  readonly sum?: {
    readonly isMonotonic: boolean
    readonly dataPoints: ReadonlyArray<{
      readonly asDouble: number
      readonly attributes: ReadonlyArray<Attribute>
    }>
  }
}

const valuesOf = (attributes: ReadonlyArray<Attribute>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))

/** A collector that takes all it gets, and what a process has to know of it. */
const collector = Effect.gen(function* () {
  const server = yield* recordingServer.RecordingServer
  yield* server.answer(...Array.from({ length: 20 }, () => ({ body: {} })))
  return {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: server.url, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" },
    received: Effect.map(server.requests, (requests) => {
      const bodies = (path: string) =>
        requests.filter((request) => request.path === path).map(({ text }) => JSON.parse(text))
      const traces = bodies("/v1/traces").flatMap(({ resourceSpans }) => resourceSpans)
      const metrics = bodies("/v1/metrics").at(-1)?.resourceMetrics ?? []
      return {
        requests,
        resource: valuesOf(traces[0].resource.attributes),
        spans: traces.flatMap(({ scopeSpans }) => scopeSpans[0].spans) as ReadonlyArray<Span>,
        metrics: metrics.flatMap(
          ({ scopeMetrics }: { readonly scopeMetrics: ReadonlyArray<{ readonly metrics: unknown }> }) =>
            scopeMetrics[0]!.metrics
        ) as ReadonlyArray<Metric>
      }
    })
  }
})

describe("telemetry", () => {
  it.scopedLive(
    "of a translation goes to the collector that the environment names, without a text or a key",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf({ "app.en.json": '{ "a": "Zebras sleep", "b": "Yaks run" }' })
        const { env: ofCollector, received } = yield* collector
        const { code, stderr } = yield* run(["translate", "app.en.json", "--to", "de"], {
          folder,
          env: {
            ...env,
            ...ofCollector,
            LANGUAGE_SERVICE_KEY: "emulator-key",
            OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20token",
            OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=a%20test,service.name=not-this",
            OTEL_SERVICE_NAME: "catalogues"
          }
        })
        expect(code, stderr).toBe(0)
        const { metrics, requests, resource, spans } = yield* received
        expect(new Set(requests.map(({ headers }) => headers.authorization))).toEqual(
          new Set(["Bearer token"])
        )
        expect(resource).toMatchObject({
          "deployment.environment": "a test",
          "service.name": "catalogues",
          "service.instance.id": expect.stringMatching(/^[\da-f-]{36}$/)
        })
        expect(spans.map(({ name }) => name)).toEqual(
          expect.arrayContaining(["effect-translate.command", "effect-translate.batch", "http.client POST"])
        )
        expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
        const batch = spans.find(({ name }) => name === "effect-translate.batch")
        expect(valuesOf(batch!.attributes)).toMatchObject({
          "translate.texts": 2,
          "translate.billed_characters": 20,
          "translate.target_lang": "de"
        })
        const texts = metrics.find(({ name }) => name === "effect_translate_texts")
        expect(texts?.sum?.isMonotonic).toBe(true)
        expect(
          texts?.sum?.dataPoints.map(({ asDouble, attributes }) => ({ asDouble, ...valuesOf(attributes) }))
        ).toEqual([{ asDouble: 2, target_lang: "de", outcome: "translated" }])
        const sent = requests.map(({ rawHeaders, text }) => `${rawHeaders.join(" ")} ${text}`).join("\n")
        expect(sent).not.toMatch(/zebra|yaks|emulator-key/i)
      }).pipe(Effect.provide(recordingServer.layer)),
    processTimeout
  )

  it.scopedLive(
    "says that a command has failed, and why",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf()
        const { env: ofCollector, received } = yield* collector
        const { code } = yield* run(["usage"], {
          folder,
          env: { ...env, ...ofCollector, LANGUAGE_SERVICE_KEY: "another-key" }
        })
        expect(code).toBe(4)
        const { requests, spans } = yield* received
        expect(spans.find(({ name }) => name === "effect-translate.command")).toMatchObject({
          status: { code: 2 }
        })
        expect(requests.map(({ text }) => text).join("\n")).not.toContain("another-key")
      }).pipe(Effect.provide(recordingServer.layer)),
    processTimeout
  )

  it.scopedLive(
    "names the command by its words, whatever stands between them",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf()
        const { env, received } = yield* collector
        const store = "postgres://me:pa55word@127.0.0.1:9/texts"
        yield* run(["memory", "--store", store, "stats"], { folder, env })
        const { requests, spans } = yield* received
        const command = spans.find(({ name }) => name === "effect-translate.command")
        expect(valuesOf(command!.attributes)).toMatchObject({ "translate.command": "memory stats" })
        expect(requests.map(({ text }) => text).join("\n")).not.toContain("pa55word")
      }).pipe(Effect.provide(recordingServer.layer)),
    processTimeout
  )

  it.scopedLive(
    "neither fails nor holds up a command if the collector is away, or never answers",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf()
        const silent = yield* recordingServer.RecordingServer
        yield* silent.answer(...Array.from({ length: 20 }, () => ({ cut: "hang" }) as const))
        for (const [url, reason] of [
          ["http://127.0.0.1:9", "Transport"],
          [silent.url, "no answer in time"]
        ] as const) {
          const { code, stderr } = yield* run(["usage", "--verbose"], {
            folder,
            env: { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: url }
          })
          expect({ code, stderr }).toEqual({
            code: 0,
            stderr: `${url} has not taken all telemetry: ${reason}.\n`
          })
        }
        const { code, stderr } = yield* run(["usage"], {
          folder,
          env: { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }
        })
        expect(code).toBe(0)
        expect(stderr).toBe(
          "No telemetry: OTEL_EXPORTER_OTLP_ENDPOINT is no URL such as http://localhost:4318.\n"
        )
      }).pipe(Effect.provide(recordingServer.layer)),
    processTimeout
  )
})
