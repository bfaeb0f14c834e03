/** Workers that reach each other over TCP, by a secret: the transport of the engine, with a procedure of its own. */
import * as net from "node:net"
import * as Runner from "@effect/cluster/Runner"
import * as RunnerAddress from "@effect/cluster/RunnerAddress"
import * as RunnerStorage from "@effect/cluster/RunnerStorage"
import * as Runners from "@effect/cluster/Runners"
import * as SocketServer from "@effect/platform/SocketServer"
import * as NodeSocketServer from "@effect/platform-node/NodeSocketServer"
import * as Rpc from "@effect/rpc/Rpc"
import * as RpcClient from "@effect/rpc/RpcClient"
import * as RpcGroup from "@effect/rpc/RpcGroup"
import * as RpcSerialization from "@effect/rpc/RpcSerialization"
import * as RpcServer from "@effect/rpc/RpcServer"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as runnerSecret from "../../src/workflow/internal/engine/runnerSecret.js"

const secret = Redacted.make("a secret of the workers")
const other = Redacted.make("a secret of somebody else")

const Group = RpcGroup.make(Rpc.make("double", { payload: { text: Schema.String }, success: Schema.String }))

/** What is logged, at both ends. */
const logged = Effect.map(
  Effect.sync((): Array<string> => []),
  (lines) => ({
    lines,
    layer: Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ message }) => void lines.push(String(message)))
    )
  })
)

/** A worker that listens, with a secret or without one. */
const worker = (given: Redacted.Redacted | undefined) =>
  Effect.gen(function* () {
    const key = yield* runnerSecret.keyOf(given)
    const server = yield* NodeSocketServer.make({ host: "127.0.0.1", port: 0 })
    const { port } = server.address as SocketServer.TcpAddress
    yield* Layer.build(
      RpcServer.layer(Group).pipe(
        Layer.provide(Group.toLayer({ double: ({ text }) => Effect.succeed(text + text) })),
        Layer.provide(RpcServer.layerProtocolSocketServer),
        Layer.provide(
          Layer.succeed(SocketServer.SocketServer, runnerSecret.guarded(server, `127.0.0.1:${port}`, key))
        ),
        Layer.provide(RpcSerialization.layerMsgPack)
      )
    )
    return RunnerAddress.make("127.0.0.1", port)
  })

/** What another worker with a secret gets from one. */
const ask = (address: RunnerAddress.RunnerAddress, given: Redacted.Redacted, text: string) =>
  Effect.gen(function* () {
    return yield* Effect.gen(function* () {
      const protocol = yield* Effect.flatMap(Runners.RpcClientProtocol, (make) => make(address))
      const client = yield* RpcClient.make(Group).pipe(Effect.provideService(RpcClient.Protocol, protocol))
      return yield* Effect.either(client.double({ text }))
    }).pipe(
      Effect.scoped,
      Effect.provide(
        runnerSecret
          .layerClientProtocol(yield* runnerSecret.keyOf(given))
          .pipe(Layer.provide(RpcSerialization.layerMsgPack))
      )
    )
  })

/** Whether a worker with a secret, or none, may join others. */
const joined = (
  given: Redacted.Redacted | undefined,
  ...others: ReadonlyArray<RunnerAddress.RunnerAddress>
) =>
  Effect.gen(function* () {
    const { register } = yield* RunnerStorage.RunnerStorage
    for (const address of others) {
      yield* register(Runner.make({ address, groups: ["default"], weight: 1 }), true)
    }
    const key = yield* runnerSecret.keyOf(given)
    return yield* Effect.either(runnerSecret.check(RunnerAddress.make("127.0.0.1", 1), key))
  }).pipe(Effect.provide([RunnerStorage.layerMemory, RpcSerialization.layerMsgPack]))

/** What a program gets that sends bytes and knows nothing. */
const sent = (port: number, bytes: string | Uint8Array) =>
  Effect.async<string>((resume) => {
    const received: Array<Buffer> = []
    const conn = net.connect(port, "127.0.0.1", () => conn.write(bytes))
    conn.on("data", (data) => received.push(data))
    conn.on("error", () => {})
    conn.on("close", () => resume(Effect.succeed(Buffer.concat(received).toString("latin1"))))
  })

describe("the secret of the workers", () => {
  it.scopedLive("lets those in that know it, with messages of any length", () =>
    Effect.gen(function* () {
      const { layer, lines } = yield* logged
      const text = "Ä long text. ".repeat(50_000)
      const answer = yield* Effect.flatMap(worker(secret), (address) => ask(address, secret, text)).pipe(
        Effect.provide(layer)
      )
      expect(Either.getOrThrow(answer)).toBe(text + text)
      expect(lines).toEqual([])
    })
  )

  it.scopedLive("keeps those out that know another one, and both ends say why, once a minute", () =>
    Effect.gen(function* () {
      const { layer, lines } = yield* logged
      yield* Effect.gen(function* () {
        const { address, name } = yield* Effect.map(worker(secret), (address) => ({
          address,
          name: `127.0.0.1:${address.port}`
        }))
        const refused = yield* ask(address, other, "Hello")
        expect(refused).toMatchObject({ _tag: "Left", left: { _tag: "RpcClientError" } })
        const told = [
          `A connection from 127.0.0.1 to the worker ${name} was refused, as it does not know the secret of the workers: give all of them the same.`,
          `The worker at ${name} does not know the secret of this one: give all workers the same.`
        ]
        expect([...lines].sort()).toEqual(told)
        yield* ask(address, other, "Hello")
        expect([...lines].sort()).toEqual([...told, told[1]])
      }).pipe(Effect.provide(layer))
    })
  )

  it.scopedLive("gives nothing to those that have none, whatever they send", () =>
    Effect.gen(function* () {
      const address = yield* worker(secret)
      const ping = RpcSerialization.msgPack.unsafeMake().encode({ _tag: "Ping" })!
      const hello = "\u0016\u0003\u0001\u0000\u0005hello"
      const answers = yield* Effect.forEach([ping, "GET / HTTP/1.1\r\n\r\n", hello], (bytes) =>
        sent(address.port, bytes)
      )
      for (const answer of answers) expect(answer).not.toContain("Pong")
      expect(Either.getOrThrow(yield* ask(address, secret, "still there "))).toBe("still there still there ")
    })
  )

  it.scopedLive("is asked of the others before a worker joins them", () =>
    Effect.gen(function* () {
      const closed = yield* worker(secret)
      const open = yield* worker(undefined)
      const dead = RunnerAddress.make("127.0.0.1", 9)
      expect(yield* joined(secret, closed, dead)).toEqual(Either.void)
      expect(yield* joined(undefined, open, dead)).toEqual(Either.void)
      const refused = [
        yield* joined(other, dead, closed),
        yield* joined(undefined, closed),
        yield* joined(secret, open)
      ].map((result) => (Either.isLeft(result) ? [result.left._tag, result.left.message] : "joined"))
      const end = "give all workers of the database the same. To change it, end all of them first."
      expect(refused).toEqual([
        [
          "SecretRefused",
          `The worker at 127.0.0.1:${closed.port} does not know the secret of this one: ${end}`
        ],
        [
          "SecretRefused",
          `The worker at 127.0.0.1:${closed.port} has a secret, and this one has none: ${end}`
        ],
        ["SecretRefused", `The worker at 127.0.0.1:${open.port} does not know the secret of this one: ${end}`]
      ])
    })
  )

  it.effect("has at least 16 characters", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(runnerSecret.keyOf(Redacted.make("fifteen letters")))
      expect([error._tag, error.isRetryable]).toEqual(["SecretTooShort", false])
    })
  )
})
