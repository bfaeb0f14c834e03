/** One worker on a file, and addresses. */

import { describe, expect, it } from "@effect/vitest"
import * as Activity from "@effect/workflow/Activity"
import * as Workflow from "@effect/workflow/Workflow"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { ClusterError, LibsqlCluster } from "effect-translate/workflow"
import { PgCluster } from "effect-translate/workflow/postgres"
import * as runnerAddress from "../../src/workflow/internal/engine/runnerAddress.js"
import { temporaryFile } from "../support/databases.js"

const Greeting = Workflow.make({
  name: "Greeting",
  payload: { name: Schema.String },
  success: Schema.String,
  idempotencyKey: ({ name }) => name
})

const counted = () => {
  let calls = 0
  return {
    calls: () => calls,
    layer: Greeting.toLayer(({ name }) =>
      Activity.make({
        name: "greet",
        success: Schema.String,
        execute: Effect.sync(() => {
          calls++
          return `Hello, ${name}!`
        })
      })
    )
  }
}

describe("a worker on a file", () => {
  it.scopedLive("does a workflow once, also when it is started anew", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      const { calls, layer } = counted()
      const run = Effect.provide(
        Greeting.execute({ name: "Ada" }),
        Layer.provideMerge(layer, LibsqlCluster.layer({ file }))
      )
      expect(yield* run).toBe("Hello, Ada!")
      expect(yield* run).toBe("Hello, Ada!")
      expect(calls()).toBe(1)
    })
  )

  it.scopedLive("is its only worker", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      const open = Layer.build(LibsqlCluster.layer({ file }))
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* open
          const error = yield* Effect.flip(Effect.scoped(open))
          expect(error).toBeInstanceOf(ClusterError.ClusterInUse)
          expect(ClusterError.exitCode(error)).toBe(2)
        })
      )
      yield* open
    })
  )

  it.scopedLive("needs the folder of the file", () =>
    Effect.gen(function* () {
      const file = `${yield* temporaryFile}/missing/jobs.db`
      const error = yield* Effect.flip(Layer.build(LibsqlCluster.layer({ file })))
      expect(error._tag).toBe("FolderUnavailable")
    })
  )
})

describe("the address of a worker", () => {
  it.effect("is a host and a port, or a host alone", () =>
    Effect.gen(function* () {
      for (const [text, host, port] of [
        ["10.0.0.5:8800", "10.0.0.5", 8800],
        ["worker-1.internal", "worker-1.internal", 0],
        ["[::1]:8800", "::1", 8800],
        ["[fe80::1%eth0]", "fe80::1%eth0", 0]
      ] as const) {
        const address = yield* runnerAddress.parse(text)
        expect(address).toEqual({ host, port })
        expect(runnerAddress.format(address)).toBe(text)
      }
    })
  )

  it.effect.each(["", ":8800", "host:", "host:65536", "http://host:80", "::1", "a b"])(
    "is refused as %j",
    (text) =>
      Effect.gen(function* () {
        expect((yield* Effect.flip(runnerAddress.parse(text)))._tag).toBe("InvalidAddress")
      })
  )

  it.scopedLive("has a free port unless it names one", () =>
    Effect.gen(function* () {
      const first = yield* runnerAddress.open({})
      const second = yield* runnerAddress.open({})
      expect(first.address.host).toBe("127.0.0.1")
      expect(first.address.port).toBeGreaterThan(0)
      expect(second.address.port).not.toBe(first.address.port)
      expect(second.address).toEqual(second.listening)
    })
  )

  it.scopedLive("may be another than the one it listens at", () =>
    Effect.gen(function* () {
      const { address, listening } = yield* runnerAddress.open({
        address: "worker-1.example",
        listen: "127.0.0.1:0"
      })
      expect(address).toEqual({ host: "worker-1.example", port: listening.port })
    })
  )

  it.scopedLive("is free", () =>
    Effect.gen(function* () {
      const { address } = yield* runnerAddress.open({})
      const error = yield* Effect.flip(runnerAddress.open({ address: runnerAddress.format(address) }))
      expect(error._tag).toBe("AddressInUse")
      expect(error.message).toContain(runnerAddress.format(address))
    })
  )

  it.scopedLive("is of this machine", () =>
    Effect.gen(function* () {
      const url = Redacted.make("postgres://nobody@127.0.0.1:1/none")
      const error = yield* Effect.flip(Layer.build(PgCluster.layer({ url, address: "192.0.2.1:8800" })))
      expect(error).toMatchObject({ _tag: "AddressUnavailable", code: "EADDRNOTAVAIL" })
    })
  )
})

it.scopedLive("a database that is away can be tried again", () =>
  Effect.gen(function* () {
    const url = Redacted.make("postgres://nobody:secret@127.0.0.1:1/none")
    const error = yield* Effect.flip(Layer.build(PgCluster.layer({ url })))
    expect(error).toMatchObject({ _tag: "DatabaseUnavailable", code: "ECONNREFUSED" })
    expect(ClusterError.exitCode(error)).toBe(ClusterError.exitCodeOfLoss)
    expect(error.message).not.toContain("secret")
  })
)
