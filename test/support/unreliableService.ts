/** A service that translates and improves texts and has documents, but for what a test does to a request: in the process, or over a socket. */
import { createServer, type Server } from "node:http"
import type { AddressInfo, Server as SocketServer } from "node:net"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { whenAborted } from "./scriptedClient.js"

/**
 * The outcome of a request: an answer, the page of a proxy with status 200, no connection any more, nothing at all, or a
 * status without a body.
 */
export type What =
  | "ok"
  | "page"
  | "cut"
  | "silence"
  | number
  | { readonly status: number; readonly retryAfter: number }

export interface Request {
  /** From 1. */
  readonly index: number
  readonly path: string
  /** None of a document. */
  readonly texts: ReadonlyArray<string>
}

/** Says what becomes of a request, at once or later. */
export type Faults = (request: Request, service: UnreliableService) => What | Promise<What>

/** A request that is over. */
export interface Seen extends Request {
  what: What | undefined
}

const isBulk = (path: string) => path.endsWith("/translate") || path.includes("/write/")

const answerTexts = (path: string, texts: ReadonlyArray<string>) =>
  path.endsWith("/translate")
    ? {
        translations: texts.map((text) => ({
          text: `<${text}>`,
          detected_source_language: "EN",
          billed_characters: text.length
        }))
      }
    : { improvements: texts.map((text) => ({ text: `<${text}>`, target_language: "EN" })) }

/** Opens a server on a port; on a free one by default. */
export const listen = (server: SocketServer, port = 0): Promise<number> =>
  new Promise((resolve) => {
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port))
  })

/** Says something after some milliseconds. */
export const later = <A>(millis: number, what: () => A): Promise<A> =>
  new Promise((resolve) => setTimeout(() => resolve(what()), millis))

interface Answer {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: string
}

const answerOf = (body: unknown): Answer =>
  body === undefined
    ? { status: 404 }
    : typeof body === "string"
      ? { status: 200, headers: { "content-type": "text/plain" }, body }
      : { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(body) }

export abstract class UnreliableService {
  /** All requests with texts, also those that are under way. */
  readonly seen: Array<Seen> = []
  /** The bodies of uploads. */
  readonly uploads: Array<string> = []
  downloads = 0
  requests = 0

  constructor(private readonly faults: Faults) {}

  abstract readonly url: string

  /** Accepts no connections for so long, and cuts those that are open. */
  abstract refuse(millis: number): void

  /** The texts of the requests that were not answered. */
  get unanswered(): ReadonlyArray<string> {
    return this.seen.filter(({ what }) => what !== "ok").flatMap(({ texts }) => texts)
  }

  /** How many requests were not answered. */
  get failed(): number {
    return this.seen.filter(({ what }) => what !== "ok").length
  }

  async answerTo(path: string, body: string): Promise<Answer | "cut" | "silence"> {
    const texts: ReadonlyArray<string> = isBulk(path) ? JSON.parse(body).text : []
    const seen: Seen = { index: ++this.requests, path, texts, what: undefined }
    if (isBulk(path)) this.seen.push(seen)
    const what = await this.faults(seen, this)
    seen.what = what
    if (what === "cut" || what === "silence") return what
    if (what === "ok") return answerOf(this.answer(path, body, texts))
    if (what === "page") return answerOf("<html>Sign in</html>")
    if (typeof what === "number") return { status: what }
    return { status: what.status, headers: { "retry-after": String(what.retryAfter) } }
  }

  private answer(path: string, body: string, texts: ReadonlyArray<string>): unknown {
    if (isBulk(path)) return answerTexts(path, texts)
    const own = `${new URL(this.url).host}-`
    if (path === "/v2/document") {
      return { document_id: `${own}${this.uploads.push(body)}`, document_key: "K1" }
    }
    const id = decodeURIComponent(path.split("/")[3]!)
    // A document of another service is unknown.
    if (!id.startsWith(own)) return undefined
    if (!path.endsWith("/result")) return { document_id: id, status: "done", billed_characters: 5 }
    this.downloads++
    return "Hallo"
  }
}

/** Listens on a free port. */
class ServedService extends UnreliableService {
  readonly server: Server
  private port = 0

  constructor(faults: Faults) {
    super(faults)
    this.server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      const parts: Array<Buffer> = []
      request.on("error", () => {})
      request.on("data", (part) => parts.push(part))
      request.on("end", async () => {
        const answer = await this.answerTo(request.url!, Buffer.concat(parts).toString())
        if (answer === "silence") return
        if (answer === "cut") return request.socket.destroy()
        response.writeHead(answer.status, answer.headers).end(answer.body)
      })
    })
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async open(): Promise<this> {
    this.port = await listen(this.server, this.port)
    return this
  }

  refuse(millis: number): void {
    this.server.close()
    setImmediate(() => this.server.closeAllConnections())
    if (Number.isFinite(millis)) setTimeout(() => this.open(), millis)
  }
}

/** A service on a free port, for tests of connections. */
export const makeServed = (faults: Faults): Effect.Effect<UnreliableService, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => new ServedService(faults).open()),
    ({ server }) =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )

const services = new Map<string, LocalService>()

/** Is reached by `transport`. */
class LocalService extends UnreliableService {
  readonly url = `http://service-${services.size + 1}.test`
  isRefusing = false

  refuse(millis: number): void {
    this.isRefusing = true
    if (Number.isFinite(millis)) {
      setTimeout(() => {
        this.isRefusing = false
      }, millis)
    }
  }
}

/** A service in the process, for `it.virtual`. */
export const make = (faults: Faults = () => "ok"): Effect.Effect<UnreliableService> =>
  Effect.sync(() => {
    const service = new LocalService(faults)
    services.set(new URL(service.url).origin, service)
    return service
  })

const bodyOf = ({ body }: HttpClientRequest.HttpClientRequest) => {
  switch (body._tag) {
    case "Uint8Array":
      return Effect.succeed(new TextDecoder().decode(body.body))
    case "Stream":
      return Stream.mkString(Stream.decodeText(body.stream))
    default:
      return Effect.succeed(body._tag === "Raw" ? String(body.body) : "")
  }
}

/** Reaches all services of `make`. */
export const transport: Layer.Layer<HttpClient.HttpClient> = Layer.succeed(
  HttpClient.HttpClient,
  HttpClient.make((request, url, signal) =>
    Effect.gen(function* () {
      const service = services.get(url.origin)!
      const failed = (code: string) =>
        new HttpClientError.RequestError({
          request,
          reason: "Transport",
          cause: Object.assign(new Error(code), { code })
        })
      if (service.isRefusing) return yield* failed("ECONNREFUSED")
      const body = yield* Effect.orDie(bodyOf(request))
      const answer = yield* Effect.promise(() => service.answerTo(url.pathname, body))
      if (answer === "silence") return yield* Effect.never
      if (answer === "cut") return yield* failed("ECONNRESET")
      return HttpClientResponse.fromWeb(request, new Response(answer.body ?? null, answer))
    }).pipe(Effect.raceFirst(whenAborted(request, signal)))
  )
)

/** Is down from a request on, for so long. */
export const outage = (what: What | "refused", from: number, millis = Number.POSITIVE_INFINITY): Faults => {
  let isDown = false
  return ({ index }, service) => {
    if (index === from) {
      isDown = true
      if (what === "refused") service.refuse(millis)
      if (Number.isFinite(millis)) {
        setTimeout(() => {
          isDown = false
        }, millis)
      }
    }
    return !isDown ? "ok" : what === "refused" ? "cut" : what
  }
}
