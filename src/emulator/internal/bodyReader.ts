import { IncomingMessage } from "node:http"
import * as HttpMethod from "@effect/platform/HttpMethod"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { ConnectionCut } from "./faults.js"

/** A body, or the part of it that arrived before it was found to be too large. */
export interface Received {
  /** Nothing of a body that is too large. */
  readonly content: Uint8Array
  /** Bytes that arrived. */
  readonly size: number
  readonly isTooLarge: boolean
}

const nothing: Received = { content: new Uint8Array(), size: 0, isTooLarge: false }

/** Collects the parts of a body up to its limit. */
class Collector {
  private parts: Array<Uint8Array> = []
  private size = 0

  constructor(private readonly limit: number) {}

  /** Adds a part, and returns `true` if more may come. */
  add(part: Uint8Array): boolean {
    this.size += part.length
    if (this.size <= this.limit) this.parts.push(part)
    else this.parts = []
    return this.size <= this.limit
  }

  received(): Received {
    const { limit, parts, size } = this
    return { content: Buffer.concat(parts), size, isTooLarge: size > limit }
  }
}

const gone = new ConnectionCut({ amid: undefined })

/** The platform's own reading destroys the connection of a body that is not read to its end. */
const readNode = (source: IncomingMessage, limit: number): Effect.Effect<Received, ConnectionCut> =>
  Effect.async((resume) => {
    const collector = new Collector(limit)
    const stop = () => {
      source.off("data", onData).off("end", onEnd).off("close", onGone)
      // Later bytes of it are thrown away.
      source.resume()
    }
    const onEnd = () => {
      stop()
      resume(Effect.succeed(collector.received()))
    }
    const onData = (part: Uint8Array) => {
      if (!collector.add(part)) onEnd()
    }
    const onGone = () => {
      stop()
      resume(gone)
    }
    source.on("error", () => {})
    source.on("data", onData).on("end", onEnd).on("close", onGone)
    return Effect.sync(stop)
  })

const readWeb = (
  { source, stream }: HttpServerRequest.HttpServerRequest,
  limit: number
): Effect.Effect<Received, ConnectionCut> =>
  Effect.suspend(() => {
    if ((source as Request).body === null) return Effect.succeed(nothing)
    const collector = new Collector(limit)
    return stream.pipe(
      Stream.takeWhile((part) => collector.add(part)),
      Stream.runDrain,
      Effect.mapBoth({ onSuccess: () => collector.received(), onFailure: () => gone })
    )
  })

/** Reads a body of at most this many bytes. It fails only if the client has gone, and then nobody waits for an answer. */
export const readBody = (
  request: HttpServerRequest.HttpServerRequest,
  limit: number
): Effect.Effect<Received, ConnectionCut> =>
  !HttpMethod.hasBody(request.method)
    ? Effect.succeed(nothing)
    : request.source instanceof IncomingMessage
      ? readNode(request.source, limit)
      : readWeb(request, limit)
