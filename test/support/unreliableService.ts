/** A service over a real socket that translates and improves texts and has documents, but for what a test does to a request. */
import { createServer, type Server } from "node:http"
import type { AddressInfo, Server as SocketServer } from "node:net"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/**
 * What becomes of a request: an answer, the page of a proxy with status 200, no connection any more, nothing at all, or a
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

export class UnreliableService {
  /** All requests with texts, also those that are under way. */
  readonly seen: Array<Seen> = []
  /** The bodies of uploads. */
  readonly uploads: Array<string> = []
  downloads = 0
  requests = 0
  readonly server: Server
  private port = 0

  constructor(private readonly faults: Faults) {
    this.server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      const parts: Array<Buffer> = []
      request.on("error", () => {})
      request.on("data", (part) => parts.push(part))
      request.on("end", async () => {
        const path = request.url!
        const body = Buffer.concat(parts).toString()
        const texts: ReadonlyArray<string> = isBulk(path) ? JSON.parse(body).text : []
        const seen: Seen = { index: ++this.requests, path, texts, what: undefined }
        if (isBulk(path)) this.seen.push(seen)
        const what = await this.faults(seen, this)
        seen.what = what
        if (what === "silence") return
        if (what === "cut") return request.socket.destroy()
        if (typeof what === "number") return response.writeHead(what).end()
        if (typeof what === "object") {
          return response.writeHead(what.status, { "retry-after": String(what.retryAfter) }).end()
        }
        const answer = what === "page" ? "<html>Sign in</html>" : this.answer(path, body, texts)
        if (answer === undefined) return response.writeHead(404).end()
        const isText = typeof answer === "string"
        response.setHeader("content-type", isText ? "text/plain" : "application/json")
        response.end(isText ? answer : JSON.stringify(answer))
      })
    })
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** The texts of the requests that were not answered. */
  get unanswered(): ReadonlyArray<string> {
    return this.seen.filter(({ what }) => what !== "ok").flatMap(({ texts }) => texts)
  }

  /** How many requests were not answered. */
  get failed(): number {
    return this.seen.filter(({ what }) => what !== "ok").length
  }

  async open(): Promise<this> {
    this.port = await listen(this.server, this.port)
    return this
  }

  /** Accepts no connections for so long, and cuts those that are open. */
  refuse(millis: number): void {
    this.server.close()
    setImmediate(() => this.server.closeAllConnections())
    if (Number.isFinite(millis)) setTimeout(() => this.open(), millis)
  }

  private answer(path: string, body: string, texts: ReadonlyArray<string>): unknown {
    if (isBulk(path)) return answerTexts(path, texts)
    if (path === "/v2/document") {
      return { document_id: `${this.port}-${this.uploads.push(body)}`, document_key: "K1" }
    }
    const id = path.split("/")[3]!
    // A document of another service is unknown.
    if (!id.startsWith(`${this.port}-`)) return undefined
    if (!path.endsWith("/result")) return { document_id: id, status: "done", billed_characters: 5 }
    this.downloads++
    return "Hallo"
  }
}

export const make = (faults: Faults = () => "ok"): Effect.Effect<UnreliableService, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => new UnreliableService(faults).open()),
    ({ server }) =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
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
