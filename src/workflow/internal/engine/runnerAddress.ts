import type * as SocketServer from "@effect/platform/SocketServer"
import * as NodeSocketServer from "@effect/platform-node/NodeSocketServer"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import { AddressInUse, AddressUnavailable, InvalidAddress } from "../../ClusterError.js"

/** A host, and a port; 0 for a free one. */
interface Address {
  readonly host: string
  readonly port: number
}

/** Names and addresses in brackets or without colons. */
const pattern = /^(?:\[([0-9a-fA-F:.]+(?:%\w+)?)\]|([^\s:/[\]@]+))(?::(\d{1,5}))?$/

/** Reads `host:port`, or a host alone. */
export const parse = (text: string): Effect.Effect<Address, InvalidAddress> => {
  const match = pattern.exec(text)
  const host = match?.[1] ?? match?.[2]
  const port = Number(match?.[3] ?? "0")
  return host === undefined || port > 65_535
    ? Effect.fail(new InvalidAddress({ address: text }))
    : Effect.succeed({ host, port })
}

/** As `parse` reads it. */
export const format = ({ host, port }: Address): string => {
  const name = host.includes(":") ? `[${host}]` : host
  return port === 0 ? name : `${name}:${port}`
}

/** The code of an error of Node.js. */
export const codeOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : "EUNKNOWN"

const listen = (address: Address) =>
  Effect.mapError(NodeSocketServer.make(address), ({ cause }) => {
    const code = codeOf(cause)
    return code === "EADDRINUSE"
      ? new AddressInUse({ address: format(address) })
      : new AddressUnavailable({ address: format(address), code })
  })

/** Where a worker listens, and where others reach it. */
export interface Opened {
  readonly server: SocketServer.SocketServer["Type"]
  /** Where others reach it. */
  readonly address: Address
  readonly listening: Address
}

/** Listens before it tells its port to others, so that a free port is nobody else's. */
export const open = (options: {
  readonly address?: string | undefined
  readonly listen?: string | undefined
}): Effect.Effect<Opened, InvalidAddress | AddressInUse | AddressUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const address = yield* parse(options.address ?? "127.0.0.1")
    const wanted = yield* options.listen === undefined ? Effect.succeed(address) : parse(options.listen)
    // Others know the port of the address only: it is the one to listen at, unless something in between changes it.
    const port = wanted.port === 0 ? address.port : wanted.port
    const server = yield* listen({ host: wanted.host, port })
    const taken = server.address._tag === "TcpAddress" ? server.address.port : port
    return {
      server,
      address: { host: address.host, port: address.port === 0 ? taken : address.port },
      listening: { host: wanted.host, port: taken }
    }
  })
