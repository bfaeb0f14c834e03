import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import type * as Fault from "../Fault.js"
import { bytesOf } from "./answer.js"

/** The connection has to be cut: at once, or in the middle of an answer. Each host does it in its own way. */
export class ConnectionCut extends Data.TaggedError("ConnectionCut")<{
  readonly amid: HttpServerResponse.HttpServerResponse | undefined
}> {}

/** The error that the document of this request is to end with. */
export class DocumentError extends Context.Reference<DocumentError>()("effect-translate/DocumentError", {
  defaultValue: (): string | undefined => undefined
}) {}

interface Scripted {
  readonly fault: Fault.Fault
  /** Requests that are still let through. */
  spared: number
  left: number
}

/** The faults that are still to come, in their order. */
export class FaultScript {
  private scripted: ReadonlyArray<Scripted> = []

  get isEmpty(): boolean {
    return this.scripted.length === 0
  }

  add(faults: ReadonlyArray<Fault.Fault>): void {
    this.scripted = [
      ...this.scripted,
      ...faults.map((fault) => ({ fault, spared: fault.after, left: fault.times }))
    ].filter(({ left }) => left > 0)
  }

  clear(): void {
    this.scripted = []
  }

  /** The first fault that matches this request, which uses up one of its repetitions. */
  readonly take = (incoming: Fault.Incoming): Effect.Effect<Fault.Fault | undefined> =>
    Effect.gen(this, function* () {
      for (const entry of this.scripted) {
        const { match, probability } = entry.fault
        if (!match(incoming)) continue
        if (entry.spared > 0) {
          entry.spared--
          continue
        }
        if (probability < 1 && (yield* Random.next) >= probability) continue
        if (entry.left <= 0) continue
        entry.left--
        if (entry.left <= 0) this.scripted = this.scripted.filter((other) => other !== entry)
        return entry.fault
      }
      return undefined
    })
}

/** The answer with another body. */
const withBody = (response: HttpServerResponse.HttpServerResponse, body: Uint8Array) =>
  HttpServerResponse.uint8Array(body, {
    status: response.status,
    contentType: response.headers["content-type"] ?? "application/json"
  })

export const half = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, bytes.length >> 1)

/** Changes the list of the answer, which is its first property that is an array. */
const changeList = (bytes: Uint8Array, change: (list: Array<unknown>) => void): Uint8Array => {
  const answer = JSON.parse(new TextDecoder().decode(bytes)) as { [key: string]: unknown }
  const list = Object.values(answer).find(Array.isArray)
  if (list !== undefined) change(list)
  return new TextEncoder().encode(JSON.stringify(answer))
}

const distort = {
  short: (bytes: Uint8Array) => changeList(bytes, (list) => void list.pop()),
  long: (bytes: Uint8Array) => changeList(bytes, (list) => void list.push(list.at(-1))),
  truncate: half
}

const mistranslate =
  ({ answer }: Fault.Kind & { _tag: "Mistranslate" }, texts: ReadonlyArray<string>) =>
  (bytes: Uint8Array) =>
    changeList(bytes, (list) => {
      ;(list as Array<{ text?: string }>).forEach((item, index) => {
        item.text = answer(texts[index] ?? "", item.text ?? "")
      })
    })

/** The answer with another body, if it is a success. */
const changed = (
  response: HttpServerResponse.HttpServerResponse,
  change: (bytes: Uint8Array) => Uint8Array
): HttpServerResponse.HttpServerResponse => {
  const bytes = bytesOf(response)
  return response.status >= 300 || bytes.length === 0 ? response : withBody(response, change(bytes))
}

const pauseAmid = (kind: Fault.Kind & { _tag: "Slow" }, response: HttpServerResponse.HttpServerResponse) => {
  const bytes = bytesOf(response)
  const first = half(bytes)
  return HttpServerResponse.stream(
    Stream.concat(
      Stream.succeed(first),
      Stream.fromEffect(Effect.delay(Effect.succeed(bytes.subarray(first.length)), kind.duration))
    ),
    {
      status: response.status,
      contentType: response.headers["content-type"],
      contentLength: bytes.length
    }
  )
}

/** Applies a fault to the work. */
export const applyTo = <E, R>(
  { kind }: Fault.Fault,
  texts: ReadonlyArray<string>,
  work: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, E | ConnectionCut, R> => {
  switch (kind._tag) {
    case "Answer": {
      const { body, headers, status } = kind
      const answer =
        body === ""
          ? HttpServerResponse.empty({ status, headers })
          : HttpServerResponse.text(body, { status, headers })
      return kind.when === "before" ? Effect.succeed(answer) : Effect.as(work, answer)
    }
    case "Cut":
      return kind.when === "before"
        ? new ConnectionCut({ amid: undefined })
        : Effect.flatMap(
            work,
            (response) => new ConnectionCut({ amid: kind.when === "after" ? undefined : response })
          )
    case "Slow":
      switch (kind.when) {
        case "before":
          return Effect.delay(work, kind.duration)
        case "after":
          return Effect.zipLeft(work, Effect.sleep(kind.duration))
        case "mid-body":
          return Effect.map(work, (response) => pauseAmid(kind, response))
      }
      break
    case "DocumentError":
      return Effect.provideService(work, DocumentError, kind.message)
    case "Distort":
      return Effect.map(work, (response) => changed(response, distort[kind.how]))
    case "Mistranslate":
      return Effect.map(work, (response) => changed(response, mistranslate(kind, texts)))
  }
}
