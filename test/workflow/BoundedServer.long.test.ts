/** Clients of a server that send slowly, read slowly or not at all, or are many. */
import type { IncomingMessage, ServerResponse } from "node:http"
import * as Net from "node:net"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as BoundedServer from "../../src/workflow/BoundedServer.js"

const patience = 400

/** A server on a free port, and raw connections to it. */
const served = (
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  options: { readonly mostConnections?: number } = {}
) =>
  Effect.gen(function* () {
    const server = BoundedServer.make({ patience, ...options }).on("request", answer)
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.async<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    )
    const { port } = server.address() as Net.AddressInfo
    return {
      connect: Effect.acquireRelease(
        Effect.promise(() => connected(port)),
        ({ socket }) => Effect.sync(() => socket.destroy())
      )
    }
  })

const connected = (port: number) =>
  new Promise<Client>((resolve) => {
    const socket = Net.connect(port, "127.0.0.1", () => resolve(client))
    const client = new Client(socket)
  })

class Client {
  text = ""
  private readonly closed: Promise<void>
  private wake = () => {}

  constructor(readonly socket: Net.Socket) {
    socket.on("data", (data) => {
      this.text += String(data)
      this.wake()
    })
    socket.on("error", () => {})
    this.closed = new Promise((resolve) => socket.once("close", () => resolve()))
  }

  /** The bytes that came until the server ended the connection. */
  get end() {
    return Effect.map(
      Effect.promise(() => this.closed),
      () => this.text
    )
  }

  until(part: string) {
    return Effect.promise(async () => {
      while (!this.text.includes(part))
        await new Promise<void>((resolve) => {
          this.wake = resolve
        })
    })
  }

  /** Sends a byte now and then, for ever. */
  trickle() {
    const timer = setInterval(() => this.socket.write("a"), 50)
    this.socket.once("close", () => clearInterval(timer))
  }
}

const echo = (request: IncomingMessage, response: ServerResponse) => {
  let size = 0
  request.on("data", (data: Buffer) => {
    size += data.length
  })
  request.on("end", () => response.end(`${size} bytes`))
}

const head = (length: number) => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`

describe("a server", () => {
  it.scopedLive("ends a connection on which nothing comes, and one whose headers come byte by byte", () =>
    Effect.gen(function* () {
      const { connect } = yield* served(echo)
      yield* (yield* connect).end
      const slow = yield* connect
      slow.socket.write("GET / HTTP/1.1\r\nX-")
      slow.trickle()
      expect(yield* slow.end).toMatch(/^HTTP\/1.1 408 /)
    })
  )

  it.scopedLive("ends one whose second request never ends its headers", () =>
    Effect.gen(function* () {
      const { connect } = yield* served(echo)
      const slow = yield* connect
      slow.socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      yield* slow.until("0 bytes")
      slow.socket.write("GET / HTTP/1.1\r\nX-")
      slow.trickle()
      expect(yield* slow.end).toContain("HTTP/1.1 408 ")
    })
  )

  it.scopedLive("ends one whose body stops, and one whose body comes byte by byte", () =>
    Effect.gen(function* () {
      const { connect } = yield* served(echo)
      const [stopped, slow] = [yield* connect, yield* connect]
      stopped.socket.write(`${head(1000)}abc`)
      slow.socket.write(head(1000))
      slow.trickle()
      expect(yield* stopped.end).toMatch(/^HTTP\/1.1 408 /)
      expect(yield* slow.end).toMatch(/^HTTP\/1.1 408 /)
    })
  )

  it.scopedLive("takes a body that takes longer and comes on", () =>
    Effect.gen(function* () {
      const { connect } = yield* served(echo)
      const client = yield* connect
      client.socket.write(head(12 * 2000))
      for (let part = 0; part < 12; part++) {
        client.socket.write("a".repeat(2000))
        yield* Effect.sleep(patience / 4)
      }
      yield* client.until("24000 bytes")
    })
  )

  it.scopedLive("ends one that goes on sending after its answer, and one that does not read its answer", () =>
    Effect.gen(function* () {
      const { connect } = yield* served((request, response) => {
        if (request.method === "POST") response.end("refused")
        else response.end(Buffer.alloc(50_000_000))
      })
      const endless = yield* connect
      endless.socket.write(head(1_000_000_000))
      endless.trickle()
      expect(yield* endless.end).toContain("refused")
      const deaf = yield* connect
      deaf.socket.pause()
      deaf.socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      const isGone = Effect.async<void>((resume) => {
        const probe = setInterval(() => deaf.socket.write("a"), 50)
        deaf.socket.once("close", () => {
          clearInterval(probe)
          resume(Effect.void)
        })
      })
      yield* isGone
    })
  )

  it.scopedLive("waits for its own answer, and keeps a connection between requests", () =>
    Effect.gen(function* () {
      const { connect } = yield* served(
        (_, response) => void setTimeout(() => response.end("late"), 2 * patience)
      )
      const client = yield* connect
      client.socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      yield* client.until("late")
      yield* Effect.sleep(2 * patience)
      client.text = ""
      client.socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      yield* client.until("late")
    })
  )

  it.scopedLive(
    "gives the place of an idle connection to a new one, and refuses one if all are at work",
    () =>
      Effect.gen(function* () {
        const { connect } = yield* served(
          (request, response) => {
            if (request.url === "/now") response.end("done")
            else response.write("begun")
          },
          { mostConnections: 2 }
        )
        const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
        const [idle, busy] = [yield* connect, yield* connect]
        idle.socket.write(ask("/now"))
        busy.socket.write(ask("/later"))
        yield* idle.until("done")
        yield* busy.until("begun")
        const third = yield* connect
        yield* idle.end
        third.socket.write(ask("/later"))
        yield* third.until("begun")
        yield* (yield* connect).end
        expect(busy.socket.destroyed).toBe(false)
      })
  )
})
