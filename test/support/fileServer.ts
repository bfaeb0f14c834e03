/** Servers of files on this machine. */
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"

/** A server, and where it is. */
export const serverOf = (answer: Http.RequestListener) =>
  Effect.acquireRelease(
    Effect.async<{ readonly server: Http.Server; readonly origin: string }>((resume) => {
      const server = Http.createServer({ keepAliveTimeout: 0 }, answer)
      server.listen(0, "127.0.0.1", () =>
        resume(
          Effect.succeed({ server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
        )
      )
    }),
    ({ server }) =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )

/** Answers with bytes and their parts. */
export const withParts =
  (of: () => string | Uint8Array, etag: () => string): Http.RequestListener =>
  ({ headers }, response) => {
    const [, start, end] = /bytes=(\d+)-(\d+)/.exec(headers.range ?? "") ?? []
    const from = Number(start ?? 0)
    const to = Math.min(Number(end ?? of().length - 1), of().length - 1)
    response
      .writeHead(206, {
        etag: etag(),
        "content-range": `bytes ${from}-${to}/${of().length}`,
        "content-length": to + 1 - from
      })
      .end(of().slice(from, to + 1))
  }
