/** A bare `node:net` server that writes what no well-meaning server would. Expectations are written by hand. */
import * as Net from "node:net"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"

export const transports: ReadonlyArray<readonly [string, Layer.Layer<HttpClient.HttpClient>]> = [
  ["undici", NodeHttpClient.layerUndici],
  ["node", NodeHttpClient.layer],
  ["fetch", FetchHttpClient.layer]
]

export interface RawServer {
  readonly url: string
  /** Bytes that were handed to sockets. */
  readonly written: () => number
  readonly requests: () => number
  /** Connections that are open. */
  readonly open: () => number
}

/** Calls `respond` when the first bytes of a request come. */
export const make = (
  respond: (socket: Net.Socket, request: number) => void
): Effect.Effect<RawServer, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<{
        server: Net.Server
        sockets: Set<Net.Socket>
        counts: { requests: number }
      }>((resume) => {
        const sockets = new Set<Net.Socket>()
        const counts = { requests: 0 }
        const server = Net.createServer((socket) => {
          sockets.add(socket)
          socket.on("error", () => {})
          // A request whose body comes apart from its head is one request.
          socket.on("data", (bytes) => {
            if (/^(GET|POST|PUT|PATCH|DELETE) /.test(bytes.toString("latin1", 0, 8)))
              respond(socket, counts.requests++)
          })
        })
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed({ server, sockets, counts })))
      }),
      ({ server, sockets }) =>
        Effect.sync(() => {
          for (const socket of sockets) socket.destroy()
          server.close()
        })
    ),
    ({ counts, server, sockets }) => ({
      url: `http://127.0.0.1:${(server.address() as Net.AddressInfo).port}`,
      written: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, 0),
      requests: () => counts.requests,
      open: () => [...sockets].filter((socket) => !socket.destroyed).length
    })
  )

export const head = (status: number, headers: Record<string, string | number> = {}): string =>
  `HTTP/1.1 ${status} Status\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`

/** A whole answer of a known length. */
export const answer = (
  socket: Net.Socket,
  body: string | Buffer,
  { headers, status = 200 }: { status?: number; headers?: Record<string, string | number> } = {}
) => {
  const bytes = Buffer.from(body as string)
  socket.write(head(status, { "content-length": bytes.length, ...headers }))
  socket.write(bytes)
}

const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`

/** Chunks of 64 KiB for as long as somebody reads them. */
export const endless = (socket: Net.Socket, status: number) => {
  socket.write(head(status, { "transfer-encoding": "chunked", "content-type": "application/json" }))
  const pour = () => {
    while (!socket.destroyed && socket.write(chunk));
    socket.once("drain", pour)
  }
  pour()
}
