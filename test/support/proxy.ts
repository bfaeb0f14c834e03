/** An HTTP proxy that records what it is asked for, and a service behind TLS with a certificate that it has signed itself. */
import { readFileSync } from "node:fs"
import * as Http from "node:http"
import * as Net from "node:net"
import * as Tls from "node:tls"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

const fileOf = (name: string) => fileURLToPath(new URL(`tls/${name}`, import.meta.url))

/** The certificate for `service.test`, valid from 2024 for 100 years. */
export const certificate = fileOf("selfSigned.pem")

const listening = (server: Net.Server, sockets: Set<Net.Socket>) =>
  Effect.acquireRelease(
    Effect.async<number>((resume) => {
      server.on("connection", (socket) => {
        sockets.add(socket)
        socket.on("error", () => {})
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as Net.AddressInfo).port)))
    }),
    () =>
      Effect.async<void>((resume) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resume(Effect.void))
      })
  )

const join = (one: Net.Socket, other: Net.Socket) => {
  one.on("error", () => other.destroy()).pipe(other)
  other.on("error", () => one.destroy()).pipe(one)
}

/** TLS before a port of this machine: the port of `https://service.test`. */
export const tlsBefore = (port: number): Effect.Effect<number, never, Scope.Scope> => {
  const identity = { cert: readFileSync(certificate), key: readFileSync(fileOf("selfSigned.key.pem")) }
  const server = Tls.createServer(identity, (socket) => join(socket, Net.connect(port, "127.0.0.1")))
  return listening(
    server.on("tlsClientError", () => {}),
    new Set()
  )
}

export interface Options {
  /** Where every tunnel and every request goes, whatever host it is for. */
  readonly to: number
  /** The `name:password` that it asks for. @default nobody needs one */
  readonly password?: string | undefined
  /** What it answers to whoever wants a tunnel, if it gives none. */
  readonly refusal?: number | undefined
}

/** A proxy on a free port: what it was asked for, such as `CONNECT service.test:443`, and the credentials that came with it. */
export const make = ({ password, refusal, to }: Options) =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const sockets = new Set<Net.Socket>()
    const statusOf = (request: Http.IncomingMessage): number | undefined => {
      asked.push(`${request.method} ${request.url}`)
      const expected = password && `Basic ${Buffer.from(password).toString("base64")}`
      return request.headers["proxy-authorization"] === expected ? refusal : 407
    }
    const server = Http.createServer((request, response) => {
      const status = statusOf(request)
      if (status !== undefined) return response.writeHead(status).end()
      const { "proxy-authorization": _, ...headers } = request.headers
      const { pathname, search } = new URL(request.url!)
      request.pipe(
        Http.request(
          { port: to, host: "127.0.0.1", method: request.method, path: pathname + search, headers },
          (answer) => answer.pipe(response.writeHead(answer.statusCode!, answer.headers))
        )
      )
    })
    server.on("connect", (request: Http.IncomingMessage, socket: Net.Socket) => {
      const status = statusOf(request)
      if (status !== undefined) return socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`)
      const target = Net.connect(to, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n")
        join(socket, target)
      })
      sockets.add(target)
    })
    const port = yield* listening(server, sockets)
    return {
      address: `http://127.0.0.1:${port}`,
      /** The address with these credentials, which are percent-encoded. */
      addressWith: (credentials: string) => `http://${credentials}@127.0.0.1:${port}`,
      asked: Effect.sync(() => [...asked])
    }
  })
