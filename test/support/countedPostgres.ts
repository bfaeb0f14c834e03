/** A way to PostgreSQL that counts what its clients ask for. */
import * as Net from "node:net"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { postgres } from "./postgres.js"

export interface Counts {
  /** `BEGIN` and `COMMIT` included. */
  readonly statements: number
  /** Transactions that have ended: a statement outside of one is one. */
  readonly commits: number
}

/** Tells of each message of a server by its type and its content. */
const reader = (onMessage: (type: string, content: Buffer) => void) => {
  let rest = Buffer.alloc(0)
  return (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= 5) {
      const end = 1 + rest.readInt32BE(1)
      if (rest.length < end) return
      onMessage(rest.toString("latin1", 0, 1), rest.subarray(5, end))
      rest = rest.subarray(end)
    }
  }
}

/** A new database, and what was asked of it since that was asked last. */
export const countedPostgres = Effect.gen(function* () {
  const address = new URL(Redacted.value(yield* (yield* postgres).database))
  const counts = { statements: 0, commits: 0 }
  const sockets = new Set<Net.Socket>()
  const serve = (client: Net.Socket) => {
    const server = Net.connect(Number(address.port), address.hostname)
    let isReady = false
    const read = reader((type, content) => {
      if (type === "C") counts.statements++
      if (type !== "Z") return
      // The first is that of a new connection.
      if (isReady && content.toString("latin1") === "I") counts.commits++
      isReady = true
    })
    server.on("data", read)
    client.pipe(server)
    server.pipe(client)
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on("error", () => {})
    }
  }
  const proxy = yield* Effect.acquireRelease(
    Effect.async<Net.Server>((resume) => {
      const proxy = Net.createServer(serve)
      proxy.listen(0, "127.0.0.1", () => resume(Effect.succeed(proxy)))
    }),
    (proxy) =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
        proxy.close()
      })
  )
  const url = new URL(address)
  url.port = String((proxy.address() as Net.AddressInfo).port)
  return {
    url: Redacted.make(url.href),
    /** Forgets what it tells of. */
    counts: Effect.sync((): Counts => {
      const { commits, statements } = counts
      Object.assign(counts, { commits: 0, statements: 0 })
      return { commits, statements }
    })
  }
})
