/**
 * A plain `node:http` server that records every request as it came and answers from a script. It knows nothing of the
 * contract: what a test expects of a request is written by hand from the specification.
 */
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** A request as it came. */
export interface Recorded {
  readonly method: string
  /** Path and query, raw. */
  readonly path: string
  readonly headers: Http.IncomingHttpHeaders
  /** Names and values as they stood on the wire. */
  readonly rawHeaders: ReadonlyArray<string>
  /** The body's bytes; those that came, if the client went away. */
  readonly body: Buffer
  readonly text: string
  /** Done once the connection of this request is closed. */
  readonly closed: Effect.Effect<void>
}

/** An answer of the script. */
export interface Scripted {
  readonly status?: number
  readonly headers?: Http.OutgoingHttpHeaders
  /** @default an empty body; anything but a string or bytes is sent as JSON */
  readonly body?: unknown
  /** Milliseconds before the headers. */
  readonly delay?: number
  /** Milliseconds between the headers and the body. */
  readonly bodyDelay?: number
  /**
   * Cuts the connection: instead of an answer, after the headers and half of the body, or never answers (`hang`) or
   * never ends the answer after its headers (`hang-body`).
   */
  readonly cut?: "before" | "mid-body" | "hang" | "hang-body"
}

export interface Service {
  readonly url: string
  /** Appends answers. Each is used once; after the last one every request is answered 418. */
  readonly answer: (...answers: ReadonlyArray<Scripted>) => Effect.Effect<void>
  /** What came so far. */
  readonly requests: Effect.Effect<ReadonlyArray<Recorded>>
  /** Waits for the request of this index, from 0. */
  readonly request: (index: number) => Effect.Effect<Recorded>
  /** Bytes that came over all connections. */
  readonly bytesRead: Effect.Effect<number>
}

export class RecordingServer extends Context.Tag("test/RecordingServer")<RecordingServer, Service>() {}

const bytesOf = (body: unknown): Buffer =>
  body === undefined
    ? Buffer.alloc(0)
    : Buffer.isBuffer(body)
      ? body
      : Buffer.from(typeof body === "string" ? body : JSON.stringify(body))

const respond = (scripted: Scripted, request: Http.IncomingMessage, response: Http.ServerResponse) => {
  if (scripted.cut === "hang") return
  if (scripted.cut === "before") return request.socket.destroy()
  const body = bytesOf(scripted.body)
  const type = typeof scripted.body === "string" ? "text/plain" : "application/json"
  response.writeHead(scripted.status ?? 200, {
    "content-type": type,
    "content-length": body.length,
    ...scripted.headers
  })
  if (scripted.cut === undefined && scripted.bodyDelay === undefined) return response.end(body)
  response.flushHeaders()
  if (scripted.bodyDelay !== undefined) {
    setTimeout(() => response.end(body), scripted.bodyDelay)
    return
  }
  response.write(body.subarray(0, body.length >> 1), () => {
    if (scripted.cut === "mid-body") request.socket.destroy()
  })
}

const make = Effect.gen(function* () {
  const answers: Array<Scripted> = []
  const requests: Array<Recorded> = []
  const waiting = new Map<number, Deferred.Deferred<Recorded>>()
  const sockets = new Set<import("node:net").Socket>()
  const arrived = (index: number) => {
    const found = waiting.get(index) ?? Deferred.unsafeMake<Recorded>(undefined as never)
    waiting.set(index, found)
    return found
  }
  const server = Http.createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const parts: Array<Buffer> = []
    const closed = Deferred.unsafeMake<void>(undefined as never)
    const close = () => Deferred.unsafeDone(closed, Effect.void)
    request.socket.once("close", close)
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("error", () => {})
    request.once("end", () => {
      const body = Buffer.concat(parts)
      const recorded: Recorded = {
        method: request.method!,
        path: request.url!,
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        body,
        text: body.toString("utf8"),
        closed: Deferred.await(closed)
      }
      const scripted = answers.shift() ?? { status: 418, body: { message: "The script is over" } }
      requests.push(recorded)
      Deferred.unsafeDone(arrived(requests.length - 1), Effect.succeed(recorded))
      if (scripted.delay === undefined) respond(scripted, request, response)
      else setTimeout(() => respond(scripted, request, response), scripted.delay)
    })
  })
  server.on("connection", (socket) => {
    // One listener for each request of a connection that is kept alive.
    socket.setMaxListeners(0)
    sockets.add(socket)
  })
  yield* Effect.acquireRelease(
    Effect.async<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  return RecordingServer.of({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (...more) => Effect.sync(() => void answers.push(...more)),
    requests: Effect.sync(() => [...requests]),
    request: (index) => Deferred.await(arrived(index)),
    bytesRead: Effect.sync(() => [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0))
  })
})

/** A recording server on a free port. */
export const layer: Layer.Layer<RecordingServer> = Layer.scoped(RecordingServer, make)

export const answer = (...answers: ReadonlyArray<Scripted>) =>
  Effect.flatMap(RecordingServer, (server) => server.answer(...answers))

/** The requests that came so far. */
export const requests = Effect.flatMap(RecordingServer, (server) => server.requests)

/** The only request that came. */
export const onlyRequest = Effect.flatMap(requests, (all) =>
  all.length === 1 ? Effect.succeed(all[0]!) : Effect.dieMessage(`${all.length} requests came instead of one`)
)
