/** Sends the spans and metrics of a command to a collector of OpenTelemetry: `docs/telemetry.md`. */
import { randomUUID } from "node:crypto"
import * as OtlpMetrics from "@effect/opentelemetry/OtlpMetrics"
import * as OtlpSerialization from "@effect/opentelemetry/OtlpSerialization"
import * as OtlpTracer from "@effect/opentelemetry/OtlpTracer"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { version } from "../internal/version.js"
import { Output } from "./output.js"

/** The time for which the end of a command waits for the spans that are being sent, and again for the rest. */
const patience = "1 second"

/** More requests than are ever under way. */
const allRequests = 1000

const variable = (name: string) => Config.withDefault(Config.nonEmptyString(`OTEL_${name}`), undefined)

/** `name=value,name=value`, percent-encoded. */
const pairs = (list = ""): Readonly<Record<string, string>> => {
  const query = list.replace(/[&+]/g, encodeURIComponent).replaceAll(",", "&")
  return Object.fromEntries(
    Array.from(new URLSearchParams(query), (pair) => pair.map((part) => part.trim())).filter(
      ([name]) => name !== ""
    )
  )
}

const serializations: Readonly<Record<string, Layer.Layer<OtlpSerialization.OtlpSerialization>>> = {
  "http/protobuf": OtlpSerialization.layerProtobuf,
  "http/json": OtlpSerialization.layerJson
}

const settings = Effect.gen(function* () {
  const endpoint = yield* variable("EXPORTER_OTLP_ENDPOINT")
  const protocol = (yield* variable("EXPORTER_OTLP_PROTOCOL")) ?? "http/protobuf"
  const isDisabled = (yield* variable("SDK_DISABLED"))?.toLowerCase() === "true"
  const headers = pairs(yield* variable("EXPORTER_OTLP_HEADERS"))
  const attributes = pairs(yield* variable("RESOURCE_ATTRIBUTES"))
  const { "service.name": namedThere, ...otherAttributes } = attributes
  const serviceName = (yield* variable("SERVICE_NAME")) ?? namedThere ?? "effect-translate"
  if (endpoint === undefined || isDisabled) return undefined
  const serialization = serializations[protocol]
  if (serialization === undefined) {
    return `OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}: set it to http/protobuf or http/json.`
  }
  if (!/^https?:/.test(endpoint) || !URL.canParse(endpoint)) {
    return "OTEL_EXPORTER_OTLP_ENDPOINT is no URL such as http://localhost:4318."
  }
  return {
    url: endpoint.replace(/\/$/, ""),
    serialization,
    headers,
    resource: {
      serviceName,
      serviceVersion: version,
      attributes: { "service.instance.id": randomUUID(), ...otherAttributes }
    }
  }
})

type Settings = Exclude<Effect.Effect.Success<typeof settings>, string | undefined>

/** A client for a collector, which knows when all of its requests are done and why one was not taken. */
const requests = Effect.gen(function* () {
  const httpClient = yield* HttpClient.HttpClient
  const permits = yield* Effect.makeSemaphore(allRequests)
  let isEnding = false
  let problem: string | undefined
  return {
    client: httpClient.pipe(
      HttpClient.filterStatusOk,
      HttpClient.tapError((error) =>
        Effect.sync(() => {
          problem = error._tag === "ResponseError" ? `status ${error.response.status}` : error.reason
        })
      ),
      HttpClient.transformResponse((response) =>
        // A defect is not tried again: at the end there is no time for that.
        permits.withPermits(1)(
          response.pipe(
            Effect.onInterrupt(() =>
              Effect.sync(() => {
                problem = "no answer in time"
              })
            ),
            Effect.catchAll((error) => (isEnding ? Effect.die(error) : Effect.fail(error)))
          )
        )
      )
    ),
    drained: Effect.suspend(() => {
      isEnding = true
      return Effect.timeoutOption(permits.withPermits(allRequests)(Effect.void), patience)
    }),
    problem: Effect.sync(() => problem)
  }
}).pipe(Effect.provide(FetchHttpClient.layer))

/** A tracer that sends its spans, and an effect that sends the rest of them in the end, with the metrics. */
const collector = ({ headers, resource, serialization, url }: Settings) =>
  Effect.gen(function* () {
    const { client, drained, problem } = yield* requests
    const scope = yield* Scope.make(ExecutionStrategy.parallel)
    const exporter = (signal: string) =>
      ({ url: `${url}/v1/${signal}`, headers, resource, shutdownTimeout: patience }) as const
    const tracer = yield* Effect.zipLeft(
      OtlpTracer.make(exporter("traces")),
      OtlpMetrics.make(exporter("metrics"))
    ).pipe(
      Scope.extend(scope),
      Effect.provide(Layer.merge(serialization, Layer.succeed(HttpClient.HttpClient, client))),
      // It would add the settings of the environment a second time.
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map()))
    )
    const end = Effect.gen(function* () {
      yield* drained
      yield* Scope.close(scope, Exit.void)
      const reason = yield* problem
      if (reason !== undefined)
        yield* Output.detail(`${new URL(url).origin} has not taken all telemetry: ${reason}.`)
    })
    // In a fiber of its own, as an interruption of the command would end it at once.
    return { tracer, end: Effect.flatMap(Effect.forkDaemon(Effect.interruptible(end)), Fiber.await) }
  })

/** Runs a command as a span, and sends it, the spans below it and the metrics to the collector of the environment. */
export const exported =
  (command: string) =>
  <A, E, R>(handled: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Output> =>
    Effect.gen(function* () {
      const found = yield* Effect.orDie(settings)
      if (found === undefined) return yield* handled
      if (typeof found === "string")
        return yield* Effect.zipRight(Output.note(`No telemetry: ${found}`), handled)
      return yield* Effect.acquireUseRelease(
        collector(found),
        ({ tracer }) =>
          handled.pipe(
            Effect.withSpan("effect-translate.command", {
              attributes: { "translate.command": command },
              captureStackTrace: false
            }),
            Effect.withTracer(tracer)
          ),
        ({ end }) => end
      )
    })
