/** A transport without sockets that answers from a script, so that the TestClock drives everything. */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import * as Layer from "effect/Layer"
import { layerOver, type Options, translations } from "./client.js"

/** What happens to a request. */
export type Step =
  | {
      readonly status?: number
      readonly headers?: Record<string, string>
      readonly body?: unknown
      /** Before the headers. */
      readonly after?: Duration.DurationInput
    }
  /** The transport fails with this code. */
  | { readonly fails: string; readonly after?: Duration.DurationInput }
  /** Nothing happens any more. */
  | "hang"
  /** The headers come, the body never ends. */
  | "hang-body"

export interface Service {
  /** The milliseconds of the clock at which each request was sent. */
  readonly sent: ReadonlyArray<number>
  /** Requests that were aborted. */
  readonly aborted: () => number
}

export class Transport extends Context.Tag("test/Transport")<Transport, Service>() {}

/** As in fetch, an abort cuts the body too. */
const endlessBody = (signal: AbortSignal) =>
  new ReadableStream({
    start: (controller) => signal.addEventListener("abort", () => controller.error(signal.reason))
  })

const respond = (step: Exclude<Step, "hang">, signal: AbortSignal) => {
  if (step === "hang-body") return new Response(endlessBody(signal))
  if ("fails" in step) return undefined
  const body = step.body === undefined ? null : JSON.stringify(step.body)
  return new Response(body, { status: step.status ?? 200, headers: step.headers ?? {} })
}

/** Fails once a client gives a request up. */
export const whenAborted = (
  request: HttpClientRequest.HttpClientRequest,
  signal: AbortSignal,
  onAbort: () => void = constVoid
): Effect.Effect<never, HttpClientError.RequestError> =>
  Effect.async((resume) => {
    const abort = () => {
      onAbort()
      resume(new HttpClientError.RequestError({ request, reason: "Transport", cause: signal.reason }))
    }
    if (signal.aborted) abort()
    else signal.addEventListener("abort", abort, { once: true })
  })

/**
 * A client over a transport that takes one step of the script for each request, and translates "Hello" once the
 * script is over.
 */
export const scripted = (script: ReadonlyArray<Step>, options?: Options) => {
  const transport = Layer.sync(Transport, () => ({ sent: [] as Array<number>, aborted: () => 0 }))
  const httpClient = Layer.effect(
    HttpClient.HttpClient,
    Effect.map(Transport, (service) => {
      const { sent } = service as unknown as { readonly sent: Array<number> }
      let aborted = 0
      Object.assign(service, { aborted: () => aborted })
      return HttpClient.make((request, _url, signal) =>
        Effect.gen(function* () {
          const step: Step = script[sent.length] ?? translations("Hallo")
          sent.push(yield* Clock.currentTimeMillis)
          if (step === "hang") return yield* Effect.never
          if (typeof step === "object" && step.after !== undefined) yield* Effect.sleep(step.after)
          const response = respond(step, signal)
          if (response === undefined) {
            const cause = Object.assign(new Error("fails"), { code: (step as { fails: string }).fails })
            return yield* new HttpClientError.RequestError({ request, reason: "Transport", cause })
          }
          return HttpClientResponse.fromWeb(request, response)
        }).pipe(Effect.raceFirst(whenAborted(request, signal, () => aborted++)))
      )
    })
  )
  return layerOver(options).pipe(Layer.provide(httpClient), Layer.provideMerge(transport))
}

/** The times at which requests were sent. */
export const sentAt = Effect.map(Transport, ({ sent }) => [...sent])

/** How many requests were sent. */
export const count = Effect.map(Transport, ({ sent }) => sent.length)
