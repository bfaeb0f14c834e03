/**
 * The secret of the workers: connections between them are TLS with a pre-shared key, which both ends have to know. Messages
 * can be neither read nor changed on the way, and OpenSSL compares in constant time. The engine sees sockets as it does
 * without.
 */
import { createHash } from "node:crypto"
import * as net from "node:net"
import * as tls from "node:tls"
import type * as RunnerAddress from "@effect/cluster/RunnerAddress"
import * as RunnerStorage from "@effect/cluster/RunnerStorage"
import * as Runners from "@effect/cluster/Runners"
import * as Socket from "@effect/platform/Socket"
import * as SocketServer from "@effect/platform/SocketServer"
import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import * as RpcClient from "@effect/rpc/RpcClient"
import * as RpcSerialization from "@effect/rpc/RpcSerialization"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as monotonic from "../../../internal/monotonic.js"
import { SecretRefused, SecretTooShort } from "../../ClusterError.js"
import * as runnerAddress from "./runnerAddress.js"

/** The fewest characters of a secret. */
const shortest = 16

/** The key of the connections; `undefined` where there is no secret. */
export type Key = Buffer | undefined

/** The key of connections. */
export const keyOf = (secret: Redacted.Redacted | undefined): Effect.Effect<Key, SecretTooShort> => {
  if (secret === undefined) return Effect.succeed(undefined)
  const text = Redacted.value(secret)
  return text.length < shortest
    ? new SecretTooShort()
    : Effect.succeed(createHash("sha256").update("effect-translate workers\n").update(text).digest())
}

/** Of those that take a pre-shared key, the one whose keys are lost with the connection. None of TLS 1.3 does in Node.js. */
const suite = { ciphers: "ECDHE-PSK-CHACHA20-POLY1305", maxVersion: "TLSv1.2" } as const

/** The time for the other end to show that it knows the secret, in milliseconds. */
const patience = 1000

/** Both ends speak, and not with the same secret. Connections that are closed at once, as by probes, are no reason to say anything. */
const isMismatch = (code: string): boolean =>
  code.startsWith("ERR_SSL") || code === "ERR_TLS_HANDSHAKE_TIMEOUT"

/** Logs an error once a minute at most: a worker with another secret tries again and again. */
const makeSayer = () => {
  let silentUntil = 0
  return (message: string) =>
    Effect.flatMap(monotonic.millis, (now) => {
      if (now < silentUntil) return Effect.void
      silentUntil = now + 60_000
      return Effect.logError(message)
    })
}

const secured = (conn: net.Socket, key: Buffer): Effect.Effect<tls.TLSSocket, string> =>
  Effect.async((resume) => {
    const server = tls.createServer({ ...suite, handshakeTimeout: 5 * patience, pskCallback: () => key })
    server.once("secureConnection", (socket) => {
      // Errors are those of the reader; before there is one, the connection is closed all the same.
      socket.on("error", () => {})
      resume(Effect.succeed(socket))
    })
    server.once("tlsClientError", (error) => {
      conn.destroy()
      resume(Effect.fail(runnerAddress.codeOf(error)))
    })
    server.emit("connection", conn)
  })

const socketOf = (conn: net.Socket): Effect.Effect<Socket.Socket> =>
  NodeSocket.fromDuplex(
    Effect.acquireRelease(Effect.succeed(conn), () =>
      Effect.sync(() => void (conn.closed || conn.destroySoon()))
    )
  )

/** A server that lets in clients which know the secret. */
export const guarded = (
  server: SocketServer.SocketServer["Type"],
  address: string,
  key: Key
): SocketServer.SocketServer["Type"] => {
  if (key === undefined) return server
  const say = makeSayer()
  const admit = <A, E, R>(conn: net.Socket, handler: (socket: Socket.Socket) => Effect.Effect<A, E, R>) => {
    // It is forgotten with the connection.
    const from = conn.remoteAddress
    return Effect.matchEffect(secured(conn, key), {
      onFailure: (code) =>
        isMismatch(code)
          ? say(
              `A connection from ${from} to the worker ${address} was refused, as it does not know the secret of the workers: give all of them the same.`
            )
          : Effect.void,
      onSuccess: (socket) => Effect.flatMap(socketOf(socket), handler)
    }).pipe(Effect.ensuring(Effect.sync(() => conn.destroySoon())))
  }
  return SocketServer.SocketServer.of({
    address: server.address,
    run: (handler) =>
      server.run(() =>
        Effect.flatMap(Effect.serviceOption(NodeSocket.NetSocket), (conn) =>
          Option.isSome(conn) ? admit(conn.value, handler) : Effect.void
        )
      )
  })
}

/** The server of an opened address, for clients that know the secret. */
export const layer = ({ address, server }: runnerAddress.Opened, key: Key) =>
  Layer.succeed(SocketServer.SocketServer, guarded(server, runnerAddress.format(address), key))

/** Connects to another worker, until the scope closes. */
const connected = (
  { host, port }: RunnerAddress.RunnerAddress,
  key: Key
): Effect.Effect<net.Socket, string, Scope.Scope> =>
  Effect.suspend(() => {
    const conn =
      key === undefined
        ? net.connect({ host, port })
        : tls.connect({
            ...suite,
            host,
            port,
            // The key identifies it, and not a certificate.
            checkServerIdentity: () => undefined,
            pskCallback: () => ({ psk: key, identity: "effect-translate" })
          })
    const opening = Effect.async<net.Socket, string>((resume) => {
      conn.once(key === undefined ? "connect" : "secureConnect", () => resume(Effect.succeed(conn)))
      conn.on("error", (error) => resume(Effect.fail(runnerAddress.codeOf(error))))
    })
    return Effect.zipRight(
      Effect.addFinalizer(() => Effect.sync(() => conn.destroySoon())),
      opening
    )
  })

/** The engine's protocol for reaching other workers. */
export const layerClientProtocol = (
  key: Key
): Layer.Layer<Runners.RpcClientProtocol, never, RpcSerialization.RpcSerialization> => {
  if (key === undefined) return NodeClusterSocket.layerClientProtocol
  return Layer.effect(
    Runners.RpcClientProtocol,
    Effect.map(RpcSerialization.RpcSerialization, (serialization) => {
      const say = makeSayer()
      return (address) => {
        const opened = connected(address, key).pipe(
          Effect.tapError((code) =>
            isMismatch(code)
              ? say(
                  `The worker at ${runnerAddress.format(address)} does not know the secret of this one: give all workers the same.`
                )
              : Effect.void
          ),
          Effect.mapError((code) => new Socket.SocketGenericError({ reason: "Open", cause: new Error(code) }))
        )
        return Effect.flatMap(NodeSocket.fromDuplex(opened, { openTimeout: patience }), (socket) =>
          RpcClient.makeProtocolSocket().pipe(
            Effect.provideService(Socket.Socket, socket),
            Effect.provideService(RpcSerialization.RpcSerialization, serialization)
          )
        )
      }
    })
  )
}

/** True if there is an answer, as by a server without a secret. A server with a secret closes the connection, or sends an alert of TLS. */
const isAnswered = (conn: net.Socket, ping: Uint8Array | string) =>
  Effect.async<boolean>((resume) => {
    conn.once("data", (bytes: Buffer) =>
      resume(Effect.succeed(bytes[0] !== tlsAlert && bytes[0] !== tlsHandshake))
    )
    conn.once("close", () => resume(Effect.succeed(false)))
    conn.write(ping)
  })

const [tlsAlert, tlsHandshake] = [21, 22]

/**
 * True if a running worker has the same secret, or has none either. It is asked before this one takes part: those with
 * another secret would take each other for dead. One that does not answer may have died.
 */
const knows = (address: RunnerAddress.RunnerAddress, key: Key) =>
  Effect.flatMap(RpcSerialization.RpcSerialization, (serialization) => {
    const ping = serialization.unsafeMake().encode({ _tag: "Ping" })
    const asked = Effect.matchEffect(connected(address, key), {
      onFailure: (code) => Effect.succeed(!isMismatch(code) && code !== "ECONNRESET"),
      onSuccess: (conn) => (ping === undefined ? Effect.succeed(true) : isAnswered(conn, ping))
    })
    return Effect.timeoutTo(Effect.scoped(asked), {
      duration: patience,
      onSuccess: (isKnown) => isKnown,
      onTimeout: () => true
    })
  })

/** Fails if one of the workers that run has another secret than this one at `own`. */
export const check = (
  own: RunnerAddress.RunnerAddress,
  key: Key
): Effect.Effect<void, SecretRefused, RunnerStorage.RunnerStorage | RpcSerialization.RpcSerialization> =>
  Effect.gen(function* () {
    const storage = yield* RunnerStorage.RunnerStorage
    const runners = yield* Effect.orElseSucceed(storage.getRunners, () => [])
    const others = runners.flatMap(([{ address }, isHealthy]) =>
      isHealthy && runnerAddress.format(address) !== runnerAddress.format(own) ? [address] : []
    )
    yield* Effect.forEach(
      others,
      (address) =>
        Effect.filterOrFail(
          // One that dies in between closes the connection too, and is not there the second time.
          Effect.flatMap(knows(address, key), (isKnown) =>
            isKnown ? Effect.succeed(true) : Effect.delay(knows(address, key), patience)
          ),
          (isKnown) => isKnown,
          () => new SecretRefused({ address: runnerAddress.format(address), isGiven: key !== undefined })
        ),
      { concurrency: "unbounded", discard: true }
    )
  })
