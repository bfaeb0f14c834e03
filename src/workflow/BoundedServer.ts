/**
 * Servers of Node whose clients can't take handles for as long as they like.
 *
 * @since 0.1.0
 */
import * as Http from "node:http"
import type { Socket } from "node:net"

/** The bytes that have to move in that time: a client that sends one now and then is as good as gone. */
const least = 1024

/** A server's bounds for its clients. */
interface Options {
  /** The time that the headers of a request may take, and that a body or an answer may stand still. In milliseconds. */
  readonly patience?: number
  /** Of 1,024 handles that a process has unless it was given more. */
  readonly mostConnections?: number
}

const timedOut = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n"

/** The exchange on a connection, and how far it was when it last moved. */
class Connection {
  private exchange:
    | { readonly request: Http.IncomingMessage; readonly response: Http.ServerResponse }
    | undefined
  private moved = 0
  private movedAt = performance.now()

  constructor(readonly socket: Socket) {}

  get isIdle(): boolean {
    return this.exchange === undefined
  }

  begin(request: Http.IncomingMessage, response: Http.ServerResponse): void {
    this.exchange = { request, response }
    this.movedAt = performance.now()
    response.once("close", () => {
      // A body that nobody has read goes on to come.
      if (request.complete) this.exchange = undefined
    })
  }

  /** True if the client has left a body unsent, or an answer unread, for too long. */
  isStuck(now: number, patience: number): boolean {
    const { exchange, socket } = this
    if (exchange === undefined) return false
    const { request, response } = exchange
    const isAnswered = response.writableFinished
    if (isAnswered && request.complete) this.exchange = undefined
    const isOurs = request.readableLength >= request.readableHighWaterMark
    const waitsForClient = (!request.complete && (isAnswered || !isOurs)) || socket.writableLength > 0
    const moved = socket.bytesRead + socket.bytesWritten - socket.writableLength
    if (!waitsForClient || (moved >= this.moved + least && !isAnswered)) {
      this.moved = moved
      this.movedAt = now
    }
    return now - this.movedAt >= patience
  }

  cut(): void {
    if (this.exchange?.response.headersSent === false)
      this.socket.write(timedOut, () => this.socket.destroy())
    else this.socket.destroy()
  }
}

/**
 * A server that gives a client 30 seconds for the headers of a request, and as long for each KiB of a body or of an answer. It holds 500
 * connections: another one takes the place of the one that has been idle the longest, and is closed if all are at work. Connections between
 * requests stay open.
 *
 * @internal
 */
export const make = ({ mostConnections = 500, patience = 30_000 }: Options = {}): Http.Server => {
  const interval = Math.min(1000, patience)
  const server = Http.createServer({
    headersTimeout: patience,
    requestTimeout: 0,
    // A client that was kept busy for seconds would send its next request into a connection that is closed just then.
    keepAliveTimeout: 0,
    connectionsCheckingInterval: interval
  })
  /** Those that were used last come last. */
  const connections = new Map<Socket, Connection>()
  server.on("connection", (socket) => {
    connections.set(socket, new Connection(socket))
    socket.once("close", () => connections.delete(socket))
    if (connections.size <= mostConnections) return
    const idle = [...connections.values()].find((one) => one.socket !== socket && one.isIdle)
    ;(idle?.socket ?? socket).destroy()
  })
  server.on("request", (request, response) => {
    const connection = connections.get(request.socket)
    if (connection === undefined) return
    connections.delete(request.socket)
    connections.set(request.socket, connection)
    connection.begin(request, response)
  })
  const timer = setInterval(() => {
    const now = performance.now()
    for (const connection of connections.values()) if (connection.isStuck(now, patience)) connection.cut()
  }, interval).unref()
  server.once("close", () => clearInterval(timer))
  return server
}
